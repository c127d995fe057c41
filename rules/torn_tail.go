package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var tornTail = &Rule{
	ID:        "torn-tail",
	Title:     "The log ends in the middle of a record",
	Why:       "The writer was killed, the disk was full, or the file still grows. What came last is not known.",
	Fix:       "Take what the session did last from elsewhere (git, the world): this log does not say.",
	Silent:    "A whole last record without a newline; damage in the middle of the file (malformed-line).",
	Group:     Input,
	Level:     finding.Warning,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Fault),
	New:       func(Settings) Checker { return &torn{} },
}

// torn tells the end once: inside a document a cut record leaves the document
// open as well.
type torn struct {
	silent
	told bool
}

func (t *torn) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if t.told || e.Fault == nil || e.Fault.Kind != jsonl.TornTail {
		return
	}
	t.told = true
	ref := s.Ref(e)
	message := fmt.Sprintf("the log ends inside a record, after %d bytes of it", e.Pos.Length)
	if e.Pos.Length == 0 {
		message = "the log ends before its document does"
	}
	emit(Hit{
		At:       ref,
		Message:  message,
		Quote:    e.Fault.Head,
		Evidence: []finding.Evidence{at(ref, finding.Observed, e.Fault.Head, "expected %s", e.Fault.Expected)},
		Key:      "tail",
	})
}
