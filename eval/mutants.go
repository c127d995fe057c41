package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/rules"
)

// experiment is set (b): planted faults over a choice of sessions.
type experiment struct {
	seed    uint64
	per     int   // faults of one kind in one format
	largest int64 // bytes of a file that is still taken, 0: any
	only    string
	trace   io.Writer // every miss and every alarm, nil: none
}

// cell counts one kind of fault in one format.
type cell struct {
	planted, found, alarms, twins int
	missed                        []string
}

// planting is what came of an experiment.
type planting struct {
	cells    map[[2]string]*cell // by kind and format
	rules    tallies
	sessions int
	mutants  int
	alarms   []string
}

// realSessions are the logs that faults are planted in: the corpus, or the
// sessions of our own when it is not there.
func realSessions(corpus, base string) (files []string, dir string) {
	for _, sub := range []string{"claude-code", "codex-rollout", "pi", "copilot-cli", "chat-messages-jsonl", "claude-stream-json"} {
		m, _ := filepath.Glob(filepath.Join(corpus, sub, "*.json*"))
		files = append(files, m...)
	}
	if len(files) > 0 {
		return files, corpus
	}
	files, _ = filepath.Glob(filepath.Join(base, "*.jsonl"))
	return files, base
}

// run plants and judges. The choice of sessions and places depends on the seed
// only; the judging is done side by side.
func (x *experiment) run(files []string, dir string) (*planting, error) {
	p := &planting{cells: map[[2]string]*cell{}, rules: tallies{}}
	files = slices.Clone(files)
	slices.Sort(files)
	rnd := rand.New(rand.NewPCG(x.seed, 7))
	rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	j := newJudges()
	for _, file := range files {
		if st, err := os.Stat(file); err != nil || x.largest > 0 && st.Size() > x.largest {
			continue
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			name = file
		}
		sessions, err := readFile(file, filepath.ToSlash(name))
		if err != nil {
			return nil, err
		}
		for _, s := range sessions {
			if x.plant(p, s, j) {
				p.sessions++
			}
		}
	}
	for _, v := range j.wait() {
		p.count(v, x.trace)
	}
	return p, nil
}

// plant hands the mutants of one session to the judges, as many as the cells
// still take.
func (x *experiment) plant(p *planting, s *session, j *judges) bool {
	any := false
	for _, m := range mutators {
		if !m.inCatalogue() || x.only != "" && x.only != m.name {
			continue
		}
		key := [2]string{m.name, s.led.Format}
		c := p.cells[key]
		if c == nil {
			c = &cell{}
			p.cells[key] = c
		}
		if c.planted >= x.per {
			continue
		}
		for _, mu := range m.mutants(s, x.seed) {
			if c.planted >= x.per {
				break
			}
			c.planted++
			p.mutants++
			any = true
			j.judge(mu)
		}
	}
	return any
}

// inCatalogue reports whether any rule that could see the fault exists.
func (m *mutator) inCatalogue() bool {
	return slices.ContainsFunc(m.rules, func(id string) bool { return rules.ByID(id) != nil })
}

func (p *planting) count(v verdict, trace io.Writer) {
	c := p.cells[[2]string{v.kind, v.format}]
	if v.found {
		c.found++
		p.rules.of(v.rule).right++
	} else {
		p.rules.of(v.rule).missed++
		c.missed = append(c.missed, v.where)
		if trace != nil {
			fmt.Fprintf(trace, "missed: %s: %s\n", v.kind, v.where)
		}
	}
	c.alarms += len(v.alarms)
	c.twins += len(v.twin)
	for which, list := range map[string][]finding.Finding{"mutant": v.alarms, "twin": v.twin} {
		for _, f := range list {
			p.rules.of(f.Rule).wrong++
			p.alarms = append(p.alarms, fmt.Sprintf("%s: %s (%s): line %d: %s: %s", v.kind, v.where, which, f.Line, f.Rule, f.Message))
		}
	}
	slices.Sort(p.alarms)
}

// recall is the share of the planted faults that rules of a level see.
func (p *planting) recall(of finding.Level) (found, planted int) {
	for key, c := range p.cells {
		for _, m := range mutators {
			if m.name == key[0] && level(m.first()) == of {
				found, planted = found+c.found, planted+c.planted
			}
		}
	}
	return found, planted
}

// first is the rule by which a fault is counted: the first one that exists.
func (m *mutator) first() string {
	for _, id := range m.rules {
		if rules.ByID(id) != nil {
			return id
		}
	}
	return m.rules[0]
}

// table prints the kinds of faults with their formats.
func (p *planting) table(b *strings.Builder) {
	b.WriteString("| planted fault | rule | form | planted | found | recall | false alarms | twin gained |\n|---|---|---|---:|---:|---:|---:|---:|\n")
	for _, m := range mutators {
		if !m.inCatalogue() {
			fmt.Fprintf(b, "| %s | `%s` (not in the catalogue) | – | – | – | – | – | – |\n", m.name, m.rules[0])
		}
		for _, format := range []string{"claude-code", "codex", "events"} {
			if c := p.cells[[2]string{m.name, format}]; c != nil && c.planted > 0 {
				fmt.Fprintf(b, "| %s | `%s` | %s | %d | %d | %s | %d | %d |\n", m.name, m.first(), format, c.planted, c.found, share(c.found, c.planted), c.alarms, c.twins)
			}
		}
	}
	b.WriteByte('\n')
}

// verdict is an outcome without the texts.
type verdict struct {
	outcome
	kind, format, where string
}

// judges lint mutants side by side and keep the verdicts in order.
type judges struct {
	queue    chan func()
	verdicts []*verdict
	wg       sync.WaitGroup
}

const workers = 2

func newJudges() *judges {
	j := &judges{queue: make(chan func(), workers)}
	for range workers {
		j.wg.Go(func() {
			for f := range j.queue {
				f()
			}
		})
	}
	return j
}

func (j *judges) judge(m mutant) {
	v := &verdict{kind: m.mutator.name, format: m.session.led.Format, where: m.where()}
	j.verdicts = append(j.verdicts, v)
	j.queue <- func() { v.outcome = m.judge() }
}

func (j *judges) wait() []verdict {
	close(j.queue)
	j.wg.Wait()
	out := make([]verdict, len(j.verdicts))
	for i, v := range j.verdicts {
		out[i] = *v
	}
	return out
}

// where names a mutant: its session and the planted lines.
func (m *mutant) where() string {
	var nos []int
	for no := range m.planted {
		nos = append(nos, no)
	}
	slices.Sort(nos)
	return fmt.Sprintf("%s lines %s", m.session.name, strings.Trim(fmt.Sprint(nos), "[]"))
}
