package transcript

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// talk reads messages in the formats of the model providers' APIs. They are
// the common ground of many logs: each adapter hands it one message at a time.
//
//	role                     what                                        event
//	system, developer                                                    Message(prompt)
//	user, human              text                                        Message(human), or a notice
//	                         tool_result block                           ToolResult
//	                         EXECUTION RESULT of [tool]: (no tool API)   ToolResult
//	assistant, model, ai     reasoning_content, thinking blocks, <think> Reasoning
//	                         text                                        Message(assistant)
//	                         tool_calls, function_call, tool_use blocks  ToolCall
//	                         <function=name> in the text (no tool API)   ToolCall
//	tool, function           content                                     ToolResult
//	any                      parts: text, functionCall, functionResponse the same (Gemini)
//
// How a result ended is up to genericEnd: the formats have no field for it.
type talk struct {
	feed
	markup bool // calls are written into the text, in OpenHands' own markup
	model  string
	msgID  string // of the message at hand
	stop   string
	mute   bool // calls at hand whose results the log leaves out
}

// role is what a message says about who speaks, in every spelling.
func roleOf(m jsonl.Value) string {
	role := m.Get("role").Str()
	if role == "" {
		role = m.Get("from").Str()
	}
	switch role {
	case "developer":
		return "system"
	case "human":
		return "user"
	case "model", "ai", "gpt", "agent", "bot":
		return "assistant"
	case "function", "observation", "tool-response":
		return "tool"
	}
	return role
}

// isMessage reports whether an object is a message of a chat.
func isMessage(m jsonl.Value) bool {
	switch roleOf(m) {
	case "system", "user", "assistant", "tool":
	default:
		return false
	}
	for key, v := range m.Members() {
		switch key {
		case "content", "parts", "value", "tool_calls", "reasoning_content", "text":
			if v.Kind() != jsonl.Object {
				return true
			}
		}
	}
	return false
}

// message reads one message. It reports whether it was one.
func (t *talk) message(m jsonl.Value) bool {
	t.stop = cmp.Or(m.Get("stop_reason").Str(), m.Get("finish_reason").Str(), t.stop)
	t.msgID = cmp.Or(m.Get("id").Str(), t.msgID)
	defer func() { t.stop, t.msgID = "", "" }()
	t.stamp(m)
	if parts := m.Get("parts"); parts.Kind() == jsonl.Array {
		return t.partsOf(m, parts)
	}
	content := firstExisting(m, "content", "value", "text")
	switch roleOf(m) {
	case "system":
		t.system(content)
	case "user":
		t.user(m, content)
	case "assistant":
		t.assistant(m, content)
	case "tool":
		t.toolMessage(m, content)
	default:
		return false
	}
	return true
}

// stamp takes the time and the model of a message, where they are given.
func (t *talk) stamp(m jsonl.Value) {
	for _, key := range []string{"timestamp", "ts", "created_at", "createdAt", "time"} {
		if at := parseTime(m.Get(key)); !at.IsZero() {
			t.base.Time = at
			break
		}
	}
	t.names(m.Get("model"), m)
}

// names takes the name of the model.
func (t *talk) names(model, at jsonl.Value) {
	if name := model.Str(); name != "" && name != t.model {
		t.model = strings.Clone(name)
		t.send(Session, at, func(e *Event) { e.Session = &SessionInfo{Model: t.model} })
	}
}

func (t *talk) system(content jsonl.Value) {
	if bytes.Contains(content.Raw(), []byte("<function=")) {
		t.markup = true
	}
	t.say(content, Harness, Prompt, textOfBlocks(content))
}

func (t *talk) user(m, content jsonl.Value) {
	if content.Kind() != jsonl.Array {
		t.words(content)
		return
	}
	for _, b := range content.Elems() {
		switch typ := b.Get("type").Str(); typ {
		case "tool_result", "tool-result":
			t.block(b)
		case "text", "input_text", "":
			t.words(firstString(b))
		default:
			t.send(Other, b, nil)
		}
	}
}

// firstString is the text of a block, or the block itself when it is one.
func firstString(b jsonl.Value) jsonl.Value {
	if b.Kind() == jsonl.String {
		return b
	}
	return firstExisting(b, "text", "content")
}

// words are a user message's text: the human's own only when nothing says
// that the harness wrote it.
func (t *talk) words(v jsonl.Value) {
	head := v.Head(headWindow)
	switch {
	case v.RawLen() == 0:
	case strings.HasPrefix(head, "EXECUTION RESULT of ["):
		t.markup = true
		t.markupResult(v, head)
	case strings.HasPrefix(head, "OBSERVATION:\n"), strings.HasPrefix(head, "<returncode>"):
		t.observed(v)
	case isSummary(head):
		t.send(Compaction, v, func(e *Event) { e.Compaction = &CompactionInfo{Opaque: false} })
		t.say(v, Assistant, Summary, TextView(v))
	case strings.HasPrefix(head, "[Request interrupted by user"):
		t.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	case injected(head):
		t.say(v, Harness, Notice, TextView(v))
	case strings.HasPrefix(head, "Here's a running example of how to perform a task with the provided tools."):
		t.markup = true
		t.say(v, Human, Prose, TextOf(taskIn(v.Str())))
	default:
		t.say(v, Human, Prose, TextView(v))
	}
}

// observed reads an output that stands under the user's name, as harnesses
// without a tool API write it.
func (t *talk) observed(v jsonl.Value) {
	if len(t.open) == 0 {
		t.say(v, Harness, Notice, TextView(v))
		return
	}
	call := t.answer("", "")
	r := &ResultInfo{CallID: call.id, Tool: call.tool}
	genericEnd(r, call.act, TextView(v))
	t.give(v, r, TextView(v))
}

// taskIn is the human's task within the example that OpenHands puts around it.
func taskIn(s string) string {
	_, rest, ok := strings.Cut(s, "- NEW TASK DESCRIPTION -")
	if !ok {
		return s
	}
	rest = strings.TrimLeft(rest, "-\n")
	task, _, _ := strings.Cut(rest, "\n--------------------- END OF NEW TASK DESCRIPTION")
	return task
}

// isSummary recognises the summaries with which harnesses replace history, and
// which they put under the user's name.
func isSummary(head string) bool {
	for _, p := range []string{
		"This session is being continued from a previous conversation", "<state_snapshot>", "[Summary of earlier conversation]",
		"The conversation history before this point was compacted into the following summary",
		"The conversation so far has been compacted",
		"Another language model started to solve this problem and produced a summary",
	} {
		if strings.HasPrefix(head, p) {
			return true
		}
	}
	return false
}

func (t *talk) assistant(m, content jsonl.Value) {
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if r := m.Get(key); r.Kind() == jsonl.String && r.RawLen() > 0 {
			t.think(r, TextView(r))
			break
		}
	}
	for _, b := range m.Get("thinking_blocks").Elems() {
		t.thinking(b)
	}
	switch content.Kind() {
	case jsonl.String:
		t.speech(content)
	case jsonl.Array:
		for _, b := range content.Elems() {
			t.assistantBlock(b)
		}
	}
	for _, c := range m.Get("tool_calls").Elems() {
		if t.toolCall(c, c.Get("id").Str(), c.Get("function")) {
			t.ownOutput(c)
		}
	}
	if fc := m.Get("function_call"); fc.Kind() == jsonl.Object {
		t.toolCall(fc, "", fc)
	}
	t.count(m.Get("usage"), func(e *Event) { e.MsgID, e.Usage.Model = t.msgID, t.model })
}

// speech is an assistant's text: with inline thinking in front of it, and
// calls in markup behind it, where the log has either.
func (t *talk) speech(v jsonl.Value) {
	if v.RawLen() == 0 {
		return
	}
	head := v.Head(16)
	inline := strings.HasPrefix(strings.TrimLeft(head, "\n "), "<think>")
	if !inline && !(t.markup && bytes.Contains(v.Raw(), []byte("<function="))) {
		t.spoken(v, TextView(v))
		return
	}
	text := v.Str()
	if inline {
		thought, rest, closed := strings.Cut(text, "</think>")
		if closed {
			t.think(v, TextOf(strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(thought, "\n "), "<think>"))))
			text = strings.TrimSpace(rest)
		}
	}
	if t.markup {
		t.markupSpeech(v, text)
		return
	}
	t.spoken(v, TextOf(text))
}

func (t *talk) spoken(v jsonl.Value, text Text) {
	if text.Empty() {
		return
	}
	t.send(Message, v, func(e *Event) {
		e.Actor, e.Text, e.MsgID, e.Stopped = Assistant, text, t.msgID, t.stop
	})
}

// toolCall reads a call in OpenAI's shape; f holds its name and arguments.
// It reports whether there is one.
func (t *talk) toolCall(v jsonl.Value, id string, f jsonl.Value) bool {
	if !f.Exists() {
		f = v
	}
	name := firstExisting(f, "name", "function_name", "tool").Str()
	if name == "" && id == "" {
		t.send(Other, v, nil)
		return false
	}
	call := &CallInfo{ID: id, Tool: name, Act: actOf(name), Server: t.mute}
	args := t.callArgs(call, firstExisting(f, "arguments", "args", "input"))
	t.makeCall(v, call, func(e *Event) { e.MsgID, e.Stopped = t.msgID, t.stop })
	if call.Act == Finish {
		t.lastWords(v, args)
	}
	return true
}

// ownOutput reads a result that stands in its call.
func (t *talk) ownOutput(c jsonl.Value) {
	out := c.Get("output")
	if !out.Exists() || t.mute || len(t.open) == 0 {
		return
	}
	call := t.close(len(t.open) - 1)
	r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: errorFlag(c)}
	text := textOfBlocks(out)
	genericEnd(r, call.act, text)
	t.give(out, r, text)
}

// lastWords are the words that a call declares the task done with.
func (t *talk) lastWords(at, args jsonl.Value) {
	for _, key := range []string{"message", "result", "answer", "final_thought", "summary"} {
		if s := args.Get(key); s.Kind() == jsonl.String && s.RawLen() > 0 {
			text := TextOf(s.Str())
			t.send(Message, at, func(e *Event) { e.Actor, e.Text, e.Final, e.MsgID = Assistant, text, True, t.msgID })
			return
		}
	}
}

func (t *talk) toolMessage(m, content jsonl.Value) {
	text := textOfBlocks(content)
	call := t.answer(m.Get("tool_call_id").Str(), m.Get("name").Str())
	r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: errorFlag(m)}
	genericEnd(r, call.act, text)
	t.give(m, r, text)
}

// errorFlag is a harness's mark on a result, in its various spellings.
func errorFlag(m jsonl.Value) Flag {
	for _, key := range []string{"is_error", "isError"} {
		if f := flagAt(m, key); f != Unset {
			return f
		}
	}
	if m.Get("status").Str() == "error" {
		return True
	}
	return Unset
}
