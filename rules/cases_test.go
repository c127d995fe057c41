package rules_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/rules"
)

var update = flag.Bool("update", false, "write what the rules say into the cases' want sections")

// TestCases runs every rule over its own cases: it must say just what the case
// wants. Each runs twice, with ordinary buffers and with sixteen bytes that
// are overwritten between records, so that a kept view shows.
func TestCases(t *testing.T) {
	for _, r := range rules.All {
		cases, err := r.Cases()
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range cases {
			t.Run(r.ID+"/"+c.Name, func(t *testing.T) {
				got := say(t, r, &c, nil)
				if *update && c.Fires {
					rewrite(t, r.ID, c.Name, got)
				} else if diff := cmp.Diff(c.Want, got); diff != "" {
					t.Errorf("%s\n(-want +got)\n%s", c.Text, diff)
				}
				tiny := say(t, r, &c, func(o *jsonl.Options) { o.Buffer, o.Poison = 16, true })
				if diff := cmp.Diff(got, tiny); diff != "" {
					t.Errorf("a view was kept past its record (-buffered +sixteen bytes)\n%s", diff)
				}
			})
		}
	}
}

// say is what one rule says of a log, a line a finding.
func say(t *testing.T, r *rules.Rule, c *rules.Case, tweak func(*jsonl.Options)) []string {
	in := audit.Input{Path: "case", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.Log)), nil }}
	o, err := audit.ForCase(r, c)
	if err != nil {
		t.Fatal(err)
	}
	o.Tweak = tweak
	res := audit.One(in, o)
	var lines []string
	for _, f := range res.Findings {
		lines = append(lines, fmt.Sprintf("%d: %s: %s", f.Line, f.Level, f.Message))
	}
	return lines
}

func rewrite(t *testing.T, id, name string, got []string) {
	file := filepath.Join("testdata", id, name+".txtar")
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte(strings.Join(got, "\n") + "\n")
	for i := range a.Files {
		if a.Files[i].Name == "want" {
			a.Files[i].Data = want
		}
	}
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCatalogue holds every rule to what is promised of all: documented, named
// once, with enough cases.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.All {
		if seen[r.ID] {
			t.Errorf("two rules are called %s", r.ID)
		}
		seen[r.ID] = true
		for field, s := range map[string]string{"Title": r.Title, "Why": r.Why, "Fix": r.Fix, "Silent": r.Silent, "Group": string(r.Group), "Precision": string(r.Precision)} {
			if s == "" {
				t.Errorf("%s: %s is empty", r.ID, field)
			}
		}
		if strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: a title ends without a period", r.ID)
		}
		cases, err := r.Cases()
		if err != nil {
			t.Error(err)
			continue
		}
		fires, silent := 0, 0
		for _, c := range cases {
			if c.Fires {
				fires++
			} else {
				silent++
			}
		}
		if fires < 3 || silent < 5 {
			t.Errorf("%s has %d cases that fire and %d that stay silent; it needs 3 and 5", r.ID, fires, silent)
		}
	}
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !seen[d.Name()] {
			t.Errorf("testdata/%s belongs to no rule of the catalogue", d.Name())
		}
	}
}
