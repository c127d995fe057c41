package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var malformedLine = &Rule{
	ID:    "malformed-line",
	Title: "A line is not JSON",
	Why: "What the line said is lost to every reader of this log, and facts that it held (a result, an end, a decision) " +
		"look as if they had never been.",
	Fix: "Find the writer that tore or glued the line: append whole lines with one write, one record a line.",
	Silent: "A torn last line (torn-tail); blank lines; a byte order mark at the beginning; records that are spread over several lines. " +
		"Two records on one line that were both read are a warning, since nothing is lost; so is a line that was skipped because of this tool's own limits. Plain text lines, " +
		"of writers that mix notices with records, are told once, with their count, as a note.",
	Group:     Input,
	Level:     finding.Error,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Fault),
	New:       func(Settings) Checker { return &malformed{} },
}

type malformed struct {
	plain int // lines that never were JSON
	first ledger.Ref
	head  string
}

func (m *malformed) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	f := e.Fault
	if f == nil && e.Flaws.Has(jsonl.BadEscape) {
		ref := s.Ref(e)
		if e.Flaws == jsonl.BadEscape { // else the place may be another flaw's
			ref.From, ref.To = e.FlawAt, e.FlawAt+1
		}
		m.mended(ref, emit)
		return
	}
	if f == nil || f.Kind == jsonl.TornTail {
		return
	}
	ref := s.Ref(e)
	if f.Kind == jsonl.NotJSON {
		if m.plain++; m.plain == 1 {
			m.first, m.head = ref, f.Head
		}
		return
	}
	level, message := wordFault(f, e.Pos.Length)
	if broke := f.At; broke > 0 && int64(broke) < e.Pos.Length {
		ref.From, ref.To = broke, broke+1
	}
	emit(Hit{
		At:       ref,
		Level:    level,
		Message:  message,
		Quote:    f.Head,
		Evidence: []finding.Evidence{at(ref, finding.Observed, f.Head, "%s: expected %s", f.Kind, f.Expected)},
		Key:      f.Kind.String() + f.Head,
	})
}

// mended reports a record that is not JSON and was read all the same.
func (m *malformed) mended(ref ledger.Ref, emit Emit) {
	emit(Hit{
		At:       ref,
		Message:  "the record is not JSON: it holds an escape that JSON does not know; it was read with the backslash as it stands",
		Evidence: []finding.Evidence{at(ref, finding.Observed, "", "no other reader has to be as lenient")},
		Key:      "escape",
	})
}

// wordFault says what was lost, and how bad that is.
func wordFault(f *jsonl.Fault, length int64) (finding.Level, string) {
	switch {
	case f.Glued && length == 0:
		return finding.Warning, "two records stand on one line; both were read"
	case f.Glued && f.Kind != jsonl.NulRun:
		return finding.Error, fmt.Sprintf("a record breaks off at byte %d and another one begins on the same line", f.At)
	case f.Kind == jsonl.TooLong:
		return finding.Warning, fmt.Sprintf("a line of %d bytes is over the limit and was skipped (raise --max-line-bytes)", length)
	case f.Kind == jsonl.TooDeep, f.Kind == jsonl.TooMany:
		return finding.Warning, fmt.Sprintf("a record of %d bytes is too deep or too crowded to be read and was skipped", length)
	case f.Kind == jsonl.NulRun:
		return finding.Error, plural(int(length), "NUL byte") + " where a record should stand"
	case f.Kind == jsonl.Encoding:
		return finding.Error, "the data is damaged here and cannot be read on: " + f.Expected
	}
	return finding.Error, fmt.Sprintf("the line is not JSON: it breaks at byte %d (expected %s)", f.At, f.Expected)
}

func (m *malformed) Finish(_ *ledger.Session, emit Emit) {
	if m.plain == 0 {
		return
	}
	emit(Hit{
		At:       m.first,
		Level:    finding.Note,
		Message:  plural(m.plain, "plain text line") + " among the records",
		Quote:    m.head,
		Evidence: []finding.Evidence{at(m.first, finding.Observed, m.head, "the first of them")},
		Key:      "plain",
	})
}
