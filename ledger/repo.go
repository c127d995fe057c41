package ledger

import (
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Repo tells how the repository that a session worked in stands now. It is
// ground truth outside of the log, and the only one: whoever judges asks it
// and does no I/O. What it cannot tell is Unset. It may be asked by several
// sessions at once.
type Repo interface {
	// Covers reports whether a directory that a session worked in lies in the
	// work tree. Unset: nothing speaks against it (the log was made on another
	// machine, say).
	Covers(dir string) transcript.Flag
	// Commit reports whether a commit with the (abbreviated) hash exists.
	Commit(hash string) transcript.Flag
	// Committed reports whether any commit was made in the span. False only
	// when the repository remembers the whole of it.
	Committed(from, to time.Time) transcript.Flag
	// Pushed reports whether a remote-tracking branch contains the commit, or
	// did so once.
	Pushed(hash string) transcript.Flag
	// PushedIn reports whether a push moved a remote-tracking branch in the
	// span.
	PushedIn(from, to time.Time) transcript.Flag
	// HeadAt is the commit that HEAD stood on at t, "" when that is not known.
	HeadAt(t time.Time) string
	// File reports whether a file with this path, or with one that ends in it,
	// is in the work tree, or is or was in a commit.
	File(path string) transcript.Flag
	// Dirty reports whether a tracked file differs from HEAD and did so at t.
	// Unset with a file: it differs now, and what was then cannot be told.
	Dirty(t time.Time) (file string, was transcript.Flag)
	// Gaps words why questions went unanswered that should not have, "" when
	// none did.
	Gaps() string
}
