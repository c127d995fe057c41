package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Gemini CLI, `-o stream-json`.
//
//	record                event                      termination from
//	init                  Session
//	message / user        Message(human)
//	  / assistant         Message, its deltas joined
//	tool_use              ToolCall
//	tool_result           ToolResult                 status error; the words in output, which is what the human saw
//	error                 Status
//	result                TurnEnd, Usage (totals)
//
// status success is printed for every call that did not fail as a call: after
// a non-zero exit, a time limit, and a cancellation too. It is no evidence.
var geminiStreamFormat = &Format{
	Name:  "gemini-stream-json",
	Title: "Gemini CLI stream-json",
	Sniff: sniffGeminiStream,
	New:   func() Decoder { return &geminiStream{} },
}

func sniffGeminiStream(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		switch typ := v.Get("type").Str(); {
		case typ == "init" && v.Get("session_id").Exists() && v.Get("model").Exists(), typ == "tool_use" && v.Get("tool_id").Exists() && v.Get("parameters").Exists():
			return 95
		case typ == "tool_result" && v.Get("tool_id").Exists():
			score = max(score, 90)
		case typ == "result" && v.At("stats", "total_tokens").Exists():
			score = max(score, 80)
		}
	}
	return score
}

// spokenMost bounds what is joined of one message.
const spokenMost = 1 << 20

type geminiStream struct {
	geminiTalk
	said  strings.Builder // deltas of the assistant's message so far
	start Event           // where it began
}

// Flush tells the message that the input ended in.
func (g *geminiStream) Flush(emit Emit) {
	g.emit = emit
	g.finishMessage()
}

// Decode reads one record.
func (g *geminiStream) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	typ := root.Get("type").Str()
	if typ != "message" || root.Get("role").Str() == "user" {
		g.emit = emit
		g.finishMessage()
	}
	g.begin(rec, emit)
	g.base.Type, g.base.Time = typ, parseTime(root.Get("timestamp"))
	switch typ {
	case "init":
		g.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: root.Get("session_id").Str(), Model: root.Get("model").Str()}
		})
	case "message":
		g.message(root)
	case "tool_use":
		g.called(root, root.Get("tool_id").Str(), root.Get("tool_name").Str(), root.Get("parameters"), "")
	case "tool_result":
		g.result(root)
	case "error":
		g.send(Status, root, func(e *Event) {
			e.Status = &StatusInfo{Name: cmp.Or(root.Get("severity").Str(), "error"), Error: root.Get("message").Head(200)}
		})
	case "result":
		g.ended(root)
	default:
		g.emit(unknownEvent(rec, typ))
	}
}

func (g *geminiStream) message(root jsonl.Value) {
	content := root.Get("content")
	if root.Get("role").Str() == "user" {
		g.words(content)
		return
	}
	if delta, _ := root.Get("delta").Bool(); !delta {
		g.finishMessage()
		g.send(Message, content, func(e *Event) { e.Actor, e.Text = Assistant, TextView(content) })
		return
	}
	if g.said.Len() == 0 {
		g.start = Event{Kind: Message, Actor: Assistant, Pos: g.base.Pos, Time: g.base.Time, Type: "message"}
	}
	if g.said.Len() < spokenMost {
		g.said.WriteString(content.Str())
	}
}

// finishMessage tells a message whose deltas have ended.
func (g *geminiStream) finishMessage() {
	if g.said.Len() == 0 {
		return
	}
	e := g.start
	e.Text = TextOf(g.said.String())
	g.said.Reset()
	g.emit(&e)
}

func (g *geminiStream) result(root jsonl.Value) {
	call := g.answer(root.Get("tool_id").Str(), "")
	r := &ResultInfo{CallID: call.id, Tool: call.tool}
	text := textOfBlocks(root.Get("output"))
	failed := root.At("error", "message")
	if text.Empty() {
		text = TextView(failed)
	}
	status := root.Get("status").Str()
	if status == "success" {
		r.Told = append(r.Told, Told{Field: "status", Value: "success"})
		status = ""
	}
	geminiEnd(r, call.act, status, failed.Head(headWindow), text)
	if strings.Contains(root.At("error", "type").Str(), "TIMEOUT") {
		r.Term = r.Term.withTimeout(r.Term.Limit, "error.type: "+root.At("error", "type").Str())
	}
	g.give(root, r, text)
}

func (g *geminiStream) ended(root jsonl.Value) {
	status := root.Get("status").Str()
	stats := root.Get("stats")
	if n, ok := stats.Get("input_tokens").Int(); ok {
		g.send(Usage, stats, func(e *Event) { e.Usage = &UsageInfo{Cumulative: n} })
	}
	g.send(TurnEnd, root, func(e *Event) { e.Turn = &TurnInfo{Reason: status, Session: true, Bad: status != "success"} })
}
