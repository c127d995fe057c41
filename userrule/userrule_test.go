package userrule_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/userrule"
)

const session = `{"event":"message","actor":"human","text":"Ship it."}
{"event":"tool_call","id":"c1","tool":"shell","command":"git push --force origin main","time":1}
{"event":"tool_result","id":"c1","exit_code":0,"text":"done","time":3}
{"event":"tool_call","id":"c2","tool":"shell","command":"go test ./... | tail -3"}
{"event":"tool_result","id":"c2","text":"FAIL"}
{"event":"tool_call","id":"c3","tool":"shell","command":"make build","timeout_ms":60000}
{"event":"tool_result","id":"c3","termination":{"kind":"timeout"},"text":"..."}
{"event":"tool_call","id":"c4","tool":"edit_file","path":"vendor/x.go"}
{"event":"message","actor":"assistant","text":"All tests pass."}
{"event":"decision","verb":"approved","id":"a1","call":"c1","by":"policy"}
`

func audited(t *testing.T, s userrule.Spec, log string) []string {
	t.Helper()
	r, err := userrule.New(s)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, tweak := range []func(*jsonl.Options){nil, func(o *jsonl.Options) { o.Buffer, o.Poison = 16, true }} {
		in := audit.Input{Path: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}
		res := audit.One(in, audit.Options{Rules: []audit.Selected{{Rule: r, Level: r.Level}}, Tweak: tweak})
		var got []string
		for _, f := range res.Findings {
			got = append(got, fmt.Sprintf("%d: %s: %s", f.Line, f.Level, f.Message))
		}
		if tweak != nil && !cmp.Equal(said, got) {
			t.Errorf("a view was kept past its record: %v, %v", said, got)
		}
		said = got
	}
	return said
}

// TestConditions holds conditions against one small session.
func TestConditions(t *testing.T) {
	for _, tc := range []struct{ on, when, message, want string }{
		{"call", `command matches "push .*--force"`, "`{{command}}` rewrites history", "2: warning: `git push --force origin main` rewrites history"},
		{"call", `"push" in effects && exit_code == 0`, "{{termination}} {{exit_code}}", "2: warning: ok 0"},
		{"call", `class == "test" && masked`, "masked {{exit_code}}", "4: warning: masked unknown"},
		{"call", `termination == "timeout" and limit_ms >= 60000`, "{{limit_ms}}", "6: warning: 60000"},
		{"call", `path startsWith "vendor/" && act == "edit"`, "{{act}} of {{ path }}", "8: warning: edit of vendor/x.go"},
		{"call", `duration_ms > 1500`, "{{duration_ms}}", "2: warning: 2000"},
		{"claim", `subject == "tests" && polarity == "positive" && all`, "{{quote}}: {{standing}}", "9: warning: All tests pass: masked"},
		{"message", `actor == "assistant" && lower(text) contains "tests"`, "{{size}}", "9: warning: 15"},
		{"decision", `verb == "approved" && by != "human"`, "{{by}} approved `{{command}}`", "10: warning: policy approved `git push --force origin main`"},

		// What the log does not say decides nothing.
		{"call", `exit_code != 0`, "{{command}}", ""},
		{"call", `class == "test" && exit_code == 0`, "x", ""},
		{"call", `class == "test" && (exit_code == 7 || exit_code != 7)`, "sure", "4: warning: sure"},
		{"call", `class == "test" && !timed_out`, "x", ""},
		{"call", `class == "test" && exit_code not in [0, 5]`, "x", ""},
		{"call", `class == "test" && !exit_code_known`, "not said", "4: warning: not said"},
		{"claim", `passed > 3`, "x", ""},
	} {
		got := strings.Join(audited(t, userrule.Spec{ID: "my-rule", Level: finding.Warning, On: tc.on, When: tc.when, Message: tc.message}, session), "\n")
		if got != tc.want {
			t.Errorf("%s: %s\n got %q\nwant %q", tc.on, tc.when, got, tc.want)
		}
	}
}

// TestProblems wants every mistake told with its place.
func TestProblems(t *testing.T) {
	ok := userrule.Spec{ID: "my-rule", Level: finding.Warning, On: "call", When: `act == "shell"`, Message: "m"}
	for _, tc := range []struct {
		name   string
		change func(*userrule.Spec)
		want   string
	}{
		{"id", func(s *userrule.Spec) { s.ID = "My Rule" }, `id: "My Rule" is no rule id`},
		{"clash", func(s *userrule.Spec) { s.ID = "json-cut" }, `id: "json-cut" is a rule of the catalogue`},
		{"on", func(s *userrule.Spec) { s.On = "event" }, `on: "event": use call`},
		{"empty", func(s *userrule.Spec) { s.When = " " }, "when: a rule needs a condition"},
		{"syntax", func(s *userrule.Spec) { s.When = "act == " }, "(condition 1:7)"},
		{"name", func(s *userrule.Spec) { s.When = "act == \"shell\" &&\n  exitcode == 1" }, "unknown name exitcode (condition 2:3)"},
		{"type", func(s *userrule.Spec) { s.When = `exit_code == "1"` }, "(condition 1:11)"},
		{"not a condition", func(s *userrule.Spec) { s.When = `command` }, "expected bool"},
		{"loop", func(s *userrule.Spec) { s.When = `any(effects, # == "push")` }, "loops are not available"},
		{"range", func(s *userrule.Spec) { s.When = `turn in 1..9` }, "ranges are not available"},
		{"clock", func(s *userrule.Spec) { s.When = `now().Year() > 2020` }, "now"},
		{"pattern", func(s *userrule.Spec) { s.When = `command matches tool` }, "written out"},
		{"bad pattern", func(s *userrule.Spec) { s.When = `command matches "("` }, "missing closing )"},
		{"env", func(s *userrule.Spec) { s.When = `$env["exit_code"] == 1` }, "$env is not available"},
		{"nodes", func(s *userrule.Spec) { s.When = strings.Repeat(`masked || `, 400) + "masked" }, "exceeds maximum allowed nodes"},
		{"tries", func(s *userrule.Spec) {
			s.When = `exit_code in [10,20,30,40,50,60] && size in [11,21,31] && duration_ms > 7 && limit_ms > 9`
		}, "make two rules"},
		{"message", func(s *userrule.Spec) { s.Message = "" }, "message: a rule needs a message"},
		{"field", func(s *userrule.Spec) { s.Message = "{{comand}}" }, "{{comand}} is no field here"},
		{"brace", func(s *userrule.Spec) { s.Message = "{{command" }, "{{ without }}"},
	} {
		s := ok
		tc.change(&s)
		_, err := userrule.New(s)
		var p *userrule.Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

// TestFieldsAreFilled wants a value of its type for every documented field.
func TestFieldsAreFilled(t *testing.T) {
	for _, on := range userrule.Subjects() {
		for _, f := range userrule.Fields(on) {
			said := audited(t, userrule.Spec{ID: "my-rule", Level: finding.Note, On: on, When: "true", Message: "{{" + f.Name + "}}"}, session)
			if len(said) == 0 || strings.Contains(strings.Join(said, ""), "<nil>") {
				t.Errorf("%s.%s: %q", on, f.Name, said)
			}
			if f.Doc == "" || f.Type() == "" {
				t.Errorf("%s.%s is not documented", on, f.Name)
			}
		}
	}
}
