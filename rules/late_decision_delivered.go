package rules

import (
	"cmp"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var lateDecisionDelivered = &Rule{
	ID:        "late-decision-delivered",
	Title:     "An approval answer was delivered after its session had ended or was cancelled",
	Why:       "The receiver may act on a yes that belongs to a session which nobody watches any more.",
	Fix:       "Check for the end of the session after every wait, directly before the answer is sent.",
	Silent:    "Late answers that were held back; answers sent before the cancel was accepted; cancels that were refused or meant something else; sessions in which a person spoke again.",
	Group:     Approval,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Decision, transcript.Cancel, transcript.TurnEnd, transcript.Message),
	New:       func(Settings) Checker { return &lateAnswers{} },
	Lacks:     lacksDecisions,
}

type lateAnswers struct {
	silent
	closed closure
}

func (l *lateAnswers) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	l.closed.watch(s, e)
	if e.Kind != transcript.Decision || e.Decision.Verb != transcript.Delivered || !l.closed.Known() {
		return
	}
	a, ref := s.Approval, s.Ref(e)
	emit(Hit{
		At:      ref,
		Message: "an answer to " + subjectOfApproval(a) + " was delivered after " + l.closed.how,
		Evidence: append(requestOf(a), at(l.closed.Ref, finding.Recorded, "", "%s", l.closed.how),
			at(ref, finding.Recorded, e.Decision.Reason, "the answer is delivered")),
		Key: a.ID,
	})
}

// closure is what closed a session, until a person speaks again.
type closure struct {
	ledger.Ref
	how string
}

func (c *closure) watch(s *ledger.Session, e *transcript.Event) {
	switch e.Kind {
	case transcript.TurnEnd:
		if e.Turn.Session {
			*c = closure{s.Ref(e), "the session had ended"}
		}
	case transcript.Cancel:
		if k := s.CancelOf(cmp.Or(e.Cancel.ID, e.Cancel.Target)); e.Cancel.Verb == transcript.CancelAccepted && k != nil && ofSession(s, k) {
			*c = closure{s.Ref(e), "the session was cancelled"}
		}
	case transcript.Message:
		if e.Actor == transcript.Human {
			*c = closure{}
		}
	}
}

// ofSession reports whether a cancel is meant for the whole session.
func ofSession(s *ledger.Session, c *ledger.Cancel) bool {
	return c.Target == "" || c.Target == "session" || c.Target == s.ID
}
