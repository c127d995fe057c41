package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Items of the OpenAI Responses API, as sessions of the Agents SDK keep them:
// one item a line, rows with an item in a string, whole responses, or the
// state of a run.
//
//	item                                   event                        termination from
//	message, or role and content           Message
//	reasoning                              Reasoning
//	function_call, custom_tool_call        ToolCall
//	function_call_output, ..._output       ToolResult                   text: the SDK's sentences, else generic_end.go
//	shell_call, local_shell_call           ToolCall
//	shell_call_output                      ToolResult                   outcome.type, outcome.exit_code; a call that was not approved
//	                                                                    is stored as exit code 1 with the refusal in stderr
//	apply_patch_call(_output)              ToolCall, ToolResult         status
//	mcp_call                               ToolCall, ToolResult         error
//	mcp_approval_request, _response        Decision
//	web_search_call, ...                   ToolCall, run by the provider
//	compaction                             Compaction, opaque
//	{"object":"response"}                  its items, Usage
//	run state: interruptions               Decision
//
// status completed on a call means that the model has finished writing it,
// never that it ran.
var responsesFormat = &Format{
	Name:  "openai-responses",
	Title: "OpenAI Responses items / Agents SDK session",
	Sniff: sniffResponses,
	Split: func(path string) bool { return path == "/current_step" },
	New:   func() Decoder { return &responses{} },
}

func sniffResponses(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if v.Kind() == jsonl.Array {
			v = v.Index(0)
		}
		typ := v.Get("type").Str()
		switch {
		case p.Path == "/$schemaVersion", v.Get("$schemaVersion").Exists() && v.Get("model_responses").Exists():
			return 90
		case v.Get("message_data").Kind() == jsonl.String && v.Get("session_id").Exists():
			return 75
		case v.Get("call_id").Exists() && typ != "tool_call" && (strings.HasSuffix(typ, "_call") || strings.HasSuffix(typ, "_call_output")):
			score = max(score, 58)
		case v.Get("object").Str() == "response" && v.Get("output").Kind() == jsonl.Array:
			score = max(score, 58)
		case typ == "reasoning" && v.Get("summary").Kind() == jsonl.Array:
			score = max(score, 50)
		case typ == "message" && v.Get("role").Exists() && v.Get("content").Kind() == jsonl.Array:
			score = max(score, 34)
		}
	}
	return score
}

type responses struct {
	talk
	row jsonl.Doc
}

// Flush has nothing to add: nothing is held back.
func (r *responses) Flush(Emit) {}

// Decode reads an item, a row, a response, or a whole document.
func (r *responses) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	whole := root.Kind() == jsonl.Array || root.Get("model_responses").Exists() || root.Get("items").Kind() == jsonl.Array
	if rec.Path == "" && whole {
		for piece := range rec.Pieces(nil) {
			r.piece(&piece, emit)
		}
		return
	}
	r.piece(rec, emit)
}

func (r *responses) piece(rec *jsonl.Record, emit Emit) {
	r.begin(rec, emit)
	root := rec.Root
	key, _, inList := strings.Cut(strings.TrimPrefix(rec.Path, "/"), "/")
	switch {
	case rec.Path == "", inList && key == "items", strings.Trim(key, "0123456789") == "":
		r.record(root)
	case inList && key == "model_responses":
		r.response(root)
	case inList && (key == "generated_items" || key == "session_items"):
		if raw := root.Get("raw_item"); strings.HasSuffix(raw.Get("type").Str(), "_output") {
			r.item(raw) // the rest stands in the responses
		}
	case key == "original_input":
		r.input(root)
	case key == "current_step":
		r.interruptions(root)
	default:
		r.send(Other, root, nil)
	}
}

func (r *responses) record(root jsonl.Value) {
	switch {
	case root.Get("message_data").Kind() == jsonl.String:
		r.base.Time = parseTime(root.Get("created_at"))
		item, err := jsonl.ParseString(root.Get("message_data").Str(), &r.row)
		if err != nil {
			r.emit(unknownEvent(r.rec, "message_data"))
			return
		}
		r.item(item)
	case root.Get("object").Str() == "response" || root.Get("output").Kind() == jsonl.Array && root.Get("usage").Exists():
		r.response(root)
	default:
		r.item(root)
	}
}

func (r *responses) input(v jsonl.Value) {
	if v.Kind() == jsonl.String {
		r.words(v)
	}
	for _, item := range v.Elems() {
		r.item(item)
	}
}

func (r *responses) response(root jsonl.Value) {
	r.names(root.Get("model"), root)
	for _, item := range root.Get("output").Elems() {
		r.item(item)
	}
	r.count(root.Get("usage"), nil)
	if why := root.At("incomplete_details", "reason").Str(); why != "" {
		r.send(TurnEnd, root, func(e *Event) { e.Turn = &TurnInfo{Reason: why, Bad: true} })
	}
}

// interruptions are the approvals that a run waits for.
func (r *responses) interruptions(step jsonl.Value) {
	list := firstExisting(step, "interruptions")
	if !list.Exists() {
		list = step.At("data", "interruptions")
	}
	if list.Len() == 0 {
		r.send(Other, step, nil)
	}
	for _, i := range list.Elems() {
		raw := firstExisting(i, "raw_item", "rawItem")
		id := cmp.Or(raw.Get("call_id").Str(), raw.Get("callId").Str(), raw.Get("id").Str())
		r.send(Decision, i, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Requested, CallID: id, ID: id, Subject: raw.Get("name").Str()}
		})
	}
}

// responseCalls are the items that ask for an action, and the tool behind
// those that name none.
var responseCalls = map[string]string{
	"function_call": "", "custom_tool_call": "", "mcp_call": "", "shell_call": "shell", "local_shell_call": "local_shell",
	"apply_patch_call": "apply_patch", "computer_call": "computer",
}

func (r *responses) item(v jsonl.Value) {
	typ := v.Get("type").Str()
	r.base.Type = typ
	r.base.Pos.ID = v.Get("id").Str()
	if tool, ok := responseCalls[typ]; ok {
		r.call(v, typ, tool)
		return
	}
	switch typ {
	case "message", "":
		if !r.message(v) {
			r.emit(unknownEvent(r.rec, typ))
		}
	case "reasoning":
		text := textOfBlocks(firstExisting(v, "content", "summary"))
		if text.Empty() {
			text = textOfBlocks(v.Get("summary"))
		}
		secret := v.Get("encrypted_content").Str()
		r.send(Reasoning, v, func(e *Event) {
			e.Actor, e.Text, e.Reasoning = Assistant, text, &ReasoningInfo{Signature: secret, Hollow: text.Empty()}
		})
	case "compaction", "compaction_summary":
		r.send(Compaction, v, func(e *Event) { e.Compaction = &CompactionInfo{Opaque: true} })
	case "mcp_approval_request":
		r.send(Decision, v, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Requested, ID: v.Get("id").Str(), Subject: v.Get("name").Str()}
		})
	case "mcp_approval_response":
		r.approval(v)
	case "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "tool_search_call":
		tool := strings.TrimSuffix(typ, "_call")
		r.makeCall(v, &CallInfo{ID: v.Get("id").Str(), Tool: tool, Act: actOf(tool), Args: v.Get("action"), Server: true}, nil)
	case "mcp_list_tools", "item_reference":
		r.send(Other, v, nil)
	default:
		if strings.HasSuffix(typ, "_output") {
			r.output(v, typ)
			return
		}
		r.emit(unknownEvent(r.rec, typ))
	}
}

func (r *responses) approval(v jsonl.Value) {
	yes, ok := v.Get("approve").Bool()
	if !ok {
		r.send(Other, v, nil)
		return
	}
	r.send(Decision, v, func(e *Event) {
		e.Decision = &DecisionInfo{Verb: Denied, ID: v.Get("approval_request_id").Str(), Reason: v.Get("reason").Head(120)}
		if yes {
			e.Decision.Verb = Approved
		}
	})
}

func (r *responses) call(v jsonl.Value, typ, tool string) {
	tool = cmp.Or(tool, v.Get("name").Str())
	call := &CallInfo{ID: cmp.Or(v.Get("call_id").Str(), v.Get("id").Str()), Tool: tool, Act: actOf(tool)}
	switch typ {
	case "mcp_call":
		call.Act = External
		r.callArgs(call, v.Get("arguments"))
	case "custom_tool_call":
		call.Args, call.Free = v.Get("input"), true
		if call.Act == Shell {
			call.Command = v.Get("input").Str()
		}
	case "shell_call", "local_shell_call":
		responseShell(call, v.Get("action"))
	case "apply_patch_call":
		call.Args = v.Get("operation")
		fillCall(call, call.Args)
	default:
		r.callArgs(call, v.Get("arguments"))
	}
	r.makeCall(v, call, nil)
	if typ == "mcp_call" {
		r.mcpEnd(v, call.ID)
	}
}

func responseShell(call *CallInfo, action jsonl.Value) {
	call.Args = action
	fillCall(call, action)
	call.Dir = cmp.Or(call.Dir, action.Get("working_directory").Str())
	var lines []string
	for _, c := range action.Get("commands").Elems() {
		lines = append(lines, c.Str())
	}
	if len(lines) > 0 {
		call.Command = strings.Join(lines, "\n")
	}
}

// mcpEnd is the result that stands in the call's own item.
func (r *responses) mcpEnd(v jsonl.Value, id string) {
	out, failed := v.Get("output"), v.Get("error")
	if out.RawLen() == 0 && failed.RawLen() == 0 {
		return
	}
	call := r.answer(id, "")
	res := &ResultInfo{CallID: id, Tool: call.tool}
	if failed.Kind() == jsonl.String || failed.Kind() == jsonl.Object {
		res.byFlag(false, "error: "+failed.Head(80))
		r.give(v, res, textOfBlocks(failed))
		return
	}
	res.byFlag(true, "error: null")
	r.give(v, res, textOfBlocks(out))
}

var responseLate = regexp.MustCompile(`^Tool '[^'\n]{1,80}' timed out after ([\d.]+) seconds`)

func (r *responses) output(v jsonl.Value, typ string) {
	call := r.answer(cmp.Or(v.Get("call_id").Str(), v.Get("id").Str()), "")
	res := &ResultInfo{CallID: call.id, Tool: call.tool}
	out := v.Get("output")
	text := textOfBlocks(out)
	switch {
	case typ == "shell_call_output" && out.Kind() == jsonl.Array:
		text = shellOutcomes(res, out)
	case typ == "apply_patch_call_output" && v.Get("status").Exists():
		ok := v.Get("status").Str() == "completed"
		res.byFlag(ok, "status: "+Keep(v.Get("status").Str(), 20))
		sdkEnd(res, text.Head(headWindow))
	case !sdkEnd(res, text.Head(headWindow)):
		genericEnd(res, call.act, text)
	}
	r.give(v, res, text)
	if res.Term.Kind == TermDenied {
		r.send(Decision, v, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: res.CallID, Reason: Keep(res.Term.Quote, 120)}
		})
	}
}

// sdkEnd reads the sentences that the Agents SDK writes in place of a result.
func sdkEnd(r *ResultInfo, head string) bool {
	t := Termination{Source: FromText, Quote: Keep(firstLine(head), 120)}
	late := responseLate.FindStringSubmatch(head)
	switch {
	case strings.HasPrefix(head, "Tool execution was not approved."):
		t.Kind, r.NotRun = TermDenied, true
	case late != nil:
		t = t.withTimeout(parseSpan(late[1]+"s"), late[0])
	case strings.HasPrefix(head, "Tool execution cancelled"):
		t.Kind, r.Interrupted = TermInterrupted, true
	case strings.HasPrefix(head, "An error occurred while running the tool."), strings.HasPrefix(head, "Tool execution failed. Error details are redacted."):
		t.Kind = TermNonzero
	default:
		return false
	}
	r.byText(t)
	return true
}

// shellOutcomes reads one outcome for every command of a call. The call ended
// as badly as the worst of them.
func shellOutcomes(r *ResultInfo, out jsonl.Value) Text {
	var text Text
	for _, o := range out.Elems() {
		text.Add(o.Get("stdout"))
		text.Add(o.Get("stderr"))
		if sdkEnd(r, o.Get("stderr").Head(headWindow)) {
			continue // exit code 1 is made up
		}
		switch code, ok := o.At("outcome", "exit_code").Int(); {
		case o.At("outcome", "type").Str() == "timeout":
			r.Term = Termination{Source: FromField}.withTimeout(0, "outcome.type: timeout")
			r.Told = append(r.Told, Told{Field: "outcome.type", Value: "timeout", Good: False})
		case ok && (code != 0 || r.Term.Kind == TermUnknown) && r.Term.Kind != TermTimeout:
			r.Term = OfCode(int(code))
			r.Term.Source, r.Term.Quote = FromField, "outcome.exit_code: "+strconv.FormatInt(code, 10)
		}
	}
	if r.Term.HasCode {
		r.Told = append(r.Told, Told{Field: "outcome.exit_code", Value: strconv.Itoa(r.Term.Code), Good: FlagOf(r.Term.Code == 0)})
	}
	return text
}
