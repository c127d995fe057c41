package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var stuckLoop = &Rule{
	ID:    "stuck-loop",
	Title: "The same call with the same outcome again and again",
	Why:   "An agent that repeats a call expects a different answer without having changed anything: it burns time and tokens and looks alive.",
	Fix:   "Look at why the call's answer does not help, and change the input, the file, or the question.",
	Silent: "Polling: waits, job output, probes, `gh`, `kubectl` and the like look at what moves by itself, and a wait in between explains a repeat; " +
		"calls whose result differs; repeats with an edit or a human message in between; repetitive work over different files.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall),
	Options: []Option{
		{Name: "times", Doc: "equal calls with equal results before it counts as a loop", Default: 4},
	},
	New: func(o Settings) Checker { return &loops{times: o.Int("times")} },
}

type loops struct {
	silent
	times int
}

// turnOf is what makes two steps of a loop equal.
type turnOf struct {
	tool string
	args uint64
	out  uint64
}

// Finish walks each thread's calls once: a run of equal calls, or of equal
// pairs (A B A B), long enough is one finding. A poll between them ends a run.
func (l *loops) Finish(s *ledger.Session, emit Emit) {
	threads := map[string][]*ledger.Call{}
	var order []string
	for _, c := range s.Calls {
		if c.Result == nil || c.Origin == transcript.Copied {
			continue
		}
		if threads[c.Agent] == nil {
			order = append(order, c.Agent)
		}
		threads[c.Agent] = append(threads[c.Agent], c)
	}
	for _, agent := range order {
		l.thread(threads[agent], emit)
	}
}

func (l *loops) thread(calls []*ledger.Call, emit Emit) {
	for i := 0; i < len(calls); {
		if polls(calls[i]) {
			i++
			continue
		}
		n := max(repeats(calls[i:], 1), repeats(calls[i:], 2))
		period := 1
		if repeats(calls[i:], 1) < n {
			period = 2
		}
		if n < l.times {
			i++
			continue
		}
		run := calls[i : i+n*period]
		l.hit(run, n, period, emit)
		i += n * period
	}
}

// repeats counts how often the first period calls stand again, one after the
// other, with nothing done in between.
func repeats(calls []*ledger.Call, period int) int {
	if period == 2 && (len(calls) < 4 || identity(calls[0]) == identity(calls[1])) {
		return 0
	}
	n := 1
	for (n+1)*period <= len(calls) {
		for k := range period {
			a, b := calls[k], calls[n*period+k]
			if identity(a) != identity(b) || a.Turn != b.Turn || changes(b) || polls(a) || polls(b) || together(a, b) {
				return n
			}
		}
		n++
	}
	return n
}

func identity(c *ledger.Call) turnOf {
	return turnOf{tool: c.Tool, args: c.Args, out: c.Result.Hash}
}

// together reports whether two calls were asked for in one breath: whoever has
// not yet seen an answer is not stuck on it.
func together(a, b *ledger.Call) bool {
	return a.MsgID != "" && a.MsgID == b.MsgID || a.Offset == b.Offset && a.Pointer == b.Pointer
}

// changes reports whether a call changes something, so that repeating it is
// not standing still.
func changes(c *ledger.Call) bool {
	return c.Act == transcript.Edit && c.Result.Term.Kind == transcript.TermOK
}

// polls reports whether a call looks at something that moves by itself.
func polls(c *ledger.Call) bool {
	switch c.Act {
	case transcript.Poll, transcript.Wait, transcript.Input, transcript.Plan, transcript.Ask, transcript.Subagent, transcript.Kill, transcript.Finish:
		return true
	}
	if c.Line == nil {
		return false
	}
	for _, step := range c.Line.Steps {
		if step.Class == command.Wait || step.Class == command.Probe || step.LongRunning || watched[step.Name] {
			return true
		}
	}
	return false
}

// watched are programs that ask another system how it stands.
var watched = map[string]bool{
	"gh": true, "glab": true, "kubectl": true, "docker": true, "aws": true, "gcloud": true, "az": true, "squeue": true, "ps": true,
	"nvidia-smi": true, "date": true,
}

func (l *loops) hit(run []*ledger.Call, n, period int, emit Emit) {
	first, last := run[0], run[len(run)-1]
	what := name(first) + " is called " + plural(n, "time") + " in a row with the same input and the same result"
	if period == 2 {
		what = name(first) + " and " + name(run[1]) + " alternate " + plural(n, "time") + " with the same inputs and results"
	}
	emit(Hit{
		At:      last.Ref,
		Message: what,
		Quote:   first.Command,
		Evidence: []finding.Evidence{
			at(first.Ref, finding.Recorded, first.Command, "the first of them"),
			at(first.Result.Ref, finding.Observed, first.Result.Head, "its result, the same each time"),
			at(last.Ref, finding.Recorded, last.Command, "the last of them"),
		},
		Key: first.ID,
	})
}
