package rules

import (
	"fmt"
	"slices"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var silentCut = &Rule{
	ID:    "silent-cut",
	Title: "Results of a tool end at one same length again and again, and nothing says that they were cut",
	Why:   "A cut that says nothing looks like the end of the data: the model reports what it saw as all there is, and nobody asks for the rest.",
	Fix:   "Say in the result that it was cut, how much is missing and how to get at it; better, cut by row and page.",
	Silent: "Cuts with a marker; lengths that fewer than three different results share, or that longer results of the same tool exceed; the same result several times; " +
		"parts that were asked for; results that end as a document or a sentence does.",
	Group:     Delivery,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolResult),
	Options: []Option{
		{Name: "min-length", Doc: "characters from which results are compared", Default: 500},
	},
	New: func(o Settings) Checker { return &silentCuts{min: o.Int("min-length"), tools: map[string]*lengths{}} },
}

// mostLengths bounds what is kept of one tool.
const mostLengths = 4096

type silentCuts struct {
	min   int
	tools map[string]*lengths
	order []string
}

type lengths struct {
	all  []delivery.Length
	refs []sized
	seen map[uint64]bool
}

type sized struct {
	ref   ledger.Ref
	chars int
	bytes int
	tail  string
	open  bool // ends in the middle of a line or a structure
}

func (k *silentCuts) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	c := s.Call
	if e.Origin == transcript.Copied || c == nil || c.Result == nil || e.Text.Size() < k.min || s.AskedForPart(c) || c.Limited {
		return
	}
	l := k.tools[c.Tool]
	if l == nil {
		l = &lengths{seen: map[uint64]bool{}}
		k.tools[c.Tool] = l
		k.order = append(k.order, c.Tool)
	}
	if l.seen[c.Result.Hash] || len(l.all) >= mostLengths {
		return
	}
	l.seen[c.Result.Hash] = true
	text := e.Words()
	n := delivery.LengthOf(text)
	n.Marked = c.Result.Cut != nil
	if n.Chars < k.min {
		return
	}
	l.all = append(l.all, n)
	if n.Marked || c.Result.Term.Unfinished() {
		return
	}
	tail := ledger.Own(e.Text.Tail(60))
	l.refs = append(l.refs, sized{ref: c.Result.Ref, chars: n.Chars, bytes: n.Bytes, tail: tail, open: endsOpen(tail)})
}

// endsOpen reports whether a text ends where nothing ends by itself: inside a
// word or a line.
func endsOpen(tail string) bool {
	if tail == "" {
		return false
	}
	switch tail[len(tail)-1] {
	case '\n', '.', '!', '?', '}', ']', ')', '>', '"', '\'', '`', ';', ':', '-', '=', '|', '*', '%':
		return false
	}
	return true
}

func (k *silentCuts) Finish(_ *ledger.Session, emit Emit) {
	for _, tool := range k.order {
		k.tool(tool, k.tools[tool], emit)
	}
}

func (k *silentCuts) tool(tool string, l *lengths, emit Emit) {
	budget, ok := delivery.InferBudget(l.all)
	if !ok || budget.Marked {
		return
	}
	at1 := slices.DeleteFunc(slices.Clone(l.refs), func(r sized) bool { return r.length(budget.Unit) != budget.Limit })
	open := 0
	for _, r := range at1 {
		if r.open {
			open++
		}
	}
	if len(at1) < 3 || open*2 < len(at1) {
		return
	}
	var chain []finding.Evidence
	for i, r := range at1 {
		if i == 3 {
			break
		}
		chain = append(chain, at(r.ref, finding.Observed, r.tail, "ends after %d %s", r.length(budget.Unit), budget.Unit))
	}
	emit(Hit{
		At: at1[0].ref,
		Message: fmt.Sprintf("%d different results of %s end after exactly %d %s, none is longer, and nothing says that they were cut",
			len(at1), tool, budget.Limit, budget.Unit),
		Quote:    at1[0].tail,
		Evidence: chain,
		Inferred: true,
		Key:      tool,
	})
}

func (r sized) length(u delivery.Unit) int {
	if u == delivery.Bytes {
		return r.bytes
	}
	return r.chars
}
