package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden pins what each writer prints of the sample, hostile texts and
// all.
func TestGolden(t *testing.T) {
	for name, open := range map[string]func(io.Writer) Writer{
		"text-60.txt":      func(w io.Writer) Writer { return NewText(w, TextOptions{Width: 60}) },
		"text-80.txt":      func(w io.Writer) Writer { return NewText(w, TextOptions{}) },
		"text-color.txt":   func(w io.Writer) Writer { return NewText(w, TextOptions{Color: true, Width: 100}) },
		"text-verbose.txt": func(w io.Writer) Writer { return NewText(w, TextOptions{Verbose: true, Stats: true, Width: 140}) },
		"text-quiet.txt":   func(w io.Writer) Writer { return NewText(w, TextOptions{Quiet: true}) },
		"out.sarif":        func(w io.Writer) Writer { return NewSARIF(w, SARIFOptions{Snippets: true, Category: "nightly"}) },
		"out.jsonl":        NewJSONL,
		"github.txt":       NewGitHub,
		"summary.md":       NewMarkdown,
		"junit.xml":        NewJUnit,
		"gitlab.json":      NewGitLab,
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			sample(t, open(&b))
			file := filepath.Join("testdata", "golden", name)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("run with -update if this is meant (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClean pins the one line of a run that found nothing.
func TestClean(t *testing.T) {
	var b bytes.Buffer
	play(t, NewText(&b, TextOptions{}), Run{}, []File{{Path: "a.jsonl", Sessions: 1}}, Totals{Files: 1, Sessions: 1, Bytes: 1234})
	if got, want := b.String(), "✔ nothing found in 1 session (1.2 kB)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
