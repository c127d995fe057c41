package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// event reads one event of the running agent. In a rollout most of them repeat
// what an item tells; in `exec --json` of the older kind they are all there is.
func (c *codex) event(p jsonl.Value) {
	switch p.Get("type").Str() {
	case "agent_message":
		c.spoken(p.Get("message"), 1, func(e *Event) { e.Final = codexFinal(p) })
	case "user_message":
		c.typed(p)
	case "item_completed":
		c.itemCompleted(p.Get("item"))
	case "exec_command_end":
		c.commandEnd(p, p.Get("call_id").Str())
	case "patch_apply_end":
		c.flagEnd(p, "success", TextView(p.Get("stdout"), p.Get("stderr")))
	case "dynamic_tool_call_response":
		c.flagEnd(p, "success", textOfBlocks(p.Get("content_items")))
	case "mcp_tool_call_end":
		c.mcpEnd(p)
	case "token_count":
		c.tokens(p)
	case "guardian_assessment":
		c.guardian(p)
	case "exec_approval_request", "apply_patch_approval_request":
		c.send(Decision, p, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Requested, ID: p.Get("call_id").Str(), CallID: p.Get("call_id").Str(), Subject: p.Get("reason").Str()}
		})
	case "context_compacted":
		c.contextCompacted(p)
	default:
		c.turnEvent(p)
	}
}

// turnEvent reads the events that stand around the model's work.
func (c *codex) turnEvent(p jsonl.Value) {
	switch p.Get("type").Str() {
	case "task_started", "turn_started":
		c.twins = nil
		c.setWindow(p)
		c.send(Status, p, func(e *Event) { e.Status = &StatusInfo{Name: "turn_started"} })
	case "task_complete", "turn_complete":
		c.taskComplete(p)
	case "turn_aborted":
		c.send(TurnEnd, p, func(e *Event) { e.Turn = &TurnInfo{Reason: cmp.Or(p.Get("reason").Str(), "aborted"), Bad: true} })
	case "shutdown_complete":
		c.send(TurnEnd, p, func(e *Event) { e.Turn = &TurnInfo{Reason: "shutdown", Session: true} })
	case "error", "stream_error":
		c.send(Status, p, func(e *Event) { e.Status = codexError(p) })
	case "thread_rolled_back", "sub_agent_activity", "background_event", "warning", "guardian_warning":
		c.send(Status, p, func(e *Event) {
			e.Status = &StatusInfo{Name: p.Get("type").Str()}
			e.Text = TextView(p.Get("message"))
		})
	default:
		if c.live {
			c.liveEvent(p)
			return
		}
		c.quiet(p)
	}
}

// codexQuiet are events that are known and judge nothing, or repeat an item.
var codexQuiet = map[string]bool{
	"agent_reasoning": true, "agent_reasoning_raw_content": true, "agent_reasoning_section_break": true, "web_search_end": true,
	"image_generation_end": true, "view_image_tool_call": true, "dynamic_tool_call_request": true, "entered_review_mode": true, "exited_review_mode": true,
	"thread_goal_updated": true, "thread_name_updated": true, "thread_settings_applied": true, "undo_started": true, "undo_completed": true,
	"account/rateLimits/updated": true, "turn.completed": true, "plan_update": true, "turn_diff": true, "raw_response_item": true, "item_started": true,
	"session_configured": true, "deprecation_notice": true, "model_reroute": true, "patch_apply_updated": true, "web_search_begin": true,
	"image_generation_begin": true, "elicitation_request": true, "request_user_input": true, "request_permissions": true, "terminal_interaction": true,
	"patch_apply_begin": true, "exec_command_begin": true, "mcp_tool_call_begin": true, "user_turn": true,
}

func (c *codex) quiet(p jsonl.Value) {
	typ := p.Get("type").Str()
	known := codexQuiet[typ] || strings.HasSuffix(typ, "_delta") || strings.HasSuffix(typ, "_response")
	for _, group := range []string{"collab_", "hook_", "mcp_", "skills_", "realtime_"} {
		known = known || strings.HasPrefix(typ, group)
	}
	if !known {
		c.send(Unknown, p, nil)
		return
	}
	c.send(Other, p, nil)
}

// typed is what a person typed, as the interface took it.
func (c *codex) typed(p jsonl.Value) {
	text := p.Get("message")
	kind := p.Get("kind").Str()
	switch {
	case kind != "" && kind != "plain" && kind != "user_message", codexInjected(text):
		c.send(Message, text, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Notice, TextView(text) })
	case c.isTwin(xxhash.Sum64String(text.Str())^1, 1):
		c.send(Other, p, nil)
	default:
		c.human(text, TextView(text))
	}
}

// itemCompleted is how paginated histories tell what other eras tell by their
// own events.
func (c *codex) itemCompleted(item jsonl.Value) {
	switch item.Get("type").Str() {
	case "UserMessage":
		for text := range codexTexts(item.Get("content")) {
			if c.isTwin(xxhash.Sum64String(text.Str())^1, 1) {
				c.send(Other, text, nil)
			} else {
				c.human(text, TextView(text))
			}
		}
	case "AgentMessage":
		for text := range codexTexts(item.Get("content")) {
			c.spoken(text, 1, func(e *Event) { e.Final = codexFinal(item) })
		}
	case "CommandExecution":
		c.commandEnd(item, item.Get("id").Str())
	case "FileChange", "McpToolCall":
		c.statusEnd(item)
	case "ContextCompaction":
		c.contextCompacted(item)
	default:
		c.send(Other, item, nil)
	}
}

// commandEnd reads the typed end of a command. It comes before or after the
// output, and for a command that went on, when the process is over.
func (c *codex) commandEnd(p jsonl.Value, id string) {
	r := &ResultInfo{CallID: id, Repeats: !c.live}
	if code, ok := p.Get("exit_code").Int(); ok {
		r.byCode(int(code), "exit_code")
	}
	r.byStatus(p.Get("status").Str())
	if secs, ok := p.At("duration", "secs").Float(); ok {
		nanos, _ := p.At("duration", "nanos").Float()
		r.Duration = time.Duration(secs*float64(time.Second) + nanos)
	}
	out := p.Get("aggregated_output")
	if limit, quote, late := timeoutAt(cmp.Or(p.Get("formatted_output").Head(headWindow), out.Head(headWindow))); late && r.Term.Kind != TermOK {
		r.Term = r.Term.withTimeout(limit, r.Term.Quote+", "+quote)
	}
	if t, ok := c.special[id]; ok && r.Term.Kind != TermOK {
		r.Term = t
	}
	if session, ok := c.running[id]; ok {
		delete(c.running, id)
		c.send(Job, p, func(e *Event) {
			e.Actor, e.Job = Harness, &JobInfo{ID: session, CallID: id, State: JobEnded, Term: r.Term}
		})
		return
	}
	if p.Get("source").Str() == "user_shell" {
		r.Repeats = false
		c.send(ToolCall, p, func(e *Event) {
			e.Actor, e.Call = Human, &CallInfo{ID: id, Tool: "user_shell", Act: Shell, Dir: p.Get("cwd").Str()}
			fillCommand(e.Call, p.Get("command"))
		})
	}
	c.told(r, p, TextView(out))
}

// byStatus takes the status word of an ended item. It decides only where no
// code does; one that says otherwise than the code is told beside it.
func (r *ResultInfo) byStatus(status string) {
	kind, ok := map[string]TermKind{"completed": TermOK, "failed": TermNonzero, "declined": TermDenied, "in_progress": TermStillRunning, "inProgress": TermStillRunning}[status]
	if !ok {
		return
	}
	if kind != TermStillRunning {
		r.Told = append(r.Told, Told{Field: "status", Value: status, Good: FlagOf(kind == TermOK)})
	}
	r.NotRun = kind == TermDenied
	if !r.Term.HasCode || kind == TermDenied {
		r.Term = Termination{Kind: kind, Source: FromField, Quote: "status: " + status}
	}
}

// told emits what an event says about a result, and keeps it for the output
// when that is still to come.
func (c *codex) told(r *ResultInfo, p jsonl.Value, text Text) {
	if open, ok := c.calls[r.CallID]; ok {
		r.Tool = open.tool
		if c.live {
			delete(c.calls, r.CallID)
		} else {
			if c.ended == nil {
				c.ended = map[string]codexEnd{}
			}
			c.ended[strings.Clone(r.CallID)] = codexEnd{term: r.Term, told: r.Told}
		}
	}
	c.send(ToolResult, p, func(e *Event) { e.Actor, e.Result, e.Text = Tool, r, text })
}

func (c *codex) flagEnd(p jsonl.Value, field string, text Text) {
	r := &ResultInfo{CallID: p.Get("call_id").Str(), Repeats: !c.live}
	if good, ok := p.Get(field).Bool(); ok {
		r.byFlag(good, field+": "+strconv.FormatBool(good))
	}
	if status := p.Get("status").Str(); status == "declined" || r.Term.Kind == TermUnknown {
		r.byStatus(status)
	}
	c.told(r, p, text)
}

func (c *codex) statusEnd(item jsonl.Value) {
	r := &ResultInfo{CallID: item.Get("id").Str(), Repeats: !c.live}
	r.byStatus(item.Get("status").Str())
	c.told(r, item, textOfBlocks(item.Get("result")))
}

func (c *codex) mcpEnd(p jsonl.Value) {
	r := &ResultInfo{CallID: p.Get("call_id").Str(), Repeats: !c.live}
	result := p.Get("result")
	text := textOfBlocks(result.At("Ok", "content"))
	switch bad, known := result.At("Ok", "isError").Bool(); {
	case result.Get("Err").Exists():
		text = TextView(result.Get("Err"))
		r.byFlag(false, "result: Err")
	case known:
		r.byFlag(!bad, "isError: "+strconv.FormatBool(bad))
	case result.Get("Ok").Exists():
		r.byFlag(true, "result: Ok")
	}
	c.told(r, p, text)
}

func (c *codex) setWindow(p jsonl.Value) {
	window, ok := p.Get("model_context_window").Int()
	if !ok || window == c.window {
		return
	}
	c.window = window
	c.send(Session, p, func(e *Event) { e.Session = &SessionInfo{Window: window} })
}

// tokens reads a count: the last request's on its own, the total of the
// thread. Ticks that only refresh the rate limits tell nothing new.
func (c *codex) tokens(p jsonl.Value) {
	info := p.Get("info")
	total, known := info.At("total_token_usage", "total_tokens").Int()
	if info.Kind() != jsonl.Object || known && total == c.total {
		c.send(Other, p, nil)
		return
	}
	c.total = total
	c.setWindow(info)
	last := info.Get("last_token_usage")
	u := &UsageInfo{Model: c.model}
	u.Context, _ = last.Get("input_tokens").Int()
	u.Cached, _ = last.Get("cached_input_tokens").Int()
	u.Output, _ = last.Get("output_tokens").Int()
	u.Reasoning, _ = last.Get("reasoning_output_tokens").Int()
	u.Cumulative, _ = info.At("total_token_usage", "input_tokens").Int()
	u.Window, _ = info.Get("model_context_window").Int()
	c.send(Usage, p, func(e *Event) { e.Usage = u })
}

// guardian is the review of an action by a model that stands in for the user.
func (c *codex) guardian(p jsonl.Value) {
	verb, ok := map[string]DecisionVerb{
		"in_progress": Requested, "approved": Approved, "denied": Denied, "timed_out": Expired, "aborted": Withdrawn,
	}[p.Get("status").Str()]
	if !ok {
		c.send(Other, p, nil)
		return
	}
	d := &DecisionInfo{Verb: verb, ID: p.Get("id").Str(), CallID: p.Get("target_item_id").Str(), Reason: p.Get("rationale").Head(120)}
	d.Subject = cmp.Or(p.At("action", "command").Head(120), p.At("action", "type").Str())
	switch verb {
	case Approved, Denied:
		d.By = ByPolicy
	case Expired:
		d.By = ByDefault
	}
	c.send(Decision, p, func(e *Event) { e.Decision = d })
}

// contextCompacted repeats a compacted record, where there is one.
func (c *codex) contextCompacted(p jsonl.Value) {
	if c.compacted {
		c.compacted = false
		c.send(Other, p, nil)
		return
	}
	c.send(Compaction, p, func(e *Event) { e.Compaction = &CompactionInfo{Opaque: true} })
}

// taskComplete repeats the turn's last words: they are emitted only when no
// message told them.
func (c *codex) taskComplete(p jsonl.Value) {
	text := p.Get("last_agent_message")
	if text.RawLen() > 0 && xxhash.Sum64String(text.Str()) != c.last {
		c.last = xxhash.Sum64String(text.Str())
		c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(text), True })
	}
	failed := p.Get("error").Kind() == jsonl.Object || p.Get("error").Kind() == jsonl.String
	c.send(TurnEnd, p, func(e *Event) {
		e.Turn = &TurnInfo{Reason: "completed"}
		if failed {
			e.Turn = &TurnInfo{Reason: "error", Bad: true}
		}
	})
}

func codexError(p jsonl.Value) *StatusInfo {
	s := &StatusInfo{Name: "api_error", Error: cmp.Or(p.Get("message").Head(240), p.At("error", "message").Head(240))}
	if p.Get("type").Str() == "stream_error" {
		s.Name = "retry"
	}
	for _, v := range p.Get("codex_error_info").Members() {
		if code, ok := v.Get("http_status_code").Int(); ok {
			s.Code = int(code)
		}
	}
	return s
}
