package rules

import (
	"path"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var fileNeverTouched = &Rule{
	ID:    "file-never-touched",
	Title: "A file is said to have been changed, and nothing in the log touched it",
	Why:   "Whoever relies on the words looks for a change that is not there.",
	Fix:   "Look at the file (`git diff`, `ls`), then make the change or take the words back.",
	Silent: "Sessions that were resumed, forked or compacted before the words, or that begin in the middle; files that any edit or writing command names, even in part; multi-file patches; " +
		"sessions in which a subagent, an outside tool, a generator or a script was at work; words without a file name.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     claimKinds,
	New:       func(Settings) Checker { return &untouched{told: map[string]bool{}} },
}

type untouched struct {
	silent
	told   map[string]bool
	opaque bool // something was at work whose doings the log does not show
}

func (u *untouched) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Kind != transcript.Message {
		if c := s.Call; e.Kind == transcript.ToolCall && c != nil && !u.opaque {
			u.opaque = hidden(c) || c.Act == transcript.Edit && e.Call.Free // a patch may name several files
		}
		return
	}
	for _, c := range s.Fresh {
		if c.Subject != claim.File || !asserts(c) || c.Where != ledger.InProse || c.Agent != "" || u.opaque || !s.Whole(c.Step) || !edits(s) {
			continue
		}
		file := strings.Trim(c.Named, "`\"'* ")
		base := path.Base(strings.ReplaceAll(file, "\\", "/"))
		if !strings.Contains(base, ".") || strings.ContainsAny(base, "*{} <>") || u.told[base] || named(s, base) {
			continue
		}
		u.told[base] = true
		emit(Hit{
			At:       c.Ref,
			Message:  transcript.Clip(file, 100) + " is said to have been changed, but no call that could have written it is seen in this log",
			Quote:    c.Quote,
			Evidence: []finding.Evidence{at(c.Ref, finding.Claimed, c.Quote, "a change claimed in a %s", c.Where)},
			Inferred: true,
			Key:      base,
		})
	}
}

// edits reports whether the log keeps edits at all.
func edits(s *ledger.Session) bool { return len(s.Edits) > 0 }

// hidden reports whether a call may write files that it does not name.
func hidden(c *ledger.Call) bool {
	switch c.Act {
	case transcript.Subagent, transcript.External, transcript.NoAct, transcript.Input, transcript.Finish:
		return true
	case transcript.Edit:
		return c.Path == ""
	case transcript.Shell:
	default:
		return false
	}
	if c.Line == nil || !c.Line.ParseOK || len(c.Command) > 1500 {
		return true
	}
	for i := range c.Line.Steps {
		if writes(&c.Line.Steps[i]) {
			return true
		}
	}
	return false
}

// writes reports whether a step may write files that it does not name:
// generators, builds, installers, and git where it changes the work tree.
func writes(s *command.Step) bool {
	switch s.Class {
	case command.Inspect, command.Search, command.Test, command.Lint, command.TypeCheck, command.Probe, command.Wait, command.Kill, command.Remove:
		return false
	case command.VCS:
		switch gitAction(s) {
		case "status", "diff", "log", "add", "commit", "push", "show", "branch", "fetch", "rev-parse", "blame", "ls-files":
			return s.Name != "git"
		}
		return true
	}
	return !plain[s.Name]
}

// named reports whether a call may have changed the file: an edit of it, or a
// command that names it and does more than read.
func named(s *ledger.Session, base string) bool {
	for _, c := range s.Calls {
		switch {
		case c.Act == transcript.Edit && strings.HasSuffix(c.Path, base):
			return true
		case c.Line != nil && strings.Contains(c.Command, base) && !reads(c):
			return true
		}
	}
	return false
}

// reads reports whether a command only reads what it names.
func reads(c *ledger.Call) bool {
	if strings.ContainsAny(c.Command, ">") || strings.Contains(c.Command, "tee") || strings.Contains(c.Command, " -i") {
		return false
	}
	for i := range c.Line.Steps {
		s := &c.Line.Steps[i]
		if s.Class != command.Inspect && s.Class != command.Search && s.Name != "cd" && s.Name != "git" {
			return false
		}
	}
	return true
}
