package rules

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var pastEndAsContent = &Rule{
	ID:        "past-end-as-content",
	Title:     "An offset beyond the end was answered with nothing instead of a statement",
	Why:       "An empty answer reads as an empty part: the model cannot tell that it has seen everything from that there is nothing here, and pages on.",
	Fix:       "Answer an offset past the end with a sentence: how long the file is, and that there is no more.",
	Silent:    "Answers that say so in any words; errors; reads from the beginning; tools whose offset the log does not tell.",
	Group:     Delivery,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult),
	New:       func(Settings) Checker { return &pastEnd{} },
}

type pastEnd struct{ silent }

func (*pastEnd) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	c := s.Call
	if c == nil || c.Result == nil || e.Origin == transcript.Copied || c.Act != transcript.Read && c.Act != transcript.Search || c.Begin <= 1 || c.Result.Error == transcript.True ||
		c.Result.Term.Bad() || c.Result.NotRun || e.Text.Size() > 200 {
		return
	}
	text := strings.TrimSpace(e.Words())
	if !vague(text) {
		return
	}
	emit(Hit{
		At:       c.Result.Ref,
		Message:  fmt.Sprintf("%s from %d on was answered with %s, which does not say that the end was passed", what(c), c.Begin, orNothing(text)),
		Quote:    strings.Clone(text),
		Evidence: []finding.Evidence{at(c.Ref, finding.Recorded, c.Path, "asked for from %d on", c.Begin), at(c.Result.Ref, finding.Observed, strings.Clone(text), "the whole answer")},
		Key:      c.Path,
	})
}

// vague reports whether an answer holds neither content nor a plain statement.
func vague(text string) bool {
	switch strings.Trim(strings.ToLower(text), "()[]<>.\"' \n") {
	case "", "empty", "no content", "null", "none", "{}", "ok", "done", "...", "…", "no results", "undefined":
		return true
	}
	return false
}

func orNothing(text string) string {
	if text == "" {
		return "an empty text"
	}
	return "\"" + transcript.Clip(text, 40) + "\""
}
