package rules

import (
	"time"

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
	Silent: "An approval that came inside the deadline and was used after it (the deadline bounds the pending state only); an approval that was " +
		"refused because it came too late; a human's own decision after an expiry without a known deadline, or after having been asked again; policies " +
		"and hooks that approve by themselves and say so; words about another request that was approved; summaries (compaction-invents-consent). A " +
		"human's yes after a known deadline is a warning.",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Decision, transcript.Message),
	New:       func(Settings) Checker { return &lateApprovals{told: map[*ledger.Approval]bool{}} },
	Lacks:     lacksDecisions,
}

// lacksDecisions says why rules about approvals cannot judge a session.
func lacksDecisions(s *ledger.Session) string {
	if len(s.Approvals) == 0 {
		return "the log records no decisions"
	}
	return ""
}

// answerGrace is how long after its deadline a decision may be written down
// and still have been made in time.
const answerGrace = time.Second

type lateApprovals struct {
	silent
	told map[*ledger.Approval]bool
}

func (l *lateApprovals) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied {
		return
	}
	if e.Kind == transcript.Decision && e.Decision.Verb == transcript.Approved {
		l.decision(s.Approval, emit)
	}
	for _, c := range s.Fresh {
		if c.Subject == claim.Consent && asserts(c) && c.Where != ledger.InSummary {
			l.claimed(s, c, emit)
		}
	}
}

// decision holds the newest step of an approval, a yes, against the expiry of
// the same request: recorded before it, or shown by the clock.
func (l *lateApprovals) decision(a *ledger.Approval, emit Emit) {
	yes := a.Steps[len(a.Steps)-1]
	if l.told[a] || yes.By == transcript.ByPolicy || yes.By == transcript.ByHook {
		return
	}
	expired, recorded := a.Step(transcript.Expired, yes.Step)
	deadline, late := lateness(a, yes)
	switch {
	case recorded && answeredSince(a, expired):
		return
	case recorded && yes.By == transcript.ByHuman && a.Expires.IsZero():
		return // a human answered after all, and no deadline says that it was too late
	case !recorded && !late:
		return
	}
	hit := Hit{At: yes.Ref, Message: subjectOfApproval(a) + " is approved after its wait had expired", Quote: yes.Reason, Evidence: requestOf(a), Key: a.ID}
	if late {
		hit.Message = subjectOfApproval(a) + " is approved " + deadline.String() + " after its deadline"
	}
	if recorded {
		hit.Evidence = append(hit.Evidence, at(expired.Ref, finding.Recorded, expired.Reason, "the wait expired%s", waited(expired)))
	}
	hit.Evidence = append(hit.Evidence, at(yes.Ref, finding.Recorded, yes.Reason, "recorded as approved, by %s", decider(yes.By)))
	if yes.By == transcript.ByHuman {
		hit.Level = finding.Warning
	}
	l.told[a] = true
	emit(hit)
}

// lateness is by how much a yes missed the deadline of the newest request.
func lateness(a *ledger.Approval, yes ledger.Decided) (time.Duration, bool) {
	if a.Expires.IsZero() || yes.Time.IsZero() {
		return 0, false
	}
	by := yes.Time.Sub(a.Expires)
	return by, by >= answerGrace
}

// answeredSince reports whether a human was asked anew, or answered, after
// the expiry.
func answeredSince(a *ledger.Approval, expired ledger.Decided) bool {
	for _, d := range a.Steps {
		if d.Step > expired.Step && (d.Verb == transcript.Requested || d.Verb == transcript.Escalated || d.Verb == transcript.Answered && d.By == transcript.ByHuman) {
			return true
		}
	}
	return false
}

// claimed holds the words "the user approved" against a wait that expired,
// when nothing that was ever approved could be meant.
func (l *lateApprovals) claimed(s *ledger.Session, c *ledger.Claim, emit Emit) {
	var lapsed *ledger.Approval
	for _, a := range s.Approvals {
		for _, d := range a.Steps {
			switch {
			case d.Verb == transcript.Approved, d.Verb == transcript.Answered:
				return
			case d.Verb == transcript.Expired && !answeredSince(a, d):
				lapsed = a
			}
		}
	}
	if lapsed == nil || l.told[lapsed] {
		return
	}
	expired, _ := lapsed.Step(transcript.Expired, 0)
	if s.Human.Step > expired.Step {
		return
	}
	l.told[lapsed] = true
	emit(Hit{
		At:      c.Ref,
		Message: "consent is claimed, but the wait for " + subjectOfApproval(lapsed) + " expired without an answer",
		Quote:   c.Quote,
		Evidence: append(requestOf(lapsed), at(expired.Ref, finding.Recorded, expired.Reason, "the wait expired%s", waited(expired)),
			at(c.Ref, finding.Claimed, c.Quote, "consent is claimed in a %s", c.Where)),
		Key: lapsed.ID,
	})
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

func decider(by transcript.Decider) string {
	switch by {
	case transcript.ByUnknown:
		return "nobody that the record names"
	case transcript.ByHuman:
		return "a human"
	case transcript.ByDefault:
		return "default"
	}
	return "a " + by.String()
}
