package transcript

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// smolagents: runs of an agent, one a line, with the messages of its memory;
// or the steps of the memory themselves, one a line.
//
//	record                              event                    termination from
//	run: model_id, intermediate_steps   Session
//	  / system, user, assistant         Message
//	  / tool-call                       ToolCall (a Python list in the text)
//	  / tool-response                   ToolResult               text: "Error:" or "Observation:" at the beginning,
//	                                                             "exceeded the maximum execution time of N seconds"
//	  answer, token_counts              Message(final), Usage
//	step: task, system_prompt, plan     Message
//	  step_number, model_output         Message
//	  code_action, tool_calls           ToolCall
//	  observations, error               ToolResult               error.type
//	  is_final_answer                   Message(final)
var smolagentsFormat = &Format{
	Name:  "smolagents",
	Title: "smolagents runs and steps",
	Sniff: sniffSmolagents,
	New:   func() Decoder { return &smolagents{} },
}

func sniffSmolagents(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		switch {
		case hasKeys(p.Keys, "intermediate_steps", "agent_action_type"):
			return 90
		case hasKeys(p.Keys, "step_number", "timing") || hasKeys(p.Keys, "step_number", "observations"):
			return 85
		case hasKeys(p.Keys, "intermediate_steps") && p.Root.Get("intermediate_steps").Index(0).Get("role").Exists():
			score = max(score, 60)
		}
	}
	return score
}

type smolagents struct {
	talk
	begun bool
}

func (s *smolagents) Flush(Emit) {}

func (s *smolagents) Decode(rec *jsonl.Record, emit Emit) {
	s.begin(rec, emit)
	r := rec.Root
	switch {
	case r.Get("intermediate_steps").Kind() == jsonl.Array:
		s.run(r)
	case r.Get("step_number").Exists():
		s.step(r)
	case r.Get("task").Kind() == jsonl.String:
		s.say(r.Get("task"), Human, Prose, TextView(r.Get("task")))
	case r.Get("system_prompt").Exists():
		s.say(r.Get("system_prompt"), Harness, Prompt, textOfBlocks(r.Get("system_prompt")))
	case r.Get("plan").Exists():
		s.spoken(r.Get("plan"), textOfBlocks(r.Get("plan")))
	default:
		s.send(Unknown, r, nil)
	}
}

func (s *smolagents) run(r jsonl.Value) {
	s.base.Time = parseTime(r.Get("start_time"))
	start := s.begun
	s.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Start: start, Model: r.Get("model_id").Str()} })
	s.begun = true
	s.turnOver()
	steps := r.Get("intermediate_steps")
	for _, m := range steps.Elems() {
		s.runMessage(m)
	}
	answer := r.Get("answer")
	failed := strings.HasPrefix(answer.Head(40), "Error in generating model output")
	switch {
	case failed:
		s.send(Status, answer, func(e *Event) { e.Status = &StatusInfo{Name: "api_error", Error: firstLine(answer.Head(160))} })
	case answer.Kind() == jsonl.String:
		s.send(Message, answer, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextView(answer), True })
	}
	if total := max(intAt(r.Get("token_counts"), "input_tokens"), intAt(r.Get("token_counts"), "input")); total > 0 {
		s.send(Usage, r.Get("token_counts"), func(e *Event) { e.Usage = &UsageInfo{Cumulative: total} })
	}
	s.send(TurnEnd, r, func(e *Event) {
		e.Turn = &TurnInfo{Reason: "completed", Session: true, Bad: failed}
		if failed {
			e.Turn.Reason = "error"
		}
	})
}

func (s *smolagents) runMessage(m jsonl.Value) {
	content := m.Get("content")
	text := textOfBlocks(content)
	switch m.Get("role").Str() {
	case "system":
		s.say(content, Harness, Prompt, text)
	case "user":
		s.say(content, Human, Prose, text)
	case "assistant":
		s.spoken(content, smolWords(text))
	case "tool-call":
		s.listedCalls(content, text)
	case "tool-response":
		s.response(content, text)
	default:
		s.send(Unknown, m, nil)
	}
	s.count(m.Get("token_usage"), nil)
}

// smolWords are an assistant's words in front of its code.
func smolWords(text Text) Text {
	all := text.String()
	for _, mark := range []string{"<code>", "```py", "```python"} {
		if words, _, ok := strings.Cut(all, mark); ok {
			return TextOf(strings.TrimSpace(words))
		}
	}
	return text
}

var smolCall = regexp.MustCompile(`\{'id': '([^']*)', 'type': 'function', 'function': \{'name': '([^']*)', 'arguments': `)

// listedCalls reads "Calling tools:" and a Python list of calls.
func (s *smolagents) listedCalls(at jsonl.Value, text Text) {
	all := text.String()
	found := smolCall.FindAllStringSubmatchIndex(all, -1)
	if found == nil {
		s.send(Other, at, nil)
	}
	for _, m := range found {
		name := all[m[4]:m[5]]
		s.makeCall(at, &CallInfo{ID: all[m[2]:m[3]], Tool: name, Act: actOf(name), Free: true, Args: at}, nil)
	}
}

// response reads what came back. A text that could not be taken for a call has
// no result, only the harness's complaint.
func (s *smolagents) response(at jsonl.Value, text Text) {
	if len(s.open) == 0 {
		s.say(at, Harness, Notice, text)
		return
	}
	head := text.Head(headWindow)
	for len(s.open) > 0 { // one answer for all calls of a list
		call := s.answer("", "")
		r := &ResultInfo{CallID: call.id, Tool: call.tool}
		if strings.HasPrefix(head, "Error:") {
			smolError(r, "", strings.TrimSpace(strings.TrimPrefix(text.Head(2*headWindow), "Error:")))
		} else {
			r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error"}
		}
		s.give(at, r, text)
	}
}

var smolLate = regexp.MustCompile(`exceeded the maximum execution time of (\d+(?:\.\d+)?) seconds`)

// smolError takes an error. Code that ran out of time cannot be stopped: it
// may run on.
func smolError(r *ResultInfo, typ, words string) {
	r.Error = True
	source, told := FromText, Told{Field: "output", Value: Keep(firstLine(words), 120), Good: False}
	if typ != "" {
		source, told = FromField, Told{Field: "error.type", Value: Keep(typ, 60), Good: False}
	}
	r.Told = append(r.Told, told)
	switch m := smolLate.FindStringSubmatch(words); {
	case m != nil:
		r.Term = Termination{Source: source}.withTimeout(parseSpan(m[1]+"s"), m[0])
	case strings.Contains(words, "Agent interrupted."):
		r.Interrupted = true
		r.Term = Termination{Kind: TermInterrupted, Source: source, Quote: "Agent interrupted."}
	case typ == "AgentParsingError", typ == "AgentToolCallError", strings.HasPrefix(words, "Error in code parsing"):
		r.NotRun = true
		r.Term = Termination{Kind: TermNotStarted, Source: source, Quote: Keep(cmp.Or(typ, firstLine(words)), 120)}
	default:
		r.Term = Termination{Kind: TermNonzero, Source: source, Quote: Keep(cmp.Or(typ, firstLine(words)), 120)}
	}
}

func (s *smolagents) step(r jsonl.Value) {
	s.base.Time = parseTime(r.At("timing", "start_time"))
	if n, _ := r.Get("step_number").Int(); n == 1 {
		start := s.begun
		s.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Start: start} })
	}
	s.begun = true
	s.turnOver()
	if in := r.Get("model_input_messages"); in.Len() > 0 {
		info := &RequestInfo{}
		for _, m := range in.Elems() {
			info.Messages = append(info.Messages, requestMessage(m))
		}
		s.send(Request, in, func(e *Event) { e.Request = info })
	}
	output := r.Get("model_output")
	s.spoken(output, smolWords(textOfBlocks(output)))
	for _, c := range r.Get("tool_calls").Elems() {
		s.toolCall(c, c.Get("id").Str(), firstExisting(c, "function"))
	}
	if code := r.Get("code_action"); len(s.open) == 0 && code.RawLen() > 0 {
		s.makeCall(code, &CallInfo{Tool: "python_interpreter", Free: true, Args: code}, nil)
	}
	s.observations(r)
	s.count(r.Get("token_usage"), nil)
	if last, _ := r.Get("is_final_answer").Bool(); last {
		out := r.Get("action_output")
		s.send(Message, out, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, textOfBlocks(out), True })
	}
}

func (s *smolagents) observations(r jsonl.Value) {
	failed := r.Get("error")
	for len(s.open) > 0 {
		call := s.answer("", "")
		info := &ResultInfo{CallID: call.id, Tool: call.tool}
		text := textOfBlocks(r.Get("observations"))
		if words := failed.Get("message"); words.Exists() {
			smolError(info, cmp.Or(failed.Get("type").Str(), "error"), words.Head(2*headWindow))
			if text.Empty() {
				text = TextView(words)
			}
		} else if text.Parts() > 0 || r.Get("action_output").Exists() {
			info.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error"}
		}
		s.give(r, info, text)
	}
}
