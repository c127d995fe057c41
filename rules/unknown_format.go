package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var unknownFormat = &Rule{
	ID:        "unknown-format",
	Title:     "No adapter recognises the file",
	Why:       "Nothing in it was judged: a clean run over it would mean nothing.",
	Fix:       "Name the format with --input-format, or translate the log into the events format (docs/events.md).",
	Silent:    "Empty files; single records that the file's own adapter does not know.",
	Group:     Input,
	Level:     finding.Warning,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Foreign),
	New:       func(Settings) Checker { return foreign{} },
}

type foreign struct{ silent }

func (foreign) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	ref, keys := s.Ref(e), strings.Join(e.Foreign.Keys, ", ")
	message := "no known log format: the first records have the keys " + keys
	if keys == "" {
		message = "no known log format: no JSON object with keys was read"
	}
	if n := e.Foreign.Faults; n > 0 {
		message += "; " + plural(n, "place") + " in it " + isAre(n) + " no JSON"
	}
	emit(Hit{
		At:       ref,
		Message:  message,
		Evidence: []finding.Evidence{at(ref, finding.Observed, keys, "tried %s", strings.Join(e.Foreign.Tried, ", "))},
		Key:      "format",
	})
}
