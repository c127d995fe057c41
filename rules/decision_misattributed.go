package rules

import (
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var decisionMisattributed = &Rule{
	ID:    "decision-misattributed",
	Title: "An expiry or a missing channel is told as a person's decision",
	Why:   "The model, and whoever reads the log, blames or trusts a person who never answered.",
	Fix:   "Tell the four states apart: no answer before the deadline, no channel to ask, denied by a person, denied by a rule.",
	Silent: "Records that say who decided and why; a person's refusal that came after the expiry, with words of their own, or before the deadline; " +
		"results of calls that a person did refuse.",
	Group:     Approval,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Decision, transcript.ToolResult),
	New:       func(Settings) Checker { return misattributions{} },
	Lacks:     lacksDecisions,
}

type misattributions struct{ silent }

func (misattributions) Finish(s *ledger.Session, emit Emit) {
	for _, a := range s.Approvals {
		if !blamed(a, emit) {
			toldAsRefused(s, a, emit)
		}
	}
}

// blamed reports a refusal that is written down as a person's, although the
// record itself shows that nobody answered.
func blamed(a *ledger.Approval, emit Emit) bool {
	for _, d := range a.Steps {
		if d.By != transcript.ByHuman || d.Verb != transcript.Denied {
			continue
		}
		why, inferred := nobodyAnswered(a, d)
		if why == "" {
			continue
		}
		chain := requestOf(a)
		if e, ok := a.Step(transcript.Expired, d.Step); ok {
			chain = append(chain, at(e.Ref, finding.Recorded, e.Reason, "the wait expired%s", waited(e)))
		}
		emit(Hit{
			At:       d.Ref,
			Inferred: inferred,
			Message:  subjectOfApproval(a) + " is recorded as denied by a person, but " + why,
			Quote:    d.Reason,
			Evidence: append(chain, at(d.Ref, finding.Recorded, d.Reason, "recorded as denied by a person")),
			Key:      a.ID,
		})
		return true
	}
	return false
}

// nobodyAnswered says what shows that no person made the decision, "" when
// nothing does, and whether that is a conclusion.
func nobodyAnswered(a *ledger.Approval, d ledger.Decided) (why string, inferred bool) {
	for _, word := range []string{"timed out", "timeout", "no response", "no answer", "wait expired", "approval expired", "request expired", "approval_expired", "no channel"} {
		if strings.Contains(strings.ToLower(d.Reason), word) {
			return "the reason says \"" + word + "\"", false
		}
	}
	if e, ok := a.Step(transcript.Expired, d.Step); ok && e.Turn == d.Turn && d.Reason == "" && !answeredSince(a, e) {
		return "the wait had expired" + waited(e), false
	}
	if !a.Expires.IsZero() && !d.Time.IsZero() && d.Time.Sub(a.Expires).Abs() < 200*time.Millisecond {
		return "it came at the very moment of the deadline", true
	}
	return "", false
}

// toldAsRefused reports a result that tells the model of a person's refusal
// when the wait had simply run out.
func toldAsRefused(s *ledger.Session, a *ledger.Approval, emit Emit) {
	expired, ok := a.Step(transcript.Expired, 0)
	c := s.CallByID(a.CallID)
	if !ok || a.State(0).Verb != transcript.Expired || c == nil || c.Result == nil || !blamesPerson(c.Result.Head) {
		return
	}
	emit(Hit{
		At:      c.Result.Ref,
		Message: "the result of " + name(c) + " tells of a person's refusal, but the wait for an answer had expired",
		Quote:   c.Result.Head,
		Evidence: append(requestOf(a), at(expired.Ref, finding.Recorded, expired.Reason, "the wait expired%s", waited(expired)),
			at(c.Result.Ref, finding.Recorded, c.Result.Head, "the result")),
		Key: a.ID,
	})
}

// blamesPerson reports whether the beginning of a result says that a person
// refused.
func blamesPerson(head string) bool {
	low := strings.ToLower(transcript.Clip(head, 200))
	if containsAny(low, "timed out", "no response", "no answer", "expired", "did not answer", "did not respond") {
		return false
	}
	for _, who := range []string{"user ", "human ", "operator "} {
		for _, did := range []string{"denied", "rejected", "declined", "refused", "doesn't want", "does not want"} {
			if strings.Contains(low, who+did) {
				return true
			}
		}
	}
	return containsAny(low, "denied by user", "denied by the user", "rejected by user", "rejected by the user", "declined by the user")
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
