package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var terminationMissing = &Rule{
	ID:    "termination-missing",
	Title: "Records of processes do not say how the process ended",
	Why: "A status, markers or a summary without an exit code, a signal or a time limit is an observation. " +
		"Whoever reads the record later cannot tell a pass from a run that was killed.",
	Fix:       "Write the exit code, the signal and whether a limit ended it beside every result, also on success, and keep them through compaction.",
	Silent:    "Native logs of agents whose format writes nothing on success: there the end is unknown, or concluded, and marked so. Records of tools that run no process.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult),
	New:       func(Settings) Checker { return bare{} },
	Lacks: func(s *ledger.Session) string {
		for _, c := range s.Calls {
			if c.Result != nil && c.Result.Contract {
				return ""
			}
		}
		return "no structured tool records in this log"
	},
}

type bare struct{ silent }

// Finish tells it once a session: a writer that leaves the end out does so in
// every record.
func (bare) Finish(s *ledger.Session, emit Emit) {
	var first *ledger.Call
	var chain []finding.Evidence
	records, missing := 0, 0
	for _, c := range s.Calls {
		if c.Result == nil || !c.Result.Contract || c.Origin == transcript.Copied {
			continue
		}
		records++
		if !c.Result.Bare || c.Result.NotRun {
			continue
		}
		if missing++; missing == 1 {
			first = c
		}
		if missing <= 3 {
			chain = append(chain, at(c.Result.Ref, finding.Recorded, c.Result.Term.Quote, "%s: no exit code, signal or time limit", name(c)))
		}
	}
	if first == nil {
		return
	}
	emit(Hit{
		At:       first.Result.Ref,
		Message:  fmt.Sprintf("nothing says how the process ended in %d of %s, first that of %s", missing, plural(records, "tool record"), name(first)),
		Evidence: chain,
		Key:      "session",
	})
}
