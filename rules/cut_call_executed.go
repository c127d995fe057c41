package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var cutCallExecuted = &Rule{
	ID:    "cut-call-executed",
	Title: "A tool call from a message that the length limit cut was executed",
	Why:   "The last call of a cut message is what happened to be written so far: half a command, half a file. Running it does something that nobody asked for.",
	Fix:   "Drop the last call of a message that ended at the length limit, and ask the model to make it again.",
	Silent: "Calls that were refused or never ran; calls before the last one of the message, which were complete; reads and searches; calls told again in a copied history. " +
		"Arguments that are valid JSON may still be whole: then it is a warning.",
	Group:     ToolUse,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall),
	New:       func(Settings) Checker { return &cutCalls{} },
}

type cutCalls struct {
	found []*cutCall
}

type cutCall struct {
	call   *ledger.Call
	broken bool
	quote  string
}

func (k *cutCalls) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	c := s.Call
	if c == nil || e.Origin == transcript.Copied {
		return
	}
	if n := len(k.found); n > 0 && c.MsgID != "" && k.found[n-1].call.MsgID == c.MsgID {
		k.found = k.found[:n-1] // another call follows in the message: the earlier one was complete
	}
	if !limited(e.Stopped) || looksOnly(c.Act) {
		return
	}
	text := e.Call.Args.Str()
	if text == "" {
		text = string(e.Call.Args.Raw())
	}
	k.found = append(k.found, &cutCall{call: c, broken: e.Call.Broken != "", quote: ledger.Own(endOf(text))})
}

// looksOnly reports whether an act changes nothing.
func looksOnly(a transcript.Act) bool {
	switch a {
	case transcript.Read, transcript.Search, transcript.Fetch, transcript.Plan, transcript.Poll, transcript.Wait, transcript.Finish, transcript.Ask:
		return true
	}
	return false
}

func (k *cutCalls) Finish(s *ledger.Session, emit Emit) {
	for _, f := range k.found {
		c := f.call
		if c.Result == nil || refused(c) || s.Abandoned(c) {
			continue
		}
		level, how := finding.Warning, "its arguments are valid JSON, but nothing says that they were whole"
		if f.broken {
			level, how = finding.Error, "its arguments are not even valid JSON"
		}
		emit(Hit{
			At:      c.Ref,
			Message: name(c) + " was executed although the length limit cut the message that it stands in; " + how,
			Quote:   f.quote,
			Evidence: []finding.Evidence{
				at(c.Ref, finding.Recorded, f.quote, "the call; the message stopped at the length limit"),
				at(c.Result.Ref, finding.Terminated, c.Result.Head, "it ran, and ended %s", ended(c.Term())),
			},
			Level: level,
			Key:   c.ID,
		})
	}
}
