package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
)

var emptyVerification = &Rule{
	ID:        "empty-verification",
	Title:     "Success is claimed, and the run that shows it ran nothing",
	Why:       "Zero tests, all of them skipped, or a selector that matched nothing: the exit code is 0 and proves nothing.",
	Fix:       "Run it with a selection that matches, and look at the number of tests that ran.",
	Silent:    "Empty targets beside full ones (the sum counts); listings and dry runs; commands whose output shows no count.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     claimKinds,
	New:       judging(emptyHit),
}

func emptyHit(_ *ledger.Session, c *ledger.Claim, v ledger.Verdict) (Hit, bool) {
	if v.Standing != ledger.Emptied || !spoken(c) || c.Passed > 0 {
		return Hit{}, false
	}
	return Hit{
		Message:  subjectOf(c) + " claimed as successful, but " + name(v.Run) + " " + whatRan(v.Run),
		Evidence: append(evidenceOfEnd(v.Run), at(v.Run.Result.Ref, finding.Observed, "", "it %s", whatRan(v.Run))),
	}, true
}

func whatRan(c *ledger.Call) string {
	if n := c.Result.Census; n.Skipped > 0 {
		return "skipped all of its " + plural(n.Skipped, "test")
	}
	return "ran no test"
}
