package transcript

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// LangChain and LangGraph: dumps of messages, in the three shapes that the
// library writes, alone, in lists, in the state of a graph, or in the chunks
// of its stream. A state that is dumped again tells only what is new in it.
//
//	{"type":"ai","data":{...}}                  messages_to_dict
//	{"type":"ai","content":...}                 model_dump
//	{"lc":1,"id":[...,"AIMessage"],"kwargs":{}} dumps
//
//	message                 event                          termination from
//	human                   Message(human)
//	  of the summarization  Compaction, Message(summary)   a failure is stored as the summary: Compaction failed
//	ai                      Reasoning, Message, Usage
//	  tool_calls            ToolCall
//	  invalid_tool_calls    ToolCall with broken arguments
//	tool                    ToolResult                     artifact.exit_code, artifact.timed_out; text: "[Command failed with exit
//	                                                       code N]", "Exit code: N" at the end, generic_end.go; status error.
//	                                                       success is the default and no evidence
//	system                  Message(prompt)
//	__interrupt__           Decision (requested)
//	resume.decisions        Decision
var langchainFormat = &Format{
	Name:  "langchain",
	Title: "LangChain / LangGraph messages",
	Sniff: sniffLangchain,
	Split: func(path string) bool { return path == "/values" || path == "/values/messages" },
	New:   func() Decoder { return &langchain{} },
}

func sniffLangchain(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if v.Kind() == jsonl.Array {
			v = v.Index(0)
		}
		for _, key := range []string{"values", "messages"} {
			if in := v.Get(key); in.Exists() {
				v = in
			}
		}
		if v.Kind() == jsonl.Array {
			v = v.Index(0)
		}
		typ, m := chainMessage(v)
		switch {
		case v.Get("__interrupt__").Kind() == jsonl.Array:
			score = max(score, 60)
		case typ == "":
		case v.Get("lc").Exists():
			return 75
		case v.Get("data").Exists():
			return 70
		case m.Get("additional_kwargs").Exists() || m.Get("response_metadata").Exists() || m.Get("invalid_tool_calls").Exists() || m.Get("usage_metadata").Exists():
			return 70
		default:
			score = max(score, 50)
		}
	}
	return score
}

// chainTypes are the types of messages, by type and by class.
var chainTypes = map[string]string{
	"human": "human", "HumanMessage": "human", "HumanMessageChunk": "human",
	"ai": "ai", "AIMessage": "ai", "AIMessageChunk": "ai",
	"tool": "tool", "ToolMessage": "tool", "ToolMessageChunk": "tool", "function": "tool", "FunctionMessage": "tool",
	"system": "system", "SystemMessage": "system", "SystemMessageChunk": "system",
	"remove": "remove", "RemoveMessage": "remove", "chat": "chat", "ChatMessage": "chat",
}

// chainMessage is the type and the fields of a message in any of its shapes;
// "" when it is none.
func chainMessage(v jsonl.Value) (typ string, fields jsonl.Value) {
	if v.Get("lc").Exists() {
		id := v.Get("id")
		return chainTypes[id.Index(id.Len()-1).Str()], v.Get("kwargs")
	}
	typ = chainTypes[v.Get("type").Str()]
	switch data := v.Get("data"); {
	case typ == "":
		return "", v
	case data.Kind() == jsonl.Object && data.Get("content").Exists():
		return typ, data
	case v.Get("content").Exists(), typ == "remove":
		return typ, v
	}
	return "", v
}

type langchain struct {
	talk
	last []uint64        // hashes of the messages in the newest list
	seen map[uint64]bool // hashes of the ids that were told
}

// Flush has nothing to add: nothing is held back.
func (l *langchain) Flush(Emit) {}

// Decode reads a message, a list, a state or a chunk of a stream.
func (l *langchain) Decode(rec *jsonl.Record, emit Emit) {
	l.begin(rec, emit)
	root := rec.Root
	switch typ, _ := chainMessage(root); {
	case root.Kind() == jsonl.Array:
		l.list(root)
	case typ != "":
		l.one(root)
	case !l.container(root):
		if rec.Path != "" {
			l.send(Other, root, nil)
			return
		}
		l.emit(unknownEvent(rec, root.Get("type").Str()))
	}
}

// container reads what holds messages: a state, or an update that one node of
// a graph made.
func (l *langchain) container(v jsonl.Value) bool {
	found := false
	for key, in := range v.Members() {
		switch {
		case key == "__interrupt__":
			l.interrupts(in)
			found = true
		case key == "decisions", key == "resume":
			found = l.decisions(in) || found
		case key == "messages" && in.Kind() == jsonl.Array:
			l.list(in)
			found = true
		case in.Kind() == jsonl.Object && in.Get("messages").Kind() == jsonl.Array:
			l.list(in.Get("messages"))
			found = true
		}
	}
	return found
}

// list reads the messages that the list before did not begin with.
func (l *langchain) list(v jsonl.Value) {
	n := 0
	for _, m := range v.Elems() {
		hash := hashOf(m.Raw())
		if n < len(l.last) && l.last[n] == hash {
			n++
			continue
		}
		l.last = append(l.last[:n], hash)
		n++
		if typ, _ := chainMessage(m); typ == "" {
			l.send(Other, m, nil)
			continue
		}
		l.one(m)
	}
}

func (l *langchain) one(v jsonl.Value) {
	typ, m := chainMessage(v)
	if id := m.Get("id").Str(); id != "" && !strings.Contains(v.Get("type").Str(), "Chunk") {
		key := hashOf([]byte(typ + id))
		if l.seen == nil {
			l.seen = map[uint64]bool{}
		}
		if l.seen[key] {
			return
		}
		l.seen[key] = true
		l.base.Pos.ID = id
	}
	l.base.Type = typ
	l.msgID = m.Get("id").Str()
	content := m.Get("content")
	switch typ {
	case "human":
		l.human(m, content)
	case "ai":
		l.ai(m, content)
	case "tool":
		l.tool(m, content)
	case "system":
		l.system(content)
	case "chat":
		l.message(m)
	default:
		l.send(Other, v, nil)
	}
}

const chainSummary = "Here is a summary of the conversation to date:"

func (l *langchain) human(m, content jsonl.Value) {
	text := textOfBlocks(content)
	head := text.Head(headWindow)
	if m.At("additional_kwargs", "lc_source").Str() != "summarization" && !strings.HasPrefix(head, chainSummary) {
		l.user(m, content)
		return
	}
	info := &CompactionInfo{}
	said := strings.TrimSpace(strings.TrimPrefix(head, chainSummary))
	if strings.HasPrefix(said, "Error generating summary:") || strings.HasPrefix(said, "Previous conversation was too long to summarize") {
		info.Failed = Keep(firstLine(said), 120)
	}
	l.send(Compaction, content, func(e *Event) { e.Compaction = info })
	l.say(content, Assistant, Summary, text)
}

func (l *langchain) ai(m, content jsonl.Value) {
	meta, more := m.Get("response_metadata"), m.Get("additional_kwargs")
	l.names(firstExisting(meta, "model_name", "model"), meta)
	l.stop = cmp.Or(meta.Get("finish_reason").Str(), meta.Get("stop_reason").Str())
	defer func() { l.stop, l.msgID = "", "" }()
	l.think(more.Get("reasoning_content"), TextView(more.Get("reasoning_content")))
	calls := m.Get("tool_calls")
	if content.Kind() == jsonl.String {
		l.speech(content)
	}
	for _, b := range content.Elems() {
		if typ := b.Get("type").Str(); calls.Len() > 0 && (typ == "tool_use" || typ == "tool_call" || typ == "function_call") {
			continue // the same calls again, as the provider wrote them
		}
		l.assistantBlock(b)
	}
	if calls.Len() == 0 && m.Get("invalid_tool_calls").Len() == 0 {
		for _, c := range more.Get("tool_calls").Elems() {
			l.toolCall(c, c.Get("id").Str(), c.Get("function"))
		}
	}
	for _, c := range calls.Elems() {
		l.toolCall(c, c.Get("id").Str(), c)
	}
	for _, c := range m.Get("invalid_tool_calls").Elems() {
		name := c.Get("name").Str()
		call := &CallInfo{ID: c.Get("id").Str(), Tool: name, Act: actOf(name), Args: c.Get("args"), Broken: cmp.Or(c.Get("error").Head(120), "invalid")}
		l.makeCall(c, call, func(e *Event) { e.MsgID, e.Stopped = l.msgID, l.stop })
	}
	l.tokens(m.Get("usage_metadata"))
}

func (l *langchain) tokens(u jsonl.Value) {
	info := &UsageInfo{Model: l.model}
	info.Context, _ = u.Get("input_tokens").Int()
	info.Output, _ = u.Get("output_tokens").Int()
	info.Cached, _ = u.At("input_token_details", "cache_read").Int()
	info.Reasoning, _ = u.At("output_token_details", "reasoning").Int()
	if info.Context+info.Output > 0 {
		l.send(Usage, u, func(e *Event) { e.MsgID, e.Usage = l.msgID, info })
	}
}

func (l *langchain) tool(m, content jsonl.Value) {
	text := textOfBlocks(content)
	call := l.answer(m.Get("tool_call_id").Str(), m.Get("name").Str())
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, m.Get("name").Str()), Error: errorFlag(m)}
	if call.act == NoAct {
		call.act = actOf(r.Tool)
	}
	chainEnd(r, call.act, m.Get("artifact"), text)
	if head := firstLine(text.Head(headWindow)); strings.HasPrefix(head, "Error: ") && strings.Contains(head, " is not a valid tool, try one of") {
		r.NotRun = true
		r.Term = Termination{Kind: TermNotStarted, Source: FromText, Quote: Keep(head, 120)}
	}
	l.give(m, r, text)
	if r.Term.Kind == TermDenied {
		l.send(Decision, m, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, By: ByHuman, Reason: Keep(r.Term.Quote, 120)}
		})
	}
}

var chainCode = regexp.MustCompile(`(?:\n\[Command (?:succeeded|failed) with exit code (-?\d+)\](?:\s*\[Output was truncated due to size limits\])?|\n\nExit code: (-?\d+))\s*$`)

// chainEnd decides how a call ended: by the artifact of the shell tool, by the
// line that its shell tools put behind an output, else as in any chat.
func chainEnd(r *ResultInfo, act Act, artifact jsonl.Value, text Text) {
	if mayRun(act) {
		if codeFields(r, artifact); r.Term.Kind != TermUnknown {
			return
		}
		if m := chainCode.FindStringSubmatch(text.Tail(tailWindow)); m != nil {
			r.byDigits(m)
			return
		}
	}
	genericEnd(r, act, text)
}

// interrupts are the approvals that a graph waits for.
func (l *langchain) interrupts(v jsonl.Value) {
	for _, i := range v.Elems() {
		requests := i.At("value", "action_requests")
		for _, a := range requests.Elems() {
			l.send(Decision, a, func(e *Event) {
				e.Decision = &DecisionInfo{Verb: Requested, ID: i.Get("id").Str(), Subject: a.Get("name").Str()}
			})
		}
		if requests.Len() == 0 {
			l.send(Decision, i, func(e *Event) {
				e.Decision = &DecisionInfo{Verb: Requested, ID: i.Get("id").Str(), Subject: i.Get("value").Head(120)}
			})
		}
	}
}

// decisions are what a human answered. An edit is a yes to something else than
// the model asked for.
func (l *langchain) decisions(v jsonl.Value) bool {
	if v.Kind() == jsonl.Object {
		v = v.Get("decisions")
	}
	for _, d := range v.Elems() {
		verb := map[string]DecisionVerb{"approve": Approved, "edit": Approved, "reject": Denied}[d.Get("type").Str()]
		if verb != NoDecision {
			l.send(Decision, d, func(e *Event) {
				e.Decision = &DecisionInfo{Verb: verb, By: ByHuman, Reason: cmp.Or(d.Get("message").Head(120), d.Get("type").Str())}
			})
		}
	}
	return v.Kind() == jsonl.Array
}
