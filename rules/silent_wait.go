package rules

import (
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var silentWait = &Rule{
	ID:    "silent-wait",
	Title: "A long silence between a call and the next sign of life",
	Why:   "To whoever watched, the session looked dead: nothing said that something was being waited for.",
	Fix:   "Emit a status while a call runs, and give it a limit.",
	Silent: "Calls of which nothing shows that they ran all that time: without the harness's own measure, or a mode that asks nobody, a person may " +
		"have been asked; waits that were asked for (sleep, polls, servers, a limit as long as the gap); progress records in between; calls that were " +
		"refused, interrupted or killed at a limit.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolCall, transcript.ToolResult, transcript.Message, transcript.Status, transcript.Job, transcript.Reasoning, transcript.TurnEnd),
	Options: []Option{
		{Name: "minutes", Doc: "minutes of silence that count", Default: 10},
	},
	New: func(o Settings) Checker {
		return &waits{limit: time.Duration(o.Int("minutes")) * time.Minute}
	},
}

type waits struct {
	silent
	limit time.Duration
	last  ledger.Ref // the newest event that carries a time
}

func (w *waits) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied || e.Time.IsZero() {
		return
	}
	ref := s.Ref(e)
	if gap := ledger.Elapsed(w.last, ref); gap >= w.limit && e.Kind == transcript.ToolResult && s.Call != nil && w.unexplained(s, s.Call, gap) {
		emit(Hit{
			At:      ref,
			Message: "nothing is recorded for " + gap.Round(time.Second).String() + " while " + name(s.Call) + " ran",
			Quote:   s.Call.Command,
			Evidence: []finding.Evidence{
				at(s.Call.Ref, finding.Recorded, s.Call.Command, "the call starts"),
				at(w.last, finding.Recorded, "", "the last record before the silence"),
				at(ref, finding.Recorded, "", "the next record, %s later", gap.Round(time.Second)),
			},
			Key: s.Call.ID,
		})
	}
	w.last = ref
}

// unexplained reports whether the call itself ran all that time, and nothing
// about it says why.
func (w *waits) unexplained(s *ledger.Session, c *ledger.Call, gap time.Duration) bool {
	if c.Result == nil || c.Result.Ran < gap/2 && s.Auto != transcript.True || polls(c) {
		return false
	}
	if t := c.Result.Term.Kind; c.Result.NotRun || t == transcript.TermInterrupted || t == transcript.TermTimeout || c.Limit > 0 && gap <= c.Limit+time.Minute {
		return false
	}
	return c.Act == transcript.Shell || c.Act == transcript.External || c.Act == transcript.Fetch
}
