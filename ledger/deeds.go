package ledger

import (
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Deed is an action as a harness records it step by step: entering the
// executor is not starting, and starting is not the effect.
type Deed struct {
	ID       string
	Approval string
	Steps    []DeedStep
}

// DeedStep is one record about an action.
type DeedStep struct {
	Ref
	transcript.ActionInfo
}

// Step finds the first step with one of the verbs.
func (d *Deed) Step(verbs ...transcript.ActionVerb) (DeedStep, bool) {
	for _, s := range d.Steps {
		if slices.Contains(verbs, s.Verb) {
			return s, true
		}
	}
	return DeedStep{}, false
}

// DeedByID finds an action.
func (s *Session) DeedByID(id string) *Deed { return s.deeds[id] }

func (s *Session) observeAction(e *transcript.Event) {
	i := e.Action
	d := s.deeds[i.ID]
	if d == nil {
		d = &Deed{ID: strings.Clone(i.ID)}
		s.deeds[d.ID] = d
		s.Deeds = append(s.Deeds, d)
	}
	if i.Approval != "" {
		d.Approval = strings.Clone(i.Approval)
	}
	info := transcript.ActionInfo{Verb: i.Verb, ID: d.ID, Approval: strings.Clone(i.Approval), Reason: transcript.Keep(i.Reason, keepQuote)}
	d.Steps = append(d.Steps, DeedStep{Ref: s.Ref(e), ActionInfo: info})
	s.Call = s.calls[i.ID]
}

// State is where an approval stands before a step (0: at the end): the newest
// of its steps that decides, Requested while it is pending.
func (a *Approval) State(before int) Decided {
	for _, d := range slices.Backward(a.Steps) {
		if before != 0 && d.Step >= before {
			continue
		}
		switch d.Verb {
		case transcript.Requested, transcript.Approved, transcript.Denied, transcript.Expired, transcript.Withdrawn, transcript.Escalated:
			return d
		}
	}
	return Decided{}
}
