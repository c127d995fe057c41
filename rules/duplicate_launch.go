package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var duplicateLaunch = &Rule{
	ID:    "duplicate-launch",
	Title: "The same command is started again while the first one still runs",
	Why: "Somebody took the first run for finished or dead. Two migrations, deploys or test runs at once get in each other's way, and their results cannot " +
		"be told apart.",
	Fix: "Look at the running job, or stop it, before starting the same thing again.",
	Silent: "First runs of whose end or kill anything is told; commands that are neither long nor irreversible by kind; other arguments, directories or branches; servers that were stopped by a command " +
		"in between; jobs that were polled to their end.",
	Group:     ToolUse,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolCall),
	New:       func(Settings) Checker { return &launches{} },
}

type launches struct{ silent }

func (*launches) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	c := s.Call
	if c == nil || c.Line == nil || c.Line.Main == nil || e.Origin == transcript.Copied || !heavy(c.Line) {
		return
	}
	for _, j := range s.Jobs {
		first := j.Call
		if first == nil || first == c || first.Command != c.Command || first.Dir != c.Dir || first.Agent != c.Agent || first.Origin == transcript.Copied ||
			j.End.Known() || j.Kill.Known() || s.KilledBefore(first) || s.Abandoned(first) || first.Term().Kind == transcript.TermStopped {
			continue
		}
		if j.State != transcript.JobStarted && j.State != transcript.JobRunning {
			continue
		}
		news := j.Start
		if n := len(j.News); n > 0 {
			news = j.News[n-1].Ref
		}
		emit(Hit{
			At:      c.Ref,
			Message: name(c) + " is started again while the first run (job " + j.ID + ") has not ended in this log",
			Quote:   c.Command,
			Evidence: []finding.Evidence{
				at(first.Ref, finding.Recorded, first.Command, "the first start"),
				at(news, finding.Recorded, "", "the newest word on it: no end"),
				at(c.Ref, finding.Recorded, c.Command, "started again"),
			},
			Key: first.ID + "/" + c.ID,
		})
		return
	}
}

// heavy reports whether two runs of a command at once do harm: it takes long
// or cannot be taken back.
func heavy(l *command.Line) bool {
	if len(l.Irreversible) > 0 {
		return true
	}
	switch l.Main.Class {
	case command.Test, command.Build, command.Deploy, command.Infra, command.Server, command.Migrate, command.Publish, command.Install, command.Interpreter:
		return true
	}
	return false
}
