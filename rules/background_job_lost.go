package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var backgroundJobLost = &Rule{
	ID:    "background-job-lost",
	Title: "A background job was started and its end is not in the log",
	Why:   "Whatever the job was to show is not known, and the session ended as if it did not matter.",
	Fix:   "Wait for the job, or ask for its output, before closing the work.",
	Silent: "Servers and watchers, which are meant to run; commands that are no check, build or deployment; jobs that the agent stopped (their end is not " +
		"announced); jobs whose output was looked at by name afterwards; logs that end soon after the start.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Job, transcript.ToolResult),
	New:       func(Settings) Checker { return lostJobs{} },
	Lacks: func(s *ledger.Session) string {
		if len(s.Jobs) == 0 {
			return "no background job is seen in this log"
		}
		return ""
	},
}

type lostJobs struct{ silent }

func (lostJobs) Finish(s *ledger.Session, emit Emit) {
	for _, j := range s.Jobs {
		c := j.Call
		lost := j.State == transcript.JobLost
		if c == nil || c.Origin == transcript.Copied || j.End.Known() && !lost || j.Kill.Known() || !matters(c) || s.Last.Step < j.Start.Step+6 ||
			s.KilledBefore(c) || s.Abandoned(c) || lookedAt(s, j) {
			continue
		}
		chain := []finding.Evidence{at(j.Start, finding.Recorded, c.Command, "the job %s starts", j.ID)}
		if n := len(j.Polls); n > 0 {
			chain = append(chain, at(j.Polls[n-1], finding.Observed, "", "the newest of %s: still running", plural(n, "look")))
		}
		message := "the end of the background job " + j.ID + " (" + name(c) + ") is not seen in this log"
		if lost {
			message = "the harness lost the background job " + j.ID + " (" + name(c) + "): how it ended is not known"
			chain = append(chain, at(j.End, finding.Recorded, j.News[len(j.News)-1].Summary, "the harness has no record of its end"))
		}
		emit(Hit{At: j.Start, Message: message, Quote: c.Command, Evidence: chain, Key: j.ID})
	}
}

// lookedAt reports whether a later call names the job: its output was read by
// other means.
func lookedAt(s *ledger.Session, j *ledger.Job) bool {
	for _, c := range s.Calls {
		if c.Step > j.Start.Step && c != j.Call && len(j.ID) > 3 && (strings.Contains(c.Command, j.ID) || strings.Contains(c.Path, j.ID)) {
			return true
		}
	}
	return false
}

// matters reports whether the end of a job is of interest: checks and
// deployments, not servers and not what nobody can name.
func matters(c *ledger.Call) bool {
	if c.Line == nil || c.Line.Main == nil || c.Line.Main.LongRunning {
		return false
	}
	switch c.Class() {
	case command.Test, command.Build, command.Lint, command.TypeCheck, command.Deploy, command.Infra, command.Migrate, command.Publish, command.Install:
		return true
	}
	return false
}
