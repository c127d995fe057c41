package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// item reads one item of the model's conversation, whatever the era wraps it
// in.
func (c *codex) item(p jsonl.Value) {
	switch p.Get("type").Str() {
	case "message", "":
		c.message(p)
	case "reasoning":
		c.reasoning(p)
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "tool_call":
		c.toolCall(p)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output", "mcp_tool_call_output":
		c.output(p)
	case "tool_result":
		c.foreignResult(p)
	case "web_search_call", "image_generation_call":
		c.serverCall(p)
	case "agent_message":
		c.send(Message, p, func(e *Event) { e.Actor, e.Text = Peer, textOfBlocks(p.Get("content")) })
	case "compaction", "compaction_summary", "compaction_trigger", "context_compaction", "ghost_snapshot", "additional_tools", "token_count", "other":
		c.send(Other, p, nil)
	default:
		c.send(Unknown, p, nil)
	}
}

func (c *codex) message(p jsonl.Value) {
	content := p.Get("content")
	switch p.Get("role").Str() {
	case "assistant":
		final := codexFinal(p)
		for text := range codexTexts(content) {
			c.spoken(text, -1, func(e *Event) { e.MsgID, e.Final = p.Get("id").Str(), final })
		}
	case "user":
		c.userMessage(content)
	case "developer", "system":
		c.send(Message, content, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Prompt, textOfBlocks(content) })
	default:
		c.send(Unknown, p, nil)
	}
}

// codexFinal reads the phase of a message: older records have none.
func codexFinal(p jsonl.Value) Flag {
	switch p.Get("phase").Str() {
	case "final_answer":
		return True
	case "commentary":
		return False
	}
	return Unset
}

// codexTexts yields the texts of a message's content, which is a list of
// blocks or one string.
func codexTexts(content jsonl.Value) func(yield func(jsonl.Value) bool) {
	return func(yield func(jsonl.Value) bool) {
		if content.Kind() == jsonl.String {
			yield(content)
			return
		}
		for _, b := range content.Elems() {
			if text := b.Get("text"); text.Kind() == jsonl.String && !yield(text) {
				return
			}
		}
	}
}

// userMessage tells a person's words from what the harness writes as "user".
// One record may hold both.
func (c *codex) userMessage(content jsonl.Value) {
	var human, notice Text
	for text := range codexTexts(content) {
		switch {
		case codexInjected(text):
			notice.Add(text)
		case !c.isTwin(xxhash.Sum64String(text.Str())^1, -1):
			human.Add(text)
		}
	}
	if !notice.Empty() {
		c.send(Message, content, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Notice, notice })
	}
	if !human.Empty() {
		c.human(content, human)
	}
}

func (c *codex) human(v jsonl.Value, text Text) {
	c.send(Message, v, func(e *Event) {
		e.Actor, e.Text = Human, text
		if c.peer {
			e.Actor = Peer
		}
	})
}

var codexTag = regexp.MustCompile(`^\s*<([a-z]+(?:_[a-z]+)+)[ >]`)

// codexInjected recognises the fragments of context that Codex adds under the
// user's name: by their known beginnings, and by their form, a snake_case tag
// around all of the text.
func codexInjected(v jsonl.Value) bool {
	head := v.Head(headWindow)
	if injected(head) || strings.HasPrefix(head, "<image name=") || head == "</image>" || head == "<image>" {
		return true
	}
	m := codexTag.FindStringSubmatch(head)
	return m != nil && strings.HasSuffix(strings.TrimRight(v.Tail(tailWindow), " \n"), "</"+m[1]+">")
}

// isTwin reports whether the same words were told by the other of the two
// records that Codex writes for them, and remembers them if not. by is 1 for
// an event and -1 for an item.
func (c *codex) isTwin(hash uint64, by int) bool {
	n := c.twins[hash]
	if n*by < 0 {
		c.twins[hash] = n + by
		return true
	}
	if c.twins == nil {
		c.twins = map[uint64]int{}
	}
	c.twins[hash] = n + by
	return false
}

// spoken emits words of the assistant, once.
func (c *codex) spoken(text jsonl.Value, by int, fill func(*Event)) {
	hash := xxhash.Sum64String(text.Str())
	c.last = hash
	if !c.live && c.isTwin(hash, by) {
		c.send(Other, text, nil)
		return
	}
	c.send(Message, text, func(e *Event) {
		e.Actor, e.Text = Assistant, TextView(text)
		fill(e)
	})
}

func (c *codex) reasoning(p jsonl.Value) {
	var text Text
	for _, key := range []string{"summary", "content"} {
		for t := range codexTexts(p.Get(key)) {
			text.Add(t)
		}
	}
	c.send(Reasoning, p, func(e *Event) {
		e.Actor, e.MsgID, e.Text = Assistant, p.Get("id").Str(), text
		e.Reasoning = &ReasoningInfo{Signature: p.Get("encrypted_content").Str(), Hollow: text.Empty()}
	})
}

// toolCall reads a call in any of its shapes: arguments as JSON in a string,
// free text, or an action object.
func (c *codex) toolCall(p jsonl.Value) {
	name := cmp.Or(p.Get("name").Str(), p.At("function", "name").Str())
	call := &CallInfo{ID: cmp.Or(p.Get("call_id").Str(), p.Get("id").Str()), Tool: name}
	switch p.Get("type").Str() {
	case "local_shell_call":
		call.Tool = "local_shell"
	case "tool_search_call":
		call.Tool = "tool_search"
	}
	call.Act = codexAct(call.Tool, p.Get("namespace").Str())
	open := codexCall{act: call.Act}
	switch input := p.Get("input"); {
	case input.Exists():
		open.code = c.freeCall(call, input)
	case p.Get("action").Kind() == jsonl.Object:
		c.fillArgs(call, p.Get("action"))
		call.Dir = cmp.Or(p.At("action", "working_directory").Str(), call.Dir)
	default:
		c.fillArgs(call, c.arguments(call, p.Get("arguments")))
	}
	c.remember(call, open)
	c.send(ToolCall, p, func(e *Event) { e.Actor, e.MsgID, e.Call = Assistant, p.Get("id").Str(), call })
}

func (c *codex) remember(call *CallInfo, open codexCall) {
	if call.ID == "" {
		return
	}
	if c.calls == nil {
		c.calls = map[string]codexCall{}
	}
	open.tool, open.act, open.job = strings.Clone(call.Tool), call.Act, strings.Clone(call.JobID)
	c.calls[strings.Clone(call.ID)] = open
	if call.Act == Input && strings.Contains(call.Input, "\x03") {
		if c.ctrlC == nil {
			c.ctrlC = map[string]bool{}
		}
		c.ctrlC[open.job] = true
	}
}

func codexAct(tool, namespace string) Act {
	if strings.HasPrefix(namespace, "mcp__") {
		return External
	}
	act := actOf(tool)
	if act == NoAct && (namespace != "" || strings.Contains(tool, "__")) {
		return External
	}
	return act
}

// arguments parses JSON in a string. The value holds until the next call.
func (c *codex) arguments(call *CallInfo, v jsonl.Value) jsonl.Value {
	if v.Kind() != jsonl.String {
		return v
	}
	in, err := jsonl.ParseString(v.Str(), &c.args)
	if err != nil {
		call.Broken = err.Error()
		return v
	}
	return in
}

func (c *codex) fillArgs(call *CallInfo, in jsonl.Value) {
	call.Args = in
	fillCall(call, in)
	raised, _ := in.Get("with_escalated_permissions").Bool()
	call.Escalated = raised || in.Get("sandbox_permissions").Str() == "require_escalated"
	if cell := in.Get("cell_id"); cell.Exists() && call.Act == Wait {
		call.Act, call.JobID = Poll, codexCell(idText(cell))
		if stop, _ := in.Get("terminate").Bool(); stop {
			call.Act = Kill
		}
	}
}

// codexCell keeps the cells of code mode apart from the sessions of commands.
func codexCell(id string) string { return "cell " + id }

var (
	codexPatch  = regexp.MustCompile(`(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$`)
	codexNested = regexp.MustCompile(`\bexec_command\(\s*\{\s*(?:"?\w+"?\s*:\s*[^{}"',]+,\s*)*"?cmd"?\s*:\s*("(?:[^"\\\n]|\\.)*")`)
)

// freeCall reads a call whose input is free text: a patch, or in code mode a
// script. It reports whether a script runs commands.
func (c *codex) freeCall(call *CallInfo, input jsonl.Value) (code bool) {
	call.Free, call.Args = true, input
	switch {
	case call.Act == Edit:
		if m := codexPatch.FindStringSubmatch(input.Head(4 << 10)); m != nil {
			call.Path = m[1]
		}
	case call.Tool == "exec":
		call.Act = NoAct
		var lines []string
		for _, m := range codexNested.FindAllStringSubmatch(input.Head(64<<10), 32) {
			if line, err := strconv.Unquote(m[1]); err == nil {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			call.Act, call.Command, code = Shell, strings.Join(lines, "\n"), true
		}
	case call.Act == Shell:
		call.Command = input.Str()
	}
	return code
}

// serverCall is a call that the provider runs itself; its result stands
// nowhere.
func (c *codex) serverCall(p jsonl.Value) {
	tool := strings.TrimSuffix(p.Get("type").Str(), "_call")
	c.send(ToolCall, p, func(e *Event) {
		e.Actor = Assistant
		e.Call = &CallInfo{ID: p.Get("id").Str(), Tool: tool, Act: actOf(tool), Args: p.Get("action"), Server: true}
	})
}

// foreignResult is how other programs that write rollouts tell a result.
func (c *codex) foreignResult(p jsonl.Value) {
	result := p.Get("result")
	r := &ResultInfo{CallID: p.Get("call_id").Str(), Tool: p.Get("name").Str()}
	if code, ok := result.Get("exitCode").Int(); ok {
		r.Term = OfCode(int(code))
		r.Term.Source, r.Term.Quote = FromField, "exitCode: "+strconv.FormatInt(code, 10)
	}
	c.send(ToolResult, p, func(e *Event) {
		e.Actor, e.Result, e.Text = Tool, r, TextView(result.Get("stdout"), result.Get("stderr"))
	})
}
