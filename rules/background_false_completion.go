package rules

import (
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var backgroundFalseCompletion = &Rule{
	ID:    "background-false-completion",
	Title: "A background job is announced as completed, and the log shows that it was not",
	Why:   "The announcement is all that the model sees of a job: it reports success for work that failed or was cut off.",
	Fix:   "Read the job's own output and exit code before relying on the announcement, and run the work again.",
	Silent: "Jobs whose exit code belongs to another part of the command line (masked-failure); output without a closing count of failures (a passing suite may print errors); news that repeats the " +
		"same end; jobs that the agent stopped. A job that ended ok just at its time limit is a warning.",
	Group:     Progress,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Job, transcript.ToolResult),
	New:       func(Settings) Checker { return announcements{} },
	Lacks:     backgroundJobLost.Lacks,
}

type announcements struct{ silent }

func (announcements) Finish(s *ledger.Session, emit Emit) {
	for _, j := range s.Jobs {
		c := j.Call
		ok := endedOK(j)
		if ok == nil || c == nil || c.Result == nil || c.Origin == transcript.Copied || j.Kill.Known() {
			continue
		}
		shown, level := against(j, ok)
		if len(shown) == 0 {
			continue
		}
		last := shown[len(shown)-1]
		chain := append([]finding.Evidence{at(c.Ref, finding.Recorded, c.Command, "%s is started in the background", called(c))}, shown...)
		emit(Hit{
			At:       ok.Ref,
			Level:    level,
			Inferred: level == finding.Warning,
			Message:  "the job " + j.ID + " (" + name(c) + ") is announced as completed, but " + last.Note,
			Quote:    ok.Summary,
			Evidence: append(chain, at(ok.Ref, finding.Claimed, ok.Summary, "announced as completed")),
			Key:      j.ID,
		})
	}
}

// endedOK is the news that the job ended well.
func endedOK(j *ledger.Job) *ledger.JobNews {
	for i := range j.News {
		if n := &j.News[i]; n.State == transcript.JobEnded && n.Term.Kind == transcript.TermOK {
			return n
		}
	}
	return nil
}

// against is what speaks against a job's good end: other news of it, its own
// output, or a run time that is just its limit.
func against(j *ledger.Job, ok *ledger.JobNews) ([]finding.Evidence, finding.Level) {
	for _, n := range j.News {
		if n.State == transcript.JobEnded && (n.Term.Kind == transcript.TermNonzero || n.Term.Unfinished() && n.Term.Kind != transcript.TermStillRunning) {
			return []finding.Evidence{at(n.Ref, finding.Terminated, n.Term.Quote, "another record says that it ended %s", ended(n.Term))}, finding.Error
		}
	}
	c := j.Call
	if c.Line != nil && c.Line.Main != nil && c.Line.MaskOf(c.Line.Main) != command.MaskNone {
		return nil, finding.None // its exit code is another one's
	}
	if r := c.Result; r.HasCensus && c.Class() == command.Test && r.Census.Failed+r.Census.Errors > 0 {
		return []finding.Evidence{at(r.End, finding.Observed, r.Tail, "its output counts %s", plural(r.Census.Failed+r.Census.Errors, "failure"))}, finding.Error
	}
	if ran := ledger.Elapsed(c.Ref, ok.Ref); c.Limit >= 10*time.Second && (ran-c.Limit).Abs() <= time.Second {
		return []finding.Evidence{at(c.Ref, finding.Recorded, c.Command, "it ended just at its time limit of %s", c.Limit)}, finding.Warning
	}
	return nil, finding.None
}
