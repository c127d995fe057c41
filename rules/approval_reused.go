package rules

import (
	"strconv"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var approvalReused = &Rule{
	ID:    "approval-reused",
	Title: "One approval was used twice",
	Why:   "A yes to one act was taken for a yes to the next one.",
	Fix:   "Consume the approval in the same step that checks it, and refuse the second use.",
	Silent: "A second use that was refused (APPROVAL_ALREADY_CONSUMED): that is the guard working; approvals given for the whole session or for " +
		"all calls of a kind; several steps of one action; a second try after the first one was aborted without effect.",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Decision, transcript.Action),
	New:       func(Settings) Checker { return reuses{} },
	Lacks:     lacksDecisions,
}

type reuses struct{ silent }

func (reuses) Finish(s *ledger.Session, emit Emit) {
	for _, a := range s.Approvals {
		uses := usesOf(s, a)
		if len(uses) < 2 || standing(a) {
			continue
		}
		chain := requestOf(a)
		if d, ok := a.Step(transcript.Approved, 0); ok {
			chain = append(chain, at(d.Ref, finding.Recorded, d.Reason, "it is approved, by %s", d.By))
		}
		for i, u := range uses {
			if i == 4 {
				break
			}
			chain = append(chain, at(u, finding.Recorded, "", "use %d of it", i+1))
		}
		emit(Hit{
			At:       uses[1],
			Message:  subjectOfApproval(a) + " was approved once and used " + strconv.Itoa(len(uses)) + " times",
			Evidence: chain,
			Key:      a.ID,
		})
	}
}

// usesOf are the places where an approval was consumed: recorded as such, or
// by different actions that rest on it and went ahead.
func usesOf(s *ledger.Session, a *ledger.Approval) []ledger.Ref {
	var uses []ledger.Ref
	for _, d := range a.Steps {
		if d.Verb == transcript.Consumed {
			uses = append(uses, d.Ref)
		}
	}
	if len(uses) > 0 {
		return uses
	}
	for _, d := range s.Deeds {
		if d.Approval == "" || s.ApprovalByID(d.Approval) != a {
			continue
		}
		st, effect := d.Step(transcript.ActionEffect)
		if !effect {
			if _, stopped := d.Step(transcript.ActionAborted, transcript.ActionRejected); stopped {
				continue
			}
			st, effect = d.Step(transcript.ActionStarted)
		}
		if effect {
			uses = append(uses, st.Ref)
		}
	}
	return uses
}

// standing reports whether the approval was given for more than one use.
func standing(a *ledger.Approval) bool {
	n := 0
	for _, d := range a.Steps {
		if d.Verb == transcript.Approved {
			n++
			if d.By == transcript.ByPolicy || containsAny(d.Reason, "session", "always", "all calls", "reuse") {
				return true
			}
		}
	}
	return n > 1
}
