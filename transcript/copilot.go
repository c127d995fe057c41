package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// GitHub Copilot CLI: events.jsonl of a session.
//
//	record                                  event                   termination from
//	session.start, session.resume,
//	  session.model_change, ...             Session
//	user.message                            Message(human), or a notice by its source
//	assistant.message                       Message, Reasoning, ToolCall (toolRequests), Usage
//	tool.execution_start                    ToolCall, unless the message told it
//	tool.execution_complete                 ToolResult              success, shellExecution.exitCode, shell_exit, metrics.exit_code;
//	                                                                text: "<shellId: N completed with exit code N>", "... is still running after" (copilot_result.go)
//	permission.requested, .completed        Decision                result.kind
//	user_input.*, exit_plan_mode.*          Decision
//	system.notification                     Job                     kind.exitCode, or a notice
//	session.compaction_*, .truncation       Compaction, Message(summary)
//	session.usage_info, assistant.usage     Usage
//	session.task_complete                   Message(final), TurnEnd
//	abort, session.idle, session.shutdown   TurnEnd
//
// "success" says that the tool worked; the exit code says how the command did.
// Both are told.
var copilotFormat = &Format{
	Name:  "copilot-cli",
	Title: "GitHub Copilot CLI events",
	Sniff: sniffCopilot,
	New:   func() Decoder { return &copilot{} },
}

func sniffCopilot(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if p.Path != "" {
			return 0
		}
		family, _, dotted := strings.Cut(v.Get("type").Str(), ".")
		if !dotted && family != "abort" || v.Get("data").Kind() != jsonl.Object && !hasKeys(p.Keys, "data") {
			continue
		}
		if family == "session" && v.At("data", "producer").Str() == "copilot-agent" {
			return 97
		}
		if copilotFamilies[family] && v.Get("id").Exists() && v.Get("timestamp").Exists() && v.Get("parentId").Exists() {
			score = max(score, 90)
		} else if p.Partial && copilotFamilies[family] {
			score = max(score, 60)
		}
	}
	return score
}

var copilotFamilies = map[string]bool{
	"session": true, "user": true, "assistant": true, "tool": true, "system": true, "hook": true, "permission": true, "subagent": true, "abort": true, "skill": true,
}

type copilot struct {
	id, model string
	window    int64
	calls     map[string]copilotCall // by call id, until the result came
	asked     map[string]string      // request id -> call id
	thought   uint64                 // the newest reasoning
	emit      Emit
	rec       *jsonl.Record
	base      Event
}

// copilotCall is what is remembered of an open call.
type copilotCall struct {
	tool string
	act  Act
	job  string
}

func (c *copilot) Flush(Emit) {}

func (c *copilot) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	c.emit, c.rec = emit, rec
	typ, d := root.Get("type").Str(), root.Get("data")
	c.base = Event{
		Pos: posOf(rec, root.Get("id").Str()), Time: parseTime(root.Get("timestamp")), Parent: root.Get("parentId").Str(), Type: typ,
		Agent: cmp.Or(d.Get("parentToolCallId").Str(), root.Get("agentId").Str()),
	}
	family, name, _ := strings.Cut(typ, ".")
	switch family {
	case "session":
		c.session(name, d)
	case "user":
		c.userMessage(name, d)
	case "assistant":
		c.assistant(name, d)
	case "tool":
		c.tool(name, d)
	case "permission", "user_input", "exit_plan_mode", "elicitation":
		c.decision(typ, d)
	case "system":
		c.system(name, d)
	case "abort":
		reason := cmp.Or(d.Get("reason").Str(), "aborted")
		c.send(TurnEnd, d, func(e *Event) { e.Turn = &TurnInfo{Reason: reason, Bad: true} })
	case "hook", "subagent":
		c.send(Status, d, func(e *Event) { e.Status = &StatusInfo{Name: typ, Error: d.Get("error").Head(160)} })
	case "skill", "command", "commands", "external_tool", "pending_messages", "capabilities", "mcp", "mcp_app", "sampling", "auto_mode_switch", "model":
		c.send(Other, d, nil)
	default:
		c.send(Unknown, root, nil)
	}
}

func (c *copilot) send(k Kind, v jsonl.Value, fill func(*Event)) {
	e := c.base
	e.Kind, e.Value = k, v
	if fill != nil {
		fill(&e)
	}
	c.emit(&e)
}

func (c *copilot) session(name string, d jsonl.Value) {
	switch name {
	case "start", "resume", "handoff":
		c.begin(d)
	case "model_change":
		c.tell(d, &SessionInfo{Model: d.Get("newModel").Str()})
	case "auto_mode_resolved":
		c.tell(d, &SessionInfo{Model: d.Get("chosenModel").Str()})
	case "context_changed":
		c.tell(d, &SessionInfo{Dir: d.Get("cwd").Str()})
	case "permissions_changed":
		all, _ := d.Get("allowAllPermissions").Bool()
		policy := "ask"
		if all {
			policy = "allowAllPermissions"
		}
		c.tell(d, &SessionInfo{Policy: policy, Auto: FlagOf(all)})
	case "mode_changed":
		mode := d.Get("newMode").Str()
		c.tell(d, &SessionInfo{Policy: mode})
	case "error":
		code, _ := d.Get("statusCode").Int()
		c.send(Status, d, func(e *Event) {
			e.Status = &StatusInfo{Name: "api_error", Code: int(code), Error: d.Get("message").Head(240)}
		})
	case "info", "warning", "remote_steerable_changed", "title_changed", "background_tasks_changed":
		c.send(Status, d, func(e *Event) { e.Status = &StatusInfo{Name: name} })
	case "compaction_start", "compaction_complete", "truncation", "usage_info":
		c.context(name, d)
	case "task_complete", "idle", "shutdown":
		c.ended(name, d)
	default:
		c.send(Other, d, nil)
	}
}

func (c *copilot) tell(d jsonl.Value, s *SessionInfo) {
	if s.Model != "" {
		c.model = strings.Clone(s.Model)
	}
	c.send(Session, d, func(e *Event) { e.Session = s })
}

func (c *copilot) begin(d jsonl.Value) {
	id := d.Get("sessionId").Str()
	s := &SessionInfo{ID: id, Model: d.Get("selectedModel").Str(), Dir: d.At("context", "cwd").Str(), Version: d.Get("copilotVersion").Str()}
	s.Start = id != "" && c.id != "" && id != c.id
	if id != "" {
		c.id = strings.Clone(id)
	}
	c.tell(d, s)
}

// context reads what happens to the model's window.
func (c *copilot) context(name string, d jsonl.Value) {
	tokens := func(key string) int64 { n, _ := d.Get(key).Int(); return n }
	if w := tokens("tokenLimit"); w > 0 && w != c.window {
		c.window = w
		c.send(Session, d, func(e *Event) { e.Session = &SessionInfo{Window: w} })
	}
	switch name {
	case "usage_info":
		c.send(Usage, d, func(e *Event) {
			e.Usage = &UsageInfo{Context: tokens("currentTokens"), Window: tokens("tokenLimit"), Model: c.model}
		})
	case "compaction_start":
		c.send(Compaction, d, func(e *Event) { e.Compaction = &CompactionInfo{Begin: true, PreTokens: tokens("currentTokens")} })
	case "compaction_complete":
		info := &CompactionInfo{PreTokens: tokens("preCompactionTokens"), PostTokens: tokens("postCompactionTokens")}
		if ok, known := d.Get("success").Bool(); known && !ok {
			info.Failed = cmp.Or(d.Get("error").Head(160), d.At("error", "message").Head(160), "success: false")
		}
		summary := d.Get("summaryContent")
		info.Opaque = summary.RawLen() == 0 && info.Failed == ""
		c.send(Compaction, d, func(e *Event) { e.Compaction = info })
		if summary.RawLen() > 0 {
			c.send(Message, summary, func(e *Event) { e.Actor, e.Role, e.Text = Assistant, Summary, TextView(summary) })
		}
	case "truncation":
		if tokens("messagesRemovedDuringTruncation") == 0 && tokens("tokensRemovedDuringTruncation") == 0 {
			c.send(Other, d, nil)
			return
		}
		c.send(Compaction, d, func(e *Event) {
			e.Compaction = &CompactionInfo{
				Trigger: "auto", Opaque: true, PreTokens: tokens("preTruncationTokensInMessages"), PostTokens: tokens("postTruncationTokensInMessages"),
			}
		})
	}
}

func (c *copilot) ended(name string, d jsonl.Value) {
	turn := &TurnInfo{Reason: "completed"}
	switch name {
	case "task_complete":
		if text := d.Get("summary"); text.RawLen() > 0 {
			c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(text), True })
		}
		if ok, known := d.Get("success").Bool(); known && !ok {
			turn.Reason, turn.Bad = cmp.Or(d.Get("reason").Head(80), d.Get("outcome").Head(80), "failed"), true
		}
	case "idle":
		if aborted, _ := d.Get("aborted").Bool(); aborted {
			turn.Reason, turn.Bad = "aborted", true
		}
	case "shutdown":
		turn.Session, turn.Reason = true, cmp.Or(d.Get("shutdownType").Str(), "shutdown")
		turn.Bad = turn.Reason == "error"
	}
	c.send(TurnEnd, d, func(e *Event) { e.Turn = turn })
}

// userMessage is the person's own only when no source says who else wrote it.
func (c *copilot) userMessage(name string, d jsonl.Value) {
	text := d.Get("content")
	if text.RawLen() == 0 {
		text = d.Get("transformedContent")
	}
	source := d.Get("source").Str()
	switch {
	case name != "message":
		c.send(Other, d, nil)
	case source != "" && source != "user" && source != "cli", injected(text.Head(headWindow)), strings.HasPrefix(strings.TrimSpace(text.Head(40)), "<system_reminder>"):
		c.send(Message, text, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Notice, TextView(text) })
	default:
		c.send(Message, text, func(e *Event) {
			e.Actor, e.Text = Human, TextView(text)
			if e.Agent != "" {
				e.Actor = Peer
			}
		})
	}
}

func (c *copilot) assistant(name string, d jsonl.Value) {
	switch name {
	case "message":
		c.message(d)
	case "reasoning":
		c.thinks(d.Get("content"), "", d.Get("reasoningId").Str())
	case "usage":
		u := &UsageInfo{Model: d.Get("model").Str()}
		u.Context, _ = d.Get("inputTokens").Int() // the cache is part of it
		u.Cached, _ = d.Get("cacheReadTokens").Int()
		u.Output, _ = d.Get("outputTokens").Int()
		u.Reasoning, _ = d.Get("reasoningTokens").Int()
		c.send(Usage, d, func(e *Event) { e.Usage = u })
	default: // turn_start, turn_end: one request each, no turn of the talk
		c.send(Status, d, func(e *Event) { e.Status = &StatusInfo{Name: "progress"} })
	}
}

func (c *copilot) message(d jsonl.Value) {
	id := d.Get("messageId").Str()
	if model := d.Get("model").Str(); model != "" && model != c.model && c.base.Agent == "" {
		c.tell(d, &SessionInfo{Model: model})
	}
	if signature := cmp.Or(d.Get("encryptedContent").Str(), d.Get("reasoningOpaque").Str()); signature != "" || d.Get("reasoningText").RawLen() > 0 {
		c.thinks(d.Get("reasoningText"), signature, id)
	}
	if text := d.Get("content"); text.RawLen() > 0 {
		c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.MsgID, e.Final = Assistant, TextView(text), id, codexFinal(d) })
	}
	for _, r := range d.Get("toolRequests").Elems() {
		c.call(r, r.Get("name").Str(), r.Get("arguments"), id)
	}
	if out, ok := d.Get("outputTokens").Int(); ok {
		c.send(Usage, d, func(e *Event) { e.MsgID, e.Usage = id, &UsageInfo{Output: out, Model: c.model} })
	}
}

// thinks emits reasoning once: an event of its own may repeat the message's.
func (c *copilot) thinks(text jsonl.Value, signature, id string) {
	hash := xxhash.Sum64(text.Raw())
	if signature == "" && hash == c.thought {
		c.send(Other, text, nil)
		return
	}
	c.thought = hash
	c.send(Reasoning, text, func(e *Event) {
		e.Actor, e.MsgID, e.Text = Assistant, id, TextView(text)
		e.Reasoning = &ReasoningInfo{Signature: signature, Hollow: text.RawLen() == 0}
		if !text.Exists() {
			e.Value = c.rec.Root
		}
	})
}

// call emits a call once, whether the message or the start tells it first.
func (c *copilot) call(v jsonl.Value, tool string, args jsonl.Value, msg string) {
	id := v.Get("toolCallId").Str()
	if _, known := c.calls[id]; known {
		c.send(Other, v, nil)
		return
	}
	call := &CallInfo{ID: id, Tool: tool, Act: actOf(tool), Args: args}
	if server := cmp.Or(v.Get("mcpServerName").Str(), v.Get("mcp_server_name").Str()); server != "" {
		call.Act = External
	}
	if args.Kind() == jsonl.String {
		call.Free = true
		if m := codexPatch.FindStringSubmatch(args.Head(4 << 10)); m != nil {
			call.Path = m[1]
		}
	}
	fillCall(call, args)
	call.Timeout = 0
	for _, key := range []string{"initial_wait", "timeout"} { // in seconds
		if secs, ok := args.Get(key).Float(); ok {
			call.Timeout = time.Duration(secs * float64(time.Second))
		}
	}
	async, _ := args.Get("async").Bool()
	call.Background = call.Background || async || args.Get("mode").Str() == "async"
	if call.Act == Shell {
		call.JobID = "" // the shell it runs in, no job yet
	}
	if c.calls == nil {
		c.calls = map[string]copilotCall{}
	}
	c.calls[strings.Clone(id)] = copilotCall{tool: strings.Clone(tool), act: call.Act, job: strings.Clone(call.JobID)}
	c.send(ToolCall, v, func(e *Event) { e.Actor, e.MsgID, e.Call = Assistant, msg, call })
}
