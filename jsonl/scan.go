package jsonl

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// node is one value, or one object key, on the tape of a Doc. Nodes stand in
// document order: a container is followed by its children, an object's
// children alternate between key and value.
type node struct {
	start, end uint32 // bytes in Doc.data; a string includes its quotes
	next       uint32 // index of the node behind this one and all its children
	kind       ValueKind
	escaped    bool // a string with at least one backslash
}

const (
	defaultDepth = 512
	maxNodes     = 4 << 20 // 64 MiB of tape for one record, whatever its text is
	keepNodes    = 1 << 18 // a longer tape is dropped after use
)

// scanner is the one pass over the bytes of a value: it validates strictly
// after RFC 8259 and builds the tape. It never recurses, so that no input can
// exhaust the stack.
type scanner struct {
	b     []byte
	i     int
	nodes []node
	open  []uint32 // the containers that are open, outermost first
	depth int      // limit of len(open)
	flaws FlawSet
	flaw  int  // offset of the first flaw
	good  int  // behind the last complete value or opening bracket: where a repair can cut
	mend  bool // read over an escape that JSON does not know, and note it as a flaw
	err   SyntaxError
}

// reset makes the scanner ready for b and keeps its memory.
func (s *scanner) reset(b []byte, depth int) {
	if cap(s.nodes) > keepNodes {
		s.nodes = nil
	}
	s.b, s.i, s.good, s.depth = b, 0, 0, depth
	s.nodes, s.open = s.nodes[:0], s.open[:0]
	s.flaws, s.flaw = 0, 0
}

// run scans one value, with the white space in front of it, and leaves s.i
// behind it. When it returns false, s.err says why.
func (s *scanner) run() bool {
	for {
		opened, ok := s.value()
		if !ok {
			return false
		}
		if opened {
			continue
		}
		done, ok := s.after()
		if done || !ok {
			return ok
		}
	}
}

// value scans a scalar or an empty container as a whole. Of any other
// container it only opens it (and its first key) and reports opened.
func (s *scanner) value() (opened, ok bool) {
	c, ok := s.peek()
	if !ok {
		return false, s.fail("a value")
	}
	if len(s.nodes) >= maxNodes {
		return false, s.failAs(TooMany, "fewer values in one record")
	}
	switch c {
	case '"':
		return false, s.str()
	case '{':
		return s.push(Object, '}')
	case '[':
		return s.push(Array, ']')
	case 't':
		return false, s.word("true", Bool)
	case 'f':
		return false, s.word("false", Bool)
	case 'n':
		return false, s.word("null", Null)
	}
	if c == '-' || c-'0' <= 9 {
		return false, s.number()
	}
	return false, s.fail("a value")
}

// push opens a container. An empty one is closed at once.
func (s *scanner) push(kind ValueKind, closer byte) (opened, ok bool) {
	if len(s.open) >= s.depth {
		return false, s.failAs(TooDeep, "fewer levels of nesting")
	}
	s.open = append(s.open, uint32(len(s.nodes)))
	s.add(kind, s.i, 0)
	s.i++
	s.good = s.i
	c, ok := s.peek()
	if ok && c == closer {
		s.pop()
		return false, true
	}
	if kind == Object {
		return true, s.key("a key or '}'")
	}
	if !ok {
		return false, s.fail("a value or ']'")
	}
	return true, true
}

// pop closes the innermost container at its closing bracket.
func (s *scanner) pop() {
	s.i++
	n := &s.nodes[s.open[len(s.open)-1]]
	n.end, n.next = uint32(s.i), uint32(len(s.nodes))
	s.open = s.open[:len(s.open)-1]
	s.good = s.i
}

// after goes on behind a complete value: closes containers, or steps over a
// comma (and the next key). It reports done when the outermost value is complete.
func (s *scanner) after() (done, ok bool) {
	for {
		s.good = s.i
		if len(s.open) == 0 {
			return true, true
		}
		inObject := s.nodes[s.open[len(s.open)-1]].kind == Object
		c, _ := s.peek()
		switch {
		case c == ',':
			s.i++
			if inObject {
				return false, s.key("a key")
			}
			return false, true
		case c == '}' && inObject, c == ']' && !inObject:
			s.pop()
		case inObject:
			return false, s.fail("',' or '}' after a value")
		default:
			return false, s.fail("',' or ']' after a value")
		}
	}
}

// key scans an object key and its colon.
func (s *scanner) key(expected string) bool {
	if c, _ := s.peek(); c != '"' {
		return s.fail(expected)
	}
	if !s.str() {
		return false
	}
	if c, _ := s.peek(); c != ':' {
		return s.fail("':' after a key")
	}
	s.i++
	return true
}

// peek skips white space and returns the next byte; 0, false at the end.
func (s *scanner) peek() (byte, bool) {
	for s.i < len(s.b) {
		c := s.b[s.i]
		if c > ' ' || !isSpace(c) {
			return c, true
		}
		s.i++
	}
	return 0, false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func (s *scanner) add(kind ValueKind, start, end int) {
	if len(s.nodes) == cap(s.nodes) {
		s.nodes = slices.Grow(s.nodes, max(256, len(s.nodes))) // append alone grows a long tape too often
	}
	s.nodes = append(s.nodes, node{
		start: uint32(start), end: uint32(end), next: uint32(len(s.nodes) + 1), kind: kind,
	})
}

func (s *scanner) fail(expected string) bool { return s.failAs(Malformed, expected) }

func (s *scanner) failAs(kind FaultKind, expected string) bool {
	s.err = SyntaxError{At: s.i, Expected: expected, EOF: kind == Malformed && s.i >= len(s.b), Kind: kind}
	return false
}

// word scans one of the three literal names.
func (s *scanner) word(w string, kind ValueKind) bool {
	start := s.i
	for k := range len(w) {
		if s.i >= len(s.b) || s.b[s.i] != w[k] {
			return s.fail(w)
		}
		s.i++
	}
	s.add(kind, start, s.i)
	return true
}

// number scans a number; what follows it is checked by the caller's grammar.
func (s *scanner) number() bool {
	start := s.i
	if s.b[s.i] == '-' {
		s.i++
	}
	if s.i < len(s.b) && s.b[s.i] == '0' {
		s.i++
	} else if !s.digits() {
		return s.fail("a digit")
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if !s.digits() {
			return s.fail("a digit after '.'")
		}
	}
	if s.i < len(s.b) && s.b[s.i]|0x20 == 'e' {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		if !s.digits() {
			return s.fail("a digit of the exponent")
		}
	}
	s.add(Number, start, s.i)
	return true
}

func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
		s.i++
	}
	return s.i > start
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, with the high bit of its byte, the first quote, backslash or
// control byte of w. Marks above the first may be false.
func special(w uint64) uint64 {
	q, e := w^ones*'"', w^ones*'\\'
	return ((q-ones)&^q | (e-ones)&^e | (w-ones*0x20)&^w) & highs
}

// str scans a string whose opening quote stands at s.i.
func (s *scanner) str() bool {
	b, start, i := s.b, s.i, s.i+1
	var seen uint64 // the or of all words: tells whether any byte is not ASCII
	escaped := false
	for {
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			seen |= w
			if m := special(w); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			s.i = len(b)
			return s.fail("'\"' at the end of a string")
		}
		switch c := b[i]; {
		case c == '"':
			s.endString(start, i+1, escaped, seen)
			return true
		case c == '\\':
			escaped = true
			if i+1 < len(b) && plainEscape[b[i+1]] {
				i += 2
				continue
			}
			if s.i = i; !s.escape() {
				return false
			}
			i = s.i
		case c < 0x20:
			s.i = i
			return s.fail("no raw control byte in a string")
		default: // the last bytes of the text, fewer than a word
			seen |= uint64(c)
			i++
		}
	}
}

// endString puts a string on the tape and looks at its text when it is not
// plain ASCII.
func (s *scanner) endString(start, end int, escaped bool, seen uint64) {
	s.add(String, start, end)
	s.nodes[len(s.nodes)-1].escaped = escaped
	s.i = end
	if seen&highs != 0 {
		s.text(start, end)
	}
}

// text notes the flaws of the string b[start:end].
func (s *scanner) text(start, end int) {
	t := s.b[start:end]
	if !utf8.Valid(t) {
		s.note(InvalidUTF8, start+invalidAt(t))
	}
	if i := bytes.Index(t, []byte("\uFEFF")); i >= 0 {
		s.note(InnerBOM, start+i)
	}
	if i := bytes.Index(t, []byte("\uFFFD")); i >= 0 {
		s.note(Replacement, start+i)
	}
}

// invalidAt returns the offset of the first byte of t that is not UTF-8.
func invalidAt(t []byte) int {
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRune(t[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(t)
}

func (s *scanner) note(f FlawSet, at int) {
	if s.flaws == 0 || at < s.flaw {
		s.flaw = at
	}
	s.flaws |= f
}

// plainEscape tells the bytes that stand behind a backslash alone.
var plainEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escape scans one escape sequence at s.i, or two when they form a surrogate
// pair.
func (s *scanner) escape() bool {
	at := s.i
	s.i++
	if s.i >= len(s.b) {
		return s.fail("an escape sequence")
	}
	switch c := s.b[s.i]; {
	case plainEscape[c]:
		s.i++
		return true
	case c == 'u':
	case s.mend && c >= ' ':
		s.note(BadEscape, at)
		return true // the backslash stands for itself
	default:
		return s.fail("an escape sequence")
	}
	s.i++
	if !s.hex4() {
		return false
	}
	switch u := hex(s.b[at+2:]); {
	case u == 0:
		s.note(Nul, at)
	case u&0xFC00 == 0xD800:
		if low, ok := escapedUnit(s.b[s.i:]); ok && low&0xFC00 == 0xDC00 {
			s.i += 6
			return true
		}
		s.note(LoneSurrogate, at)
	case u&0xFC00 == 0xDC00:
		s.note(LoneSurrogate, at)
	}
	return true
}

func (s *scanner) hex4() bool {
	for range 4 {
		if s.i >= len(s.b) || unhex(s.b[s.i]) > 15 {
			return s.fail("four hex digits")
		}
		s.i++
	}
	return true
}
