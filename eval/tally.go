package main

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/rules"
)

// A tally counts one rule's hits and misses over one set.
type tally struct{ right, wrong, missed int }

func (t tally) fired() int { return t.right + t.wrong }

func (t tally) precision() string { return share(t.right, t.fired()) }

func (t tally) recall() string { return share(t.right, t.right+t.missed) }

func (t tally) f1() string {
	if t.right == 0 {
		return share(0, t.wrong+t.missed)
	}
	return share(2*t.right, 2*t.right+t.wrong+t.missed)
}

// share words a part of a whole; a dash when there is no whole.
func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

// tallies are those of all rules.
type tallies map[string]*tally

func (t tallies) of(rule string) *tally {
	if t[rule] == nil {
		t[rule] = &tally{}
	}
	return t[rule]
}

// table prints a set's figures, a line a rule in the order of the catalogue,
// and the sums of each level.
func (t tallies) table(b *strings.Builder) {
	b.WriteString("| rule | level | fired | true | false | missed | precision | recall | F1 |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
	sums := map[finding.Level]*tally{finding.Error: {}, finding.Warning: {}, finding.Note: {}}
	row := func(name, level string, n tally) {
		fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | %s | %s | %s |\n", name, level, n.fired(), n.right, n.wrong, n.missed, n.precision(), n.recall(), n.f1())
	}
	for _, r := range rules.All {
		n := t[r.ID]
		if n == nil {
			continue
		}
		row("`"+r.ID+"`", r.Level.String(), *n)
		if sum := sums[r.Level]; sum != nil {
			sum.right, sum.wrong, sum.missed = sum.right+n.right, sum.wrong+n.wrong, sum.missed+n.missed
		}
	}
	for _, level := range []finding.Level{finding.Error, finding.Warning, finding.Note} {
		if n := sums[level]; *n != (tally{}) {
			row("**all of level "+level.String()+"**", level.String(), *n)
		}
	}
	b.WriteByte('\n')
}

// level is the level of a rule in the catalogue, None for those that it lacks.
func level(rule string) finding.Level {
	if r := rules.ByID(rule); r != nil {
		return r.Level
	}
	return finding.None
}
