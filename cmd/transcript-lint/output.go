package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/transcript-lint/transcript-lint/report"
)

// outputs are all the places that one run reports to.
type outputs struct {
	report.Multi
	files []*outFile
	flush []*bufio.Writer
}

// outFile is written beside its final name and moved there when it is whole, so
// that a kill leaves no half report.
type outFile struct {
	*os.File
	path string
}

func (f *checkFlags) openOutputs(std streams) (*outputs, error) {
	out := &outputs{}
	formats := f.formats
	for _, spec := range f.outputs {
		format, path, ok := strings.Cut(spec, "=")
		if !ok {
			if len(formats) != 1 {
				return nil, fmt.Errorf("--output %s: say which format, as in --output sarif=%s", spec, spec)
			}
			format, path, formats = formats[0], spec, nil
		}
		if err := out.toFile(f, format, path); err != nil {
			return nil, err
		}
	}
	if len(formats) == 0 && len(f.outputs) == 0 {
		formats = []string{"text"}
	}
	for _, format := range formats {
		w := bufio.NewWriterSize(std.out, 64<<10)
		out.flush = append(out.flush, w)
		if err := out.add(f, format, w, std.out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (o *outputs) toFile(f *checkFlags, format, path string) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".transcript-lint-*")
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	o.files = append(o.files, &outFile{File: tmp, path: path})
	w := bufio.NewWriterSize(tmp, 64<<10)
	o.flush = append(o.flush, w)
	return o.add(f, format, w, nil)
}

// add opens one reporter. tty is the stream behind w when it may be a
// terminal.
func (o *outputs) add(f *checkFlags, format string, w io.Writer, tty io.Writer) error {
	opts := report.Options{
		Width: width(tty), Quiet: f.quiet, Verbose: f.verbose, Stats: f.stats, MaxResults: f.maxSARIF,
	}
	var err error
	if opts.Color, err = wantColor(f.color, tty); err != nil {
		return err
	}
	rw, err := report.New(format, w, opts)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	o.Multi = append(o.Multi, rw)
	return nil
}

// Close flushes everything and moves finished files to their names.
func (o *outputs) Close() error {
	var errs []error
	for _, w := range o.flush {
		errs = append(errs, w.Flush())
	}
	for _, f := range o.files {
		errs = append(errs, f.Chmod(0o644), f.File.Close())
		if err := errors.Join(errs...); err != nil {
			_ = os.Remove(f.Name())
			continue
		}
		errs = append(errs, os.Rename(f.Name(), f.path))
	}
	return errors.Join(errs...)
}

// wantColor decides by the flag, then NO_COLOR, then CLICOLOR_FORCE, then by
// whether the stream really written to is a terminal.
func wantColor(flag string, w io.Writer) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, fmt.Errorf("--color %q: use auto, always or never", flag)
	}
	if os.Getenv("NO_COLOR") != "" {
		return false, nil
	}
	if v := os.Getenv("CLICOLOR_FORCE"); v != "" && v != "0" {
		return true, nil
	}
	return isTerminal(w) && os.Getenv("TERM") != "dumb", nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// progress shows how far a run is, on a terminal only.
type progress struct {
	w     io.Writer
	total int
	n     int
}

func newProgress(w io.Writer, total int, quiet bool) *progress {
	if quiet || total < 2 || !isTerminal(w) || os.Getenv("CI") != "" {
		w = nil
	}
	return &progress{w: w, total: total}
}

func (p *progress) step() {
	if p.n++; p.w != nil {
		fmt.Fprintf(p.w, "\r%d of %d files", p.n, p.total)
	}
}

func (p *progress) done() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
