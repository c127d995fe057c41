package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// event reads one event of Inspect AI.
func (i *inspect) event(v jsonl.Value) {
	i.base.Type = v.Get("event").Str()
	i.base.Pos.ID = v.Get("uuid").Str()
	i.base.Time = parseTime(v.Get("timestamp"))
	switch i.base.Type {
	case "model":
		i.modelEvent(v)
	case "tool":
		i.toolEvent(v)
	case "approval":
		i.approval(v)
	case "interrupt":
		i.interrupt(v)
	case "compaction":
		i.compaction(v)
	case "sample_limit":
		i.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: cmp.Or(v.Get("type").Str(), "limit"), Bad: true} })
	case "error":
		i.send(Status, v, func(e *Event) { e.Status = &StatusInfo{Name: "error", Error: v.At("error", "message").Head(200)} })
	case "sample_init":
		if i.told {
			i.send(Other, v, nil)
			return
		}
		i.input(v.At("sample", "input"))
	case "input":
		i.say(v.Get("input"), Human, Prose, TextView(v.Get("input")))
	default:
		if inspectEvents[i.base.Type] {
			i.send(Other, v, nil)
			return
		}
		i.emit(unknownEvent(i.rec, "event "+i.base.Type))
	}
}

// input is the task: words, or messages.
func (i *inspect) input(v jsonl.Value) {
	if v.Kind() == jsonl.String {
		i.words(v)
	}
	for _, m := range v.Elems() {
		i.said(m)
	}
}

func (i *inspect) modelEvent(v jsonl.Value) {
	out := v.Get("output")
	i.names(firstExisting(out, "model"), v)
	if in := v.Get("input"); in.Kind() == jsonl.Array {
		info := &RequestInfo{Model: i.model}
		for _, m := range in.Elems() {
			info.Messages = append(info.Messages, requestMessage(m))
		}
		i.send(Request, in, func(e *Event) { e.Request = info })
	}
	choice := out.Get("choices").Index(0)
	m := choice.Get("message")
	i.msgID = m.Get("id").Str()
	i.stop = choice.Get("stop_reason").Str()
	if !i.told {
		i.spoke(m, m.Get("content"))
	}
	u := out.Get("usage")
	info := &UsageInfo{Model: i.model}
	fresh, _ := u.Get("input_tokens").Int()
	read, _ := u.Get("input_tokens_cache_read").Int()
	made, _ := u.Get("input_tokens_cache_write").Int()
	info.Context, info.Cached = fresh+read+made, read
	info.Output, _ = u.Get("output_tokens").Int()
	info.Reasoning, _ = u.Get("reasoning_tokens").Int()
	if info.Context+info.Output > 0 {
		i.send(Usage, u, func(e *Event) { e.MsgID, e.Usage = m.Get("id").Str(), info })
	}
	if why := v.Get("error"); why.RawLen() > 0 {
		i.send(Status, v, func(e *Event) { e.Status = &StatusInfo{Name: "api_error", Error: why.Head(200)} })
	}
}

// toolEvent reads a call and its result. The model's output told the call
// already, if it stands in this log.
func (i *inspect) toolEvent(v jsonl.Value) {
	i.call(v, v.Get("message_id").Str())
	if pending, _ := v.Get("pending").Bool(); pending {
		return
	}
	if at := parseTime(v.Get("completed")); !at.IsZero() {
		i.base.Time = at
	}
	i.returned(v, v.Get("id").Str(), v.Get("function").Str(), v.Get("result"), v.Get("error"))
}

func (i *inspect) returned(v jsonl.Value, id, tool string, result, failure jsonl.Value) {
	call := i.answer(i.ids+id, tool)
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, tool)}
	text := textOfBlocks(result)
	if text.Empty() {
		text = textOfBlocks(failure.Get("message"))
	}
	if secs, ok := v.Get("working_time").Float(); ok && secs > 0 && secs < 1e7 {
		r.Duration = time.Duration(secs * float64(time.Second))
	}
	if call.act == NoAct {
		call.act = actOf(r.Tool)
	}
	r.Repeats = i.told && i.base.Type == "tool"
	inspectEnd(r, call.act, failure, text)
	if failed, ok := v.Get("failed").Bool(); ok && failed && r.Error == Unset {
		r.byFlag(false, "failed: true")
	}
	i.give(v, r, text)
}

// inspectEnd decides by the type of the error. Without one the call went well
// as a call, which says nothing about an exit code.
func inspectEnd(r *ResultInfo, act Act, failure jsonl.Value, text Text) {
	typ := failure.Get("type").Str()
	if typ == "" {
		genericEnd(r, act, text)
		if r.Term.Kind == TermUnknown && act != Shell && act != NoAct && act != External {
			r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "error: null"}
		}
		return
	}
	r.Error = True
	field := "error.type"
	r.Told = append(r.Told, Told{Field: field, Value: Keep(typ, 40), Good: False})
	r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: field + ": " + Keep(typ, 40)}
	switch typ {
	case "timeout":
		r.Term = r.Term.withTimeout(0, r.Term.Quote)
	case "cancelled": // sticky, even when the tool ended afterwards
		r.Interrupted = true
		r.Term.Kind = TermInterrupted
	case "approval":
		r.NotRun = true
		r.Term.Kind = TermDenied
	case "parsing":
		r.NotRun = true
		r.Term.Kind = TermNotStarted
	}
}

var inspectVerbs = map[string]DecisionVerb{"approve": Approved, "modify": Approved, "reject": Denied, "terminate": Denied, "escalate": Escalated}

func (i *inspect) approval(v jsonl.Value) {
	d := &DecisionInfo{
		Verb: inspectVerbs[v.Get("decision").Str()], CallID: i.ids + v.At("call", "id").Str(), Subject: v.At("call", "function").Str(),
		By: ByPolicy, Reason: v.Get("explanation").Head(120),
	}
	if strings.HasPrefix(v.Get("approver").Str(), "human") {
		d.By = ByHuman
	}
	if d.Verb == NoDecision {
		i.send(Other, v, nil)
		return
	}
	i.send(Decision, v, func(e *Event) { e.Decision = d })
}

func (i *inspect) interrupt(v jsonl.Value) {
	source := v.Get("source").Str()
	if id := v.Get("interrupted_tool_call_id").Str(); id != "" {
		by := Harness
		if source == "user_cancel" {
			by = Human
		}
		i.send(Cancel, v, func(e *Event) {
			e.Cancel = &CancelInfo{Verb: CancelRequested, Target: i.ids + id, Reason: source, By: by}
		})
		return
	}
	i.send(TurnEnd, v, func(e *Event) {
		e.Turn = &TurnInfo{Reason: cmp.Or(source, "interrupted"), Bad: true}
		if source == "user_cancel" {
			e.Turn.Reason = "interrupted"
		}
	})
}

func (i *inspect) compaction(v jsonl.Value) {
	info := &CompactionInfo{Micro: v.Get("type").Str() == "edit"}
	info.PreTokens, _ = v.Get("tokens_before").Int()
	info.PostTokens, _ = v.Get("tokens_after").Int()
	i.send(Compaction, v, func(e *Event) { e.Compaction = info })
}
