package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/config"
	"github.com/transcript-lint/transcript-lint/finding"
)

// TestPlaces wants every mistake told with file, line and column.
func TestPlaces(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "fail-on: note\ncolour: never\n", `c.yaml:2:1: unknown field "colour"`},
		{"unknown key of a rule", "rules:\n  json-cut:\n    lvl: note\n", `c.yaml:3:5: unknown field "lvl"`},
		{"twice", "fail-on: note\nfail-on: error\n", "c.yaml:2:1: "},
		{"syntax", "rules: [\n", "c.yaml:1:"},
		{"no mapping", "rules:\n  - json-cut\n", "c.yaml:2:3: a mapping is wanted"},
		{"scalar", "rules:\n  json-cut: note\n", "c.yaml:2:13: write level and options"},
		{"rule", "rules:\n  json-cut: {level: note}\n  jsn-cut: {level: note}\n", `c.yaml:3:3: there is no rule "jsn-cut"`},
		{"level", "rules:\n  json-cut: {level: loud}\n", `c.yaml:2:21: unknown level "loud"`},
		{"option", "rules:\n  json-cut:\n    options:\n      nothing: 1\n", `c.yaml:4:7: rule json-cut has no option "nothing"`},
		{"type", "rules:\n  unverified-side-effect:\n    options: {patterns: 3}\n", "c.yaml:3:15: option patterns of rule unverified-side-effect takes a list of strings"},
		{"regexp", "side-effects:\n  - fine\n  - '('\n", "c.yaml:3:5: option patterns of rule unverified-side-effect: error parsing regexp"},
		{"glob", "exclude: ['a', '[']\n", `c.yaml:1:16: "[" is no valid glob`},
		{"fail-on", "fail-on: sometimes\n", `c.yaml:1:10: fail-on "sometimes"`},
		{"override", "overrides:\n  - paths: [x]\n    rules:\n      nope: {level: note}\n", `c.yaml:4:7: there is no rule "nope"`},
		{"no paths", "overrides:\n  - rules: {json-cut: {level: note}}\n", "without paths"},
		{"user: plain", userRules("when: exitcode == 1"), "c.yaml:4:11: rule r: when: unknown name exitcode (condition 1:1)"},
		{"user: quoted", userRules(`when: 'masked && exitcode == 1'`), "c.yaml:4:22: rule r: when: unknown name exitcode (condition 1:11)"},
		{"user: block", userRules("when: |\n      masked &&\n        exitcode == 1"), "c.yaml:6:9: rule r: when: unknown name exitcode (condition 2:3)"},
		{"user: folded", userRules("when: >\n      masked &&\n      exitcode == 1"), "c.yaml:4:11: rule r: when: unknown name exitcode"},
		{"user: no condition", userRules("title: x"), "c.yaml:2:9: rule r: when: a rule needs a condition"},
		{"user: clash", userRules("when: masked") + "  - id: r\n    on: call\n    when: masked\n    message: m\n", `c.yaml:6:9: two rules are called "r"`},
		{"user: catalogue", "user-rules:\n  - id: json-cut\n    on: call\n    when: masked\n    message: m\n", `c.yaml:2:9: rule json-cut: id: "json-cut" is a rule of the catalogue`},
		{"user: field", "user-rules:\n  - id: r\n    on: call\n    when: masked\n    message: '{{x}}'\n", "c.yaml:5:14: rule r: message: {{x}} is no field here"},
		{"user: level", "user-rules:\n  - id: r\n    level: high\n", `c.yaml:3:12: unknown level "high"`},
	} {
		_, err := config.Parse("c.yaml", []byte(tc.text))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v\nwant %s", tc.name, err, tc.want)
		}
	}
}

// userRules is a configuration with one rule; its field stands in line 4.
func userRules(field string) string {
	return "user-rules:\n  - id: r\n    on: call\n    " + field + "\n    message: m\n"
}

// TestLayers wants the command line over overrides over rules over defaults.
func TestLayers(t *testing.T) {
	c, err := config.Parse("c.yaml", []byte(`
rules: {json-cut: {level: note}, stuck-loop: {level: none}}
overrides:
  - paths: ["nightly/**"]
    rules: {json-cut: {level: none}, stuck-loop: {level: error}}
  - paths: ["nightly/b.jsonl"]
    rules: {json-cut: {level: warning}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		flags      audit.Selection
		path       string
		cut, stuck finding.Level
	}{
		{audit.Selection{}, "a.jsonl", finding.Note, finding.None},
		{audit.Selection{}, "nightly/a.jsonl", finding.None, finding.Error},
		{audit.Selection{}, "./nightly/b.jsonl", finding.Warning, finding.Error},
		{audit.Selection{Severity: []string{"json-cut=error"}}, "nightly/a.jsonl", finding.Error, finding.Error},
		{audit.Selection{Disable: []string{"stuck-loop"}}, "nightly/a.jsonl", finding.None, finding.None},
		{audit.Selection{Only: []string{"json-cut"}}, "a.jsonl", finding.Note, finding.None},
	} {
		all, of, err := c.Rules(tc.flags)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]finding.Level{}
		for _, s := range of(tc.path) {
			got[s.Rule.ID] = s.Level
			if !known(all, s.Rule.ID) {
				t.Errorf("%s runs on %s and is not in the list of all", s.Rule.ID, tc.path)
			}
		}
		if got["json-cut"] != tc.cut || got["stuck-loop"] != tc.stuck {
			t.Errorf("%s %+v: %v and %v, want %v and %v", tc.path, tc.flags, got["json-cut"], got["stuck-loop"], tc.cut, tc.stuck)
		}
	}
}

func known(all []audit.Selected, id string) bool {
	for _, s := range all {
		if s.Rule.ID == id {
			return true
		}
	}
	return false
}

// TestFind goes through the places where a configuration may stand.
func TestFind(t *testing.T) {
	root := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(root, "xdg"))
	t.Setenv(config.Env, "")
	write := func(name string) string {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := func(dir, path string) {
		t.Helper()
		if got, err := config.Find(filepath.Join(root, dir)); err != nil || got != path {
			t.Errorf("%s: %q, %v; want %q", dir, got, err, path)
		}
	}
	write("repo/.git/HEAD")
	write("repo/a/b/x")
	want("repo/a/b", "")
	own := write("xdg/transcript-lint/config.yaml")
	want("repo/a/b", own)
	write(".transcript-lint.yaml") // above the root of the repository
	want("repo/a/b", own)
	want("repo/..", filepath.Join(root, ".transcript-lint.yaml"))
	write("out/in/x")
	want("out/in", own) // no repository: the directory alone
	yml := write("repo/.transcript-lint.yml")
	want("repo/a/b", yml)
	near := write("repo/a/.transcript-lint.yaml")
	want("repo/a/b", near)
	t.Setenv(config.Env, "elsewhere.yaml")
	want("repo/a/b", "elsewhere.yaml")
}
