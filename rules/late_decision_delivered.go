package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var lateDecisionDelivered = &Rule{
	ID:        "late-decision-delivered",
	Title:     "An approval answer was delivered after its session had ended or was cancelled",
	Why:       "The receiver may act on a yes that belongs to a session which nobody watches any more.",
	Fix:       "Check for the end of the session after every wait, directly before the answer is sent.",
	Silent:    "Late answers that were held back; sessions that were resumed in between; answers sent before the cancel was accepted.",
	Group:     Approval,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Decision, transcript.Cancel, transcript.TurnEnd, transcript.Message),
	New:       func(Settings) Checker { return &lateAnswers{} },
	Lacks:     lacksDecisions,
}

// lateAnswers remembers what closed the session, until something opens it
// again.
type lateAnswers struct {
	silent
	closed ledger.Ref
	how    string
}

func (l *lateAnswers) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	switch e.Kind {
	case transcript.TurnEnd:
		if e.Turn.Session {
			l.closed, l.how = s.Ref(e), "the session ended"
		}
	case transcript.Cancel:
		if e.Cancel.Verb == transcript.CancelAccepted && ofSession(s, e.Cancel) {
			l.closed, l.how = s.Ref(e), "the session was cancelled"
		}
	case transcript.Message:
		if e.Actor == transcript.Human {
			l.closed = ledger.Ref{}
		}
	case transcript.Decision:
		l.decision(s, e, emit)
	}
}

func (l *lateAnswers) decision(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Decision.Verb != transcript.Delivered || !l.closed.Known() {
		return
	}
	a := s.Approval
	if a == nil {
		return
	}
	ref := s.Ref(e)
	chain := append(requestOf(a), at(l.closed, finding.Recorded, "", "%s", l.how), at(ref, finding.Recorded, e.Decision.Reason, "the answer is delivered"))
	emit(Hit{At: ref, Message: "an answer to " + subjectOfApproval(a) + " was delivered after " + l.how, Evidence: chain, Key: a.ID})
}

// ofSession reports whether a cancel is meant for the whole session.
func ofSession(s *ledger.Session, c *transcript.CancelInfo) bool {
	target := c.Target
	if k := s.CancelOf(c.ID); target == "" && k != nil {
		target = k.Target
	}
	return target == "" || target == "session" || target == s.ID
}
