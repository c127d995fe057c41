package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Goose: session files of its older versions (metadata, then a message a
// line) and exported sessions.
//
//	content                        event                termination from
//	text                           Message; a notice where the user does not see it
//	thinking, redactedThinking     Reasoning
//	toolRequest                    ToolCall             toolCall.status error: arguments that could not be read
//	toolResponse                   ToolResult           toolResult.status, value.isError; text: generic_end.go, the sentence for a
//	                                                    call that was declined
//	toolConfirmationRequest,       Decision (requested)
//	  actionRequired
//	conversationCompacted          Compaction
//	systemNotification, ...        Status
//
// A tool that was approved leaves no record of the approval.
var gooseFormat = &Format{
	Name:  "goose",
	Title: "Goose session",
	Sniff: sniffGoose,
	New:   func() Decoder { return &goose{} },
}

func sniffGoose(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if m := v.Get("conversation").Index(0); m.Exists() {
			v = m
		}
		if m := v.Get("messages").Index(0); m.Exists() {
			v = m
		}
		if v.Get("content").Exists() && !v.Get("role").Exists() {
			continue
		}
		for _, b := range v.Get("content").Elems() {
			switch b.Get("type").Str() {
			case "toolRequest", "toolResponse", "toolConfirmationRequest", "actionRequired", "frontendToolRequest", "conversationCompacted":
				return 90
			}
		}
		switch {
		case v.Get("working_dir").Exists() && v.Get("description").Exists() && v.Get("message_count").Exists():
			score = max(score, 85)
		case v.Get("created").Kind() == jsonl.Number && v.Get("role").Exists() && v.Get("content").Index(0).Get("type").Exists():
			score = max(score, 50)
		}
	}
	return score
}

type goose struct {
	talk
	begun bool
}

// Flush has nothing to add: nothing is held back.
func (g *goose) Flush(Emit) {}

// Decode reads the metadata, a message, or a whole export.
func (g *goose) Decode(rec *jsonl.Record, emit Emit) {
	if rec.Path == "" && (rec.Root.Get("conversation").Kind() == jsonl.Array || rec.Root.Kind() == jsonl.Array) {
		for piece := range rec.Pieces(nil) {
			g.piece(&piece, emit)
		}
		return
	}
	g.piece(rec, emit)
}

func (g *goose) piece(rec *jsonl.Record, emit Emit) {
	g.begin(rec, emit)
	root := rec.Root
	switch {
	case root.Get("role").Exists() && root.Get("content").Exists():
		g.line(root)
	case rec.Path == "/id":
		g.send(Session, root, func(e *Event) { e.Session = &SessionInfo{ID: root.Str()} })
	case rec.Path == "/working_dir":
		g.send(Session, root, func(e *Event) { e.Session = &SessionInfo{Dir: root.Str()} })
	case rec.Path != "":
		g.send(Other, root, nil)
	case root.Get("working_dir").Exists():
		g.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: root.Get("id").Str(), Dir: root.Get("working_dir").Str(), Start: g.begun}
		})
		g.begun = true
	default:
		g.emit(unknownEvent(rec, ""))
	}
}

func (g *goose) line(m jsonl.Value) {
	g.base.Time = parseTime(m.Get("created"))
	g.base.Pos.ID = m.Get("id").Str()
	g.base.Type = m.Get("role").Str()
	g.msgID = g.base.Pos.ID
	content := m.Get("content")
	shown, told := m.At("metadata", "userVisible").Bool()
	hidden := told && !shown
	if content.Kind() == jsonl.String {
		g.text(content, hidden)
	}
	for _, b := range content.Elems() {
		g.part(b, hidden)
	}
}

func (g *goose) part(b jsonl.Value, hidden bool) {
	switch b.Get("type").Str() {
	case "text":
		g.text(b.Get("text"), hidden)
	case "thinking":
		g.thinking(b)
	case "redactedThinking":
		g.send(Reasoning, b, func(e *Event) {
			e.Actor, e.Reasoning = Assistant, &ReasoningInfo{Signature: b.Get("data").Str(), Redacted: true}
		})
	case "toolRequest", "frontendToolRequest":
		g.request(b)
	case "toolResponse":
		g.answered(b)
	case "toolConfirmationRequest":
		g.asks(b, b)
	case "actionRequired":
		g.action(b.Get("data"))
	case "conversationCompacted", "summarizationRequested":
		g.send(Compaction, b, func(e *Event) { e.Compaction = &CompactionInfo{Begin: b.Get("type").Str() == "summarizationRequested"} })
	case "contextLengthExceeded", "systemNotification":
		g.send(Status, b, func(e *Event) {
			e.Status = &StatusInfo{Name: cmp.Or(b.Get("notificationType").Str(), b.Get("type").Str()), Error: b.Get("msg").Head(200)}
		})
	case "image", "reasoning":
		g.send(Other, b, nil)
	default:
		g.emit(unknownEvent(g.rec, "content "+b.Get("type").Str()))
	}
}

func (g *goose) text(v jsonl.Value, hidden bool) {
	switch {
	case g.base.Type == "assistant":
		g.speech(v)
	case hidden:
		g.say(v, Harness, Notice, TextView(v))
	default:
		g.words(v)
	}
}

// gooseAct reads names like developer__shell. What is not the developer's
// belongs to an extension.
func gooseAct(tool string) Act {
	extension, name, ok := strings.Cut(tool, "__")
	if !ok {
		return actOf(tool)
	}
	if act := actOf(name); act != NoAct {
		return act
	}
	switch {
	case name == "text_editor":
		return Edit
	case extension == "developer":
		return NoAct
	}
	return External
}

func (g *goose) request(b jsonl.Value) {
	call := &CallInfo{ID: b.Get("id").Str()}
	asked := b.Get("toolCall")
	in := asked.Get("value")
	call.Tool = in.Get("name").Str()
	call.Act = gooseAct(call.Tool)
	args := g.callArgs(call, in.Get("arguments"))
	if strings.HasSuffix(call.Tool, "text_editor") && args.Get("command").Str() == "view" {
		call.Act = Read
	}
	if asked.Get("status").Str() == "error" {
		call.Broken = cmp.Or(asked.Get("error").Head(120), "error")
	}
	g.makeCall(b, call, func(e *Event) { e.MsgID = g.msgID })
}

func (g *goose) answered(b jsonl.Value) {
	result := b.Get("toolResult")
	value := result.Get("value")
	call := g.answer(b.Get("id").Str(), "")
	r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: flagAt(value, "isError")}
	text := textOfBlocks(value)
	if result.Get("status").Str() == "error" {
		r.Error = True
		text = TextView(result.Get("error"))
	}
	switch head := text.Head(headWindow); {
	case strings.HasPrefix(head, "The user has declined to run this tool"):
		r.NotRun = true
		r.byText(Termination{Kind: TermDenied, Source: FromText, Quote: "The user has declined to run this tool"})
	case strings.HasPrefix(head, "Let the user know the tool call was skipped"):
		r.NotRun = true
		r.byText(Termination{Kind: TermNotStarted, Source: FromText, Quote: "the tool call was skipped"})
	default:
		genericEnd(r, call.act, text)
		if r.Error == False && r.Term.Kind == TermUnknown && len(r.Told) > 0 {
			r.Told[0].Good = Unset // the tool went well, whatever its command did
		}
	}
	g.give(b, r, text)
	if r.Term.Kind == TermDenied {
		g.send(Decision, b, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, By: ByHuman, Reason: r.Term.Quote}
		})
	}
}

func (g *goose) action(d jsonl.Value) {
	switch d.Get("actionType").Str() {
	case "toolConfirmation":
		g.asks(d, d)
	case "elicitation":
		g.send(Decision, d, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Requested, ID: d.Get("id").Str(), Subject: d.Get("message").Head(120)}
		})
	case "elicitationResponse":
		g.send(Decision, d, func(e *Event) { e.Decision = &DecisionInfo{Verb: Answered, ID: d.Get("id").Str(), By: ByHuman} })
	default:
		g.send(Other, d, nil)
	}
}

// asks is a call that waits for a yes: the request has the call's id.
func (g *goose) asks(b, at jsonl.Value) {
	id := b.Get("id").Str()
	g.send(Decision, at, func(e *Event) {
		e.Decision = &DecisionInfo{Verb: Requested, ID: id, CallID: id, Subject: b.Get("toolName").Str()}
	})
}
