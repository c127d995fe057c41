package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var effectAfterCancel = &Rule{
	ID:    "effect-after-cancel",
	Title: "An action started, or took effect, after its cancel was accepted",
	Why:   "The receipt promised that it would not happen. The check came before a wait, and the act after it.",
	Fix:   "Check again after every wait, directly before the act; reconcile the effect that happened.",
	Silent: "Cancels that were refused (then nothing was promised); actions that had started before the receipt; " +
		"cancels of something else.",
	Group:     Cancel,
	Level:     finding.Error,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Cancel, transcript.Action),
	New:       func(Settings) Checker { return lateEffects{} },
	Lacks:     lacksCancels,
}

// lacksCancels says why rules about cancels cannot judge a session.
func lacksCancels(s *ledger.Session) string {
	if len(s.Cancels) == 0 {
		return "the log records no cancel requests"
	}
	return ""
}

type lateEffects struct{ silent }

func (lateEffects) Finish(s *ledger.Session, emit Emit) {
	for _, c := range s.Cancels {
		accepted, ok := receipt(c, transcript.CancelAccepted)
		if !ok {
			continue
		}
		for _, d := range s.Deeds {
			if c.Target == "" || d.ID != c.Target && d.Approval != c.Target {
				continue
			}
			begun, started := d.Step(transcript.ActionStarted)
			if started && begun.Step < accepted.Step {
				continue
			}
			late, ok := d.Step(transcript.ActionStarted, transcript.ActionEffect)
			if !ok || late.Step < accepted.Step {
				continue
			}
			emit(Hit{
				At:      late.Ref,
				Message: "the action " + d.ID + " went ahead after its cancel was accepted",
				Evidence: append(requestOfCancel(c),
					at(accepted.Ref, finding.Recorded, accepted.Reason, "the receipt: accepted"),
					at(late.Ref, finding.Recorded, late.Reason, "the action %s", deedWord(late.Verb))),
				Key: d.ID,
			})
		}
	}
}

func receipt(c *ledger.Cancel, v transcript.CancelVerb) (ledger.CancelStep, bool) {
	for _, st := range c.Steps {
		if st.Verb == v {
			return st, true
		}
	}
	return ledger.CancelStep{}, false
}

func requestOfCancel(c *ledger.Cancel) []finding.Evidence {
	if st, ok := receipt(c, transcript.CancelRequested); ok {
		return []finding.Evidence{at(st.Ref, finding.Recorded, st.Reason, "a cancel is asked for")}
	}
	return nil
}

func deedWord(v transcript.ActionVerb) string {
	if v == transcript.ActionEffect {
		return "takes effect"
	}
	return "starts"
}
