package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// opencode: exported sessions, parts and messages one a line, the records of
// `run --format json`, and the server's event stream.
//
//	record                                  event                        termination from
//	{"info","parts"} of an export           the parts', with the role of info
//	{"type":"tool_use","part"} of run       the part's
//	message.part.updated of the stream      the part's, once it is complete
//	part text, reasoning                    Message, Reasoning
//	part tool                               ToolCall, ToolResult         state.status, state.error, state.metadata.exit and .interrupted;
//	                                                                     a <bash_metadata> note at the end of the output
//	part step-finish                        Usage; input leaves the cache out
//	part compaction                         Compaction; the next answer of the model is the Message(summary)
//	info.error                              Status, TurnEnd
//	permission.updated, .asked, .replied    Decision
//	session.idle, session.error             TurnEnd, Status
//
// status completed is every end of a command, with any exit code. A permission
// that nobody could be asked for is rejected in the user's name: no person is
// blamed for it.
var opencodeFormat = &Format{
	Name:  "opencode",
	Title: "opencode session or events",
	Sniff: sniffOpencode,
	New:   func() Decoder { return &opencode{} },
}

func sniffOpencode(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if m := v.Get("messages").Index(0); m.Exists() {
			v = m
		}
		part := firstExisting(v, "part")
		if in := v.At("properties", "part"); in.Exists() {
			part = in
		}
		switch {
		case v.Get("info").Kind() == jsonl.Object && v.Get("parts").Kind() == jsonl.Array,
			part.Get("messageID").Exists() && part.Get("type").Exists(), v.Get("sessionID").Exists() && v.Get("messageID").Exists() && v.Get("type").Exists():
			return 90
		case v.Get("sessionID").Exists() && v.Get("part").Exists(), v.At("properties", "sessionID").Exists(), v.At("properties", "info", "sessionID").Exists():
			score = max(score, 85)
		case v.Get("sessionID").Exists() && v.Get("role").Exists() && strings.HasPrefix(v.Get("id").Str(), "msg_"):
			score = max(score, 80)
		case p.Partial && hasKeys(p.Keys, "info", "messages"), p.Partial && hasKeys(p.Keys, "info", "parts"):
			score = max(score, 60)
		}
	}
	return score
}

type opencode struct {
	feed
	session string
	model   string
	roles   map[string]opencodeRole // by the message's id
	told    map[uint64]bool         // parts that were told, calls that were made
}

type opencodeRole struct {
	actor   Actor
	summary bool
	told    bool // its error was told
}

// Flush has nothing to add: nothing is held back.
func (o *opencode) Flush(Emit) {}

// Decode reads one record, or a whole export.
func (o *opencode) Decode(rec *jsonl.Record, emit Emit) {
	if rec.Path == "" && (rec.Root.Get("messages").Kind() == jsonl.Array || rec.Root.Kind() == jsonl.Array) {
		for piece := range rec.Pieces(nil) {
			o.piece(&piece, emit)
		}
		return
	}
	o.piece(rec, emit)
}

func (o *opencode) piece(rec *jsonl.Record, emit Emit) {
	o.begin(rec, emit)
	if o.roles == nil {
		o.roles, o.told = map[string]opencodeRole{}, map[uint64]bool{}
	}
	root := rec.Root
	o.base.Type = root.Get("type").Str()
	o.base.Time = parseTime(root.Get("timestamp"))
	switch props := root.Get("properties"); {
	case rec.Path == "/info":
		o.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: root.Get("id").Str(), Dir: root.Get("directory").Str(), Version: root.Get("version").Str()}
		})
	case root.Get("parts").Kind() == jsonl.Array:
		o.info(root.Get("info"))
		for _, p := range root.Get("parts").Elems() {
			o.part(p, true)
		}
		o.failed(root.Get("info"))
	case props.Kind() == jsonl.Object:
		o.streamed(root, props)
	case root.Get("part").Kind() == jsonl.Object:
		id := root.At("part", "messageID").Str()
		if _, known := o.roles[id]; !known { // run tells the model's parts only
			o.roles[strings.Clone(id)] = opencodeRole{actor: Assistant}
		}
		o.part(root.Get("part"), true)
	case root.Get("messageID").Exists():
		o.part(root, true)
	case root.Get("role").Exists():
		o.info(root)
		o.failed(root)
	case o.base.Type == "error":
		o.fault(root.Get("error"))
	case rec.Path != "":
		o.send(Other, root, nil)
	default:
		o.emit(unknownEvent(rec, o.base.Type))
	}
}

// streamed reads an event of the server.
func (o *opencode) streamed(root, props jsonl.Value) {
	switch typ := o.base.Type; typ {
	case "message.updated":
		o.info(props.Get("info"))
		o.failed(props.Get("info"))
	case "message.part.updated":
		o.part(props.Get("part"), false)
	case "permission.updated", "permission.asked":
		o.send(Decision, props, func(e *Event) {
			e.Decision = &DecisionInfo{
				Verb: Requested, ID: props.Get("id").Str(), CallID: cmp.Or(props.Get("callID").Str(), props.At("tool", "callID").Str()),
				Subject: cmp.Or(props.Get("title").Str(), props.Get("permission").Str()),
			}
		})
	case "permission.replied":
		o.replied(props)
	case "session.idle":
		o.send(TurnEnd, root, func(e *Event) { e.Turn = &TurnInfo{Reason: "completed"} })
	case "session.error":
		o.fault(props.Get("error"))
	case "session.status":
		o.send(Status, root, func(e *Event) { e.Status = &StatusInfo{Name: cmp.Or(props.At("status", "type").Str(), "status")} })
	default:
		o.send(Other, root, nil)
	}
}

func (o *opencode) replied(props jsonl.Value) {
	answer := cmp.Or(props.Get("response").Str(), props.Get("reply").Str())
	d := &DecisionInfo{ID: cmp.Or(props.Get("permissionID").Str(), props.Get("requestID").Str()), Reason: answer, Verb: Approved}
	switch answer {
	case "reject":
		d.Verb = Denied
	case "":
		o.send(Other, props, nil)
		return
	}
	o.send(Decision, props, func(e *Event) { e.Decision = d })
}

// info is what is known of a message: who speaks, with which model.
func (o *opencode) info(m jsonl.Value) {
	id := m.Get("id").Str()
	role := o.roles[id]
	switch m.Get("role").Str() {
	case "user":
		role.actor = Human
	case "assistant":
		role.actor = Assistant
	}
	role.summary, _ = m.Get("summary").Bool()
	o.roles[strings.Clone(id)] = role
	model := cmp.Or(m.Get("modelID").Str(), m.At("model", "modelID").Str())
	if model != "" && model != o.model {
		o.model = strings.Clone(model)
		o.send(Session, m, func(e *Event) { e.Session = &SessionInfo{Model: o.model, Dir: m.At("path", "cwd").Str()} })
	}
}

// failed is how a message ended, where it did not end by itself.
func (o *opencode) failed(m jsonl.Value) {
	failure := m.Get("error")
	id := m.Get("id").Str()
	if role := o.roles[id]; failure.Kind() == jsonl.Object && !role.told {
		role.told = true
		o.roles[strings.Clone(id)] = role
		o.fault(failure)
	}
}

func (o *opencode) fault(failure jsonl.Value) {
	reason := "error"
	switch name := failure.Get("name").Str(); name {
	case "MessageAbortedError":
		reason = "interrupted"
	case "MessageOutputLengthError":
		reason = "length"
	default:
		code, _ := failure.At("data", "statusCode").Int()
		o.send(Status, failure, func(e *Event) {
			e.Status = &StatusInfo{Name: "api_error", Code: int(code), Error: cmp.Or(failure.At("data", "message").Head(200), name)}
		})
	}
	o.send(TurnEnd, failure, func(e *Event) { e.Turn = &TurnInfo{Reason: reason, Bad: true} })
}

// once reports whether this is the first time that a part is told.
func (o *opencode) once(kind, id string) bool {
	key := hashOf([]byte(kind + id))
	if id != "" && o.told[key] {
		return false
	}
	o.told[key] = true
	return true
}

// part reads one part. In a stream it is told again with every change: only a
// complete one counts.
func (o *opencode) part(p jsonl.Value, whole bool) {
	id := p.Get("id").Str()
	o.base.Type = p.Get("type").Str()
	if whole { // a stream tells a part again with every change: its id names no record
		o.base.Pos.ID = id
	}
	if session := p.Get("sessionID").Str(); o.session == "" {
		o.session = strings.Clone(session)
	} else if session != o.session {
		o.base.Agent = session
	}
	start, end := p.At("time", "start"), p.At("time", "end")
	if at := parseTime(firstExisting(p.Get("time"), "end", "start")); !at.IsZero() {
		o.base.Time = at
	}
	whole = whole || !start.Exists() || end.Exists()
	switch o.base.Type {
	case "text", "reasoning":
		if whole && p.Get("text").RawLen() > 0 && o.once("text", id) {
			o.words(p)
		}
	case "tool":
		o.tool(p)
	case "step-finish":
		if o.once("step", id) {
			o.tokens(p)
		}
	case "compaction":
		if o.once("compaction", id) {
			auto, told := p.Get("auto").Bool()
			o.send(Compaction, p, func(e *Event) {
				e.Compaction = &CompactionInfo{}
				if told {
					e.Compaction.Trigger = map[bool]string{true: "auto", false: "manual"}[auto]
				}
			})
		}
	case "retry":
		o.send(Status, p, func(e *Event) {
			e.Status = &StatusInfo{Name: "retry", Error: p.At("error", "data", "message").Head(200)}
		})
	case "step-start", "patch", "snapshot", "subtask", "file", "agent":
		o.send(Other, p, nil)
	default:
		o.emit(unknownEvent(o.rec, "part "+o.base.Type))
	}
}

// words are a text or a thought. Without its message nobody knows whose text
// it is.
func (o *opencode) words(p jsonl.Value) {
	msg := p.Get("messageID").Str()
	role := o.roles[msg]
	text := p.Get("text")
	synthetic, _ := p.Get("synthetic").Bool()
	switch {
	case o.base.Type == "reasoning":
		o.send(Reasoning, p, func(e *Event) {
			e.Actor, e.MsgID, e.Text = Assistant, msg, TextView(text)
			e.Reasoning = &ReasoningInfo{Signature: p.At("metadata", "anthropic", "signature").Str()}
		})
	case role.actor == Human && (synthetic || injected(text.Head(headWindow))):
		o.say(text, Harness, Notice, TextView(text))
	case role.summary:
		o.say(text, Assistant, Summary, TextView(text))
	default:
		o.send(Message, text, func(e *Event) { e.Actor, e.MsgID, e.Text = role.actor, msg, TextView(text) })
	}
}

func (o *opencode) tokens(p jsonl.Value) {
	u := p.Get("tokens")
	fresh, _ := u.Get("input").Int()
	read, _ := u.At("cache", "read").Int()
	made, _ := u.At("cache", "write").Int()
	info := &UsageInfo{Context: fresh + read + made, Cached: read, Model: o.model}
	info.Output, _ = u.Get("output").Int()
	info.Reasoning, _ = u.Get("reasoning").Int()
	if info.Context+info.Output > 0 {
		o.send(Usage, u, func(e *Event) { e.MsgID, e.Usage = p.Get("messageID").Str(), info })
	}
}
