package transcript

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Messages of chat APIs, however they are stored: one message a line, one
// session a line, an array or a document of messages, or a log of requests
// and responses. talk.go reads the messages themselves.
//
//	record                                     event
//	{"role":...,"content":...}                 the message's
//	{"messages":[...]}, [...]                  Session, the messages'
//	{"request":{"messages":[...]},"response":  Request, the messages' that the request before
//	  {"choices":[...],"usage":{...}}}         did not hold, then the response's
//	{"type":"request","messages":[...]}        the same without a response
//	{"type":"response","message":{...}}        the message's
//
// A request log tells the history again with every request. What a request
// shares with the one before is not told twice; what it holds as a whole is in
// the Request event.
var chatFormat = &Format{
	Name:  "chat",
	Title: "Chat-completions messages",
	Sniff: sniffChat,
	Split: splitChat,
	New:   func() Decoder { return &chat{} },
}

func splitChat(path string) bool {
	switch path {
	case "/request", "/request/messages", "/body", "/body/messages", "/request/body", "/request/body/messages":
		return true
	}
	return false
}

var chatPiece = regexp.MustCompile(`^(?:/request)?(?:/body)?/(?:messages|conversations?|history|chat)/\d+$|^/\d+$`)

func sniffChat(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		switch {
		case p.Path != "" && chatPiece.MatchString(p.Path) && isMessage(v):
			score = max(score, 42)
		case p.Path != "" && !chatPiece.MatchString(p.Path):
		case v.Kind() == jsonl.Array && isMessage(v.Index(0)):
			score = max(score, 42)
		case messagesIn(v).Exists():
			score = max(score, 42)
		case isMessage(v) && (v.Get("tool_calls").Exists() || v.Get("tool_call_id").Exists() || v.Get("reasoning_content").Exists()):
			score = max(score, 45)
		case isMessage(v):
			score = max(score, 32)
		case isChoices(v.Get("choices")):
			score = max(score, 40)
		case p.Partial && hasKeys(p.Keys, "messages"):
			score = max(score, 30)
		}
	}
	return score
}

func isChoices(v jsonl.Value) bool { return isMessage(v.Index(0).Get("message")) }

// messagesIn finds the messages that an object holds, itself or in the
// request that it tells of.
func messagesIn(v jsonl.Value) jsonl.Value {
	if v.Kind() != jsonl.Object {
		return jsonl.Value{}
	}
	for _, key := range []string{"messages", "conversation", "conversations", "history", "chat"} {
		if m := v.Get(key); m.Kind() == jsonl.Array && isMessage(m.Index(0)) {
			return m
		}
	}
	for _, key := range []string{"request", "body"} {
		if in := v.Get(key); in.Kind() == jsonl.Object {
			if m := messagesIn(in); m.Exists() {
				return m
			}
		}
	}
	return jsonl.Value{}
}

type chat struct {
	talk
	session  string
	begun    bool
	prev     []uint64        // hashes of the messages that the newest record held
	seen     map[uint64]bool // of all messages of the session, when it has an id
	asked    bool            // the newest record was clearly a request
	answered bool            // it came with its response
	snapshot []RequestMessage
	last     Pos // of the newest record
}

// Flush ends a log of requests with its last response: what the response calls
// is run elsewhere, so nothing is under way here.
func (c *chat) Flush(emit Emit) {
	if c.answered {
		emit(&Event{Kind: TurnEnd, Pos: c.last, Turn: &TurnInfo{Reason: "response"}})
	}
}

func (c *chat) Decode(rec *jsonl.Record, emit Emit) {
	c.begin(rec, emit)
	c.last = posOf(rec, "")
	if rec.Path != "" {
		c.piece(rec)
		return
	}
	r := rec.Root
	switch {
	case r.Kind() == jsonl.Array && isMessage(r.Index(0)):
		c.document(r, r)
	case messagesIn(r).Exists():
		c.document(r, messagesIn(r))
	case isMessage(r):
		c.begun = true
		c.message(r)
	case isChoices(r.Get("choices")):
		c.response(r)
		c.answered = c.asked
	case isMessage(r.Get("message")):
		c.message(r.Get("message"))
		c.answered = c.asked && r.Get("type").Str() == "response"
	case isResponse(r.Get("response")):
		c.replies(r)
	default:
		c.leftover(r)
	}
}

// leftover is a record without messages: a session's metadata, as far as
// anybody can tell.
func (c *chat) leftover(r jsonl.Value) {
	kind := Unknown
	for _, key := range []string{"messages", "tools", "model", "session_id", "sessionId", "metadata", "config", "role"} {
		if r.Get(key).Exists() {
			kind = Other
		}
	}
	c.send(kind, r, nil)
}

// document reads a record that holds a whole session, or a request with the
// whole history so far.
func (c *chat) document(root, messages jsonl.Value) {
	hashes := make([]uint64, 0, messages.Len())
	for _, m := range messages.Elems() {
		hashes = append(hashes, hashOf(m.Raw()))
	}
	id := sessionID(root)
	shared := sharedPrefix(c.prev, hashes)
	asked := isRequest(root)
	grown := shared == len(c.prev) && (shared >= 2 || shared == 1 && asked && c.asked)
	same := id != "" && id == c.session
	if !grown && !same {
		c.start(root, id)
		shared = 0
	}
	if same && !grown && len(c.prev) > 0 && len(hashes) < len(c.prev) {
		c.send(Compaction, messages, func(e *Event) { e.Origin, e.Compaction = Inferred, &CompactionInfo{} })
	}
	for i, m := range messages.Elems() {
		echo := i == shared && c.answered && (grown || same) && roleOf(m) == "assistant"
		if i < shared || echo || same && c.seen[hashes[i]] {
			continue
		}
		c.one(m)
	}
	c.remember(id, hashes)
	c.answered = false
	if r := root.Get("reasoning_content"); r.RawLen() > 0 {
		c.think(r, TextView(r))
	}
	if c.asked = asked; asked || grown && len(hashes) > shared { // a record that is merely doubled is no request
		c.request(root, messages)
	}
	c.replies(root)
}

// one reads a message of a record that holds several: their times are their
// own.
func (c *chat) one(m jsonl.Value) {
	at := c.base.Time
	if !c.message(m) {
		c.send(Other, m, nil)
	}
	c.base.Time = at
}

func (c *chat) remember(id string, hashes []uint64) {
	c.prev = hashes
	if id == "" {
		return
	}
	if c.seen == nil {
		c.seen = map[uint64]bool{}
	}
	for _, h := range hashes {
		c.seen[h] = true
	}
}

func sharedPrefix(a, b []uint64) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func sessionID(v jsonl.Value) string {
	for _, key := range []string{"session_id", "sessionId", "conversation_id", "thread_id", "trace_id", "source_session_id", "trajectory_id", "instance_id", "test_id"} {
		if id := idText(v.Get(key)); id != "" {
			return id
		}
	}
	return ""
}

// start begins a session.
func (c *chat) start(root jsonl.Value, id string) {
	c.send(Session, root, func(e *Event) {
		s := &SessionInfo{ID: id, Start: c.begun, Model: firstExisting(root, "model", "model_id", "model_name").Str()}
		if tools := firstExisting(root, "tools", "functions"); tools.Kind() == jsonl.Array {
			s.Schemas, _ = Declared(tools) // what cannot be read declares nothing
		}
		for _, t := range s.Schemas {
			s.Tools = append(s.Tools, t.Name)
		}
		e.Session = s
	})
	c.session, c.begun, c.seen, c.prev, c.answered = strings.Clone(id), true, nil, nil, false
	c.turnOver()
}

// isRequest reports whether a record is clearly what a provider was sent.
func isRequest(v jsonl.Value) bool {
	if v.Get("type").Str() == "request" || isResponse(v.Get("response")) || isChoices(v.Get("choices")) || v.Get("request").Kind() == jsonl.Object {
		return true
	}
	if !v.Get("model").Exists() {
		return false
	}
	for key := range v.Members() {
		switch key {
		case "stream", "max_tokens", "max_completion_tokens", "temperature", "thinking", "tool_choice":
			return true
		}
	}
	return false
}

func (c *chat) request(root, messages jsonl.Value) {
	info := c.requestInfo(root)
	for _, m := range messages.Elems() {
		info.Messages = append(info.Messages, requestMessage(m))
	}
	c.send(Request, messages, func(e *Event) { e.Request = info })
}

func (c *chat) requestInfo(root jsonl.Value) *RequestInfo {
	model := cmp.Or(root.Get("model").Str(), root.At("request", "model").Str(), root.At("response", "model").Str(), c.model)
	return &RequestInfo{Model: model, Provider: root.Get("provider").Str()}
}

func requestMessage(m jsonl.Value) RequestMessage {
	rm := RequestMessage{Role: roleOf(m), Value: m, Calls: m.Get("tool_calls").Len() > 0}
	for _, key := range []string{"reasoning_content", "reasoning"} {
		rm.Reasoning += m.Get(key).RawLen()
	}
	for _, b := range m.Get("content").Elems() {
		switch b.Get("type").Str() {
		case "thinking", "redacted_thinking", "reasoning":
			rm.Reasoning += firstExisting(b, "thinking", "text", "data").RawLen()
		case "tool_use":
			rm.Calls = true
		case "tool_result":
			if rm.Role == "user" {
				rm.Role = "tool" // no new turn begins here
			}
		}
	}
	return rm
}

// replies reads the response that stands beside a request.
func (c *chat) replies(root jsonl.Value) {
	r := root.Get("response")
	if body := r.Get("body"); body.Kind() == jsonl.Object {
		r = body
	}
	switch {
	case isResponse(r):
		c.response(r)
		c.answered = true
	case isChoices(root.Get("choices")):
		c.response(root)
		c.answered = true
	}
}

func isResponse(v jsonl.Value) bool { return isChoices(v.Get("choices")) || isMessage(v) }

// response reads what a provider answered.
func (c *chat) response(r jsonl.Value) {
	c.names(r.Get("model"), r)
	if at := parseTime(r.Get("created")); c.base.Time.IsZero() {
		c.base.Time = at
	}
	choice := r.Get("choices").Index(0)
	m := choice.Get("message")
	if !m.Exists() {
		c.message(r) // the response is a message itself: Anthropic
		return
	}
	c.stop, c.msgID = choice.Get("finish_reason").Str(), r.Get("id").Str()
	c.message(m)
	c.count(r.Get("usage"), func(e *Event) { e.MsgID, e.Usage.Model = r.Get("id").Str(), c.model })
}

// piece reads a part of a document that is too large, or too tidily printed,
// to be one record.
func (c *chat) piece(rec *jsonl.Record) {
	r := rec.Root
	if rec.First && !strings.HasPrefix(rec.Path, "/0") || rec.First && isMessage(r) {
		c.start(jsonl.Value{}, "")
		c.snapshot = c.snapshot[:0]
	}
	switch {
	case !chatPiece.MatchString(rec.Path):
		c.member(rec.Path, r)
	case isMessage(r):
		c.message(r)
		m := requestMessage(r)
		m.Role, m.Value = strings.Clone(m.Role), jsonl.Value{}
		c.snapshot = append(c.snapshot, m)
	case messagesIn(r).Exists():
		c.document(r, messagesIn(r))
	default:
		c.send(Other, r, nil)
	}
}

// member reads a part of a document that is not a message.
func (c *chat) member(path string, r jsonl.Value) {
	switch key := path[strings.LastIndexByte(path, '/')+1:]; key {
	case "response":
		if !isResponse(r) {
			c.send(Other, r, nil)
			return
		}
		c.send(Request, r, func(e *Event) { e.Request = &RequestInfo{Model: r.Get("model").Str(), Messages: c.snapshot} })
		c.response(r)
	case "model":
		c.names(r, r)
	case "session_id", "sessionId", "conversation_id", "instance_id":
		c.send(Session, r, func(e *Event) { e.Session = &SessionInfo{ID: idText(r)} })
	default:
		c.send(Other, r, nil)
	}
}
