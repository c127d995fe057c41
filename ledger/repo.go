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
	// Commit reports whether a commit with the (abbreviated) hash exists.
	Commit(hash string) transcript.Flag
	// Pushed reports whether a remote-tracking branch contains the commit.
	Pushed(hash string) transcript.Flag
	// HeadAt is the newest commit on HEAD's line that was made no later than
	// t; a zero t means now. "" when there is none.
	HeadAt(t time.Time) string
	// File reports whether a file with this path, or with one that ends in it,
	// is in the work tree, or is or was in a commit.
	File(path string) transcript.Flag
	// Dirty reports whether a tracked file differs from HEAD and did so at t.
	// Unset with a file: it differs now, and what was then cannot be told.
	Dirty(t time.Time) (file string, was transcript.Flag)
}
