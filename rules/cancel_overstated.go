package rules

import (
	"cmp"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var cancelOverstated = &Rule{
	ID:    "cancel-overstated",
	Title: "Told as cancelled or stopped while the cancel was refused, unanswered, or too late",
	Why:   "A request is not a receipt, and a receipt undoes nothing. Whoever reads \"stopped\" looks away from something that still runs or has happened.",
	Fix:   "Say \"cancelling\" until the receipt says accepted, and say what still runs, or what had happened, when it is refused or late.",
	Silent: "Cancels that were accepted in time; stops by other means (kill, pkill, docker stop) that succeeded; a job that had ended by itself; words that " +
		"name the refusal; a cancelled run whose effect is accounted for. A cancel without any receipt is a warning.",
	Group:     Cancel,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Cancel, transcript.Message),
	New:       func(Settings) Checker { return &overstatements{told: map[*ledger.Cancel]bool{}} },
}

type overstatements struct {
	silent
	told map[*ledger.Cancel]bool
}

func (o *overstatements) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied {
		return
	}
	if e.Kind == transcript.Cancel && e.Cancel.Verb == transcript.CancelTold {
		ref := s.Ref(e)
		hit := Hit{At: ref, Message: "recorded as cancelled", Quote: e.Cancel.Reason, Evidence: []finding.Evidence{at(ref, finding.Recorded, e.Cancel.Reason, "recorded as cancelled")}}
		o.judge(s, s.CancelOf(cmp.Or(e.Cancel.ID, e.Cancel.Target)), hit, emit)
	}
	for _, c := range s.Fresh {
		if c.Subject == claim.Stopped && asserts(c) {
			o.said(s, c, emit)
		}
	}
}

// said holds the word "stopped" against the agent's own kill of this turn, or
// against the newest cancel request since the human spoke.
func (o *overstatements) said(s *ledger.Session, c *ledger.Claim, emit Emit) {
	hit := Hit{At: c.Ref, Message: "told as stopped", Quote: c.Quote, Evidence: []finding.Evidence{at(c.Ref, finding.Claimed, c.Quote, "told in a %s", c.Where)}}
	if k := s.LastKill(c.Step); k != nil && k.Turn == c.Turn {
		if k.Result == nil || k.Result.Term.Kind != transcript.TermNonzero || gone(k.Result.Head) || stoppedOtherwise(s, k.Step) {
			return
		}
		hit.Message += ", but the request to stop it failed"
		hit.Key = k.ID
		hit.Evidence = append([]finding.Evidence{
			at(k.Ref, finding.Recorded, k.Command, "asked to stop %s", cmp.Or(k.JobID, "it")),
			at(k.Result.Ref, finding.Terminated, k.Result.Head, "the request ended %s", ended(k.Result.Term)),
		}, hit.Evidence...)
		emit(hit)
		return
	}
	if len(s.Cancels) == 0 {
		return
	}
	k := s.Cancels[len(s.Cancels)-1]
	if asked, ok := receipt(k, transcript.CancelRequested); ok && asked.Step > s.Human.Step && !stoppedOtherwise(s, asked.Step) {
		o.judge(s, k, hit, emit)
	}
}

// gone reports whether a kill failed because there was nothing left to stop.
func gone(head string) bool {
	return containsAny(head, "not running", "already", "no such", "no task", "no shell", "not found", "completed", "exited", "finished")
}

// stoppedOtherwise reports whether a kill command succeeded after a step.
func stoppedOtherwise(s *ledger.Session, after int) bool {
	for _, r := range s.Runs(command.Kill) {
		if r.Step > after && r.Result != nil && r.Result.Term.Kind == transcript.TermOK {
			return true
		}
	}
	return false
}

// judge holds a word of a cancel's success against its receipt, and against
// what had happened before it was even asked for.
func (o *overstatements) judge(s *ledger.Session, c *ledger.Cancel, hit Hit, emit Emit) {
	if c == nil || o.told[c] {
		return
	}
	asked, ok := receipt(c, transcript.CancelRequested)
	if !ok {
		return
	}
	chain := []finding.Evidence{at(asked.Ref, finding.Recorded, asked.Reason, "a cancel is asked for")}
	effect, happened := openEffect(s, c, asked.Step)
	switch {
	case happened:
		hit.Message += ", but the effect had happened before the cancel was asked for"
		chain = append([]finding.Evidence{at(effect.Ref, finding.Recorded, effect.Reason, "the action takes effect")}, chain...)
	case c.Receipt == transcript.CancelRefused:
		st, _ := receipt(c, transcript.CancelRefused)
		hit.Message += ", but the cancel was refused"
		if st.Reason != "" {
			hit.Message += " (" + st.Reason + ")"
		}
		chain = append(chain, at(st.Ref, finding.Recorded, st.Reason, "the receipt: refused"))
	case c.Receipt == transcript.NoCancel:
		hit.Message += ", but no receipt of the cancel is seen in this log"
		hit.Level = finding.Warning
	default:
		return
	}
	o.told[c] = true
	hit.Evidence = append(chain, hit.Evidence...)
	hit.Key = c.ID + "/" + c.Target
	emit(hit)
}

// openEffect finds an effect of the cancel's target that happened before a
// step and that nothing accounts for.
func openEffect(s *ledger.Session, c *ledger.Cancel, before int) (ledger.DeedStep, bool) {
	for _, d := range s.Deeds {
		if !aims(s, c, d) {
			continue
		}
		effect, ok := d.Step(transcript.ActionEffect)
		if _, settled := d.Step(transcript.ActionSettled); ok && !settled && effect.Step < before {
			return effect, true
		}
	}
	return ledger.DeedStep{}, false
}

// aims reports whether a cancel is meant for an action: by its id, its call,
// or the approval that it rests on.
func aims(s *ledger.Session, c *ledger.Cancel, d *ledger.Deed) bool {
	if c.Target == "" {
		return false
	}
	if a := s.ApprovalByID(c.Target); a != nil && (a == s.ApprovalByID(d.Approval) || a.CallID != "" && a.CallID == d.ID) {
		return true
	}
	return c.Target == d.ID || c.Target == d.Approval
}
