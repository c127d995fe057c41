package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Inspect AI: events one a line, samples one a line, and whole logs. Of a
// sample its events are read, or its messages where it has none. In a log the
// messages stand first: of the events only what they leave out is told then.
//
//	record                 event                      termination from
//	event model            Reasoning, Message,        the output of the model; what it was sent is the Request
//	                       Usage, Request
//	event tool             ToolCall, ToolResult       error.type; a call that was cancelled may have ended late all the same;
//	                                                  pending: no end
//	event approval         Decision
//	event interrupt        TurnEnd, Cancel
//	event compaction       Compaction
//	event sample_limit     TurnEnd
//	event error            Status
//	sample: error, limit   TurnEnd
//	log: status            TurnEnd; success means that the evaluation ran to its end, not that a sample did well
//
// There is no field for exit codes: a tool writes them into its result.
var inspectFormat = &Format{
	Name:  "inspect-ai",
	Title: "Inspect AI log",
	Sniff: sniffInspect,
	Split: func(path string) bool {
		parts := strings.Split(path, "/")
		return len(parts) == 3 && parts[1] == "samples" || len(parts) == 4 && parts[1] == "samples" && (parts[3] == "events" || parts[3] == "messages")
	},
	New: func() Decoder { return &inspect{} },
}

func sniffInspect(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		first := v.Get("events").Index(0)
		switch typ := v.Get("event").Str(); {
		case p.Path == "/eval" && v.Get("task").Exists(), v.At("eval", "task").Exists() && v.Get("status").Exists():
			return 95
		case v.Get("target").Exists() && v.Get("epoch").Exists() && v.Get("messages").Kind() == jsonl.Array,
			p.Partial && hasKeys(p.Keys, "epoch", "input", "target"):
			return 90
		case first.Get("event").Exists() && first.Get("timestamp").Exists():
			return 85
		case typ == "tool" && v.Get("function").Exists(), typ == "model" && v.Get("output").Exists() && v.Get("input").Exists(),
			typ == "approval" && v.Get("approver").Exists():
			return 90
		case v.Get("span_id").Exists() && inspectEvents[typ]:
			score = max(score, 80)
		}
	}
	return score
}

// inspectEvents are the events that carry nothing that is judged, and those
// that do.
var inspectEvents = map[string]bool{
	"sample_init": true, "sample_limit": true, "sandbox": true, "state": true, "store": true, "model": true, "tool": true, "approval": true,
	"compaction": true, "input": true, "interrupt": true, "score": true, "score_edit": true, "error": true, "logger": true, "info": true,
	"span_begin": true, "span_end": true, "step": true, "subtask": true, "branch": true, "checkpoint": true, "anchor": true,
}

type inspect struct {
	talk
	samples int
	ids     string          // prefix that keeps the calls of several samples apart
	events  bool            // the sample's events were told: its messages would tell the same again
	told    bool            // the sample's messages were told, which stand before its events in a log
	called  map[uint64]bool // calls that the model's output told
}

// Flush has nothing to add: nothing is held back.
func (i *inspect) Flush(Emit) {}

// Decode reads an event, a sample, a log, or a piece of either.
func (i *inspect) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	switch {
	case rec.Path != "":
		i.piece(rec, emit)
	case root.Get("samples").Kind() == jsonl.Array:
		for piece := range rec.Pieces(inspectFormat.Split) {
			i.piece(&piece, emit)
		}
	case root.Kind() == jsonl.Array:
		i.begin(rec, emit)
		for _, e := range root.Elems() {
			i.event(e)
		}
	case root.Get("event").Exists():
		i.begin(rec, emit)
		i.event(root)
	case root.Get("messages").Kind() == jsonl.Array:
		i.begin(rec, emit)
		i.sample(root)
	default:
		emit(unknownEvent(rec, ""))
	}
}

// piece reads a part of a log, or of a sample that is a document of its own.
func (i *inspect) piece(rec *jsonl.Record, emit Emit) {
	i.begin(rec, emit)
	root := rec.Root
	parts := strings.Split(rec.Path, "/")[1:]
	if parts[0] == "samples" && len(parts) > 2 {
		parts = parts[2:]
	} else if parts[0] == "status" {
		i.status(root)
		return
	} else if parts[0] == "eval" {
		i.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: root.Get("eval_id").Str(), Model: root.Get("model").Str()}
		})
		return
	}
	switch key := parts[0]; {
	case key == "id":
		i.next(root)
	case key == "events" && len(parts) == 2:
		i.events = true
		i.event(root)
	case key == "messages" && len(parts) == 2 && !i.events:
		i.told = true
		i.said(root)
	case key == "error" || key == "limit":
		i.broke(root, key)
	case len(parts) == 1 && strings.Trim(key, "0123456789") == "" && root.Get("event").Exists():
		i.event(root)
	default:
		i.send(Other, root, nil)
	}
}

// next begins another sample: its calls are apart from those before.
func (i *inspect) next(id jsonl.Value) {
	i.samples++
	i.turnOver()
	i.events, i.told, i.called, i.ids = false, false, nil, ""
	if i.samples > 1 {
		i.ids = strconv.Itoa(i.samples) + ":"
	}
	i.send(Session, id, func(e *Event) { e.Session = &SessionInfo{ID: idText(id), Start: i.samples > 1} })
}

func (i *inspect) sample(s jsonl.Value) {
	i.next(s.Get("id"))
	events := s.Get("events")
	for _, e := range events.Elems() {
		i.event(e)
	}
	if events.Len() == 0 {
		for _, m := range s.Get("messages").Elems() {
			i.said(m)
		}
	}
	i.base.Time = parseTime(jsonl.Value{})
	i.broke(s.Get("error"), "error")
	i.broke(s.Get("limit"), "limit")
}

func (i *inspect) broke(v jsonl.Value, how string) {
	if v.Kind() == jsonl.Object {
		i.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: cmp.Or(v.Get("type").Str(), how), Bad: true} })
	}
}

// status is how the evaluation as a whole went. One that is stuck at started
// crashed, or runs.
func (i *inspect) status(v jsonl.Value) {
	switch s := v.Str(); s {
	case "success":
		i.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: "completed", Session: true} })
	case "error", "cancelled":
		i.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: s, Session: true, Bad: true} })
	default:
		i.send(Other, v, nil)
	}
}

// said reads a message of a sample that has no events.
func (i *inspect) said(m jsonl.Value) {
	i.msgID = m.Get("id").Str()
	content := m.Get("content")
	switch m.Get("role").Str() {
	case "assistant":
		i.spoke(m, content)
	case "tool":
		i.returned(m, m.Get("tool_call_id").Str(), m.Get("function").Str(), content, m.Get("error"))
	case "user":
		i.user(m, content)
	case "system":
		i.system(content)
	default:
		i.send(Other, m, nil)
	}
}

// spoke reads a message of the model: words, thoughts and calls.
func (i *inspect) spoke(m, content jsonl.Value) {
	i.assistant(jsonl.Value{}, content)
	for _, c := range m.Get("tool_calls").Elems() {
		i.call(c, m.Get("id").Str())
	}
}

func (i *inspect) call(c jsonl.Value, msg string) {
	id := i.ids + c.Get("id").Str()
	key := hashOf([]byte(id))
	if i.called[key] {
		return
	}
	if i.called == nil {
		i.called = map[uint64]bool{}
	}
	i.called[key] = true
	call := &CallInfo{ID: id, Tool: c.Get("function").Str(), Act: actOf(c.Get("function").Str())}
	i.callArgs(call, c.Get("arguments"))
	if why := c.Get("parse_error"); why.RawLen() > 0 {
		call.Broken = why.Head(120)
	}
	i.makeCall(c, call, func(e *Event) { e.MsgID = msg })
}
