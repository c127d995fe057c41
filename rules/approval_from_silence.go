package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var approvalFromSilence = &Rule{
	ID:    "approval-from-silence",
	Title: "An action counts as approved, and nobody is recorded to have decided",
	Why:   "Silence was taken for a yes: a default, not a person or a rule, let the action through.",
	Fix:   "Let an unanswered request end as denied or escalated, and record who decided.",
	Silent: "Policies and auto modes that allow the action and are recorded; sessions whose log records no decisions at all; " +
		"approvals after a recorded expiry (approved-after-timeout).",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Decision, transcript.Action),
	New:       func(Settings) Checker { return &silences{told: map[string]bool{}} },
	Lacks:     lacksDecisions,
}

type silences struct {
	silent
	told map[string]bool
}

func (k *silences) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied {
		return
	}
	if e.Kind == transcript.Decision {
		if a := s.Approval; a != nil && e.Decision.Verb == transcript.Approved && e.Decision.By == transcript.ByDefault {
			if _, expired := a.Step(transcript.Expired, 0); !expired {
				d := a.Steps[len(a.Steps)-1]
				emit(Hit{
					At:       d.Ref,
					Message:  subjectOfApproval(a) + " is recorded as approved by default: nobody answered",
					Quote:    d.Reason,
					Evidence: append(requestOf(a), at(d.Ref, finding.Recorded, d.Reason, "approved by default%s", waited(d))),
					Key:      a.ID,
				})
			}
		}
		return
	}
	i := e.Action
	if i.Approval == "" || k.told[i.Approval] || s.ApprovalByID(i.Approval) != nil || len(s.Approvals) == 0 || s.Auto == transcript.True ||
		i.Verb != transcript.ActionStarted && i.Verb != transcript.ActionEffect {
		return
	}
	k.told[ledger.Own(i.Approval)] = true
	ref := s.Ref(e)
	emit(Hit{
		At:       ref,
		Message:  "the action names approval " + i.Approval + ", and no decision about it is seen in this log",
		Evidence: []finding.Evidence{at(ref, finding.Recorded, i.Reason, "the action starts")},
		Key:      i.Approval,
	})
}
