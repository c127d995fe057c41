package rules

import (
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var poisonedSession = &Rule{
	ID:    "poisoned-session",
	Title: "The provider refuses every further request for the same reason",
	Why:   "The history itself is broken: each request repeats it, so each gets the same answer, and nothing that is said will help.",
	Fix:   "Rewind to before the first of these answers, or repair the record that the provider names.",
	Silent: "Rate limits, overloads and server errors, which pass; missing credentials, credit and quotas; refusals of different kinds; refusals with an " +
		"answer of the model in between.",
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
	same  string // the words without what differs each time
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
	if e.Origin == transcript.Copied || !aboutHistory(e.Status) {
		return
	}
	if same := steadyWords(e.Status.Error); same != p.same {
		p.flush(emit)
		p.same, p.words = same, transcript.Keep(e.Status.Error, quoteLimit)
	}
	p.run = append(p.run, s.Ref(e))
}

// aboutHistory reports whether a provider's answer refuses what was sent, and
// not who sent it or how much.
func aboutHistory(st *transcript.StatusInfo) bool {
	switch st.Code {
	case 400, 413, 422:
		return st.Error != "" && !containsAny(st.Error, "credit", "billing", "quota", "balance", "api key", "usage limit", "not available", "disabled")
	}
	return false
}

// steadyWords are an answer's words without what differs each time: numbers
// and request ids.
func steadyWords(s string) string {
	if i := strings.Index(s, "req_"); i > 0 {
		s = s[:i]
	}
	if i := strings.Index(s, "request_id"); i > 0 {
		s = s[:i]
	}
	return transcript.Keep(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s), quoteLimit)
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
	p.run, p.same, p.words = nil, "", ""
}

func (p *poisons) Finish(_ *ledger.Session, emit Emit) { p.flush(emit) }
