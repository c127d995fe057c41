package ledger

import (
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// OpenReruns are the checks that must be run again at this point of the
// session: runs that were killed or failed, and that no run of the same thing,
// or of more, has ended ok since. The newest such run of each thing stands for
// it. What a subagent may have run in its own log, and what the agent stopped
// itself, is left out.
func (s *Session) OpenReruns() []*Run {
	var open []*Run
	for _, class := range []command.Class{command.Test, command.Build, command.Lint, command.TypeCheck} {
		open = append(open, s.openOf(class)...)
	}
	return open
}

// mostOpen bounds how many open checks of a class are followed: the oldest
// are forgotten.
const mostOpen = 64

func (s *Session) openOf(class command.Class) []*Run {
	var open []*Run
	for _, r := range s.runs[class] {
		if r.Origin == transcript.Copied || s.Abandoned(r.Call) {
			continue
		}
		outcome, _ := r.Outcome()
		switch outcome {
		case OutcomeFailed, OutcomeUnfinished:
			open = append(without(open, r), r)
			if len(open) > mostOpen {
				open = open[1:]
			}
		case OutcomePassed, OutcomeUnknown:
			// behind a mask it may have passed: cannot be held open
			open = without(open, r)
		}
	}
	return open
}

// without drops the runs that a later one covers.
func without(open []*Run, later *Run) []*Run {
	kept := open[:0]
	for _, r := range open {
		if !covers(r.Check, later.Check) {
			kept = append(kept, r)
		}
	}
	return kept
}

// covers reports whether a later check answers for an earlier one: it is the
// same thing or more, or the whole of it through another program (`make test`
// after `go test -run X`).
func covers(check, later *command.Step) bool {
	switch command.Relate(check, later) {
	case command.Same, command.Wider:
		return true
	case command.Different:
		return later.Name != check.Name && later.Scope != command.ScopePart
	}
	return false
}

// Whole reports whether the log shows the session from its beginning up to a
// step: nothing was copied into it, and no boundary took history away. Only
// then can something be said not to be in it, and even then only "not seen in
// this log".
func (s *Session) Whole(step int) bool {
	if s.Fork != "" || s.Turn == 0 {
		return false
	}
	for _, c := range s.Compactions {
		if c.Step < step && !c.Begin {
			return false
		}
	}
	for _, c := range s.Calls {
		if c.Origin == transcript.Copied {
			return false
		}
		if c.Turn == 0 && c.Agent == "" {
			return false // it was already at work when the log begins
		}
	}
	return true
}
