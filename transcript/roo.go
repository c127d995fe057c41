package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Roo Code and Cline: the history of API messages, an array of Anthropic
// messages whose calls are XML in the text.
//
//	record                                  event
//	user / <task>, <feedback>               Message(human)
//	  / [tool for '...'] Result:            the next texts are a ToolResult   text: "Exit code: N", see generic_end.go
//	  / The user approved / denied ...      Decision, Message(human)
//	  / <environment_details>               Message(notice)
//	assistant / text                        Message
//	  / <thinking>                          Reasoning
//	  / <tool_name><arg>...</arg>           ToolCall
//	isSummary                               Compaction, Message(summary)
//
// Newer versions use the provider's own tool calls: those are read as in any
// Anthropic log.
var rooFormat = &Format{
	Name:  "roo",
	Title: "Roo Code / Cline API history",
	Sniff: sniffRoo,
	New:   func() Decoder { return &roo{} },
}

func sniffRoo(head []jsonl.Probe) int {
	for _, p := range head {
		m := p.Root
		if m.Kind() == jsonl.Array {
			m = m.Index(0)
		}
		if !m.Get("ts").Exists() || m.Get("role").Str() == "" {
			continue
		}
		for _, b := range m.Get("content").Elems() {
			if s := b.Get("text").Head(40); strings.HasPrefix(s, "<environment_details>") || strings.HasPrefix(s, "<task>") {
				return 75
			}
		}
	}
	return 0
}

type roo struct {
	talk
	waiting bool // a "Result:" line was read, its text comes next
	told    string
}

func (r *roo) Flush(Emit) {}

func (r *roo) Decode(rec *jsonl.Record, emit Emit) {
	r.begin(rec, emit)
	if rec.Root.Kind() == jsonl.Array {
		for _, m := range rec.Root.Elems() {
			r.one(m)
		}
		return
	}
	r.one(rec.Root)
}

func (r *roo) one(m jsonl.Value) {
	content := m.Get("content")
	summary, _ := m.Get("isSummary").Bool()
	switch {
	case !isMessage(m):
		r.send(Unknown, m, nil)
	case summary:
		r.stamp(m)
		r.send(Compaction, m, func(e *Event) { e.Compaction = &CompactionInfo{} })
		r.say(content, Assistant, Summary, textOfBlocks(content))
	case roleOf(m) == "user" && content.Kind() == jsonl.Array:
		r.stamp(m)
		r.blocks(content)
	case roleOf(m) == "assistant" && !nativeCalls(content):
		r.stamp(m)
		r.said(content)
	default:
		r.message(m)
	}
}

func nativeCalls(content jsonl.Value) bool {
	for _, b := range content.Elems() {
		if b.Get("type").Str() != "text" {
			return true
		}
	}
	return false
}

// blocks reads what the user's side says: the human's words, a result, and
// what the editor adds.
func (r *roo) blocks(content jsonl.Value) {
	r.waiting = false
	for _, b := range content.Elems() {
		if b.Get("type").Str() != "text" {
			r.block(b)
			continue
		}
		text := b.Get("text")
		head := text.Head(headWindow)
		switch {
		case strings.HasPrefix(head, "[") && strings.HasSuffix(strings.TrimRight(text.Tail(12), "\n"), "] Result:"):
			name, _, _ := strings.Cut(head[1:], " ")
			r.waiting, r.told = true, strings.Clone(strings.TrimSuffix(name, "]"))
		case strings.HasPrefix(head, "<environment_details>"):
			r.say(text, Harness, Notice, TextView(text))
		case strings.HasPrefix(head, "<task>"), strings.HasPrefix(head, "<feedback>"), strings.HasPrefix(head, "<user_message>"):
			r.say(text, Human, Prose, TextView(text))
		case strings.HasPrefix(head, "The user approved this operation"), strings.HasPrefix(head, "The user denied this operation"):
			r.decided(text, head)
		case r.waiting:
			r.waiting = false
			r.result(text)
		case strings.HasPrefix(head, "Tool ["), strings.HasPrefix(head, "[ERROR]"), strings.HasPrefix(head, "[TASK RESUMPTION]"), injected(head):
			r.say(text, Harness, Notice, TextView(text))
		default:
			r.words(text)
		}
	}
}

// decided reads the human's answer to an approval, which comes with words of
// their own. A refused call ends here; an approved one's result comes next.
func (r *roo) decided(text jsonl.Value, head string) {
	d := &DecisionInfo{Verb: Approved, By: ByHuman, Reason: Keep(firstLine(head), 120)}
	if n := len(r.open); n > 0 {
		d.CallID = r.open[n-1].id
	}
	if strings.HasPrefix(head, "The user denied") {
		d.Verb = Denied
	}
	r.send(Decision, text, func(e *Event) { e.Decision = d })
	if d.Verb == Denied && r.waiting {
		r.waiting = false
		r.result(text)
	}
	if words := tagIn(text.Str(), "feedback"); words != "" {
		r.say(text, Human, Prose, TextOf(words))
	}
}

func (r *roo) result(text jsonl.Value) {
	call := r.answer("", r.told)
	if call.id == "" {
		call = r.answer("", "")
	}
	info := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, r.told)}
	head := text.Head(headWindow)
	switch {
	case strings.HasPrefix(head, "The tool execution failed"):
		info.Error = True
		info.Term = Termination{Kind: TermNonzero, Source: FromText, Quote: Keep(firstLine(head), 120)}
	case strings.HasPrefix(head, "Command execution was not successful"):
		info.byText(Termination{Kind: TermNonzero, Source: FromText, Quote: Keep(firstLine(head), 120)})
	case strings.HasPrefix(head, "Command is still running in terminal"):
		info.Partial = true
		info.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: "Command is still running in terminal"}
	default:
		genericEnd(info, call.act, TextView(text))
	}
	r.give(text, info, TextView(text))
}

// said reads the assistant's text: its words end where the first call begins.
func (r *roo) said(content jsonl.Value) {
	if content.Kind() == jsonl.String {
		r.speechOf(content)
	}
	for _, b := range content.Elems() {
		r.speechOf(b.Get("text"))
	}
}

func (r *roo) speechOf(v jsonl.Value) {
	s := v.Str()
	if rest, ok := strings.CutPrefix(s, "<thinking>"); ok {
		if thought, after, closed := strings.Cut(rest, "</thinking>"); closed {
			r.think(v, TextOf(strings.TrimSpace(thought)))
			s = after
		}
	}
	name, at := rooCall(s)
	if at < 0 {
		r.spoken(v, TextOf(strings.TrimSpace(s)))
		return
	}
	r.spoken(v, TextOf(strings.TrimSpace(s[:at])))
	body, _, _ := strings.Cut(s[at+len(name)+2:], "</"+name+">")
	call := &CallInfo{Tool: name, Act: actOf(name), Free: true, Args: v}
	for _, key := range []string{"command", "path", "cwd", "content", "timeout", "start_line", "end_line", "line_range"} {
		if value := tagIn(body, key); value != "" {
			fillWord(call, key, value)
		}
	}
	if call.Act == Plan {
		call.Todos = rooTodos(tagIn(body, "todos"))
	}
	r.makeCall(v, call, nil)
	if result := tagIn(body, "result"); call.Act == Finish && result != "" {
		r.send(Message, v, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextOf(result), True })
	}
}

// rooTodos reads a list of "[x] text" lines.
func rooTodos(s string) []TodoItem {
	var items []TodoItem
	for line := range strings.Lines(s) {
		line = strings.TrimLeft(strings.TrimSpace(line), "- ")
		mark, text, ok := strings.Cut(line, "] ")
		if !ok || !strings.HasPrefix(mark, "[") {
			continue
		}
		status := map[string]string{"[x": "completed", "[X": "completed", "[-": "in_progress"}[mark]
		items = append(items, TodoItem{Text: text, Status: cmp.Or(status, "pending")})
	}
	return items
}

var rooTools = []string{
	"execute_command", "read_file", "write_to_file", "apply_diff", "search_files", "list_files", "list_code_definition_names", "use_mcp_tool",
	"access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task", "switch_mode", "update_todo_list", "insert_content",
	"search_and_replace", "replace_in_file", "browser_action", "fetch_instructions", "codebase_search", "run_slash_command", "plan_mode_respond",
}

// rooCall finds the first call: a line that begins with the tag of a tool.
func rooCall(s string) (name string, at int) {
	at = -1
	for _, tool := range rooTools {
		tag := "<" + tool + ">"
		i := strings.Index(s, "\n"+tag)
		if strings.HasPrefix(s, tag) {
			i = -1
		} else if i < 0 {
			continue
		}
		if i++; at < 0 || i < at {
			name, at = tool, i
		}
	}
	return name, at
}
