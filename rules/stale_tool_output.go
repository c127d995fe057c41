package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var staleToolOutput = &Rule{
	ID:    "stale-tool-output",
	Title: "Big tool results are carried along whole, long after their last use",
	Why: "A result that nobody reads any more is paid for in every request, and it crowds out what matters. Thinning out old results costs nothing " +
		"and keeps the conversation.",
	Fix: "Clear old results (keep their termination), keep big outputs in files, or read them with a limit.",
	Silent: "Results that a compaction or a thinning removed; results of calls that were repeated on the same file or command later; sessions whose requests stay small; " +
		"the last requests of a session. Concluded from the log: what is really sent stands only in request snapshots.",
	Group:     Context,
	Level:     finding.Note,
	Precision: finding.Low,
	Wants:     transcript.Kinds(transcript.ToolResult, transcript.ToolCall, transcript.Usage, transcript.Compaction),
	Options: []Option{
		{Name: "bytes", Doc: "size from which a result counts as big", Default: 16 << 10},
		{Name: "requests", Doc: "requests that carry it before it counts as stale", Default: 50},
		{Name: "share", Doc: "part of a request's tokens that stale results must make up together", Default: 0.15},
	},
	New: func(o Settings) Checker {
		return &staleOutput{bytes: o.Int("bytes"), requests: o.Int("requests"), share: o.Float("share"), held: map[*ledger.Call]int{}}
	},
	Lacks: func(s *ledger.Session) string {
		if s.Peak == 0 {
			return "the log does not tell the size of single requests"
		}
		return ""
	},
}

type staleOutput struct {
	bytes, requests int
	share           float64
	held            map[*ledger.Call]int // big results by the request that first carried them
	n               int                  // requests so far
	msg             string
	worst           int
	hit             *Hit
}

func (k *staleOutput) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Origin == transcript.Copied || e.Agent != "" {
		return
	}
	switch e.Kind {
	case transcript.Compaction:
		k.compacted(e.Compaction)
	case transcript.ToolCall:
		for c := range k.held {
			if c.Path != "" && c.Path == e.Call.Path || c.Command != "" && c.Command == e.Call.Command {
				delete(k.held, c) // used again: asked for anew
			}
		}
	case transcript.ToolResult:
		if s.Call != nil && s.Call.Result != nil && s.Call.Result.Size >= k.bytes {
			k.held[s.Call] = k.n
		}
	case transcript.Usage:
		k.usage(s, e)
	}
}

func (k *staleOutput) compacted(c *transcript.CompactionInfo) {
	if c.Begin || c.Failed != "" {
		return
	}
	if !c.Micro || len(c.Dropped) == 0 {
		clear(k.held)
		return
	}
	for _, id := range c.Dropped {
		for call := range k.held {
			if call.ID == id {
				delete(k.held, call)
			}
		}
	}
}

func (k *staleOutput) usage(s *ledger.Session, e *transcript.Event) {
	if e.MsgID != "" && e.MsgID == k.msg || e.Usage.Context == 0 {
		return
	}
	k.n, k.msg = k.n+1, ledger.Own(e.MsgID)
	var biggest *ledger.Call
	stale, sum := 0, 0
	for c, since := range k.held {
		if k.n-since < k.requests {
			continue
		}
		stale, sum = stale+1, sum+c.Result.Size
		if biggest == nil || c.Result.Size > biggest.Result.Size || c.Result.Size == biggest.Result.Size && c.Step < biggest.Step {
			biggest = c
		}
	}
	if biggest == nil || float64(sum)/4 < k.share*float64(e.Usage.Context) || sum <= k.worst {
		return
	}
	k.worst = sum
	k.hit = &Hit{
		At: biggest.Result.Ref,
		Message: fmt.Sprintf("%s of more than %d KiB (%d KiB in all) still carried whole %d requests or more after they came, about %d %% of the request",
			plural(stale, "tool result"), k.bytes>>10, sum>>10, k.requests, min(100, 25*int64(sum)/e.Usage.Context)),
		Evidence: []finding.Evidence{
			at(biggest.Result.Ref, finding.Recorded, biggest.Command, "the biggest: %s, %d KiB", name(biggest), biggest.Result.Size>>10),
			at(s.Ref(e), finding.Recorded, "", "a request that still carries them, as far as this log shows"),
		},
		Inferred: true,
		Key:      "stale",
	}
}

func (k *staleOutput) Finish(_ *ledger.Session, emit Emit) {
	if k.hit != nil {
		emit(*k.hit)
	}
}
