package rules

import (
	"slices"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var endsMidFlight = &Rule{
	ID:    "ends-mid-flight",
	Title: "The log ends inside a call, a compaction or an unanswered wait",
	Why:   "The log does not say how it went on. Whatever was under way may have happened, wholly or in part.",
	Fix:   "Look at what the open call was about to do (files, processes, remote state) before starting anew.",
	Silent: "Sessions whose last turn was ended by the model, the user or the harness; servers; logs that keep no results; subagents' calls, which " +
		"answer elsewhere; a damaged end (torn-tail). A question to the user that is still open is a note.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     callWithoutResult.Wants,
	New:       func(Settings) Checker { return &flights{orphans: orphans{threads: map[string]*thread{}}} },
	Lacks:     callWithoutResult.Lacks,
}

// flights follows the answers of the model as orphans does, to know which
// calls the newest one left open.
type flights struct {
	orphans
	begun ledger.Ref // the compaction that has not ended
	torn  bool
}

func (f *flights) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	f.orphans.Observe(s, e, emit)
	switch e.Kind {
	case transcript.Compaction:
		f.begun = ledger.Ref{}
		if e.Compaction.Begin {
			f.begun = s.Ref(e)
		}
	case transcript.Fault:
		f.torn = f.torn || e.Fault != nil
		return
	}
	f.torn = false
}

func (f *flights) Finish(s *ledger.Session, emit Emit) {
	if f.torn {
		return
	}
	if f.begun.Known() && f.begun.Step == s.Last.Step {
		emit(Hit{
			At: f.begun, Message: "the log ends inside a compaction", Key: "compaction",
			Evidence: []finding.Evidence{at(f.begun, finding.Recorded, "", "the compaction begins; no end is seen in this log")},
		})
		return
	}
	if open := f.open(s); len(open) > 0 {
		emit(hitOfFlight(s, open))
		return
	}
	f.wait(s, emit)
}

// open lists the calls of the main thread's newest answer that nothing came
// back from, when that answer is the last thing in the log.
func (f *flights) open(s *ledger.Session) []*ledger.Call {
	t := f.threads[""]
	if t == nil || t.results == 0 || f.loose {
		return nil
	}
	var open []*ledger.Call
	t.underWay(func(c *ledger.Call, _ left) {
		running := c.Line != nil && c.Line.Main != nil && c.Line.Main.LongRunning
		if !running && !accountedFor(s, c) && (s.Ended == nil || s.Ended.Step < c.Step) {
			open = append(open, c)
		}
	})
	slices.SortFunc(open, func(a, b *ledger.Call) int { return a.Step - b.Step })
	return open
}

// accountedFor is accounted, but for questions and requests for approval,
// which are just what a session may end in.
func accountedFor(s *ledger.Session, c *ledger.Call) bool {
	if c.Act == transcript.Ask {
		return false
	}
	if a := s.ApprovalByID(c.ID); a != nil && a.State(0).Verb == transcript.Requested {
		return false
	}
	return accounted(s, c)
}

func hitOfFlight(s *ledger.Session, open []*ledger.Call) Hit {
	c := open[0]
	hit := Hit{At: c.Ref, Message: "the log ends while " + name(c) + " (" + c.Tool + ") is under way", Quote: c.Command, Key: c.ID}
	if n := len(open) - 1; n > 0 {
		hit.Message = "the log ends while " + name(c) + " (" + c.Tool + ") and " + plural(n, "further call") + " are under way"
	}
	hit.Evidence = []finding.Evidence{at(c.Ref, finding.Recorded, c.Command, "the call; no result is seen in this log")}
	if c.Act == transcript.Ask {
		hit.Level, hit.Message = finding.Note, "the log ends while a question to the user ("+c.Tool+") waits for an answer"
	}
	if a := s.ApprovalByID(c.ID); a != nil && a.State(0).Verb == transcript.Requested {
		hit.Message = "the log ends while " + subjectOfApproval(a) + " waits for an answer"
		hit.Evidence = append(hit.Evidence, requestOf(a)...)
	}
	return hit
}

// wait reports an approval that was never answered, at the end of the log.
func (f *flights) wait(s *ledger.Session, emit Emit) {
	if len(s.Approvals) == 0 {
		return
	}
	a := s.Approvals[len(s.Approvals)-1]
	state := a.State(0)
	if state.Verb != transcript.Requested || s.Last.Step > state.Step || s.Ended != nil && s.Ended.Step > state.Step {
		return
	}
	emit(Hit{At: state.Ref, Message: "the log ends while " + subjectOfApproval(a) + " waits for an answer", Quote: a.Subject, Evidence: requestOf(a), Key: a.ID})
}
