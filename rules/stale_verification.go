package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var staleVerification = &Rule{
	ID:        "stale-verification",
	Title:     "Success is claimed for code that was edited after the run that showed it",
	Why:       "The run says how the files were before the edit. Nothing ran since.",
	Fix:       "Run the check once more after the last edit.",
	Silent:    "Edits of documents and notes, edits that failed, edits by other agents; claims in summaries and plan items, which tell of the past; scripts, task runners (`bun run quality`), commits with hooks and subagents in between, which may have checked it; checks of a part that does not hold the edited file.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     claimKinds,
	New:       judging(staleHit),
}

func staleHit(s *ledger.Session, c *ledger.Claim, v ledger.Verdict) (Hit, bool) {
	if v.Standing != ledger.Stale || c.Where != ledger.InProse || v.Edit == nil || coveredSince(s, v.Edit, c) {
		return Hit{}, false
	}
	edited := "a file"
	if v.Edit.Path != "" {
		edited = transcript.Clip(v.Edit.Path, 100)
	}
	return Hit{
		Message:  subjectOf(c) + " claimed as successful, but " + edited + " was edited after " + name(v.Run) + " and nothing ran again",
		Evidence: append(evidenceOfEnd(v.Run), at(v.Edit.Ref, finding.Recorded, v.Edit.Path, "edited after the run")),
		Fix:      "Run it again: " + transcript.Clip(oneLine(v.Run.Command), 160),
	}, true
}

// coveredSince reports whether something ran between the edit and the words
// that may have checked it without naming what it checks: a script, a task of
// a task runner, the hooks of a commit, a subagent.
func coveredSince(s *ledger.Session, edit *ledger.Call, c *ledger.Claim) bool {
	for _, k := range s.Calls {
		if k.Step <= edit.Step || k.Step >= c.Step {
			continue
		}
		switch k.Act {
		case transcript.Subagent, transcript.External, transcript.NoAct, transcript.Input:
			return true
		}
		if k.Line == nil {
			continue
		}
		if gitVerb(k.Line) == "commit" || !k.Line.ParseOK {
			return true
		}
		for i := range k.Line.Steps {
			if st := &k.Line.Steps[i]; opaque(st) || aggregate(st) {
				return true
			}
		}
	}
	return false
}

// aggregate reports whether a step runs a task that is named after no one
// check: it may run them all.
func aggregate(s *command.Step) bool {
	for _, a := range s.Args {
		for _, w := range []string{"quality", "check", "verify", "validate", "ci", "all", "precommit", "pre-commit", "presubmit"} {
			if a == w || strings.HasSuffix(a, ":"+w) {
				return true
			}
		}
	}
	return false
}
