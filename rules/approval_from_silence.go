package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var approvalFromSilence = &Rule{
	ID:    "approval-from-silence",
	Title: "Something counts as approved, and nobody is recorded to have decided",
	Why:   "Silence was taken for a yes: a default, not a person or a rule, let the action through.",
	Fix:   "Let an unanswered request end as denied or escalated, and record who decided.",
	Silent: "Policies, hooks and auto modes that allow the action and are recorded; logs that record no decisions at all; approvals after an expiry " +
		"(approved-after-timeout). An action whose approval stands nowhere in the log is a warning: the log may be a part.",
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
	switch {
	case e.Origin == transcript.Copied || s.Auto == transcript.True:
	case e.Kind == transcript.Decision:
		k.decision(s.Approval, emit)
	case e.Action.Verb == transcript.ActionStarted || e.Action.Verb == transcript.ActionEffect:
		k.action(s, e, emit)
	}
}

// decision reports a yes that a default gave before the wait had run out.
func (k *silences) decision(a *ledger.Approval, emit Emit) {
	yes := a.Steps[len(a.Steps)-1]
	if yes.Verb != transcript.Approved || yes.By != transcript.ByDefault {
		return
	}
	if _, expired := a.Step(transcript.Expired, 0); expired {
		return
	}
	if _, late := lateness(a, yes); late {
		return
	}
	emit(Hit{
		At:       yes.Ref,
		Message:  subjectOfApproval(a) + " is recorded as approved by default: nobody answered",
		Quote:    yes.Reason,
		Evidence: append(requestOf(a), at(yes.Ref, finding.Recorded, yes.Reason, "approved by default%s", waited(yes))),
		Key:      a.ID,
	})
}

// action reports an act that names an approval which the log does not hold.
func (k *silences) action(s *ledger.Session, e *transcript.Event, emit Emit) {
	id := e.Action.Approval
	if id == "" || k.told[id] || s.ApprovalByID(id) != nil || len(s.Approvals) == 0 {
		return
	}
	k.told[ledger.Own(id)] = true
	ref := s.Ref(e)
	emit(Hit{
		At:       ref,
		Level:    finding.Warning,
		Inferred: true,
		Message:  "the action names approval " + id + ", and no decision about it is seen in this log",
		Evidence: []finding.Evidence{at(ref, finding.Recorded, e.Action.Reason, "the action %s", deedWord(e.Action.Verb))},
		Key:      ledger.Own(id),
	})
}
