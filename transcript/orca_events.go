package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// semantic reads an event in the envelope {version, run_id, seq, type,
// payload}.
func (o *orca) semantic(ev jsonl.Value) {
	p := ev.Get("payload")
	typ := ev.Get("type").Str()
	o.base.Type, o.base.Time = typ, parseTime(ev.Get("timestamp_ms"))
	switch typ {
	case "session.started":
		o.meta(p)
	case "turn.started":
		o.prompt(p)
	case "model.response.completed":
		if o.repeated(p, byEvent) {
			o.send(Other, p, nil)
			return
		}
		o.assistant(p, p.Get("assistant_content"), p.Get("assistant_reasoning"))
	case "tool.call.requested":
		o.call(p, p.Get("id").Str(), p.Get("name").Str(), p.Get("raw_arguments"))
	case "tool.call.completed":
		o.result(p, p.Get("id").Str(), p.Get("name").Str(), TextView(p.Get("output")))
	case "approval.requested", "approval.resolved":
		o.approval(typ, p)
	case "context.compaction.started":
		o.send(Compaction, p, func(e *Event) { e.Compaction = &CompactionInfo{Begin: true, Trigger: p.Get("reason").Str()} })
	case "context.compacted":
		o.compaction(typ, p)
	case "usage.updated":
		o.usage(p)
	case "plan.updated":
		o.plan(p)
	case "model.routed":
		o.send(Session, p, func(e *Event) { e.Session = &SessionInfo{Model: p.Get("actual_model").Str()} })
	case "error":
		o.send(Status, p, func(e *Event) {
			e.Status = &StatusInfo{Name: "error", Error: Keep(cmp.Or(p.Get("message").Str(), p.Get("error").Str()), 160)}
		})
	case "session.completed":
		o.ended(p, true)
	case "context.updated", "tool.call.progress", "tool.output.delta", "task.status.updated", "verification.started",
		"subagent.progress", "workflow.tasks.updated", "assistant.message.delta", "assistant.reasoning.delta", "provider.replay.updated":
		o.send(Status, p, func(e *Event) { e.Status = &StatusInfo{Name: "progress"} })
	default:
		o.otherEvent(typ, p)
	}
}

func (o *orca) otherEvent(typ string, p jsonl.Value) {
	kind := Unknown
	for _, known := range []string{"goal.", "subagent.", "agent.", "workflow.", "verification."} {
		if strings.HasPrefix(typ, known) {
			kind = Other
		}
	}
	o.send(kind, p, nil)
}

// prompt reads the words that begin a turn. The session log holds them as a
// message too, the stream of events does not.
func (o *orca) prompt(p jsonl.Value) {
	text := p.Get("prompt")
	if text.RawLen() == 0 || o.base.Type == "turn.started" && o.rec.Root.Get("event").Exists() {
		o.send(Other, p, nil)
		return
	}
	o.say(text, Human, Prose, TextView(text))
}

func (o *orca) ended(p jsonl.Value, session bool) {
	status := p.Get("status").Str()
	o.send(TurnEnd, p, func(e *Event) {
		e.Turn = &TurnInfo{Reason: status, Session: session, Bad: status != "success" && status != "completed"}
	})
}

func (o *orca) approval(typ string, p jsonl.Value) {
	d := &DecisionInfo{Verb: Requested, ID: idText(p.Get("id")), Subject: cmp.Or(p.Get("description").Str(), p.Get("action").Str(), p.Get("tool").Str())}
	if typ == "approval.resolved" {
		d.Reason = p.Get("reason").Str()
		switch p.Get("decision").Str() {
		case "allow":
			d.Verb = Approved
		case "deny":
			d.Verb = Denied
		default:
			d.Verb = Escalated
		}
		d.By = ByPolicy
		switch {
		case strings.HasPrefix(d.Reason, "user "):
			d.By = ByHuman
		case strings.Contains(d.Reason, "timed out"):
			d.By = ByDefault
			if d.Verb == Denied {
				d.Verb = Expired
			}
		case strings.HasPrefix(d.Reason, "interactive confirmation unavailable"):
			d.By = ByDefault
		case d.Reason == "":
			d.By = ByUnknown
		}
	}
	o.send(Decision, p, func(e *Event) { e.Decision = d })
}

// compaction reads a record about replaced history. A summary and the event
// about it are one compaction.
func (o *orca) compaction(typ string, r jsonl.Value) {
	for _, key := range []string{"summarized_at", "collapsed_at"} {
		if t := parseTime(r.Get(key)); !t.IsZero() {
			o.base.Time = t
		}
	}
	before, _ := r.Get("before_messages").Int()
	if before == 0 || before != o.before {
		info := &CompactionInfo{Trigger: "auto", Micro: strings.Contains(r.Get("strategy").Str(), "micro")}
		if typ == "context.manual_compaction_snapshot" || r.Get("reason").Str() == "manual" {
			info.Trigger = "manual"
		}
		o.send(Compaction, r, func(e *Event) { e.Compaction = info })
	}
	o.before = before
	if summary := r.Get("summary"); summary.RawLen() > 0 {
		o.say(summary, Assistant, Summary, TextView(summary))
	}
	for _, m := range r.Get("messages").Elems() {
		if m.Get("role").Str() == "tool" || m.Get("tool_calls").Len() > 0 {
			continue
		}
		content := m.Get("content")
		o.send(Message, content, func(e *Event) {
			e.Origin, e.Text = Copied, textOfBlocks(content)
			if e.Actor = Human; m.Get("role").Str() == "assistant" {
				e.Actor = Assistant
			}
		})
	}
}

var (
	orcaLate    = regexp.MustCompile(`^(?:ERROR: )?(?:shell command|verifier|ACP interaction response)?\s*timed out(?: after (\d+)s)?`)
	orcaCleared = regexp.MustCompile(`^\[old tool result content cleared; original_bytes=\d+; tool_call_id=([^\]]+)\]`)
)

// result reads a tool message or a tool event: the same fields in both.
func (o *orca) result(m jsonl.Value, id, tool string, text Text) {
	call := o.answer(id, tool)
	if head := text.Head(160); strings.HasPrefix(head, "[tool output micro-compact]") || orcaCleared.MatchString(head) {
		o.send(Compaction, m, func(e *Event) { e.Compaction = &CompactionInfo{Micro: true, Dropped: []string{call.id}} })
	}
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, tool), Repeats: o.results[call.id]}
	mark(&o.results, call.id)
	if text.Empty() {
		text = TextView(m.Get("error"))
	}
	orcaEnd(r, call.act, m, text)
	o.give(m, r, text)
}

// orcaEnd takes the typed facts first. A status of failed with no limit in
// its words is a failure of the tool.
func orcaEnd(r *ResultInfo, act Act, m jsonl.Value, text Text) {
	status, kind := m.Get("status").Str(), m.Get("kind").Str()
	r.tellWord("status", status)
	r.tellWord("kind", kind)
	words := cmp.Or(m.Get("error").Head(headWindow), text.Head(headWindow))
	code := firstExisting(m, "exit_code", "exitCode")
	n, hasCode := code.Int()
	if hasCode {
		r.Told = append(r.Told, Told{Field: "exit_code", Value: strconv.FormatInt(n, 10), Good: FlagOf(n == 0)})
	}
	if source := cmp.Or(m.Get("terminal_source").Str(), m.Get("terminalSource").Str()); source == "compatibility_repair" {
		r.Term = Termination{Source: FromField, Quote: "terminal_source: compatibility_repair"}
		return
	}
	var t Termination
	if hasCode {
		t = OfCode(int(n))
	}
	late := orcaLate.FindStringSubmatch(words)
	switch {
	case late != nil && (status == "failed" || status == "" && hasCode && n != 0):
		var limit time.Duration
		if late[1] != "" {
			limit = parseSpan(late[1] + "s")
		}
		t.Source = FromField
		t = t.withTimeout(limit, strings.TrimPrefix(firstLine(words), "ERROR: "))
	case status == "denied", kind == "permission_denied":
		t.Kind, r.NotRun = TermDenied, true
	case status == "cancelled":
		t.Kind = TermInterrupted
		if m.Get("invocation_started").Str() == "no" || strings.HasPrefix(words, "Tool invocation was not started") {
			t.Kind, r.NotRun = TermNotStarted, true
		} else {
			r.Interrupted = true
		}
	case status == "indeterminate", kind == "indeterminate":
		t = Termination{}
	case status == "not_implemented":
		t.Kind, r.NotRun = TermNotStarted, true
	case status == "failed" && (!hasCode || n == 0):
		t.Kind = TermNonzero
	case status == "completed" && !hasCode:
		t.Kind = TermOK
	case status == "" && !hasCode:
		genericEnd(r, act, text)
		return
	}
	t.Source = FromField
	if t.Quote == "" {
		t.Quote = orcaQuote(status, n, hasCode)
	}
	r.Term = t
}

// tellWord notes what a typed word says about an end.
func (r *ResultInfo) tellWord(field, word string) {
	switch word {
	case "":
	case "completed", "success", "empty", "no_matches", "truncated":
		r.Told = append(r.Told, Told{Field: field, Value: Keep(word, 40), Good: True})
	case "indeterminate", "in_progress", "running":
		r.Told = append(r.Told, Told{Field: field, Value: Keep(word, 40)})
	default:
		r.Told = append(r.Told, Told{Field: field, Value: Keep(word, 40), Good: False})
	}
}

func orcaQuote(status string, code int64, hasCode bool) string {
	quote := ""
	if status != "" {
		quote = "status: " + Keep(status, 40)
	}
	if hasCode {
		quote = strings.TrimPrefix(quote+", exit_code: "+strconv.FormatInt(code, 10), ", ")
	}
	return quote
}

// firstExisting is the first of several spellings that an object has.
func firstExisting(v jsonl.Value, keys ...string) jsonl.Value {
	for _, k := range keys {
		if f := v.Get(k); f.Exists() {
			return f
		}
	}
	return jsonl.Value{}
}

var orcaServerEvents = map[string]bool{
	"thread_started": true, "turn_started": true, "turn_completed": true, "item_started": true, "item_completed": true,
	"item_message_delta": true, "item_reasoning_delta": true, "tool_requested": true, "tool_completed": true, "task_status_updated": true,
	"permission_request": true, "permission_resolved": true, "turn_plan_updated": true,
}

// server reads a reply of the server mode. Deltas are told again, whole, by
// the item's completion.
func (o *orca) server(r jsonl.Value) {
	event := r.Get("event").Str()
	o.base.Type = event
	switch event {
	case "thread_started":
		o.send(Session, r, func(e *Event) { e.Session = &SessionInfo{ID: idText(r.Get("threadId"))} })
	case "item_completed":
		o.item(r.Get("item"))
	case "tool_requested":
		tool := r.Get("tool").Str()
		call := &CallInfo{Tool: tool, Act: actOf(tool), Args: r.Get("target")}
		if target := r.Get("target").Str(); call.Act == Shell {
			call.Command = target
		} else {
			call.Path = target
		}
		o.makeCall(r, call, nil)
	case "tool_completed":
		open := o.answer("", r.Get("tool").Str()) // the request has no id
		o.result(r, cmp.Or(open.id, r.Get("toolCallId").Str()), r.Get("tool").Str(), TextView(r.Get("output")))
	case "permission_request":
		o.send(Decision, r, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Requested, ID: idText(r.Get("requestId")), Subject: cmp.Or(r.Get("command").Str(), r.Get("reason").Str())}
		})
	case "permission_resolved":
		d := &DecisionInfo{Verb: Denied, ID: idText(r.Get("requestId")), Reason: r.Get("decision").Str()}
		if strings.HasPrefix(d.Reason, "a") || strings.HasPrefix(d.Reason, "grant") {
			d.Verb = Approved
		}
		o.send(Decision, r, func(e *Event) { e.Decision = d })
	case "turn_plan_updated":
		o.plan(r)
	case "turn_completed", "session_completed":
		o.ended(r, false)
	case "error":
		o.send(Status, r, func(e *Event) { e.Status = &StatusInfo{Name: "error", Error: Keep(r.Get("message").Str(), 160)} })
	case "item_started", "turn_started", "turn_controlled", "task_status_updated":
		o.send(Other, r, nil)
	default:
		if strings.HasSuffix(event, "_delta") {
			o.send(Status, r, func(e *Event) { e.Status = &StatusInfo{Name: "progress"} })
			return
		}
		o.send(Other, r, nil)
	}
}

func (o *orca) item(item jsonl.Value) {
	o.base.Pos.ID = item.Get("id").Str()
	text := firstExisting(item, "text", "summary", "content")
	switch typ := item.Get("type").Str(); typ {
	case "agent_message", "plan":
		o.say(text, Assistant, Prose, TextView(text))
	case "reasoning":
		if text = item.Get("content"); text.RawLen() == 0 {
			text = item.Get("summary")
		}
		o.think(text, TextView(text))
	case "user_message":
		o.say(text, Human, Prose, TextView(text))
	default:
		o.send(Other, item, nil)
	}
}
