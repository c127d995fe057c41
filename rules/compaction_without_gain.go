package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionWithoutGain = &Rule{
	ID:    "compaction-without-gain",
	Title: "A compaction leaves nearly all tokens, or compactions follow each other without work between",
	Why: "The summary costs a request and loses detail, and the context is as full as before: the next compaction follows at once, and a session can spend " +
		"itself on summing up.",
	Fix: "Find out what cannot be compacted (prompts, tool definitions, a huge last result) and drop that, or start a new session from the summary.",
	Silent: "Compactions without both token counts; thinning out of old results; failed ones; compactions that the user asked for; boundaries with an edit, a command or " +
		"a word of the user between them; copied history.",
	Group:     Compaction,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Compaction, transcript.ToolCall, transcript.Message),
	Options: []Option{
		{Name: "share", Doc: "part of the tokens that may be left", Default: 0.9},
		{Name: "boundaries", Doc: "compactions without work between them", Default: 3},
	},
	New: func(o Settings) Checker {
		return &gainless{share: o.Float("share"), most: o.Int("boundaries")}
	},
}

type gainless struct {
	silent
	share float64
	most  int
	row   []ledger.Ref // boundaries with no work between them
}

func (k *gainless) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	switch {
	case e.Origin == transcript.Copied || e.Agent != "":
	case e.Kind == transcript.Compaction:
		k.boundary(s, emit)
	case e.Kind == transcript.Message && e.Actor == transcript.Human:
		k.row = nil
	case e.Kind == transcript.ToolCall && effective(e.Call.Act):
		k.row = nil
	}
}

// effective reports whether a call is work, beyond looking around again.
func effective(a transcript.Act) bool {
	switch a {
	case transcript.Read, transcript.Search, transcript.Plan, transcript.Poll, transcript.Wait:
		return false
	}
	return true
}

func (k *gainless) boundary(s *ledger.Session, emit Emit) {
	c := s.Compactions[len(s.Compactions)-1]
	if c.Begin || c.Micro || c.Failed != "" || c.Trigger == "manual" {
		return
	}
	if c.PreTokens > 0 && c.PostTokens > 0 && float64(c.PostTokens) >= k.share*float64(c.PreTokens) {
		emit(Hit{
			At:       c.Ref,
			Message:  fmt.Sprintf("a compaction left %d of %d tokens (%d %%)", c.PostTokens, c.PreTokens, 100*c.PostTokens/c.PreTokens),
			Evidence: []finding.Evidence{at(c.Ref, finding.Recorded, "", "the boundary with its token counts")},
			Key:      "tokens",
		})
	}
	if k.row = append(k.row, c.Ref); len(k.row) != k.most {
		return
	}
	var chain []finding.Evidence
	for i, ref := range k.row {
		chain = append(chain, at(ref, finding.Recorded, "", "boundary %d", i+1))
	}
	emit(Hit{At: c.Ref, Message: plural(len(k.row), "compaction") + " in a row with no edit, no command and no word of the user between them", Evidence: chain, Key: "row"})
}

func tokensBefore(c *ledger.Compaction) string {
	if c.PreTokens == 0 {
		return ""
	}
	return fmt.Sprintf(" at %d tokens", c.PreTokens)
}
