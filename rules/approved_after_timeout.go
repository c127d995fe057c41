package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var approvedAfterTimeout = &Rule{
	ID:    "approved-after-timeout",
	Title: "A human wait expired, and the record afterwards says approved",
	Why: "Nobody answered: an expired wait may become a refusal or an escalation, never a yes. " +
		"What runs on such an approval runs on nobody's word.",
	Fix: "Record the expiry as expired or denied, and ask again before acting.",
	Silent: "A later decision by a human; an approval that came inside the deadline and was used after it (the deadline bounds the pending " +
		"state only); an approval that was refused because it came too late; policies that approve by themselves and say so.",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Decision, transcript.Message),
	New:       func(Settings) Checker { return &lateApprovals{told: map[*ledger.Approval]bool{}} },
}

type lateApprovals struct {
	told map[*ledger.Approval]bool
}

func (l *lateApprovals) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied {
		return
	}
	if e.Kind == transcript.Decision {
		l.decision(s, e, emit)
		return
	}
	for _, c := range s.Fresh {
		if c.Subject == claim.Consent && asserts(c) {
			l.claimed(s, c, emit)
		}
	}
}

// decision holds an approval against the expiry of the same request: recorded
// before it, or shown by the clock.
func (l *lateApprovals) decision(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Decision.Verb != transcript.Approved || e.Decision.By == transcript.ByPolicy {
		return
	}
	a := approvalOf(s, e.Decision)
	if a == nil || l.told[a] {
		return
	}
	approved := a.Steps[len(a.Steps)-1]
	expired, recorded := a.Step(transcript.Expired, approved.Step)
	late := !a.Expires.IsZero() && !approved.Time.IsZero() && approved.Time.After(a.Expires)
	switch {
	case recorded && reopened(a, expired):
		return
	case recorded && e.Decision.By == transcript.ByHuman && !late && a.Expires.IsZero():
		return // a human answered after all; nothing says that it was too late
	case !recorded && !late:
		return
	}
	chain := requestOf(a)
	if recorded {
		chain = append(chain, at(expired.Ref, finding.Recorded, expired.Reason, "the wait expired%s", waited(expired)))
	}
	msg := "approved after the wait had expired"
	if late {
		msg = "approved " + approved.Time.Sub(a.Expires).String() + " after the deadline of the request"
	}
	chain = append(chain, at(approved.Ref, finding.Recorded, approved.Reason, "recorded as approved, by %s", approved.By))
	l.told[a] = true
	emit(Hit{At: approved.Ref, Message: subjectOfApproval(a) + " is " + msg, Quote: approved.Reason, Evidence: chain, Key: a.ID})
}

// claimed holds the words "the user approved" against an expired wait that
// nothing answered since.
func (l *lateApprovals) claimed(s *ledger.Session, c *ledger.Claim, emit Emit) {
	for _, a := range s.Approvals {
		expired, ok := a.Step(transcript.Expired, c.Step)
		if !ok || l.told[a] || reopened(a, expired) || s.Human.Step > expired.Step {
			continue
		}
		l.told[a] = true
		chain := append(requestOf(a), at(expired.Ref, finding.Recorded, expired.Reason, "the wait expired%s", waited(expired)),
			at(c.Ref, finding.Claimed, c.Quote, "consent is claimed in a %s", c.Where))
		emit(Hit{At: c.Ref, Message: "consent is claimed, but the wait for " + subjectOfApproval(a) + " expired without an answer", Quote: c.Quote, Evidence: chain, Key: a.ID})
		return
	}
}

// reopened reports whether a human decided, or was asked anew, after the
// expiry.
func reopened(a *ledger.Approval, expired ledger.Decided) bool {
	for _, d := range a.Steps {
		if d.Step <= expired.Step {
			continue
		}
		if d.Verb == transcript.Requested || d.Verb == transcript.Escalated || d.Verb == transcript.Answered && d.By == transcript.ByHuman {
			return true
		}
	}
	return false
}

func approvalOf(s *ledger.Session, d *transcript.DecisionInfo) *ledger.Approval {
	if a := s.ApprovalByID(d.ID); a != nil && d.ID != "" {
		return a
	}
	if a := s.ApprovalByID(d.CallID); a != nil && d.CallID != "" {
		return a
	}
	return nil
}

func requestOf(a *ledger.Approval) []finding.Evidence {
	if d, ok := a.Step(transcript.Requested, 0); ok {
		return []finding.Evidence{at(d.Ref, finding.Recorded, a.Subject, "a decision is asked for")}
	}
	return nil
}

func subjectOfApproval(a *ledger.Approval) string {
	switch {
	case a.Subject != "":
		return "the request (" + transcript.Clip(oneLine(a.Subject), 80) + ")"
	case a.ID != "":
		return "request " + a.ID
	}
	return "the request"
}

func waited(d ledger.Decided) string {
	if d.Waited > 0 {
		return " after " + d.Waited.String()
	}
	return ""
}

func (*lateApprovals) Finish(*ledger.Session, Emit) {}
