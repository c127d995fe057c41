package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// assistantBlock reads one content block of an assistant's message.
func (t *talk) assistantBlock(b jsonl.Value) {
	switch b.Get("type").Str() {
	case "text", "output_text", "":
		t.speech(firstString(b))
	case "thinking", "reasoning", "redacted_thinking":
		t.thinking(b)
	case "tool_use", "server_tool_use", "mcp_tool_use":
		call := claudeCall(b)
		t.makeCall(b, call, func(e *Event) { e.MsgID, e.Stopped = t.msgID, t.stop })
		if call.Act == Finish {
			t.lastWords(b, call.Args)
		}
	case "tool-call":
		t.toolCall(b, cmp.Or(b.Get("toolCallId").Str(), b.Get("id").Str()), jsonl.Value{})
	default:
		t.block(b)
	}
}

func (t *talk) thinking(b jsonl.Value) {
	text := firstExisting(b, "thinking", "text", "reasoning")
	t.send(Reasoning, b, func(e *Event) {
		e.Actor, e.MsgID, e.Text = Assistant, t.msgID, TextView(text)
		e.Reasoning = &ReasoningInfo{
			Signature: cmp.Or(b.Get("signature").Str(), b.Get("data").Str()),
			Redacted:  b.Get("type").Str() == "redacted_thinking",
			Hollow:    text.RawLen() == 0,
		}
	})
}

// claudeTools are the names that Claude Code gives its tools. Where they come
// with an error flag, the flag is its word on how the call ended.
var claudeTools = map[string]bool{
	"Bash": true, "BashOutput": true, "KillShell": true, "KillBash": true, "TaskOutput": true, "TaskStop": true, "Task": true, "Agent": true,
	"Read": true, "Edit": true, "Write": true, "MultiEdit": true, "NotebookEdit": true, "Glob": true, "Grep": true, "LS": true,
	"WebFetch": true, "WebSearch": true, "TodoWrite": true, "ExitPlanMode": true, "AskUserQuestion": true, "Skill": true,
	"TaskCreate": true, "TaskUpdate": true, "ToolSearch": true,
}

// block reads a block that may stand under any role: a result, or something
// that is not judged.
func (t *talk) block(b jsonl.Value) {
	typ := b.Get("type").Str()
	if typ != "tool_result" && typ != "tool-result" && !strings.HasSuffix(typ, "_tool_result") {
		t.send(Other, b, nil)
		return
	}
	text := textOfBlocks(firstExisting(b, "content", "output", "result"))
	call := t.answer(cmp.Or(b.Get("tool_use_id").Str(), b.Get("toolCallId").Str()), b.Get("toolName").Str())
	r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: errorFlag(b)}
	// Only a shell result always carries the flag: elsewhere success writes none.
	if claudeTools[call.tool] && (r.Error != Unset || !mayRun(call.act)) {
		claudeEnd(r, call.act, text, jsonl.Value{})
	} else {
		genericEnd(r, call.act, text)
	}
	t.give(b, r, text)
}

// partsOf reads a message in Gemini's shape.
func (t *talk) partsOf(m, parts jsonl.Value) bool {
	role := roleOf(m)
	for _, p := range parts.Elems() {
		text := p.Get("text")
		thought, _ := p.Get("thought").Bool()
		called, back := firstExisting(p, "functionCall", "function_call", "tool_code"), firstExisting(p, "functionResponse", "function_response", "tool_result")
		switch {
		case called.Exists():
			t.toolCall(called, called.Get("id").Str(), called)
		case back.Exists():
			t.functionResponse(back)
		case thought:
			t.send(Reasoning, text, func(e *Event) {
				e.Actor, e.Text = Assistant, TextView(text)
				e.Reasoning = &ReasoningInfo{Signature: p.Get("thoughtSignature").Str()}
			})
		case text.Kind() != jsonl.String && p.Kind() != jsonl.String:
			t.send(Other, p, nil)
		case role == "system":
			t.system(firstString(p))
		case role == "assistant":
			t.speech(firstString(p))
		default:
			t.words(firstString(p))
		}
	}
	t.count(m.Get("usageMetadata"), nil)
	return role != ""
}

func (t *talk) functionResponse(f jsonl.Value) {
	resp := f.Get("response")
	call := t.answer(f.Get("id").Str(), f.Get("name").Str())
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, f.Get("name").Str())}
	text := textOfBlocks(firstExisting(resp, "output", "content", "result", "llmContent"))
	if resp.Kind() == jsonl.String {
		text = TextView(resp)
	}
	if failed := resp.Get("error"); failed.RawLen() > 0 {
		r.Error = True
		text = TextView(failed)
	}
	genericEnd(r, call.act, text)
	t.give(f, r, text)
}

// The markup of OpenHands for models without a tool API: a call is text like
//
//	<function=NAME>
//	<parameter=KEY>VALUE</parameter>
//	</function>
//
// and its result a user message "EXECUTION RESULT of [NAME]:\n...".

// markupSpeech reads an assistant's text with at most one call at its end.
func (t *talk) markupSpeech(v jsonl.Value, s string) {
	words, call, found := strings.Cut(s, "<function=")
	t.spoken(v, TextOf(strings.TrimSpace(words)))
	if !found {
		return
	}
	name, body, ok := strings.Cut(call, ">")
	if !ok || strings.ContainsAny(name, "\n <") {
		return
	}
	info := &CallInfo{Tool: name, Act: actOf(name), Free: true, Args: v}
	last := ""
	for {
		_, rest, more := strings.Cut(body, "<parameter=")
		if !more {
			break
		}
		key, rest, _ := strings.Cut(rest, ">")
		value, after, _ := strings.Cut(rest, "</parameter>")
		value = strings.TrimPrefix(strings.TrimSuffix(value, "\n"), "\n")
		fillWord(info, key, value)
		if key == "message" {
			last = value
		}
		body = after
	}
	t.makeCall(v, info, nil)
	if info.Act == Finish && last != "" {
		t.send(Message, v, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextOf(last), True })
	}
}

// fillWord reads one argument that is plain text.
func fillWord(c *CallInfo, key, value string) {
	switch key {
	case "command", "cmd", "code":
		switch {
		case c.Act == Shell:
			c.Command = value
		case c.Act == Edit && value == "view": // str_replace_editor and its kin
			c.Act = Read
		}
	case "path", "file_path", "filename", "target_file":
		c.Path = value
	case "cwd", "workdir":
		c.Dir = value
	case "view_range", "offset", "limit", "start_line", "end_line", "line_range":
		c.Limited = true
	case "is_input":
		if value == "true" && c.Act == Shell {
			c.Act, c.Input = Input, c.Command
		}
	case "old_str", "search":
		c.Old = value
	case "new_str", "file_text", "content":
		c.New = value
	case "timeout":
		c.Timeout = parseSpan(value + "s")
	}
}

func (t *talk) markupResult(v jsonl.Value, head string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(head, "EXECUTION RESULT of ["), "]")
	call := t.answer("", name)
	r := &ResultInfo{CallID: call.id, Tool: name}
	text := TextView(v)
	if _, body, ok := strings.Cut(v.Str(), "]:\n"); ok {
		text = TextOf(body)
	}
	genericEnd(r, actOf(name), text)
	t.give(v, r, text)
}
