package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// DeepSeek Harness: session files, and the same events in an envelope
// {"type":"session_event","event":{...}}.
//
//	record                     event                    termination from
//	session                    Session
//	agent/inbox/spliced        Queue
//	user/message               Message(human), or a notice by its source
//	assistant/message          Reasoning, Message, ToolCall, Usage (the cache is counted beside the input)
//	tool/call                  ToolCall, when no message holds it
//	tool/result                ToolResult               isError; the words that generic_end.go knows
//	tool/code-dispatch(-start) ToolResult, ToolCall     isError
//	compaction/start, /summary Compaction, Message(summary)
//	request/header, /context   Message(prompt), Session (model, window)
//	turn/end, result           TurnEnd
var deepseekFormat = &Format{
	Name:  "deepseek-harness",
	Title: "DeepSeek Harness session",
	Sniff: sniffDeepseek,
	New:   func() Decoder { return &deepseek{} },
}

func sniffDeepseek(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		typ := v.Get("type").Str()
		if typ == "session_event" && v.Get("sessionId").Exists() {
			v, score = v.Get("event"), max(score, 60)
			typ = v.Get("type").Str()
		}
		switch {
		case strings.Contains(typ, "/") && v.Get("seq").Exists() && v.Get("data").Exists():
			return 90
		case typ == "session" && v.Get("createdAt").Exists() && v.Get("version").Kind() == jsonl.Number:
			score = max(score, 45)
		}
	}
	return score
}

type deepseek struct {
	talk
	session string
	inbox   []string // ids of the messages that wait
	summary bool     // the compaction at hand has told its summary
	child   bool     // a subagent's session: its user is the parent
}

func (d *deepseek) Flush(Emit) {}

func (d *deepseek) Decode(rec *jsonl.Record, emit Emit) {
	d.begin(rec, emit)
	ev := rec.Root
	if ev.Get("type").Str() == "session_event" {
		d.identify(ev.Get("sessionId"), ev)
		ev = ev.Get("event")
	}
	d.base.Type, d.base.Time = ev.Get("type").Str(), parseTime(ev.Get("time"))
	d.event(d.base.Type, ev, ev.Get("data"))
}

func (d *deepseek) identify(id, at jsonl.Value) {
	if s := id.Str(); s != "" && s != d.session {
		begun := d.session != ""
		d.session = strings.Clone(s)
		d.send(Session, at, func(e *Event) { e.Session = &SessionInfo{ID: d.session, Start: begun} })
	}
}

func (d *deepseek) event(typ string, ev, data jsonl.Value) {
	switch typ {
	case "session":
		d.base.Time = parseTime(ev.Get("createdAt"))
		d.identify(ev.Get("id"), ev)
		d.child = ev.Get("origin").Str() == "subagent"
		d.send(Session, ev, func(e *Event) {
			e.Session = &SessionInfo{Dir: ev.Get("cwd").Str()}
			if !d.child {
				e.Session.Fork = ev.Get("parentSession").Str()
			}
		})
	case "agent/inbox/spliced":
		d.queue(data)
	case "user/message":
		d.userMessage(data)
	case "assistant/message":
		d.assistantMessage(data)
	case "tool/call":
		d.plainCall(data, data.Get("callId").Str())
	case "tool/result":
		for _, b := range firstExisting(data.Get("message"), "content").Elems() {
			d.block(b)
		}
	case "tool/code-dispatch-start":
		d.plainCall(data, data.Get("subCallId").Str())
	case "tool/code-dispatch":
		call := d.answer(data.Get("subCallId").Str(), data.Get("name").Str())
		r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: errorFlag(data)}
		text := textOfBlocks(data.Get("content"))
		genericEnd(r, call.act, text)
		d.give(data, r, text)
	case "turn/end":
		reason := cmp.Or(data.At("reason", "kind").Str(), data.Get("reason").Str())
		d.send(TurnEnd, data, func(e *Event) { e.Turn = &TurnInfo{Reason: reason, Bad: reason != "completed"} })
	case "result":
		d.result(ev)
	case "assistant/chunk":
		d.send(Status, data, func(e *Event) { e.Status = &StatusInfo{Name: "progress"} })
	default:
		d.request(typ, ev, data)
	}
}

func (d *deepseek) request(typ string, ev, data jsonl.Value) {
	switch {
	case typ == "request/header":
		config := data.At("header", "config")
		d.names(config.Get("model"), config)
		if system := data.At("header", "system"); system.RawLen() > 0 {
			d.say(system, Harness, Prompt, TextView(system))
		}
	case typ == "request/context":
		d.names(data.Get("model"), data)
		if window, ok := data.Get("contextWindow").Int(); ok {
			d.send(Session, data, func(e *Event) { e.Session = &SessionInfo{Window: window} })
		}
	case strings.HasPrefix(typ, "compaction/"):
		d.compaction(typ, data)
	case strings.HasSuffix(typ, "/error"), strings.HasSuffix(typ, "/retry"):
		d.send(Status, data, func(e *Event) {
			e.Status = &StatusInfo{Name: "error", Error: Keep(cmp.Or(data.Get("message").Str(), data.At("error", "message").Str()), 160)}
			if code, ok := data.At("error", "status").Int(); ok {
				e.Status.Code = int(code)
			}
		})
	case strings.Contains(typ, "/") && data.Exists():
		d.send(Other, ev, nil)
	default:
		d.send(Unknown, ev, nil)
	}
}

// queue reads a change of the inbox: messages put in, messages taken out.
func (d *deepseek) queue(data jsonl.Value) {
	taken, _ := data.Get("removedCount").Int()
	for ; taken > 0 && len(d.inbox) > 0; taken-- {
		id := d.inbox[0]
		d.inbox = d.inbox[1:]
		d.send(Queue, data, func(e *Event) { e.Queue = &QueueInfo{Verb: "dequeue", ID: id} })
	}
	for _, m := range data.Get("inserted").Elems() {
		id := strings.Clone(m.Get("id").Str())
		d.inbox = append(d.inbox, id)
		d.send(Queue, m, func(e *Event) { e.Queue = &QueueInfo{Verb: "enqueue", ID: id} })
	}
}

func (d *deepseek) userMessage(data jsonl.Value) {
	d.base.Pos.ID = data.Get("id").Str()
	kind := data.At("source", "kind").Str()
	for _, b := range data.Get("content").Elems() {
		text := firstString(b)
		switch {
		case d.child && kind == "user":
			d.say(text, Peer, Prose, TextView(text))
		case kind == "user" || kind == "":
			d.words(text)
		case strings.Contains(kind, "compact") || kind == "summary":
			d.say(text, Assistant, Summary, TextView(text))
		case strings.Contains(kind, "agent"):
			d.say(text, Peer, Prose, TextView(text))
		default:
			d.say(text, Harness, Notice, TextView(text))
		}
	}
}

func (d *deepseek) assistantMessage(data jsonl.Value) {
	m := data.Get("message")
	if !m.Exists() {
		m = data // older files
	}
	d.names(m.At("source", "model"), m)
	d.msgID = m.Get("id").Str()
	d.stop = cmp.Or(data.Get("stopReason").Str(), data.Get("finishReason").Str())
	for _, b := range m.Get("content").Elems() {
		d.assistantBlock(b)
	}
	u := data.Get("usage")
	if !u.Exists() {
		return
	}
	d.send(Usage, u, func(e *Event) {
		e.MsgID = d.msgID
		e.Usage = &UsageInfo{
			Context: intAt(u, "inputTokens") + intAt(u, "cacheReadTokens") + intAt(u, "cacheWriteTokens"), Cached: intAt(u, "cacheReadTokens"),
			Output: intAt(u, "outputTokens"), Reasoning: intAt(u, "reasoningTokens"), Model: d.model,
		}
	})
}

// plainCall reads a call that stands by itself; most were read in the
// assistant's message already.
func (d *deepseek) plainCall(data jsonl.Value, id string) {
	for _, c := range d.open {
		if id != "" && c.id == id {
			d.send(Other, data, nil)
			return
		}
	}
	d.toolCall(data, id, data)
}

func (d *deepseek) compaction(typ string, data jsonl.Value) {
	switch typ {
	case "compaction/start":
		d.summary = false
		d.send(Compaction, data, func(e *Event) { e.Compaction = &CompactionInfo{Begin: true} })
	case "compaction/summary":
		d.summary = true
		d.send(Compaction, data, func(e *Event) { e.Compaction = &CompactionInfo{} })
		summary := data.Get("summary")
		d.say(summary, Assistant, Summary, textOfBlocks(summary))
	case "compaction/end":
		failed := cmp.Or(data.At("error", "message").Str(), data.Get("error").Str())
		if d.summary && failed == "" {
			d.send(Other, data, nil)
			return
		}
		d.send(Compaction, data, func(e *Event) { e.Compaction = &CompactionInfo{Failed: Keep(cmp.Or(failed, "no summary"), 120)} })
	default:
		d.send(Other, data, nil)
	}
}

// result is the last line of a run.
func (d *deepseek) result(ev jsonl.Value) {
	d.identify(ev.Get("sessionId"), ev)
	if out := ev.Get("output"); out.RawLen() > 0 {
		d.send(Message, out, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(out), True })
	}
	failed := ev.Get("error").Exists() && ev.Get("error").Kind() != jsonl.Null
	d.send(TurnEnd, ev, func(e *Event) {
		e.Turn = &TurnInfo{Reason: "completed", Session: true, Bad: failed}
		if failed {
			e.Turn.Reason = "error"
		}
	})
}
