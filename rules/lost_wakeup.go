package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var lostWakeup = &Rule{
	ID:        "lost-wakeup",
	Title:     "A queued message was never delivered",
	Why:       "Somebody spoke, or a job ended, and the agent never heard of it: it waits for what has already come.",
	Fix:       "Deliver the queue when a turn ends, and start a turn when something is delivered.",
	Silent:    "Messages that were delivered, taken back, or queued right before the log ends; queues that name no message.",
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
type queues struct {
	waiting []queued
	turns   int // turns that ended since the newest entry
}

type queued struct {
	ref   ledger.Ref
	id    string
	hash  uint64
	turns int
}

func (q *queues) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	switch e.Kind {
	case transcript.TurnEnd:
		for i := range q.waiting {
			q.waiting[i].turns++
		}
	case transcript.Queue:
		q.step(s, e)
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

func (q *queues) take(i *transcript.QueueInfo) {
	for k, w := range q.waiting {
		if i.ID != "" && i.ID != w.id || i.ID == "" && i.Hash != 0 && i.Hash != w.hash {
			continue
		}
		q.waiting = append(q.waiting[:k], q.waiting[k+1:]...)
		return
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
