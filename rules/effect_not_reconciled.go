package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var effectNotReconciled = &Rule{
	ID:        "effect-not-reconciled",
	Title:     "The effect had happened when the cancel came, and nothing accounts for it",
	Why:       "A late cancel undoes nothing. Without a record that settles the effect, the next reader takes it for not done.",
	Fix:       "Record what happened to the effect: kept, compensated or rolled back.",
	Silent:    "Effects that are settled afterwards; actions that were stopped before their effect.",
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
		asked, ok := receipt(c, transcript.CancelRequested)
		if !ok || c.Target == "" {
			continue
		}
		for _, d := range s.Deeds {
			if d.ID != c.Target && d.Approval != c.Target {
				continue
			}
			effect, happened := d.Step(transcript.ActionEffect)
			if _, settled := d.Step(transcript.ActionSettled); settled || !happened || effect.Step > asked.Step {
				continue
			}
			emit(Hit{
				At:      asked.Ref,
				Message: "the effect of " + d.ID + " had happened when its cancel was asked for, and no later record accounts for it",
				Evidence: []finding.Evidence{
					at(effect.Ref, finding.Recorded, effect.Reason, "the action takes effect"),
					at(asked.Ref, finding.Recorded, asked.Reason, "a cancel is asked for"),
				},
				Key: d.ID,
			})
		}
	}
}
