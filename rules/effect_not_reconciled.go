package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var effectNotReconciled = &Rule{
	ID:    "effect-not-reconciled",
	Title: "A cancel was accepted after the effect had happened, and nothing accounts for it",
	Why:   "A late cancel undoes nothing. Without a record that settles the effect, the next reader takes it for not done.",
	Fix:   "Record what happened to the effect: kept, compensated or rolled back.",
	Silent: "Effects that are settled afterwards; actions that were stopped before their effect; cancels that were refused (the refusal says that it was too " +
		"late), told as done (cancel-overstated) or never answered (cancel-without-receipt); cancels at the end of the log.",
	Group:     Cancel,
	Level:     finding.Note,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Cancel, transcript.Action),
	New:       func(Settings) Checker { return unsettled{} },
	Lacks:     lacksCancels,
}

type unsettled struct{ silent }

func (unsettled) Finish(s *ledger.Session, emit Emit) {
	for _, c := range s.Cancels {
		accepted, ok := receipt(c, transcript.CancelAccepted)
		if !ok || s.Last.Step <= accepted.Step {
			continue
		}
		asked := accepted
		if st, ok := receipt(c, transcript.CancelRequested); ok {
			asked = st
		}
		effect, ok := openEffect(s, c, asked.Step)
		if !ok || toldStopped(s, c, asked.Step) {
			continue
		}
		emit(Hit{
			At:      accepted.Ref,
			Message: "the effect of " + effect.ActionInfo.ID + " had happened when its cancel was asked for, and no later record accounts for it",
			Evidence: append(append([]finding.Evidence{at(effect.Ref, finding.Recorded, effect.Reason, "the action takes effect")}, requestOfCancel(c)...),
				at(accepted.Ref, finding.Recorded, accepted.Reason, "the receipt: accepted")),
			Key: effect.ActionInfo.ID,
		})
	}
}
