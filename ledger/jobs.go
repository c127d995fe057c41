package ledger

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Job is a command that went on in the background.
type Job struct {
	ID    string
	Call  *Call // the call that started it, nil when not in this log
	Start Ref
	End   Ref // the first news of its end
	State transcript.JobState
	Term  transcript.Termination
	Kill  Ref // the request to stop it, when the agent made one
	Polls []Ref
	News  []JobNews
}

// JobNews is one record that told how the job stands.
type JobNews struct {
	Ref
	State   transcript.JobState
	Term    transcript.Termination
	Summary string
}

// JobByID finds a job.
func (s *Session) JobByID(id string) *Job { return s.jobs[id] }

func (s *Session) job(id string) *Job {
	j := s.jobs[id]
	if j == nil {
		j = &Job{ID: strings.Clone(id)}
		s.jobs[j.ID] = j
		s.Jobs = append(s.Jobs, j)
	}
	return j
}

// linkJob joins a result that names a background job to it: either the call
// became that job, or the call asked how the job stands.
func (s *Session) linkJob(c *Call, e *transcript.Event) {
	i := e.Result
	j := s.job(i.JobID)
	asks := c.Act == transcript.Poll || c.Act == transcript.Input || c.Act == transcript.Kill
	if !asks {
		if j.Call == nil {
			j.Call, j.Start, j.State = c, s.Ref(e), transcript.JobStarted
		}
		c.JobID = j.ID
		return
	}
	j.Polls = append(j.Polls, s.Ref(e))
	if c.Act != transcript.Kill {
		s.tell(j, stateOf(i.Term), i.Term, "", e)
		if c.Result != nil {
			s.outputOfJob(j, c.Result)
		}
	}
}

func stateOf(t transcript.Termination) transcript.JobState {
	switch t.Kind {
	case transcript.TermUnknown:
		return transcript.JobUnknown
	case transcript.TermStillRunning:
		return transcript.JobRunning
	case transcript.TermStopped:
		return transcript.JobKilled
	}
	return transcript.JobEnded
}

func (s *Session) observeJob(e *transcript.Event) {
	i := e.Job
	j := s.job(i.ID)
	if c := s.calls[i.CallID]; c != nil && j.Call == nil {
		j.Call, j.Start = c, c.Ref
		c.JobID = j.ID
	}
	s.Call = j.Call
	if j.Call != nil && !i.Output.Empty() {
		r := &Result{Term: i.Term}
		s.readOutput(j.Call, r, i.Output, i.Output.String)
		s.outputOfJob(j, r)
	}
	s.tell(j, i.State, i.Term, i.Summary, e)
}

// tell takes news of a job. The first end counts; an end that comes after the
// agent's own kill is a stop on purpose.
func (s *Session) tell(j *Job, state transcript.JobState, t transcript.Termination, summary string, e *transcript.Event) {
	ref := s.Ref(e)
	j.News = append(j.News, JobNews{Ref: ref, State: state, Term: own(t), Summary: transcript.Keep(summary, keepQuote)})
	if state != transcript.JobEnded && state != transcript.JobKilled && state != transcript.JobLost {
		if j.State == transcript.JobUnknown {
			j.State = state
		}
		return
	}
	if j.End.Known() {
		return
	}
	if j.Kill.Known() && t.Kind != transcript.TermOK {
		t.Kind, state = transcript.TermStopped, transcript.JobKilled
	}
	j.End, j.State, j.Term = ref, state, own(t)
	if c := j.Call; c != nil && c.Result != nil && t.Kind != transcript.TermUnknown {
		c.Result.Term, c.Result.End = j.Term, ref
	}
}

// outputOfJob takes the output that a poll or the news brought as the job's
// own: the runner's closing count of a background test run stands there.
func (s *Session) outputOfJob(j *Job, from *Result) {
	if j.Call == nil || j.Call.Result == nil {
		return
	}
	to := j.Call.Result
	to.Echoed = to.Echoed || from.Echoed
	if from.HasCensus {
		to.Census, to.HasCensus = from.Census, true
	}
	if len(from.Failures) > 0 {
		to.Failures = from.Failures
	}
	if from.Tail != "" {
		to.Tail = from.Tail
	}
}

func (s *Session) killJob(id string, at Ref) {
	if id == "" {
		return
	}
	j := s.job(id)
	j.Kill = at
	if !j.End.Known() && j.Call != nil && j.Call.Result != nil {
		j.Call.Result.Term.Kind = transcript.TermStopped
	}
}

// KilledBefore reports whether the agent itself ran a kill between the start of
// a call and its end, or at any time after the start when it has none: a 143 is
// then no verdict.
func (s *Session) KilledBefore(c *Call) bool {
	for _, k := range s.runs[command.Kill] {
		if k.Step > c.Step && (!c.Done() || k.Step <= c.Result.End.Step) {
			return true
		}
	}
	return false
}

// LastKill is the newest call, before a step, that asked to stop a job.
func (s *Session) LastKill(before int) *Call {
	for i := len(s.Calls) - 1; i >= 0; i-- {
		if c := s.Calls[i]; c.Step < before && c.Act == transcript.Kill {
			return c
		}
	}
	return nil
}
