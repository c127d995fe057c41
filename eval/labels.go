package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
)

// A label is a place of the corpus that somebody read in its context: does the
// rule speak rightly there?
type label struct {
	file   string
	line   int
	rule   string
	right  bool
	reason string
}

// readLabels reads labels.tsv: file, line, rule, true or false, reason.
func readLabels(path string) ([]label, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []label
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		if sc.Text() == "" || strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		cols := strings.SplitN(sc.Text(), "\t", 5)
		if len(cols) != 5 || cols[3] != "true" && cols[3] != "false" {
			return nil, fmt.Errorf("%s:%d: want file, line, rule, true or false, reason", path, n)
		}
		line, err := strconv.Atoi(cols[1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		out = append(out, label{cols[0], line, cols[2], cols[3] == "true", cols[4]})
	}
	return out, sc.Err()
}

// labelled is set (c): the labels against what the rules say today.
type labelled struct {
	labels   int
	rules    tallies
	levels   map[finding.Level]*tally // by the level of the finding itself
	wrong    []string                 // false alarms that still fire
	missed   []string                 // true ones that do not fire
	quiet    int                      // false ones that do not fire any more
	unread   map[string]int           // findings without a label, by rule
	findings int
}

// runLabels lints the corpus and compares.
func runLabels(labels []label, corpus string) *labelled {
	l := &labelled{labels: len(labels), rules: tallies{}, levels: map[finding.Level]*tally{}, unread: map[string]int{}}
	type place struct {
		file string
		line int
		rule string
	}
	found := map[place][]finding.Finding{}
	for _, f := range lintAll(corpus) {
		l.findings++
		found[place{f.File, f.Line, f.Rule}] = append(found[place{f.File, f.Line, f.Rule}], f)
	}
	for _, lb := range labels {
		if level(lb.rule) == finding.None {
			continue // a rule of another name, or one that is gone
		}
		at := place{lb.file, lb.line, lb.rule}
		hits := found[at]
		delete(found, at)
		l.count(lb, hits)
	}
	for at, hits := range found {
		l.unread[at.rule] += len(hits)
	}
	slices.Sort(l.wrong)
	slices.Sort(l.missed)
	return l
}

func (l *labelled) count(lb label, hits []finding.Finding) {
	t := l.rules.of(lb.rule)
	text := fmt.Sprintf("%s:%d %s: %s", lb.file, lb.line, lb.rule, lb.reason)
	switch {
	case len(hits) > 0:
		n := l.levels[hits[0].Level]
		if n == nil {
			n = &tally{}
			l.levels[hits[0].Level] = n
		}
		if lb.right {
			t.right++
			n.right++
		} else {
			t.wrong++
			n.wrong++
			l.wrong = append(l.wrong, text)
		}
	case lb.right:
		t.missed++
		l.missed = append(l.missed, text)
	default:
		l.quiet++
	}
}

// lintAll lints every file of the corpus, with paths relative to it.
func lintAll(corpus string) []finding.Finding {
	files, _ := filepath.Glob(filepath.Join(corpus, "*", "*"))
	slices.Sort(files)
	results := make([][]finding.Finding, len(files))
	j := newJudges()
	for i, file := range files {
		j.queue <- func() {
			name, err := filepath.Rel(corpus, file)
			if err != nil {
				name = file
			}
			in := audit.FileInput(file)
			in.Path = filepath.ToSlash(name)
			results[i] = audit.One(in, audit.Options{}).Findings
		}
	}
	j.wait()
	return slices.Concat(results...)
}
