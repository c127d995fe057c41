package transcript

import (
	"github.com/transcript-lint/transcript-lint/jsonl"
)

// The tool's own vocabulary, docs/events.md: one flat object per event, for
// harness authors who want to write it directly, for normalised output, and
// for our own cases. A record that is not in it is read as a structured record
// of a harness (records.go), so that both may stand in one file.
//
//	record                                        event       termination from
//	{"event":"message","actor":..,"text":..}      Message
//	{"event":"tool_call","id":..,"tool":..}       ToolCall
//	{"event":"tool_result","id":..}               ToolResult  "termination": kind, exit_code, signal_name, timed_out
//	{"event":"job","id":..,"state":..}            Job         "termination"
//	{"event":"decision"|"cancel"|"action",
//	 "verb":..}                                   the same
//	{"event":"compaction","summary":..}           Compaction, and Message(summary)
//	{"event":"reasoning"|"usage"|"session"|
//	 "queue"|"status"|"turn_end"|"request"|..}    the same
//	{"tool":..,"termination":{..},"must_rerun"..} ToolCall, ToolResult, Message(notes): records.go
//	{"type":"approval.requested",..}              Decision, Cancel, Action: records_steps.go
//
// A result without "termination" has an unknown end.
var eventsFormat = &Format{
	Name:  "events",
	Title: "transcript-lint events and structured records",
	Sniff: sniffEvents,
	New:   func() Decoder { return &events{} },
}

type events struct {
	seen  map[uint64]uint8 // call ids of the file, by hash: called, ended
	emit  Emit
	rec   *jsonl.Record
	whole wholeRecord
}

// What is remembered of a call id.
const (
	wasCalled uint8 = 1 << iota
	hasEnded
)

func (d *events) note(id string, what uint8) {
	if id == "" {
		return
	}
	if d.seen == nil {
		d.seen = map[uint64]uint8{}
	}
	d.seen[hashOf([]byte(id))] |= what
}

func (d *events) noted(id string, what uint8) bool {
	return id != "" && d.seen[hashOf([]byte(id))]&what != 0
}

// Decode reads a line, or a piece of a document.
func (d *events) Decode(rec *jsonl.Record, emit Emit) {
	d.rec, d.emit = rec, emit
	if rec.Path == "" {
		d.record(rec.Root)
		return
	}
	d.piece(rec)
}

// Flush reads what was held back of a pretty-printed record.
func (d *events) Flush(emit Emit) {
	d.emit = emit
	d.flushWhole()
}

func (d *events) record(v jsonl.Value) {
	name := v.Get("event").Str()
	kind, ok := kindByName[name]
	if !ok || (kind == Decision || kind == Cancel || kind == Action) && !v.Get("verb").Exists() {
		d.structured(v)
		return
	}
	e := d.envelope(v)
	e.Kind = kind
	if t := v.Get("type"); t.Exists() {
		e.Type = t.Str()
	} else {
		e.Type = name
	}
	if text := v.Get("text"); text.Kind() == jsonl.String {
		e.Text = TextView(text)
	}
	e.Actor = defaultActor(kind)
	if a := v.Get("actor"); a.Exists() {
		e.Actor = nameIn(actorNames[:], a.Str(), Nobody)
	}
	if read := eventReaders[kind]; read != nil {
		read(d, &e, v)
	}
	d.emit(&e)
	if kind == Compaction {
		d.summary(e, v.Get("summary"))
	}
}

// envelope reads what every event may carry.
func (d *events) envelope(v jsonl.Value) Event {
	e := Event{
		Pos:    posOf(d.rec, v.Get("record").Str()),
		Time:   clockOf(v.Get("time")),
		Agent:  v.Get("agent").Str(),
		Origin: nameIn(originNames[:], v.Get("origin").Str(), Observed),
		Parent: v.Get("parent").Str(),
		MsgID:  v.Get("msg").Str(),
		Value:  v,
	}
	if at := v.Get("at"); at.Kind() == jsonl.Object {
		// The event was written down by normalisation: it stands elsewhere.
		e.Value = jsonl.Value{}
		e.Pos.Line = int(intAt(at, "line"))
		e.Pos.Offset, e.Pos.Length, e.Pos.Pointer = intAt(at, "offset"), intAt(at, "length"), at.Get("pointer").Str()
		if id := at.Get("id"); id.Exists() {
			e.Pos.ID = id.Str()
		}
	}
	return e
}

// summary makes a message of a compaction's summary, where adapters put it.
func (d *events) summary(e Event, v jsonl.Value) {
	if v.Kind() != jsonl.String {
		return
	}
	e.Kind, e.Actor, e.Role, e.Text, e.Compaction = Message, Assistant, Summary, TextView(v), nil
	if e.Value.Exists() {
		e.Value = v
	}
	d.emit(&e)
}

func defaultActor(k Kind) Actor {
	switch k {
	case ToolCall, Reasoning:
		return Assistant
	case ToolResult:
		return Tool
	case Job, Status:
		return Harness
	}
	return Nobody
}
