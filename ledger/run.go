package ledger

import (
	"slices"

	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Run is one step of a call's command line that checks or changes something.
// `make lint && make test` is one call and two runs.
type Run struct {
	*Call
	Check *command.Step
}

// Outcome is what a run shows about the thing it was run for.
type Outcome uint8

// The outcomes. Everything that cannot be told is OutcomeUnknown.
const (
	OutcomeUnknown    Outcome = iota // masked, filtered, benign, contradictory, or never said
	OutcomePassed                    // ended ok and nothing masks it
	OutcomeFailed                    // ended nonzero, or says so itself behind a mask
	OutcomeUnfinished                // killed, timed out, interrupted or still running
	OutcomeEmpty                     // ended ok over nothing: zero tests ran
	OutcomeNotRun                    // refused, not found, collect-only, dry run
	OutcomeStopped                   // a server or a watcher that was stopped on purpose
)

var outcomeNames = [...]string{"unknown", "passed", "failed", "unfinished", "empty", "not run", "stopped"}

func (o Outcome) String() string { return outcomeNames[o] }

// Outcome judges the run, with the reason when it is not plain.
func (r *Run) Outcome() (Outcome, string) {
	if r.Result == nil {
		return OutcomeUnknown, "no result in this log"
	}
	if r.Check.NoRun {
		return OutcomeNotRun, "the command lists or plans, it runs nothing"
	}
	switch t := r.Result.Term; t.Kind {
	case transcript.TermOK:
		return r.ok()
	case transcript.TermNonzero:
		return r.nonzero()
	case transcript.TermTimeout, transcript.TermSignalled, transcript.TermInterrupted, transcript.TermStillRunning:
		return r.unfinished()
	default:
		return outcomeOfTerm(t)
	}
}

func outcomeOfTerm(t transcript.Termination) (Outcome, string) {
	switch t.Kind {
	case transcript.TermOK:
		return OutcomePassed, ""
	case transcript.TermNonzero:
		if t.Benign != "" {
			return OutcomeUnknown, t.Benign
		}
		return OutcomeFailed, ""
	case transcript.TermTimeout, transcript.TermSignalled, transcript.TermInterrupted, transcript.TermStillRunning:
		return OutcomeUnfinished, ""
	case transcript.TermStopped:
		return OutcomeStopped, "stopped on purpose"
	case transcript.TermDenied, transcript.TermNotStarted:
		return OutcomeNotRun, t.Kind.String()
	}
	return OutcomeUnknown, "the log does not say how it ended"
}

func (r *Run) ok() (Outcome, string) {
	res := r.Result
	if mask := r.Line.MaskOf(r.Check); mask != command.MaskNone {
		switch {
		case r.showsFailure():
			return OutcomeFailed, "the exit code is hidden by " + mask.String() + ", but the output reports failure"
		case r.counts() && res.Census.Complete && !res.Census.Empty && res.Census.Failed+res.Census.Errors == 0:
			return OutcomePassed, "the runner's own closing count"
		}
		return OutcomeUnknown, "the exit code is hidden by " + mask.String()
	}
	if r.counts() && res.Census.Empty {
		return OutcomeEmpty, "no test ran"
	}
	if res.Term.Source == transcript.FromAbsence && r.showsFailure() {
		return OutcomeUnknown, "no error flag, but the output reports failure"
	}
	return OutcomePassed, ""
}

func (r *Run) nonzero() (Outcome, string) {
	res := r.Result
	if res.Term.Benign != "" {
		return OutcomeUnknown, res.Term.Benign
	}
	if res.Term.HasCode {
		if ok, why := command.BenignExit(r.Line, res.Term.Code); ok {
			return OutcomeUnknown, why
		}
		if code := res.Term.Code; code == 126 || code == 127 {
			return OutcomeNotRun, "the program was not found or not executable"
		}
	}
	switch {
	case r.showsFailure():
		return OutcomeFailed, ""
	case r.counts() && res.Census.Complete && !res.Census.Empty && res.Census.Failed+res.Census.Errors == 0:
		return OutcomeUnknown, "the runner counted no failure, yet the command ended nonzero"
	case r.Line.Sole(r.Check):
		return OutcomeFailed, ""
	}
	return OutcomeUnknown, "another part of the command line may have failed"
}

func (r *Run) unfinished() (Outcome, string) {
	res := r.Result
	if r.Check.LongRunning {
		return OutcomeStopped, "a server or watcher: its end is on purpose"
	}
	if res.Term.HasCode {
		if ok, why := command.BenignExit(r.Line, res.Term.Code); ok {
			return OutcomeStopped, why
		}
	}
	if res.Term.Kind != transcript.TermStillRunning && r.counts() && res.Census.Complete && !res.Census.Several && res.Census.Failed+res.Census.Errors == 0 {
		return OutcomeUnknown, "the suite had printed its complete count before the process was killed"
	}
	return OutcomeUnfinished, ""
}

// counts reports whether the closing count in the output is this run's own: a
// line that runs several kinds of check prints it for its tests.
func (r *Run) counts() bool { return r.Result.HasCensus && r.Check.Class == command.Test }

// showsFailure reports whether the output that reached the log says itself
// that this run failed. Failure lines belong to the run only when the line
// runs nothing else that could have printed them.
func (r *Run) showsFailure() bool {
	if r.counts() {
		return r.Result.Census.Failed > 0 || r.Result.Census.Errors > 0
	}
	return len(r.Result.Failures) > 0 && len(r.Line.Checks()) <= 1
}

// Runs lists the runs of the classes, in the order in which they were made.
func (s *Session) Runs(classes ...command.Class) []*Run {
	if len(classes) == 1 {
		return s.runs[classes[0]]
	}
	var all []*Run
	for _, class := range classes {
		all = append(all, s.runs[class]...)
	}
	slices.SortStableFunc(all, func(a, b *Run) int { return a.Step - b.Step })
	return all
}

// addRuns notes every step of a command line that a rule may ask about.
func (s *Session) addRuns(c *Call) {
	for i := range c.Line.Steps {
		step := &c.Line.Steps[i]
		switch step.Class {
		case command.Other, command.Inspect, command.Search, command.Interpreter, command.Probe:
			continue
		}
		s.runs[step.Class] = append(s.runs[step.Class], &Run{Call: c, Check: step})
	}
}
