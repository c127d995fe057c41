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
	Begin   int           // where the part that was asked for begins, 0 when not said
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
	Ran   time.Duration // how long the call ran, as the harness measured it; 0 unknown
	Size  int           // bytes of text that reached the model, escapes counted
	Hash  uint64        // of that text
	Head  string        // its beginning, bounded
	Tail  string        // its end, bounded

	Census    claim.Census // the test runner's own closing count
	HasCensus bool
	Echoed    bool           // a closing count was printed, and the command line itself spells it: it counts nothing
	Failures  []claim.Marker // failure lines of well-known runners in Head or Tail
	Markers   []claim.Marker // success-like markers, kept only when the call did not end well
	NotRun    bool
	Contract  bool
	Bare      bool // a structured record of a process without any fact about its end
	MustRerun transcript.Flag
	Cut       *Cut // the harness says that it left out a part; nil otherwise
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
