package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// ATIF, the trajectory format of Harbor and Terminal-Bench: a document of
// steps.
//
//	piece                          event                  termination from
//	/session_id, /agent            Session
//	/steps/N / user, system        Message
//	  / agent                      Reasoning, Message, ToolCall, Usage
//	  / observation.results        ToolResult             text only, by the words that generic_end.go knows
//	  / is_copied_context          the same, copied
//	/subagent_trajectories/N       the steps of another agent
//	/final_metrics                 Usage (total)
var atifFormat = &Format{
	Name:   "atif",
	Title:  "ATIF trajectory (Harbor)",
	Sniff:  sniffATIF,
	Pieces: true,
	New:    func() Decoder { return &atif{} },
}

func sniffATIF(head []jsonl.Probe) int {
	for _, p := range head {
		version := p.Root.Get("schema_version").Str()
		if p.Path == "/schema_version" {
			version = p.Root.Str()
		}
		if strings.HasPrefix(version, "ATIF-") {
			return 95
		}
		if strings.HasPrefix(p.Path, "/steps/") && hasKeys(p.Keys, "step_id", "source", "message") {
			return 80
		}
	}
	return 0
}

type atif struct {
	talk
	begun bool
}

func (a *atif) Flush(Emit) {}

func (a *atif) Decode(rec *jsonl.Record, emit Emit) {
	a.begin(rec, emit)
	r := rec.Root
	if rec.First {
		if a.begun {
			a.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Start: true} })
		}
		a.begun = true
		a.turnOver()
	}
	switch key, _, _ := strings.Cut(strings.TrimPrefix(rec.Path, "/"), "/"); key {
	case "session_id":
		a.send(Session, r, func(e *Event) { e.Session = &SessionInfo{ID: r.Str()} })
	case "agent":
		a.names(r.Get("model_name"), r)
		a.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Version: r.Get("version").Str()} })
	case "steps":
		a.step(r)
	case "subagent_trajectories":
		a.subagent(r)
	case "final_metrics":
		if total := intAt(r, "total_prompt_tokens"); total > 0 {
			a.send(Usage, r, func(e *Event) { e.Usage = &UsageInfo{Cumulative: total} })
			return
		}
		a.send(Other, r, nil)
	default:
		a.send(Other, r, nil)
	}
}

func (a *atif) subagent(r jsonl.Value) {
	agent := cmp.Or(r.Get("trajectory_id").Str(), r.Get("session_id").Str(), "subagent")
	for _, s := range r.Get("steps").Elems() {
		a.base.Agent = agent
		a.step(s)
	}
	a.base.Agent = ""
}

func (a *atif) step(s jsonl.Value) {
	a.base.Pos.ID = idText(s.Get("step_id"))
	a.base.Time = parseTime(s.Get("timestamp"))
	a.base.Origin = Observed
	if copied, _ := s.Get("is_copied_context").Bool(); copied {
		a.base.Origin = Copied
	}
	message := s.Get("message")
	switch s.Get("source").Str() {
	case "user":
		a.user(s, message)
	case "system":
		a.say(message, Harness, Notice, textOfBlocks(message))
	case "agent":
		a.names(s.Get("model_name"), s)
		a.think(s.Get("reasoning_content"), TextView(s.Get("reasoning_content")))
		a.spoken(message, textOfBlocks(message))
		a.mute = !s.Get("observation").Exists()
		for _, c := range s.Get("tool_calls").Elems() {
			a.toolCall(c, c.Get("tool_call_id").Str(), c)
		}
	default:
		a.send(Unknown, s, nil)
	}
	for _, r := range s.At("observation", "results").Elems() {
		a.result(r)
	}
	a.count(s.Get("metrics"), nil)
}

func (a *atif) result(v jsonl.Value) {
	call := a.answer(v.Get("source_call_id").Str(), "")
	text := textOfBlocks(v.Get("content"))
	if call.id == "" { // a result without a call is the environment's word
		a.say(v, Harness, Notice, text)
		return
	}
	r := &ResultInfo{CallID: call.id, Tool: call.tool}
	genericEnd(r, call.act, text)
	a.give(v, r, text)
}
