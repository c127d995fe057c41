package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Pi's session files (badlogic/pi-mono) and those of OpenClaw, which is built
// on it. Records form a tree by parentId; version 1 has no ids.
//
//	record                      event                      termination from
//	session                     Session
//	message / user              Message(human), or a notice
//	  / assistant               Reasoning, Message, ToolCall, Usage; stopReason aborted, error: TurnEnd, Status
//	  / toolResult              ToolResult                 details.exitCode, details.status (OpenClaw); isError, and at the end of the text
//	                                                       "Command exited with code N", "Command aborted", "Command timed out after N seconds"
//	  / bashExecution           ToolCall, ToolResult       exitCode, cancelled: a command that the human typed
//	  / custom, hookMessage     Message(notice)
//	compaction                  Compaction, Message(summary)
//	branch_summary              Message(summary)
//	custom_message              Message(notice)
//	model_change                Session(model)
//	label, session_info, ...    Other
//
// A bash result without isError ended with exit code 0: the tool throws for
// every other end. Timeouts of the bash tool are given in seconds.
var piFormat = &Format{
	Name:  "pi",
	Title: "Pi or OpenClaw session",
	Sniff: sniffPi,
	New:   func() Decoder { return &pi{} },
}

func sniffPi(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		switch typ := v.Get("type").Str(); {
		case typ == "session" && v.Get("cwd").Exists() && v.Get("id").Exists() && v.Get("timestamp").Exists():
			return 95
		case typ == "message" && v.At("message", "role").Str() == "toolResult", typ == "compaction" && v.Get("tokensBefore").Exists():
			score = max(score, 85)
		case typ == "message" && v.At("message", "stopReason").Exists() && v.At("message", "provider").Exists() && v.At("message", "role").Exists():
			score = max(score, 85)
		case typ == "message" && v.At("message", "role").Exists() && v.Get("parentId").Exists() && v.Get("timestamp").Exists():
			score = max(score, 30) // Factory Droid writes the same
		case p.Partial && typ == "message" && hasKeys(p.Keys, "parentId", "message"):
			score = max(score, 40)
		}
	}
	return score
}

type pi struct {
	feed
	model string
	msgID string // of the assistant's message at hand
	stop  string
}

// Flush has nothing to add: nothing is held back.
func (p *pi) Flush(Emit) {}

// Decode reads one record.
func (p *pi) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	p.begin(rec, emit)
	p.base.Pos.ID, p.base.Parent = root.Get("id").Str(), root.Get("parentId").Str()
	p.base.Type, p.base.Time = root.Get("type").Str(), parseTime(root.Get("timestamp"))
	switch p.base.Type {
	case "session":
		p.base.Pos.ID = "" // an id of its own space
		p.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: root.Get("id").Str(), Dir: root.Get("cwd").Str(), Fork: root.Get("parentSession").Str(), Version: idText(root.Get("version"))}
		})
	case "message":
		p.message(root.Get("message"))
	case "compaction":
		p.compaction(root)
	case "branch_summary":
		p.say(root.Get("summary"), Assistant, Summary, TextView(root.Get("summary")))
	case "custom_message":
		p.notice(root.Get("content"))
	case "model_change":
		p.names(root.Get("modelId").Str(), root)
	case "thinking_level_change", "label", "session_info", "custom", "leaf":
		p.send(Other, root, nil)
	default:
		p.emit(unknownEvent(rec, p.base.Type))
	}
}

func (p *pi) names(model string, at jsonl.Value) {
	if model != "" && model != p.model {
		p.model = strings.Clone(model)
		p.send(Session, at, func(e *Event) { e.Session = &SessionInfo{Model: p.model} })
	}
}

func (p *pi) compaction(root jsonl.Value) {
	before, _ := root.Get("tokensBefore").Int()
	summary := root.Get("summary")
	p.send(Compaction, root, func(e *Event) {
		e.Compaction = &CompactionInfo{PreTokens: before, Opaque: summary.RawLen() == 0}
	})
	if summary.RawLen() > 0 {
		p.say(summary, Assistant, Summary, TextView(summary))
	}
}

func (p *pi) notice(content jsonl.Value) { p.say(content, Harness, Notice, textOfBlocks(content)) }

func (p *pi) message(m jsonl.Value) {
	if p.base.Time.IsZero() {
		p.base.Time = parseTime(m.Get("timestamp"))
	}
	switch m.Get("role").Str() {
	case "user":
		p.user(m.Get("content"))
	case "assistant":
		p.assistant(m)
	case "toolResult":
		p.toolResult(m)
	case "bashExecution":
		p.typed(m)
	case "custom", "hookMessage":
		p.notice(m.Get("content"))
	case "branchSummary", "compactionSummary":
		p.say(m.Get("summary"), Assistant, Summary, TextView(m.Get("summary")))
	default:
		p.emit(unknownEvent(p.rec, "message "+m.Get("role").Str()))
	}
}

func (p *pi) user(content jsonl.Value) {
	if content.Kind() == jsonl.String {
		p.words(content)
		return
	}
	for _, b := range content.Elems() {
		if text := b.Get("text"); text.Kind() == jsonl.String {
			p.words(text)
		} else {
			p.send(Other, b, nil)
		}
	}
}

// words are the human's, unless OpenClaw's gateway wrote them: its events, and
// the prompt with which it wakes the agent.
func (p *pi) words(v jsonl.Value) {
	head := v.Head(headWindow)
	if injected(head) || strings.HasPrefix(head, "System: [") || strings.HasPrefix(head, "Read HEARTBEAT.md") ||
		strings.HasPrefix(head, "A new session was started via ") {
		p.say(v, Harness, Notice, TextView(v))
		return
	}
	p.say(v, Human, Prose, TextView(v))
}

var piStops = map[string]string{"stop": "end_turn", "toolUse": "tool_use"}

func (p *pi) assistant(m jsonl.Value) {
	p.names(m.Get("model").Str(), m)
	p.msgID = cmp.Or(m.Get("responseId").Str(), p.base.Pos.ID)
	stop := m.Get("stopReason").Str()
	p.stop = cmp.Or(piStops[stop], stop)
	for _, b := range m.Get("content").Elems() {
		p.block(b)
	}
	p.usage(m.Get("usage"))
	switch stop {
	case "aborted":
		p.send(TurnEnd, m, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	case "error":
		p.send(Status, m, func(e *Event) {
			why := m.Get("errorMessage").Head(200)
			code, _ := strconv.Atoi(Clip(why, 3))
			e.Status = &StatusInfo{Name: "api_error", Error: why, Code: code}
		})
		p.send(TurnEnd, m, func(e *Event) { e.Turn = &TurnInfo{Reason: "error", Bad: true} })
	}
}

func (p *pi) block(b jsonl.Value) {
	fill := func(e *Event) { e.Actor, e.MsgID, e.Stopped = Assistant, p.msgID, p.stop }
	switch b.Get("type").Str() {
	case "text":
		if b.Get("text").RawLen() > 0 {
			p.send(Message, b.Get("text"), func(e *Event) { fill(e); e.Text = TextView(b.Get("text")) })
		}
	case "thinking":
		redacted, _ := b.Get("redacted").Bool()
		p.send(Reasoning, b, func(e *Event) {
			fill(e)
			e.Text = TextView(b.Get("thinking"))
			e.Reasoning = &ReasoningInfo{Signature: b.Get("thinkingSignature").Str(), Hollow: b.Get("thinking").RawLen() == 0, Redacted: redacted}
		})
	case "toolCall":
		call := &CallInfo{ID: b.Get("id").Str(), Tool: b.Get("name").Str(), Act: actOf(b.Get("name").Str())}
		args := p.callArgs(call, b.Get("arguments"))
		p.times(call, args)
		p.makeCall(b, call, fill)
	default:
		p.send(Other, b, nil)
	}
}

// times reads arguments in this harness's own units, and what OpenClaw's
// process tool is asked to do with a job.
func (p *pi) times(call *CallInfo, args jsonl.Value) {
	if secs, ok := args.Get("timeout").Float(); ok && call.Act == Shell {
		call.Timeout = time.Duration(secs * float64(time.Second))
	}
	if call.Tool != "process" {
		return
	}
	call.Timeout = 0
	switch args.Get("action").Str() {
	case "kill", "remove":
		call.Act = Kill
	case "write", "send-keys", "submit", "paste":
		call.Act = Input
		call.Input = cmp.Or(args.Get("data").Str(), args.Get("text").Str())
	}
}

// usage adds up what was sent: input leaves the cache out.
func (p *pi) usage(u jsonl.Value) {
	fresh, _ := u.Get("input").Int()
	read, _ := u.Get("cacheRead").Int()
	made, _ := u.Get("cacheWrite").Int()
	out, _ := u.Get("output").Int()
	if fresh+read+made+out == 0 {
		return
	}
	p.send(Usage, u, func(e *Event) {
		e.MsgID = p.msgID
		e.Usage = &UsageInfo{Context: fresh + read + made, Cached: read, Output: out, Model: p.model}
	})
}

// typed is a command that the human ran with "!".
func (p *pi) typed(m jsonl.Value) {
	call := &CallInfo{Tool: "bash", Act: Shell, Args: m, Command: m.Get("command").Str()}
	p.makeCall(m, call, func(e *Event) { e.Actor = Human })
	r := &ResultInfo{CallID: call.ID, Tool: call.Tool}
	p.answer(call.ID, "")
	if code, ok := m.Get("exitCode").Int(); ok {
		r.byCode(int(code), "exitCode")
	}
	if cancelled, _ := m.Get("cancelled").Bool(); cancelled {
		r.Interrupted = true
		r.Term = Termination{Kind: TermInterrupted, Source: FromField, Quote: "cancelled: true"}
	}
	p.give(m, r, TextView(m.Get("output")))
}
