package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var decisionMisattributed = &Rule{
	ID:        "decision-misattributed",
	Title:     "An expiry or a policy is told as the human's decision",
	Why:       "The model, and whoever reads the log, blames or trusts a person who never answered.",
	Fix:       "Tell the four states apart: no answer before the deadline, no channel to ask, denied by a person, denied by a rule.",
	Silent:    "Records that say who decided and why; a human's refusal that came after the expiry, with words of their own.",
	Group:     Approval,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Decision),
	New:       func(Settings) Checker { return misattributions{} },
	Lacks:     lacksDecisions,
}

type misattributions struct{ silent }

func (misattributions) Finish(s *ledger.Session, emit Emit) {
	for _, a := range s.Approvals {
		for _, d := range a.Steps {
			if why := blames(a, d); why != "" {
				emit(Hit{
					At:       d.Ref,
					Message:  subjectOfApproval(a) + " is recorded as " + d.Verb.String() + " by a human, but " + why,
					Quote:    d.Reason,
					Evidence: append(requestOf(a), at(d.Ref, finding.Recorded, d.Reason, "recorded as %s by a human", d.Verb)),
					Key:      a.ID,
				})
				break
			}
		}
	}
}

// blames says what shows that no human made the decision, "" when nothing
// does.
func blames(a *ledger.Approval, d ledger.Decided) string {
	if d.By != transcript.ByHuman || d.Verb != transcript.Denied {
		return ""
	}
	if e, ok := a.Step(transcript.Expired, d.Step); ok && e.Turn == d.Turn {
		return "the wait had expired" + waited(e)
	}
	reason := strings.ToLower(d.Reason)
	for _, word := range []string{"timed out", "timeout", "no response", "no answer", "expired", "no channel", "policy"} {
		if strings.Contains(reason, word) {
			return "the reason says \"" + word + "\""
		}
	}
	if q, ok := a.Step(transcript.Requested, d.Step); ok && !a.Expires.IsZero() && !q.Time.IsZero() && !d.Time.IsZero() && !d.Time.Before(a.Expires) {
		return "it came when the deadline had passed"
	}
	return ""
}

// containsAny reports whether s holds one of the words, in any case.
func containsAny(s string, words ...string) bool {
	s = strings.ToLower(s)
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
