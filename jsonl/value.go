package jsonl

import (
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// ValueKind is the JSON type of a Value.
type ValueKind uint8

// The kinds of values.
const (
	Absent ValueKind = iota // the zero Value: there is nothing here
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"absent", "null", "bool", "number", "string", "array", "object"}

// String returns the lower-case name of the kind.
func (k ValueKind) String() string { return kindNames[k] }

// Doc is a parsed text: its bytes and a flat index of its values. It is made
// to be used again for one text after another; every Value of the text before
// becomes meaningless then. The zero Doc is ready.
type Doc struct {
	scanner
	data []byte
	off  int64  // of data in the input
	path string // JSON pointer of the root inside its file
	line []byte // the physical line up to the root, without a BOM at the start of the file
	cols bool   // the root lies on one physical line, so columns can be told
}

// Parse parses data, which must hold exactly one JSON value and white space,
// into d and returns its root. It is as strict as encoding/json.Valid, except
// that invalid UTF-8 inside strings is let through, and refuses more than 512
// levels of nesting. The error is a *SyntaxError. Values are views: they hold
// until d is used again or data changes.
func Parse(data []byte, d *Doc) (Value, error) {
	v, err := d.parse(data, defaultDepth)
	if err != nil {
		e := *err
		return v, &e
	}
	return v, nil
}

// ParseString is Parse for a string, which is not copied.
func ParseString(s string, d *Doc) (Value, error) {
	return Parse(unsafe.Slice(unsafe.StringData(s), len(s)), d)
}

func (d *Doc) parse(data []byte, depth int) (Value, *SyntaxError) {
	d.data, d.off, d.path, d.line, d.cols = data, 0, "", nil, false
	if !d.scan(data, depth) {
		return Value{}, &d.err
	}
	if _, more := d.peek(); more {
		d.fail("the end of the text")
		d.nodes = d.nodes[:0]
		return Value{}, &d.err
	}
	return Value{d, 0}, nil
}

// scan parses the value at the start of data; d.i is the end of it.
func (d *Doc) scan(data []byte, depth int) bool {
	if uint64(len(data)) > math.MaxUint32 {
		d.err = SyntaxError{At: math.MaxUint32, Expected: "a text below 4 GiB", Kind: TooLong}
		return false
	}
	d.reset(data, depth)
	d.data = data
	return d.run()
}

// Flaws returns what is wrong with the strings of the parsed text, and the
// byte offset of the first flaw.
func (d *Doc) Flaws() (FlawSet, int) { return d.flaws, d.flaw }

// Value is one JSON value: a view into the bytes of a record or Doc, as short
// lived as they are. The zero Value stands for something absent; every method
// may be called on it.
type Value struct {
	doc *Doc
	i   uint32
}

func (v Value) node() *node {
	if v.doc == nil || int(v.i) >= len(v.doc.nodes) {
		return nil
	}
	return &v.doc.nodes[v.i]
}

// Kind returns the JSON type, Absent for the zero Value.
func (v Value) Kind() ValueKind {
	if n := v.node(); n != nil {
		return n.kind
	}
	return Absent
}

// Exists reports whether there is a value at all, be it null.
func (v Value) Exists() bool { return v.node() != nil }

// Raw returns the bytes of the value as they stand in the input, a view.
func (v Value) Raw() []byte {
	if n := v.node(); n != nil {
		return v.doc.data[n.start:n.end:n.end]
	}
	return nil
}

// inner returns the bytes between the quotes of a string node.
func (d *Doc) inner(n *node) []byte { return d.data[n.start+1 : n.end-1 : n.end-1] }

// text returns the decoded text of a string node, a view where possible.
func (d *Doc) text(n *node) string {
	if n.escaped {
		raw := d.inner(n)
		return view(unescape(make([]byte, 0, len(raw)), raw))
	}
	return view(d.inner(n))
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// isKey reports whether the key node n reads key.
func (d *Doc) isKey(n *node, key string) bool {
	if n.escaped {
		return d.text(n) == key
	}
	return string(d.inner(n)) == key
}

// Get returns the first member of that name of an object.
func (v Value) Get(key string) Value {
	n := v.node()
	if n == nil || n.kind != Object {
		return Value{}
	}
	nodes := v.doc.nodes
	for k := v.i + 1; k < n.next; k = nodes[k+1].next {
		if v.doc.isKey(&nodes[k], key) {
			return Value{v.doc, k + 1}
		}
	}
	return Value{}
}

// At follows keys through nested objects.
func (v Value) At(keys ...string) Value {
	for _, key := range keys {
		v = v.Get(key)
	}
	return v
}

// Index returns element n of an array, counted from 0. It walks: use Elems
// for all of them.
func (v Value) Index(n int) Value {
	for i, e := range v.Elems() {
		if i == n {
			return e
		}
	}
	return Value{}
}

// Len counts the elements of an array or the members of an object; 0 for all
// else.
func (v Value) Len() int {
	n, count := v.node(), 0
	if n == nil || n.kind < Array {
		return 0
	}
	step := uint32(n.kind - Array) // 1 for the key of a member
	for k := v.i + 1; k < n.next; k = v.doc.nodes[k+step].next {
		count++
	}
	return count
}

// Members iterates over the members of an object in file order, repeated
// names included. Keys are views like Str.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		n := v.node()
		if n == nil || n.kind != Object {
			return
		}
		nodes, end := v.doc.nodes, n.next
		for k := v.i + 1; k < end; k = nodes[k+1].next {
			if !yield(v.doc.text(&nodes[k]), Value{v.doc, k + 1}) {
				return
			}
		}
	}
}

// Elems iterates over the elements of an array.
func (v Value) Elems() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		n := v.node()
		if n == nil || n.kind != Array {
			return
		}
		nodes, end, i := v.doc.nodes, n.next, 0
		for k := v.i + 1; k < end; k = nodes[k].next {
			if !yield(i, Value{v.doc, k}) {
				return
			}
			i++
		}
	}
}

// str returns the node of a string, nil for anything else.
func (v Value) str() *node {
	if n := v.node(); n != nil && n.kind == String {
		return n
	}
	return nil
}

// Str returns the decoded text of a string, "" for anything else. It is a
// view when there is nothing to unescape, newly allocated otherwise: clone
// what you keep. Invalid UTF-8 is passed on as it is.
func (v Value) Str() string {
	if n := v.str(); n != nil {
		return v.doc.text(n)
	}
	return ""
}

// RawLen returns the number of bytes between the quotes of a string as
// written, which is never less than the decoded length.
func (v Value) RawLen() int {
	if n := v.str(); n != nil {
		return int(n.end - n.start - 2)
	}
	return 0
}

// Head decodes at most n bytes from the start of a string, ending between
// characters. The rest of the string is not touched.
func (v Value) Head(n int) string {
	s := v.str()
	switch {
	case s == nil || n <= 0:
		return ""
	case s.escaped:
		return view(unescapeHead(v.doc.inner(s), n))
	}
	return view(cutHead(v.doc.inner(s), n))
}

// Tail decodes at most n bytes from the end of a string, starting between
// characters. The rest of the string is not touched.
func (v Value) Tail(n int) string {
	s := v.str()
	switch {
	case s == nil || n <= 0:
		return ""
	case s.escaped:
		return view(unescapeTail(v.doc.inner(s), n))
	}
	return view(cutTail(v.doc.inner(s), n))
}

// Int returns a number that is a whole one and fits; 1.0 and 1e3 count as
// whole while a float64 holds them exactly.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	s := view(v.Raw())
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 || !strings.ContainsAny(s, ".eE") {
		return 0, false
	}
	return int64(f), true
}

// Float returns a number as a float64; false when it is none or out of range.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(view(v.Raw()), 64)
	return f, err == nil
}

// Bool returns a boolean and whether there is one.
func (v Value) Bool() (val, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.Raw()[0] == 't', true
}

// Offset returns where the value starts, in bytes from Record.Offset (or from
// the start of the text given to Parse). In a piece cut from a line with
// Record.Pieces it counts from the start of the line's record.
func (v Value) Offset() int {
	if n := v.node(); n != nil {
		return int(n.start)
	}
	return 0
}

// FileOffset returns where the value starts, in bytes from the start of the
// (decompressed) input.
func (v Value) FileOffset() int64 {
	if n := v.node(); n != nil {
		return v.doc.off + int64(n.start)
	}
	return 0
}

// Pointer returns the RFC 6901 JSON pointer of the value inside its record or
// document, "" for a whole line. It is put together on demand.
func (v Value) Pointer() string { return string(v.AppendPointer(nil)) }

// AppendPointer appends the value's JSON pointer to dst.
func (v Value) AppendPointer(dst []byte) []byte {
	if v.node() == nil {
		return dst
	}
	nodes := v.doc.nodes
	dst = append(dst, v.doc.path...)
	for at := uint32(0); at != v.i; {
		step := uint32(nodes[at].kind - Array)
		k, i := at+1, 0
		for nodes[k+step].next <= v.i {
			k, i = nodes[k+step].next, i+1
		}
		if step == 1 {
			dst = append(append(dst, '/'), escapeToken(v.doc.text(&nodes[k]))...)
		} else {
			dst = strconv.AppendInt(append(dst, '/'), int64(i), 10)
		}
		at = k + step
		if at > v.i { // v is the key itself
			break
		}
	}
	return dst
}

func escapeToken(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// Column returns the columns of the value in its physical line: 1-based, in
// UTF-16 code units, the end exclusive. A byte order mark at the start of the
// file is not counted, an invalid byte counts as one unit. It counts on demand
// and returns 0, 0 for a piece of a document and for a text given to Parse.
func (v Value) Column() (start, end int) {
	n := v.node()
	if n == nil || !v.doc.cols {
		return 0, 0
	}
	start = 1 + utf16Len(v.doc.line) + utf16Len(v.doc.data[:n.start])
	return start, start + utf16Len(v.doc.data[n.start:n.end])
}

func utf16Len(b []byte) int {
	n := 0
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b, n = b[1:], n+1
			continue
		}
		r, size := utf8.DecodeRune(b)
		if r > 0xFFFF {
			n++
		}
		b, n = b[size:], n+1
	}
	return n
}

// firstKeys appends the raw first and second key of an object to sig: enough
// to recognise the start of a record of the same kind.
func (v Value) firstKeys(sig []byte) []byte {
	n := v.node()
	if n == nil || n.kind != Object || v.i+1 >= n.next {
		return sig
	}
	nodes, k := v.doc.nodes, v.i+1
	sig = append(sig, v.doc.inner(&nodes[k])...)
	if k = nodes[k+1].next; k < n.next {
		sig = append(append(sig, 0), v.doc.inner(&nodes[k])...)
	}
	return sig
}
