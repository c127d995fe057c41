package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var invalidText = &Rule{
	ID:    "invalid-text",
	Title: "Text in the log is damaged",
	Why: "Invalid UTF-8, halves of surrogate pairs and stray byte order marks make readers stop, skip, or silently change what was said; " +
		"NUL characters make databases and some providers refuse the history.",
	Fix: "Make the writer encode text as UTF-8, and replace what it cannot, before it writes the record.",
	Silent: "A byte order mark at the very beginning of the file, or inside a text that a tool printed; a replacement character (U+FFFD), which a " +
		"tool may well print; pairs of surrogate escapes, as JSON writes emoji; other control characters. An escaped NUL is a note: the record can be read.",
	Group:     Input,
	Level:     finding.Warning,
	Precision: finding.VeryHigh,
	Wants:     transcript.Kinds(transcript.Fault),
	New:       func(Settings) Checker { return &damaged{seen: map[jsonl.FlawSet]*damage{}} },
}

// flawsOfText are the kinds of damage that this rule speaks of.
var flawsOfText = []struct {
	flaw  jsonl.FlawSet
	name  string
	level finding.Level
}{
	{jsonl.InvalidUTF8, "text that is not UTF-8", finding.Warning},
	{jsonl.LoneSurrogate, "half of a surrogate pair", finding.Warning},
	{jsonl.Nul, "a NUL character", finding.Note},
	{jsonl.InnerBOM, "a byte order mark", finding.Warning},
}

// damaged tells each kind of damage once a session, with its count.
type damaged struct{ seen map[jsonl.FlawSet]*damage }

type damage struct {
	first ledger.Ref
	count int
}

func (d *damaged) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	for _, kind := range flawsOfText {
		if !e.Flaws.Has(kind.flaw) || kind.flaw == jsonl.InnerBOM && e.FlawAt > 0 {
			continue // a mark behind the beginning of the record stands in a text
		}
		hit := d.seen[kind.flaw]
		if hit == nil {
			hit = &damage{first: s.Ref(e)}
			if e.Flaws == kind.flaw { // else the place may be another flaw's
				hit.first.From, hit.first.To = e.FlawAt, e.FlawAt+1
			}
			d.seen[kind.flaw] = hit
		}
		hit.count++
	}
}

func (d *damaged) Finish(_ *ledger.Session, emit Emit) {
	for _, kind := range flawsOfText {
		if hit := d.seen[kind.flaw]; hit != nil {
			emit(Hit{
				At:       hit.first,
				Level:    kind.level,
				Message:  kind.name + " stands in " + plural(hit.count, "record"),
				Evidence: []finding.Evidence{at(hit.first, finding.Observed, "", "the first of them")},
				Key:      kind.name,
			})
		}
	}
}
