// Package report prints findings: as text for people, and as SARIF, JSON
// Lines, GitHub annotations, Markdown, JUnit and GitLab code quality for
// machines. It knows neither rules nor log formats.
//
// Whatever stands in a finding's quotes, messages and file names may have been
// written by an attacker. Each writer escapes all of it for the place it goes
// to; see [Escape] for terminals.
package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
)

// Run is what every writer is told before the first finding.
type Run struct {
	Version     string         // of transcript-lint, without a leading v
	Rules       []finding.Rule // all that may appear, in the order of the catalogue
	Root        string         // directory that relative URIs start from, "" for the current one
	CommandLine string         // "" to leave it out
	Start       time.Time      // zero to leave it out, so that equal runs print equal bytes
}

// File is the outcome of one input. Writers get files in input order.
type File struct {
	Path     string // as the user named it, slash-separated
	Format   string // of the log, "" when no adapter knew it
	Sessions int
	Findings []finding.Finding
	Notices  []finding.Notice
	Stats    *FileStats // nil when nobody asked
}

// FileStats counts what was read of one input.
type FileStats struct {
	Bytes   int64
	Records int64
	Events  int64
	Unknown int64 // records that the adapter had no name for
	Faults  int64 // places that were no records
}

// Totals is what a run adds up to.
type Totals struct {
	Files, Sessions         int
	Bytes                   int64
	Errors, Warnings, Notes int
	ExitCode                int
	Notices                 []finding.Notice // of the run as a whole
	NotChecked              []NotChecked
	Formats                 []FormatCount // by the name of the format, "" for what nothing recognises
}

// FormatCount is what was read of one input format.
type FormatCount struct {
	Name            string
	Files, Sessions int
	FileStats
}

// NotChecked says that a rule had nothing to go by in some sessions. Silence
// of such a rule proves nothing.
type NotChecked struct {
	Rule     string
	Because  string // what was missing
	Sessions int
}

// Writer prints a run. Begin comes first and End last, once each; File comes
// once for each input, in order. An error is always one of the underlying
// [io.Writer], passed on as it came, so that a caller can tell a closed pipe.
type Writer interface {
	Begin(Run) error
	File(File) error
	End(Totals) error
}

// Options are the choices that a command line offers, for every format
// together. A format ignores what does not concern it.
type Options struct {
	Color      bool
	Width      int // columns of the terminal, 0 when it is none
	Quiet      bool
	Verbose    bool
	Stats      bool
	MaxResults int    // SARIF: 0 for no limit
	Snippets   bool   // SARIF: quote the faulty value in each region
	Category   string // SARIF: tells several runs over one commit apart
}

// formats lists the writers by name, in the order in which help shows them.
var formats = []struct {
	name string
	open func(io.Writer, Options) Writer
}{
	{"text", func(w io.Writer, o Options) Writer {
		return NewText(w, TextOptions{Color: o.Color, Width: o.Width, Quiet: o.Quiet, Verbose: o.Verbose, Stats: o.Stats})
	}},
	{"sarif", func(w io.Writer, o Options) Writer {
		return NewSARIF(w, SARIFOptions{MaxResults: o.MaxResults, Snippets: o.Snippets, Category: o.Category})
	}},
	{"jsonl", func(w io.Writer, _ Options) Writer { return NewJSONL(w) }},
	{"github", func(w io.Writer, _ Options) Writer { return NewGitHub(w) }},
	{"markdown", func(w io.Writer, _ Options) Writer { return NewMarkdown(w) }},
	{"junit", func(w io.Writer, _ Options) Writer { return NewJUnit(w) }},
	{"gitlab", func(w io.Writer, _ Options) Writer { return NewGitLab(w) }},
}

// Names lists the output formats.
func Names() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// New opens the writer of a format by its name.
func New(format string, w io.Writer, o Options) (Writer, error) {
	for _, f := range formats {
		if f.name == format {
			return f.open(w, o), nil
		}
	}
	return nil, fmt.Errorf("unknown format %q: use one of %s", format, strings.Join(Names(), ", "))
}

// Multi hands a run to several writers at once. The first error ends it.
type Multi []Writer

// Begin implements [Writer].
func (m Multi) Begin(r Run) error {
	return m.each(func(w Writer) error { return w.Begin(r) })
}

// File implements [Writer].
func (m Multi) File(f File) error {
	return m.each(func(w Writer) error { return w.File(f) })
}

// End implements [Writer].
func (m Multi) End(t Totals) error {
	return m.each(func(w Writer) error { return w.End(t) })
}

func (m Multi) each(do func(Writer) error) error {
	for _, w := range m {
		if err := do(w); err != nil {
			return err
		}
	}
	return nil
}
