package rules

import (
	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var duplicateRecord = &Rule{
	ID:    "duplicate-record",
	Title: "Two records share an id and differ in content",
	Why:   "Whoever joins records by their ids takes one for the other, and a history with a changed past cannot be trusted.",
	Fix:   "Give every record an id of its own, and mark a correction as one.",
	Silent: "Records that are told again unchanged (resumed, forked and copied sessions); several events of one record; further words about a call or " +
		"result; records without words (settings, counters, status).",
	Group:     Input,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.Reasoning, transcript.ToolCall, transcript.ToolResult),
	New:       func(Settings) Checker { return &twins{seen: map[uint64]twin{}} },
}

// twins keeps a hash of every record's content, by the hash of its id: 24
// bytes a record.
type twins struct {
	seen  map[uint64]twin
	now   record
	first [2]ledger.Ref // the earliest pair that differs
	count int
}

type twin struct {
	hash uint64
	line int
	step int
}

// record is the one whose events are being seen.
type record struct {
	ref     ledger.Ref
	content *xxhash.Digest
	again   bool // it says itself that it repeats something
}

func (t *twins) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Pos.ID == "" {
		return
	}
	if t.now.ref.Offset != e.Pos.Offset || t.now.ref.ID != e.Pos.ID {
		t.close()
		t.now = record{ref: s.Ref(e), content: xxhash.New()}
	}
	if e.Result != nil && (e.Result.Repeats || e.Result.Contract || e.Result.Partial) {
		t.now.again = true
	}
	for raw := range e.Text.RawParts() {
		_, _ = t.now.content.Write(raw)
	}
	if e.Call != nil {
		_, _ = t.now.content.WriteString(e.Call.ID)
		_, _ = t.now.content.Write(e.Call.Args.Raw())
	}
}

// close compares the record that ended with an earlier one of the same id.
func (t *twins) close() {
	if t.now.content == nil || t.now.again {
		return
	}
	id, hash := xxhash.Sum64String(t.now.ref.ID), t.now.content.Sum64()
	old, ok := t.seen[id]
	if !ok {
		t.seen[id] = twin{hash, t.now.ref.Line, t.now.ref.Step}
		return
	}
	if old.hash == hash {
		return
	}
	if t.count++; t.count == 1 {
		t.first = [2]ledger.Ref{{Line: old.line, Step: old.step, ID: t.now.ref.ID}, t.now.ref}
	}
}

func (t *twins) Finish(_ *ledger.Session, emit Emit) {
	t.close()
	if t.count == 0 {
		return
	}
	message := "the record " + t.first[1].ID + " has the id of an earlier one and other content"
	if t.count > 1 {
		message += "; so do " + plural(t.count-1, "further record")
	}
	emit(Hit{
		At:       t.first[1],
		Message:  message,
		Evidence: []finding.Evidence{at(t.first[0], finding.Recorded, "", "the first record of this id"), at(t.first[1], finding.Recorded, "", "the second one")},
		Key:      t.first[1].ID,
	})
}
