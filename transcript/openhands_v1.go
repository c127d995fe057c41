package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// The events of the OpenHands SDK (version 1), a tree where parent_id is
// given.
//
//	kind                          event                          termination from
//	SystemPromptEvent             Message(prompt)
//	MessageEvent                  Reasoning, Message
//	ActionEvent                   Reasoning, Message, ToolCall   action null: the call could not be run
//	ObservationEvent              ToolResult                     observation.metadata.exit_code and .suffix; is_error for what is no command
//	UserRejectObservation         ToolResult, Decision           rejection_source
//	AgentErrorEvent               ToolResult                     its words: a restart interrupted the call
//	Condensation                  Compaction, Message(summary)   forgotten_event_ids
//	CondensationRequest           Compaction(begin)
//	PauseEvent, InterruptEvent    TurnEnd
//	ConversationStateUpdateEvent  TurnEnd, Decision, Usage
//	ConversationErrorEvent        Status, TurnEnd
//
// is_error and timeout are false on a command that was killed at its limit:
// only the suffix says so.
var handsKinds = map[string]Kind{
	"SystemPromptEvent": Message, "MessageEvent": Message, "ActionEvent": ToolCall, "ObservationEvent": ToolResult,
	"UserRejectObservation": ToolResult, "AgentErrorEvent": ToolResult, "Condensation": Compaction, "CondensationRequest": Compaction,
	"CondensationSummaryEvent": Message, "PauseEvent": TurnEnd, "InterruptEvent": TurnEnd, "ConversationStateUpdateEvent": Status,
	"ConversationErrorEvent": Status, "ServerErrorEvent": Status, "LLMCompletionLogEvent": Other, "TokenEvent": Other,
	"StreamingDeltaEvent": Other, "HookExecutionEvent": Other, "ACPToolCallEvent": Other,
}

func (h *hands) v1(v jsonl.Value) {
	h.base.Type = v.Get("kind").Str()
	if parent := v.Get("parent_id").Str(); parent != "__root__" {
		h.base.Parent = parent
	}
	switch h.base.Type {
	case "SystemPromptEvent":
		h.say(v.Get("system_prompt"), Harness, Prompt, textOfBlocks(v.Get("system_prompt")))
	case "MessageEvent":
		m := v.Get("llm_message")
		h.thoughts(m)
		h.message(v.Get("source").Str(), m.Get("content"))
	case "ActionEvent":
		h.actionEvent(v)
	case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent":
		h.resultEvent(v)
	case "Condensation":
		info := &CompactionInfo{}
		for _, id := range v.Get("forgotten_event_ids").Elems() {
			info.Dropped = append(info.Dropped, id.Str())
		}
		h.compacted(v, info, v.Get("summary"))
	case "CondensationRequest":
		h.send(Compaction, v, func(e *Event) { e.Compaction = &CompactionInfo{Begin: true} })
	case "CondensationSummaryEvent":
		h.say(v.Get("summary"), Assistant, Summary, TextView(v.Get("summary")))
	case "PauseEvent", "InterruptEvent":
		h.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	case "ConversationStateUpdateEvent":
		h.update(v)
	case "ConversationErrorEvent", "ServerErrorEvent":
		h.send(Status, v, func(e *Event) { e.Status = &StatusInfo{Name: "error", Error: v.Get("detail").Head(200)} })
		if h.base.Type == "ConversationErrorEvent" {
			h.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: cmp.Or(v.Get("code").Str(), "error"), Bad: true} })
		}
	default:
		if _, known := handsKinds[h.base.Type]; known {
			h.send(Other, v, nil)
			return
		}
		h.emit(unknownEvent(h.rec, h.base.Type))
	}
}

// thoughts are the model's reasoning beside its words.
func (h *hands) thoughts(v jsonl.Value) {
	blocks := v.Get("thinking_blocks")
	for _, b := range blocks.Elems() {
		h.send(Reasoning, b, func(e *Event) {
			e.Actor, e.Text = Assistant, TextView(b.Get("thinking"))
			e.Reasoning = &ReasoningInfo{
				Signature: cmp.Or(b.Get("signature").Str(), b.Get("data").Str()), Hollow: b.Get("thinking").RawLen() == 0,
				Redacted: b.Get("type").Str() == "redacted_thinking",
			}
		})
	}
	if blocks.Len() == 0 {
		h.think(v.Get("reasoning_content"), TextView(v.Get("reasoning_content")))
	}
	if item := v.Get("responses_reasoning_item"); item.Kind() == jsonl.Object {
		h.send(Reasoning, item, func(e *Event) {
			e.Actor, e.Text = Assistant, textOfBlocks(item.Get("summary"))
			e.Reasoning = &ReasoningInfo{Signature: item.Get("encrypted_content").Str(), Hollow: e.Text.Empty()}
		})
	}
}

func (h *hands) actionEvent(v jsonl.Value) {
	h.thoughts(v)
	msg := v.Get("llm_response_id").Str()
	if text := textOfBlocks(v.Get("thought")); !text.Empty() {
		h.send(Message, v.Get("thought"), func(e *Event) { e.Actor, e.Text, e.MsgID = Assistant, text, msg })
	}
	call := &CallInfo{ID: v.Get("tool_call_id").Str(), Tool: v.Get("tool_name").Str(), Act: actOf(v.Get("tool_name").Str())}
	action := v.Get("action")
	if action.Kind() != jsonl.Object { // the model's own arguments are all there is
		action = h.callArgs(call, v.At("tool_call", "arguments"))
	} else {
		call.Args = action
		fillCall(call, action)
	}
	call.Timeout = parseSeconds(action.Get("timeout"))
	if list := action.Get("task_list"); call.Act == Plan && list.Exists() {
		fillTodos(call, list)
	}
	h.terminal(call, action)
	if thought := action.Get("thought"); call.Act == Plan {
		h.think(thought, TextView(thought))
	}
	h.makeCall(v, call, func(e *Event) { e.MsgID = msg })
	if call.Act == Finish {
		h.finished(v, action.Get("message"))
	}
}

func (h *hands) resultEvent(v jsonl.Value) {
	call := h.answer(v.Get("tool_call_id").Str(), v.Get("tool_name").Str())
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(v.Get("tool_name").Str(), call.tool)}
	o := v.Get("observation")
	text, by := textOfBlocks(o.Get("content")), ByHuman
	switch h.base.Type {
	case "UserRejectObservation":
		text = TextView(v.Get("rejection_reason"))
		if v.Get("rejection_source").Str() == "hook" {
			by = ByHook
		}
		h.rejected(r, cmp.Or(v.Get("rejection_source").Str(), "user"))
	case "AgentErrorEvent":
		text = TextView(v.Get("error"))
		h.errorEvent(r, text.Head(headWindow))
	default:
		if text.Empty() { // older observations name their output otherwise
			text = TextView(firstExisting(o, "output", "text", "message"))
		}
		h.observed(r, o, text)
	}
	h.give(v, r, text)
	h.refusal(v, r, text, by)
}

// errorEvent is an error of the harness about a call: it never ran, or a
// restart broke it off.
func (h *hands) errorEvent(r *ResultInfo, head string) {
	r.Error = True
	r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "AgentErrorEvent"}
	switch {
	case strings.HasPrefix(head, "A restart occurred while this tool was in progress"):
		h.base.Origin = Synthesized
		r.Term = Termination{Kind: TermInterrupted, Source: FromText, Quote: "A restart occurred while this tool was in progress"}
	case strings.HasPrefix(head, "Error validating"), strings.Contains(firstLine(head), "not found. Available:"):
		r.NotRun = true
		r.Term.Kind = TermNotStarted
	}
}

func (h *hands) observed(r *ResultInfo, o jsonl.Value, text Text) {
	r.Error = flagAt(o, "is_error")
	if o.Get("metadata").Exists() || o.Get("exit_code").Exists() {
		h.runEnd(r, o, text)
		if r.Error == True {
			r.Told = append(r.Told, Told{Field: "is_error", Value: "true", Good: False})
			if r.Term.Kind == TermUnknown {
				r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "is_error: true"}
			}
		}
		return
	}
	switch r.Error {
	case True:
		r.byFlag(false, "is_error: true")
	case False:
		r.byFlag(true, "is_error: false")
	}
}

// update is a change of the conversation's state, or all of it.
func (h *hands) update(v jsonl.Value) {
	value := v.Get("value")
	switch v.Get("key").Str() {
	case "execution_status", "agent_status":
		h.state(v, value.Str())
	case "stats":
		h.stats(value)
	case "full_state":
		h.stats(value.Get("stats"))
	default:
		h.send(Other, v, nil)
	}
}

// stats are the running totals of every model in use; the agent's own is the
// one that fills its window.
func (h *hands) stats(s jsonl.Value) {
	u := s.At("usage_to_metrics", "agent", "accumulated_token_usage")
	total, ok := u.Get("prompt_tokens").Int()
	if !ok {
		h.send(Other, s, nil)
		return
	}
	h.send(Usage, u, func(e *Event) {
		e.Usage = &UsageInfo{Cumulative: total, Model: u.Get("model").Str()}
		e.Usage.Context, _ = u.Get("per_turn_token").Int()
		e.Usage.Window, _ = u.Get("context_window").Int()
	})
}
