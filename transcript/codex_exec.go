package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Codex `exec --json`, a stream without times.
//
//	record                                 event                      termination from
//	thread.started                         Session
//	item.started, item.completed
//	  command_execution                    ToolCall, ToolResult       exit_code, status completed|failed|declined|in_progress
//	  file_change, mcp_tool_call,
//	  collab_tool_call                     ToolCall, ToolResult       status, error
//	  web_search                           ToolCall (server)
//	  todo_list                            ToolCall (plan)
//	  agent_message, reasoning             Message, Reasoning
//	  error                                Status
//	turn.completed, turn.failed            Usage, TurnEnd
//	{"id","msg":{"type"}} (before 0.44)    as in a rollout: codex_events.go
//
// turn.completed counts the tokens of many requests: no context size.
var codexExecFormat = &Format{
	Name:  "codex-exec",
	Title: "Codex exec --json",
	Sniff: sniffCodexExec,
	New:   func() Decoder { return &codexExec{old: codex{live: true}} },
}

func sniffCodexExec(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		switch typ := v.Get("type").Str(); {
		case p.Path != "":
			return 0
		case typ == "thread.started" && v.Get("thread_id").Exists():
			return 95
		case strings.HasPrefix(typ, "item.") && (v.At("item", "type").Exists() || v.At("item", "item_type").Exists() || p.Partial && hasKeys(p.Keys, "item")):
			score = max(score, 85)
		case typ == "" && v.Get("id").Kind() == jsonl.String && v.At("msg", "type").Kind() == jsonl.String:
			score = max(score, 85)
		case typ == "turn.completed" && v.Get("usage").Exists(), typ == "turn.failed":
			score = max(score, 60)
		}
	}
	return score
}

type codexExec struct {
	old    codex // the kind before 0.44
	thread string
	open   map[string]string // items that were called and have not ended: id -> tool
	emit   Emit
	rec    *jsonl.Record
	base   Event
}

func (c *codexExec) Flush(Emit) {}

func (c *codexExec) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	if msg := root.Get("msg"); msg.Kind() == jsonl.Object {
		c.old.emit, c.old.rec = emit, rec
		c.old.base = Event{Pos: posOf(rec, ""), Type: msg.Get("type").Str()}
		c.old.event(msg)
		return
	}
	c.emit, c.rec = emit, rec
	typ := root.Get("type").Str()
	c.base = Event{Pos: posOf(rec, ""), Type: typ, Time: parseTime(root.Get("timestamp"))}
	switch typ {
	case "thread.started":
		c.started(root)
	case "turn.started":
		c.send(Status, root, func(e *Event) { e.Status = &StatusInfo{Name: "turn_started"} })
	case "item.started", "item.updated", "item.completed":
		c.item(root.Get("item"), typ == "item.completed")
	case "turn.completed", "turn.failed":
		c.turn(root)
	case "error":
		c.send(Status, root, func(e *Event) { e.Status = codexError(root) })
	case "":
		c.preamble(root)
	default:
		if strings.HasPrefix(typ, "item.") || strings.HasPrefix(typ, "request_") {
			c.send(Other, root, nil)
			return
		}
		c.send(Unknown, root, nil)
	}
}

func (c *codexExec) send(k Kind, v jsonl.Value, fill func(*Event)) {
	e := c.base
	e.Kind, e.Value = k, v
	if fill != nil {
		fill(&e)
	}
	c.emit(&e)
}

func (c *codexExec) started(root jsonl.Value) {
	id := root.Get("thread_id").Str()
	c.send(Session, root, func(e *Event) { e.Session = &SessionInfo{ID: id, Start: c.thread != "" && c.thread != id} })
	c.thread = strings.Clone(id)
	c.open = nil
}

// preamble reads the two lines without a type that begin the older stream: the
// configuration and the prompt.
func (c *codexExec) preamble(root jsonl.Value) {
	switch prompt := root.Get("prompt"); {
	case prompt.Kind() == jsonl.String:
		c.send(Message, prompt, func(e *Event) { e.Actor, e.Text = Human, TextView(prompt) })
	case root.Get("model").Kind() == jsonl.String:
		policy := root.Get("approval").Str()
		c.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{Model: root.Get("model").Str(), Dir: root.Get("workdir").Str(), Policy: policy, Auto: codexAuto(policy, "")}
		})
	default:
		c.send(Unknown, root, nil)
	}
}

func (c *codexExec) item(item jsonl.Value, done bool) {
	switch typ := cmp.Or(item.Get("type").Str(), item.Get("item_type").Str()); typ {
	case "command_execution":
		c.action(item, done, &CallInfo{Tool: typ, Act: Shell, Command: item.Get("command").Str()}, TextView(item.Get("aggregated_output")))
	case "file_change":
		c.action(item, done, &CallInfo{Tool: typ, Act: Edit, Path: item.Get("changes").Index(0).Get("path").Str(), Args: item.Get("changes")}, Text{})
	case "mcp_tool_call":
		tool := item.Get("server").Str() + "." + item.Get("tool").Str()
		c.action(item, done, &CallInfo{Tool: tool, Act: External, Args: item.Get("arguments")}, textOfBlocks(item.Get("result")))
	case "collab_tool_call":
		c.action(item, done, &CallInfo{Tool: item.Get("tool").Str(), Act: Subagent, Args: item.Get("prompt")}, Text{})
	case "web_search":
		if done {
			c.call(item, &CallInfo{Tool: typ, Act: Fetch, Args: item.Get("query"), Server: true})
		}
	case "todo_list":
		call := &CallInfo{Tool: typ, Act: Plan, Args: item.Get("items"), Server: true} // a state, not a request: no result follows
		fillTodos(call, item.Get("items"))
		c.call(item, call)
	case "agent_message", "assistant_message", "reasoning":
		c.words(item, typ == "reasoning", done)
	case "error":
		c.send(Status, item, func(e *Event) { e.Status = codexError(item) })
	case "plan":
		c.send(Other, item, nil)
	default:
		c.send(Unknown, item, nil)
	}
}

func (c *codexExec) words(item jsonl.Value, thinking, done bool) {
	text := item.Get("text")
	switch {
	case !done:
		c.send(Other, item, nil)
	case thinking:
		c.send(Reasoning, item, func(e *Event) {
			e.Actor, e.Text, e.Reasoning = Assistant, TextView(text), &ReasoningInfo{}
		})
	default:
		c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.MsgID = Assistant, TextView(text), item.Get("id").Str() })
	}
}

func (c *codexExec) call(item jsonl.Value, call *CallInfo) {
	call.ID = item.Get("id").Str()
	c.send(ToolCall, item, func(e *Event) { e.Actor, e.Call = Assistant, call })
}

// action reads an item that asks for something and later tells how it went.
// Some streams tell only the end.
func (c *codexExec) action(item jsonl.Value, done bool, call *CallInfo, text Text) {
	id := item.Get("id").Str()
	if _, open := c.open[id]; !open {
		if c.open == nil {
			c.open = map[string]string{}
		}
		c.open[strings.Clone(id)] = strings.Clone(call.Tool)
		c.call(item, call)
	} else if !done {
		c.send(Other, item, nil) // an update
	}
	if !done {
		return
	}
	delete(c.open, id)
	r := &ResultInfo{CallID: id, Tool: call.Tool}
	codexItemEnd(r, item, text)
	c.send(ToolResult, item, func(e *Event) { e.Actor, e.Result, e.Text = Tool, r, text })
	if r.Term.Kind == TermDenied {
		c.send(Decision, item, func(e *Event) { e.Decision = &DecisionInfo{Verb: Denied, CallID: id, Reason: "status: declined"} })
	}
}

func codexItemEnd(r *ResultInfo, item jsonl.Value, text Text) {
	if code, ok := item.Get("exit_code").Int(); ok {
		r.byCode(int(code), "exit_code")
	}
	r.byStatus(item.Get("status").Str())
	if limit, quote, late := timeoutAt(text.Head(headWindow)); late && r.Term.HasCode && r.Term.Code != 0 {
		r.Term = r.Term.withTimeout(limit, r.Term.Quote+", "+quote)
	}
	if msg := item.At("error", "message"); msg.Kind() == jsonl.String {
		r.Error = True
		r.Told = append(r.Told, Told{Field: "error.message", Value: msg.Head(120), Good: False})
	}
	if bad, ok := item.At("result", "isError").Bool(); ok {
		r.Told = append(r.Told, Told{Field: "result.isError", Value: strconv.FormatBool(bad), Good: FlagOf(!bad)})
	}
}

func (c *codexExec) turn(root jsonl.Value) {
	if u := root.Get("usage"); u.Kind() == jsonl.Object {
		info := &UsageInfo{}
		info.Cumulative, _ = u.Get("input_tokens").Int()
		info.Cached, _ = u.Get("cached_input_tokens").Int()
		info.Output, _ = u.Get("output_tokens").Int()
		info.Reasoning, _ = u.Get("reasoning_output_tokens").Int()
		c.send(Usage, u, func(e *Event) { e.Usage = info })
	}
	failed := c.base.Type == "turn.failed"
	if msg := root.At("error", "message"); failed {
		c.send(Status, root, func(e *Event) { e.Status = &StatusInfo{Name: "api_error", Error: msg.Head(240)} })
	}
	c.send(TurnEnd, root, func(e *Event) {
		e.Turn = &TurnInfo{Reason: "completed"}
		if failed {
			e.Turn = &TurnInfo{Reason: "error", Bad: true}
		}
	})
}

// liveEvent reads the events that only a stream has.
func (c *codex) liveEvent(p jsonl.Value) {
	id := p.Get("call_id").Str()
	switch p.Get("type").Str() {
	case "session_configured":
		c.send(Session, p, func(e *Event) {
			e.Session = &SessionInfo{ID: p.Get("session_id").Str(), Model: p.Get("model").Str()}
		})
	case "agent_reasoning", "agent_reasoning_raw_content":
		c.send(Reasoning, p, func(e *Event) {
			e.Actor, e.Text, e.Reasoning = Assistant, TextView(p.Get("text")), &ReasoningInfo{}
		})
	case "exec_command_begin":
		call := &CallInfo{ID: id, Tool: "exec_command", Act: Shell, Dir: p.Get("cwd").Str(), Args: p.Get("command")}
		fillCommand(call, p.Get("command"))
		c.begin(p, call)
	case "patch_apply_begin":
		c.begin(p, &CallInfo{ID: id, Tool: "apply_patch", Act: Edit, Path: firstKey(p.Get("changes")), Args: p.Get("changes")})
	case "mcp_tool_call_begin":
		i := p.Get("invocation")
		c.begin(p, &CallInfo{ID: id, Tool: i.Get("server").Str() + "." + i.Get("tool").Str(), Act: External, Args: i.Get("arguments")})
	case "web_search_begin":
		c.begin(p, &CallInfo{ID: id, Tool: "web_search", Act: Fetch, Server: true})
	case "plan_update":
		call := &CallInfo{Tool: "update_plan", Act: Plan, Args: p.Get("plan"), Server: true}
		fillTodos(call, p.Get("plan"))
		c.begin(p, call)
	default:
		c.quiet(p)
	}
}

func (c *codex) begin(p jsonl.Value, call *CallInfo) {
	c.remember(call, codexCall{})
	c.send(ToolCall, p, func(e *Event) { e.Actor, e.Call = Assistant, call })
}

func firstKey(v jsonl.Value) string {
	for key := range v.Members() {
		return key
	}
	return ""
}
