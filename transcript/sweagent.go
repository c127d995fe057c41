package transcript

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// SWE-agent trajectories: one document, its steps without ids.
//
//	piece             event                                termination from
//	/trajectory/N     Message (thought), ToolCall,         text: "EXECUTION TIMED OUT", "... was cancelled because it took
//	                  ToolResult; Request (query)          more than N seconds"; no exit code is stored
//	/history/N        Message(prompt), Message(human), both copied: what is in the steps too is left out
//	/info             TurnEnd                              exit_status: "submitted (exit_cost)" did not end by itself
var sweAgentFormat = &Format{
	Name:   "swe-agent",
	Title:  "SWE-agent trajectory",
	Sniff:  sniffSWEAgent,
	Pieces: true,
	New:    func() Decoder { return &sweAgent{} },
}

func sniffSWEAgent(head []jsonl.Probe) int {
	for _, p := range head {
		v := p.Root
		if strings.HasPrefix(p.Path, "/trajectory/") && hasKeys(p.Keys, "action", "observation") {
			return 90
		}
		if t := v.Get("trajectory"); p.Path == "" && t.Index(0).Get("action").Exists() && t.Index(0).Get("observation").Exists() {
			return 90
		}
		if p.Partial && hasKeys(p.Keys, "environment", "trajectory") {
			return 60
		}
	}
	return 0
}

type sweAgent struct {
	talk
	begun bool
	asked bool // the task was told
}

func (s *sweAgent) Flush(Emit) {}

func (s *sweAgent) Decode(rec *jsonl.Record, emit Emit) {
	s.begin(rec, emit)
	r := rec.Root
	if rec.First {
		if s.begun {
			s.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Start: true} })
		}
		s.begun, s.asked = true, false
		s.turnOver()
	}
	switch key, _, _ := strings.Cut(strings.TrimPrefix(rec.Path, "/"), "/"); key {
	case "trajectory":
		s.step(r)
	case "history":
		s.history(r)
	case "info":
		s.info(r)
	default:
		s.send(Other, r, nil)
	}
}

func (s *sweAgent) step(r jsonl.Value) {
	action := r.Get("action")
	command := strings.TrimSpace(action.Str())
	if strings.HasPrefix(command, "exit_") { // the harness ends the run
		s.send(Status, r, func(e *Event) { e.Status = &StatusInfo{Name: command} })
		return
	}
	if q := r.Get("query"); q.Kind() == jsonl.Array {
		info := &RequestInfo{}
		for _, m := range q.Elems() {
			info.Messages = append(info.Messages, requestMessage(m))
		}
		s.send(Request, q, func(e *Event) { e.Request = info })
	}
	thought := firstExisting(r, "thought", "response")
	s.spoken(thought, TextView(thought))
	if command == "" {
		if o := r.Get("observation"); o.RawLen() > 0 {
			s.say(o, Harness, Notice, TextView(o))
		}
		return
	}
	name := firstLine(command)
	if i := strings.IndexByte(name, ' '); i > 0 {
		name = name[:i]
	}
	call := &CallInfo{Tool: name, Act: sweActs[name], Free: true, Args: action}
	switch call.Act {
	case NoAct:
		call.Tool, call.Act, call.Command = "bash", Shell, command
	case Read, Edit, Search:
		if words := strings.Fields(firstLine(command)); len(words) > 1 && name != "edit" {
			call.Path = words[len(words)-1]
		}
	}
	s.makeCall(action, call, nil)
	s.observe(r, call)
}

func (s *sweAgent) observe(r jsonl.Value, call *CallInfo) {
	observation := r.Get("observation")
	open := s.answer(call.ID, "")
	text := textOfBlocks(observation)
	result := &ResultInfo{CallID: open.id, Tool: open.tool}
	if secs, ok := r.Get("execution_time").Float(); ok {
		result.Duration = seconds(secs)
	}
	genericEnd(result, open.act, text)
	s.give(observation, result, text)
}

// sweActs are the commands of SWE-agent's own tools; everything else is run by
// the shell.
var sweActs = map[string]Act{
	"open": Read, "goto": Read, "scroll_down": Read, "scroll_up": Read,
	"create": Edit, "edit": Edit, "insert": Edit, "str_replace_editor": Edit, "append": Edit, "undo_edit": Edit,
	"find_file": Search, "search_dir": Search, "search_file": Search,
	"submit": Finish,
}

// history tells the steps again, as the model was sent them. Only the prompt
// and the task stand nowhere else.
func (s *sweAgent) history(r jsonl.Value) {
	demo, _ := r.Get("is_demo").Bool()
	content := r.Get("content")
	s.base.Origin = Copied
	switch role := r.Get("role").Str(); {
	case role == "system":
		s.say(content, Harness, Prompt, textOfBlocks(content))
	case role == "user" && !demo && !s.asked:
		s.asked = true
		s.say(content, Human, Prose, textOfBlocks(content))
	default:
		s.send(Other, r, nil)
	}
}

func (s *sweAgent) info(r jsonl.Value) {
	stats := r.Get("model_stats")
	if sent := intAt(stats, "tokens_sent"); sent > 0 {
		s.send(Usage, stats, func(e *Event) { e.Usage = &UsageInfo{Cumulative: sent} })
	}
	if status := r.Get("exit_status").Str(); status != "" {
		s.send(TurnEnd, r, func(e *Event) { e.Turn = &TurnInfo{Reason: status, Session: true, Bad: status != "submitted"} })
		return
	}
	s.send(Other, r, nil)
}
