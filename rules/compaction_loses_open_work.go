package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionLosesOpenWork = &Rule{
	ID:    "compaction-loses-open-work",
	Title: "Something was still open at the compaction, and the summary does not mention it",
	Why: "A check that must be run again, a pending approval, a running job or a standing order of the user's exists after the boundary only if the " +
		"summary says so.",
	Fix: "Carry open checks, pending approvals, running jobs and standing orders through every summary.",
	Silent: "Anything that the summary mentions, in whatever words; checks that ended ok later; servers and watchers; orders that the user took back; orders that name " +
		"no act (push, commit, merge, deploy, publish, delete, send, touch).",
	Group:     Compaction,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Message),
	New:       func(Settings) Checker { return &lostWork{told: map[string]bool{}} },
	Lacks:     noSummary,
}

type lostWork struct {
	silent
	told map[string]bool
}

func (k *lostWork) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	if s.Summary == nil {
		return
	}
	low := strings.ToLower(s.Summary.Text)
	k.checks(s, emit)
	k.approvals(s, low, emit)
	k.jobs(s, low, emit)
	k.orders(s, low, emit)
}

func (k *lostWork) checks(s *ledger.Session, emit Emit) {
	for _, r := range s.Summary.Before {
		if r.JobID != "" && r.Term().Kind == transcript.TermStillRunning {
			continue // a job
		}
		if len(s.Summary.Mentions(append(subjectWords(r.Check.Class), programOf(r))...)) > 0 {
			continue
		}
		outcome, _ := r.Outcome()
		k.lost(s, emit, r.ID, "the check "+name(r.Call)+" is open (ended "+ended(r.Term())+")", evidenceOfEnd(r.Call), outcome.String()+" and never run again before the compaction")
	}
}

func (k *lostWork) approvals(s *ledger.Session, low string, emit Emit) {
	for _, a := range s.Approvals {
		if a.State(0).Verb != transcript.Requested {
			continue
		}
		words := contentWords(a.Subject)
		if len(words) > 0 && overlap(words, low) >= 0.5 || strings.Contains(low, "approv") || strings.Contains(low, "permission") || strings.Contains(low, "confirm") {
			continue
		}
		k.lost(s, emit, a.ID, subjectOfApproval(a)+" is pending", requestOf(a), "no answer is seen before the compaction")
	}
}

func (k *lostWork) jobs(s *ledger.Session, low string, emit Emit) {
	for _, j := range s.OpenJobs() {
		words := contentWords(j.Call.Command)
		if strings.Contains(low, strings.ToLower(j.ID)) && j.ID != "" || strings.Contains(low, "background") || strings.Contains(low, "running") || overlap(words, low) >= 0.5 {
			continue
		}
		k.lost(s, emit, j.ID, "the background job "+name(j.Call)+" is running", []finding.Evidence{at(j.Start, finding.Recorded, j.Call.Command, "it starts here")}, "its end is not seen before the compaction")
	}
}

func (k *lostWork) orders(s *ledger.Session, low string, emit Emit) {
	for _, c := range s.Constraints {
		words := contentWords(c.Text)
		if strings.Contains(low, c.Verb) && (mentionsOrder(low, c.Verb) || overlap(words, low) >= 0.8) || c.Verb == "touch" && overlap(words, low) >= 0.5 {
			continue
		}
		k.lost(s, emit, c.Text, "the user's order to keep ("+transcript.Clip(oneLine(c.Text), 80)+") stands", []finding.Evidence{at(c.Ref, finding.Recorded, c.Text, "the user's words")}, "not taken back before the compaction")
	}
}

// mentionsOrder reports whether a line that names the act also forbids or
// conditions it, or quotes the user on it.
func mentionsOrder(low, verb string) bool {
	for line := range strings.Lines(low) {
		if !strings.Contains(line, verb) {
			continue
		}
		for _, w := range []string{"not", "n't", "never", "without", "only", "ask", "before", "until", "avoid", "no ", "explicit", "\"", "user"} {
			if strings.Contains(line, w) {
				return true
			}
		}
	}
	return false
}

func (k *lostWork) lost(s *ledger.Session, emit Emit, key, what string, chain []finding.Evidence, open string) {
	if k.told[key] {
		return
	}
	k.told[key] = true
	chain[len(chain)-1].Note += "; " + open
	emit(Hit{
		At:       s.Summary.Ref,
		Message:  what + ", and the summary does not mention it",
		Evidence: append(chain, at(s.Summary.Ref, finding.Claimed, "", "the summary, which does not mention it")),
		Inferred: true,
		Key:      key,
	})
}
