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
	Silent: "Cancels that were refused (then nothing was promised); effects that had happened before the receipt; cancels of something else; sessions " +
		"in which a person spoke again after the cancel. An action that was already running when its cancel was accepted is a warning.",
	Group:     Cancel,
	Level:     finding.Error,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Cancel, transcript.Action, transcript.Message),
	New:       func(Settings) Checker { return &lateEffects{told: map[*ledger.Deed]bool{}} },
	Lacks:     lacksCancels,
}

// lacksCancels says why rules about cancels cannot judge a session.
func lacksCancels(s *ledger.Session) string {
	if len(s.Cancels) == 0 {
		return "the log records no cancel requests"
	}
	return ""
}

type lateEffects struct {
	silent
	closed closure
	told   map[*ledger.Deed]bool
}

func (l *lateEffects) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	l.closed.watch(s, e)
	if e.Kind != transcript.Action || e.Origin == transcript.Copied || e.Action.Verb != transcript.ActionStarted && e.Action.Verb != transcript.ActionEffect {
		return
	}
	d := s.DeedByID(e.Action.ID)
	if l.told[d] {
		return
	}
	for _, c := range s.Cancels {
		accepted, ok := receipt(c, transcript.CancelAccepted)
		if !ok || !aims(s, c, d) && !(ofSession(s, c) && l.closed.Step == accepted.Step) {
			continue
		}
		l.told[d] = l.judge(d, c, accepted, emit)
		if l.told[d] {
			return
		}
	}
}

// judge reports the newest step of an action, which came after the receipt,
// unless the effect had already happened before it.
func (l *lateEffects) judge(d *ledger.Deed, c *ledger.Cancel, accepted ledger.CancelStep, emit Emit) bool {
	late := d.Steps[len(d.Steps)-1]
	if effect, ok := d.Step(transcript.ActionEffect); ok && effect.Step < accepted.Step {
		return false
	}
	hit := Hit{
		At:      late.Ref,
		Message: "the action " + d.ID + " " + deedWord(late.Verb) + " after its cancel was accepted",
		Key:     d.ID,
	}
	if begun, ok := d.Step(transcript.ActionStarted); ok && begun.Step < accepted.Step {
		hit.Level = finding.Warning
		hit.Evidence = append(hit.Evidence, at(begun.Ref, finding.Recorded, begun.Reason, "the action starts"))
	}
	hit.Evidence = append(append(hit.Evidence, requestOfCancel(c)...),
		at(accepted.Ref, finding.Recorded, accepted.Reason, "the receipt: accepted"),
		at(late.Ref, finding.Recorded, late.Reason, "the action %s", deedWord(late.Verb)))
	emit(hit)
	return true
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
