package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// tool reads a part that is a call and, once it ended, its result.
func (o *opencode) tool(p jsonl.Value) {
	state := p.Get("state")
	status := state.Get("status").Str()
	id, name := p.Get("callID").Str(), p.Get("tool").Str()
	if status == "pending" && state.Get("input").Len() == 0 {
		return // its arguments are still being written
	}
	if o.once("call", id) {
		call := &CallInfo{ID: id, Tool: name, Act: actOf(name), Args: state.Get("input")}
		fillCall(call, call.Args)
		o.makeCall(p, call, func(e *Event) { e.MsgID = p.Get("messageID").Str() })
	}
	if status != "completed" && status != "error" || !o.once("result", id) {
		return
	}
	call := o.answer(id, name)
	r := &ResultInfo{CallID: cmp.Or(call.id, id), Tool: cmp.Or(call.tool, name)}
	text := TextView(state.Get("output"))
	if status == "error" {
		text = TextView(state.Get("error"))
		if partial := state.At("metadata", "output"); partial.RawLen() > 0 {
			text.Add(partial)
		}
	}
	began, _ := state.At("time", "start").Float()
	ended, _ := state.At("time", "end").Float()
	if ms := ended - began; began > 0 && ms > 0 && ms < 1e10 {
		r.Duration = time.Duration(ms) * time.Millisecond
	}
	opencodeEnd(r, actOf(name), state, text)
	o.give(p, r, text)
	if r.Term.Kind == TermDenied {
		o.send(Decision, p, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, Reason: Keep(r.Term.Quote, 120)}
			if !strings.HasPrefix(r.Term.Quote, "The user rejected") {
				e.Decision.By = ByPolicy
			}
		})
	}
}

var (
	opencodeLate = regexp.MustCompile(`(?:^|\n)(?:bash|shell|terminal) tool terminated command after exceeding timeout (\d+) ms`)
	opencodeHalt = regexp.MustCompile(`(?:^|\n)User aborted the command\s*(?:\n</\w+>)?\s*$`)
)

// opencodeEnd decides how a call ended: the typed state first, then the note
// that the shell tool puts at the end of an output.
func opencodeEnd(r *ResultInfo, act Act, state jsonl.Value, text Text) {
	status := state.Get("status").Str()
	r.Error = FlagOf(status == "error")
	told := Told{Field: "state.status", Value: status, Good: FlagOf(status == "completed")}
	if act == Shell && status == "completed" {
		told.Good = Unset // it covers every exit code
	}
	r.Told = append(r.Told, told)
	if status == "error" {
		opencodeError(r, state)
		return
	}
	if act != Shell {
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "state.status: completed"}
		return
	}
	if code, ok := state.At("metadata", "exit").Int(); ok {
		r.byCode(int(code), "metadata.exit")
	}
	tail := text.Tail(tailWindow + headWindow)
	at := max(strings.LastIndex(tail, "<bash_metadata>"), strings.LastIndex(tail, "<shell_metadata>"))
	if at < 0 {
		return
	}
	note := tail[at:]
	if m := opencodeLate.FindStringSubmatch(note); m != nil {
		ms, _ := strconv.Atoi(m[1])
		r.Term = r.Term.withTimeout(time.Duration(ms)*time.Millisecond, strings.TrimSpace(m[0]))
		r.Told = append(r.Told, Told{Field: "output", Value: r.Term.Quote, Good: False})
	} else if opencodeHalt.MatchString(note) {
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: "User aborted the command"})
	}
}

func opencodeError(r *ResultInfo, state jsonl.Value) {
	words := firstLine(state.Get("error").Head(headWindow))
	r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: Keep(cmp.Or(words, "state.status: error"), 120)}
	cut, _ := state.At("metadata", "interrupted").Bool()
	switch {
	case cut, strings.HasPrefix(words, "Tool execution aborted"):
		r.Interrupted = true
		r.Term.Kind = TermInterrupted
	case strings.HasPrefix(words, "The user rejected permission"), strings.HasPrefix(words, "The user has specified a rule which prevents you"),
		strings.HasPrefix(words, "Permission denied by ruleset"):
		r.NotRun = true
		r.Term.Kind = TermDenied
	}
}
