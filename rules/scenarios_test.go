package rules_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/transcript-lint/transcript-lint/audit"
)

// TestScenarios holds the whole catalogue to the boundary experiment: seven
// scenarios of an approval service and three of a session adapter, all of
// which went as they should, and for each of them twins in which one thing
// went wrong. The sound ones are silent under every rule; a twin makes just
// one rule fire.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("scenarios/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sections := map[string]string{}
			for _, f := range a.Files {
				sections[f.Name] = string(f.Data)
			}
			got := sayAll(sections["log"])
			if diff := cmp.Diff(sections["want"], got); diff != "" {
				t.Errorf("%s\n(-want +got)\n%s", a.Comment, diff)
			}
			if strings.HasPrefix(filepath.Base(file), "twin-") != (strings.Count(got, "\n") == 1) {
				t.Errorf("a twin makes one rule fire and a sound scenario none:\n%s", got)
			}
		})
	}
}

// sayAll is what the whole catalogue says of a log: a line a finding.
func sayAll(log string) string {
	in := audit.Input{Path: "scenario", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}
	var b strings.Builder
	for _, f := range audit.One(in, audit.Options{}).Findings {
		fmt.Fprintf(&b, "%d: %s: %s\n", f.Line, f.Level, f.Rule)
	}
	return b.String()
}
