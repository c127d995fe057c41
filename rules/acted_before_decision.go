package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var actedBeforeDecision = &Rule{
	ID:    "acted-before-decision",
	Title: "An action started while its approval was pending, denied, withdrawn or expired",
	Why:   "The approval was asked for and then not waited for: whatever is decided afterwards decides nothing.",
	Fix:   "Check the approval's state after every wait and directly before the act, and stop when it is not approved.",
	Silent: "Entering the executor without starting; an approval given inside its deadline and used after it (the deadline bounds the pending state); " +
		"attempts that a guard refused; requests whose outcome is approved-after-timeout.",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Action, transcript.ToolResult),
	New:       func(Settings) Checker { return &hasty{told: map[*ledger.Approval]bool{}} },
	Lacks:     lacksDecisions,
}

type hasty struct {
	silent
	told map[*ledger.Approval]bool
}

func (h *hasty) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied {
		return
	}
	switch e.Kind {
	case transcript.Action:
		if e.Action.Verb != transcript.ActionStarted && e.Action.Verb != transcript.ActionEffect {
			return
		}
		d := s.DeedByID(e.Action.ID)
		id := d.Approval
		if id == "" {
			id = d.ID
		}
		h.judge(s, s.ApprovalByID(id), s.Ref(e), "the action starts", d.ID, emit)
	case transcript.ToolResult:
		c := s.Call
		if c == nil || c.Result == nil || c.Result.NotRun || c.Act == transcript.Ask || c.Result.Term.Kind != transcript.TermOK || c.Result.Term.Source == transcript.FromAbsence {
			return
		}
		h.judge(s, s.ApprovalByID(c.ID), c.Result.Ref, "the call has run", c.ID, emit)
	}
}

func (h *hasty) judge(s *ledger.Session, a *ledger.Approval, acted ledger.Ref, what, id string, emit Emit) {
	if a == nil || h.told[a] {
		return
	}
	state := a.State(acted.Step)
	switch state.Verb {
	case transcript.Requested, transcript.Denied, transcript.Expired, transcript.Withdrawn:
	default:
		return
	}
	h.told[a] = true
	chain := requestOf(a)
	if state.Verb != transcript.Requested {
		chain = append(chain, at(state.Ref, finding.Recorded, state.Reason, "it is %s%s", state.Verb, waited(state)))
	}
	chain = append(chain, at(acted, finding.Recorded, "", "%s", what))
	emit(Hit{
		At:       acted,
		Message:  what + " while " + subjectOfApproval(a) + " is " + stateWord(state.Verb),
		Quote:    a.Subject,
		Evidence: chain,
		Key:      a.ID + "/" + id,
	})
}

func stateWord(v transcript.DecisionVerb) string {
	if v == transcript.Requested {
		return "still pending"
	}
	return v.String()
}
