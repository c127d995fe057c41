package jsonl

import (
	"bytes"
	"slices"
)

var bom = []byte("\xEF\xBB\xBF")

// nextInLine finds the next record or fault in what is left of the line.
func (r *Reader) nextInLine() bool {
	l := &r.lines
	innerBOM := r.skipBlank()
	rest := l.text[l.pos:]
	if len(rest) == 0 {
		return false
	}
	switch c := rest[0]; {
	case c == 0:
		n := len(rest) - len(bytes.TrimLeft(rest, "\x00"))
		r.lineFault(&Fault{Kind: NulRun, Expected: "a record"}, n)
	case c != '{' && c != '[':
		r.junk(rest)
	case l.seen > 0 && !l.glued:
		l.glued = true
		r.lineFault(&Fault{Kind: Malformed, Glued: true, Expected: "a line end between two records"}, 0)
	default:
		r.lineRecord(rest)
		if innerBOM && r.rec.Fault == nil {
			r.rec.Flaws |= InnerBOM
			r.rec.FlawOffset = 0
		}
	}
	return true
}

// skipBlank steps over white space and byte order marks.
func (r *Reader) skipBlank() (innerBOM bool) {
	l := &r.lines
	start := l.pos
	for l.pos < len(l.text) {
		if isSpace(l.text[l.pos]) {
			l.pos++
		} else if bytes.HasPrefix(l.text[l.pos:], bom) {
			if r.win.off == 0 && l.pos == 0 {
				l.bom = len(bom)
			} else {
				innerBOM = true
			}
			l.pos += len(bom)
		} else {
			break
		}
	}
	r.stats.BlankBytes += int64(l.pos - start)
	return innerBOM
}

// lineFault makes the next n bytes of the line a fault.
func (r *Reader) lineFault(f *Fault, n int) {
	l := &r.lines
	if n > 0 {
		f.Head = head(l.text[l.pos : l.pos+n])
	} else {
		f.Head = head(l.text[l.pos:])
	}
	r.fault(f, r.stats.Lines, r.win.off+int64(l.pos), int64(n))
	l.pos += n
	if n > 0 {
		l.glued = true // whatever follows, this fault has reported it
	}
}

// junk handles bytes that do not begin like a record: a line of console
// output, or the remains of a record behind a sound one.
func (r *Reader) junk(rest []byte) {
	f := &Fault{Kind: NotJSON, Expected: "an object or an array"}
	if r.lines.seen > 0 {
		f = &Fault{Kind: Malformed, Expected: "the end of the line"}
	}
	n := r.findSplit(rest, 0, true)
	f.Glued = n > 0
	if n == 0 {
		n = trimmed(rest)
	}
	r.lineFault(f, n)
}

func trimmed(b []byte) int { return len(bytes.TrimRight(b, " \t\r\n")) }

// lineRecord parses the record at the front of rest. When it breaks, the
// fault covers the bytes up to the next record that starts on this line.
func (r *Reader) lineRecord(rest []byte) {
	l, d := &r.lines, &r.doc
	d.path, d.line, d.cols = "", l.text[l.bom:l.pos], true
	if d.scan(rest, r.o.MaxDepth) {
		r.record(r.stats.Lines, r.win.off+int64(l.pos))
		l.pos += d.i
		l.seen++
		l.glued = false
		r.learn()
		return
	}
	if d.flaws.Has(BadEscape) { // it did not help: break where JSON breaks
		d.mend = false
		d.scan(rest, r.o.MaxDepth)
		d.mend = true
	}
	err := d.err
	f := &Fault{Kind: err.Kind, At: err.At, Expected: err.Expected}
	if err.EOF && l.end == 0 {
		f.Kind = TornTail
	}
	n := 0
	if err.Kind == Malformed {
		n = r.findSplit(rest, err.At, err.EOF)
	}
	f.Glued = n > 0
	if n == 0 {
		n = trimmed(rest)
	}
	f.At = min(f.At, n)
	r.lineFault(f, n)
}

const (
	maxShapes = 8
	maxTries  = 64
)

// learn remembers with which keys the records of this input begin, to know
// one again where it starts in the middle of a line.
func (r *Reader) learn() {
	l := &r.lines
	if len(l.shapes) >= maxShapes {
		return
	}
	l.shape = r.rec.Root.firstKeys(l.shape[:0])
	if len(l.shape) > 0 && len(l.shape) < 200 && !r.known(l.shape) {
		l.shapes = append(l.shapes, bytes.Clone(l.shape))
	}
}

func (r *Reader) known(shape []byte) bool {
	return slices.ContainsFunc(r.lines.shapes, func(s []byte) bool { return bytes.Equal(s, shape) })
}

// findSplit looks for a record that starts behind the start of b and runs to
// the end of the line, or up to another one: a writer was cut off in the
// middle of a record and the next one went on, on the same line. It returns 0
// when there is none. The damage shows at byte at, at the latest two bytes
// behind the start of the new record, unless that stands where a value may
// stand: then (strict) anything nested looks like it, so only a record that
// begins like earlier ones counts.
func (r *Reader) findSplit(b []byte, at int, strict bool) int {
	opening := []byte(`{"`)
	from := 1
	if !strict {
		from = max(1, bytes.LastIndex(b[:min(len(b), at+len(opening))], opening))
	}
	budget := 4*len(b) + 1<<20 // bytes of vain parsing
	for tries := 0; tries < maxTries && budget > 0; from++ {
		i := -1
		if from < len(b) {
			i = bytes.Index(b[from:], opening)
		}
		if i < 0 {
			return 0
		}
		from += i
		if strict && !r.beginsKnown(b[from+len(opening):]) {
			continue
		}
		ok := r.try.scan(b[from:], r.o.MaxDepth)
		if ok && r.endsRecord(b[from+r.try.i:]) && (!strict || r.known(Value{&r.try, 0}.firstKeys(nil))) {
			return from
		}
		budget -= r.try.i
		tries++
	}
	return 0
}

// beginsKnown is the cheap part of known: b begins like the first key of
// some earlier record.
func (r *Reader) beginsKnown(b []byte) bool {
	return slices.ContainsFunc(r.lines.shapes, func(s []byte) bool {
		key, _, _ := bytes.Cut(s, []byte{0})
		return bytes.HasPrefix(b, key)
	})
}

// endsRecord reports whether a record may end in front of b.
func (r *Reader) endsRecord(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r")
	return len(b) == 0 || b[0] == 0 || b[0] == '{'
}
