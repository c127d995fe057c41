package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var windowNearlyEmptyButCut = &Rule{
	ID:    "window-nearly-empty-but-cut",
	Title: "Results were cut although the model's window was nearly empty",
	Why:   "Not the window but a fixed budget for outputs lost the evidence: the model had room for all of it, and what was cut away was never seen.",
	Fix:   "Raise the budget for tool output, or make it a part of the window that is free.",
	Silent: "Parts that were asked for; sessions in which a request used a tenth of the window or more; windows and request sizes that are not known; cuts that say " +
		"how to get at the rest, when the agent did so.",
	Group:     Context,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolResult),
	Options: []Option{
		{Name: "share", Doc: "part of the window under which it counts as nearly empty", Default: 0.1},
		{Name: "results", Doc: "cut results before it is a finding", Default: 2},
	},
	New:   func(o Settings) Checker { return &emptyWindow{share: o.Float("share"), min: o.Int("results")} },
	Lacks: lacksWindow,
}

type emptyWindow struct {
	share float64
	min   int
	n     int
	first *ledger.Call
	mark  string
}

func (k *emptyWindow) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Origin == transcript.Copied || s.Call == nil || s.CutOf(s.Call) == nil {
		return
	}
	if k.n++; k.first == nil {
		k.first, k.mark = s.Call, s.CutOf(s.Call).Mark
	}
}

func (k *emptyWindow) Finish(s *ledger.Session, emit Emit) {
	window := s.WindowOf("")
	if k.n < k.min || s.Peak == 0 || window == 0 || float64(s.Peak) >= k.share*float64(window) {
		return
	}
	emit(Hit{
		At: k.first.Result.Ref,
		Message: fmt.Sprintf("%s cut although the largest request used %d of %d tokens (%.1f %%)",
			wereCut(k.n), s.Peak, window, 100*float64(s.Peak)/float64(window)),
		Quote:    k.mark,
		Evidence: []finding.Evidence{at(k.first.Result.Ref, finding.Observed, k.mark, "the first cut: %s", name(k.first))},
		Key:      "window",
	})
}

func wereCut(n int) string {
	if n == 1 {
		return "1 result was"
	}
	return fmt.Sprintf("%d results were", n)
}
