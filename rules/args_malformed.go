package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var argsMalformed = &Rule{
	ID:    "args-malformed",
	Title: "The arguments of a tool call are not valid JSON",
	Why: "A harness that runs such a call guesses what was meant; one that stores it makes every further request fail, because providers refuse the " +
		"history.",
	Fix: "Refuse the call with an error that names the place, and let the model make it again; raise the output limit when the limit cut it.",
	Silent: "Tools whose input is free text; empty arguments; calls told again in a copied history; calls on abandoned branches. A call that was refused, as it should be, " +
		"is a note.",
	Group:     ToolUse,
	Level:     finding.Error,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.ToolCall),
	New:       func(Settings) Checker { return &malformedArgs{} },
}

type malformedArgs struct {
	found []*malformedCall
}

type malformedCall struct {
	call  *ledger.Call
	why   string
	quote string
	cut   bool
}

func (k *malformedArgs) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Call.Broken == "" || e.Call.Free || e.Origin == transcript.Copied || s.Call == nil {
		return
	}
	text := e.Call.Args.Str()
	if text == "" {
		text = string(e.Call.Args.Raw())
	}
	k.found = append(k.found, &malformedCall{call: s.Call, why: ledger.Own(e.Call.Broken), quote: ledger.Own(endOf(text)), cut: limited(e.Stopped)})
}

// endOf is the end of a text, where what is cut breaks off.
func endOf(s string) string {
	if len(s) <= 160 {
		return s
	}
	return transcript.Clip(s, 60) + " ... " + s[len(s)-80:]
}

// limited reports whether a message ended at the length limit.
func limited(stopped string) bool {
	switch stopped {
	case "length", "max_tokens", "max_output_tokens", "MAX_TOKENS", "model_length", "model_context_window_exceeded":
		return true
	}
	return false
}

func (k *malformedArgs) Finish(s *ledger.Session, emit Emit) {
	for _, m := range k.found {
		c := m.call
		if s.Abandoned(c) {
			continue
		}
		msg, level := "the arguments of "+c.Tool+" are not valid JSON: "+m.why, finding.Error
		if m.cut {
			msg += " (the length limit cut the message)"
		}
		chain := []finding.Evidence{at(c.Ref, finding.Recorded, m.quote, "the call")}
		if c.Result != nil {
			chain = append(chain, at(c.Result.Ref, finding.Terminated, c.Result.Head, "it ended %s", ended(c.Term())))
			if refused(c) {
				level = finding.Note
			}
		}
		emit(Hit{At: c.Ref, Message: msg, Quote: m.quote, Evidence: chain, Level: level, Key: c.ID})
	}
}

// refused reports whether a call was answered with an error before it ran.
func refused(c *ledger.Call) bool {
	r := c.Result
	if r == nil {
		return false
	}
	switch r.Term.Kind {
	case transcript.TermDenied, transcript.TermNotStarted:
		return true
	}
	return r.NotRun || r.Error == transcript.True && !ranAtAll(c)
}

// ranAtAll reports whether a result with an error shows that the call ran: it
// has an exit code, a signal or a time limit.
func ranAtAll(c *ledger.Call) bool {
	t := c.Term()
	return t.HasCode || t.Signal != "" || t.Kind == transcript.TermTimeout || t.Kind == transcript.TermSignalled
}
