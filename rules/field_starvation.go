package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var fieldStarvation = &Rule{
	ID:    "field-starvation",
	Title: "A field of a tool's JSON hardly ever reaches the model while its sibling does",
	Why: "The budget cuts by position, so the field that comes last is starved call after call; the model works as if it did not exist, " +
		"and no single result looks wrong.",
	Fix:       "Put the starved field in front, split the result over two calls, or cut by row instead of by position.",
	Silent:    "Fewer than five calls; fields that the tool leaves out by itself; parts that were asked for.",
	Group:     Delivery,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolResult),
	Options: []Option{
		{Name: "min-calls", Doc: "calls of one tool before its rates are judged", Default: 5},
		{Name: "starved-below", Doc: "arrival rate under which a field counts as starved", Default: 0.5},
		{Name: "sibling-above", Doc: "arrival rate that a sibling must reach", Default: 0.9},
	},
	New: func(o Settings) Checker {
		return &starvation{min: o.Int("min-calls"), below: o.Float("starved-below"), above: o.Float("sibling-above"), last: map[string]ledger.Ref{}}
	},
}

type starvation struct {
	min          int
	below, above float64
	last         map[string]ledger.Ref // by tool: its newest cut result
}

func (k *starvation) Observe(s *ledger.Session, _ *transcript.Event, _ Emit) {
	if s.Delivery != nil && s.Delivery.Shape == delivery.Cut && s.Call != nil {
		k.last[s.Call.Tool] = s.Call.Result.Ref
	}
}

func (k *starvation) Finish(s *ledger.Session, emit Emit) {
	if s.Arrival == nil || len(k.last) == 0 {
		return
	}
	rows := s.Arrival.Rows()
	for _, r := range rows {
		ref, cut := k.last[r.Tool]
		if !cut || r.Produced < k.min || r.Rate >= k.below {
			continue
		}
		sibling, ok := k.sibling(rows, r)
		if !ok {
			continue
		}
		emit(Hit{
			At: ref,
			Message: fmt.Sprintf("%s of %s arrived whole in %d of %d calls (%.0f %%), its sibling %s in %.0f %%",
				r.Field, r.Tool, r.Whole, r.Produced, 100*r.Rate, sibling.Field, 100*sibling.Rate),
			Evidence: []finding.Evidence{
				at(ref, finding.Observed, "", "the newest cut result of %s; %s was lost whole in %s, in part in %d (%s)", r.Tool, r.Field,
					plural(r.Lost, "call"), r.Part, r.How),
			},
			Inferred: r.How != "exact",
			Key:      r.Tool + "/" + r.Field,
		})
	}
}

// sibling finds a field beside the starved one that does arrive.
func (k *starvation) sibling(rows []delivery.Row, starved delivery.Row) (delivery.Row, bool) {
	for _, r := range rows {
		if r.Tool == starved.Tool && r.Field != starved.Field && parent(r.Field) == parent(starved.Field) && r.Produced >= k.min && r.Rate > k.above {
			return r, true
		}
	}
	return delivery.Row{}, false
}

func parent(field string) string {
	for i := len(field) - 1; i >= 0; i-- {
		if field[i] == '/' {
			return field[:i]
		}
	}
	return ""
}
