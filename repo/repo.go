// Package repo asks a git repository what is true: whether a commit exists,
// whether it was pushed, whether a file is or was there, whether the work tree
// is clean. It only reads: no lock, no hook, no filter, no network. Its
// questions come out of logs and are hostile: a hash is hexadecimal or not
// asked, a path is quoted and stands behind "--". Every answer is kept, and
// all of them together take a bounded time.
package repo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Repo is one repository with a work tree. It may be asked by several
// goroutines at once.
type Repo struct {
	root    string   // top of the work tree, links resolved
	names   []string // what the repository is called: its directory, its remotes
	filters []string // settings that switch the configured filters off
	shallow bool     // parts of the history are not here
	remotes bool

	mu      sync.Mutex
	answers map[string]*answer
	spent   time.Duration
	gaps    []string

	head  once[[]moved] // the reflog of HEAD, newest first
	dirty once[[]change]
}

// moved is one entry of a reflog.
type moved struct {
	to  string
	at  time.Time
	why string
}

// once is a value that is worked out when it is first asked for.
type once[T any] struct {
	sync.Once
	value T
	err   error
}

func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.Do(func() { o.value, o.err = make() })
	return o.value, o.err
}

// answer is one answer of git, kept.
type answer struct {
	sync.Once
	out []byte
	err error
}

// Open finds the repository that a directory lies in.
func Open(dir string) (*Repo, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory; name the top of a work tree", dir)
	}
	r := &Repo{root: dir, answers: map[string]*answer{}}
	out, err := r.ask("rev-parse", "--show-toplevel", "--is-shallow-repository")
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name a directory in a work tree of git", dir, err)
	}
	top, shallow, _ := strings.Cut(strings.TrimRight(string(out), "\n"), "\n")
	r.root, r.shallow = top, shallow == "true"
	if real, err := filepath.EvalSymlinks(top); err == nil {
		r.root = real
	}
	r.names = []string{filepath.Base(r.root)}
	return r, r.configured()
}

// configured reads what of the configuration bears on the answers: filters,
// which are switched off, remotes, and promises of objects that are elsewhere.
func (r *Repo) configured() error {
	out, err := r.ask("config", "-z", "--get-regexp", `^(filter\..*\.(clean|smudge|process|required)|remote\..*\.(url|promisor)|extensions\.partialclone)$`)
	if err != nil && !refused(err) {
		return err
	}
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, value, _ := strings.Cut(string(entry), "\n")
		switch {
		case strings.HasPrefix(key, "filter."):
			if i := strings.LastIndexByte(key, '.'); key[i:] == ".required" {
				r.filters = append(r.filters, key+"=false")
			} else {
				r.filters = append(r.filters, key+"=")
			}
		case strings.HasSuffix(key, ".url"):
			r.remotes = true
			r.names = append(r.names, strings.TrimSuffix(value[strings.LastIndexAny(value, "/:\\")+1:], ".git"))
		case key != "":
			r.shallow = true // a partial clone: what is missing may exist
		}
	}
	return nil
}

// Root is the top of the work tree.
func (r *Repo) Root() string { return r.root }

// ask runs a git command, once for all who ask for it.
func (r *Repo) ask(args ...string) ([]byte, error) {
	key := strings.Join(args, "\x00")
	r.mu.Lock()
	a := r.answers[key]
	if a == nil {
		a = &answer{}
		r.answers[key] = a
	}
	left := allQuestions - r.spent
	r.mu.Unlock()
	a.Do(func() {
		if left <= 0 {
			a.err = fmt.Errorf("git was asked for %s in all and is asked no more", allQuestions)
		} else {
			began := time.Now()
			a.out, a.err = git(r.root, r.filters, min(left, oneQuestion), args...)
			r.mu.Lock()
			r.spent += time.Since(began)
			r.mu.Unlock()
		}
		var own *gitError
		if a.err != nil && !errors.As(a.err, &own) {
			r.gap(a.err)
		}
	})
	return a.out, a.err
}

func (r *Repo) gap(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps = append(r.gaps, err.Error())
}

// Gaps words why questions went unanswered that should not have, "" when none
// did.
func (r *Repo) Gaps() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch n := len(r.gaps); n {
	case 0:
		return ""
	case 1:
		return r.gaps[0]
	default:
		return fmt.Sprintf("%s (and %d more)", r.gaps[0], n-1)
	}
}

// Covers reports whether a directory of a log lies in this work tree.
func (r *Repo) Covers(dir string) transcript.Flag {
	if !filepath.IsAbs(dir) {
		return r.named(dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return r.named(dir)
	}
	rel, err := filepath.Rel(r.root, real)
	return transcript.FlagOf(err == nil && filepath.IsLocal(rel))
}

// named judges a directory of another machine by its names.
func (r *Repo) named(dir string) transcript.Flag {
	if dir == "" || dir == "." {
		return transcript.Unset
	}
	for part := range strings.FieldsFuncSeq(dir, func(c rune) bool { return c == '/' || c == '\\' }) {
		for _, name := range r.names {
			if strings.EqualFold(part, name) {
				return transcript.Unset
			}
		}
	}
	return transcript.False
}
