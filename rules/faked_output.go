package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
)

var fakedOutput = &Rule{
	ID:    "faked-output",
	Title: "A result is claimed that the agent printed itself",
	Why: "The words in the output look like a runner's, but the command line spells them: " +
		"nothing was run that could have counted.",
	Fix: "Run the check and let it print its own count.",
	Silent: "Echoes of variables and of exit codes; headings and notes beside a check that prints a count of its own; words that no claim takes up; " +
		"claims that a check, a script, a subagent or an outside tool may have shown besides; sessions that begin in the middle or were compacted.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     claimKinds,
	New:       judging(fakedHit),
}

func fakedHit(s *ledger.Session, c *ledger.Claim, v ledger.Verdict) (Hit, bool) {
	if !spoken(c) {
		return Hit{}, false
	}
	call := echoedFor(s, c, v)
	if call == nil {
		return Hit{}, false
	}
	return Hit{
		Message: subjectOf(c) + " claimed as successful, but the result was printed by the command line itself (" + name(call) + ")",
		Evidence: []finding.Evidence{
			at(call.Ref, finding.Recorded, call.Command, "the command line spells the result"),
			at(call.Result.Ref, finding.Observed, call.Result.Head, "and prints it"),
		},
		Key: call.ID,
	}, true
}

// echoedFor finds the call whose own words are all that a claim rests on: a
// check whose output went nowhere and whose count is an echo, or an echo where
// nothing ran at all.
func echoedFor(s *ledger.Session, c *ledger.Claim, v ledger.Verdict) *ledger.Call {
	switch v.Standing {
	case ledger.Masked:
		if v.Run.Result.Echoed && v.Run.Line.MaskOf(v.Check) != 0 {
			return v.Run
		}
	case ledger.Unsupported:
		if c.Subject == claim.Verified || !s.Whole(c.Step) || othersAtWork(s, c) {
			return nil
		}
		for _, k := range s.Calls {
			if k.Step < c.Step && k.Result != nil && k.Result.Step < c.Step && k.Line != nil && (k.Result.Echoed && c.Subject == claim.Tests || k.Line.Echoes && spellsOut(k, c.Subject)) {
				return k
			}
		}
	}
	return nil
}

// spellsOut reports whether the words that a line prints say that the subject went
// well.
func spellsOut(k *ledger.Call, subject claim.Subject) bool {
	for i := range k.Line.Steps {
		st := &k.Line.Steps[i]
		if st.Name != "echo" && st.Name != "printf" {
			continue
		}
		words := strings.Join(st.Args, " ")
		if subject == claim.Build && (strings.Contains(words, "BUILD SUCCESS") || strings.Contains(words, "Compiled successfully")) {
			return true
		}
		for _, f := range claim.Find(words) {
			if f.Subject == subject && f.Polarity == claim.Positive {
				return true
			}
		}
	}
	return false
}
