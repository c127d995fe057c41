package transcript

import (
	"github.com/transcript-lint/transcript-lint/jsonl"
)

// The messages that Cline and Roo Code show to the human (ui_messages.json).
// What the model was sent stands in another file, which roo.go reads.
//
//	record                                event                    termination from
//	say text                              Message; the first is the human's task
//	say user_feedback, task               Message(human)
//	say reasoning                         Reasoning
//	say completion_result                 Message(final)
//	ask command                           ToolCall, Decision (requested)
//	say command_output                    ToolResult               text: generic_end.go
//	ask tool, browser_action_launch, ...  Decision (requested)
//	say api_req_started                   Usage, TurnEnd           cancelReason
//	say error, api_req_failed             Status
//
// Nothing tells a human's yes from one that a setting gave.
var clineUIFormat = &Format{
	Name:  "cline-ui",
	Title: "Cline / Roo Code interface messages",
	Sniff: sniffClineUI,
	New:   func() Decoder { return &clineUI{} },
}

func sniffClineUI(head []jsonl.Probe) int {
	for _, p := range head {
		v := p.Root
		if v.Kind() == jsonl.Array {
			v = v.Index(0)
		}
		typ := v.Get("type").Str()
		if v.Get("ts").Kind() == jsonl.Number && (typ == "say" && v.Get("say").Exists() || typ == "ask" && v.Get("ask").Exists()) {
			return 85
		}
	}
	return 0
}

type clineUI struct {
	feed
	begun bool
	shell string // id of the command whose output is awaited
	given bool   // some of its output was told
	req   jsonl.Doc
}

// Flush has nothing to add: nothing is held back.
func (c *clineUI) Flush(Emit) {}

// Decode reads a message, or an array of them.
func (c *clineUI) Decode(rec *jsonl.Record, emit Emit) {
	c.begin(rec, emit)
	if rec.Root.Kind() == jsonl.Array {
		for _, m := range rec.Root.Elems() {
			c.one(m)
		}
		return
	}
	c.one(rec.Root)
}

func (c *clineUI) one(m jsonl.Value) {
	c.base.Time = parseTime(m.Get("ts"))
	if partial, _ := m.Get("partial").Bool(); partial {
		c.send(Other, m, nil)
		return
	}
	text := m.Get("text")
	switch m.Get("type").Str() {
	case "say":
		c.base.Type = m.Get("say").Str()
		c.says(m, text)
	case "ask":
		c.base.Type = m.Get("ask").Str()
		c.asks(m, text)
	default:
		c.emit(unknownEvent(c.rec, m.Get("type").Str()))
	}
}

func (c *clineUI) says(m, text jsonl.Value) {
	first := !c.begun
	c.begun = true
	switch c.base.Type {
	case "text", "task":
		if first || c.base.Type == "task" {
			c.say(text, Human, Prose, TextView(text))
		} else if text.RawLen() > 0 {
			c.say(text, Assistant, Prose, TextView(text))
		}
	case "user_feedback", "user_feedback_diff":
		c.say(text, Human, Prose, TextView(text))
	case "reasoning":
		c.think(m, TextView(text))
	case "completion_result":
		if text.RawLen() > 0 {
			c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(text), True })
		}
	case "command":
		c.command(m, text)
	case "command_output":
		c.output(m, text)
	case "api_req_started":
		c.request(m, text)
	case "error", "api_req_failed", "diff_error":
		c.send(Status, m, func(e *Event) { e.Status = &StatusInfo{Name: "error", Error: text.Head(200)} })
	case "condense_context":
		c.send(Compaction, m, func(e *Event) { e.Compaction = &CompactionInfo{} })
	default:
		c.send(Other, m, nil)
	}
}

func (c *clineUI) asks(m, text jsonl.Value) {
	c.begun = true
	switch c.base.Type {
	case "command":
		c.command(m, text)
		c.waits(m, "command")
	case "command_output":
		c.output(m, text)
	case "tool", "browser_action_launch", "use_mcp_server":
		c.waits(m, c.base.Type)
	case "completion_result":
		if text.RawLen() > 0 {
			c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(text), True })
		}
	case "followup", "plan_mode_respond":
		c.say(text, Assistant, Prose, TextView(text))
	case "api_req_failed":
		c.send(Status, m, func(e *Event) { e.Status = &StatusInfo{Name: "api_error", Error: text.Head(200)} })
	default:
		c.send(Other, m, nil)
	}
}

func (c *clineUI) waits(m jsonl.Value, what string) {
	id := ""
	if what == "command" {
		id = c.shell
	}
	c.send(Decision, m, func(e *Event) { e.Decision = &DecisionInfo{Verb: Requested, CallID: id, Subject: what} })
}

func (c *clineUI) command(m, text jsonl.Value) {
	call := &CallInfo{Tool: "execute_command", Act: Shell, Args: m, Command: text.Str()}
	c.makeCall(m, call, nil)
	c.shell, c.given = call.ID, false
}

// output comes in several messages: the first is the result, the rest belong
// to it.
func (c *clineUI) output(m, text jsonl.Value) {
	if c.shell == "" {
		c.send(Other, m, nil)
		return
	}
	c.answer(c.shell, "")
	r := &ResultInfo{CallID: c.shell, Tool: "execute_command", Repeats: c.given}
	c.given = true
	genericEnd(r, Shell, TextView(text))
	c.give(m, r, TextView(text))
}

// request is what one request to the model cost, and why it was cancelled.
func (c *clineUI) request(m, text jsonl.Value) {
	v, err := jsonl.ParseString(text.Str(), &c.req)
	if err != nil {
		c.send(Other, m, nil)
		return
	}
	in, _ := v.Get("tokensIn").Int()
	made, _ := v.Get("cacheWrites").Int()
	read, _ := v.Get("cacheReads").Int()
	out, _ := v.Get("tokensOut").Int()
	if in+made+read+out > 0 {
		c.send(Usage, m, func(e *Event) { e.Usage = &UsageInfo{Context: in + made + read, Cached: read, Output: out} })
	}
	if why := v.Get("cancelReason").Str(); why != "" {
		c.send(TurnEnd, m, func(e *Event) {
			e.Turn = &TurnInfo{Reason: why, Bad: true}
			if why == "user_cancelled" {
				e.Turn.Reason = "interrupted"
			}
		})
	}
}
