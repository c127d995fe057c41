package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Cursor: agent transcripts, Anthropic-like blocks under role and message.
//
//	record                       event                   termination from
//	user / text                  Message(human), or a notice
//	  / tool_result, tool-result ToolResult              is_error, metadata.toolResultStatus; the words of known harnesses
//	assistant / text             Message; "[REDACTED]" is thinking that was taken out
//	  / thinking                 Reasoning
//	  / tool_use, tool_call      ToolCall
//
// Calls often have no ids, and many transcripts leave the results out: a
// result then belongs to the call that waits longest.
var cursorFormat = &Format{
	Name:  "cursor",
	Title: "Cursor agent transcript",
	Sniff: sniffCursor,
	New:   func() Decoder { return &cursor{} },
}

func sniffCursor(head []jsonl.Probe) int {
	good := 0
	for _, p := range head {
		v := p.Root
		role := v.Get("role").Str()
		if (role == "user" || role == "assistant") && v.At("message", "content").Exists() && !v.Get("content").Exists() {
			good++
			continue
		}
		if p.Partial && hasKeys(p.Keys, "role", "message") {
			good++
			continue
		}
		return 0
	}
	if good == 0 {
		return 0
	}
	return 80
}

type cursor struct{ talk }

// Flush has nothing to add: nothing is held back.
func (c *cursor) Flush(Emit) {}

// Decode reads one record.
func (c *cursor) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	c.begin(rec, emit)
	c.base.Type, c.base.Time = root.Get("role").Str(), parseTime(root.Get("timestamp"))
	c.names(root.Get("model"), root)
	content := root.At("message", "content")
	blocks := func(read func(jsonl.Value)) {
		if content.Kind() == jsonl.String {
			read(content)
		}
		for _, b := range content.Elems() {
			read(b)
		}
	}
	switch c.base.Type {
	case "user":
		blocks(func(b jsonl.Value) { c.userBlock(root, b) })
	case "assistant":
		blocks(c.modelBlock)
	case "system":
		c.system(content)
	case "tool":
		blocks(func(b jsonl.Value) { c.result(root, b) })
	default:
		c.emit(unknownEvent(rec, c.base.Type))
	}
}

func (c *cursor) userBlock(root, b jsonl.Value) {
	switch b.Get("type").Str() {
	case "tool_result", "tool-result":
		c.result(root, b)
	case "text", "":
		c.userText(firstString(b))
	default:
		c.send(Other, b, nil)
	}
}

// userText is the human's where a query stands in it; the context that the
// editor adds stands alone, or in front of the query.
func (c *cursor) userText(v jsonl.Value) {
	head := v.Head(headWindow)
	context := strings.HasPrefix(head, "<") && !strings.HasPrefix(head, "<user_query>")
	if !context {
		c.words(v)
		return
	}
	s := v.Str()
	at := strings.Index(s, "<user_query>")
	if at < 0 {
		c.say(v, Harness, Notice, TextView(v))
		return
	}
	c.say(v, Harness, Notice, TextOf(s[:at]))
	c.say(v, Human, Prose, TextOf(s[at:]))
}

func (c *cursor) modelBlock(b jsonl.Value) {
	switch b.Get("type").Str() {
	case "tool_call":
		call := &CallInfo{ID: cmp.Or(b.Get("id").Str(), b.Get("toolCallId").Str()), Tool: b.Get("name").Str(), Act: actOf(b.Get("name").Str())}
		c.callArgs(call, firstExisting(b, "input", "args", "arguments"))
		c.makeCall(b, call, nil)
	case "text", "":
		if text := firstString(b); text.Head(12) == "[REDACTED]" {
			c.send(Reasoning, text, func(e *Event) { e.Actor, e.Reasoning = Assistant, &ReasoningInfo{Redacted: true} })
			return
		}
		c.assistantBlock(b)
	case "thinking", "tool_use", "redacted_thinking", "reasoning":
		c.assistantBlock(b)
	default:
		if text := b.Get("text"); text.RawLen() > 0 {
			c.spoken(text, TextView(text))
			return
		}
		c.send(Other, b, nil)
	}
}

func (c *cursor) result(root, b jsonl.Value) {
	id := cmp.Or(b.Get("tool_use_id").Str(), b.Get("toolCallId").Str())
	if !c.waits(id) && len(c.open) > 0 {
		id = ""
	}
	call := c.answer(id, b.Get("name").Str())
	text := textOfBlocks(firstExisting(b, "content", "output", "result"))
	r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: errorFlag(b)}
	if r.Error == Unset {
		switch root.At("metadata", "toolResultStatus").Str() {
		case "success":
			r.Error = False
		case "error", "failed":
			r.Error = True
		}
	}
	genericEnd(r, call.act, text)
	c.give(b, r, text)
}

// waits reports whether a call with this id waits for its result.
func (c *cursor) waits(id string) bool {
	for _, o := range c.open {
		if o.id == id {
			return true
		}
	}
	return false
}
