package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var cancelWithoutReceipt = &Rule{
	ID:        "cancel-without-receipt",
	Title:     "A cancel request was never answered",
	Why:       "Nothing says whether it was taken: what should have stopped may still run.",
	Fix:       "Answer every cancel request with accepted or refused and the reason, and show which it was.",
	Silent:    "Requests at the very end of the log; a refused or accepted receipt, however late.",
	Group:     Cancel,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Cancel),
	New:       func(Settings) Checker { return unanswered{} },
	Lacks:     lacksCancels,
}

type unanswered struct{ silent }

func (unanswered) Finish(s *ledger.Session, emit Emit) {
	for _, c := range s.Cancels {
		st, ok := receipt(c, transcript.CancelRequested)
		if !ok || c.Receipt != transcript.NoCancel || s.Last.Step <= st.Step || overstated(c) {
			continue
		}
		emit(Hit{
			At:       st.Ref,
			Message:  "the request to cancel " + orSession(c.Target) + " has no receipt in this log, and the session went on",
			Quote:    st.Reason,
			Evidence: []finding.Evidence{at(st.Ref, finding.Recorded, st.Reason, "a cancel is asked for"), at(s.Last, finding.Observed, "", "the newest sign of progress, later")},
			Key:      c.ID + "/" + c.Target,
		})
	}
}

// overstated reports whether a status already told it as done: that is
// cancel-overstated.
func overstated(c *ledger.Cancel) bool {
	_, ok := receipt(c, transcript.CancelTold)
	return ok
}

func orSession(target string) string {
	if target == "" {
		return "the session"
	}
	return target
}
