package rules

import (
	"strconv"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var poisonedSession = &Rule{
	ID:    "poisoned-session",
	Title: "The provider refuses every further request for the same reason",
	Why:   "The history itself is broken: each request repeats it, so each gets the same answer, and nothing that is said will help.",
	Fix:   "Rewind to before the first of these answers, or repair the record that the provider names.",
	Silent: "Rate limits, overloads and server errors, which pass; refusals of different kinds; refusals with an answered request in between; " +
		"missing credentials.",
	Group:     Progress,
	Level:     finding.Error,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Status, transcript.Message, transcript.ToolCall),
	Options: []Option{
		{Name: "times", Doc: "equal answers in a row that count", Default: 3},
	},
	New: func(o Settings) Checker { return &poisons{times: o.Int("times")} },
}

type poisons struct {
	times int
	words string
	run   []ledger.Ref
}

func (p *poisons) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Kind != transcript.Status {
		if e.Actor == transcript.Assistant {
			p.flush(emit)
		}
		return
	}
	if st := e.Status; st.Code >= 400 && st.Code < 500 && st.Code != 401 && st.Code != 403 && st.Code != 408 && st.Code != 429 && st.Error != "" {
		if words := transcript.Keep(st.Error, quoteLimit); words != p.words {
			p.flush(emit)
			p.words = words
		}
		p.run = append(p.run, s.Ref(e))
	}
}

func (p *poisons) flush(emit Emit) {
	if len(p.run) >= p.times {
		chain := []finding.Evidence{}
		for i, r := range p.run {
			if i == 3 {
				break
			}
			chain = append(chain, at(r, finding.Recorded, p.words, "answer %d", i+1))
		}
		emit(Hit{
			At:       p.run[0],
			Message:  "the provider gave the same refusal " + strconv.Itoa(len(p.run)) + " times in a row",
			Quote:    p.words,
			Evidence: chain,
			Key:      p.words,
		})
	}
	p.run, p.words = nil, ""
}

func (p *poisons) Finish(_ *ledger.Session, emit Emit) { p.flush(emit) }
