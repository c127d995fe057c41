package jsonl

import (
	"bytes"
	"io"
	"math"
)

const (
	nearPeek = 256 << 10 // bytes looked at to tell lines from documents
	farPeek  = 4 << 20   // the same while not even the first line has ended
)

// verdict is what a look at the head of the input says.
type verdict uint8

const (
	unsure    verdict = iota // a line end has been seen, the value goes on
	firstLine                // the first line goes on
	isLines
	isDocument
)

// detect tells a file of lines from whole documents by the grammar of its
// head: a document goes on over a line end, a line does not. Nothing is
// consumed.
func (r *Reader) detect() bool {
	w := &r.win
	for want := 1; ; {
		for len(w.bytes()) < want && w.more(math.MaxInt) {
		}
		b := w.bytes()
		ended := len(b) < want
		limit := nearPeek
		switch r.judge(b) {
		case isLines:
			return false
		case isDocument:
			return true
		case firstLine:
			limit = farPeek
			if !ended && len(b) >= limit {
				return r.o.PreferDocument != nil && r.o.PreferDocument(r.arrayKeys())
			}
			if ended {
				return false
			}
		case unsure:
			if ended || len(b) >= limit {
				return true
			}
		}
		want = min(2*len(b), max(limit, len(b)+1))
	}
}

// judge looks at the head b of the input, which may be cut anywhere.
func (r *Reader) judge(b []byte) verdict {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n\x00")
	if len(b) == 0 {
		return firstLine
	}
	if b[0] != '{' && b[0] != '[' {
		return isLines
	}
	d := &r.try
	ok := d.scan(b, r.o.MaxDepth)
	line, rest, ended := bytes.Cut(b, []byte{'\n'})
	switch {
	case ok && d.i <= len(line):
		return isLines
	case ok:
		return isDocument
	case d.err.EOF && (!ended || len(bytes.TrimSpace(rest)) == 0):
		return firstLine
	case d.err.At <= len(line):
		return isLines
	}
	second, _, _ := bytes.Cut(rest, []byte{'\n'})
	switch {
	case d.err.EOF:
		return unsure
	case len(bytes.TrimSpace(line)) == 1: // nothing but a bracket
		return isDocument
	case d.err.At <= len(line)+1+len(second) || r.completeLine(second):
		return isLines // the first line was cut where a key or a value may stand
	}
	return isDocument
}

// completeLine reports whether a line holds exactly one record.
func (r *Reader) completeLine(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	_, err := r.try.parse(line, r.o.MaxDepth)
	return err == nil
}

// arrayKeys returns the keys of arrays in the outermost object of the scan
// that has just run into the end of the text.
func (r *Reader) arrayKeys() []string {
	var keys []string
	r.try.topLevel(func(key string, value *node) {
		if value != nil && value.kind == Array {
			keys = append(keys, key)
		}
	})
	return keys
}

// topLevel visits the members of the outermost object of an unfinished scan.
// The last of them may have an unfinished value, or none yet.
func (d *Doc) topLevel(visit func(key string, value *node)) {
	if len(d.nodes) == 0 || d.nodes[0].kind != Object {
		return
	}
	for k := 1; k < len(d.nodes); {
		key := d.text(&d.nodes[k])
		if k+1 >= len(d.nodes) {
			visit(key, nil)
			return
		}
		v := &d.nodes[k+1]
		visit(key, v)
		if v.end == 0 {
			return
		}
		k = int(v.next)
	}
}

// probe reads the head of the input with a second Reader, on a copy.
func (r *Reader) probe(n int) []Probe {
	for {
		found := r.probeHead(n)
		held := len(r.win.bytes())
		if len(found) >= n && (n == 0 || !found[n-1].Partial) || held >= nearPeek {
			return found
		}
		for len(r.win.bytes()) < 2*held && r.win.more(nearPeek) {
		}
		if len(r.win.bytes()) == held {
			return r.probeHead(n)
		}
	}
}

func (r *Reader) probeHead(n int) []Probe {
	text := bytes.Clone(r.win.bytes())
	whole := r.win.err == io.EOF
	o := r.o
	o.Poison = false
	sub := NewReader(nil, o)
	sub.src.in = bytes.NewReader(text) // not as r, which would be looked at for compression
	sub.started, sub.stats.Document = true, r.stats.Document
	var found []Probe
	for len(found) < n && sub.Next() {
		rec := sub.Record()
		raw := text[rec.Offset:][:rec.Length]
		atEnd := rec.Offset+rec.Length == int64(len(text))
		if atEnd && !whole && rec.Fault != nil {
			if rec.Length > 0 {
				found = append(found, partial(rec, raw, o.MaxDepth))
			}
			break
		}
		found = append(found, complete(rec, raw, o.MaxDepth))
	}
	return found
}

// complete copies a record of the look-ahead.
func complete(rec *Record, raw []byte, depth int) Probe {
	p := Probe{Path: rec.Path, Fault: rec.Fault}
	if rec.Fault != nil {
		return p
	}
	d := new(Doc)
	d.mend = true
	p.Root, _ = d.parse(bytes.Clone(raw), depth)
	d.path = rec.Path
	for key := range p.Root.Members() {
		p.Keys = append(p.Keys, key)
	}
	return p
}

// partial makes something readable of a record that is cut by the end of the
// look-ahead: everything that is complete, with all brackets closed.
func partial(rec *Record, raw []byte, depth int) Probe {
	p := Probe{Path: rec.Path, Partial: true}
	d := new(Doc)
	d.mend = true
	raw = bytes.Clone(raw)
	if d.scan(raw, depth) || !d.err.EOF {
		p.Fault = rec.Fault
		return p
	}
	d.topLevel(func(key string, _ *node) { p.Keys = append(p.Keys, key) })
	text := bytes.Clone(raw[:d.good])
	for i := len(d.open) - 1; i >= 0; i-- {
		text = append(text, raw[d.nodes[d.open[i]].start]+2)
	}
	own := new(Doc)
	p.Root, _ = own.parse(text, depth)
	own.path = rec.Path
	return p
}
