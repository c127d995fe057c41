package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var callWithoutResult = &Rule{
	ID:    "call-without-result",
	Title: "A tool call never got a result, and the session went on",
	Why: "The model went on as if it had an answer, or the record of what happened is lost. " +
		"Providers refuse a history in which a call has no result.",
	Fix: "Find out what the call did before relying on it: its result is not seen in this log.",
	Silent: "Calls of the newest turn of a live or torn log; abandoned branches; calls that the provider runs itself; calls refused or interrupted " +
		"by the user; calls of subagents, which answer in another file; formats that keep no results at all.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall, transcript.ToolResult, transcript.Message, transcript.TurnEnd),
	New:       func(Settings) Checker { return &orphans{spoke: map[string]int{}} },
}

// orphans remembers when each thread last went on after a result or said
// something, so that a call still in flight at the end is told apart.
type orphans struct {
	spoke   map[string]int // step of the newest words of each thread
	broken  []int          // steps at which a turn was broken off
	results int
}

func (o *orphans) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	switch e.Kind {
	case transcript.ToolResult:
		o.results++
	case transcript.TurnEnd:
		if e.Turn.Bad {
			o.broken = append(o.broken, s.Ref(e).Step)
		}
	case transcript.Message:
		if e.Actor == transcript.Assistant || e.Actor == transcript.Human {
			o.spoke[ledger.Own(e.Agent)] = s.Ref(e).Step
		}
	}
}

func (o *orphans) Finish(s *ledger.Session, emit Emit) {
	if o.results == 0 {
		return // this log keeps no results
	}
	for _, c := range s.Calls {
		if c.Result != nil || c.Server || c.ID == "" || c.Origin == transcript.Copied || !o.wentOn(c) || o.brokenOff(c) || s.Abandoned(c) {
			continue
		}
		emit(Hit{
			At:       c.Ref,
			Message:  name(c) + " (" + c.Tool + ") has no result in this log, and the session went on",
			Quote:    c.Command,
			Evidence: []finding.Evidence{at(c.Ref, finding.Recorded, c.Command, "the call; its result is not seen in this log")},
			Key:      c.ID,
		})
	}
}

// wentOn reports whether the thread said something in a later message, or
// called something and got its answer.
func (o *orphans) wentOn(c *ledger.Call) bool { return o.spoke[c.Agent] > c.Step }

// brokenOff reports whether the turn was interrupted after the call: then the
// missing result is accounted for.
func (o *orphans) brokenOff(c *ledger.Call) bool {
	for _, step := range o.broken {
		if step > c.Step {
			return true
		}
	}
	return false
}
