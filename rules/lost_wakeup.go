package rules

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var lostWakeup = &Rule{
	ID:        "lost-wakeup",
	Title:     "A queued message was never delivered",
	Why:       "Somebody spoke, or a job ended, and the agent never heard of it: it waits for what has already come.",
	Fix:       "Deliver the queue when a turn ends, and start a turn when something is delivered.",
	Silent:    "Messages that were delivered, taken back, or stand in the log as spoken; messages with fewer than two ended turns behind them.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Queue, transcript.Message, transcript.TurnEnd),
	New:       func(Settings) Checker { return &queues{} },
	Lacks: func(s *ledger.Session) string {
		if !s.Saw(transcript.Queue) {
			return "the log records no message queue"
		}
		return ""
	},
}

// queues pairs what was queued with what was taken out. Formats that name no
// message take out the oldest.
type queues struct{ waiting []queued }

type queued struct {
	ref   ledger.Ref
	id    string
	hash  uint64
	turns int // turns that ended since
}

func (q *queues) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	switch e.Kind {
	case transcript.TurnEnd:
		for i := range q.waiting {
			q.waiting[i].turns++
		}
	case transcript.Queue:
		q.step(s, e)
	case transcript.Message:
		if e.Actor != transcript.Assistant && e.Value.Exists() && len(q.waiting) > 0 {
			q.heard(xxhash.Sum64(e.Value.Raw()))
		}
	}
}

// heard takes out a message that stands in the log as delivered, whatever the
// queue says.
func (q *queues) heard(hash uint64) {
	for k, w := range q.waiting {
		if w.hash == hash {
			q.waiting = slices.Delete(q.waiting, k, k+1)
			return
		}
	}
}

func (q *queues) step(s *ledger.Session, e *transcript.Event) {
	i := e.Queue
	switch i.Verb {
	case "enqueue":
		q.waiting = append(q.waiting, queued{ref: s.Ref(e), id: ledger.Own(i.ID), hash: i.Hash})
	case "popAll":
		q.waiting = nil
	case "":
	default:
		q.take(i)
	}
}

// take takes out the message that is named; one that names none, or one that
// nobody knows, takes out the oldest.
func (q *queues) take(i *transcript.QueueInfo) {
	k := slices.IndexFunc(q.waiting, func(w queued) bool { return i.ID != "" && i.ID == w.id || i.Hash != 0 && i.Hash == w.hash })
	if len(q.waiting) > 0 {
		q.waiting = slices.Delete(q.waiting, max(k, 0), max(k, 0)+1)
	}
}

// Finish reports what still waits although at least two turns ended since.
func (q *queues) Finish(s *ledger.Session, emit Emit) {
	for _, w := range q.waiting {
		if w.turns < 2 {
			continue
		}
		emit(Hit{
			At:       w.ref,
			Message:  "a message was queued here and never delivered, although " + plural(w.turns, "turn") + " ended afterwards",
			Evidence: []finding.Evidence{at(w.ref, finding.Recorded, "", "queued"), at(s.Last, finding.Observed, "", "the newest sign of progress")},
			Key:      w.id,
		})
	}
}
