package transcript

import (
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// feed is what most decoders share: the record at hand, the facts of its
// envelope, and the calls that wait for a result.
type feed struct {
	emit   Emit
	rec    *jsonl.Record
	base   Event // envelope facts of the current record
	args   jsonl.Doc
	open   []openCall
	serial int // of ids that the log does not give
}

// openCall is a call whose result has not come yet.
type openCall struct {
	id, tool string
	act      Act
}

// openMost bounds the calls that are waited for: logs without results exist.
const openMost = 512

func (f *feed) begin(rec *jsonl.Record, emit Emit) {
	f.emit, f.rec = emit, rec
	f.base = Event{Pos: posOf(rec, "")}
}

// send emits one event with the envelope of the current record.
func (f *feed) send(k Kind, v jsonl.Value, fill func(*Event)) {
	e := f.base
	e.Kind, e.Value = k, v
	if fill != nil {
		fill(&e)
	}
	f.emit(&e)
}

// say emits a message.
func (f *feed) say(v jsonl.Value, actor Actor, role MessageRole, text Text) {
	f.send(Message, v, func(e *Event) { e.Actor, e.Role, e.Text = actor, role, text })
}

// think emits a piece of reasoning, unless there is nothing in it.
func (f *feed) think(v jsonl.Value, text Text) {
	if !text.Empty() {
		f.send(Reasoning, v, func(e *Event) { e.Actor, e.Text, e.Reasoning = Assistant, text, &ReasoningInfo{} })
	}
}

// callArgs reads arguments that may be JSON in a string. The value holds
// until the next call.
func (f *feed) callArgs(call *CallInfo, v jsonl.Value) jsonl.Value {
	call.Args = v
	if v.Kind() == jsonl.String {
		in, err := jsonl.ParseString(v.Str(), &f.args)
		switch {
		case err == nil:
			call.Args = in
		case strings.HasPrefix(strings.TrimLeft(v.Head(16), " \n"), "{"):
			call.Broken = err.Error()
		default:
			call.Free = true
		}
	}
	fillCall(call, call.Args)
	adjustAct(call)
	return call.Args
}

// adjustAct tells apart what one tool does by its arguments.
func adjustAct(call *CallInfo) {
	switch in := call.Args; {
	case call.Act == Edit && in.Get("command").Str() == "view": // str_replace_editor and its kin
		call.Act = Read
	case call.Act == Shell && in.Get("is_input").Str() == "true":
		call.Act, call.Input = Input, call.Command
	}
}

// makeCall emits a call and waits for its result. A call without an id is
// given one, so that both can be joined.
func (f *feed) makeCall(v jsonl.Value, call *CallInfo, fill func(*Event)) {
	f.await(call)
	f.send(ToolCall, v, func(e *Event) {
		e.Actor, e.Call = Assistant, call
		if fill != nil {
			fill(e)
		}
	})
}

func (f *feed) await(call *CallInfo) {
	if call.ID == "" {
		f.serial++
		call.ID = "#" + strconv.Itoa(f.serial)
	}
	if call.Server {
		return
	}
	if len(f.open) == openMost {
		f.open = append(f.open[:0], f.open[1:]...)
	}
	f.open = append(f.open, openCall{id: strings.Clone(call.ID), tool: strings.Clone(call.Tool), act: call.Act})
}

// answer finds the call that a result belongs to: by its id, else by the name
// of the tool, else the one that waits longest.
func (f *feed) answer(id, tool string) openCall {
	for i := len(f.open) - 1; id != "" && i >= 0; i-- {
		if f.open[i].id == id {
			return f.close(i)
		}
	}
	if id != "" {
		return openCall{id: id, tool: tool, act: actOf(tool)}
	}
	for i, c := range f.open {
		if tool == "" || c.tool == tool {
			return f.close(i)
		}
	}
	return openCall{tool: tool, act: actOf(tool)}
}

func (f *feed) close(i int) openCall {
	c := f.open[i]
	f.open = append(f.open[:i], f.open[i+1:]...)
	return c
}

// give emits a result.
func (f *feed) give(v jsonl.Value, r *ResultInfo, text Text) {
	f.send(ToolResult, v, func(e *Event) { e.Actor, e.Text, e.Result = Tool, text, r })
}

// turnOver forgets the calls that wait: another session begins.
func (f *feed) turnOver() { f.open = f.open[:0] }

// usageOf reads a token count in the spelling of any provider. Anthropic
// counts the cache beside the input, the others within it.
func usageOf(u jsonl.Value) *UsageInfo {
	var fresh, made, read, prompt, cached int64
	info := &UsageInfo{}
	for key, v := range u.Members() {
		n, _ := v.Int()
		switch key {
		case "prompt_tokens", "promptTokenCount":
			prompt = n
		case "input_tokens":
			fresh = n
		case "cache_creation_input_tokens":
			made = n
		case "cache_read_input_tokens":
			read = n
		case "prompt_cache_hit_tokens", "cached_tokens", "cachedContentTokenCount":
			cached = max(cached, n)
		case "completion_tokens", "output_tokens", "candidatesTokenCount":
			info.Output = max(info.Output, n)
		case "prompt_tokens_details", "input_tokens_details":
			if n, ok := v.Get("cached_tokens").Int(); ok {
				cached = max(cached, n)
			}
		case "completion_tokens_details", "output_tokens_details":
			info.Reasoning, _ = v.Get("reasoning_tokens").Int()
		}
	}
	info.Context, info.Cached = prompt, cached
	if prompt == 0 {
		info.Context, info.Cached = fresh+made+read, max(read, cached)
	}
	return info
}

// count emits a token count that counts anything.
func (f *feed) count(u jsonl.Value, fill func(*Event)) {
	if info := usageOf(u); info.Context > 0 || info.Output > 0 {
		f.send(Usage, u, func(e *Event) {
			e.Usage = info
			if fill != nil {
				fill(e)
			}
		})
	}
}
