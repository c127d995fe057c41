package rules

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var runnerRedefined = &Rule{
	ID:    "runner-redefined",
	Title: "A check passes after the agent changed what the check does",
	Why:   "The command is the same and its exit code is 0; what it runs is less than before, or nothing. The claim rests on the new meaning.",
	Fix:   "Restore the definition and run the check again, or tell the human what it leaves out now.",
	Silent: "Work in which the human asked to skip, ignore, exclude, replace or relax; words that name the change; scripts that did nothing before; definitions that are put back before the run; " +
		"options that leave tests out while nothing had failed; files that are written whole, whose old text is not seen.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     claimKinds,
	New:       func(Settings) Checker { return &redefined{verdicts: verdicts{told: map[string]bool{}}} },
}

type redefined struct {
	verdicts
	asked  bool
	edits  []redefinition
	spoken string // the message that is observed
}

// A redefinition is an edit after which a command does less.
type redefinition struct {
	call   *ledger.Call
	file   string
	what   string
	line   string        // the new wording
	script string        // name of the script in a package.json, "" elsewhere
	class  command.Class // kind of check, Other when any
	red    bool          // only after a failure: it leaves something out
}

func (k *redefined) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Kind == transcript.Message && e.Actor == transcript.Human {
		k.asked = k.asked || asksToRelax(e.Text.Head(4096))
	}
	if k.asked {
		return
	}
	if e.Kind == transcript.ToolCall && s.Call != nil && e.Origin != transcript.Copied {
		for _, ch := range changesIn(s.Call, e.Call) {
			k.restored(ch)
			if r, ok := redefines(ch); ok {
				r.call = s.Call
				k.edits = append(k.edits, r)
			}
		}
		k.putBack(s.Call)
	}
	if len(k.edits) > 0 && len(s.Fresh) > 0 {
		k.spoken = strings.ToLower(e.Text.Head(16 << 10))
		k.hit = k.judge
		k.verdicts.Observe(s, e, emit)
	}
}

// asksToRelax reports whether the human asked for a check that does less.
func asksToRelax(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{
		"skip", "remov", "delet", "disabl", "drop ", "get rid", "ignor", "exclud", "renam", "replac", "placeholder", "stub", "no-op", "noop", "relax", "passwithnotests",
		"n't fail", "not fail", "non-blocking", "optional", "|| true", "test script", "test command", "test target", "npm script",
	} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// restored drops redefinitions that a later change takes back.
func (k *redefined) restored(ch change) {
	k.edits = slices.DeleteFunc(k.edits, func(r redefinition) bool {
		return path.Base(r.file) == path.Base(ch.path) && strings.Contains(ch.old, r.line) && !strings.Contains(ch.new, r.line)
	})
}

// putBack drops redefinitions of files that git restores.
func (k *redefined) putBack(c *ledger.Call) {
	if c.Line == nil || len(k.edits) == 0 || !strings.Contains(c.Command, "git checkout") && !strings.Contains(c.Command, "git restore") && !strings.Contains(c.Command, "git stash") && !strings.Contains(c.Command, "git reset") {
		return
	}
	k.edits = slices.DeleteFunc(k.edits, func(r redefinition) bool { return r.call != c })
}

func (k *redefined) judge(s *ledger.Session, c *ledger.Claim, v ledger.Verdict) (Hit, bool) {
	if !spoken(c) || v.Standing != ledger.Backed && v.Standing != ledger.Stale || v.Run == nil || v.Check == nil || names(k.spoken) {
		return Hit{}, false
	}
	for _, r := range slices.Backward(k.edits) {
		if r.call.Step > v.Run.Step || r.call.Agent != v.Run.Agent || r.call.Result == nil || r.call.Result.NotRun || r.call.Result.Term.Bad() || !r.decides(v.Check) {
			continue
		}
		chain := []finding.Evidence{at(r.call.Ref, finding.Recorded, r.line, "the edit of %s %s", r.file, r.what)}
		if red, green := redGreen(s.Runs(v.Check.Class), r.call); red != nil && green != nil && green.Call == v.Run {
			chain = append(evidenceOfEnd(red.Call), chain...)
		} else if r.red {
			continue
		}
		return Hit{
			Message:  subjectOf(c) + " claimed as successful, but an edit of " + transcript.Clip(r.file, 100) + " " + r.what + " before " + name(v.Run) + " ended ok",
			Evidence: append(chain, at(v.Run.Result.Ref, finding.Terminated, v.Run.Command, "the redefined check ends ok")),
			Key:      r.call.ID + "/" + v.Run.ID,
		}, true
	}
	return Hit{}, false
}

// names reports whether words tell of the change.
func names(low string) bool {
	for _, w := range []string{"placeholder", "no-op", "noop", "does nothing", "do nothing", "passwithnotests", "|| true", "skip", "ignor", "exclud", "disabled", "stub"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// decides reports whether a step runs what was redefined.
func (r *redefinition) decides(s *command.Step) bool {
	if r.script != "" {
		switch s.Name {
		case "npm", "pnpm", "yarn", "bun", "cnpm":
			return slices.Contains(s.Args, r.script) || r.script == "test" && len(s.Args) == 1 && s.Args[0] == "t"
		}
		return false
	}
	if r.class != command.Other && r.class != s.Class {
		return false
	}
	switch path.Base(r.file) {
	case "Makefile", "makefile", "GNUmakefile":
		return s.Name == "make" || s.Name == "gmake"
	case "justfile", "Justfile", ".justfile":
		return s.Name == "just"
	}
	return true
}

// redefines reads a change of a file that says what a check does.
func redefines(ch change) (redefinition, bool) {
	if ch.gone || ch.old == "" {
		return redefinition{}, false
	}
	var r redefinition
	ok := false
	switch base := path.Base(ch.path); {
	case base == "package.json":
		r, ok = packageScript(ch)
	case slices.Contains([]string{"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "tox.ini"}, base):
		r, ok = recipe(ch)
	}
	if !ok {
		r, ok = leavesOut(ch)
	}
	r.file = ledger.Own(ch.path)
	return r, ok
}

var scriptEntry = regexp.MustCompile(`"([\w:.-]+)"\s*:\s*("(?:[^"\\]|\\.)*")`)

// checkScripts are how scripts that check are named.
var checkScripts = regexp.MustCompile(`^(test|lint|build|check|typecheck|type-check|ci|verify|e2e)(:|$)`)

// packageScript finds a script that did something and now does nothing, or
// hides how it went.
func packageScript(ch change) (redefinition, bool) {
	was := map[string]string{}
	for _, m := range scriptEntry.FindAllStringSubmatch(ch.old, 64) {
		was[m[1]], _ = strconv.Unquote(m[2])
	}
	for _, m := range scriptEntry.FindAllStringSubmatch(ch.new, 64) {
		now, err := strconv.Unquote(m[2])
		if err != nil || !checkScripts.MatchString(m[1]) {
			continue
		}
		if what := hollows(was[m[1]], now); what != "" {
			return redefinition{what: what + " in the script `" + m[1] + "`", line: ledger.Own(now), script: ledger.Own(m[1])}, true
		}
	}
	return redefinition{}, false
}

// hollows says how a command line does less than the one that it replaces.
func hollows(old, now string) string {
	if old == now || old == "" || now == "" || hollow(old) || strings.Contains(old, "no test specified") {
		return ""
	}
	if hollow(now) {
		return "puts `" + transcript.Clip(oneLine(now), 60) + "` in the place of `" + transcript.Clip(oneLine(old), 60) + "`"
	}
	for _, mask := range []string{"|| true", "|| :", "|| exit 0", "|| echo", "; exit 0", "; true"} {
		if strings.Contains(now, mask) && !strings.Contains(old, mask) && strings.Contains(now, strings.Fields(old)[0]) {
			return "puts `" + mask + "` behind `" + transcript.Clip(oneLine(old), 60) + "`"
		}
	}
	return ""
}

// hollow reports whether a command line does nothing and ends 0.
func hollow(line string) bool {
	l := command.Parse(line)
	for i := range l.Steps {
		switch st := &l.Steps[i]; st.Name {
		case "true", ":", "echo", "printf":
		case "exit":
			if len(st.Args) != 1 || st.Args[0] != "0" {
				return false
			}
		default:
			return false
		}
	}
	return l.ParseOK && len(l.Steps) > 0
}

// recipe finds a line that ran a check and that does nothing now.
func recipe(ch change) (redefinition, bool) {
	added := linesOnlyIn(ch.new, ch.old)
	for _, was := range linesOnlyIn(ch.old, ch.new) {
		was = recipeOf(was)
		checks := command.Parse(was).Checks()
		if len(checks) == 0 {
			continue
		}
		hidden := ""
		for _, now := range added {
			line := recipeOf(now)
			if strings.HasPrefix(now, "-") && line == was {
				hidden = "puts `-` before `" + transcript.Clip(was, 60) + "`"
			} else if what := hollows(was, line); what != "" {
				hidden = what
			} else if len(command.Parse(line).Checks()) > 0 {
				hidden = ""
				break // another command checks now
			}
			if hidden != "" {
				return redefinition{what: hidden, line: ledger.Own(now), class: checks[0].Class}, true
			}
		}
	}
	return redefinition{}, false
}

// recipeOf is a recipe line without what make, just and tox write before commands.
func recipeOf(line string) string {
	line = strings.TrimLeft(line, "@-+ \t")
	if rest, ok := strings.CutPrefix(line, "commands"); ok {
		line = strings.TrimLeft(rest, " =\t")
	}
	return line
}

// leavers are options in a runner's configuration that leave tests out.
var leavers = map[string][]string{
	"pytest.ini":     {"--ignore", "-k \"not", "-k 'not", "-k not", "--deselect", "-m \"not", "-m 'not"},
	"setup.cfg":      {"--ignore", "-k \"not", "-k 'not", "-k not", "--deselect"},
	"pyproject.toml": {"--ignore", "-k 'not", "-k not", "--deselect"},
	"tox.ini":        {"--ignore", "-k \"not", "-k 'not", "-k not", "--deselect"},
	"conftest.py":    {"collect_ignore"},
	"package.json":   {"--passWithNoTests", "--testPathIgnorePatterns", "passWithNoTests", "testPathIgnorePatterns"},
	"jest.config":    {"passWithNoTests", "testPathIgnorePatterns"},
	"vitest.config":  {"passWithNoTests", "exclude:"},
}

// leavesOut finds an option that is new: it counts only after a failure.
func leavesOut(ch change) (redefinition, bool) {
	base := path.Base(ch.path)
	for _, runner := range []string{"jest.config", "vitest.config"} {
		if strings.HasPrefix(base, runner+".") {
			base = runner
		}
	}
	for _, option := range leavers[base] {
		if strings.Count(ch.new, option) > strings.Count(ch.old, option) {
			return redefinition{what: "adds `" + strings.TrimRight(option, "\"' ") + "`", line: option, class: command.Test, red: true}, true
		}
	}
	return redefinition{}, false
}
