package ledger

import (
	"time"

	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Ref is where a fact stands. Unlike an event it may be kept.
type Ref struct {
	Line    int
	Offset  int64
	Length  int64
	Pointer string
	ID      string
	From    int // byte range of the value inside the record; 0, 0 for all of it
	To      int
	Time    time.Time
	Step    int // ordinal of the event in its session: the order of facts
}

// Known reports whether the reference points anywhere.
func (r Ref) Known() bool { return r.Step > 0 }

// A Call is one action that the model asked for, with all that the log says
// of how it went.
type Call struct {
	Ref
	ID      string
	Tool    string
	Act     transcript.Act
	Agent   string
	Origin  transcript.Origin
	node    int32 // place in the record tree, noNode without one
	Turn    int   // how many human messages came before
	MsgID   string
	Command string        // the command line, bounded
	Line    *command.Line // Shell only
	Dir     string
	Path    string
	JobID   string        // the background job that it became, or that it is about
	Args    uint64        // hash of the arguments
	Limited bool          // an offset, limit or range was asked for
	Limit   time.Duration // the time limit asked for, 0 unknown

	Background bool
	Escalated  bool
	Server     bool
	Stopped    string // why the model's message ended: "length" means cut

	Result *Result // nil until something came back
}

// Result is what came back from a call.
type Result struct {
	Ref
	Term  transcript.Termination
	End   Ref // the record that told Term: the result itself, or later news of the job
	Told  []transcript.Told
	Error transcript.Flag
	Size  int    // bytes of text that reached the model, escapes counted
	Hash  uint64 // of that text
	Head  string // its beginning, bounded
	Tail  string // its end, bounded

	Census    claim.Census // the test runner's own closing count
	HasCensus bool
	Failures  []claim.Marker // failure lines of well-known runners in Head or Tail
	Markers   []claim.Marker // success-like markers, kept only when the call did not end well
	NotRun    bool
	Contract  bool
	MustRerun transcript.Flag
}

// Done reports whether the call has an end: a result that is not "still
// running".
func (c *Call) Done() bool {
	return c.Result != nil && c.Result.Term.Kind != transcript.TermStillRunning
}

// Term is how the call ended so far; unknown without a result.
func (c *Call) Term() transcript.Termination {
	if c.Result == nil {
		return transcript.Termination{}
	}
	return c.Result.Term
}

// Class is what the command line was run for; Other for calls without one.
func (c *Call) Class() command.Class {
	if c.Line == nil || c.Line.Main == nil {
		return command.Other
	}
	return c.Line.Main.Class
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
func (c *Call) Outcome() (Outcome, string) {
	if c.Result == nil {
		return OutcomeUnknown, "no result in this log"
	}
	if c.Line == nil || c.Line.Main == nil {
		return outcomeOfTerm(c.Result.Term)
	}
	if c.Line.Main.NoRun {
		return OutcomeNotRun, "the command lists or plans, it runs nothing"
	}
	switch t := c.Result.Term; t.Kind {
	case transcript.TermOK:
		return c.outcomeOK()
	case transcript.TermNonzero:
		return c.outcomeNonzero()
	case transcript.TermTimeout, transcript.TermSignalled, transcript.TermInterrupted, transcript.TermStillRunning:
		return c.outcomeUnfinished()
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

func (c *Call) outcomeOK() (Outcome, string) {
	r := c.Result
	if c.Line.Masked != command.MaskNone {
		switch {
		case r.showsFailure():
			return OutcomeFailed, "the exit code is hidden by " + c.Line.Masked.String() + ", but the output reports failure"
		case r.HasCensus && r.Census.Complete && !r.Census.Empty:
			return OutcomePassed, "the runner's own closing count"
		}
		return OutcomeUnknown, "the exit code is hidden by " + c.Line.Masked.String()
	}
	if r.HasCensus && r.Census.Empty && c.Class() == command.Test {
		return OutcomeEmpty, "no test ran"
	}
	if r.Term.Source == transcript.FromAbsence && r.showsFailure() {
		return OutcomeUnknown, "no error flag, but the output reports failure"
	}
	return OutcomePassed, ""
}

func (c *Call) outcomeNonzero() (Outcome, string) {
	r := c.Result
	if r.Term.Benign != "" {
		return OutcomeUnknown, r.Term.Benign
	}
	if r.Term.HasCode {
		if ok, why := command.BenignExit(c.Line, r.Term.Code); ok {
			return OutcomeUnknown, why
		}
		if code := r.Term.Code; code == 126 || code == 127 {
			return OutcomeNotRun, "the program was not found or not executable"
		}
	}
	switch {
	case r.showsFailure():
		return OutcomeFailed, ""
	case r.HasCensus && r.Census.Complete && !r.Census.Empty:
		return OutcomeUnknown, "the runner counted no failure, yet the command ended nonzero"
	case c.blames():
		return OutcomeFailed, ""
	}
	return OutcomeUnknown, "another part of the command line may have failed"
}

func (c *Call) outcomeUnfinished() (Outcome, string) {
	r := c.Result
	if c.Line.Main.LongRunning {
		return OutcomeStopped, "a server or watcher: its end is on purpose"
	}
	if r.Term.HasCode {
		if ok, why := command.BenignExit(c.Line, r.Term.Code); ok {
			return OutcomeStopped, why
		}
	}
	if r.Term.Kind != transcript.TermStillRunning && r.HasCensus && r.Census.Complete && r.Census.Failed == 0 && r.Census.Errors == 0 {
		return OutcomeUnknown, "the suite had printed its complete count before the process was killed"
	}
	return OutcomeUnfinished, ""
}

// blames reports whether a nonzero end of the line can only be its main
// step's: nothing else in it could well have failed.
func (c *Call) blames() bool {
	n := 0
	for i := range c.Line.Steps {
		switch c.Line.Steps[i].Name {
		case "cd", "echo", "export", "set", "source", ".", "printf", "true", "pwd", "unset", "sleep", "date", "mkdir", "tail", "head":
		default:
			n++
		}
	}
	return n <= 1
}

// showsFailure reports whether the output that reached the log says itself
// that the run failed.
func (r *Result) showsFailure() bool {
	if r.HasCensus {
		return r.Census.Failed > 0 || r.Census.Errors > 0
	}
	return len(r.Failures) > 0
}
