package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var endsMidFlight = &Rule{
	ID:    "ends-mid-flight",
	Title: "The session ends inside a call, a compaction or an unanswered wait",
	Why:   "The log does not say how it went on. Whatever was under way may have happened, wholly or in part.",
	Fix:   "Look at what the open call was about to do (files, processes, remote state) before starting anew.",
	Silent: "Sessions whose last turn was ended by the model, the user or the harness; background servers; logs that keep no results; " +
		"subagents' calls, which answer elsewhere.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult, transcript.Compaction),
	New:       func(Settings) Checker { return &flights{} },
}

type flights struct {
	results int
	begun   ledger.Ref // the compaction that has not ended
}

func (f *flights) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	switch e.Kind {
	case transcript.ToolResult:
		f.results++
	case transcript.Compaction:
		f.begun = ledger.Ref{}
		if e.Compaction.Begin {
			f.begun = s.Ref(e)
		}
	}
}

func (f *flights) Finish(s *ledger.Session, emit Emit) {
	if f.begun.Known() && f.begun.Step == s.Last.Step {
		emit(Hit{At: f.begun, Message: "the session ends inside a compaction", Evidence: []finding.Evidence{at(f.begun, finding.Recorded, "", "the compaction begins; no end is seen in this log")}, Key: "compaction"})
		return
	}
	c := lastCall(s)
	switch {
	case c != nil && f.results > 0 && s.Last.Step <= c.Step+tail(s, c) && !endedAfter(s, c.Ref):
		emit(Hit{
			At:       c.Ref,
			Message:  "the session ends while " + name(c) + " (" + c.Tool + ") is under way",
			Quote:    c.Command,
			Evidence: []finding.Evidence{at(c.Ref, finding.Recorded, c.Command, "the last call; no result is seen in this log")},
			Key:      c.ID,
		})
	case c == nil:
		f.wait(s, emit)
	}
}

// lastCall is the open call on the main thread that nothing came after.
func lastCall(s *ledger.Session) *ledger.Call {
	for i := len(s.Calls) - 1; i >= 0; i-- {
		c := s.Calls[i]
		if c.Agent != "" || c.Server || c.Origin == transcript.Copied {
			continue
		}
		if c.Result == nil && c.ID != "" {
			return c
		}
		return nil
	}
	return nil
}

// tail is how many steps may follow an open call without being progress of the
// session: parallel calls of the same message.
func tail(s *ledger.Session, c *ledger.Call) int {
	n := 0
	for i := len(s.Calls) - 1; i >= 0 && s.Calls[i].MsgID == c.MsgID && c.MsgID != ""; i-- {
		n++
	}
	return n + 1
}

func endedAfter(s *ledger.Session, r ledger.Ref) bool { return s.Ended != nil && s.Ended.Step > r.Step }

// wait reports an approval or a question that was never answered, at the end
// of the session.
func (f *flights) wait(s *ledger.Session, emit Emit) {
	if len(s.Approvals) == 0 {
		return
	}
	a := s.Approvals[len(s.Approvals)-1]
	state := a.State(0)
	if state.Verb != transcript.Requested || s.Last.Step > state.Step+1 || endedAfter(s, state.Ref) {
		return
	}
	emit(Hit{
		At:       state.Ref,
		Message:  "the session ends while " + subjectOfApproval(a) + " waits for an answer",
		Quote:    a.Subject,
		Evidence: requestOf(a),
		Key:      a.ID,
	})
}
