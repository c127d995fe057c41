package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// The command line agent of Cursor, `--output-format stream-json`.
//
//	record                    event                 termination from
//	system / init             Session
//	user, assistant           Message
//	thinking                  Reasoning
//	tool_call / started       ToolCall              the one member of tool_call names the tool
//	  / completed             ToolResult            the member of its result: success, failure, error, rejected, timeout; exitCode
//	result                    Message(final), TurnEnd
var cursorStreamFormat = &Format{
	Name:  "cursor-stream-json",
	Title: "Cursor stream-json",
	Sniff: sniffCursorStream,
	New:   func() Decoder { return &cursorStream{} },
}

func sniffCursorStream(head []jsonl.Probe) int {
	for _, p := range head {
		v := p.Root
		typ := v.Get("type").Str()
		if typ == "tool_call" && v.Get("call_id").Exists() && v.Get("tool_call").Exists() || typ == "thinking" && v.Get("session_id").Exists() {
			return 97 // the first records are like Claude Code's
		}
	}
	return 0
}

type cursorStream struct{ talk }

// Flush has nothing to add: nothing is held back.
func (c *cursorStream) Flush(Emit) {}

// Decode reads one record.
func (c *cursorStream) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	c.begin(rec, emit)
	c.base.Type, c.base.Time = root.Get("type").Str(), parseTime(root.Get("timestamp_ms"))
	switch c.base.Type {
	case "system":
		c.send(Session, root, func(e *Event) {
			e.Session = claudePolicy(root.Get("permissionMode").Str())
			e.Session.ID, e.Session.Model, e.Session.Dir = root.Get("session_id").Str(), root.Get("model").Str(), root.Get("cwd").Str()
		})
	case "user", "assistant":
		c.message(root.Get("message"))
	case "thinking":
		c.think(root.Get("text"), TextView(root.Get("text")))
	case "tool_call":
		c.tool(root)
	case "result":
		c.ended(root)
	default:
		c.emit(unknownEvent(rec, c.base.Type))
	}
}

// tool reads {"shellToolCall":{"args":{...},"result":{"success":{...}}}}.
func (c *cursorStream) tool(root jsonl.Value) {
	for name, body := range root.Get("tool_call").Members() {
		if body.Kind() != jsonl.Object {
			continue
		}
		tool := strings.TrimSuffix(name, "ToolCall")
		if f := body.Get("name").Str(); name == "function" && f != "" {
			tool = f
		}
		if root.Get("subtype").Str() == "started" {
			call := &CallInfo{ID: root.Get("call_id").Str(), Tool: tool, Act: actOf(tool)}
			c.callArgs(call, firstExisting(body, "args", "arguments"))
			c.makeCall(root, call, nil)
			return
		}
		call := c.answer(root.Get("call_id").Str(), tool)
		r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, tool)}
		text := cursorEnd(r, call.act, body.Get("result"))
		c.give(root, r, text)
		if r.Term.Kind == TermDenied {
			c.send(Decision, root, func(e *Event) { e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, By: ByUnknown} })
		}
		return
	}
	c.send(Other, root, nil)
}

// cursorEnd takes the end from the name of the result's one member, and an
// exit code within it.
func cursorEnd(r *ResultInfo, act Act, result jsonl.Value) Text {
	for how, v := range result.Members() {
		good := how == "success"
		kind, known := map[string]TermKind{
			"success": TermOK, "failure": TermNonzero, "error": TermNonzero, "rejected": TermDenied, "permissionDenied": TermDenied, "timeout": TermTimeout,
		}[how]
		if !known {
			continue
		}
		r.Told = append(r.Told, Told{Field: "result", Value: Keep(how, 20), Good: FlagOf(good)})
		r.Error = FlagOf(!good)
		if good && act == Shell {
			kind = TermUnknown // the code tells
			r.Told[0].Good = Unset
		}
		r.NotRun = kind == TermDenied
		r.Term = Termination{Kind: kind, Source: FromField, Quote: "result: " + Keep(how, 20), TimedOut: kind == TermTimeout}
		if code, ok := v.Get("exitCode").Int(); ok && kind != TermTimeout {
			r.byCode(int(code), "exitCode")
		}
		if ms, ok := v.Get("timeoutMs").Int(); ok && kind == TermTimeout {
			r.Term = r.Term.withTimeout(parseSpan(strconv.FormatInt(ms, 10)+"ms"), r.Term.Quote)
		}
		text := TextView(firstExisting(v, "stdout", "content", "output", "error", "errorMessage", "reason"))
		text.Add(v.Get("stderr"))
		return text
	}
	return textOfBlocks(result)
}

func (c *cursorStream) ended(root jsonl.Value) {
	if text := root.Get("result"); text.RawLen() > 0 && text.Kind() == jsonl.String {
		c.send(Message, text, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(text), True })
	}
	failed, _ := root.Get("is_error").Bool()
	c.send(TurnEnd, root, func(e *Event) {
		e.Turn = &TurnInfo{Reason: root.Get("subtype").Str(), Session: true, Bad: failed || root.Get("subtype").Str() != "success"}
	})
}
