package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var maskedFailure = &Rule{
	ID:    "masked-failure",
	Title: "A command ended 0 although its own output reports failure, and success is claimed",
	Why: "The exit code belongs to the last filter, to `|| true` or to a script that swallows it; " +
		"the runner's own lines say that something failed.",
	Fix: "Run it without the filter, or with `set -o pipefail`, and read the closing count.",
	Silent: "Failure lines above a clean closing count (a test that prints them, a retried flake); outputs of commands that read or search; " +
		"loose failure lines of a run whose own exit code is 0; claims that name the failure. A failure that the closing count of a masked run shows outright is a false-confirmation, not this.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     claimKinds,
	New:       judging(maskedHit),
}

func maskedHit(_ *ledger.Session, c *ledger.Claim, v ledger.Verdict) (Hit, bool) {
	if v.Run == nil || v.Run.Result == nil || v.Standing != ledger.Backed && v.Standing != ledger.Stale && v.Standing != ledger.Masked || v.Run.Term().Kind != transcript.TermOK || !spoken(c) {
		return Hit{}, false
	}
	line, ok := reportsFailure(v)
	if !ok {
		return Hit{}, false
	}
	how := "ended ok"
	if v.Run.Term().HasCode {
		how = "ended with exit code 0"
	}
	if v.Run.Line != nil && v.Check != nil {
		if mask := v.Run.Line.MaskOf(v.Check); mask != command.MaskNone {
			how = "ended ok behind " + mask.String()
		}
	}
	return Hit{
		Message:  subjectOf(c) + " claimed as successful, but " + name(v.Run) + " " + how + " and its output reports failure (" + transcript.Clip(oneLine(line), 80) + ")",
		Evidence: append(evidenceOfEnd(v.Run), at(v.Run.Result.Ref, finding.Observed, line, "its output reports failure")),
	}, true
}

// reportsFailure finds what the output itself says against its exit code. A
// closing count decides; loose failure lines count only without one.
func reportsFailure(v ledger.Verdict) (string, bool) {
	r := v.Run.Result
	if r.HasCensus && v.Check != nil && v.Check.Class == command.Test {
		n := r.Census
		if n.Failed+n.Errors == 0 {
			return "", false
		}
		return plural(n.Failed+n.Errors, "failure") + " in the closing count of " + n.Runner, true
	}
	if len(r.Failures) == 0 || v.Standing != ledger.Masked {
		return "", false // an exit code of its own outweighs lines that a passing test may print
	}
	return r.Failures[0].Text, true
}
