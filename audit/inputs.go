package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ErrNoInput is returned when the arguments name no file at all.
var ErrNoInput = errors.New("no input files")

// logFiles are the names that a directory is searched for. A file that is
// named outright is read whatever it is called.
const logFiles = "**/*.{jsonl,ndjson,json,traj}{,.gz,.zst}"

// Source says which files are meant.
type Source struct {
	Args    []string               // paths, directories, doublestar globs, or "-"
	Exclude []string               // doublestar globs over slash-separated paths
	Skip    func(path string) bool // leaves out further files; nil: none
	Stdin   io.Reader
}

// Inputs finds the files that the arguments mean, sorted and each once. A
// named file that does not exist is an input all the same: opening it says so.
// A glob or a directory that matches nothing is an error of the call.
func (s Source) Inputs() ([]Input, error) {
	for _, pattern := range s.Exclude {
		if !doublestar.ValidatePattern(pattern) {
			return nil, fmt.Errorf("--exclude %q is no valid glob", pattern)
		}
	}
	var paths []string
	stdin := false
	for _, arg := range s.Args {
		if arg == "-" {
			stdin = true
			continue
		}
		found, err := expand(arg)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), s.excluded)
	var in []Input
	if stdin {
		in = append(in, Input{Path: "-", Open: func() (io.ReadCloser, error) { return io.NopCloser(s.Stdin), nil }})
	}
	for _, p := range paths {
		in = append(in, FileInput(p))
	}
	if len(in) == 0 {
		return nil, ErrNoInput
	}
	return in, nil
}

// FileInput reads a file by its path.
func FileInput(path string) Input {
	return Input{Path: filepath.ToSlash(path), Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

func (s Source) excluded(path string) bool {
	path = filepath.ToSlash(path)
	if s.Skip != nil && s.Skip(path) {
		return true
	}
	for _, pattern := range s.Exclude {
		if !strings.Contains(pattern, "/") {
			pattern = "**/" + pattern
		}
		if ok, _ := doublestar.Match(pattern, path); ok {
			return true
		}
		if ok, _ := doublestar.Match(pattern, strings.TrimPrefix(path, "./")); ok {
			return true
		}
	}
	return false
}

// expand turns one argument into paths.
func expand(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return under(arg)
	case err == nil:
		return []string{arg}, nil
	case !strings.ContainsAny(arg, "*?[{"):
		return []string{arg}, nil // opening it will say what is wrong
	}
	found, err := doublestar.FilepathGlob(arg, doublestar.WithFilesOnly())
	if err != nil {
		return nil, fmt.Errorf("%q is no valid glob: %w", arg, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%q matches no file", arg)
	}
	return found, nil
}

func under(dir string) ([]string, error) {
	var paths []string
	err := doublestar.GlobWalk(os.DirFS(dir), logFiles, func(path string, d fs.DirEntry) error {
		if !d.IsDir() {
			paths = append(paths, filepath.Join(dir, path))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s holds no log files (%s)", dir, logFiles)
	}
	return paths, nil
}

// PathsFrom reads a list of paths, one a line.
func PathsFrom(r io.Reader) ([]string, error) {
	var paths []string
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if p := strings.TrimSpace(lines.Text()); p != "" {
			paths = append(paths, p)
		}
	}
	return paths, lines.Err()
}
