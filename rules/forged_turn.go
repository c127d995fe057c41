package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var forgedTurn = &Rule{
	ID:    "forged-turn",
	Title: "The model wrote a turn, a notification or a reminder itself, and went on from it",
	Why:   "What it answers there nobody has said: consent, results and orders that exist only in the model's own text.",
	Fix:   "Stop generation at the markers of a turn, and go back to before the message.",
	Silent: "Markers in code fences, quotes, lists and inline code; words about such markers; a notification of a job that the log knows; dialogues that " +
		"are shown as an example; messages after which the model does nothing.",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall),
	New:       func(Settings) Checker { return &forgeries{open: map[string]*forgery{}} },
}

// forgeries holds what each thread's newest message forged, until the model
// acts on it or a person speaks.
type forgeries struct {
	silent
	open map[string]*forgery
}

type forgery struct {
	ref   ledger.Ref
	what  string
	quote string
}

func (f *forgeries) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	switch {
	case e.Origin == transcript.Copied:
	case e.Kind == transcript.ToolCall && e.Actor == transcript.Assistant:
		if g := f.open[e.Agent]; g != nil {
			f.hit(g, s.Call, emit)
			delete(f.open, e.Agent)
		}
	case e.Kind == transcript.Message && e.Actor == transcript.Assistant && e.Role == transcript.Prose:
		if what, quote := forged(s, e.Words()); what != "" {
			f.open[ledger.Own(e.Agent)] = &forgery{s.Ref(e), what, transcript.Keep(quote, quoteLimit)}
		}
	case e.Kind == transcript.Message && e.Actor == transcript.Human:
		delete(f.open, e.Agent)
	}
}

func (f *forgeries) hit(g *forgery, c *ledger.Call, emit Emit) {
	emit(Hit{
		At:      g.ref,
		Message: "the model wrote " + g.what + " itself and then went on to " + name(c),
		Quote:   g.quote,
		Evidence: []finding.Evidence{
			at(g.ref, finding.Claimed, g.quote, "%s, in the model's own text", g.what),
			at(c.Ref, finding.Recorded, c.Command, "the model acts"),
		},
		Key: g.quote,
	})
}

// markers of turns that only a harness writes, each from its opening to its
// end.
var turnMarkers = []struct{ open, end, what string }{
	{"<task-notification>", "</task-notification>", "a task notification"},
	{"<system-reminder>", "</system-reminder>", "a system reminder"},
	{"Human: ", "", "a turn of the user"},
}

// forged finds a marker that begins a line of plain prose.
func forged(s *ledger.Session, text string) (what, quote string) {
	if !strings.Contains(text, "Human: ") && !strings.Contains(text, "<task-notification>") && !strings.Contains(text, "<system-reminder>") {
		return "", ""
	}
	fenced, blank := false, true
	for at, line := 0, ""; at < len(text); at += len(line) {
		line = text[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		for _, m := range turnMarkers {
			if !fenced && strings.HasPrefix(line, m.open) && whole(s, text[:at], text[at:], m.end, blank) {
				return m.what, text[at:]
			}
		}
		blank = trimmed == ""
	}
	return "", ""
}

// whole reports whether a marker is meant as one: a tag is closed, and its job
// is none that the log knows; a turn stands by itself behind words of the
// model and is not one of several in a dialogue.
func whole(s *ledger.Session, before, rest, end string, blank bool) bool {
	if end != "" {
		body, _, closed := strings.Cut(rest, end)
		if _, id, ok := strings.Cut(body, "<task-id>"); ok {
			id, _, _ = strings.Cut(id, "<")
			if s.JobByID(strings.TrimSpace(id)) != nil {
				return false
			}
		}
		return closed && strings.Contains(body, "\n")
	}
	return blank && strings.TrimSpace(before) != "" && !strings.HasSuffix(strings.TrimSpace(before), ":") && strings.Count(rest, "\nHuman: ") == 0 &&
		!strings.Contains(before, "Assistant: ")
}
