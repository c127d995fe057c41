package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var interruptionToldAsRejection = &Rule{
	ID:        "interruption-told-as-rejection",
	Title:     "A call that was already running is told as one that never ran",
	Why:       "The model believes that nothing happened, and does not look for what the call left behind.",
	Fix:       "Tell a running call as interrupted, with what it had done so far.",
	Silent:    "Calls that really had not started.",
	Group:     Cancel,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult, transcript.Job, transcript.Action),
	New:       func(Settings) Checker { return mistold{} },
}

type mistold struct{ silent }

func (mistold) Finish(s *ledger.Session, emit Emit) {
	for _, c := range s.Calls {
		if c.Result == nil || !c.Result.NotRun || c.Result.Term.Kind != transcript.TermDenied || c.Origin == transcript.Copied {
			continue
		}
		begun, how := beginning(s, c)
		if !begun.Known() || begun.Step > c.Result.Step {
			continue
		}
		emit(Hit{
			At:      c.Result.Ref,
			Message: name(c) + " is told as rejected, but it had already started",
			Quote:   c.Result.Head,
			Evidence: []finding.Evidence{
				at(c.Ref, finding.Recorded, c.Command, "the call"),
				at(begun, finding.Recorded, "", "%s", how),
				at(c.Result.Ref, finding.Recorded, c.Result.Head, "the result says that it never ran"),
			},
			Key: c.ID,
		})
	}
}

// beginning finds the record that shows that the call had started.
func beginning(s *ledger.Session, c *ledger.Call) (ledger.Ref, string) {
	if d := s.DeedByID(c.ID); d != nil {
		if st, ok := d.Step(transcript.ActionStarted, transcript.ActionEffect); ok {
			return st.Ref, "the action " + deedWord(st.Verb)
		}
	}
	for _, j := range s.Jobs {
		if j.Call == c && len(j.News) > 0 {
			return j.News[0].Ref, "the harness tells news of its job " + j.ID
		}
	}
	return ledger.Ref{}, ""
}
