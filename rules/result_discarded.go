package rules

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var resultDiscarded = &Rule{
	ID:    "result-discarded",
	Title: "Results of checks cannot be read in the log",
	Why: "The exit code is that of a filter and the output went through it, or nowhere: " +
		"neither the model nor a reader of the log can tell a pass from a failure.",
	Fix:       "Let the exit code through (`set -o pipefail`, no `|| true`), or keep the closing count in what is shown.",
	Silent:    "Runs whose exit code is their own; masked runs whose closing count or failure lines reached the log; builders, linters and type checkers behind a filter, whose silence is their word; scripts that are tests by their name only; sessions with fewer such runs than the option says.",
	Group:     Evidence,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult),
	Options:   []Option{{Name: "min", Doc: "tell it from this many unreadable runs in a session", Default: 3}},
	New:       func(set Settings) Checker { return discarded{min: set.Int("min")} },
}

type discarded struct {
	silent
	min int
}

func (d discarded) Finish(s *ledger.Session, emit Emit) {
	var lost []*ledger.Run
	ran := 0
	for _, r := range s.Runs(command.Test, command.Build, command.Lint, command.TypeCheck) {
		if r.Origin == transcript.Copied || r.Result == nil || r.Check.NoRun || r.Result.NotRun {
			continue
		}
		ran++
		if hiddenResult(r) {
			lost = append(lost, r)
		}
	}
	if len(lost) == 0 || len(lost) < d.min {
		return
	}
	var chain []finding.Evidence
	for _, r := range lost[:min(len(lost), 3)] {
		_, why := r.Outcome()
		chain = append(chain, at(r.Ref, finding.Recorded, r.Command, "%s", why))
	}
	emit(Hit{
		At:       lost[0].Ref,
		Message:  fmt.Sprintf("the result of %d of %s cannot be read: exit code hidden, and no closing count in the output", len(lost), plural(ran, "check run")),
		Quote:    lost[0].Command,
		Evidence: chain,
		Key:      "session",
	})
}

// hiddenResult reports whether neither the exit code nor the output tells how
// the run went. Builders and linters that say nothing are content, unless
// what they said was thrown away.
func hiddenResult(r *ledger.Run) bool {
	if r.Term().Kind != transcript.TermOK && r.Term().Kind != transcript.TermNonzero || r.Line.MaskOf(r.Check) == command.MaskNone {
		return false
	}
	if r.Check.Scope == command.ScopeUnknown {
		return false // a script by its name: what it would have printed, nobody knows
	}
	if r.Check.Class != command.Test && !strings.Contains(r.Line.Filter, "/dev/null") {
		return false
	}
	outcome, _ := r.Outcome()
	return outcome == ledger.OutcomeUnknown && !r.Result.HasCensus && len(r.Result.Failures) == 0
}
