package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// OpenTelemetry spans with the attributes of the GenAI conventions, one a line
// or in OTLP's envelopes. The conventions change: a span is known by the
// attributes that it has.
//
//	gen_ai.operation.name     event                         termination from
//	chat, generate_content    Request (input.messages),
//	                          Reasoning, Message, ToolCall
//	                          (output.messages), Usage
//	execute_tool              ToolCall, ToolResult          error.type, status; text: generic_end.go
//	invoke_agent              Session, TurnEnd              error.type, status
//	other spans               Other
//
// Every request holds the whole history: its words of the human are told when
// they are new. Contents are often not recorded at all.
var otelFormat = &Format{
	Name:  "otel-genai",
	Title: "OpenTelemetry GenAI spans",
	Sniff: sniffOtel,
	New:   func() Decoder { return &otel{} },
}

func sniffOtel(head []jsonl.Probe) int {
	for _, p := range head {
		found := false
		eachSpan(p.Root, func(span jsonl.Value) {
			for key := range spanAttributes(span) {
				found = found || strings.HasPrefix(key, "gen_ai.")
			}
		})
		if found {
			return 85
		}
	}
	return 0
}

// eachSpan calls f for a span, and for every span in an envelope of OTLP.
func eachSpan(v jsonl.Value, f func(jsonl.Value)) {
	inside := false
	for _, key := range []string{"resourceSpans", "scopeSpans", "instrumentationLibrarySpans", "spans"} {
		for _, in := range v.Get(key).Elems() {
			inside = true
			eachSpan(in, f)
		}
	}
	if !inside && v.Get("attributes").Exists() {
		f(v)
	}
}

// spanAttributes yields the attributes of a span, as a map or as OTLP writes
// them.
func spanAttributes(span jsonl.Value) func(yield func(string, jsonl.Value) bool) {
	attributes := span.Get("attributes")
	return func(yield func(string, jsonl.Value) bool) {
		for key, v := range attributes.Members() {
			if !yield(key, v) {
				return
			}
		}
		for _, a := range attributes.Elems() {
			for _, v := range a.Get("value").Members() { // one member, named by its type
				if !yield(a.Get("key").Str(), v) {
					return
				}
			}
		}
	}
}

type otel struct {
	talk
	session string
	called  map[uint64]bool // calls that were told, by their ids
	heard   map[uint64]bool // words of the human that were told
	in, out jsonl.Doc
}

// Flush has nothing to add: nothing is held back.
func (o *otel) Flush(Emit) {}

// Decode reads a span, or an envelope of spans.
func (o *otel) Decode(rec *jsonl.Record, emit Emit) {
	o.begin(rec, emit)
	if o.called == nil {
		o.called, o.heard = map[uint64]bool{}, map[uint64]bool{}
	}
	found := false
	eachSpan(rec.Root, func(span jsonl.Value) {
		found = true
		o.span(span)
	})
	switch {
	case found:
	case rec.Path != "" || rec.Root.Get("resourceSpans").Exists() || rec.Root.Get("traceId").Exists():
		o.send(Other, rec.Root, nil)
	default:
		emit(unknownEvent(rec, ""))
	}
}

// spanFacts are the attributes that are read.
type spanFacts struct {
	operation, conversation, model, finish, tool, call, errorType string
	args, result, input, output                                   jsonl.Value
	tokens                                                        UsageInfo
}

func readSpan(span jsonl.Value) (f spanFacts) {
	for key, v := range spanAttributes(span) {
		switch key {
		case "gen_ai.operation.name":
			f.operation = v.Str()
		case "gen_ai.conversation.id":
			f.conversation = v.Str()
		case "gen_ai.response.model":
			f.model = v.Str()
		case "gen_ai.request.model":
			f.model = cmp.Or(f.model, v.Str())
		case "gen_ai.tool.name":
			f.tool = v.Str()
		case "gen_ai.tool.call.id":
			f.call = v.Str()
		case "gen_ai.tool.call.arguments":
			f.args = v
		case "gen_ai.tool.call.result":
			f.result = v
		case "gen_ai.input.messages":
			f.input = v
		case "gen_ai.output.messages":
			f.output = v
		case "gen_ai.response.finish_reasons":
			f.finish = cmp.Or(v.Index(0).Str(), v.Get("values").Index(0).Get("stringValue").Str())
		case "error.type":
			f.errorType = v.Str()
		case "gen_ai.usage.input_tokens":
			f.tokens.Context = spanNumber(v)
		case "gen_ai.usage.output_tokens":
			f.tokens.Output = spanNumber(v)
		case "gen_ai.usage.cache_read.input_tokens":
			f.tokens.Cached = spanNumber(v)
		}
	}
	return f
}

// spanNumber reads a number, which OTLP writes as a string.
func spanNumber(v jsonl.Value) int64 {
	if n, ok := v.Int(); ok {
		return n
	}
	var doc jsonl.Doc
	n, _ := jsonl.ParseString(v.Str(), &doc)
	i, _ := n.Int()
	return i
}

func (o *otel) span(span jsonl.Value) {
	f := readSpan(span)
	o.base.Type = f.operation
	o.base.Pos.ID = cmp.Or(span.Get("spanId").Str(), span.At("context", "span_id").Str())
	o.base.Time = spanTime(firstExisting(span, "endTimeUnixNano", "end_time", "endTime"))
	if f.conversation != "" && f.conversation != o.session {
		start := o.session != ""
		o.session = strings.Clone(f.conversation)
		o.send(Session, span, func(e *Event) { e.Session = &SessionInfo{ID: o.session, Start: start} })
	}
	failed := spanFailed(span)
	switch f.operation {
	case "chat", "generate_content", "text_completion":
		o.chat(span, &f, failed)
	case "execute_tool":
		o.execute(span, &f, failed)
	case "invoke_agent":
		o.send(TurnEnd, span, func(e *Event) {
			e.Turn = &TurnInfo{Reason: cmp.Or(f.errorType, "completed"), Bad: failed || f.errorType != ""}
		})
	default:
		o.send(Other, span, nil)
	}
}

func spanFailed(span jsonl.Value) bool {
	status := span.Get("status")
	n, _ := status.Get("code").Int()
	return n == 2 || status.Get("code").Str() == "STATUS_CODE_ERROR" || status.Get("status_code").Str() == "ERROR"
}

// parsed reads messages that may be JSON in a string.
func parsed(v jsonl.Value, doc *jsonl.Doc) jsonl.Value {
	if v.Kind() != jsonl.String {
		return v
	}
	in, err := jsonl.ParseString(v.Str(), doc)
	if err != nil {
		return jsonl.Value{}
	}
	return in
}

func (o *otel) chat(span jsonl.Value, f *spanFacts, failed bool) {
	if f.model != "" && f.model != o.model {
		o.model = strings.Clone(f.model)
		o.send(Session, span, func(e *Event) { e.Session = &SessionInfo{Model: o.model} })
	}
	o.stop, o.msgID = f.finish, o.base.Pos.ID
	for _, m := range parsed(f.input, &o.in).Elems() {
		o.asked(span, m)
	}
	for _, m := range parsed(f.output, &o.out).Elems() {
		for _, p := range spanParts(m) {
			o.part(span, p)
		}
	}
	if f.tokens.Context+f.tokens.Output > 0 {
		f.tokens.Model = o.model
		o.send(Usage, span, func(e *Event) { e.MsgID, e.Usage = o.msgID, &f.tokens })
	}
	if failed || f.errorType != "" {
		o.send(Status, span, func(e *Event) {
			e.Status = &StatusInfo{Name: "api_error", Error: cmp.Or(span.At("status", "message").Head(200), f.errorType)}
		})
	}
}

// spanParts are the parts of a message, or its content where it has none.
func spanParts(m jsonl.Value) func(yield func(int, jsonl.Value) bool) {
	if parts := m.Get("parts"); parts.Kind() == jsonl.Array {
		return parts.Elems()
	}
	return m.Get("content").Elems()
}

// asked reads a message of a request: the human's words once, and results that
// no span of their own told.
func (o *otel) asked(span, m jsonl.Value) {
	for _, p := range spanParts(m) {
		switch {
		case p.Get("type").Str() == "tool_call_response":
			id := p.Get("id").Str()
			if key := hashOf([]byte("result" + id)); id != "" && !o.called[key] {
				o.called[key] = true
				call := o.answer(id, "")
				r := &ResultInfo{CallID: call.id, Tool: call.tool}
				text := textOfBlocks(firstExisting(p, "response", "result"))
				genericEnd(r, call.act, text)
				o.give(span, r, text)
			}
		case m.Get("role").Str() == "user" && p.Get("type").Str() == "text":
			text := firstExisting(p, "content", "text")
			if key := hashOf(text.Raw()); !o.heard[key] {
				o.heard[key] = true
				actor, role := Human, Prose
				if injected(text.Head(headWindow)) {
					actor, role = Harness, Notice
				}
				o.say(span, actor, role, TextView(text))
			}
		}
	}
}

func (o *otel) part(span, p jsonl.Value) {
	switch p.Get("type").Str() {
	case "text":
		o.spoken(span, TextView(firstExisting(p, "content", "text")))
	case "reasoning":
		o.think(span, TextView(firstExisting(p, "content", "text")))
	case "tool_call":
		o.call(span, p.Get("id").Str(), p.Get("name").Str(), p.Get("arguments"))
	default:
		o.send(Other, span, nil)
	}
}

func (o *otel) call(span jsonl.Value, id, tool string, args jsonl.Value) {
	key := hashOf([]byte("call" + id))
	if id != "" && o.called[key] {
		return
	}
	o.called[key] = true
	call := &CallInfo{ID: id, Tool: tool, Act: actOf(tool)}
	o.callArgs(call, args)
	o.makeCall(span, call, func(e *Event) { e.MsgID, e.Stopped = o.msgID, o.stop })
}

func (o *otel) execute(span jsonl.Value, f *spanFacts, failed bool) {
	o.call(span, f.call, f.tool, f.args)
	call := o.answer(f.call, f.tool)
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, f.tool)}
	if f.call != "" {
		key := hashOf([]byte("result" + f.call))
		r.Repeats = o.called[key]
		o.called[key] = true
	}
	text := textOfBlocks(f.result)
	if failed || f.errorType != "" {
		r.Error = True
	}
	genericEnd(r, call.act, text)
	if what := f.errorType; what != "" {
		r.Told = append(r.Told, Told{Field: "error.type", Value: Keep(what, 60), Good: False})
		if strings.Contains(strings.ToLower(what), "timeout") {
			r.Term = r.Term.withTimeout(r.Term.Limit, "error.type: "+what)
			r.Term.Source = FromField
		}
	}
	o.give(span, r, text)
}

// spanTime reads a time that OTLP writes as nanoseconds in a string.
func spanTime(v jsonl.Value) time.Time {
	s := v.Str()
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
		return time.Unix(0, n).UTC()
	}
	return parseTime(v)
}
