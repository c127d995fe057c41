package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Crush: rows of its messages table, one a line. The parts stand in a string
// or, where an export took it apart, in an array.
//
//	part                 event                      termination from
//	text                 Message
//	reasoning            Reasoning
//	tool_call            ToolCall
//	tool_result          ToolResult                 is_error; at the end of the content "Exit code N", "Command was aborted before
//	                                                completion", in front of the <cwd> note; metadata.background
//	shell_command        ToolCall, ToolResult       exit_code: a command that the human typed
//	finish               how the message ended: canceled and error are a TurnEnd
//	is_summary_message   Compaction, Message(summary)
//
// Exit code 0 is not written: a command whose output ends with the <cwd> note
// and names no code is inferred to have ended well.
var crushFormat = &Format{
	Name:  "crush",
	Title: "Crush message rows",
	Sniff: sniffCrush,
	New:   func() Decoder { return &crush{} },
}

func sniffCrush(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if v.Kind() == jsonl.Array {
			v = v.Index(0)
		}
		parts := v.Get("parts")
		switch {
		case !v.Get("role").Exists() || !parts.Exists():
		case v.Get("is_summary_message").Exists(), parts.Kind() == jsonl.String && strings.HasPrefix(parts.Head(20), `[{"type":"`):
			return 90
		case parts.Index(0).Get("data").Kind() == jsonl.Object && parts.Index(0).Get("type").Exists():
			score = max(score, 85)
		}
	}
	return score
}

type crush struct {
	talk
	row, meta jsonl.Doc
	at        jsonl.Value // where a finding about a part points
	session   string
}

// Flush has nothing to add: nothing is held back.
func (c *crush) Flush(Emit) {}

// Decode reads a row, or an array of them.
func (c *crush) Decode(rec *jsonl.Record, emit Emit) {
	c.begin(rec, emit)
	if rec.Root.Kind() == jsonl.Array {
		for _, m := range rec.Root.Elems() {
			c.line(m)
		}
		return
	}
	c.line(rec.Root)
}

func (c *crush) line(m jsonl.Value) {
	c.at = m.Get("parts")
	parts := c.at
	if parts.Kind() == jsonl.String {
		v, err := jsonl.ParseString(parts.Str(), &c.row)
		if err != nil {
			c.emit(unknownEvent(c.rec, "parts"))
			return
		}
		parts = v
	}
	if parts.Kind() != jsonl.Array {
		c.emit(unknownEvent(c.rec, ""))
		return
	}
	c.base.Time, c.base.Pos.ID, c.base.Type = parseTime(m.Get("created_at")), m.Get("id").Str(), m.Get("role").Str()
	if id := m.Get("session_id").Str(); id != "" && id != c.session {
		start := c.session != ""
		c.session = strings.Clone(id)
		c.send(Session, m, func(e *Event) { e.Session = &SessionInfo{ID: c.session, Start: start} })
	}
	c.names(m.Get("model"), m)
	c.msgID, c.stop = c.base.Pos.ID, crushStop(parts)
	n, _ := m.Get("is_summary_message").Int()
	yes, _ := m.Get("is_summary_message").Bool()
	summary := n != 0 || yes
	if summary {
		c.send(Compaction, c.at, func(e *Event) { e.Compaction = &CompactionInfo{} })
	}
	for _, p := range parts.Elems() {
		c.part(p.Get("type").Str(), p.Get("data"), summary)
	}
}

// crushStop is why the model stopped: the last part says it.
func crushStop(parts jsonl.Value) string {
	for _, p := range parts.Elems() {
		if p.Get("type").Str() == "finish" {
			if reason := p.At("data", "reason").Str(); reason != "max_tokens" {
				return reason
			}
			return "length"
		}
	}
	return ""
}

func (c *crush) part(typ string, d jsonl.Value, summary bool) {
	switch typ {
	case "text":
		c.text(d.Get("text"), summary)
	case "reasoning":
		c.send(Reasoning, c.at, func(e *Event) {
			e.Actor, e.MsgID, e.Text = Assistant, c.msgID, TextView(d.Get("thinking"))
			e.Reasoning = &ReasoningInfo{Signature: d.Get("signature").Str(), Hollow: d.Get("thinking").RawLen() == 0}
		})
	case "tool_call":
		call := &CallInfo{ID: d.Get("id").Str(), Tool: d.Get("name").Str(), Act: actOf(d.Get("name").Str())}
		call.Server, _ = d.Get("provider_executed").Bool()
		c.callArgs(call, d.Get("input"))
		c.makeCall(c.at, call, func(e *Event) { e.MsgID, e.Stopped = c.msgID, c.stop })
	case "tool_result":
		c.result(d)
	case "shell_command":
		c.typed(d)
	case "finish":
		c.finish(d)
	case "binary", "image_url":
		c.send(Other, c.at, nil)
	default:
		c.emit(unknownEvent(c.rec, "part "+typ))
	}
}

func (c *crush) text(v jsonl.Value, summary bool) {
	switch head := v.Head(headWindow); {
	case v.RawLen() == 0:
	case summary:
		c.say(c.at, Assistant, Summary, TextView(v))
	case c.base.Type == "assistant":
		c.send(Message, c.at, func(e *Event) { e.Actor, e.Text, e.MsgID, e.Stopped = Assistant, TextView(v), c.msgID, c.stop })
	case injected(head) || c.base.Type != "user":
		c.say(c.at, Harness, Notice, TextView(v))
	default:
		c.say(c.at, Human, Prose, TextView(v))
	}
}

func (c *crush) finish(d jsonl.Value) {
	switch reason := d.Get("reason").Str(); reason {
	case "canceled":
		c.send(TurnEnd, c.at, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	case "error":
		c.send(Status, c.at, func(e *Event) {
			e.Status = &StatusInfo{Name: "api_error", Error: cmp.Or(d.Get("details").Head(200), d.Get("message").Head(200))}
		})
		c.send(TurnEnd, c.at, func(e *Event) { e.Turn = &TurnInfo{Reason: "error", Bad: true} })
	default:
		c.send(Other, c.at, nil)
	}
}

// typed is a command of the human's own.
func (c *crush) typed(d jsonl.Value) {
	call := &CallInfo{Tool: "bash", Act: Shell, Args: d, Command: d.Get("command").Str()}
	c.makeCall(c.at, call, func(e *Event) { e.Actor = Human })
	c.answer(call.ID, "")
	r := &ResultInfo{CallID: call.ID, Tool: call.Tool}
	if code, ok := firstExisting(d, "exit_code", "exitCode").Int(); ok {
		r.byCode(int(code), "exit_code")
	}
	c.give(c.at, r, TextView(d.Get("output")))
}

func (c *crush) result(d jsonl.Value) {
	call := c.answer(d.Get("tool_call_id").Str(), d.Get("name").Str())
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, d.Get("name").Str()), Error: flagAt(d, "is_error")}
	if call.act == NoAct {
		call.act = actOf(r.Tool)
	}
	text := TextView(d.Get("content"))
	meta := d.Get("metadata")
	if meta.Kind() == jsonl.String {
		meta, _ = jsonl.ParseString(meta.Str(), &c.meta)
	}
	crushEnd(r, call.act, meta, text)
	c.give(c.at, r, text)
	if r.Term.Kind == TermDenied {
		c.send(Decision, c.at, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, By: ByHuman, Reason: r.Term.Quote}
		})
	}
}

var (
	crushCwd   = regexp.MustCompile(`\n*<cwd>[^<\n]*</cwd>\s*$`)
	crushCode  = regexp.MustCompile(`(?:^|\n)Exit code (-?\d+)\s*$`)
	crushHalt  = regexp.MustCompile(`(?:^|\n)Command was aborted before completion\s*$`)
	crushStart = regexp.MustCompile(`^(?:Background shell started with ID|Command is taking longer[^\n]*\n*Background shell ID): (\w+)`)
)

// crushEnd decides how a call ended.
func crushEnd(r *ResultInfo, act Act, meta jsonl.Value, text Text) {
	head := firstLine(text.Head(headWindow))
	tail := text.Tail(tailWindow + headWindow)
	note := crushCwd.FindStringIndex(tail)
	if note != nil {
		tail = tail[:note[0]]
	}
	back, _ := meta.Get("background").Bool()
	started := crushStart.FindStringSubmatch(text.Head(headWindow))
	switch {
	case strings.HasPrefix(head, "Error: user cancelled assistant tool calling"), strings.HasPrefix(head, "User canceled request"):
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: Keep(head, 120)})
	case notRun(r, head):
	case act == Shell && (back || started != nil):
		r.JobID = Keep(meta.Get("shell_id").Str(), 60)
		if started != nil {
			r.JobID = Keep(started[1], 60)
		}
		r.Term = Termination{Kind: TermStillRunning, Source: FromField, Quote: "background: true"}
	case act == Shell && crushHalt.MatchString(tail):
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: "Command was aborted before completion"})
	case act == Shell && crushCode.MatchString(tail):
		r.byDigits(crushCode.FindStringSubmatch(tail))
	case r.Error == True:
		r.byFlag(false, "is_error: true")
	case act == Shell && note != nil:
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no exit code"}
	case act != Shell && act != Poll && r.Error == False:
		r.byFlag(true, "is_error: "+strconv.FormatBool(false))
	}
}
