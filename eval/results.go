package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// results are the figures of all sets.
type results struct {
	seed      uint64
	per       int
	real      bool // the corpus was there
	planting  *planting
	cases     tallies
	caseFiles int
	labelled  *labelled
	why       string // why the labels were not compared
	neighbour *neighbour
	judged    string // eval/red-handed.md
}

// rest measures everything but the planted faults.
func (r *results) rest(corpus, dir string, red bool) (err error) {
	if r.cases, r.caseFiles, err = runCases(); err != nil {
		return err
	}
	if !r.real {
		r.why = "the corpus is not at " + corpus
	} else {
		labels, err := readLabels(filepath.Join(dir, "labels.tsv"))
		if err != nil {
			return err
		}
		r.labelled = runLabels(labels, corpus)
	}
	if red {
		r.neighbour = runNeighbour(corpus, dir)
	}
	judged, err := os.ReadFile(filepath.Join(dir, "red-handed.md"))
	r.judged = string(judged)
	return err
}

func (r *results) text() string {
	var b strings.Builder
	b.WriteString("# What the rules are worth\n\n" +
		"Written by `make eval`. true: fired and right; false: fired and wrong; missed: should have fired. Precision is true / fired, recall is\n" +
		"true / (true + missed), F1 their harmonic mean. A dash: nothing to divide by.\n\n")
	r.targets(&b)
	r.plantedText(&b)
	if r.cases != nil {
		fmt.Fprintf(&b, "## (a) The case files\n\n%d cases; each rule over its own, finding by finding, message included.\n\n", r.caseFiles)
		r.cases.table(&b)
	}
	r.labelText(&b)
	r.neighbourText(&b)
	return b.String()
}

// targets holds the figures against what was promised.
func (r *results) targets(b *strings.Builder) {
	b.WriteString("| target | figure | met |\n|---|---|---|\n")
	row := func(what string, n, of int, least float64) {
		met := "no"
		if of > 0 && float64(n) >= least*float64(of) {
			met = "yes"
		}
		fmt.Fprintf(b, "| %s | %s (%d of %d) | %s |\n", what, share(n, of), n, of, met)
	}
	found, planted := r.planting.recall(finding.Error)
	row("recall of error-level rules on planted faults ≥ 0.95", found, planted, 0.95)
	if short := r.planting.short(); len(short) > 0 {
		fmt.Fprintf(b, "| error-level rules that are under 0.95 by themselves: none | %s | no |\n", strings.Join(short, ", "))
	} else {
		b.WriteString("| error-level rules that are under 0.95 by themselves: none | none | yes |\n")
	}
	found, planted = r.planting.recall(finding.Warning)
	row("recall of warning-level rules on planted faults (no target)", found, planted, 0)
	twins, alarms := 0, 0
	for _, c := range r.planting.cells {
		twins, alarms = twins+c.twins, alarms+c.alarms
	}
	fmt.Fprintf(b, "| errors and warnings that a sound twin gains: 0 | %d | %s |\n", twins, yes(twins == 0))
	fmt.Fprintf(b, "| errors and warnings of a mutant that its fault does not explain: 0 | %d | %s |\n", alarms, yes(alarms == 0))
	if r.labelled != nil {
		n := r.labelled.at(finding.Error)
		row("precision of errors on the labels ≥ 0.95", n.right, n.fired(), 0.95)
		n = r.labelled.at(finding.Warning)
		row("precision of warnings on the labels ≥ 0.85", n.right, n.fired(), 0.85)
		n = r.labelled.at(finding.Note)
		row("precision of notes on the labels (no target)", n.right, n.fired(), 0)
	}
	b.WriteByte('\n')
}

// short lists the error-level rules whose own recall misses the target: the sum
// of all hides them.
func (p *planting) short() []string {
	var out []string
	for rule, n := range p.rules {
		if all := n.right + n.missed; level(rule) == finding.Error && float64(n.right) < 0.95*float64(all) {
			out = append(out, fmt.Sprintf("`%s` %d of %d", rule, n.right, all))
		}
	}
	slices.Sort(out)
	return out
}

func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

func (l *labelled) at(level finding.Level) tally {
	if n := l.levels[level]; n != nil {
		return *n
	}
	return tally{}
}

func (r *results) plantedText(b *strings.Builder) {
	p := r.planting
	b.WriteString("## (b) Faults planted in real sessions\n\n")
	where := "sessions of the corpus"
	if !r.real {
		where = "sessions of our own (eval/base): the corpus is not there"
	}
	fmt.Fprintf(b, "%d mutants of %d %s, seed %d, up to %d of one kind in one form. The generic form of a session is what `normalize` writes of it.\n"+
		"A fault is found when the rule speaks within three lines of what was planted, or has it in its evidence. Any other new error or warning\n"+
		"is a false alarm, unless the fault explains it (a later push on a run that is now killed). Faults under a claim are planted where the ledger\n"+
		"reads a claim and calls it backed: words that it does not read as a claim are not counted, so this recall is that of the judging, not of the reading.\n\n", p.mutants, p.sessions, where, r.seed, r.per)
	p.table(b)
	b.WriteString("By rule, all forms:\n\n")
	p.rules.table(b)
	bullets(b, "Missed:", p.misses(), 60)
	bullets(b, "False alarms, of mutants and of twins:", p.alarms, 40)
}

// misses lists the planted faults that nothing saw.
func (p *planting) misses() []string {
	var out []string
	for key, c := range p.cells {
		for _, where := range c.missed {
			out = append(out, key[0]+": "+where)
		}
	}
	slices.Sort(out)
	return out
}

func (r *results) labelText(b *strings.Builder) {
	b.WriteString("## (c) Places of the corpus, labelled by hand\n\n")
	l := r.labelled
	if l == nil {
		if r.why != "" {
			fmt.Fprintf(b, "Not compared: %s.\n\n", r.why)
		}
		return
	}
	fmt.Fprintf(b, "%d labels; %d findings over the corpus. Of the places labelled false, %d are silent today.\n\n", l.labels, l.findings, l.quiet)
	b.WriteString("The rules were mended on this corpus, so these figures are those of a training set: a false alarm that was read was usually mended too.\n" +
		"They say that nothing which was read still fires wrongly, not how often the rules are wrong on logs that nobody has seen.\n\n")
	l.rules.table(b)
	bullets(b, "False alarms that still fire:", l.wrong, 60)
	bullets(b, "Labelled true, silent today:", l.missed, 60)
	var unread []string
	for rule, n := range l.unread {
		unread = append(unread, fmt.Sprintf("`%s`: %d", rule, n))
	}
	slices.Sort(unread)
	if len(unread) > 0 {
		fmt.Fprintf(b, "Findings that nobody has labelled: %s.\n\n", strings.Join(unread, ", "))
	}
}

func (r *results) neighbourText(b *strings.Builder) {
	if r.judged == "" {
		return
	}
	b.WriteString("## (d) Side by side with red-handed\n\n")
	if r.neighbour != nil {
		r.neighbour.table(b)
	}
	b.WriteString(r.judged)
}

func bullets(b *strings.Builder, head string, items []string, most int) {
	if len(items) == 0 {
		return
	}
	b.WriteString(head + "\n\n")
	for i, s := range items {
		if i == most {
			fmt.Fprintf(b, "- ... and %d more\n", len(items)-most)
			break
		}
		b.WriteString("- " + s + "\n")
	}
	b.WriteByte('\n')
}
