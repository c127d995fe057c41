package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var reworkAfterCut = &Rule{
	ID:        "rework-after-cut",
	Title:     "After a cut the same thing is asked for again and again",
	Why:       "Every repetition is paid for, and it ends at the same place: the cut is not seen for what it is, or there is no way to page.",
	Fix:       "Page with an offset, write the output to a file, or raise the budget of this tool.",
	Silent:    "Calls that page on with a limit, an offset or another range; a rerun after an edit; a result that came whole the second time; fewer than three calls.",
	Group:     Delivery,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolResult, transcript.ToolCall),
	Options: []Option{
		{Name: "calls", Doc: "calls for the same thing before it is a finding", Default: 3},
	},
	New: func(o Settings) Checker { return &rework{min: o.Int("calls"), rows: map[string]*row{}} },
}

type rework struct {
	min   int
	rows  map[string]*row
	found []*row
}

// row is one thing that was asked for, and its cut results.
type row struct {
	key   string
	calls []*ledger.Call
}

func (k *rework) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	c := s.Call
	if c == nil || e.Origin == transcript.Copied {
		return
	}
	if e.Kind == transcript.ToolCall {
		if c.Act == transcript.Edit {
			clear(k.rows) // the world changed: asking again is no rework
		}
		return
	}
	key := resource(c)
	if key == "" || c.Result == nil || c.Limited {
		return
	}
	if c.Result.Cut == nil && (s.Delivery == nil || s.Delivery.Shape != delivery.Cut) {
		delete(k.rows, key) // it came whole
		return
	}
	r := k.rows[key]
	if r == nil {
		r = &row{key: key}
		k.rows[key] = r
	}
	if r.calls = append(r.calls, c); len(r.calls) == k.min {
		k.found = append(k.found, r)
	}
}

func resource(c *ledger.Call) string {
	switch {
	case c.Path != "":
		return c.Tool + " " + c.Path
	case c.Command != "":
		return c.Command
	case c.Args != 0:
		return fmt.Sprintf("%s %x", c.Tool, c.Args)
	}
	return ""
}

func (k *rework) Finish(_ *ledger.Session, emit Emit) {
	for _, r := range k.found {
		first := r.calls[0]
		var chain []finding.Evidence
		for i, c := range r.calls {
			if i == 4 {
				break
			}
			chain = append(chain, at(c.Result.Ref, finding.Observed, mark(c), "cut result %d", i+1))
		}
		emit(Hit{
			At:       r.calls[len(r.calls)-1].Ref,
			Message:  fmt.Sprintf("%s was asked for %d times and cut each time: %s for nothing", thing(first), len(r.calls), plural(len(r.calls)-1, "extra call")),
			Evidence: chain,
			Key:      r.key,
		})
	}
}

func thing(c *ledger.Call) string {
	if c.Path != "" {
		return transcript.Clip(c.Path, 100)
	}
	return name(c)
}

func mark(c *ledger.Call) string {
	if c.Result.Cut != nil {
		return c.Result.Cut.Mark
	}
	return ""
}
