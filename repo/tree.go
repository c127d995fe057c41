package repo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

const (
	mostWalked = 300_000 // entries of the work tree that are looked at for a name
	mostDirty  = 200     // files that differ
)

// File reports whether a file with this path, or with one that ends in it, is
// in the work tree, or is or was in a commit.
func (r *Repo) File(name string) transcript.Flag {
	rel, ok := r.relative(name)
	if !ok {
		return transcript.Unset
	}
	if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(rel))); err == nil {
		return transcript.True
	}
	ends := ":(top,glob)**/" + globbed.Replace(rel)
	for _, question := range [][]string{
		{"ls-files", "-z", "--cached", "--", ends},
		{"rev-list", "-n1", "--all", "--reflog", "--", ends},
	} {
		out, err := r.ask(question...)
		if err != nil {
			return transcript.Unset
		}
		if len(out) > 0 {
			return transcript.True
		}
	}
	if r.shallow || r.hasSubmodules() {
		return transcript.Unset // what is not here may be there
	}
	return r.walkFor(rel)
}

// globbed quotes what git's globs would take for more than itself.
var globbed = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// relative is a path as the repository knows it; false when it lies outside,
// or cannot be told.
func (r *Repo) relative(name string) (string, bool) {
	name = strings.ReplaceAll(name, `\`, "/")
	if name == "" || strings.ContainsAny(name, "\x00\n") || name[0] == '~' || name[0] == '$' || len(name) > 1024 {
		return "", false
	}
	if path.IsAbs(name) {
		rel, err := filepath.Rel(r.root, filepath.FromSlash(name))
		if err != nil {
			return "", false
		}
		name = filepath.ToSlash(rel)
	}
	name = path.Clean(name)
	return name, name != "." && filepath.IsLocal(filepath.FromSlash(name))
}

func (r *Repo) hasSubmodules() bool {
	_, err := os.Lstat(filepath.Join(r.root, ".gitmodules"))
	return !errors.Is(err, fs.ErrNotExist)
}

var errFound = errors.New("found")

// walkFor looks for a path that ends in rel among everything that stands in
// the work tree, ignored or not, and repositories within.
func (r *Repo) walkFor(rel string) transcript.Flag {
	n, until := 0, time.Now().Add(oneQuestion)
	err := filepath.WalkDir(r.root, func(p string, d fs.DirEntry, err error) error {
		n++
		switch {
		case err != nil:
			return err
		case n > mostWalked || n%1024 == 0 && time.Now().After(until):
			return errors.New("the work tree is too large to be searched")
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.Name() == path.Base(rel) && strings.HasSuffix("/"+filepath.ToSlash(p), "/"+rel):
			return errFound
		}
		return nil
	})
	switch {
	case errors.Is(err, errFound):
		return transcript.True
	case err != nil:
		r.gap(err)
		return transcript.Unset
	}
	return transcript.False
}

// change is a tracked file that differs from HEAD.
type change struct {
	file string
	at   time.Time // when it was last written; zero when it is not there
}

// Dirty reports whether a tracked file differs from HEAD and did so at t: it
// was last written before, and HEAD has not moved since.
func (r *Repo) Dirty(t time.Time) (file string, was transcript.Flag) {
	changes, err := r.dirty.get(r.changes)
	if err != nil {
		return "", transcript.Unset
	}
	if len(changes) == 0 {
		return "", transcript.False
	}
	for _, c := range changes {
		if !t.IsZero() && !c.at.IsZero() && !c.at.After(t) && r.stoodStill(t) {
			return c.file, transcript.True
		}
	}
	return changes[0].file, transcript.Unset
}

// stoodStill reports whether HEAD has not moved since t.
func (r *Repo) stoodStill(t time.Time) bool {
	moves, err := r.moves()
	return err == nil && len(moves) > 0 && !moves[0].at.After(t)
}

// changes lists the tracked files that differ from HEAD. Files that go through
// a filter are left out: the filters are switched off, so that they seem to
// differ when they do not.
func (r *Repo) changes() ([]change, error) {
	out, err := r.ask("status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all", "--no-renames")
	if err != nil {
		return nil, err
	}
	var all []change
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if len(entry) < 4 || len(all) == mostDirty {
			continue
		}
		name := string(entry[3:])
		if r.filtered(name) {
			continue
		}
		c := change{file: name}
		if info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name))); err == nil {
			c.at = info.ModTime()
		}
		all = append(all, c)
	}
	return all, nil
}

func (r *Repo) filtered(name string) bool {
	if len(r.filters) == 0 {
		return false
	}
	out, err := r.ask("check-attr", "-z", "filter", "--", name)
	if err != nil {
		return true
	}
	fields := strings.Split(string(out), "\x00")
	return len(fields) < 3 || fields[2] != "unspecified" && fields[2] != "unset"
}
