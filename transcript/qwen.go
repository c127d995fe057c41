package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Qwen Code: records in an envelope like Claude Code's around messages like
// Gemini's, a tree by parentUuid. Two lines with one uuid are parts of one
// message.
//
//	record                          event                      termination from
//	user                            Message(human), or a notice by its subtype
//	assistant / text, thought       Message, Reasoning
//	  / functionCall                ToolCall
//	  / usageMetadata               Usage; contextWindowSize
//	tool_result                     ToolResult                 toolCallResult.status, .errorType; gemini_end.go
//	system / chat_compression       Compaction, Message(summary)
//	  / session_approval_mode       Session (policy)
//	  / session_model               Session (model)
//	  / other subtypes              Other
//
// Records with forkedFrom were copied from another session.
var qwenFormat = &Format{
	Name:  "qwen-code",
	Title: "Qwen Code session",
	Sniff: sniffQwen,
	New:   func() Decoder { return &qwen{} },
}

func sniffQwen(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if !v.Get("uuid").Exists() || !v.Get("sessionId").Exists() {
			continue
		}
		switch {
		case v.At("message", "parts").Exists(), v.Get("type").Str() == "tool_result":
			return 97
		case v.Get("type").Str() == "system" && v.Get("systemPayload").Exists():
			score = max(score, 96)
		}
	}
	return score
}

type qwen struct {
	geminiTalk
	session string
	window  int64
}

// Flush has nothing to add: nothing is held back.
func (q *qwen) Flush(Emit) {}

// Decode reads one record.
func (q *qwen) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	q.begin(rec, emit)
	q.base.Pos.ID, q.base.Parent = root.Get("uuid").Str(), root.Get("parentUuid").Str()
	q.base.Type, q.base.Time = root.Get("type").Str(), parseTime(root.Get("timestamp"))
	if side, _ := root.Get("isSidechain").Bool(); side {
		q.base.Agent = cmp.Or(root.Get("agentId").Str(), "sidechain")
	}
	fork := root.Get("forkedFrom")
	if id := root.Get("sessionId").Str(); id != "" && id != q.session {
		q.session = strings.Clone(id)
		q.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: id, Dir: root.Get("cwd").Str(), Version: root.Get("version").Str(), Fork: fork.Get("sessionId").Str()}
		})
	}
	if fork.Kind() == jsonl.Object {
		q.base.Origin = Copied
	}
	switch q.base.Type {
	case "user":
		q.human(root)
	case "assistant":
		q.assistant(root)
	case "tool_result":
		q.toolResult(root)
	case "system":
		q.system(root)
	default:
		q.emit(unknownEvent(rec, q.base.Type))
	}
}

// human reads what stands under the user's name: the human's own words, unless
// the subtype says that the client wrote them.
func (q *qwen) human(root jsonl.Value) {
	parts := root.At("message", "parts")
	switch root.Get("subtype").Str() {
	case "notification", "background_task_completed", "cron":
		q.say(parts, Harness, Notice, textOfBlocks(parts))
		return
	}
	if q.base.Agent != "" {
		q.say(parts, Peer, Prose, textOfBlocks(parts))
		return
	}
	q.user(parts)
}

func (q *qwen) assistant(root jsonl.Value) {
	q.names(root.Get("model").Str(), root)
	if n, ok := root.Get("contextWindowSize").Int(); ok && n != q.window {
		q.window = n
		q.send(Session, root.Get("contextWindowSize"), func(e *Event) { e.Session = &SessionInfo{Window: n} })
	}
	id := q.base.Pos.ID
	for _, p := range root.At("message", "parts").Elems() {
		text := p.Get("text")
		thought, _ := p.Get("thought").Bool()
		switch f := p.Get("functionCall"); {
		case f.Exists():
			q.called(f, f.Get("id").Str(), f.Get("name").Str(), f.Get("args"), id)
		case thought:
			q.send(Reasoning, p, func(e *Event) {
				e.Actor, e.MsgID, e.Text = Assistant, id, TextView(text)
				e.Reasoning = &ReasoningInfo{Signature: p.Get("thoughtSignature").Str(), Hollow: text.RawLen() == 0}
			})
		case text.RawLen() > 0:
			q.send(Message, text, func(e *Event) { e.Actor, e.MsgID, e.Text = Assistant, id, TextView(text) })
		default:
			q.send(Other, p, nil)
		}
	}
	q.usage(root.Get("usageMetadata"), id)
}

func (q *qwen) usage(u jsonl.Value, id string) {
	info := &UsageInfo{Model: q.model, Window: q.window}
	info.Context, _ = u.Get("promptTokenCount").Int()
	info.Cached, _ = u.Get("cachedContentTokenCount").Int()
	info.Output, _ = u.Get("candidatesTokenCount").Int()
	info.Reasoning, _ = u.Get("thoughtsTokenCount").Int()
	if info.Context+info.Output > 0 {
		q.send(Usage, u, func(e *Event) { e.MsgID, e.Usage = id, info })
	}
}

// toolResult reads the response that the model saw. toolCallResult is its
// typed side; older records have only that.
func (q *qwen) toolResult(root jsonl.Value) {
	typed := root.Get("toolCallResult")
	found := false
	for _, p := range root.At("message", "parts").Elems() {
		if f := p.Get("functionResponse"); f.Exists() {
			found = true
			q.late(typed, func() { q.response(f, typed.Get("status").Str(), root) })
		}
	}
	if !found {
		q.late(typed, func() { q.responseOf(typed.Get("callId").Str(), typed, typed.Get("status").Str(), typed) })
	}
}

// late turns the result that f emits into a timeout when the typed side names
// one: its words may be anything then.
func (q *qwen) late(typed jsonl.Value, f func()) {
	if typed.Get("errorType").Str() != "EXECUTION_TIMEOUT" && typed.Get("errorType").Str() != "execution_timeout" {
		f()
		return
	}
	emit := q.emit
	q.emit = func(e *Event) {
		if r := e.Result; r != nil && r.Term.Kind != TermTimeout {
			r.Term = Termination{Source: FromField}.withTimeout(r.Term.Limit, "errorType: "+typed.Get("errorType").Str())
		}
		emit(e)
	}
	f()
	q.emit = emit
}

func (q *qwen) system(root jsonl.Value) {
	load := root.Get("systemPayload")
	switch root.Get("subtype").Str() {
	case "chat_compression":
		q.compressed(load)
	case "session_approval_mode":
		mode := load.Get("mode").Str()
		q.send(Session, load, func(e *Event) {
			e.Session = &SessionInfo{Policy: mode, Auto: False}
			switch mode {
			case "yolo", "auto-edit", "auto":
				e.Session.Auto = True
			case "":
				e.Session.Auto = Unset
			}
		})
	case "session_model":
		q.names(cmp.Or(load.Get("model").Str(), load.Get("modelId").Str()), load)
	case "rewind":
		q.send(Status, root, func(e *Event) { e.Status = &StatusInfo{Name: "rewind"} })
	default:
		q.send(Other, root, nil)
	}
}

// compressed is the only compaction that counts tokens before and after. The
// summary is the first text of the history that replaces the old one.
func (q *qwen) compressed(load jsonl.Value) {
	info := &CompactionInfo{}
	info.PreTokens, _ = load.At("info", "originalTokenCount").Int()
	info.PostTokens, _ = load.At("info", "newTokenCount").Int()
	if status, ok := load.At("info", "compressionStatus").Int(); ok && status != 1 {
		info.Failed = "compressionStatus " + idText(load.At("info", "compressionStatus"))
	}
	var summary jsonl.Value
	for _, m := range load.Get("compressedHistory").Elems() {
		if summary = m.Get("parts").Index(0).Get("text"); summary.Kind() == jsonl.String {
			break
		}
	}
	info.Opaque = summary.RawLen() == 0 && info.Failed == ""
	q.send(Compaction, load, func(e *Event) { e.Compaction = info })
	if summary.RawLen() > 0 && info.Failed == "" {
		q.say(summary, Assistant, Summary, TextView(summary))
	}
}
