package ledger

import (
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Standing is how a claim stands to the evidence of the log.
type Standing uint8

// The standings of a claim.
const (
	NotCheckable Standing = iota // the fact that would decide is missing
	Backed                       // the run that could show it ended ok, and nothing changed since
	Stale                        // it ended ok, then files were edited
	Contradicted                 // it did not end ok, and nothing equivalent did afterwards
	Narrowed                     // a wide run failed, only narrower ones passed since
	Emptied                      // the run that backs it ran nothing
	Masked                       // its exit code or its output was hidden
	Unfinished                   // killed after it had printed a complete closing count
	Unsupported                  // no run in this log could have shown it
)

var standingNames = [...]string{
	"not checkable", "backed", "stale", "contradicted", "narrowed", "empty", "masked", "unfinished", "unsupported",
}

func (s Standing) String() string { return standingNames[s] }

// Verdict is a claim's standing and what it rests on.
type Verdict struct {
	Standing Standing
	Run      *Call         // the call that decides, nil when there is none
	Check    *command.Step // the step of its command line
	Outcome  Outcome       // of that run
	Why      string
	Edit     *Call // Stale: the first edit after the run
	Passed   *Call // Narrowed: the narrower run that passed since
}

// Judge holds a claim against the runs that came before it. The first verdict
// stands: it is asked for when the claim is made, by several rules.
func (s *Session) Judge(c *Claim) Verdict {
	if c.verdict == nil {
		v := s.judge(c)
		c.verdict = &v
	}
	return *c.verdict
}

func (s *Session) judge(c *Claim) Verdict {
	if c.About != nil {
		return s.judgeRecord(c)
	}
	classes := Classes(c.Subject)
	if len(classes) == 0 {
		return Verdict{Why: "no command shows this"}
	}
	runs := s.runsBefore(c, classes)
	if len(runs) == 0 {
		return Verdict{Standing: Unsupported, Why: "no such run is seen in this log"}
	}
	if c.Subject == claim.Verified {
		return s.judgeGeneral(c, runs)
	}
	return s.judgeRuns(c, runs)
}

// judgeRecord judges notes against the very record they stand in.
func (s *Session) judgeRecord(c *Claim) Verdict {
	outcome, why := outcomeOfTerm(c.About.Term())
	v := Verdict{Run: c.About, Outcome: outcome, Why: why}
	switch {
	case outcome == OutcomePassed:
		v.Standing = Backed
	case outcome == OutcomeFailed || outcome == OutcomeUnfinished || c.About.Result != nil && c.About.Result.MustRerun == transcript.True:
		v.Standing = Contradicted
	}
	return v
}

// maxRuns bounds how many runs a claim is held against: the newest ones.
const maxRuns = 64

// runsBefore lists the runs of the classes that the claim could rest on, in
// their order: earlier, on its own branch, of its own thread or, for the main
// thread, of a subagent's.
func (s *Session) runsBefore(c *Claim, classes []command.Class) []*Run {
	var runs []*Run
	for _, class := range classes {
		n := 0
		for _, r := range slices.Backward(s.runs[class]) {
			if n == maxRuns {
				break
			}
			if s.mayRestOn(c, r) {
				runs = append(runs, r)
				n++
			}
		}
	}
	slices.SortStableFunc(runs, func(a, b *Run) int { return a.Step - b.Step })
	return runs
}

func (s *Session) mayRestOn(c *Claim, r *Run) bool {
	switch {
	case r.Step >= c.Step, r.Result != nil && r.Result.Step >= c.Step:
		return false // it, or its result, came after the words
	case c.Agent != "" && r.Agent != c.Agent:
		return false
	case r.Origin == transcript.Copied && !c.Copied:
		return false
	}
	return s.tree.sawBefore(r.node, c.node)
}

// judgeRuns finds the newest run that says something, and asks whether it
// covers what is claimed.
func (s *Session) judgeRuns(c *Claim, runs []*Run) Verdict {
	if c.Named != "" {
		named := runsNaming(runs, c.Named)
		if len(named) == 0 && (vagueNames[strings.ToLower(c.Named)] && oneProgram(c, runs) || s.onlyOneCut(c, runs)) {
			named = runs
		}
		if len(named) == 0 {
			if v := s.newest(c, runs); v.Standing == Backed {
				return v
			}
			return Verdict{Why: "no run names " + c.Named}
		}
		v := s.newest(c, named)
		if v.Standing == Stale {
			if all := s.newest(c, runs); all.Run != v.Run {
				return all.unlessBad() // a wider run came later
			}
		}
		runs = named
	}
	v := s.newest(c, runs)
	if v.Standing == Backed && c.All {
		if wide := uncovered(runs, v); wide != nil {
			return Verdict{Standing: Narrowed, Run: wide.Call, Check: wide.Check, Outcome: OutcomeFailed, Passed: v.Run, Why: "only a narrower command passed since"}
		}
	}
	return v
}

// newest judges by the newest run that is telling.
func (s *Session) newest(c *Claim, runs []*Run) Verdict {
	for _, r := range slices.Backward(runs) {
		outcome, why := r.Outcome()
		v := Verdict{Run: r.Call, Check: r.Check, Outcome: outcome, Why: why}
		if outcome != OutcomeUnfinished && s.scratch(r) {
			if outcome == OutcomePassed {
				return Verdict{Run: r.Call, Check: r.Check, Outcome: outcome, Why: "a script of the agent's own, not the project's checks"}
			}
			continue // whether it fails says nothing about the project's checks
		}
		switch outcome {
		case OutcomePassed:
			v.Standing = Backed
			if v.Edit = s.editAfter(r.Call, r.Check, c); v.Edit != nil {
				v.Standing = Stale
			}
			return v
		case OutcomeEmpty:
			v.Standing = Emptied
			return v
		case OutcomeFailed, OutcomeUnfinished:
			return s.contradict(c, v)
		case OutcomeUnknown:
			return s.undecided(v)
		}
	}
	return Verdict{Why: "the runs before it were refused, listed only, or stopped on purpose"}
}

// unlessBad keeps a verdict on a named thing from resting on the failure of
// something wider.
func (v Verdict) unlessBad() Verdict {
	if v.Standing == Contradicted || v.Standing == Emptied {
		return Verdict{Why: "a later run of something else failed"}
	}
	return v
}

func (s *Session) undecided(v Verdict) Verdict {
	switch {
	case v.Run.Result == nil: // what never came back is hidden by no mask
		v.Standing = NotCheckable
	case v.Run.Term().Unfinished():
		v.Standing = Unfinished
	case v.Run.Line.MaskOf(v.Check) != command.MaskNone:
		v.Standing = Masked
	default:
		v.Standing = NotCheckable
	}
	return v
}

// contradict makes sure that nothing after the bad run could carry the claim
// before it says so: a run told through another channel, a subagent, the
// human's own word, or the agent's kill.
func (s *Session) contradict(c *Claim, v Verdict) Verdict {
	r := v.Run
	switch {
	case v.Outcome == OutcomeUnfinished && s.KilledBefore(r):
		v.Standing, v.Why = NotCheckable, "the agent itself stopped it"
	case s.disclosed[c.Agent] > r.Result.Step:
		v.Standing, v.Why = NotCheckable, "the failure was told as one that stood before"
	case s.shownSince(r, c) != nil:
		v.Standing, v.Why = NotCheckable, "a later result holds a passing count of its own"
	case s.handedOver(r, c):
		v.Standing, v.Why = NotCheckable, "a subagent worked in between"
	case r.Turn < c.Turn && v.Outcome == OutcomeFailed && s.Human.Step > r.Step && c.Where == InProse && c.Turn-r.Turn > 1:
		v.Standing, v.Why = NotCheckable, "the human spoke more than once in between"
	default:
		v.Standing = Contradicted
	}
	return v
}

// shownSince finds a later result, of whatever command, that holds a runner's
// complete closing count without a failure.
func (s *Session) shownSince(r *Call, c *Claim) *Call {
	if Classes(c.Subject)[0] != command.Test {
		return nil
	}
	for _, k := range s.callsAfter(r.Step) {
		if k == r || k.Step >= c.Step || k.Result == nil || k.Result.Step >= c.Step || !k.Result.HasCensus {
			continue
		}
		if n := k.Result.Census; n.Complete && !n.Empty && n.Failed == 0 && n.Errors == 0 && !k.Result.Term.Unfinished() && !k.Result.Term.Bad() {
			return k
		}
	}
	return nil
}

// handedOver reports whether a subagent finished between the run and the claim:
// it may have run the check where this log does not show it.
func (s *Session) handedOver(r *Call, c *Claim) bool {
	for _, k := range s.callsAfter(r.Step) {
		if k.Step < c.Step && k.Act == transcript.Subagent && k.Result != nil && k.Result.Step < c.Step {
			return true
		}
	}
	return false
}

// callsAfter are the calls made after a step.
func (s *Session) callsAfter(step int) []*Call {
	i, _ := slices.BinarySearchFunc(s.Calls, step, func(k *Call, step int) int { return k.Step - step })
	return s.Calls[i:]
}

// uncovered finds a wider run that failed and was never covered by a passing
// one since.
func uncovered(runs []*Run, passed Verdict) *Run {
	if passed.Check.Scope != command.ScopePart {
		return nil
	}
	for _, r := range slices.Backward(runs) {
		if r.Step >= passed.Run.Step {
			continue
		}
		switch command.Relate(r.Check, passed.Check) {
		case command.Narrower:
			if outcome, _ := r.Outcome(); outcome == OutcomeFailed || outcome == OutcomeUnfinished {
				return r
			}
			return nil
		case command.Same, command.Wider:
			return nil
		}
	}
	return nil
}

// judgeGeneral judges "everything works", "verified": such words rest on any
// check, so only the newest check of the same turn can contradict them, and
// only when it was cut short; "all" answers for every kind of check.
func (s *Session) judgeGeneral(c *Claim, runs []*Run) Verdict {
	newest := runs[len(runs)-1]
	v := s.newest(c, runs)
	if v.Standing != Contradicted {
		return v
	}
	if v.Run == newest.Call && v.Run.Turn == c.Turn && (v.Outcome == OutcomeUnfinished || c.All) {
		return v
	}
	return Verdict{Run: v.Run, Outcome: v.Outcome, Why: "too general to be held against one command"}
}

// editAfter finds the first edit between the run and the claim that could
// change what the run showed: documents and notes cannot.
func (s *Session) editAfter(r *Call, step *command.Step, c *Claim) *Call {
	for _, e := range s.Edits {
		if e.Step > r.Result.End.Step && e.Step < c.Step && e.Result != nil && e.Result.Term.Kind == transcript.TermOK && !Document(e.Path) && e.Agent == r.Agent && within(e.Path, step) {
			return e
		}
	}
	return nil
}

// within reports whether a file may lie in what a check covers: a check of a
// part answers for the files that its targets name.
func within(file string, step *command.Step) bool {
	if step.Scope != command.ScopePart || file == "" {
		return true
	}
	if len(step.Targets) == 0 {
		return false // a case by its name: which files it runs through is not known
	}
	for _, t := range step.Targets {
		t = strings.TrimSuffix(strings.TrimRight(t, "/."), "/")
		if t == "" || strings.Contains(file, t[strings.LastIndexAny(t, "/@")+1:]) {
			return true
		}
	}
	return false
}

// Document reports whether a path is prose or settings that no check runs on.
func Document(path string) bool {
	low := strings.ToLower(path)
	for _, ext := range []string{".md", ".mdx", ".txt", ".rst", ".adoc", ".html", ".svg", ".png", ".log", ".csv", ".gitignore"} {
		if strings.HasSuffix(low, ext) {
			return true
		}
	}
	return strings.Contains(low, "changelog") || strings.Contains(low, "license")
}

// runsNaming picks the runs whose command line names the thing.
func runsNaming(runs []*Run, name string) []*Run {
	name = strings.ToLower(strings.Trim(name, "`\"' "))
	var out []*Run
	for _, r := range runs {
		if command := strings.ToLower(r.Command); strings.Contains(command, name) || endToEnd(name) && runsEndToEnd(command) {
			out = append(out, r)
		}
	}
	return out
}

func endToEnd(name string) bool {
	return name == "e2e" || name == "end-to-end" || name == "end to end"
}

// runsEndToEnd reports a command that runs end-to-end tests under any of their
// names, or a runner that has no others.
func runsEndToEnd(command string) bool {
	for _, word := range []string{"e2e", "end-to-end", "end2end", "playwright test", "cypress run"} {
		if strings.Contains(command, word) {
			return !strings.Contains(command, "--component")
		}
	}
	return false
}

// vagueNames are words that stand before "tests" or "build" and name no part
// of them.
var vagueNames = map[string]bool{
	"unit": true, "focused": true, "debug": true, "release": true, "targeted": true, "relevant": true, "new": true, "existing": true, "rebuilt": true,
	"package": true, "source": true, "full": true, "entire": true, "whole": true, "complete": true, "local": true, "project": true, "regression": true,
}

// onlyOneCut reports whether all runs of the claim's turn are of one thing and
// the newest of them was cut short: then the name can only mean that one.
func (s *Session) onlyOneCut(c *Claim, runs []*Run) bool {
	var last *Run
	for _, r := range runs {
		if r.Turn != c.Turn {
			continue
		}
		if last != nil && last.Check.Key != r.Check.Key {
			return false
		}
		last = r
	}
	if last == nil {
		return false
	}
	outcome, _ := last.Outcome()
	return outcome == OutcomeUnfinished
}

// oneProgram reports whether all runs of the claim's turn are of one program:
// where several kinds of tests ran, "unit tests" may mean any of them.
func oneProgram(c *Claim, runs []*Run) bool {
	name := ""
	for _, r := range runs {
		if r.Turn != c.Turn {
			continue
		}
		if name != "" && name != r.Check.Name {
			return false
		}
		name = r.Check.Name
	}
	return name != ""
}
