package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionLate = &Rule{
	ID:    "compaction-late",
	Title: "A compaction came only near the hard window, long after the soft one was passed",
	Why: "Every request in between was sent with an overfull context, and a compaction at the brim has no room left for its own summary: it fails, " +
		"or cuts what it sums up.",
	Fix: "Compact at the soft window (60 % of the model's window, at most 200k tokens), not at its end.",
	Silent: "Compactions below 90 % of the window; windows that neither the log nor the table of models tells; compactions that the user asked for; " +
		"a context that jumped from below the soft window to the end within a few requests.",
	Group:     Compaction,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Usage, transcript.Compaction),
	Options: []Option{
		{Name: "hard-share", Doc: "part of the window at which a compaction counts as late", Default: 0.9},
		{Name: "soft-share", Doc: "part of the window that is the soft window", Default: ledger.SoftShare},
		{Name: "soft-tokens", Doc: "tokens that the soft window never exceeds", Default: ledger.SoftTokens},
		{Name: "requests", Doc: "requests past the soft window before the compaction counts as late", Default: 10},
	},
	New: func(o Settings) Checker {
		return &lateCompaction{hard: o.Float("hard-share"), share: o.Float("soft-share"), most: o.Int("soft-tokens"), min: o.Int("requests")}
	},
	Lacks: func(s *ledger.Session) string {
		if len(s.Boundaries()) > 0 && s.WindowOf("") == 0 {
			return "the window of the model is not known"
		}
		return ""
	},
}

type lateCompaction struct {
	silent
	hard, share float64
	most, min   int
	past        int // requests past the soft window since the newest compaction
	first       ledger.Ref
	msg         string
}

func (k *lateCompaction) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied || e.Agent != "" {
		return
	}
	window := s.WindowOf("")
	soft := ledger.SoftWindow(window, k.share, k.most)
	if e.Kind == transcript.Usage {
		if soft > 0 && e.Usage.Context > soft && (e.MsgID == "" || e.MsgID != k.msg) {
			if k.past == 0 {
				k.first = s.Ref(e)
			}
			k.past, k.msg = k.past+1, ledger.Own(e.MsgID)
		}
		return
	}
	c := s.Compactions[len(s.Compactions)-1]
	if c.Begin || c.Micro || c.Failed != "" {
		return
	}
	past := k.past
	k.past = 0
	if c.Trigger == "manual" || window == 0 || past < k.min || float64(c.PreTokens) < k.hard*float64(window) {
		return
	}
	emit(Hit{
		At: c.Ref,
		Message: fmt.Sprintf("compacted at %d of %d tokens (%d %%), %s after the soft window of %d was passed",
			c.PreTokens, window, 100*c.PreTokens/window, plural(past, "request"), soft),
		Evidence: []finding.Evidence{
			at(k.first, finding.Recorded, "", "the first request past the soft window"),
			at(c.Ref, finding.Recorded, "", "the compaction"),
		},
		Key: "late",
	})
}
