package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// An Approval is one request for a decision and everything that became of it.
type Approval struct {
	ID      string
	CallID  string
	Subject string
	Expires time.Time // end of the pending state, zero when not said
	Steps   []Decided
}

// Decided is one step of an approval.
type Decided struct {
	Ref
	transcript.DecisionInfo
	Turn int
}

// Step finds the newest step with the verb, before (not at) the given step;
// limit 0 means anywhere.
func (a *Approval) Step(v transcript.DecisionVerb, before int) (Decided, bool) {
	for _, d := range slices.Backward(a.Steps) {
		if d.Verb == v && (before == 0 || d.Step < before) {
			return d, true
		}
	}
	return Decided{}, false
}

// ApprovalByID finds an approval by its own id or by the call that waits for
// it.
func (s *Session) ApprovalByID(id string) *Approval { return s.approvals[id] }

// approvalOf finds the approval that a step belongs to, or begins one. Steps
// that name neither request nor call belong to the newest request without a
// name.
func (s *Session) approvalOf(i *transcript.DecisionInfo) *Approval {
	for _, id := range []string{i.ID, i.CallID} {
		if a := s.approvals[id]; id != "" && a != nil {
			return a
		}
	}
	nameless := i.ID == "" && i.CallID == ""
	if nameless && s.nameless != nil && i.Verb != transcript.Requested {
		return s.nameless
	}
	a := &Approval{ID: strings.Clone(i.ID)}
	s.Approvals = append(s.Approvals, a)
	if nameless {
		s.nameless = a
	}
	return a
}

func (s *Session) observeDecision(e *transcript.Event) {
	i := e.Decision
	a := s.approvalOf(i)
	s.Approval = a
	for _, id := range []string{i.ID, i.CallID} {
		if id != "" && s.approvals[id] == nil {
			s.approvals[strings.Clone(id)] = a
		}
	}
	if i.CallID != "" {
		a.CallID = strings.Clone(i.CallID)
	}
	if i.Subject != "" {
		a.Subject = transcript.Keep(i.Subject, keepQuote)
	}
	if v := a.State(0).Verb; !i.Expires.IsZero() || i.Verb == transcript.Requested && v != transcript.Requested {
		a.Expires = i.Expires // a new request has a deadline of its own, or none
	}
	d := Decided{Ref: s.Ref(e), DecisionInfo: *i, Turn: s.Turn}
	d.DecisionInfo.ID, d.CallID, d.Subject, d.Reason = a.ID, a.CallID, a.Subject, transcript.Keep(i.Reason, keepQuote)
	a.Steps = append(a.Steps, d)
	s.Call = s.calls[a.CallID]
}

// A Cancel is one cancel request and its receipt.
type Cancel struct {
	ID      string
	Target  string
	Steps   []CancelStep
	Receipt transcript.CancelVerb // NoCancel while unanswered
}

// CancelStep is one record about a cancel request.
type CancelStep struct {
	Ref
	transcript.CancelInfo
}

func (s *Session) observeCancel(e *transcript.Event) {
	i := e.Cancel
	key := cmp.Or(i.ID, i.Target)
	c := s.cancels[key]
	if c == nil || i.Verb == transcript.CancelRequested && i.ID == "" && c.Receipt != transcript.NoCancel {
		c = &Cancel{ID: strings.Clone(i.ID), Target: strings.Clone(i.Target)}
		s.cancels[strings.Clone(key)] = c
		if i.ID != "" && i.Target != "" && s.cancels[i.Target] == nil {
			s.cancels[c.Target] = c
		}
		s.Cancels = append(s.Cancels, c)
	}
	if c.Target == "" {
		c.Target = strings.Clone(i.Target)
	}
	if i.Verb == transcript.CancelAccepted || i.Verb == transcript.CancelRefused {
		c.Receipt = i.Verb
	}
	info := *i
	info.ID, info.Target, info.Reason = c.ID, c.Target, transcript.Keep(i.Reason, keepQuote)
	c.Steps = append(c.Steps, CancelStep{Ref: s.Ref(e), CancelInfo: info})
	s.Call = s.calls[c.Target]
}

// CancelOf finds the newest cancel request for a target.
func (s *Session) CancelOf(target string) *Cancel { return s.cancels[target] }

// A Compaction is a boundary at which history was replaced by less.
type Compaction struct {
	Ref
	transcript.CompactionInfo
	Agent   string
	Summary Ref // the summary that followed, when the log holds it
}
