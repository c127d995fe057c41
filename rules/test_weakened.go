package rules

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var testWeakened = &Rule{
	ID:    "test-weakened",
	Title: "A failing test was skipped, emptied or deleted, and then the run passed",
	Why:   "The run is green because it asks less, not because the code does more.",
	Fix:   "Restore the test and make it pass, or tell the human which test was taken out and why.",
	Silent: "Work in which the human asked for it (skip, remove, delete, disable and a test); rewritten assertions as long as any are left; " +
		"skips that the file had before; tests taken out while nothing failed, moved, or as many as were put in; files of the session's own; " +
		"tests of which neither the counts nor the failing run's own words show that they went; wider runs and runs of other targets.",
	Group:     Evidence,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolCall, transcript.ToolResult, transcript.Message),
	New:       func(Settings) Checker { return &weakened{added: map[string]int{}, made: map[string]bool{}} },
}

type weakened struct {
	asked   bool       // the human asked for it
	removal bool       // the human asked to remove something, whatever it was
	edits   []softened // edits that make a test ask less
	added   map[string]int
	made    map[string]bool // files that the session wrote whole: its own to delete
	told    map[string]bool
}

type softened struct {
	call  *ledger.Call
	file  string
	what  string
	names []string // taken out: the tests, or the file's name; it counts only when the runs show it
	whole bool     // the file was written anew: only the counts can tell, and a note is enough
}

func (w *weakened) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	switch e.Kind {
	case transcript.Message:
		if e.Actor == transcript.Human {
			text := e.Text.Head(4096)
			w.asked = w.asked || asksToWeaken(text)
			w.removal = w.removal || asksToRemove(text)
		}
	case transcript.ToolCall:
		if e.Origin == transcript.Copied || w.asked || s.Call == nil {
			return
		}
		if s.Call.Act == transcript.Edit && e.Call.Old == "" {
			if isTest(s.Call.Path) && readBefore(s, s.Call) {
				w.edits = append(w.edits, softened{call: s.Call, file: s.Call.Path, what: "writes it anew", whole: true})
			}
			w.made[ledger.Own(path.Base(s.Call.Path))] = true
		}
		for _, ch := range changesIn(s.Call, e.Call) {
			w.change(s, ch)
		}
	}
}

func (w *weakened) change(s *ledger.Session, ch change) {
	if !isTest(ch.path) {
		return
	}
	names, was := testNames(ch.new), testNames(ch.old)
	for _, name := range names {
		if len(w.added) < 4096 && !slices.Contains(was, name) {
			w.added[ledger.Own(name)] = s.Call.Step
		}
	}
	e := softened{call: s.Call, file: ledger.Own(ch.path), what: softens(ch)}
	if e.what == "" && !w.removal {
		e.what, e.names = takesOut(ch, names)
	}
	if e.what != "" && (!ch.gone || !w.ownFile(s, ch.path)) {
		w.edits = append(w.edits, e)
	}
}

// readBefore reports whether a file was there before a call wrote it.
func readBefore(s *ledger.Session, c *ledger.Call) bool {
	return slices.ContainsFunc(s.Calls, func(k *ledger.Call) bool {
		return k.Act == transcript.Read && k.Path == c.Path && k.Step < c.Step
	})
}

// ownFile reports whether the session wrote a file itself.
func (w *weakened) ownFile(s *ledger.Session, file string) bool {
	base := path.Base(file)
	if w.made[base] || strings.HasPrefix(file, "/tmp/") {
		return true
	}
	for _, c := range s.Calls {
		if c.Step < s.Call.Step && c.Line != nil && strings.Contains(c.Command, base) && strings.Contains(c.Command, ">") {
			return true
		}
	}
	return false
}

// takesOut names the tests that a change removes without putting as many in
// their place.
func takesOut(ch change, now []string) (string, []string) {
	if ch.gone {
		return "deletes it", []string{ledger.Own(path.Base(ch.path))}
	}
	was := testNames(ch.old)
	var gone []string
	for _, name := range was {
		if !slices.Contains(now, name) {
			gone = append(gone, ledger.Own(name))
		}
	}
	if len(gone) == 0 || len(now) >= len(was) {
		return "", nil
	}
	return "takes out " + plural(len(gone), "test") + " (" + transcript.Clip(gone[0], 60) + ")", gone
}

var testName = regexp.MustCompile(`^\s*(?:func (Test\w+)\(|(?:async )?def (test_\w+)\(|(?:it|test)(?:\.\w+)?\(\s*["'` + "`" + `]([^"'` + "`" + `\n]{4,120})["'` + "`" + `]|(?:async )?fn (test_\w+)\()`)

// testNames lists the tests of a piece of code, 200 at most.
func testNames(code string) []string {
	var names []string
	for line := range strings.Lines(code) {
		if len(names) == 200 || !holdsAny(line, []string{"est", "it(", "it."}) {
			continue
		}
		if m := testName.FindStringSubmatch(line); m != nil {
			names = append(names, m[1]+m[2]+m[3]+m[4])
		}
	}
	return names
}

// asksToRemove reports whether the human asked for something to go: its tests
// go with it.
func asksToRemove(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{"remove", "removing", "delete", "drop ", "get rid", "rip out", "rename", "replac", "obsolete", "outdated", "consolidat", "duplicat", "unused", "clean up", "cleanup", "deprecat", "move ", "rewrite", "simplif"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

func asksToWeaken(text string) bool {
	low := strings.ToLower(text)
	if !strings.Contains(low, "test") && !strings.Contains(low, "spec") {
		return false
	}
	for _, w := range []string{"skip", "remove", "delete", "disable", "drop ", "get rid", "xfail", "ignore"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// skips are how test frameworks are told to leave a test out.
var skips = []string{
	"it.skip(", "test.skip(", "describe.skip(", "xit(", "xdescribe(", "xtest(", "it.todo(", "test.todo(", "@pytest.mark.skip", "@pytest.mark.xfail", "pytest.skip(",
	"@unittest.skip", "self.skipTest(", "t.Skip(", "t.SkipNow(", "t.Skipf(", "#[ignore", "@Disabled", "@Ignore", "[Ignore", "[Fact(Skip", "XCTSkip", "test.fixme(", "skip: true", "pending(\"",
}

// softens says how a change makes a test ask less, "" when it does not.
func softens(ch change) string {
	if ch.old == "" {
		return ""
	}
	for _, k := range skips {
		if strings.Count(ch.new, k) > strings.Count(ch.old, k) {
			return "adds `" + k + "`"
		}
	}
	if was := asks(ch.old); was > 0 && asks(ch.new) == 0 && len(ch.new) < len(ch.old) && len(testNames(ch.old)) == len(testNames(ch.new)) {
		return "takes out " + plural(was, "assertion")
	}
	return ""
}

func asks(code string) int {
	n := 0
	for _, k := range []string{"assert", "expect(", "require.", "t.Error", "t.Fatal", ".should", "EXPECT_"} {
		n += strings.Count(code, k)
	}
	return n
}

func isTest(path string) bool {
	low := strings.ToLower(path)
	return strings.Contains(low, "test") || strings.Contains(low, "spec")
}

// Finish holds the edits against the runs around them: the newest one before
// failed, the next one of the same thing passed.
func (w *weakened) Finish(s *ledger.Session, emit Emit) {
	w.told = map[string]bool{}
	runs := s.Runs(command.Test)
	for _, e := range w.edits {
		if e.call.Result != nil && (e.call.Result.Term.Bad() || e.call.Result.NotRun) {
			continue
		}
		red, green := redGreen(runs, e.call)
		if red == nil || green == nil || w.told[red.ID+e.file] || !w.shown(&e, red, green) {
			continue
		}
		w.told[red.ID+e.file] = true
		level := finding.None
		if e.whole {
			level = finding.Note
		}
		chain := append(evidenceOfEnd(red.Call), at(e.call.Ref, finding.Recorded, e.file, "the edit %s", e.what))
		chain = append(chain, at(green.Result.Ref, finding.Terminated, green.Command, "the same check ends ok%s", fewer(red, green)))
		emit(Hit{
			At:       e.call.Ref,
			Message:  fmt.Sprintf("the edit of %s %s between a failing and a passing run of %s%s", transcript.Clip(e.file, 100), e.what, name(green.Call), fewer(red, green)),
			Evidence: chain,
			Level:    level,
			Key:      e.call.ID + "/" + e.file,
		})
	}
}

// shown reports whether the runs show that tests went: fewer of them ran, or,
// without counts, the failing run named what was taken out and nothing put it
// elsewhere.
func (w *weakened) shown(e *softened, red, green *ledger.Run) bool {
	if len(e.names) == 0 && !e.whole {
		return true // a skip, an assertion: the edit shows it
	}
	for _, name := range e.names {
		if step := w.added[name]; step > 0 && step < green.Step {
			return false // the session's own, or moved
		}
	}
	if counted(red) && counted(green) && red.Result.Census.Runner == green.Result.Census.Runner {
		return tests(red) > tests(green)
	}
	for _, name := range e.names {
		if strings.Contains(red.Result.Tail, name) || slices.ContainsFunc(red.Result.Failures, func(m claim.Marker) bool { return strings.Contains(m.Text, name) }) {
			return true
		}
	}
	return false
}

// counted reports whether a run's closing count is one of tests that ran:
// errors may count a test twice, and go counts packages.
func counted(r *ledger.Run) bool {
	return r.Result.HasCensus && r.Result.Census.Complete && r.Result.Census.Runner != "go" && r.Result.Census.Errors == 0
}

func tests(r *ledger.Run) int { return r.Result.Census.Passed + r.Result.Census.Failed }

// fewer words how many tests less ran.
func fewer(red, green *ledger.Run) string {
	if !counted(red) || !counted(green) || tests(red) <= tests(green) || red.Result.Census.Runner != green.Result.Census.Runner {
		return ""
	}
	return fmt.Sprintf(": %d tests ran before, %d after", tests(red), tests(green))
}

// redGreen finds the newest run before an edit, when it failed, and the first
// telling run of the same thing after it, when it passed.
func redGreen(runs []*ledger.Run, edit *ledger.Call) (red, green *ledger.Run) {
	for _, r := range runs {
		if r.Agent != edit.Agent {
			continue
		}
		outcome, _ := r.Outcome()
		switch {
		case r.Step < edit.Step:
			switch outcome {
			case ledger.OutcomeFailed:
				red = r
			case ledger.OutcomePassed:
				red = nil
			}
		case red != nil && outcome == ledger.OutcomePassed:
			if rel := command.Relate(red.Check, r.Check); rel == command.Same {
				return red, r
			}
		case red != nil && outcome == ledger.OutcomeFailed:
			return nil, nil
		}
	}
	return nil, nil
}
