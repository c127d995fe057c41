package transcript

import (
	"io"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// sniffRecords is how many records are looked at before a format is chosen; the
// first few are enough when they are telling.
const (
	sniffRecords = 24
	sniffFirst   = 3
	sureScore    = 90
)

// preferDocument tells a document on one giant line from a giant first record:
// documents hold their messages in an array of the top level.
func preferDocument(keys []string) bool {
	for _, k := range keys {
		switch k {
		case "messages", "trajectory", "history", "steps", "items", "events", "samples":
			return true
		}
	}
	return false
}

// A Reader turns one input into events. Make it with NewReader, then call Read.
type Reader struct {
	lines  *jsonl.Reader
	format *Format
}

// NewReader prepares to read src. A nil format is found by the content.
func NewReader(src io.Reader, o jsonl.Options, format *Format) *Reader {
	r := &Reader{format: format}
	o.Split, o.PreferDocument = r.split, preferDocument // whole documents come in pieces before the format is known
	r.lines = jsonl.NewReader(src, o)
	if r.format == nil {
		r.format = sniffLines(r.lines)
	}
	return r
}

func sniffLines(lines *jsonl.Reader) *Format {
	if f, score := sniff(lines.Probe(sniffFirst)); score >= sureScore {
		return f
	}
	return Sniff(lines.Probe(sniffRecords))
}

// Format is what the input was recognised as, nil when nothing fits.
func (r *Reader) Format() *Format { return r.format }

// Stats accounts for the bytes of the input.
func (r *Reader) Stats() jsonl.Stats { return r.lines.Stats() }

func (r *Reader) split(path string) bool {
	return r.format != nil && r.format.Split != nil && r.format.Split(path)
}

// Read hands every event of the input to emit, in order. The error is the
// source's (an I/O error), never the content's: damage is a Fault event.
func (r *Reader) Read(emit Emit) error {
	if r.format == nil {
		return r.foreign(emit)
	}
	d := r.format.New()
	for r.lines.Next() {
		rec := r.lines.Record()
		if rec.Fault != nil || rec.Flaws != 0 {
			emit(faultEvent(rec))
		}
		if rec.Fault != nil {
			continue
		}
		r.decode(d, rec, emit)
	}
	d.Flush(emit)
	return r.lines.Err()
}

func (r *Reader) decode(d Decoder, rec *jsonl.Record, emit Emit) {
	if !r.format.Pieces || rec.Path != "" {
		d.Decode(rec, emit)
		return
	}
	for piece := range rec.Pieces(r.format.Split) {
		d.Decode(&piece, emit)
	}
}

func faultEvent(rec *jsonl.Record) *Event {
	return &Event{Kind: Fault, Pos: posOf(rec, ""), Fault: rec.Fault, Flaws: rec.Flaws, FlawAt: rec.FlawOffset}
}

// foreign reads an input that nothing recognises: damage is counted, and the
// keys of its first records tell what it might be.
func (r *Reader) foreign(emit Emit) error {
	info := &ForeignInfo{}
	var first Pos
	for r.lines.Next() {
		rec := r.lines.Record()
		if first.Line == 0 {
			first = posOf(rec, "")
		}
		if rec.Fault != nil {
			info.Faults++ // of a file that is no log, damage is no finding of its own
		} else {
			info.see(rec)
		}
	}
	if first.Line > 0 {
		for _, f := range Formats {
			info.Tried = append(info.Tried, f.Name)
		}
		emit(&Event{Kind: Foreign, Pos: first, Foreign: info})
	}
	return r.lines.Err()
}

// see adds the keys of a record, or the key under which a piece of a document
// stands, up to a dozen in all.
func (i *ForeignInfo) see(rec *jsonl.Record) {
	if rec.Path != "" {
		key, _, _ := strings.Cut(rec.Path[1:], "/")
		i.add(key)
		return
	}
	for key := range rec.Root.Members() {
		i.add(key)
	}
}

func (i *ForeignInfo) add(key string) {
	if len(i.Keys) < 12 && !slices.Contains(i.Keys, key) {
		i.Keys = append(i.Keys, Keep(key, 60))
	}
}
