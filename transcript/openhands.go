package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// OpenHands: its events one a line or in an array (exports), and the
// output.jsonl of evaluation runs, whose every line holds a whole history.
// This file reads version 0; openhands_v1.go reads the events of the SDK.
//
//	record                            event                   termination from
//	action system, message            Message
//	action run, edit, read, mcp, ...  Reasoning or Message (thought), ToolCall, Usage (of the model's response)
//	action finish                     ToolCall, Message(final), TurnEnd
//	action condensation               Compaction, Message(summary)
//	action change_agent_state         Cancel, when the user stops it
//	observation run                   ToolResult              metadata.exit_code, and what metadata.suffix says
//	observation error                 ToolResult, or a notice without a call
//	observation user_rejected         ToolResult, Decision
//	observation agent_state_changed   TurnEnd, Decision, Status
//	error of a whole run              TurnEnd
//
// exit_code -1 means both a limit that was hit and a code that is not known:
// only the suffix tells which. Commands run in one terminal, so that a command
// that ran into the soft limit is the job that later inputs go to.
var openHandsFormat = &Format{
	Name:  "openhands",
	Title: "OpenHands events",
	Sniff: sniffOpenHands,
	New:   func() Decoder { return &hands{} },
}

func sniffOpenHands(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if v.Kind() == jsonl.Array {
			v = v.Index(0)
		}
		if h := v.Get("history"); h.Kind() == jsonl.Array && p.Path == "" {
			v = h.Index(0)
		}
		switch {
		case handsKinds[v.Get("kind").Str()] != 0 && v.Get("source").Exists():
			return 95
		case v.Get("source").Exists() && (v.Get("action").Kind() == jsonl.String && v.Get("args").Kind() == jsonl.Object ||
			v.Get("observation").Kind() == jsonl.String && v.Get("extras").Kind() == jsonl.Object):
			return 92
		case p.Partial && hasKeys(p.Keys, "instance_id", "history"), p.Partial && hasKeys(p.Keys, "instance_id", "test_result"):
			score = max(score, 60)
		case p.Partial && hasKeys(p.Keys, "tool_call_metadata"):
			score = max(score, 60)
		}
	}
	return score
}

type hands struct {
	feed
	session int    // histories so far, in a file of many
	ids     string // prefix that keeps the ids of several histories apart
	running string // the command that still runs in the terminal
	msg     uint64 // hash of the response whose tokens were counted last
	model   string
	calls   []int64 // ids of the actions that were calls, for what a condensation drops
}

// Flush has nothing to add: nothing is held back.
func (h *hands) Flush(Emit) {}

// Decode reads one record: an event, an array of them, or a whole run.
func (h *hands) Decode(rec *jsonl.Record, emit Emit) {
	history := rec.Root.Get("history").Kind() == jsonl.Array
	if rec.Path == "" && (history || rec.Root.Kind() == jsonl.Array || rec.Root.Get("trajectory").Kind() == jsonl.Array) {
		for piece := range rec.Pieces(nil) {
			h.piece(&piece, emit)
		}
		return
	}
	h.piece(rec, emit)
}

func (h *hands) piece(rec *jsonl.Record, emit Emit) {
	h.begin(rec, emit)
	if rec.First && rec.Path != "" {
		h.run()
	}
	key, _, deeper := strings.Cut(strings.TrimPrefix(rec.Path, "/"), "/")
	if rec.Path == "" || deeper || strings.Trim(key, "0123456789") == "" {
		h.event(rec.Root)
		return
	}
	switch key {
	case "error":
		if rec.Root.RawLen() > 0 {
			h.send(TurnEnd, rec.Root, func(e *Event) {
				e.Turn = &TurnInfo{Reason: Keep(firstLine(rec.Root.Head(120)), 120), Session: true, Bad: true}
			})
		}
	case "instance_id":
		h.send(Session, rec.Root, func(e *Event) { e.Session = &SessionInfo{ID: rec.Root.Str(), Start: h.session > 1} })
	default:
		h.send(Other, rec.Root, nil)
	}
}

// run begins the history of another run: its ids count from zero again.
func (h *hands) run() {
	h.session++
	h.turnOver()
	h.running, h.calls, h.ids = "", nil, ""
	if h.session > 1 {
		h.ids = strconv.Itoa(h.session) + ":"
	}
}

func (h *hands) event(v jsonl.Value) {
	h.base.Time = parseTime(v.Get("timestamp"))
	h.base.Pos.ID = idText(v.Get("id"))
	switch {
	case v.Get("kind").Kind() == jsonl.String:
		h.v1(v)
	case v.Get("action").Kind() == jsonl.String:
		h.base.Type = v.Get("action").Str()
		h.action(v)
	case v.Get("observation").Kind() == jsonl.String:
		h.base.Type = v.Get("observation").Str()
		h.observation(v)
	default:
		h.emit(unknownEvent(h.rec, ""))
	}
}

// handsActs are the actions that call a tool.
var handsActs = map[string]Act{
	"run": Shell, "run_ipython": NoAct, "read": Read, "write": Edit, "edit": Edit, "browse": Fetch, "browse_interactive": Fetch,
	"delegate": Subagent, "call_tool_mcp": External, "mcp": External, "task_tracking": Plan, "think": Plan, "finish": Finish,
}

func (h *hands) action(v jsonl.Value) {
	args := v.Get("args")
	switch name := v.Get("action").Str(); name {
	case "system":
		h.say(args.Get("content"), Harness, Prompt, TextView(args.Get("content")))
	case "message":
		h.message(v.Get("source").Str(), args.Get("content"))
	case "condensation":
		h.condensed(args)
	case "condensation_request":
		h.send(Compaction, v, func(e *Event) { e.Compaction = &CompactionInfo{Begin: true} })
	case "change_agent_state":
		h.stateAsked(v, args.Get("agent_state").Str())
	case "reject":
		h.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: "rejected", Bad: true} })
	case "recall", "null", "start", "pause", "resume", "stop", "send_pr", "push", "loop_recovery":
		h.send(Other, v, nil)
	default:
		act, known := handsActs[name]
		if !known {
			h.emit(unknownEvent(h.rec, "action "+name))
			return
		}
		h.call(v, args, name, act)
	}
}

// message is what somebody said. Evaluation runs answer the agent in the
// user's name.
func (h *hands) message(source string, content jsonl.Value) {
	text := textOfBlocks(content)
	head := text.Head(headWindow)
	switch {
	case source == "agent":
		h.send(Message, content, func(e *Event) { e.Actor, e.Text = Assistant, text })
	case source != "user", injected(head), strings.HasPrefix(head, "Please continue working on the task on whatever approach you think is suitable"):
		h.say(content, Harness, Notice, text)
	default:
		h.say(content, Human, Prose, text)
	}
}

func (h *hands) call(v, args jsonl.Value, name string, act Act) {
	meta := v.Get("tool_call_metadata")
	response := meta.Get("model_response")
	thought := args.Get("thought")
	switch {
	case thought.RawLen() == 0:
	case name == "think":
		h.think(thought, TextView(thought))
	default:
		h.send(Message, thought, func(e *Event) { e.Actor, e.Text, e.MsgID = Assistant, TextView(thought), response.Get("id").Str() })
	}
	call := &CallInfo{ID: h.ids + h.base.Pos.ID, Tool: cmp.Or(meta.Get("function_name").Str(), name), Act: act, Args: args}
	fillCall(call, args)
	h.terminal(call, args)
	call.Timeout = parseSeconds(v.Get("timeout"))
	if task := args.Get("task_list"); act == Plan && task.Exists() {
		fillTodos(call, task)
	}
	if n, err := strconv.ParseInt(h.base.Pos.ID, 10, 64); err == nil && len(h.calls) < openMost {
		h.calls = append(h.calls, n)
	}
	h.makeCall(v, call, func(e *Event) {
		e.MsgID = response.Get("id").Str()
		if v.Get("source").Str() == "user" {
			e.Actor = Human
		}
	})
	h.confirmation(args, call.ID)
	h.counted(v, response)
	if act == Finish {
		h.finished(v, firstExisting(args, "final_thought", "message"))
	}
}

// terminal reads what is typed into the terminal: a command, or input for the
// one that runs.
func (h *hands) terminal(call *CallInfo, args jsonl.Value) {
	if call.Act == Edit && args.Get("command").Str() == "view" {
		call.Act = Read
	}
	input, _ := args.Get("is_input").Bool()
	if call.Act != Shell || call.Broken != "" || !input && args.Get("is_input").Str() != "true" && call.Command != "" {
		return
	}
	switch call.Input, call.Command = call.Command, ""; strings.ToUpper(call.Input) {
	case "":
		call.Act = Poll
	case "C-C", "C-D", "C-Z":
		call.Act = Kill
	default:
		call.Act = Input
	}
	call.JobID = h.running
}

func (h *hands) finished(v, words jsonl.Value) {
	if words.RawLen() > 0 {
		h.send(Message, words, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(words), True })
	}
	h.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: "completed"} })
}

// confirmation is where an action waits for the human. "confirmed" is what
// every action says that needed no confirmation: it is not told on.
func (h *hands) confirmation(args jsonl.Value, id string) {
	d := &DecisionInfo{CallID: id}
	switch args.Get("confirmation_state").Str() {
	case "awaiting_confirmation":
		d.Verb = Requested
	case "rejected":
		d.Verb, d.By = Denied, ByHuman
	default:
		return
	}
	h.send(Decision, args, func(e *Event) { e.Decision = d })
}

// counted tells the tokens of the model's response once, however many actions
// it asked for. llm_metrics adds up over the session.
func (h *hands) counted(v, response jsonl.Value) {
	id := response.Get("id").Str()
	if name := response.Get("model").Str(); name != "" && name != h.model {
		h.model = strings.Clone(name)
		h.send(Session, response, func(e *Event) { e.Session = &SessionInfo{Model: h.model} })
	}
	hash := hashOf([]byte(id))
	if id == "" || hash == h.msg {
		return
	}
	h.msg = hash
	total := v.At("llm_metrics", "accumulated_token_usage")
	h.count(response.Get("usage"), func(e *Event) {
		e.MsgID, e.Usage.Model = id, h.model
		e.Usage.Cumulative, _ = total.Get("prompt_tokens").Int()
		e.Usage.Window, _ = total.Get("context_window").Int()
	})
}

func (h *hands) condensed(args jsonl.Value) {
	info := &CompactionInfo{}
	from, ok := args.Get("forgotten_events_start_id").Int()
	to, _ := args.Get("forgotten_events_end_id").Int()
	for _, id := range h.calls {
		if ok && from <= id && id <= to {
			info.Dropped = append(info.Dropped, h.ids+strconv.FormatInt(id, 10))
		}
	}
	for _, id := range args.Get("forgotten_event_ids").Elems() {
		info.Dropped = append(info.Dropped, h.ids+idText(id))
	}
	h.compacted(args, info, args.Get("summary"))
}

func (h *hands) compacted(at jsonl.Value, info *CompactionInfo, summary jsonl.Value) {
	info.Opaque = summary.RawLen() == 0 // forgetting without a summary
	h.send(Compaction, at, func(e *Event) { e.Compaction = info })
	if !info.Opaque {
		h.say(summary, Assistant, Summary, TextView(summary))
	}
}

func (h *hands) stateAsked(v jsonl.Value, state string) {
	if state != "stopped" && state != "paused" {
		h.send(Other, v, nil)
		return
	}
	by := Harness
	if v.Get("source").Str() == "user" {
		by = Human
	}
	h.send(Cancel, v, func(e *Event) { e.Cancel = &CancelInfo{Verb: CancelRequested, By: by, Reason: state} })
}
