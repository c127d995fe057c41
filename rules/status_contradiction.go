package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var statusContradiction = &Rule{
	ID:    "status-contradiction",
	Title: "Two facts about one call disagree about how it ended",
	Why: "Whoever reads only one of the two fields takes a failure for a success, or the reverse. " +
		"The record does not say which one is right, and neither does this rule.",
	Fix:       "Derive the status from the termination in one place, and keep the termination beside it.",
	Silent:    "Facts about different calls; a result that the harness marks as an error although its exit code is benign (grep 1); a poll that succeeded in telling that the job failed.",
	Group:     Evidence,
	Level:     finding.Error,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.ToolResult),
	New:       func(Settings) Checker { return contradictions{} },
}

type contradictions struct{ silent }

func (contradictions) Finish(s *ledger.Session, emit Emit) {
	for _, c := range s.Calls {
		if c.Result == nil || c.Origin == transcript.Copied || c.Act == transcript.Poll || c.Act == transcript.Kill {
			continue
		}
		good, bad := split(c.Result.Told)
		if len(good) == 0 || len(bad) == 0 || harmless(c) || reusedID(c.Result.Told) {
			continue
		}
		emit(Hit{
			At:      c.Result.Ref,
			Message: name(c) + " is told both as successful (" + facts(good) + ") and as not (" + facts(bad) + ")",
			Quote:   facts(append(good, bad...)),
			Evidence: []finding.Evidence{
				at(c.Ref, finding.Recorded, c.Command, "the call"),
				at(c.Result.Ref, finding.Recorded, facts(good), "says that it went well"),
				at(c.Result.End, finding.Terminated, facts(bad), "says that it did not"),
			},
			Key: c.ID,
		})
	}
}

// harmless reports whether the exit code is the command's way to say no: a
// harness that knows so flags no error.
func harmless(c *ledger.Call) bool {
	t := c.Term()
	if t.Kind != transcript.TermNonzero || t.Benign != "" {
		return t.Benign != ""
	}
	if c.Line == nil || !t.HasCode {
		return false
	}
	benign, _ := command.BenignExit(c.Line, t.Code)
	return benign
}

// split sorts the facts by what they say; facts that say neither are left out.
func split(told []transcript.Told) (good, bad []transcript.Told) {
	for _, t := range told {
		switch t.Good {
		case transcript.True:
			good = append(good, t)
		case transcript.False:
			bad = append(bad, t)
		}
	}
	return good, bad
}

func facts(told []transcript.Told) string {
	parts := make([]string, len(told))
	for i, t := range told {
		parts[i] = t.Field + ": " + t.Value
	}
	return strings.Join(parts, ", ")
}

// reusedID reports whether one field told its fact more than once: then the
// records are about several calls under one id.
func reusedID(told []transcript.Told) bool {
	seen := map[string]bool{}
	for _, t := range told {
		if seen[t.Field] {
			return true
		}
		seen[t.Field] = true
	}
	return false
}
