package repo

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// Bounds on what of the history is looked at.
const (
	mostMoves   = 20_000 // entries of one reflog
	mostRemotes = 64     // remote-tracking branches
	mostTips    = 32     // earlier positions of theirs
	slack       = 2 * time.Minute
	// remembered is how long git keeps the commits that nothing leads to any
	// more, with a day to spare.
	remembered = 29 * 24 * time.Hour
)

// Commit reports whether a commit with the (abbreviated) hash exists.
func (r *Repo) Commit(hash string) transcript.Flag {
	id, known := r.commit(hash)
	if id == "" && known && !r.shallow {
		return transcript.False
	}
	if id == "" {
		return transcript.Unset
	}
	return transcript.True
}

// commit resolves a hash; known reports whether git could say. Names of
// branches are never resolved, even when they look like a hash.
func (r *Repo) commit(hash string) (id string, known bool) {
	if !isHash(hash) {
		return "", false
	}
	out, err := r.ask("rev-parse", "--disambiguate="+strings.ToLower(hash))
	if err != nil {
		return "", false
	}
	for _, object := range strings.Fields(string(out)) {
		kind, err := r.ask("cat-file", "-t", object)
		if err != nil {
			return "", false
		}
		if strings.TrimSpace(string(kind)) == "commit" {
			return object, true
		}
	}
	return "", true
}

func isHash(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i] | 0x20; (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Committed reports whether any commit was made in the span. Commits that
// were replaced since still count, as long as the reflogs hold them.
func (r *Repo) Committed(from, to time.Time) transcript.Flag {
	if from.IsZero() || to.IsZero() {
		return transcript.Unset
	}
	span := []string{"--since=" + stamp(from.Add(-slack)), "--until=" + stamp(to.Add(slack))}
	out, err := r.ask("rev-list", "-n1", "--all", "--reflog", span[0], span[1], "--")
	switch {
	case err != nil:
		return transcript.Unset
	case len(out) > 0:
		return transcript.True
	case r.shallow || time.Since(from) > remembered || !r.remembers(from):
		return transcript.Unset
	}
	return transcript.False
}

func stamp(t time.Time) string { return "@" + strconv.FormatInt(t.Unix(), 10) }

// remembers reports whether the reflog of HEAD reaches back to t.
func (r *Repo) remembers(t time.Time) bool {
	moves, err := r.moves()
	if err != nil || len(moves) == 0 {
		out, err := r.ask("rev-list", "-n1", "--all", "--")
		return err == nil && len(out) == 0 // there is no commit at all
	}
	oldest := moves[len(moves)-1]
	return !oldest.at.After(t) || strings.HasPrefix(oldest.why, "commit (initial)")
}

// moves is the reflog of HEAD, newest first.
func (r *Repo) moves() ([]moved, error) {
	return r.head.get(func() ([]moved, error) { return r.reflog("HEAD") })
}

// reflog reads the reflog of a ref, newest first.
func (r *Repo) reflog(ref string) ([]moved, error) {
	out, err := r.ask("reflog", "show", "-n"+strconv.Itoa(mostMoves), "--date=unix", "--format=%H %gd %gs", ref, "--")
	if err != nil {
		return nil, err
	}
	var all []moved
	for line := range strings.Lines(string(out)) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		at, why, _ := strings.Cut(rest, " ")
		if i := strings.LastIndex(at, "@{"); i >= 0 {
			if sec, err := strconv.ParseInt(strings.TrimSuffix(at[i+2:], "}"), 10, 64); err == nil {
				all = append(all, moved{to: id, at: time.Unix(sec, 0), why: why})
			}
		}
	}
	return all, nil
}

// HeadAt is the commit that HEAD stood on at t, as its reflog tells.
func (r *Repo) HeadAt(t time.Time) string {
	moves, err := r.moves()
	if err != nil || t.IsZero() {
		return ""
	}
	for _, m := range moves {
		if !m.at.After(t) {
			return m.to
		}
	}
	return ""
}

// Pushed reports whether a remote-tracking branch contains the commit, or did
// so once. A branch whose remote counterpart is gone tells nothing: it may
// have been merged and deleted.
func (r *Repo) Pushed(hash string) transcript.Flag {
	id, _ := r.commit(hash)
	if id == "" || !r.remotes {
		return transcript.Unset
	}
	out, err := r.ask("for-each-ref", "--contains="+id, "--count=1", "--format=%(refname)", "refs/remotes")
	if err != nil {
		return transcript.Unset
	}
	if len(out) > 0 || r.wasOnRemote(id) {
		return transcript.True
	}
	gone, err := r.ask("for-each-ref", "--contains="+id, "--format=%(upstream:track)", "refs/heads")
	if err != nil || r.shallow || strings.Contains(string(gone), "gone") {
		return transcript.Unset
	}
	return transcript.False
}

// wasOnRemote reports whether an earlier position of a remote-tracking branch
// contains the commit: what was pushed may have been replaced since.
func (r *Repo) wasOnRemote(id string) bool {
	tips := map[string]bool{}
	for _, ref := range r.remoteRefs() {
		moves, _ := r.reflog(ref)
		for _, m := range moves {
			if len(tips) < mostTips {
				tips[m.to] = true
			}
		}
	}
	for tip := range tips {
		if _, err := r.ask("merge-base", "--is-ancestor", id, tip); err == nil {
			return true
		}
	}
	return false
}

func (r *Repo) remoteRefs() []string {
	out, err := r.ask("for-each-ref", "--sort=-committerdate", fmt.Sprintf("--count=%d", mostRemotes), "--format=%(refname)", "refs/remotes")
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// PushedIn reports whether a push from here moved a remote-tracking branch in
// the span.
func (r *Repo) PushedIn(from, to time.Time) transcript.Flag {
	if from.IsZero() || to.IsZero() || !r.remotes {
		return transcript.Unset
	}
	for _, ref := range r.remoteRefs() {
		moves, err := r.reflog(ref)
		if err != nil {
			return transcript.Unset
		}
		for _, m := range moves {
			if m.why == "update by push" && !m.at.Before(from.Add(-slack)) && !m.at.After(to.Add(slack)) {
				return transcript.True
			}
		}
	}
	if time.Since(from) > remembered || !r.remembers(from) {
		return transcript.Unset
	}
	return transcript.False
}
