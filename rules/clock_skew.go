package rules

import (
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var clockSkew = &Rule{
	ID:    "clock-skew",
	Title: "The clock steps back inside one thread",
	Why:   "Order and waiting times cannot be read from this log's times: deadlines and silences may be misjudged.",
	Fix:   "Write the times of one clock, and in the order in which things happened.",
	Silent: "Steps of less than a minute (parallel writers); copied history; other threads (subagents); notices and summaries of the harness, which are " +
		"dated by what they are about; sessions that follow each other in one file.",
	Group:     Input,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall, transcript.ToolResult, transcript.Reasoning),
	Options: []Option{
		{Name: "seconds", Doc: "seconds back that count", Default: 60},
	},
	New: func(o Settings) Checker {
		return &clocks{limit: time.Duration(o.Int("seconds")) * time.Second, newest: map[string]ledger.Ref{}}
	},
}

// clocks keeps the newest time of each thread, and the greatest step back.
type clocks struct {
	limit  time.Duration
	newest map[string]ledger.Ref
	pair   [2]ledger.Ref
	back   time.Duration
	count  int
}

func (k *clocks) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Time.IsZero() || e.Origin == transcript.Copied || e.Actor == transcript.Harness || e.Role != transcript.Prose {
		return
	}
	newest, known := k.newest[e.Agent]
	back := newest.Time.Sub(e.Time)
	if !known || back < k.limit {
		if !known || back < 0 {
			k.newest[ledger.Own(e.Agent)] = s.Ref(e)
		}
		return
	}
	ref := s.Ref(e)
	k.newest[ledger.Own(e.Agent)] = ref // told once for each step, not for all that follows
	if k.count++; back > k.back {
		k.back, k.pair = back, [2]ledger.Ref{newest, ref}
	}
}

func (k *clocks) Finish(_ *ledger.Session, emit Emit) {
	if k.count == 0 {
		return
	}
	message := "the clock steps back by " + k.back.Round(time.Second).String()
	if k.count > 1 {
		message = "the clock steps back " + plural(k.count, "time") + ", here by " + k.back.Round(time.Second).String()
	}
	emit(Hit{
		At:      k.pair[1],
		Message: message,
		Evidence: []finding.Evidence{
			at(k.pair[0], finding.Recorded, k.pair[0].Time.Format(time.RFC3339), "the newest time before it"),
			at(k.pair[1], finding.Recorded, k.pair[1].Time.Format(time.RFC3339), "dated earlier"),
		},
		Key: "clock",
	})
}
