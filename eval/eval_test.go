package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/transcript-lint/transcript-lint/finding"
)

// gaps are rules whose recall is known to be short, with the reason. A gap
// that has closed fails the test, so that the list stays true.
var gaps = map[string]string{}

// TestPlantedFaults plants every kind of fault in our own sessions: each rule
// of level error must find its own, and a sound twin must gain nothing.
func TestPlantedFaults(t *testing.T) {
	files, err := filepath.Glob("base/*.jsonl")
	if err != nil || len(files) < 6 {
		t.Fatalf("base sessions: %d, %v", len(files), err)
	}
	x := &experiment{seed: 1, per: 30}
	p, err := x.run(files, "base")
	if err != nil {
		t.Fatal(err)
	}
	for rule, n := range p.rules {
		if level(rule) != finding.Error {
			continue
		}
		short := float64(n.right) < 0.95*float64(n.right+n.missed)
		switch why, known := gaps[rule]; {
		case short && !known:
			t.Errorf("%s finds %d of %d planted faults", rule, n.right, n.right+n.missed)
		case !short && known:
			t.Errorf("%s finds its faults now: take it out of the gaps (%s)", rule, why)
		}
	}
	for _, miss := range p.misses() {
		t.Log("missed:", miss)
	}
	for _, a := range p.alarms {
		t.Error("false alarm:", a)
	}
	if p.mutants < 200 {
		t.Errorf("only %d mutants", p.mutants)
	}
}

// TestBaseIsClean makes sure that the base sessions themselves give no
// finding.
func TestBaseIsClean(t *testing.T) {
	files, _ := filepath.Glob("base/*.jsonl")
	for _, f := range files {
		sessions, err := readFile(f, filepath.Base(f))
		if err != nil || len(sessions) == 0 {
			t.Fatalf("%s: %d sessions, %v", f, len(sessions), err)
		}
		for _, s := range sessions {
			for _, f := range s.findings {
				t.Errorf("%s:%d: %s: %s", s.name, f.Line, f.Rule, f.Message)
			}
		}
	}
}

// TestSeeded makes sure that the choice of mutants depends on the seed only.
func TestSeeded(t *testing.T) {
	sessions, err := readFile("base/codex-go.jsonl", "codex-go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutators {
		for _, s := range sessions {
			a, b := m.mutants(s, 3), m.mutants(s, 3)
			if !slices.EqualFunc(a, b, func(a, b mutant) bool { return string(a.text) == string(b.text) && string(a.twin) == string(b.twin) }) {
				t.Errorf("%s: two mutants of one seed differ", m.name)
			}
		}
	}
}

// TestLabels makes sure that the labels can be read, that there are enough,
// and that none stands twice.
func TestLabels(t *testing.T) {
	labels, err := readLabels("labels.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[label]bool{}
	for _, l := range labels {
		key := label{file: l.file, line: l.line, rule: l.rule}
		if seen[key] {
			t.Errorf("%s:%d %s is labelled twice", l.file, l.line, l.rule)
		}
		seen[key] = true
		if l.reason == "" {
			t.Errorf("%s:%d %s has no reason", l.file, l.line, l.rule)
		}
	}
	if len(labels) < 150 {
		t.Errorf("%d labels", len(labels))
	}
}

// TestSet holds the edits of JSON to their promise: valid, and nothing else
// changed.
func TestSet(t *testing.T) {
	for _, c := range []struct{ doc, path, want string }{
		{`{"a": {"b": [1, {"c": "x"}]}, "d": 2}`, "a.b.1.c", `{"a": {"b": [1, {"c": "<y>"}]}, "d": 2}`},
		{`{"a": {"b": 1}}`, "a.c", `{"a": {"c":"<y>","b": 1}}`},
		{`{"a": {}}`, "a.c", `{"a": {"c":"<y>"}}`},
		{`{}`, "c", `{"c":"<y>"}`},
	} {
		if got := string(set([]byte(c.doc), c.path, "<y>")); got != c.want {
			t.Errorf("set %s in %s: %s", c.path, c.doc, got)
		}
	}
}
