package transcript

import "time"

// TermKind is how a call ended.
type TermKind uint8

// The terminations. TermUnknown is what an absent fact is: never TermOK.
const (
	TermUnknown      TermKind = iota // masked by a pipe, redirected away, cut, or never said
	TermOK                           // exit 0, or the harness's own word that it succeeded
	TermNonzero                      // exit code other than 0
	TermTimeout                      // killed at a time limit
	TermSignalled                    // ended by a signal without a limit in sight
	TermInterrupted                  // the user, or the harness on the user's behalf, broke it off
	TermStopped                      // stopped on purpose: KillShell, TaskStop, pkill
	TermDenied                       // refused before it ran
	TermNotStarted                   // could not start, or was cancelled before it ran
	TermStillRunning                 // no end yet
	termKinds
)

var termNames = [termKinds]string{
	"unknown", "ok", "nonzero", "timeout", "signalled", "interrupted", "stopped-on-purpose", "denied", "not-started",
	"still-running",
}

func (k TermKind) String() string { return termNames[k] }

// ParseTermKind reads a termination in any of the obvious spellings.
func ParseTermKind(s string) (TermKind, bool) {
	k, ok := termSpellings[normalName(s)]
	return k, ok
}

var termSpellings = map[string]TermKind{
	"ok": TermOK, "success": TermOK, "succeeded": TermOK, "exited": TermUnknown, "completed": TermOK,
	"nonzero": TermNonzero, "nonzero_exit": TermNonzero, "non_zero": TermNonzero, "failed": TermNonzero, "failure": TermNonzero, "error": TermNonzero,
	"timeout": TermTimeout, "timed_out": TermTimeout, "timedout": TermTimeout,
	"signal": TermSignalled, "signaled": TermSignalled, "signalled": TermSignalled, "killed": TermSignalled,
	"interrupted": TermInterrupted, "aborted": TermInterrupted, "cancelled": TermInterrupted, "canceled": TermInterrupted,
	"stopped": TermStopped, "stopped_on_purpose": TermStopped,
	"denied": TermDenied, "rejected": TermDenied, "declined": TermDenied,
	"not_started": TermNotStarted, "skipped": TermNotStarted,
	"still_running": TermStillRunning, "running": TermStillRunning, "in_progress": TermStillRunning,
	"unknown": TermUnknown,
}

// Source says where a termination was read.
type Source uint8

// The sources, weakest first: a later, stronger one wins.
const (
	NoSource    Source = iota
	FromAbsence        // inferred: the format writes nothing on success
	FromText           // the harness's own words at a fixed place in the result text
	FromField          // a typed field
)

var sourceNames = [...]string{"", "inferred", "text", "field"}

func (s Source) String() string { return sourceNames[s] }

// Termination is how a call ended, and who says so.
type Termination struct {
	Kind     TermKind
	Code     int // valid when HasCode
	HasCode  bool
	Signal   string // SIGTERM, ...; "" unknown
	TimedOut bool
	Limit    time.Duration // the limit that was hit, 0 unknown
	Source   Source
	Quote    string // the words or the field that say so, bounded, owned
	Benign   string // why a non-zero code is no failure, in the harness's words
}

// Bad reports whether the call is known not to have ended well.
func (t Termination) Bad() bool {
	switch t.Kind {
	case TermNonzero:
		return t.Benign == ""
	case TermTimeout, TermSignalled, TermInterrupted:
		return true
	}
	return false
}

// Unfinished reports whether the call was cut short or still runs: its output
// is at most an observation.
func (t Termination) Unfinished() bool {
	switch t.Kind {
	case TermTimeout, TermSignalled, TermInterrupted, TermStillRunning:
		return true
	}
	return false
}

// OfCode is the termination that an exit code tells by itself: 137, 143 and
// 124 are a timeout only when a limit is in sight, so here they are signals
// and a plain code.
func OfCode(code int) Termination {
	t := Termination{Code: code, HasCode: true}
	switch {
	case code == 0:
		t.Kind = TermOK
	case code > 128 && code <= 128+31:
		t.Kind = TermSignalled
		t.Signal = signalName(code - 128)
	default:
		t.Kind = TermNonzero
	}
	return t
}

func signalName(n int) string {
	switch n {
	case 1:
		return "SIGHUP"
	case 2:
		return "SIGINT"
	case 6:
		return "SIGABRT"
	case 9:
		return "SIGKILL"
	case 11:
		return "SIGSEGV"
	case 13:
		return "SIGPIPE"
	case 15:
		return "SIGTERM"
	}
	return ""
}
