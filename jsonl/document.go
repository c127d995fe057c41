package jsonl

import (
	"bytes"
	"strconv"
)

// walker is the place in a document: which containers are being delivered in
// pieces, and what was read last in each.
type walker struct {
	open     []frame
	path     []byte // of the value at hand
	newlines int    // consumed so far
	midLine  bool   // the last consumed byte is not a line end
	first    bool   // the next piece is the first of its document
	pending  int    // bytes of the current record, to be consumed by the next call
}

// frame is one container whose members are pieces.
type frame struct {
	array bool
	index int // of the next element
	base  int // length of the path of the container
	last  byte
}

const (
	atOpening = '['
	atValue   = 'v'
	atComma   = ','
)

func (f *frame) closer() byte {
	if f.array {
		return ']'
	}
	return '}'
}

// skip consumes n bytes of the window.
func (r *Reader) skip(n int) {
	if n == 0 {
		return
	}
	b := r.win.bytes()[:n]
	r.walk.newlines += bytes.Count(b, []byte{'\n'})
	r.walk.midLine = b[n-1] != '\n'
	r.win.advance(n)
}

// structure consumes n bytes between pieces.
func (r *Reader) structure(n int) {
	r.stats.StructureBytes += int64(n)
	r.skip(n)
}

// nextPiece finds the next piece of a document.
func (r *Reader) nextPiece() bool {
	w := &r.walk
	r.skip(w.pending)
	w.pending = 0
	for {
		c, ok := r.peek()
		if !ok {
			return r.tornDocument()
		}
		if len(w.open) == 0 {
			if r.openDocument(c) {
				return true
			}
			continue
		}
		switch f := &w.open[len(w.open)-1]; {
		case c == f.closer() && f.last != atComma:
			r.structure(1)
			r.pop()
		case c == ',' && f.last == atValue:
			r.structure(1)
			f.last = atComma
		case c == f.closer(): // the comma in front of it is one too many
			f.last = atValue
			r.mark(&Fault{Kind: Malformed, Expected: "a value after ','", Head: head(r.win.bytes())})
			return true
		case f.last == atValue && (c == '{' && f.array || c == '"' && !f.array):
			f.last = atComma
			r.mark(&Fault{Kind: Malformed, Glued: true, Expected: "',' after a value", Head: head(r.win.bytes())})
			return true
		case f.last == atValue:
			return r.broken("',' or '" + string(f.closer()) + "' after a value")
		case r.member(f, c):
			return true
		}
	}
}

// peek consumes white space and returns the next byte.
func (r *Reader) peek() (byte, bool) {
	for {
		b := r.win.bytes()
		i := 0
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		r.structure(i)
		if i < len(b) {
			return b[i], true
		}
		if !r.win.more(r.o.Buffer) {
			return 0, false
		}
	}
}

// peekBehind returns the first byte behind the opening bracket at hand that
// is not white space; 0 when it is not near.
func (r *Reader) peekBehind() byte {
	for i := 1; i <= r.o.MaxLine; i++ {
		for i >= len(r.win.bytes()) {
			if !r.win.more(r.o.MaxLine + 1) {
				return 0
			}
		}
		if c := r.win.bytes()[i]; !isSpace(c) {
			return c
		}
	}
	return 0
}

func (r *Reader) pop() {
	w := &r.walk
	w.open = w.open[:len(w.open)-1]
	r.valueRead()
}

// valueRead notes in the innermost container that a value is complete.
func (r *Reader) valueRead() {
	if n := len(r.walk.open); n > 0 {
		r.walk.open[n-1].last = atValue
	}
}

// openDocument begins a top-level value, or reports what stands in its place.
func (r *Reader) openDocument(c byte) (emitted bool) {
	w := &r.walk
	w.path, w.first = w.path[:0], true
	switch {
	case c == '{' || c == '[':
		return r.value(c)
	case c == 0:
		r.skipFault(&Fault{Kind: NulRun, Expected: "a document"}, func(b []byte) (int, bool) {
			n := len(b) - len(bytes.TrimLeft(b, "\x00"))
			return n, n < len(b)
		})
		return true
	case r.win.off == 0 && bytes.HasPrefix(r.win.bytes(), bom):
		r.stats.BlankBytes += int64(len(bom))
		r.skip(len(bom))
		return false
	}
	return r.broken("an object or an array")
}

// member begins a member of an object or an element of an array.
func (r *Reader) member(f *frame, c byte) (emitted bool) {
	w := &r.walk
	w.path = w.path[:f.base]
	if f.array {
		w.path = strconv.AppendInt(append(w.path, '/'), int64(f.index), 10)
		f.index++
		return r.value(c)
	}
	if c != '"' {
		return r.broken("a key")
	}
	key, n, ok := r.scanKey()
	switch {
	case !ok && n <= r.o.MaxLine && r.try.err.EOF:
		r.tear(r.try.err)
		return true
	case !ok:
		return r.broken("a key")
	}
	w.path = append(append(w.path, '/'), escapeToken(key)...)
	r.structure(n)
	if c, ok = r.peek(); ok && c != ':' {
		return r.broken("':' after a key")
	} else if ok {
		r.structure(1)
		c, ok = r.peek()
	}
	if !ok {
		return r.tornDocument()
	}
	return r.value(c)
}

// scanKey reads the key at hand without consuming it.
func (r *Reader) scanKey() (key string, n int, ok bool) {
	for {
		d := &r.try
		d.data = r.win.bytes()
		d.reset(d.data, 1)
		if d.str() {
			return d.text(&d.nodes[0]), d.i, d.i <= r.o.MaxLine
		}
		if !d.err.EOF || !r.readMore() {
			return "", len(r.win.bytes()), false
		}
	}
}

// readMore doubles what is held, to keep repeated scanning linear.
func (r *Reader) readMore() bool {
	held := len(r.win.bytes())
	for len(r.win.bytes()) < 2*held {
		if !r.win.more(r.o.MaxLine + 1) {
			break
		}
	}
	return len(r.win.bytes()) > held
}

// splitByDefault is the rule for documents: the top-level value, and arrays
// of objects in a top-level object, come in pieces.
func splitByDefault(depth int, parentIsArray bool, c, behind byte) bool {
	return depth == 0 || depth == 1 && !parentIsArray && c == '[' && behind == '{'
}

// value either opens the container at hand, to deliver its members one by
// one, or reads the value as a piece.
func (r *Reader) value(c byte) (emitted bool) {
	w := &r.walk
	if c != '{' && c != '[' || len(w.open) >= r.o.MaxDepth {
		return r.piece()
	}
	behind, depth := r.peekBehind(), len(w.open)
	empty := behind == 0 || behind == c+2 // in ASCII a closing bracket stands two behind its opening one
	inArray := depth > 0 && w.open[depth-1].array
	if empty || !splitByDefault(depth, inArray, c, behind) && (r.o.Split == nil || !r.o.Split(string(w.path))) {
		return r.piece()
	}
	r.structure(1)
	w.open = append(w.open, frame{array: c == '[', base: len(w.path), last: atOpening})
	return false
}

// piece reads the value at hand as one record.
func (r *Reader) piece() bool {
	w, d := &r.walk, &r.doc
	for {
		b := r.win.bytes()
		d.path, d.line, d.cols = "", nil, false
		ok := d.scan(b, r.o.MaxDepth)
		cut := !ok && d.err.EOF || ok && d.i == len(b) // a number might go on
		switch {
		case cut && len(b) <= r.o.MaxLine && r.readMore():
			continue
		case ok && d.i <= r.o.MaxLine:
			d.path = string(w.path)
			r.record(w.newlines+1, r.win.off)
			r.rec.First, w.first = w.first, false
			w.pending = d.i
			r.valueRead()
		case ok, d.err.EOF && len(b) > r.o.MaxLine, d.err.At > r.o.MaxLine:
			r.skipValue(SyntaxError{At: r.o.MaxLine, Expected: "the end of the value", Kind: TooLong})
		case d.err.EOF:
			r.tear(d.err)
		case d.err.Kind == Malformed && !r.balanced():
			err := d.err
			r.broken(err.Expected)
			r.rec.Fault.At = err.At
		default:
			r.skipValue(d.err)
		}
		return true
	}
}

// skipFault consumes bytes as one fault. The function looks at what is held,
// says how much of it belongs to the fault and whether the fault ends there.
func (r *Reader) skipFault(f *Fault, take func(b []byte) (n int, done bool)) {
	off, line := r.win.off, r.walk.newlines+1
	f.Head = head(r.win.bytes())
	for {
		n, done := take(r.win.bytes())
		r.skip(n)
		if done || !r.win.more(r.o.Buffer) {
			break
		}
	}
	n := r.win.off - off
	f.Head = f.Head[:min(int64(len(f.Head)), n)]
	r.fault(f, line, off, n)
	r.rec.Path = string(r.walk.path)
	r.rec.First, r.walk.first = r.walk.first, false
}

// skipValue makes the value at hand a fault. Where it ends is told by its
// brackets alone.
func (r *Reader) skipValue(err SyntaxError) {
	var s skimmer
	r.skipFault(&Fault{Kind: err.Kind, At: err.At, Expected: err.Expected}, s.feed)
	r.valueRead()
}

// balanced reports whether the brackets of the malformed value at hand close
// and the document goes on behind it.
func (r *Reader) balanced() bool {
	for {
		var s skimmer
		b := r.win.bytes()
		b = b[:min(len(b), r.o.MaxLine+1)] // more may be held, depending on the chunks
		n, done := s.feed(b)
		rest := bytes.TrimLeft(b[n:], " \t\r\n")
		if done && len(rest) > 0 {
			open := r.walk.open
			return n > 0 && len(open) > 0 && (rest[0] == ',' || rest[0] == open[len(open)-1].closer())
		}
		if !r.readMore() {
			return false
		}
	}
}

// tear makes the rest of the input, which ends inside the value at hand, a fault.
func (r *Reader) tear(err SyntaxError) {
	r.skipFault(&Fault{Kind: TornTail, At: err.At, Expected: err.Expected}, func(b []byte) (int, bool) {
		return len(b), false
	})
	r.walk.open = r.walk.open[:0]
}

// tornDocument marks the end of an input that ends between two pieces.
func (r *Reader) tornDocument() bool {
	w := &r.walk
	r.stats.Unterminated = w.midLine
	if len(w.open) == 0 {
		return false
	}
	f := &w.open[len(w.open)-1]
	w.path = w.path[:f.base]
	w.open = w.open[:0]
	r.mark(&Fault{Kind: TornTail, Expected: "the rest of a document, up to '" + string(f.closer()) + "'"})
	return true
}

// mark reports a fault that is a place between pieces and has no bytes.
func (r *Reader) mark(f *Fault) {
	line := r.walk.newlines + 1
	if f.Kind == TornTail {
		line = max(1, r.lineCount())
	}
	r.fault(f, line, r.win.off, 0)
	r.rec.Path = string(r.walk.path)
}

// lineCount is the number of physical lines begun in a document.
func (r *Reader) lineCount() int {
	if r.walk.midLine {
		return r.walk.newlines + 1
	}
	return r.walk.newlines
}

// broken gives up where the document stands. It goes on, or a new one begins,
// with a bracket at the very start of a later line: there no value of an
// indented document stands, but each of an array written line by line.
func (r *Reader) broken(expected string) bool {
	lineStart := false
	r.skipFault(&Fault{Kind: Malformed, Expected: expected}, func(b []byte) (int, bool) {
		for n := 0; n < len(b); {
			if lineStart && (b[n] == '{' || b[n] == '[') {
				return n, true
			}
			lineStart = false
			i := bytes.IndexByte(b[n:], '\n')
			if i < 0 {
				break
			}
			n, lineStart = n+i+1, true
		}
		return len(b), false
	})
	w := &r.walk
	if w.open = w.open[:min(1, len(w.open))]; len(w.open) > 0 {
		w.open[0].last = atComma
		if !w.open[0].array {
			w.open = w.open[:0]
		}
	}
	return true
}

// skimmer finds the end of a value by strings and brackets alone, over any
// number of chunks.
type skimmer struct {
	depth   int
	inside  bool // a string
	escaped bool // the next byte of the string
}

// feed returns how many bytes of b belong to the value, and whether it ends there.
func (s *skimmer) feed(b []byte) (n int, done bool) {
	for i, c := range b {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inside:
			s.escaped = c == '\\'
			s.inside = c != '"'
		case c == '"':
			s.inside = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth <= 1 {
				return i + s.depth, true
			}
			s.depth--
		case c == ',' && s.depth == 0:
			return i, true
		}
	}
	return len(b), false
}

// pieces is Record.Pieces.
func pieces(r *Record, split func(path string) bool, yield func(Record) bool) {
	if r.Fault != nil || !r.Root.Exists() {
		yield(*r)
		return
	}
	c := cutter{r, split, yield, true}
	c.cut(r.Root, r.Path, 0, false)
}

// cutter cuts a parsed record into pieces.
type cutter struct {
	r     *Record
	split func(path string) bool
	yield func(Record) bool
	first bool
}

func (c *cutter) cut(v Value, path string, depth int, inArray bool) bool {
	if !c.splits(v, path, depth, inArray) {
		return c.piece(v, path)
	}
	for i, e := range v.Elems() {
		if !c.cut(e, path+"/"+strconv.Itoa(i), depth+1, true) {
			return false
		}
	}
	for key, m := range v.Members() {
		if !c.cut(m, path+"/"+escapeToken(key), depth+1, false) {
			return false
		}
	}
	return true
}

func (c *cutter) splits(v Value, path string, depth int, inArray bool) bool {
	n := v.node()
	if n.kind < Array || n.next == v.i+1 {
		return false
	}
	behind := byte('"')
	if n.kind == Array {
		behind = v.doc.data[v.doc.nodes[v.i+1].start]
	}
	return splitByDefault(depth, inArray, v.doc.data[n.start], behind) || c.split != nil && c.split(path)
}

func (c *cutter) piece(v Value, path string) bool {
	n, p := v.node(), *c.r
	shift := v.Offset() - c.r.Root.Offset()
	p.Offset += int64(shift)
	p.Length = int64(n.end - n.start)
	p.Path, p.Root, p.First, c.first = path, v, c.first, false
	p.FlawOffset -= shift
	if p.FlawOffset < 0 || int64(p.FlawOffset) >= p.Length {
		p.Flaws, p.FlawOffset = 0, 0
	}
	return c.yield(p)
}
