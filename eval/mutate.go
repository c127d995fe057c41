package main

import (
	"math/rand/v2"

	"github.com/transcript-lint/transcript-lint/finding"
)

// A mutator plants one kind of fault. What it does is true by construction:
// the places are chosen by what the log shows, not by what a rule would say.
type mutator struct {
	name string
	// rules are the rules of which one has to see the fault.
	rules []string
	// lawful are rules that may speak as well, because of what the fault
	// takes with it.
	lawful []string
	// places finds where the fault can be planted, in the order of the log.
	places func(*session) []place
	most   int // faults of this kind in one session; 0: one
}

// A place plants the fault, and perhaps its sound twin first. It returns false
// when the records there are spelled in a way that cannot be changed.
type place func(*draft) (plant, bool)

// plant is what a place made of its draft: nil means that the session itself
// is the twin.
type plant struct{ twin []byte }

// A mutant is a log with one planted fault.
type mutant struct {
	mutator *mutator
	session *session
	twin    []byte // nil: the session itself
	text    []byte
	planted map[int]bool
}

// mutants plants the faults of one kind in a session, at seeded places.
func (m *mutator) mutants(s *session, seed uint64) []mutant {
	places := m.places(s)
	rnd := rand.New(rand.NewPCG(seed, hash(s.name+"/"+m.name)))
	rnd.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	var out []mutant
	for _, plantAt := range places {
		if len(out) >= max(1, m.most) {
			break
		}
		d := s.draft(rnd)
		p, ok := plantAt(d)
		if !ok {
			continue
		}
		out = append(out, mutant{mutator: m, session: s, twin: p.twin, text: d.bytes(), planted: d.planted()})
	}
	return out
}

// outcome is how a mutant was judged.
type outcome struct {
	found  bool
	rule   string            // the rule that found it, else the first that should have
	alarms []finding.Finding // new errors and warnings that nothing planted explains
	twin   []finding.Finding // the same of the sound twin against the session
}

// judge lints a mutant and its twin and compares what is new.
func (m *mutant) judge() outcome {
	base := m.session.findings
	o := outcome{rule: m.mutator.first()}
	if m.twin != nil {
		twin := lint(m.session.name, m.twin)
		for _, f := range fresh(base, twin) {
			if f.Level >= finding.Warning && !m.mutator.explains(f) {
				o.twin = append(o.twin, f)
			}
		}
		base = twin
	}
	for _, f := range fresh(base, lint(m.session.name, m.text)) {
		switch {
		case m.mutator.wants(f.Rule) && m.touches(f):
			if !o.found {
				o.found, o.rule = true, f.Rule
			}
		case f.Level >= finding.Warning && !m.mutator.explains(f):
			o.alarms = append(o.alarms, f)
		}
	}
	return o
}

func (m *mutator) wants(rule string) bool { return contains(m.rules, rule) }

// explains reports whether a finding is a lawful consequence of the fault.
func (m *mutator) explains(f finding.Finding) bool { return contains(m.lawful, f.Rule) }

// near is how many lines a finding may stand away from the planted place.
const near = 3

// touches reports whether a finding, or a step of its evidence, stands at the
// planted place.
func (m *mutant) touches(f finding.Finding) bool {
	spans := []int{f.Line}
	for _, e := range f.Evidence {
		spans = append(spans, e.Line)
	}
	for _, no := range spans {
		for d := -near; d <= near; d++ {
			if m.planted[no+d] {
				return true
			}
		}
	}
	return false
}

// fresh are the findings of b that a does not have. Two are the same when
// their fingerprints are, whatever their ordinal, so that lines may come and
// go.
func fresh(a, b []finding.Finding) []finding.Finding {
	known := map[string]int{}
	for _, f := range a {
		known[same(f)]++
	}
	var out []finding.Finding
	for _, f := range b {
		if known[same(f)]--; known[same(f)] < 0 {
			out = append(out, f)
		}
	}
	return out
}

func same(f finding.Finding) string {
	fp := f.Fingerprint
	for i := len(fp) - 1; i >= 0; i-- {
		if fp[i] == ':' {
			fp = fp[:i]
			break
		}
	}
	return f.Rule + " " + f.Level.String() + " " + fp
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
