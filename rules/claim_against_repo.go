package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var claimAgainstRepo = &Rule{
	ID:    "claim-against-repo",
	Title: "The repository says otherwise: no such commit, nothing pushed, no such file, or a work tree that is not clean",
	Why: "The log may be silent or even agree, but the repository itself is the truth that others work with: what was said to be there is not. " +
		"Asked only with --repo DIR, and only by reading.",
	Fix: "Look at the repository (`git log --all`, `git status -sb`, `git ls-files`), and do what was claimed or take the words back.",
	Silent: "Runs without --repo, which are not checked; sessions that worked in another directory; hashes that an output or the human showed; commits and pushes while " +
		"the log begins in the middle, holds no times, or lies further back than git remembers (four weeks); anything committed or pushed by whomever in the session's time; " +
		"branches whose remote counterpart is gone, repositories without a remote, shallow and partial clones; files outside of the repository, files that the log shows " +
		"written, and words about removed or renamed ones; uncommitted changes that may be younger than the words. " +
		"A file that is nowhere may have been cleaned up since, and a push that ended ok may have gone elsewhere: these are warnings.",
	Group:     Evidence,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall, transcript.ToolResult),
	New:       func(Settings) Checker { return &againstRepo{told: map[string]bool{}} },
	Lacks:     lacksRepo,
}

// lacksRepo says why a session's claims were not held against a repository.
func lacksRepo(s *ledger.Session) string {
	switch {
	case !slices.ContainsFunc(s.Claims, ofRepo):
		return ""
	case s.Repo == nil:
		return "no repository was named (--repo DIR)"
	case s.Repo.Covers(s.Dir) == transcript.False:
		return "the session worked outside of the repository that --repo names"
	}
	return s.Repo.Gaps()
}

// ofRepo reports whether a claim is one that a repository can answer.
func ofRepo(c *ledger.Claim) bool {
	switch c.Subject {
	case claim.Commit, claim.Push, claim.Merge, claim.File, claim.CleanTree:
		return asserts(c) && c.Where == ledger.InProse && c.Agent == ""
	}
	return false
}

// mostAsked bounds the claims of a session that a repository is asked about:
// the newest ones.
const mostAsked = 128

type againstRepo struct {
	shown  shown // hashes that stand in outputs and in the human's words
	begin  time.Time
	clean  int // the turn in which an output called the work tree clean; -1 none
	claims []*askedClaim
	told   map[string]bool
}

type askedClaim struct {
	*ledger.Claim
	hashes []string // named in it, or right behind it
	known  bool     // one of them was shown before
	seen   bool     // the log itself showed a clean work tree in this turn
}

func (k *againstRepo) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if s.Repo == nil {
		return
	}
	if k.begin.IsZero() {
		k.begin, k.clean = e.Time, -1
	}
	switch {
	case e.Kind == transcript.ToolResult:
		k.shown.text(e.Text)
		if strings.Contains(e.Text.Head(8<<10), "working tree clean") {
			k.clean = s.Turn
		}
	case e.Kind == transcript.Message && e.Actor != transcript.Assistant:
		k.shown.text(e.Text)
	}
	if len(s.Fresh) == 0 || s.Repo.Covers(s.Dir) == transcript.False {
		return
	}
	for _, c := range s.Fresh {
		if !ofRepo(c) {
			continue
		}
		if len(k.claims) == mostAsked {
			k.claims = k.claims[1:]
		}
		a := &askedClaim{Claim: c, hashes: hashesBy(e, c), seen: k.clean == s.Turn}
		a.known = slices.ContainsFunc(a.hashes, k.shown.knows)
		k.claims = append(k.claims, a)
	}
}

// hashesBy finds the commit hashes in a claim and right behind it: "Committed
// (`1f3a9c2`)". Those with few digits may be words, and are left out.
func hashesBy(e *transcript.Event, c *ledger.Claim) []string {
	words := c.Quote
	if e.Kind == transcript.Message && c.Start < c.End && c.End <= len(e.Words()) {
		all := e.Words()
		words = all[c.Start:min(c.End+48, len(all))]
	}
	var out []string
	for _, h := range hashes.FindAllString(transcript.Clip(words, 400), 4) {
		digits := 0
		for i := range 7 {
			if h[i] >= '0' && h[i] <= '9' {
				digits++
			}
		}
		if digits >= 3 && digits < 7 {
			out = append(out, ledger.Own(h))
		}
	}
	return out
}

var hashes = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)

func (k *againstRepo) Finish(s *ledger.Session, emit Emit) {
	for _, c := range k.claims {
		var h Hit
		var ok bool
		switch c.Subject {
		case claim.Commit, claim.Merge:
			h, ok = k.commit(s, c)
		case claim.Push:
			h, ok = k.push(s, c)
		case claim.File:
			h, ok = k.file(s, c)
		case claim.CleanTree:
			h, ok = k.cleanTree(s, c)
		}
		if !ok || k.told[h.Key] {
			continue
		}
		k.told[h.Key] = true
		h.At, h.Quote = c.Ref, c.Quote
		h.Evidence = append(h.Evidence, at(c.Ref, finding.Claimed, c.Quote, "%s claimed in a %s; the repository was asked when this was checked", c.Subject, c.Where))
		emit(h)
	}
}

// commit asks for the commit that a claim names, or for any that was made.
func (k *againstRepo) commit(s *ledger.Session, c *askedClaim) (Hit, bool) {
	if h, ok := k.madeUp(s, c); ok || len(c.hashes) > 0 {
		return h, ok
	}
	if c.Subject != claim.Commit || !s.Whole(c.Step) || didOK(s, c, deeds[claim.Commit]) || s.Repo.Committed(k.begin, c.Time) != transcript.False {
		return Hit{}, false
	}
	return Hit{
		Message: "a commit is claimed, but the repository got none between " + clock(k.begin) + " and " + clock(c.Time),
		Key:     "commit",
	}, true
}

// madeUp reports a hash that nothing showed and that the repository does not
// have.
func (k *againstRepo) madeUp(s *ledger.Session, c *askedClaim) (Hit, bool) {
	if c.known {
		return Hit{}, false
	}
	for _, hash := range c.hashes {
		if s.Repo.Commit(hash) == transcript.False {
			return Hit{
				Message: "commit " + hash + " is named, but the repository has no such commit and no output in this log showed it",
				Key:     "hash/" + hash[:7],
			}, true
		}
	}
	return Hit{}, false
}

// push asks whether what HEAD stood on, or the commit that is named, ever
// reached a remote.
func (k *againstRepo) push(s *ledger.Session, c *askedClaim) (Hit, bool) {
	if h, ok := k.madeUp(s, c); ok {
		return h, true
	}
	hash := ""
	if len(c.hashes) > 0 {
		hash = c.hashes[len(c.hashes)-1]
	} else if s.Whole(c.Step) && s.Repo.PushedIn(k.begin, c.Time) != transcript.True {
		hash = s.Repo.HeadAt(c.Time)
	}
	if hash == "" || s.Repo.Pushed(hash) != transcript.False {
		return Hit{}, false
	}
	h := Hit{
		Message: "a push is claimed, but no remote-tracking branch of the repository has " + hash[:min(len(hash), 10)] + ", nor had it before",
		Key:     "push/" + hash[:7],
	}
	if didOK(s, c, deeds[claim.Push]) {
		h.Level = finding.Warning // it may have gone elsewhere
	}
	return h, true
}

// file asks for a file that is said to have been written.
func (k *againstRepo) file(s *ledger.Session, c *askedClaim) (Hit, bool) {
	file := strings.Trim(c.Named, "`\"'* ")
	base := path.Base(strings.ReplaceAll(file, "\\", "/"))
	if !strings.Contains(base, ".") || strings.ContainsAny(file, "*{}<> …$") || takenAway.MatchString(c.Quote) || written(s, base) || s.Repo.File(file) != transcript.False {
		return Hit{}, false
	}
	return Hit{
		Message: transcript.Clip(file, 100) + " is said to have been written, but the repository has no such file, neither in the work tree nor in any commit",
		Level:   finding.Warning,
		Key:     "file/" + base,
	}, true
}

var takenAway = regexp.MustCompile(`(?i)delet|remov|renam|mov(e|ing)|dropp?|clean|replac|revert|gone|temp`)

// written reports whether a call wrote the file, or may have: an edit that did
// not fail, or a command that names it and does more than read.
func written(s *ledger.Session, base string) bool {
	for _, c := range s.Calls {
		switch {
		case c.Act == transcript.Edit && (c.Path == "" || strings.HasSuffix(c.Path, base)) && !c.Term().Bad() && !refused(c):
			return true
		case c.Line != nil && strings.Contains(c.Command, base) && !reads(c):
			return true
		}
	}
	return false
}

// cleanTree asks whether a tracked file had been changed when the work tree
// was called clean.
func (k *againstRepo) cleanTree(s *ledger.Session, c *askedClaim) (Hit, bool) {
	if c.seen {
		return Hit{}, false
	}
	file, was := s.Repo.Dirty(c.Time)
	if was != transcript.True {
		return Hit{}, false
	}
	return Hit{
		Message: "the work tree is called clean, but " + transcript.Clip(file, 100) + " was changed before and is still not committed",
		Key:     "clean/" + file,
	}, true
}

// didOK reports whether the log shows that the deed was done before the words,
// as far as its exit code can be seen.
func didOK(s *ledger.Session, c *askedClaim, d deed) bool {
	return slices.ContainsFunc(s.Calls, func(k *ledger.Call) bool {
		step := d.step(k)
		return step != nil && k.Step < c.Step && k.Result != nil && (k.Term().Kind == transcript.TermOK || k.Line.MaskOf(step) != command.MaskNone)
	})
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
