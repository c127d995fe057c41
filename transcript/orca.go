package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Orca: the session log, and the event stream of `orca exec` and of the
// server mode.
//
//	record of the session log         event                      termination from
//	session.meta                      Session
//	conversation.message / user       Message(human), or a notice
//	  / assistant                     Reasoning, Message, ToolCall
//	  / tool                          ToolResult                 status, kind, exit_code, error, invocation_started
//	event.semantic                    as the events below; most tell again what a message tells
//	session.usage                     Usage, running totals: one request is the difference
//	session.usage_baseline            the totals begin anew
//	context.summary, .collapsed,      Compaction, Message(summary)
//	  .manual_compaction_snapshot
//	session.checkpoint, .completed    TurnEnd
//
//	event                             event
//	model.response.completed          Reasoning, Message, ToolCall: some turns stand nowhere else
//	tool.call.requested / .completed  ToolCall / ToolResult, when no message told it
//	approval.requested / .resolved    Decision
//	context.compaction.started        Compaction(begin)
//	turn_started, item_completed ...  the same in the server's spelling
//
// There is no status for a timeout: it is a failure whose error says so.
var orcaFormat = &Format{
	Name:  "orca-session",
	Title: "Orca session log",
	Sniff: sniffOrca,
	New:   func() Decoder { return &orca{} },
}

var orcaEventsFormat = &Format{
	Name:  "orca-events",
	Title: "Orca event stream",
	Sniff: sniffOrcaEvents,
	New:   func() Decoder { return &orca{} },
}

func sniffOrca(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		switch typ := v.Get("type").Str(); {
		case typ == "session.meta" && v.Get("session_id").Exists(), typ == "event.semantic" && v.Get("event").Exists():
			return 95
		case typ == "conversation.message" && v.At("message", "role").Exists():
			score = max(score, 90)
		case typ == "session.usage" && v.Get("input_tokens").Exists(), strings.HasPrefix(typ, "context.") && v.Get("before_messages").Exists():
			score = max(score, 70)
		case p.Partial && typ == "conversation.message":
			score = max(score, 80)
		}
	}
	return score
}

func sniffOrcaEvents(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		event := v.Get("event").Str()
		switch {
		case hasKeys(p.Keys, "version", "run_id", "seq", "timestamp_ms", "payload") && (p.Partial || strings.Contains(v.Get("type").Str(), ".")):
			return 95
		case event != "" && v.Get("id").Exists() && (v.Get("turnId").Exists() || v.Get("threadId").Exists()) && orcaServerEvents[event]:
			score = max(score, 85)
		}
	}
	return score
}

type orca struct {
	feed
	session string
	total   int64           // prompt tokens so far, as the last record told
	counted bool            // total is known
	twins   map[uint64]int8 // assistant turns told by one carrier and not yet by the other
	results map[string]bool // ids of results told, for the second carrier
	calls   map[string]bool // the same for calls
	before  int64           // messages before the newest compaction, to know its second record
}

func (o *orca) Flush(Emit) {}

func (o *orca) Decode(rec *jsonl.Record, emit Emit) {
	o.begin(rec, emit)
	r := rec.Root
	typ := r.Get("type").Str()
	o.base.Type = typ
	switch {
	case rec.Root.Kind() != jsonl.Object:
		o.send(Unknown, r, nil)
	case typ == "event.semantic":
		o.semantic(r.Get("event"))
	case r.Get("payload").Exists() && r.Get("run_id").Exists():
		o.semantic(r)
	case typ == "" && r.Get("event").Kind() == jsonl.String:
		o.server(r)
	default:
		o.record(typ, r)
	}
}

func (o *orca) record(typ string, r jsonl.Value) {
	switch typ {
	case "session.meta":
		o.base.Time = parseTime(r.Get("created_at"))
		o.meta(r)
	case "conversation.message":
		o.base.Pos.ID = r.Get("id").Str()
		o.message(r.Get("message"), byMessage)
	case "session.usage":
		o.usage(r)
	case "session.usage_baseline":
		o.total, o.counted = 0, true
		o.send(Other, r, nil)
	case "context.summary", "context.collapsed", "context.manual_compaction_snapshot":
		o.compaction(typ, r)
	case "session.completed":
		o.base.Time = parseTime(r.Get("completed_at"))
		status := r.Get("status").Str()
		o.send(TurnEnd, r, func(e *Event) { e.Turn = &TurnInfo{Reason: status, Session: true, Bad: status != "success"} })
	case "session.checkpoint":
		o.send(TurnEnd, r, func(e *Event) { e.Turn = &TurnInfo{Reason: "checkpoint"} })
	case "plan.state":
		o.plan(r)
	default:
		kind := Unknown
		for _, known := range []string{"runtime.", "provider.", "background_task.", "event.", "session.", "context."} {
			if strings.HasPrefix(typ, known) {
				kind = Other
			}
		}
		o.send(kind, r, nil)
	}
}

func (o *orca) meta(r jsonl.Value) {
	o.session = strings.Clone(cmp.Or(r.Get("session_id").Str(), o.session))
	o.send(Session, r, func(e *Event) {
		s := &SessionInfo{
			ID: o.session, Dir: r.Get("cwd").Str(), Model: r.Get("model").Str(), Policy: r.Get("approval_mode").Str(),
			Fork: cmp.Or(r.Get("forked_from").Str(), r.Get("parent_session_id").Str()),
		}
		switch s.Policy {
		case "":
		case "full-auto", "full_auto", "auto", "yolo", "never":
			s.Auto = True
		default:
			s.Auto = False
		}
		e.Session = s
	})
}

// usage reads running totals. What one request sent is the difference to the
// record before; nobody knows it of the first one.
func (o *orca) usage(r jsonl.Value) {
	in, ok := r.Get("input_tokens").Int()
	if !ok {
		o.send(Other, r, nil)
		return
	}
	info := &UsageInfo{Cumulative: in}
	if o.counted && in > o.total {
		info.Context = in - o.total
	}
	o.total, o.counted = in, true
	o.send(Usage, r, func(e *Event) { e.Usage = info })
}

// The two carriers of a turn: the message, and the semantic event.
const (
	byMessage int8 = 1
	byEvent   int8 = -1
)

// repeated reports whether the other carrier has told the same turn already.
func (o *orca) repeated(m jsonl.Value, carrier int8) bool {
	text, calls := m.Get("content"), m.Get("tool_calls")
	if carrier == byEvent {
		text = m.Get("assistant_content")
	}
	if calls.Len() == 0 && text.RawLen() == 0 {
		return false
	}
	key := string(text.Raw())
	if text.RawLen() == 0 {
		key = ""
	}
	for _, c := range calls.Elems() {
		key += "\x00" + c.Get("id").Str()
	}
	if o.twins == nil {
		o.twins = map[uint64]int8{}
	}
	h := hashOf([]byte(key))
	was := o.twins[h]
	o.twins[h] = was + carrier
	return was != 0 && (was > 0) != (carrier > 0)
}

func (o *orca) message(m jsonl.Value, carrier int8) {
	content := m.Get("content")
	switch m.Get("role").Str() {
	case "system":
		o.system(content)
	case "user":
		if injected(content.Head(headWindow)) || orcaNotice(content.Head(60)) {
			o.say(content, Harness, Notice, TextView(content))
			return
		}
		o.say(content, Human, Prose, textOfBlocks(content))
	case "assistant":
		if o.repeated(m, carrier) {
			o.send(Other, m, nil)
			return
		}
		o.assistant(m, content, m.Get("reasoning_content"))
	case "tool":
		o.result(m, m.Get("tool_call_id").Str(), "", textOfBlocks(content))
	default:
		o.send(Unknown, m, nil)
	}
}

func (o *orca) system(content jsonl.Value) {
	head := content.Head(120)
	switch {
	case strings.HasPrefix(head, "[Summary of earlier conversation]"):
		o.say(content, Assistant, Summary, TextView(content))
	case strings.HasPrefix(head, "[Earlier conversation history was truncated"):
		o.send(Compaction, content, func(e *Event) { e.Compaction = &CompactionInfo{Trigger: "auto"} })
	case strings.HasPrefix(head, "<task-notification>"), orcaNotice(head):
		o.say(content, Harness, Notice, TextView(content))
	default:
		o.say(content, Harness, Prompt, TextView(content))
	}
}

// orcaNotice recognises the context that Orca puts into a conversation.
func orcaNotice(head string) bool {
	for _, p := range []string{
		"[Parent guidance id=", "[Image analysis:", "[Pinned ", "[Goal state]", "[Runtime context]", "[Mode context]", "[Skill context]",
		"[Relevant memory]", "[Plan reminder]",
	} {
		if strings.HasPrefix(head, p) {
			return true
		}
	}
	return false
}

func (o *orca) assistant(m, content, reasoning jsonl.Value) {
	if head := reasoning.Head(32); head != "(reasoning omitted)" {
		o.think(reasoning, TextView(reasoning))
	}
	if content.RawLen() > 0 {
		o.say(content, Assistant, Prose, textOfBlocks(content))
	}
	for _, c := range m.Get("tool_calls").Elems() {
		o.call(c, c.Get("id").Str(), c.Get("function_name").Str(), c.Get("arguments"))
	}
}

func (o *orca) call(v jsonl.Value, id, tool string, args jsonl.Value) {
	if id != "" && o.calls[id] {
		o.send(Other, v, nil)
		return
	}
	mark(&o.calls, id)
	call := &CallInfo{ID: id, Tool: tool, Act: actOf(tool)}
	o.callArgs(call, args)
	o.makeCall(v, call, nil)
}

// mark notes an id in a set that is made when needed.
func mark(set *map[string]bool, id string) {
	if id == "" {
		return
	}
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[strings.Clone(id)] = true
}

func (o *orca) plan(r jsonl.Value) {
	call := &CallInfo{Tool: "update_plan", Act: Plan, Server: true, Args: r}
	for _, key := range []string{"plan", "steps", "items"} {
		fillTodos(call, r.Get(key))
	}
	if len(call.Todos) == 0 {
		o.send(Other, r, nil)
		return
	}
	o.makeCall(r, call, nil)
}
