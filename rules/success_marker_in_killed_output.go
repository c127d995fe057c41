package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var successMarkerInKilledOutput = &Rule{
	ID:    "success-marker-in-killed-output",
	Title: "Output of a killed command looks like success",
	Why: "The lines were observed before the process was killed; they say nothing about how it would have ended. " +
		"Nobody has promoted them yet: this is the near miss behind a false confirmation.",
	Fix:       "Keep the termination beside the output wherever it is retold, and run the command again with a longer limit.",
	Silent:    "Output of commands that read files, list or search; servers and watchers; runs that a later equivalent command finished; outputs whose run is already reported as a false confirmation.",
	Group:     Evidence,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall),
	New:       func(Settings) Checker { return &nearMisses{} },
}

type nearMisses struct{ silent }

// Finish looks at all calls once their ends are known: a background job's end
// may come long after its first output.
func (nearMisses) Finish(s *ledger.Session, emit Emit) {
	promoted := promotedRuns(s)
	for _, c := range s.Calls {
		if c.Origin == transcript.Copied || promoted[c] || !killedWithMarkers(c) || rerunPassed(s, c) {
			continue
		}
		r := c.Result
		emit(Hit{
			At:       r.Ref,
			Message:  name(c) + " ended " + ended(r.Term) + " after " + plural(len(r.Markers), "success-like line") + " of output",
			Quote:    r.Markers[len(r.Markers)-1].Text,
			Evidence: evidenceOfEnd(c),
			Key:      c.ID,
		})
	}
}

func killedWithMarkers(c *ledger.Call) bool {
	if c.Result == nil || len(c.Result.Markers) == 0 || c.Line == nil {
		return false
	}
	switch c.Result.Term.Kind {
	case transcript.TermTimeout, transcript.TermSignalled, transcript.TermInterrupted:
	default:
		return false
	}
	return unfinishedRun(c) != nil
}

// unfinishedRun is the run of the call that was cut short, nil when its end
// was on purpose or it ran nothing of interest.
func unfinishedRun(c *ledger.Call) *ledger.Run {
	for i := range c.Line.Steps {
		step := &c.Line.Steps[i]
		switch step.Class {
		case command.Test, command.Build, command.Lint, command.TypeCheck, command.Deploy, command.Infra, command.Migrate, command.Publish, command.Install:
			r := &ledger.Run{Call: c, Check: step}
			if outcome, _ := r.Outcome(); outcome == ledger.OutcomeUnfinished {
				return r
			}
		}
	}
	return nil
}

// promotedRuns are the runs whose output was already taken for success.
func promotedRuns(s *ledger.Session) map[*ledger.Call]bool {
	runs := map[*ledger.Call]bool{}
	for _, c := range s.Claims {
		if asserts(c) {
			if v := s.Judge(c); v.Standing == ledger.Contradicted {
				runs[v.Run] = true
			}
		}
	}
	return runs
}

// rerunPassed reports whether an equivalent or wider command ended ok later.
func rerunPassed(s *ledger.Session, c *ledger.Call) bool {
	killed := unfinishedRun(c)
	for _, later := range s.Runs(killed.Check.Class) {
		if later.Step <= c.Step {
			continue
		}
		if rel := command.Relate(killed.Check, later.Check); rel != command.Same && rel != command.Wider {
			continue
		}
		if outcome, _ := later.Outcome(); outcome == ledger.OutcomePassed {
			return true
		}
	}
	return false
}
