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
	Silent: "Entering the executor without starting; an approval given inside its deadline and used after it; attempts that a guard refused; waits " +
		"that ended as approved after all (approved-after-timeout), or whose cancel was accepted (effect-after-cancel). Of a tool call only a recorded no counts: many logs keep the question and not the yes.",
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
	switch {
	case e.Origin == transcript.Copied:
	case e.Kind == transcript.Action && (e.Action.Verb == transcript.ActionStarted || e.Action.Verb == transcript.ActionEffect):
		d := s.DeedByID(e.Action.ID)
		a := s.ApprovalByID(d.Approval)
		if d.Approval == "" {
			a = s.ApprovalByID(d.ID)
		}
		h.judge(s, a, s.Ref(e), "the action "+deedWord(e.Action.Verb), true, emit)
	case e.Kind == transcript.ToolResult && ran(s.Call):
		h.judge(s, s.ApprovalByID(s.Call.ID), s.Call.Result.Ref, name(s.Call)+" has run", false, emit)
	}
}

// ran reports whether a typed fact says that a call was carried out.
func ran(c *ledger.Call) bool {
	return c != nil && c.Result != nil && !c.Result.NotRun && c.Act != transcript.Ask && c.Result.Term.Kind == transcript.TermOK &&
		c.Result.Term.Source != transcript.FromAbsence
}

func (h *hasty) judge(s *ledger.Session, a *ledger.Approval, acted ledger.Ref, what string, pending bool, emit Emit) {
	if a == nil || h.told[a] || cancelled(s, a) {
		return
	}
	state := a.State(acted.Step)
	switch state.Verb {
	case transcript.Denied, transcript.Expired, transcript.Withdrawn:
	case transcript.Requested, transcript.Escalated:
		if !pending {
			return
		}
	default:
		return
	}
	h.told[a] = true
	chain := requestOf(a)
	if state.Verb != transcript.Requested {
		chain = append(chain, at(state.Ref, finding.Recorded, state.Reason, "it is %s%s", state.Verb, waited(state)))
	}
	emit(Hit{
		At:       acted,
		Message:  what + " while " + subjectOfApproval(a) + " is " + stateWord(state.Verb),
		Quote:    a.Subject,
		Evidence: append(chain, at(acted, finding.Recorded, "", "%s", what)),
		Key:      a.ID,
	})
}

// cancelled reports whether a cancel of the request was accepted: what runs
// then is effect-after-cancel.
func cancelled(s *ledger.Session, a *ledger.Approval) bool {
	c := s.CancelOf(a.ID)
	return c != nil && a.ID != "" && c.Receipt == transcript.CancelAccepted
}

func stateWord(v transcript.DecisionVerb) string {
	switch v {
	case transcript.Requested:
		return "still pending"
	case transcript.Escalated:
		return "escalated and not decided"
	}
	return v.String()
}
