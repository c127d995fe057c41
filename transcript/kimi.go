package transcript

import (
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Kimi Code: the wire log of a session.
//
//	record                               event                   termination from
//	metadata, config.update, tools.*     Session, Message(prompt)
//	context.append_message               Message(human), or a notice by its origin
//	context.append_loop_event
//	  / content.part                     Reasoning, Message
//	  / tool.call, tool.result           ToolCall, ToolResult    isError; text: "Command failed with exit code: N.",
//	                                                             "Command killed by timeout (Ns)"
//	  / step.end                         Usage; the cache is counted beside the input
//	permission.record_approval_result    Decision
//	full_compaction.begin,               Compaction(begin),
//	  context.apply_compaction           Compaction, Message(summary)
//
// Success writes no flag: a result without isError is inferred to be one.
var kimiFormat = &Format{
	Name:  "kimi",
	Title: "Kimi Code wire log",
	Sniff: sniffKimi,
	New:   func() Decoder { return &kimi{} },
}

func sniffKimi(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		switch typ := p.Root.Get("type").Str(); {
		case typ == "metadata" && p.Root.Get("protocol_version").Exists():
			score = max(score, 85)
		case typ == "context.append_loop_event" && p.Root.Get("event").Exists(), typ == "context.append_message":
			return 90
		case typ == "turn.prompt" && p.Root.Get("origin").Exists():
			score = max(score, 60)
		}
	}
	return score
}

type kimi struct {
	talk
	trigger string
}

func (k *kimi) Flush(Emit) {}

func (k *kimi) Decode(rec *jsonl.Record, emit Emit) {
	k.begin(rec, emit)
	r := rec.Root
	typ := r.Get("type").Str()
	k.base.Type, k.base.Time = typ, parseTime(firstExisting(r, "time", "created_at"))
	switch typ {
	case "metadata":
		k.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Version: r.Get("protocol_version").Str()} })
	case "config.update":
		k.config(r)
	case "tools.set_active_tools":
		k.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Tools: stringsOf(r.Get("names"))} })
	case "context.append_message":
		k.appended(r.Get("message"))
	case "context.append_loop_event":
		k.loop(r.Get("event"))
	case "permission.record_approval_result":
		k.approval(r)
	case "full_compaction.begin":
		k.trigger = strings.Clone(r.Get("source").Str())
		k.send(Compaction, r, func(e *Event) { e.Compaction = &CompactionInfo{Begin: true, Trigger: k.trigger} })
	case "context.apply_compaction":
		k.send(Compaction, r, func(e *Event) {
			e.Compaction = &CompactionInfo{Trigger: k.trigger, PreTokens: intAt(r, "tokensBefore"), PostTokens: intAt(r, "tokensAfter")}
		})
		k.say(r.Get("summary"), Assistant, Summary, TextView(r.Get("summary")))
	case "permission.set_mode", "permission.update_mode":
		k.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Policy: r.Get("mode").Str()} })
	case "turn.cancel", "turn.interrupt":
		k.send(TurnEnd, r, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	default:
		k.other(typ, r)
	}
}

func (k *kimi) other(typ string, r jsonl.Value) {
	kind := Unknown
	for _, p := range []string{"turn.", "llm.", "context.", "plan_mode.", "tools.", "permission.", "usage.", "full_compaction.", "micro_compaction.", "config.", "goal."} {
		if strings.HasPrefix(typ, p) {
			kind = Other
		}
	}
	k.send(kind, r, nil)
}

func (k *kimi) config(r jsonl.Value) {
	k.send(Session, r, func(e *Event) {
		e.Session = &SessionInfo{Dir: r.Get("cwd").Str(), Model: r.Get("modelAlias").Str()}
	})
	if prompt := r.Get("systemPrompt"); prompt.RawLen() > 0 {
		k.say(prompt, Harness, Prompt, TextView(prompt))
	}
}

func (k *kimi) appended(m jsonl.Value) {
	origin := m.At("origin", "kind").Str()
	if roleOf(m) == "assistant" {
		k.message(m)
		return
	}
	for _, b := range m.Get("content").Elems() {
		text := firstString(b)
		switch {
		case text.RawLen() == 0:
			k.send(Other, b, nil)
		case origin == "user" || origin == "":
			k.words(text)
		case origin == "system_trigger":
			k.say(text, Peer, Prose, TextView(text))
		default:
			k.say(text, Harness, Notice, TextView(text))
		}
	}
}

func (k *kimi) loop(ev jsonl.Value) {
	k.base.Pos.ID = ev.Get("uuid").Str()
	k.msgID = ev.Get("stepUuid").Str()
	switch ev.Get("type").Str() {
	case "content.part":
		part := ev.Get("part")
		switch part.Get("type").Str() {
		case "think":
			text := part.Get("think")
			k.send(Reasoning, part, func(e *Event) {
				e.Actor, e.Text, e.MsgID = Assistant, TextView(text), k.msgID
				e.Reasoning = &ReasoningInfo{Signature: part.Get("encrypted").Str(), Hollow: text.RawLen() == 0}
			})
		case "text":
			k.spoken(part, TextView(part.Get("text")))
		default:
			k.send(Other, part, nil)
		}
	case "tool.call":
		k.toolCall(ev, ev.Get("toolCallId").Str(), ev)
	case "tool.result":
		k.result(ev)
	case "step.end":
		k.step(ev)
	default:
		k.send(Other, ev, nil)
	}
}

func (k *kimi) step(ev jsonl.Value) {
	u := ev.Get("usage")
	cached := intAt(u, "inputCacheRead")
	k.send(Usage, ev, func(e *Event) {
		e.MsgID = ev.Get("uuid").Str()
		e.Usage = &UsageInfo{Context: intAt(u, "inputOther") + cached + intAt(u, "inputCacheCreation"), Cached: cached, Output: intAt(u, "output")}
	})
}

var kimiLate = regexp.MustCompile(`(?:^|\n)Command killed by timeout \((\d+(?:\.\d+)?)s\)\.?\s*$`)

func (k *kimi) result(ev jsonl.Value) {
	out := ev.Get("result")
	call := k.answer(ev.Get("toolCallId").Str(), "")
	text := textOfBlocks(out.Get("output"))
	r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: errorFlag(out)}
	tail := text.Tail(tailWindow)
	switch m := kimiLate.FindStringSubmatch(tail); {
	case m != nil:
		r.byText(Termination{Source: FromText}.withTimeout(parseSpan(m[1]+"s"), strings.TrimSpace(m[0])))
	case strings.HasPrefix(tail, "The tool call is rejected by the user"), strings.HasPrefix(tail, "Tool call rejected"):
		r.NotRun = true
		r.byText(Termination{Kind: TermDenied, Source: FromText, Quote: Keep(firstLine(tail), 120)})
	default:
		genericEnd(r, call.act, text)
	}
	if r.Term.Kind == TermUnknown && r.Error == Unset {
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error flag"}
	}
	k.give(ev, r, text)
}

func (k *kimi) approval(r jsonl.Value) {
	d := &DecisionInfo{Verb: Denied, CallID: r.Get("toolCallId").Str(), Subject: r.Get("action").Str(), Reason: r.At("result", "decision").Str()}
	switch d.Reason {
	case "approved", "approve":
		d.Verb = Approved
	case "cancelled", "canceled":
		d.Verb = Withdrawn
	case "timeout", "timed_out", "expired":
		d.Verb, d.By = Expired, ByDefault
	}
	k.send(Decision, r, func(e *Event) { e.Decision = d })
}
