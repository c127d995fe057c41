package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// switchedOff follows the edits that take a complaint away instead of its
// cause, for check-disabled.
type switchedOff struct {
	asked  bool // the human asked for a check that does less
	edits  []suppression
	spoken int             // step of the newest words that tell of it
	added  map[string]bool // check lines that edits of pipelines put in: moved, not deleted
}

// A suppression is an edit after which a check complains less.
type suppression struct {
	call    *ledger.Call
	file    string
	what    string
	line    string // CI: the step that went, "" elsewhere
	classes []command.Class
	level   finding.Level
	ci      bool
}

// A pragma tells a checker to keep quiet.
type pragma struct {
	text    string
	classes []command.Class
	wide    bool // for a whole file
}

var (
	linters  = []command.Class{command.Lint}
	typers   = []command.Class{command.TypeCheck, command.Build, command.Lint}
	builders = []command.Class{command.Lint, command.Build}
)

// pragmas, those for a whole file first.
var pragmas = []pragma{
	{"@ts-nocheck", typers, true},
	{"# mypy: ignore-errors", typers, true},
	{"# ruff: noqa", linters, true},
	{"# flake8: noqa", linters, true},
	{"# pylint: skip-file", linters, true},
	{"#![allow(", builders, true},
	{"/* eslint-disable", linters, true},
	{"eslint-disable", linters, false},
	{"biome-ignore", linters, false},
	{"# noqa", linters, false},
	{"//nolint", linters, false},
	{"# pylint: disable", linters, false},
	{"@ts-ignore", typers, false},
	{"@ts-expect-error", typers, false},
	{"# type: ignore", typers, false},
	{"#[allow(", builders, false},
	{"@SuppressWarnings", builders, false},
}

// suppresses reads how a change makes a checker complain less.
func suppresses(ch change) (suppression, bool) {
	if ch.gone || ch.old == "" {
		return suppression{}, false
	}
	base := path.Base(ch.path)
	switch {
	case pipeline(ch.path):
		return dropsStep(ch)
	case strings.Contains(base, "eslint") || base == "biome.json":
		if n := strings.Count(ch.new, `"off"`) + strings.Count(ch.new, `'off'`); n > strings.Count(ch.old, `"off"`)+strings.Count(ch.old, `'off'`) {
			return suppression{what: "sets a rule to \"off\"", classes: linters}, true
		}
		return suppression{}, false
	case ledger.Document(ch.path):
		return suppression{}, false
	}
	for _, p := range pragmas {
		if strings.Count(ch.new, p.text) <= strings.Count(ch.old, p.text) {
			continue
		}
		level := finding.Note
		if p.wide && !strings.Contains(ch.new, "eslint-disable-") {
			level = finding.None
		}
		return suppression{what: "adds `" + p.text + "`", classes: p.classes, level: level}, true
	}
	return suppression{}, false
}

// pipeline reports whether a file says what a CI server runs.
func pipeline(file string) bool {
	return strings.Contains(file, ".github/workflows/") || strings.HasSuffix(file, ".gitlab-ci.yml") || strings.Contains(file, "azure-pipelines") || strings.Contains(file, ".circleci/")
}

// dropsStep finds a check that a pipeline ran and no longer runs, or whose
// failure it no longer heeds.
func dropsStep(ch change) (suppression, bool) {
	gone, added := checksOf(linesOnlyIn(ch.old, ch.new)), linesOnlyIn(ch.new, ch.old)
	for _, line := range added {
		for _, key := range []string{"continue-on-error: true", "allow_failure: true"} {
			if strings.HasSuffix(line, key) {
				return suppression{what: "adds `" + key + "`", classes: []command.Class{command.Test, command.Build, command.Lint, command.TypeCheck}, ci: true}, true
			}
		}
	}
	now := checksOf(added)
	for _, was := range gone {
		class := command.Parse(was).Main.Class
		i := slices.IndexFunc(now, func(l string) bool { return command.Parse(l).Main.Class == class })
		switch {
		case i < 0:
			return suppression{what: "takes the step `" + transcript.Clip(was, 80) + "` out", line: ledger.Own(was), classes: []command.Class{class}, ci: true}, true
		case hollows(was, now[i]) != "":
			return suppression{what: hollows(was, now[i]), line: ledger.Own(was), classes: []command.Class{class}, ci: true}, true
		}
	}
	return suppression{}, false
}

// checksOf are the commands in lines of a pipeline that check something.
func checksOf(lines []string) []string {
	var out []string
	for _, line := range lines {
		line = strings.TrimSpace(strings.TrimPrefix(line, "- "))
		line = strings.Trim(strings.TrimSpace(strings.TrimPrefix(line, "run:")), `"'`)
		if l := command.Parse(line); len(l.Checks()) > 0 && l.Main != nil && l.Main.Class.Check() {
			out = append(out, line)
		}
	}
	return out
}

func (o *switchedOff) observe(s *ledger.Session, e *transcript.Event) {
	switch {
	case e.Kind == transcript.Message && e.Actor == transcript.Human:
		o.asked = o.asked || asksToRelax(e.Text.Head(4096))
	case e.Kind == transcript.Message && e.Actor == transcript.Assistant:
		if len(o.edits) > 0 && tellsOfIt(strings.ToLower(e.Text.Head(16<<10))) {
			o.spoken = s.Ref(e).Step
		}
	case e.Kind == transcript.ToolCall && s.Call != nil && e.Origin != transcript.Copied && !o.asked:
		for _, ch := range changesIn(s.Call, e.Call) {
			if pipeline(ch.path) {
				for _, line := range checksOf(linesOnlyIn(ch.new, ch.old)) {
					o.note(line)
				}
			}
			if sup, ok := suppresses(ch); ok {
				sup.call, sup.file = s.Call, ledger.Own(ch.path)
				o.edits = append(o.edits, sup)
			}
		}
	}
}

func (o *switchedOff) note(line string) {
	if o.added == nil {
		o.added = map[string]bool{}
	}
	if len(o.added) < 1024 {
		o.added[ledger.Own(line)] = true
	}
}

// tellsOfIt reports whether words name a suppression: nothing is hidden.
func tellsOfIt(low string) bool {
	for _, w := range []string{"eslint-disable", "suppress", "disabl", "noqa", "nolint", "ts-ignore", "ts-expect", "ts-nocheck", "type: ignore", "ignor", "allow(", "turned off", "switched off", "\"off\"", "continue-on-error", "non-blocking", "|| true", "skip"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

func (o *switchedOff) finish(s *ledger.Session, emit Emit) {
	told := map[string]bool{}
	for _, e := range o.edits {
		if e.call.Result == nil || e.call.Result.NotRun || e.call.Result.Term.Bad() || o.spoken > e.call.Step || o.added[e.line] && e.line != "" {
			continue
		}
		for _, class := range e.classes {
			red, green := redGreen(s.Runs(class), e.call)
			if e.ci && red == nil {
				red = failedBefore(s.Runs(class), e.call)
			}
			if red == nil || !e.ci && green == nil || told[red.ID+e.file] {
				continue
			}
			told[red.ID+e.file] = true
			emit(e.hit(red, green))
			break
		}
	}
}

// failedBefore is the newest telling run before an edit, when it failed.
func failedBefore(runs []*ledger.Run, edit *ledger.Call) *ledger.Run {
	for _, r := range slices.Backward(runs) {
		if r.Step >= edit.Step || r.Agent != edit.Agent {
			continue
		}
		switch outcome, _ := r.Outcome(); outcome {
		case ledger.OutcomeFailed:
			return r
		case ledger.OutcomePassed:
			return nil
		}
	}
	return nil
}

func (e *suppression) hit(red, green *ledger.Run) Hit {
	chain := append(evidenceOfEnd(red.Call), at(e.call.Ref, finding.Recorded, e.line, "the edit of %s %s", e.file, e.what))
	after := ""
	if green != nil && !e.ci {
		after = ", and the next run ended ok"
		chain = append(chain, at(green.Result.Ref, finding.Terminated, green.Command, "the same check ends ok"))
	}
	return Hit{
		At:       e.call.Ref,
		Message:  name(red.Call) + " ended " + ended(red.Term()) + ", and an edit of " + transcript.Clip(e.file, 100) + " " + e.what + after,
		Evidence: chain,
		Level:    e.level,
		Key:      red.ID + "/" + e.file,
	}
}
