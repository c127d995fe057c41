package ledger

import (
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Summary is what a compaction left of the history. Its text lives as long
// as the event that holds it.
type Summary struct {
	Ref
	Text       string
	Compaction *Compaction // the boundary it belongs to, nil when the log shows none
	Whole      bool        // the log holds the history that it sums up, from its beginning
	Before     []*Run      // checks whose newest run did not end ok
	Human      Ref         // the newest human message before it
}

// observeSummary takes the facts at a boundary, before the words in the
// summary count as known.
func (s *Session) observeSummary(e *transcript.Event) {
	sum := &Summary{Ref: s.Ref(e), Text: e.Words(), Whole: s.Human.Known() && !s.resumed && !s.tree.cut, Human: s.Human, Before: s.openChecks()}
	if n := len(s.Compactions); n > 0 && s.Compactions[n-1].Agent == e.Agent && !s.Compactions[n-1].Summary.Known() {
		sum.Compaction = s.Compactions[n-1]
		sum.Compaction.Summary = sum.Ref
	}
	if !s.Human.Known() && len(s.Calls) == 0 {
		s.resumed = true
	}
	if !sum.Whole {
		s.Partial++
	}
	s.Summary = sum
}

func (s *Session) observeCompaction(e *transcript.Event) {
	c := &Compaction{Ref: s.Ref(e), CompactionInfo: *e.Compaction, Agent: strings.Clone(e.Agent)}
	c.Trigger, c.Failed = strings.Clone(c.Trigger), transcript.Keep(c.Failed, keepQuote)
	c.Dropped = nil
	for i, id := range e.Compaction.Dropped {
		if i == 100 {
			break
		}
		c.Dropped = append(c.Dropped, strings.Clone(id))
	}
	s.Compactions = append(s.Compactions, c)
}

// BeginsInside reports whether the log begins in the middle of its session: what
// came before stands in another file.
func (s *Session) BeginsInside() bool { return s.resumed || s.tree.cut }

// Boundaries are the compactions that replaced history: not those that only
// began, only thinned out results, or failed.
func (s *Session) Boundaries() []*Compaction {
	var out []*Compaction
	for _, c := range s.Compactions {
		if !c.Begin && !c.Micro && c.Failed == "" {
			out = append(out, c)
		}
	}
	return out
}

// forgetSummary lets the words of a summary count as known: what it quotes is
// judged once.
func (s *Session) forgetSummary() {
	if s.Summary != nil {
		s.human.add(s.Summary.Text)
		s.Summaries++
		s.Summary = nil
	}
}

// openChecks are the checks whose newest run failed or was cut short, one of
// each kind, with nothing of that kind that ended ok since.
func (s *Session) openChecks() []*Run {
	var open []*Run
	for _, class := range []command.Class{command.Test, command.Build, command.Lint, command.TypeCheck, command.Deploy, command.Infra, command.Migrate} {
		for _, r := range slices.Backward(s.runs[class]) {
			if r.Origin == transcript.Copied || s.Abandoned(r.Call) {
				continue
			}
			outcome, _ := r.Outcome()
			if outcome == OutcomeFailed || outcome == OutcomeUnfinished && !s.KilledBefore(r.Call) {
				open = append(open, r)
			}
			if outcome != OutcomeNotRun {
				break
			}
		}
	}
	return open
}

// OpenJobs are the background commands that started and of whose end nothing is
// told; servers and watchers are meant to run on.
func (s *Session) OpenJobs() []*Job {
	var open []*Job
	for _, j := range s.Jobs {
		if j.End.Known() || j.Kill.Known() || j.Call == nil || j.Call.Origin == transcript.Copied || j.Call.Result == nil {
			continue
		}
		if j.State != transcript.JobStarted && j.State != transcript.JobRunning {
			continue
		}
		if l := j.Call.Line; l == nil || slices.ContainsFunc(l.Steps, func(st command.Step) bool { return st.LongRunning }) || s.KilledBefore(j.Call) {
			continue
		}
		open = append(open, j)
	}
	return open
}

// Mentions reports whether a summary holds one of the words as a whole word, and
// returns the lines that do, with the line before and after each.
func (m *Summary) Mentions(words ...string) []string {
	lines := strings.Split(m.Text, "\n")
	var out []string
	for i, line := range lines {
		if !holdsWord(strings.ToLower(line), words) {
			continue
		}
		from, to := max(0, i-1), min(len(lines), i+2)
		out = append(out, strings.Join(lines[from:to], "\n"))
	}
	return out
}

func holdsWord(low string, words []string) bool {
	for _, w := range words {
		for from := 0; w != ""; {
			i := strings.Index(low[from:], w)
			if i < 0 {
				break
			}
			i += from
			if i == 0 || !letter(low[i-1]) {
				return true
			}
			from = i + len(w)
		}
	}
	return false
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
