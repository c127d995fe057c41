package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var cancelWithoutReceipt = &Rule{
	ID:    "cancel-without-receipt",
	Title: "A cancel request was never answered",
	Why:   "Nothing says whether it was taken: what should have stopped may still run.",
	Fix:   "Answer every cancel request with accepted or refused and the reason, and show which it was.",
	Silent: "A receipt, however late; requests at the end of the log; targets whose end is recorded (withdrawn, aborted, settled, a job that ended, a turn " +
		"that was broken off); cancels that were told as done (cancel-overstated).",
	Group:     Cancel,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Cancel, transcript.TurnEnd),
	New:       func(Settings) Checker { return &unanswered{} },
	Lacks:     lacksCancels,
}

type unanswered struct {
	broken ledger.Ref // the newest turn that was broken off
}

func (u *unanswered) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Kind == transcript.TurnEnd && (e.Turn.Bad || e.Turn.Session) {
		u.broken = s.Ref(e)
	}
}

func (u *unanswered) Finish(s *ledger.Session, emit Emit) {
	for _, c := range s.Cancels {
		asked, ok := receipt(c, transcript.CancelRequested)
		if !ok || c.Receipt != transcript.NoCancel || s.Last.Step <= asked.Step || u.broken.Step > asked.Step || toldStopped(s, c, asked.Step) || endedSince(s, c, asked.Step) {
			continue
		}
		emit(Hit{
			At:       asked.Ref,
			Message:  "the request to cancel " + orSession(c.Target) + " has no receipt in this log, and the session went on",
			Quote:    asked.Reason,
			Evidence: []finding.Evidence{at(asked.Ref, finding.Recorded, asked.Reason, "a cancel is asked for"), at(s.Last, finding.Observed, "", "the newest sign of progress, later")},
			Key:      c.ID + "/" + c.Target,
		})
	}
}

// toldStopped reports whether a status or the agent's words already told the
// cancel as done: that is cancel-overstated.
func toldStopped(s *ledger.Session, c *ledger.Cancel, after int) bool {
	if _, ok := receipt(c, transcript.CancelTold); ok {
		return true
	}
	for _, k := range s.Claims {
		if k.Subject == claim.Stopped && k.Step > after && asserts(k) && (k.Turn == turnAt(s, after) || c.Target != "" && strings.Contains(k.Quote, c.Target)) {
			return true
		}
	}
	return false
}

// turnAt is the turn of a step: words of a later turn speak of something else.
func turnAt(s *ledger.Session, step int) int {
	turn := 0
	for _, k := range s.Claims {
		if k.Step <= step {
			turn = k.Turn
		}
	}
	for _, k := range s.Calls {
		if k.Step <= step {
			turn = max(turn, k.Turn)
		}
	}
	return turn
}

// endedSince reports whether the log shows in another way what became of the
// cancel's target.
func endedSince(s *ledger.Session, c *ledger.Cancel, after int) bool {
	if j := s.JobByID(c.Target); j != nil && j.End.Step > after {
		return true
	}
	if a := s.ApprovalByID(c.Target); a != nil {
		if st := a.State(0); st.Verb != transcript.Requested && st.Step > after {
			return true
		}
	}
	for _, d := range s.Deeds {
		if st, ok := d.Step(transcript.ActionAborted, transcript.ActionRejected, transcript.ActionSettled); ok && st.Step > after && aims(s, c, d) {
			return true
		}
	}
	return false
}

func orSession(target string) string {
	if target == "" || target == "session" {
		return "the session"
	}
	return target
}
