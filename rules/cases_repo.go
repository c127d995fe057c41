package rules

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// caseRepo is the repository that a case is held against, as its section
// `repo` describes it, a fact a line:
//
//	tree DIR                       the work tree
//	commit HASH TIME               a commit, the newest one last
//	pushed HASH TIME               the same, and a remote-tracking branch has it
//	push TIME                      a push moved a remote-tracking branch
//	file PATH                      a file that is there, or once was
//	dirty PATH TIME                a tracked file that differs since
//
// It remembers everything, and has a remote.
type caseRepo struct {
	tree    string
	commits []caseCommit
	pushes  []time.Time
	files   []string
	dirty   string
	since   time.Time
}

type caseCommit struct {
	hash   string
	at     time.Time
	pushed bool
}

func parseRepo(text string) (*caseRepo, error) {
	r := &caseRepo{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 {
			return nil, fmt.Errorf("repo: %q: write KIND VALUE", strings.TrimSpace(line))
		}
		var err error
		switch f[0] {
		case "tree":
			r.tree = f[1]
		case "file":
			r.files = append(r.files, f[1])
		case "push":
			r.pushes = append(r.pushes, timeOf(f[1], &err))
		case "commit", "pushed":
			r.commits = append(r.commits, caseCommit{hash: f[1], at: timeOf(f[len(f)-1], &err), pushed: f[0] == "pushed"})
		case "dirty":
			r.dirty, r.since = f[1], timeOf(f[len(f)-1], &err)
		default:
			err = fmt.Errorf("%q is no fact of a repository", f[0])
		}
		if err != nil {
			return nil, fmt.Errorf("repo: %w", err)
		}
	}
	return r, nil
}

func timeOf(s string, err *error) time.Time {
	t, e := time.Parse(time.RFC3339, s)
	if e != nil {
		*err = e
	}
	return t
}

func (r *caseRepo) Covers(dir string) transcript.Flag {
	if dir == "" || r.tree == "" {
		return transcript.Unset
	}
	return transcript.FlagOf(strings.HasPrefix(dir+"/", r.tree+"/"))
}

func (r *caseRepo) find(hash string) *caseCommit {
	for i := range r.commits {
		if strings.HasPrefix(r.commits[i].hash, hash) || strings.HasPrefix(hash, r.commits[i].hash) {
			return &r.commits[i]
		}
	}
	return nil
}

func (r *caseRepo) Commit(hash string) transcript.Flag {
	return transcript.FlagOf(r.find(hash) != nil)
}

func (r *caseRepo) Committed(from, to time.Time) transcript.Flag {
	if from.IsZero() || to.IsZero() {
		return transcript.Unset
	}
	for _, c := range r.commits {
		if !c.at.Before(from) && !c.at.After(to) {
			return transcript.True
		}
	}
	return transcript.False
}

func (r *caseRepo) Pushed(hash string) transcript.Flag {
	c := r.find(hash)
	if c == nil {
		return transcript.Unset
	}
	return transcript.FlagOf(c.pushed)
}

func (r *caseRepo) PushedIn(from, to time.Time) transcript.Flag {
	for _, at := range r.pushes {
		if !at.Before(from) && !at.After(to) {
			return transcript.True
		}
	}
	return transcript.False
}

func (r *caseRepo) HeadAt(t time.Time) string {
	head := ""
	for _, c := range r.commits {
		if !t.IsZero() && !c.at.After(t) {
			head = c.hash
		}
	}
	return head
}

func (r *caseRepo) File(name string) transcript.Flag {
	if path.IsAbs(name) {
		rest, ok := strings.CutPrefix(name, r.tree+"/")
		if r.tree == "" || !ok {
			return transcript.Unset
		}
		name = rest
	}
	for _, f := range r.files {
		if strings.HasSuffix("/"+f, "/"+name) {
			return transcript.True
		}
	}
	return transcript.False
}

func (r *caseRepo) Dirty(t time.Time) (string, transcript.Flag) {
	switch {
	case r.dirty == "":
		return "", transcript.False
	case t.IsZero() || r.since.After(t):
		return r.dirty, transcript.Unset
	}
	return r.dirty, transcript.True
}

func (r *caseRepo) Gaps() string { return "" }
