package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var cancelOverstated = &Rule{
	ID:    "cancel-overstated",
	Title: "Told as cancelled or stopped while the cancel was refused, unanswered, or the action still ran",
	Why:   "A request is not a receipt. Whoever reads \"stopped\" looks away from something that still runs.",
	Fix:   "Say \"cancelling\" until the receipt says accepted, and say what still runs when it is refused.",
	Silent: "Cancels that were accepted; stops by other means (kill, pkill) that succeeded; words that name the refusal; " +
		"a cancelled run whose work was already done and is recorded as done.",
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
	if e.Kind == transcript.Cancel {
		if e.Cancel.Verb == transcript.CancelTold {
			ref := s.Ref(e)
			if c := s.CancelOf(firstWord(e.Cancel.ID, e.Cancel.Target)); c != nil {
				o.judge(c, ref, e.Cancel.Reason, "recorded as cancelled", finding.Recorded, emit)
			}
		}
		return
	}
	for _, c := range s.Fresh {
		if c.Subject == claim.Stopped && asserts(c) {
			o.said(s, c, emit)
		}
	}
}

// said holds the word "stopped" against the newest cancel request of the same
// turn, or against the agent's own kill that failed.
func (o *overstatements) said(s *ledger.Session, c *ledger.Claim, emit Emit) {
	if k := s.LastKill(c.Step); k != nil && k.Turn == c.Turn {
		if k.Result != nil && k.Result.Term.Kind == transcript.TermNonzero {
			emit(Hit{
				At:      c.Ref,
				Message: "told as stopped, but the request to stop it failed",
				Quote:   c.Quote,
				Evidence: []finding.Evidence{
					at(k.Ref, finding.Recorded, k.Command, "asked to stop %s", k.JobID),
					at(k.Result.Ref, finding.Terminated, k.Result.Head, "the answer: %s", ended(k.Result.Term)),
					at(c.Ref, finding.Claimed, c.Quote, "told in a %s", c.Where),
				},
				Key: k.ID,
			})
		}
		return
	}
	if len(s.Cancels) > 0 {
		o.judge(s.Cancels[len(s.Cancels)-1], c.Ref, c.Quote, "told as stopped", finding.Claimed, emit)
	}
}

func (o *overstatements) judge(c *ledger.Cancel, told ledger.Ref, quote, how string, grade finding.Grade, emit Emit) {
	if c.Receipt == transcript.CancelAccepted || o.told[c] || len(c.Steps) == 0 || c.Steps[0].Verb == transcript.CancelTold {
		return
	}
	o.told[c] = true
	why := "no receipt is seen in this log"
	var chain []finding.Evidence
	for _, st := range c.Steps {
		switch st.Verb {
		case transcript.CancelRequested:
			chain = append(chain, at(st.Ref, finding.Recorded, st.Reason, "a cancel is asked for"))
		case transcript.CancelRefused:
			chain = append(chain, at(st.Ref, finding.Recorded, st.Reason, "the receipt: refused"))
			why = "the cancel was refused"
			if st.Reason != "" {
				why += " (" + st.Reason + ")"
			}
		}
	}
	chain = append(chain, at(told, grade, quote, "%s", how))
	emit(Hit{At: told, Message: how + ", but " + why, Quote: quote, Evidence: chain, Key: c.ID + "/" + c.Target})
}

func firstWord(ss ...string) string {
	for _, s := range ss {
		if s != "" {
			return s
		}
	}
	return ""
}
