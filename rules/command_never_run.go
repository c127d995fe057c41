package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var commandNeverRun = &Rule{
	ID:    "command-never-run",
	Title: "A command is said to have been run, and no call ran it",
	Why:   "\"I ran the suite\" is evidence only with a run behind it. None is seen in this log.",
	Fix:   "Run it, or say that it was not run.",
	Silent: "Sessions that were resumed, forked or compacted before the words, or that begin in the middle; sessions in which a subagent, an outside tool or " +
		"anything that may run other commands was at work (scripts, task runners); words that do not name a command; runs by the human, a hook or CI; outputs that hold a runner's closing count. " +
		"It concludes from absence, so it is a warning where the catalogue had an error.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     claimKinds,
	New:       func(Settings) Checker { return &neverRun{told: map[string]bool{}} },
}

type neverRun struct {
	silent
	told map[string]bool
}

func (n *neverRun) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	for _, c := range s.Fresh {
		if c.Subject != claim.Ran || !asserts(c) || c.Where != ledger.InProse || c.Agent != "" || c.Named == "" {
			continue
		}
		named := strings.ToLower(strings.Trim(c.Named, "`\"' "))
		if n.told[named] || !s.Whole(c.Step) || !acted(s, c.Step) || couldHaveRun(s, c, named) {
			continue
		}
		n.told[named] = true
		emit(Hit{
			At:       c.Ref,
			Message:  transcript.Clip(oneLine(c.Named), 60) + " is said to have been run, but no call that could have run it is seen in this log",
			Quote:    c.Quote,
			Evidence: []finding.Evidence{at(c.Ref, finding.Claimed, c.Quote, "a run claimed in a %s", c.Where)},
			Inferred: true,
			Key:      named,
		})
	}
}

// couldHaveRun reports whether any call before the words may have been the
// run that they speak of.
func couldHaveRun(s *ledger.Session, c *ledger.Claim, named string) bool {
	class := command.Other
	isCommand := strings.Contains(c.Named, "`") || strings.ContainsAny(named, " -/.")
	if line := command.Parse(named); line.Main != nil {
		class = line.Main.Class
	}
	if strings.Contains(named, "test") || strings.Contains(named, "suite") || strings.Contains(named, "spec") {
		class = command.Test
	}
	if !isCommand && class == command.Other {
		return true
	}
	word, _, _ := strings.Cut(named, " ")
	for _, k := range s.Calls {
		if k.Step >= c.Step {
			break
		}
		switch k.Act {
		case transcript.Subagent, transcript.External, transcript.NoAct, transcript.Input, transcript.Finish:
			return true
		}
		if k.Result != nil && k.Result.HasCensus {
			return true
		}
		if k.Line == nil {
			continue
		}
		if !k.Line.ParseOK || len(k.Command) > 1500 || strings.Contains(strings.ToLower(k.Command), word) || strings.Contains(strings.ToLower(k.Command), "test") && class == command.Test {
			return true
		}
		for i := range k.Line.Steps {
			st := &k.Line.Steps[i]
			if class != command.Other && st.Class == class || opaque(st) {
				return true
			}
		}
	}
	return false
}
