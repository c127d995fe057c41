package transcript

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Claude Code: session files, subagent files and `--output-format stream-json`.
//
//	record                      event                      termination from
//	assistant / text            Message(assistant)
//	assistant / thinking        Reasoning
//	assistant / tool_use        ToolCall
//	assistant / usage           Usage (once a message id counts)
//	user / tool_result          ToolResult                 text: "Exit code N", "Command timed out after", rejection texts;
//	                                                       toolUseResult: interrupted, returnCodeInterpretation, backgroundTaskId, status, exitCode
//	user / text                 Message(human), or a notice when the harness wrote it
//	user / isCompactSummary     Message(summary)
//	system / compact_boundary   Compaction
//	<task-notification>         Job                        status, "(exit code N)"
//	queue-operation             Queue, Job
//	permission-mode, mode       Session (policy)
//	result (stream-json)        Message(final), TurnEnd
//
// Success writes no exit code: a shell result without an error flag is
// inferred to have ended ok only when the mirror says it was not interrupted.
var claudeFormat = &Format{
	Name:  "claude-code",
	Title: "Claude Code session",
	Sniff: sniffClaude,
	New:   func() Decoder { return &claude{} },
}

var claudeStreamFormat = &Format{
	Name:  "claude-stream-json",
	Title: "Claude Code stream-json",
	Sniff: sniffClaudeStream,
	New:   func() Decoder { return &claude{stream: true} },
}

var claudeMetaTypes = map[string]bool{
	"summary": true, "file-history-snapshot": true, "file-history-delta": true, "queue-operation": true, "ai-title": true, "custom-title": true,
	"agent-name": true, "last-prompt": true, "mode": true, "permission-mode": true, "pr-link": true, "worktree-state": true,
}

func sniffClaude(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		typ := v.Get("type").Str()
		switch {
		case v.Get("sessionId").Exists() && v.Get("uuid").Exists() && v.Get("parentUuid").Exists():
			if v.At("message", "parts").Exists() {
				return 0 // Qwen writes the same envelope
			}
			return 95
		case v.Get("sessionId").Exists() && v.Get("message").Exists() && (typ == "user" || typ == "assistant"):
			score = max(score, 80)
		case claudeMetaTypes[typ] && (v.Get("sessionId").Exists() || v.Get("leafUuid").Exists() || v.Get("snapshot").Exists()):
			score = max(score, 70)
		case p.Partial && hasKeys(p.Keys, "sessionId", "uuid"):
			score = max(score, 80)
		}
	}
	return score
}

func sniffClaudeStream(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		typ := v.Get("type").Str()
		switch {
		case typ == "system" && v.Get("session_id").Exists() && v.Get("subtype").Exists() && !v.Get("sessionId").Exists():
			return 95
		case v.Get("session_id").Exists() && v.Get("message").Exists() && (typ == "assistant" || typ == "user") && !v.Get("sessionId").Exists():
			score = max(score, 85)
		case typ == "result" && v.Get("num_turns").Exists():
			score = max(score, 60)
		}
	}
	return score
}

func hasKeys(keys []string, want ...string) bool {
	for _, w := range want {
		if !slices.Contains(keys, w) {
			return false
		}
	}
	return true
}

type claude struct {
	stream  bool
	session string
	model   string
	tools   map[string]string // call id -> tool name, until the result came
	seen    map[uint64]bool   // hashes of the record ids so far: a resumed or forked session tells them again
	emit    Emit
	rec     *jsonl.Record
	base    Event // envelope facts of the current record
	event   Event // the event that is being emitted, reused
}

func (c *claude) Flush(Emit) {}

// claudeHead is the envelope of a record, read in one walk.
type claudeHead struct {
	typ, subtype, uuid, parent, session, agent, time, operation jsonl.Value
	message, mirror, content, compact, parentTool, origin, data jsonl.Value
	meta, sidechain, summary, replay                            bool
}

func readClaudeHead(root jsonl.Value) (h claudeHead) {
	for key, v := range root.Members() {
		switch key {
		case "type":
			h.typ = v
		case "subtype":
			h.subtype = v
		case "uuid":
			h.uuid = v
		case "parentUuid", "logicalParentUuid":
			if v.Kind() == jsonl.String {
				h.parent = v
			}
		case "sessionId", "session_id":
			h.session = v
		case "agentId":
			h.agent = v
		case "timestamp":
			h.time = v
		case "operation":
			h.operation = v
		case "message":
			h.message = v
		case "toolUseResult", "tool_use_result":
			h.mirror = v
		case "content":
			h.content = v
		case "compactMetadata", "compact_metadata", "microcompactMetadata":
			h.compact = v
		case "parent_tool_use_id":
			h.parentTool = v
		case "origin":
			h.origin = v
		case "data":
			h.data = v
		case "isMeta":
			h.meta, _ = v.Bool()
		case "isSidechain":
			h.sidechain, _ = v.Bool()
		case "isCompactSummary":
			h.summary, _ = v.Bool()
		case "isReplay":
			h.replay, _ = v.Bool()
		}
	}
	return h
}

func (c *claude) Decode(rec *jsonl.Record, emit Emit) {
	if rec.Root.Kind() != jsonl.Object {
		emit(unknownEvent(rec, "not an object"))
		return
	}
	h := readClaudeHead(rec.Root)
	c.emit, c.rec = emit, rec
	c.base = Event{
		Pos:    posOf(rec, h.uuid.Str()),
		Time:   parseTime(h.time),
		Parent: h.parent.Str(),
		Type:   h.typ.Str(),
	}
	if h.sidechain || h.parentTool.Kind() == jsonl.String {
		c.base.Agent = h.agent.Str()
		if c.base.Agent == "" {
			c.base.Agent = h.parentTool.Str()
		}
		if c.base.Agent == "" {
			c.base.Agent = "sidechain"
		}
	}
	if id := h.session.Str(); id != "" && id != c.session {
		c.session = strings.Clone(id)
		c.send(Session, rec.Root, func(e *Event) { e.Session = &SessionInfo{ID: c.session} })
	}
	if c.repeated(h.uuid.Str()) {
		c.base.Origin = Copied
	}
	c.record(h)
}

// repeated reports whether a record with this id was told before.
func (c *claude) repeated(uuid string) bool {
	if uuid == "" {
		return false
	}
	if c.seen == nil {
		c.seen = map[uint64]bool{}
	}
	key := xxhash.Sum64String(uuid)
	if c.seen[key] {
		return true
	}
	c.seen[key] = true
	return false
}

func (c *claude) record(h claudeHead) {
	switch h.typ.Str() {
	case "assistant":
		c.assistant(h)
	case "user":
		c.user(h)
	case "system":
		c.system(h)
	case "progress", "tool_progress", "stream_event", "control_request", "control_response", "rate_limit_event", "auth_status":
		c.send(Status, c.rec.Root, func(e *Event) { e.Status = &StatusInfo{Name: "progress"} })
	case "queue-operation":
		c.queue(h)
	case "attachment":
		c.attachment(h)
	case "permission-mode", "mode":
		mode := c.rec.Root.Get("permissionMode").Str() + c.rec.Root.Get("mode").Str()
		c.send(Session, c.rec.Root, func(e *Event) { e.Session = claudePolicy(mode) })
	case "result":
		c.result()
	case "summary", "file-history-snapshot", "file-history-delta", "ai-title", "custom-title", "agent-name", "last-prompt", "pr-link",
		"worktree-state", "bridge-session", "cost-state", "atis-latch", "frame-link", "started", "relocated", "launched", "task-summary",
		"speculation-accept", "tag", "agent-color", "agent-setting", "content-replacement", "marble-origami-commit", "marble-origami-snapshot":
		c.send(Other, c.rec.Root, nil)
	default:
		c.send(Unknown, c.rec.Root, nil)
	}
}

// send emits one event with the envelope of the current record.
func (c *claude) send(k Kind, v jsonl.Value, fill func(*Event)) {
	c.event = c.base
	c.event.Kind, c.event.Value = k, v
	if fill != nil {
		fill(&c.event)
	}
	c.emit(&c.event)
}

func claudePolicy(mode string) *SessionInfo {
	s := &SessionInfo{Policy: mode, Auto: False}
	switch mode {
	case "bypassPermissions", "auto", "dontAsk":
		s.Auto = True
	case "":
		s.Auto = Unset
	}
	return s
}

func (c *claude) assistant(h claudeHead) {
	m := h.message
	model, id, stop := m.Get("model").Str(), m.Get("id").Str(), m.Get("stop_reason").Str()
	if model == "<synthetic>" {
		c.synthetic(h)
		return
	}
	if model != "" && model != c.model {
		c.model = strings.Clone(model)
		c.send(Session, m, func(e *Event) { e.Session = &SessionInfo{Model: c.model} })
	}
	content := m.Get("content")
	if content.Kind() == jsonl.String {
		c.send(Message, content, func(e *Event) {
			e.Actor, e.Text, e.MsgID, e.Stopped = Assistant, TextView(content), id, stop
		})
	}
	for _, b := range content.Elems() {
		c.assistantBlock(b, id, stop)
	}
	c.usage(m.Get("usage"), id)
}

func (c *claude) assistantBlock(b jsonl.Value, id, stop string) {
	switch b.Get("type").Str() {
	case "text":
		text := b.Get("text")
		c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.MsgID, e.Stopped = Assistant, TextView(text), id, stop })
	case "thinking":
		c.send(Reasoning, b, func(e *Event) {
			e.Actor, e.MsgID, e.Text = Assistant, id, TextView(b.Get("thinking"))
			e.Reasoning = &ReasoningInfo{Signature: b.Get("signature").Str(), Hollow: b.Get("thinking").RawLen() == 0}
		})
	case "redacted_thinking":
		c.send(Reasoning, b, func(e *Event) {
			e.Actor, e.MsgID = Assistant, id
			e.Reasoning = &ReasoningInfo{Signature: b.Get("data").Str(), Redacted: true}
		})
	case "tool_use", "server_tool_use", "mcp_tool_use":
		c.send(ToolCall, b, func(e *Event) {
			e.Actor, e.MsgID, e.Stopped = Assistant, id, stop
			e.Call = claudeCall(b)
			if c.tools == nil {
				c.tools = map[string]string{}
			}
			c.tools[strings.Clone(e.Call.ID)] = strings.Clone(e.Call.Tool)
		})
	default:
		c.send(Other, b, nil)
	}
}

// claudeCall reads a tool_use block; Anthropic message logs share the shape.
func claudeCall(b jsonl.Value) *CallInfo {
	in := b.Get("input")
	call := &CallInfo{ID: b.Get("id").Str(), Tool: b.Get("name").Str(), Args: in, Server: b.Get("type").Str() == "server_tool_use"}
	call.Act = actOf(call.Tool)
	fillCall(call, in)
	return call
}

// claudeUsage adds up what was sent: input_tokens alone leaves the cache out.
func (c *claude) usage(u jsonl.Value, id string) {
	if u.Kind() != jsonl.Object {
		return
	}
	fresh, _ := u.Get("input_tokens").Int()
	made, _ := u.Get("cache_creation_input_tokens").Int()
	cached, _ := u.Get("cache_read_input_tokens").Int()
	out, _ := u.Get("output_tokens").Int()
	c.send(Usage, u, func(e *Event) {
		e.MsgID = id
		e.Usage = &UsageInfo{Context: fresh + made + cached, Cached: cached, Output: out, Model: c.model}
	})
}

// synthetic messages are the client's own: provider errors and fillers.
func (c *claude) synthetic(h claudeHead) {
	text := textOfBlocks(h.message.Get("content"))
	isError, _ := c.rec.Root.Get("isApiErrorMessage").Bool()
	c.send(Status, h.message, func(e *Event) {
		e.Actor, e.Text = Harness, text
		e.Status = &StatusInfo{Name: "synthetic"}
		if head := text.Head(160); isError || strings.HasPrefix(head, "API Error") {
			e.Status.Name, e.Status.Error = "api_error", head
			e.Status.Code = apiErrorCode(head)
		}
	})
}

func apiErrorCode(s string) int {
	rest, ok := strings.CutPrefix(s, "API Error: ")
	if !ok || len(rest) < 3 {
		return 0
	}
	n, err := strconv.Atoi(rest[:3])
	if err != nil {
		return 0
	}
	return n
}

func (c *claude) user(h claudeHead) {
	if mode := c.rec.Root.Get("permissionMode").Str(); mode != "" {
		c.send(Session, c.rec.Root, func(e *Event) { e.Session = claudePolicy(mode) })
	}
	content := h.message.Get("content")
	if content.Kind() == jsonl.String {
		c.words(h, content)
		return
	}
	for _, b := range content.Elems() {
		switch b.Get("type").Str() {
		case "tool_result":
			c.toolResult(h, b)
		case "text":
			c.words(h, b.Get("text"))
		default:
			c.send(Other, b, nil)
		}
	}
}

// words are a user record's text: the human's own only when nothing says that
// the harness wrote it.
func (c *claude) words(h claudeHead, v jsonl.Value) {
	head := v.Head(headWindow)
	switch {
	case h.summary:
		c.send(Message, v, func(e *Event) { e.Actor, e.Role, e.Text = Assistant, Summary, TextView(v) })
	case strings.HasPrefix(head, "[Request interrupted by user"):
		c.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	case strings.Contains(head, "<task-notification>"):
		c.notification(v.Str(), v)
	case strings.Contains(head, "<command-args>") && !h.meta && claudeHuman(h) && tagIn(v.Str(), "command-args") != "":
		args := strings.Clone(tagIn(v.Str(), "command-args")) // what follows a slash command is the human's own
		c.send(Message, v, func(e *Event) { e.Actor, e.Role, e.Text = Human, Prose, TextOf(args) })
	case h.meta || !claudeHuman(h) || injected(head):
		c.send(Message, v, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Notice, TextView(v) })
	case c.base.Agent != "":
		c.send(Message, v, func(e *Event) { e.Actor, e.Role, e.Text = Peer, Prose, TextView(v) })
	default:
		c.send(Message, v, func(e *Event) { e.Actor, e.Role, e.Text = Human, Prose, TextView(v) })
	}
}

func claudeHuman(h claudeHead) bool {
	kind := h.origin.Get("kind").Str()
	return kind == "" || kind == "human" || kind == "cli"
}

// injected recognises the beginnings that harnesses give to what they write
// under the user's name.
func injected(head string) bool {
	head = strings.TrimLeft(head, " \n\t")
	if !strings.HasPrefix(head, "<") && !strings.HasPrefix(head, "[") && !strings.HasPrefix(head, "#") &&
		!strings.HasPrefix(head, "This ") && !strings.HasPrefix(head, "Caveat:") && !strings.HasPrefix(head, ">>>") {
		return false
	}
	for _, p := range injectedPrefixes {
		if strings.HasPrefix(head, p) {
			return true
		}
	}
	return false
}

var injectedPrefixes = []string{
	"<system-reminder>", "<command-name>", "<command-message>", "<command-args>", "<local-command-", "<bash-stdout>", "<bash-stderr>", "<bash-input>",
	"<task-notification>", "<user-prompt-submit-hook>", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>",
	"<permissions instructions>", "<skill>", "<subagent_notification>", "<user_shell_command>", "<collaboration_mode>", "<teammate-message",
	"<environment_details>", "<ide_", "<state_snapshot>", "<agent-message", "<context>", "<recommended_plugins>", "<apps_instructions>",
	"[SYSTEM NOTIFICATION", "[Request interrupted", "[Image: source", "Caveat: The messages below",
	"# AGENTS.md instructions", "# Context from my IDE setup", "This session is being continued from a previous conversation",
	">>> APPROVAL REQUEST", ">>> TRANSCRIPT",
}

func (c *claude) system(h claudeHead) {
	switch h.subtype.Str() {
	case "compact_boundary":
		c.boundary(h, false)
	case "microcompact_boundary":
		c.boundary(h, true)
	case "init":
		c.init()
	case "api_error", "api_retry":
		code, _ := c.rec.Root.At("error", "status").Int()
		c.send(Status, c.rec.Root, func(e *Event) { e.Status = &StatusInfo{Name: "retry", Code: int(code)} })
	case "turn_duration":
		c.send(TurnEnd, c.rec.Root, func(e *Event) { e.Turn = &TurnInfo{Reason: "completed"} })
	case "task_notification":
		c.taskNotification()
	case "task_started":
		c.send(Job, c.rec.Root, func(e *Event) {
			e.Job = &JobInfo{ID: c.rec.Root.Get("task_id").Str(), CallID: c.rec.Root.Get("tool_use_id").Str(), State: JobStarted}
		})
	case "status":
		c.send(Status, c.rec.Root, func(e *Event) { e.Status = &StatusInfo{Name: c.rec.Root.Get("status").Str()} })
	default:
		c.send(Other, c.rec.Root, nil)
	}
}

func (c *claude) init() {
	r := c.rec.Root
	c.model = strings.Clone(r.Get("model").Str())
	c.send(Session, r, func(e *Event) {
		s := claudePolicy(r.Get("permissionMode").Str())
		s.Model, s.Dir, s.Version = c.model, r.Get("cwd").Str(), r.Get("claude_code_version").Str()
		for _, t := range r.Get("tools").Elems() {
			s.Tools = append(s.Tools, t.Str())
		}
		e.Session = s
	})
}

func (c *claude) boundary(h claudeHead, micro bool) {
	info := &CompactionInfo{Micro: micro}
	for key, v := range h.compact.Members() {
		switch key {
		case "trigger":
			info.Trigger = v.Str()
		case "preTokens", "pre_tokens":
			info.PreTokens, _ = v.Int()
		case "postTokens", "post_tokens":
			info.PostTokens, _ = v.Int()
		case "durationMs", "duration_ms":
			ms, _ := v.Int()
			info.Duration = time.Duration(ms) * time.Millisecond
		case "compactedToolIds":
			for _, id := range v.Elems() {
				info.Dropped = append(info.Dropped, id.Str())
			}
		}
	}
	c.send(Compaction, c.rec.Root, func(e *Event) { e.Compaction = info })
}

func (c *claude) queue(h claudeHead) {
	head := h.content.Head(headWindow)
	if strings.Contains(head, "<task-notification>") && h.operation.Str() == "enqueue" {
		c.notification(h.content.Str(), h.content)
		return
	}
	c.send(Queue, c.rec.Root, func(e *Event) {
		e.Queue = &QueueInfo{Verb: h.operation.Str()}
		if h.content.Exists() {
			e.Queue.Hash, e.Text = hashOf(h.content.Raw()), TextView(h.content)
		}
	})
}

func (c *claude) attachment(h claudeHead) {
	a := c.rec.Root.Get("attachment")
	if a.Get("type").Str() != "queued_command" {
		c.send(Other, a, nil)
		return
	}
	prompt := a.Get("prompt")
	switch {
	case strings.Contains(prompt.Head(headWindow), "<task-notification>"):
		c.notification(prompt.Str(), prompt)
	case a.Get("commandMode").Str() == "prompt" && !injected(prompt.Head(headWindow)):
		c.send(Message, prompt, func(e *Event) { e.Actor, e.Text = Human, TextView(prompt) })
	default:
		c.send(Message, prompt, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Notice, TextView(prompt) })
	}
}

// result is the last line of a stream: how the run ended, and its last words.
func (c *claude) result() {
	r := c.rec.Root
	if text := r.Get("result"); text.Kind() == jsonl.String {
		c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(text), True })
	}
	sub := r.Get("subtype").Str()
	isError, _ := r.Get("is_error").Bool()
	c.send(TurnEnd, r, func(e *Event) {
		e.Turn = &TurnInfo{Reason: sub, Session: true, Bad: isError || sub != "success"}
	})
	for _, m := range r.Get("modelUsage").Members() {
		if window, ok := m.Get("contextWindow").Int(); ok {
			c.send(Session, m, func(e *Event) { e.Session = &SessionInfo{Window: window} })
		}
	}
}
