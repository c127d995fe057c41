package transcript

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Gemini CLI: session documents, and their later form as JSON Lines. Older
// Qwen Code writes the same.
//
//	record                     event                       termination from
//	header, document members   Session
//	user                       Message(human), a notice, a summary; functionResponse parts repeat results
//	gemini / thoughts          Reasoning
//	  / content                Message(assistant)
//	  / toolCalls              ToolCall, ToolResult        gemini_end.go: lines at the end of the output; status only where it was
//	                                                       cancelled or failed, for success covers every exit code
//	  / tokens                 Usage
//	info, warning, error       Status; "Request cancelled." TurnEnd
//	{"$set":{"messages"}}      Compaction and Message(summary), when a snapshot replaces the history
//	{"$rewindTo"}              Status; what follows hangs on an earlier record
//
// A message is written again whenever it changes: the first write of every
// part counts, and a text that changed is told again.
var geminiFormat = &Format{
	Name:   "gemini-cli",
	Title:  "Gemini CLI session",
	Sniff:  sniffGemini,
	Pieces: false,
	New:    func() Decoder { return &gemini{} },
}

func sniffGemini(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		first := v.Get("messages").Index(0)
		switch {
		case p.Path == "/projectHash", v.Get("projectHash").Exists() && v.Get("sessionId").Exists() && !v.Get("type").Exists():
			return 95
		case v.Get("$rewindTo").Exists(), v.At("$set", "lastUpdated").Exists():
			return 90
		case isGeminiMessage(v), isGeminiMessage(first):
			score = max(score, 85)
		case p.Partial && hasKeys(p.Keys, "sessionId", "projectHash"):
			return 90
		case p.Partial && hasKeys(p.Keys, "toolCalls", "thoughts"):
			score = max(score, 70)
		}
	}
	return score
}

func isGeminiMessage(v jsonl.Value) bool {
	return v.Get("type").Str() == "gemini" && v.Get("id").Exists() && !v.Get("uuid").Exists()
}

// geminiTalk is what Gemini CLI and Qwen Code have in common.
type geminiTalk struct {
	feed
	model string
	given map[uint64]bool // ids whose results were told
}

type gemini struct {
	geminiTalk
	told  map[uint64]uint64 // id of a message -> hash of the text that was told
	calls map[uint64]bool   // ids of calls that were told
	order []string          // ids of the messages in their order, for rewinds
}

// Flush has nothing to add: nothing is held back.
func (g *gemini) Flush(Emit) {}

// Decode reads one record, one piece of a document, or a whole one.
func (g *gemini) Decode(rec *jsonl.Record, emit Emit) {
	if rec.Path == "" && rec.Root.Get("messages").Kind() == jsonl.Array {
		for piece := range rec.Pieces(nil) {
			g.piece(&piece, emit)
		}
		return
	}
	g.piece(rec, emit)
}

func (g *gemini) piece(rec *jsonl.Record, emit Emit) {
	g.begin(rec, emit)
	root := rec.Root
	switch {
	case strings.HasPrefix(rec.Path, "/messages/"):
		g.message(root)
	case rec.Path == "/sessionId":
		g.send(Session, root, func(e *Event) { e.Session = &SessionInfo{ID: root.Str()} })
	case rec.Path != "":
		g.send(Other, root, nil)
	case root.Get("$rewindTo").Exists():
		g.rewind(root.Get("$rewindTo").Str())
	case root.Get("$set").Exists():
		g.set(root.Get("$set"))
	case root.Get("type").Kind() == jsonl.String:
		g.message(root)
	case root.Get("sessionId").Exists():
		g.send(Session, root, func(e *Event) { e.Session = &SessionInfo{ID: root.Get("sessionId").Str()} })
	default:
		g.emit(unknownEvent(rec, ""))
	}
}

// rewind drops a message and all that came after it; an unknown one drops
// everything.
func (g *gemini) rewind(id string) {
	keep := 0
	for i, have := range g.order {
		if have == id {
			keep = i
			break
		}
	}
	g.order = g.order[:keep]
	g.send(Status, g.rec.Root, func(e *Event) { e.Status = &StatusInfo{Name: "rewind"} })
}

// set changes the document's members. A new list of messages is the history
// rewritten: it tells nothing new, but for the summary that replaces a part.
func (g *gemini) set(members jsonl.Value) {
	list := members.Get("messages")
	if list.Kind() != jsonl.Array {
		g.send(Other, members, nil)
		return
	}
	g.base.Origin = Copied
	for _, m := range list.Elems() {
		g.message(m)
	}
}

func (g *gemini) message(m jsonl.Value) {
	id := m.Get("id").Str()
	key := hashOf([]byte(id))
	if g.told == nil {
		g.told, g.calls = map[uint64]uint64{}, map[uint64]bool{}
	}
	content := m.Get("content")
	before, again := g.told[key]
	again = again && id != ""
	text := hashOf(content.Raw())
	g.told[key] = text
	if !again {
		g.chain(id)
	}
	g.base.Pos.ID, g.base.Type, g.base.Time = id, m.Get("type").Str(), parseTime(m.Get("timestamp"))
	switch news := !again || before != text; g.base.Type {
	case "user":
		if news {
			g.user(content)
		}
	case "gemini":
		g.answered(m, content, news, again)
	case "info", "warning", "error":
		if news {
			g.aside(content)
		}
	default:
		g.emit(unknownEvent(g.rec, g.base.Type))
	}
}

// chain hangs a new message on the one before it.
func (g *gemini) chain(id string) {
	g.base.Parent = ""
	if n := len(g.order); n > 0 {
		g.base.Parent = g.order[n-1]
	}
	if id != "" {
		g.order = append(g.order, strings.Clone(id))
	}
}

// aside is what the client said to the human.
func (g *gemini) aside(content jsonl.Value) {
	text := textOfBlocks(content)
	head := text.Head(200)
	if strings.HasPrefix(head, "Request cancelled.") {
		g.send(TurnEnd, content, func(e *Event) { e.Turn = &TurnInfo{Reason: "interrupted", Bad: true} })
		return
	}
	g.send(Status, content, func(e *Event) {
		e.Actor, e.Text = Harness, text
		e.Status = &StatusInfo{Name: g.base.Type}
		if g.base.Type == "error" {
			e.Status.Error, e.Status.Code = firstLine(head), apiErrorCode(strings.TrimPrefix(head, "["))
		}
	})
}

func (g *geminiTalk) user(content jsonl.Value) {
	if content.Kind() != jsonl.Array {
		g.words(firstString(content))
		return
	}
	for _, p := range content.Elems() {
		switch f := p.Get("functionResponse"); {
		case f.Exists():
			g.response(f, "", jsonl.Value{})
		case p.Get("text").Kind() == jsonl.String, p.Kind() == jsonl.String:
			g.words(firstString(p))
		default:
			g.send(Other, p, nil)
		}
	}
}

// words are the human's, unless the client wrote them under the user's name.
func (g *geminiTalk) words(v jsonl.Value) {
	head := strings.TrimLeft(v.Head(headWindow), " \n")
	switch {
	case strings.HasPrefix(head, "<state_snapshot>"), strings.HasPrefix(head, "<compressed_history>"):
		origin := g.base.Origin
		g.base.Origin = Observed // the summary is new, whatever stands around it
		g.send(Compaction, v, func(e *Event) { e.Compaction = &CompactionInfo{} })
		g.say(v, Assistant, Summary, TextView(v))
		g.base.Origin = origin
	case injected(head), strings.HasPrefix(head, "<session_context>"), strings.HasPrefix(head, "System: Please continue"),
		strings.HasPrefix(head, "This is the Gemini CLI."), strings.HasPrefix(head, "This is the Qwen Code."):
		g.say(v, Harness, Notice, TextView(v))
	default:
		g.say(v, Human, Prose, TextView(v))
	}
}

func (g *geminiTalk) names(model string, at jsonl.Value) {
	if model != "" && model != g.model {
		g.model = strings.Clone(model)
		g.send(Session, at, func(e *Event) { e.Session = &SessionInfo{Model: g.model} })
	}
}

// answered reads what the model did. Of a message that is written again only
// what is new counts.
func (g *gemini) answered(m, content jsonl.Value, news, again bool) {
	g.names(m.Get("model").Str(), m)
	id := g.base.Pos.ID
	if !again {
		for _, t := range m.Get("thoughts").Elems() {
			text := TextView(t.Get("subject"), t.Get("description"))
			g.send(Reasoning, t, func(e *Event) { e.Actor, e.MsgID, e.Text, e.Reasoning = Assistant, id, text, &ReasoningInfo{} })
		}
	}
	if text := textOfBlocks(content); news && !text.Empty() {
		g.send(Message, content, func(e *Event) { e.Actor, e.MsgID, e.Text = Assistant, id, text })
	}
	for _, c := range m.Get("toolCalls").Elems() {
		g.toolCall(c, id)
	}
	if u := m.Get("tokens"); u.Kind() == jsonl.Object {
		g.tokens(u, id)
	}
}

func (g *gemini) tokens(u jsonl.Value, id string) {
	info := &UsageInfo{Model: g.model}
	info.Context, _ = u.Get("input").Int()
	info.Cached, _ = u.Get("cached").Int()
	info.Output, _ = u.Get("output").Int()
	info.Reasoning, _ = u.Get("thoughts").Int()
	if info.Context+info.Output > 0 {
		g.send(Usage, u, func(e *Event) { e.MsgID, e.Usage = id, info })
	}
}

// toolCall reads a call and its result, which stand in one object.
func (g *gemini) toolCall(c jsonl.Value, msg string) {
	key := hashOf([]byte(c.Get("id").Str()))
	if !g.calls[key] {
		g.calls[key] = true
		g.called(c, c.Get("id").Str(), c.Get("name").Str(), c.Get("args"), msg)
	}
	status := c.Get("status").Str()
	if g.given[key] || status != "success" && status != "error" && status != "cancelled" {
		return
	}
	for _, p := range c.Get("result").Elems() {
		if f := p.Get("functionResponse"); f.Exists() {
			g.responseOf(c.Get("id").Str(), f, status, c)
			return
		}
	}
	g.responseOf(c.Get("id").Str(), c, status, c)
}
