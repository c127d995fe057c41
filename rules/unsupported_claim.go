package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var unsupportedClaim = &Rule{
	ID:    "unsupported-claim",
	Title: "Success is claimed, and nothing in this log could have shown it",
	Why: "The claim may be true; this log does not show it. No such command ran, only a smaller one passed since, " +
		"or the run printed a clean count and was then killed.",
	Fix: "Run the check, or say what the claim rests on.",
	Silent: "General words (\"verified\") after any look at the result; sessions that begin in the middle, were resumed or compacted before the claim; " +
		"work handed to subagents, outside tools, scripts or commands that name the thing; commits, whose hooks may run the check.",
	Group:     Evidence,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     claimKinds,
	New:       judging(unsupportedHit),
}

func unsupportedHit(s *ledger.Session, c *ledger.Claim, v ledger.Verdict) (Hit, bool) {
	if c.Where != ledger.InProse {
		return Hit{}, false
	}
	subject := subjectOf(c) + " claimed as successful, but "
	switch v.Standing {
	case ledger.Narrowed:
		return Hit{
			Message: subject + "only a narrower command (" + name(v.Passed) + ") passed since " + name(v.Run) + " " + howItEnded(v),
			Evidence: append(evidenceOfEnd(v.Run),
				at(v.Passed.Result.Ref, finding.Terminated, v.Passed.Command, "a narrower command ended %s", ended(v.Passed.Term()))),
			Fix: "Run the wider command again: " + transcript.Clip(oneLine(v.Run.Command), 160),
		}, true
	case ledger.Unfinished:
		return Hit{
			Message:  subject + name(v.Run) + " printed a clean count and ended " + ended(v.Run.Term()),
			Evidence: evidenceOfEnd(v.Run),
			Fix:      "Run it again to a successful end: " + transcript.Clip(oneLine(v.Run.Command), 160),
		}, true
	case ledger.Unsupported:
		if c.Subject == claim.Verified || !s.Whole(c.Step) || othersAtWork(s, c) || echoedFor(s, c, v) != nil {
			return Hit{}, false
		}
		return Hit{Message: subject + "no command that could show it is seen in this log", Inferred: true}, true
	}
	return Hit{}, false
}

// othersAtWork reports whether anything before a claim may have shown it
// without being known as such a run: a subagent, an outside system, a script,
// a command that names the thing, the hooks of a commit.
func othersAtWork(s *ledger.Session, cl *ledger.Claim) bool {
	word := cl.Subject.String()[:4] // test, buil, lint, type, depl, ...
	for _, c := range s.Calls {
		if c.Step >= cl.Step {
			return false
		}
		switch c.Act {
		case transcript.Subagent, transcript.External, transcript.NoAct, transcript.Input:
			return true
		}
		if c.Result != nil && c.Result.HasCensus && cl.Subject == claim.Tests {
			return true
		}
		if c.Line == nil || c.Line.Echoes {
			continue // words of its own show nothing
		}
		if c.Result != nil && c.Result.Echoed && len(c.Line.Steps) == 1 {
			continue // an inline program that prints a count
		}
		if v := gitVerb(c.Line); v == "commit" || v == "push" || !c.Line.ParseOK || strings.Contains(strings.ToLower(c.Command), word) {
			return true
		}
		for i := range c.Line.Steps {
			if st := &c.Line.Steps[i]; opaque(st) || aggregate(st) {
				return true
			}
		}
	}
	return false
}
