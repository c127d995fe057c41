package rules

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// The rules about the container: what is no record, and what is damaged.

var malformedLine = &Rule{
	ID:    "malformed-line",
	Title: "A line is not JSON",
	Why: "What the line said is lost to every reader of this log, and facts that it held (a result, an end, a decision) " +
		"look as if they had never been.",
	Fix:       "Find the writer that tore or glued the line: append whole lines with one write, one record a line.",
	Silent:    "A torn last line (torn-tail); plain text lines in streams whose writers mix notices with records are told once with their count, as a note.",
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
	emit(Hit{
		At:       ref,
		Message:  wordFault(f, e.Pos.Length),
		Quote:    f.Head,
		Evidence: []finding.Evidence{at(ref, finding.Observed, f.Head, "%s", detail(f))},
		Key:      f.Kind.String() + f.Head,
	})
}

func wordFault(f *jsonl.Fault, length int64) string {
	switch {
	case f.Glued:
		return fmt.Sprintf("a record breaks off at byte %d and another one begins on the same line", f.At)
	case f.Kind == jsonl.TooLong:
		return fmt.Sprintf("a line of %d bytes is over the limit and was skipped (raise --max-line-bytes)", length)
	case f.Kind == jsonl.TooDeep:
		return "a line is nested too deeply and was skipped"
	case f.Kind == jsonl.NulRun:
		return fmt.Sprintf("%d NUL bytes stand where a record should", length)
	case f.Kind == jsonl.Encoding:
		return "the compressed data is damaged here: " + f.Expected
	}
	return fmt.Sprintf("the line is not JSON: %s at byte %d", f.Expected, f.At)
}

func detail(f *jsonl.Fault) string {
	if f.Expected == "" {
		return f.Kind.String()
	}
	return f.Kind.String() + ": " + f.Expected
}

func (m *malformed) Finish(_ *ledger.Session, emit Emit) {
	if m.plain == 0 {
		return
	}
	emit(Hit{
		At:       m.first,
		Level:    finding.Note,
		Message:  plural(m.plain, "plain text line") + " between the records",
		Quote:    m.head,
		Evidence: []finding.Evidence{at(m.first, finding.Observed, m.head, "the first of them")},
		Key:      "plain",
	})
}

var tornTail = &Rule{
	ID:        "torn-tail",
	Title:     "The last line is cut",
	Why:       "The log ends in the middle of a record: the writer was killed, the disk was full, or the file still grows. What came last is not known.",
	Fix:       "Take what the session did last from elsewhere (git, the world): this log does not say.",
	Silent:    "A valid last record without a newline.",
	Group:     Input,
	Level:     finding.Warning,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Fault),
	New:       func(Settings) Checker { return torn{} },
}

type torn struct{ silent }

func (torn) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Fault == nil || e.Fault.Kind != jsonl.TornTail {
		return
	}
	ref := s.Ref(e)
	emit(Hit{
		At:       ref,
		Message:  fmt.Sprintf("the log ends inside a record, after %d bytes of it", e.Pos.Length),
		Quote:    e.Fault.Head,
		Evidence: []finding.Evidence{at(ref, finding.Observed, e.Fault.Head, "%s", detail(e.Fault))},
		Key:      "tail",
	})
}

var invalidText = &Rule{
	ID:        "invalid-text",
	Title:     "Text in the log is damaged",
	Why:       "NUL bytes, invalid UTF-8 or halves of surrogate pairs make readers stop, skip or silently change what was said; providers refuse such history.",
	Fix:       "Make the writer encode text as UTF-8 and replace what it cannot, before it writes the record.",
	Silent:    "A byte order mark at the very beginning.",
	Group:     Input,
	Level:     finding.Warning,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Fault),
	New:       func(Settings) Checker { return &damaged{} },
}

// damaged tells each kind of damage once a session, with its count.
type damaged struct {
	order []string
	seen  map[string]*damage
}

type damage struct {
	first ledger.Ref
	count int
}

func (d *damaged) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	for _, name := range e.Flaws.Names() {
		if d.seen == nil {
			d.seen = map[string]*damage{}
		}
		if d.seen[name] == nil {
			d.seen[name] = &damage{first: s.Ref(e)}
			d.order = append(d.order, name)
		}
		d.seen[name].count++
	}
}

func (d *damaged) Finish(_ *ledger.Session, emit Emit) {
	for _, name := range d.order {
		hit := d.seen[name]
		emit(Hit{
			At:       hit.first,
			Message:  name + " in " + plural(hit.count, "record"),
			Evidence: []finding.Evidence{at(hit.first, finding.Observed, "", "the first of them")},
			Key:      name,
		})
	}
}

var unknownFormat = &Rule{
	ID:        "unknown-format",
	Title:     "No adapter recognises the file",
	Why:       "Nothing in it was judged: a clean run over it would mean nothing.",
	Fix:       "Name the format with --input-format, or describe it in a mapping; `transcript-lint inspect` shows what was seen.",
	Silent:    "Empty files.",
	Group:     Input,
	Level:     finding.Warning,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Foreign),
	New:       func(Settings) Checker { return foreign{} },
}

type foreign struct{ silent }

func (foreign) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	emit(Hit{
		At:      s.Ref(e),
		Message: "no known log format: the first records have the keys " + strings.Join(e.Foreign.Keys, ", "),
		Evidence: []finding.Evidence{
			at(s.Ref(e), finding.Observed, strings.Join(e.Foreign.Keys, ", "), "tried %s", strings.Join(e.Foreign.Tried, ", ")),
		},
		Key: "format",
	})
}
