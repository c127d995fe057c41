package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var errorIgnored = &Rule{
	ID:    "error-ignored",
	Title: "A failed call was neither retried nor mentioned, and the session ends as if it had not been",
	Why:   "The last words do not tell what did not work, so nobody will look for it.",
	Fix:   "Name the failure in the last message, or retry it.",
	Silent: "Failures followed by a call of the same kind, on the same file or with the same program; failures that any later message names; searches and reads that found nothing; " +
		"sessions that end without last words or that were broken off; checks of which success is claimed (see false-confirmation). Only commands with an effect, edits and outside systems.",
	Group:     ToolUse,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolResult),
	New:       func(Settings) Checker { return &ignored{} },
}

// ignored remembers when somebody last spoke of trouble.
type ignored struct {
	failed  int // step of the newest call that failed and was meant to have an effect
	trouble int
	last    ledger.Ref
	words   string
}

func (k *ignored) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Kind == transcript.ToolResult {
		if s.Call != nil && wasMeant(s.Call) {
			k.failed = s.Call.Result.Step
		}
		return
	}
	if e.Actor != transcript.Assistant || e.Agent != "" || e.Role != transcript.Prose || e.Origin == transcript.Copied {
		return
	}
	k.last, k.words = s.Ref(e), transcript.Keep(e.Text.Head(quoteLimit), quoteLimit)
	if k.failed > k.trouble && honest(e.Text.Head(64<<10)) { // words are only read when there is something to admit
		k.trouble = k.last.Step
	}
}

func (k *ignored) Finish(s *ledger.Session, emit Emit) {
	if !k.last.Known() || s.Ended != nil && s.Ended.Bad {
		return
	}
	promoted := promotedRuns(s)
	for i, c := range s.Calls {
		if promoted[c] || !wasMeant(c) || c.Result.Step > k.last.Step || k.trouble > c.Result.Step || c.Turn != s.Turn || c.Agent != "" || c.Origin == transcript.Copied || s.Abandoned(c) || retried(c, s.Calls[i+1:]) {
			continue
		}
		emit(Hit{
			At:       c.Ref,
			Message:  name(c) + " ended " + ended(c.Term()) + " and was neither retried nor mentioned before the last words of this log",
			Quote:    c.Command,
			Evidence: append(evidenceOfEnd(c), at(k.last, finding.Claimed, k.words, "the last words, which do not name it")),
			Inferred: true,
			Key:      c.ID,
		})
	}
}

// wasMeant reports whether a call failed that was meant to have an effect.
func wasMeant(c *ledger.Call) bool {
	if c.Result == nil || !c.Term().Bad() || c.Result.NotRun || c.Term().Kind == transcript.TermInterrupted {
		return false
	}
	switch c.Act {
	case transcript.Edit, transcript.External:
		return true
	case transcript.Shell:
		if c.Line == nil || !c.Line.ParseOK || c.Term().HasCode && benign(c) {
			return false
		}
		return len(c.Line.Irreversible) > 0 || c.Class() == command.Install || c.Class() == command.Migrate || c.Class() == command.Build || c.Class() == command.Test
	}
	return false
}

func benign(c *ledger.Call) bool {
	ok, _ := command.BenignExit(c.Line, c.Term().Code)
	return ok
}

// retried reports whether a later call went at the same thing.
func retried(c *ledger.Call, later []*ledger.Call) bool {
	for _, k := range later {
		switch {
		case k.Path != "" && k.Path == c.Path, c.Act == transcript.External && k.Tool == c.Tool, c.Act == transcript.Edit && k.Act == transcript.Edit:
			return true
		case c.Act == transcript.Edit && k.Act == transcript.Shell && c.Path != "" && strings.Contains(k.Command, c.Path[strings.LastIndexByte(c.Path, '/')+1:]):
			return true
		case c.Class() != command.Other && k.Class() == c.Class(), sameProgram(c, k):
			return true
		}
	}
	return false
}

func sameProgram(a, b *ledger.Call) bool {
	if a.Line == nil || b.Line == nil {
		return false
	}
	for i := range a.Line.Steps {
		for j := range b.Line.Steps {
			if n := a.Line.Steps[i].Name; n != "cd" && n != "echo" && n == b.Line.Steps[j].Name {
				return true
			}
		}
	}
	return false
}
