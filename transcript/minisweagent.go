package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// mini-swe-agent trajectories: a document of chat messages, whose extra field
// keeps what the templates around an output may lose.
//
//	piece                             event                   termination from
//	/info                             Session (model, dir)
//	/messages/N / system, user        Message; a notice or an interruption by extra.interrupt_type
//	  / assistant                     Message, ToolCall, Usage
//	  / tool                          ToolResult              extra.returncode; -1: extra.exception_info tells a limit
//	  / user "<returncode>..."        ToolResult              from a command that never ran
//	  / exit                          TurnEnd                 extra.exit_status
var miniFormat = &Format{
	Name:   "mini-swe-agent",
	Title:  "mini-swe-agent trajectory",
	Sniff:  sniffMini,
	Pieces: true,
	New:    func() Decoder { return &mini{} },
}

func sniffMini(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if p.Path == "/trajectory_format" {
			v = jsonl.Value{}
			if strings.HasPrefix(p.Root.Str(), "mini-swe-agent") {
				return 95
			}
		}
		switch {
		case strings.HasPrefix(v.Get("trajectory_format").Str(), "mini-swe-agent"):
			return 95
		case p.Path == "/info" && v.Get("mini_version").Exists(), v.At("info", "mini_version").Exists():
			return 95
		case strings.HasPrefix(p.Path, "/messages/") && (v.At("extra", "actions").Exists() || v.At("extra", "returncode").Exists()):
			score = max(score, 80)
		}
	}
	return score
}

type mini struct {
	talk
	begun  bool
	status string // of info, until an exit message says it
	limit  time.Duration
	last   Event // envelope of the newest piece, for an end that no message tells
}

func (m *mini) Flush(emit Emit) {
	m.emit = emit
	m.over()
}

// over tells the end of a run that has no exit message.
func (m *mini) over() {
	if m.status == "" {
		return
	}
	status := m.status
	m.status = ""
	m.base = m.last
	m.send(TurnEnd, jsonl.Value{}, func(e *Event) { e.Turn = &TurnInfo{Reason: status, Session: true, Bad: status != "Submitted"} })
}

func (m *mini) Decode(rec *jsonl.Record, emit Emit) {
	m.begin(rec, emit)
	if rec.First {
		here := m.base
		m.over()
		m.base = here
		if m.begun {
			m.send(Session, rec.Root, func(e *Event) { e.Session = &SessionInfo{Start: true} })
		}
		m.begun, m.limit = true, 0
		m.turnOver()
	}
	m.last = Event{Pos: Pos{Line: rec.Line, Offset: rec.Offset, Length: rec.Length, Pointer: strings.Clone(rec.Path)}}
	switch key, _, _ := strings.Cut(strings.TrimPrefix(rec.Path, "/"), "/"); key {
	case "info":
		m.info(rec.Root)
	case "messages":
		m.one(rec.Root)
	default:
		m.send(Other, rec.Root, nil)
	}
}

func (m *mini) info(r jsonl.Value) {
	m.status = strings.Clone(r.Get("exit_status").Str())
	env := r.At("config", "environment")
	if secs, ok := env.Get("timeout").Float(); ok {
		m.limit = seconds(secs)
	}
	m.send(Session, r, func(e *Event) {
		e.Session = &SessionInfo{Model: r.At("config", "model", "model_name").Str(), Dir: env.Get("cwd").Str(), Version: r.Get("mini_version").Str()}
		if mode := r.At("config", "agent", "mode").Str(); mode != "" {
			e.Session.Policy, e.Session.Auto = mode, FlagOf(mode == "yolo")
		}
	})
}

func (m *mini) one(r jsonl.Value) {
	extra := r.Get("extra")
	m.base.Time = parseTime(extra.Get("timestamp"))
	content := r.Get("content")
	head := content.Head(40)
	switch role := r.Get("role").Str(); {
	case role == "exit":
		m.exit(r, extra)
	case role == "tool", role == "user" && (extra.Get("returncode").Exists() || strings.HasPrefix(head, "<returncode>") || strings.HasPrefix(head, "<exception>")):
		m.output(r, extra, content)
	case role == "user" && extra.Get("interrupt_type").Exists():
		m.interrupted(content, extra.Get("interrupt_type").Str())
	case role == "assistant":
		m.assistantTurn(r, extra, content)
	case !m.message(r):
		m.send(Unknown, r, nil)
	}
}

func (m *mini) exit(r, extra jsonl.Value) {
	status := cmp.Or(extra.Get("exit_status").Str(), m.status)
	m.status = ""
	if status == "Submitted" && len(m.open) > 0 { // the command that submits has no other result
		call := m.close(len(m.open) - 1)
		m.give(r, &ResultInfo{
			CallID: call.id, Tool: call.tool, Term: Termination{Kind: TermOK, Source: FromField, Quote: "exit_status: Submitted"},
		}, Text{})
	}
	m.send(TurnEnd, r, func(e *Event) { e.Turn = &TurnInfo{Reason: status, Session: true, Bad: status != "Submitted"} })
}

var miniBlock = regexp.MustCompile("(?s)```(?:bash|mswea_bash_command)\\s*\n(.*?)\n?```")

// assistantTurn reads a turn. Before version 2 a command is a code block in
// the text.
func (m *mini) assistantTurn(r, extra, content jsonl.Value) {
	m.message(r)
	if r.Get("tool_calls").Len() == 0 {
		command := extra.Get("actions").Index(0).Get("command").Str()
		if block := miniBlock.FindStringSubmatch(content.Str()); block != nil && command == "" {
			command = block[1]
		}
		if command != "" {
			m.makeCall(content, &CallInfo{Tool: "bash", Act: Shell, Command: command, Free: true, Args: content, Timeout: m.limit}, nil)
		}
	}
	m.count(extra.At("response", "usage"), nil)
}

func (m *mini) output(r, extra, content jsonl.Value) {
	call := m.answer(r.Get("tool_call_id").Str(), "")
	info := &ResultInfo{CallID: call.id, Tool: call.tool}
	text := textOfBlocks(content)
	if raw := extra.Get("raw_output"); raw.Kind() == jsonl.String {
		info.Full, info.FullKnown = TextView(raw), true
	}
	words := extra.Get("exception_info")
	code, ok := extra.Get("returncode").Int()
	switch {
	case ok && code == -1 && words.RawLen() > 0:
		miniException(info, words.Tail(tailWindow+headWindow))
		info.Term.Source = FromField
		info.Told = append(info.Told, Told{Field: "extra.returncode", Value: "-1", Good: False})
	case ok && code == -1:
		info.Term = Termination{Source: FromField, Quote: "returncode: -1"}
	case ok && code < 0: // Python's way to write a signal
		value := strconv.FormatInt(code, 10)
		info.Term = Termination{Kind: TermSignalled, Signal: signalName(int(-code)), Source: FromField, Quote: "extra.returncode: " + value}
		info.Told = append(info.Told, Told{Field: "extra.returncode", Value: value, Good: False})
	case ok:
		info.byCode(int(code), "extra.returncode")
	default:
		genericEnd(info, Shell, text)
	}
	m.give(r, info, text)
}

// interrupted reads what the human does at a prompt: break off, or refuse.
func (m *mini) interrupted(content jsonl.Value, how string) {
	if how == "UserRejection" {
		m.send(Decision, content, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, By: ByHuman, Reason: "UserRejection"}
			if n := len(m.open); n > 0 {
				e.Decision.CallID = m.open[n-1].id
			}
		})
	} else {
		m.send(TurnEnd, content, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
	}
	m.say(content, Human, Prose, textOfBlocks(content))
}

// seconds makes a duration of a JSON number.
func seconds(n float64) time.Duration {
	if n < 0 || n > 1e9 {
		return 0
	}
	return time.Duration(n * float64(time.Second))
}
