package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var middleCut = &Rule{
	ID:    "middle-cut",
	Title: "The middle of results was taken out and the halves were joined",
	Why:   "Beginning and end read as one text, and what stood between them, often the first error, is gone without a way to ask for it.",
	Fix:   "Write the whole output to a file and say so in the marker, so that the model can read the middle.",
	Silent: "Cuts at row borders; markers that say how to get at the rest; cuts at the beginning or the end; markers inside of what was read, such as source code. One finding " +
		"a session and kind of marker.",
	Group:     Delivery,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult),
	New:       func(Settings) Checker { return &middleCuts{} },
}

type middleCuts struct {
	found []*seam
}

type seam struct {
	kind *delivery.MarkerKind
	call *ledger.Call
	cut  *ledger.Cut
	n    int
}

func (k *middleCuts) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Origin == transcript.Copied || s.Call == nil {
		return
	}
	cut := s.CutOf(s.Call)
	if cut == nil || !cut.Middle() || cut.Kind.KeepsJSON || cut.Kind.WayOn {
		return
	}
	for _, f := range k.found {
		if f.kind == cut.Kind {
			f.n++
			return
		}
	}
	k.found = append(k.found, &seam{kind: cut.Kind, call: s.Call, cut: cut, n: 1})
}

func (k *middleCuts) Finish(_ *ledger.Session, emit Emit) {
	for _, f := range k.found {
		emit(Hit{
			At:       f.call.Result.Ref,
			Message:  "the middle of " + plural(f.n, "result") + " was taken out and the halves were joined, with no way to get at it (" + f.kind.Producer + " marker)",
			Quote:    f.cut.Mark,
			Evidence: []finding.Evidence{at(f.call.Result.Ref, finding.Observed, f.cut.Mark, "the first of them: %s", name(f.call))},
			Key:      f.kind.Producer + "/" + f.kind.ID,
		})
	}
}
