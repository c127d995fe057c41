package rules

import (
	"strconv"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// verdicts is the checker of rules that hold every outright claim of success
// against the runs before it and speak of one kind of verdict. The same fault
// of the same run is told once.
type verdicts struct {
	silent
	told map[string]bool
	hit  func(*ledger.Session, *ledger.Claim, ledger.Verdict) (Hit, bool)
}

func judging(hit func(*ledger.Session, *ledger.Claim, ledger.Verdict) (Hit, bool)) func(Settings) Checker {
	return func(Settings) Checker { return &verdicts{told: map[string]bool{}, hit: hit} }
}

// claimKinds are the events in which claims stand.
var claimKinds = transcript.Kinds(transcript.Message, transcript.ToolCall)

func (k *verdicts) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	for _, c := range s.Fresh {
		if !asserts(c) {
			continue
		}
		v := s.Judge(c)
		h, ok := k.hit(s, c, v)
		if !ok {
			continue
		}
		if h.Key == "" {
			h.Key = strconv.Itoa(int(c.Subject))
			if v.Run != nil {
				h.Key = v.Run.ID + "/" + h.Key
			}
		}
		if k.told[h.Key] {
			continue
		}
		k.told[h.Key] = true
		h.At, h.Quote = c.Ref, c.Quote
		h.Evidence = append(h.Evidence, at(c.Ref, finding.Claimed, c.Quote, "%s claimed in a %s", c.Subject, c.Where))
		emit(h)
	}
}

// isOutput keeps rules from judging words that no run can answer for: plan
// items are ticked for many reasons.
func spoken(c *ledger.Claim) bool { return c.Where != ledger.InTodo }
