package delivery

import (
	"encoding/json"
	"strconv"
	"strings"
)

// status is how reading a document ended.
type status uint8

const (
	complete   status = iota // the document ended at parser.i
	unfinished               // the text ended inside the document
	broken                   // the grammar does not hold at parser.i
)

const (
	maxDepth  = 10000 // containers inside each other
	maxFields = 512   // distinct field paths that are told apart
)

// parser reads one document by the grammar and counts its fields. It uses no
// recursion, and allocates once for each distinct field path.
type parser struct {
	s      string
	i      int
	stack  []frame
	root   *node
	nodes  int
	crowd  bool // more paths than maxFields
	clips  bool // a string or a row says that something was left out
	sig    string
	expect expectation
}

// expectation is what the grammar wants next.
type expectation uint8

const (
	wantValue expectation = iota
	wantFirst             // a value or the end of the array
	wantKey
	wantFirstKey // a key or the end of the object
	wantColon
	wantNext // a comma or the end of the container
)

// frame is a container that is being read.
type frame struct {
	node   *node
	child  *node  // of the value that was begun
	key    string // of that value, as written
	index  int    // of that value, in an array
	cursor int    // where the next key probably is in node.kids
	array  bool
	begun  bool // a value was begun and is not complete
}

// node is one field path, with the arrays' indexes taken out.
type node struct {
	name        string // as written
	kids        []*node
	byName      map[string]*node
	elem        *node
	whole, part int
}

// parse reads the document that begins s.
func parse(s string) (*parser, status) {
	p := &parser{s: s, root: &node{}, stack: make([]frame, 0, 16)}
	return p, p.run()
}

// run reads until the document is complete or the text does not go on.
func (p *parser) run() status {
	for {
		p.space()
		if p.i >= len(p.s) {
			return unfinished
		}
		if st := p.step(p.s[p.i]); st != unfinished {
			return st
		}
	}
}

// step reads one token; unfinished means: go on.
func (p *parser) step(c byte) status {
	switch p.expect {
	case wantNext:
		return p.next(c)
	case wantColon:
		if c != ':' {
			return broken
		}
		p.i++
		p.expect = wantValue
		return unfinished
	case wantKey, wantFirstKey:
		if c == '}' && p.expect == wantFirstKey {
			return p.close()
		}
		return p.key(c)
	case wantFirst:
		if c == ']' {
			return p.close()
		}
	}
	return p.value(c)
}

// next reads what follows a value.
func (p *parser) next(c byte) status {
	f := &p.stack[len(p.stack)-1]
	switch {
	case c == ',' && f.array:
		p.expect = wantValue
	case c == ',':
		p.expect = wantKey
	case c == ']' && f.array, c == '}' && !f.array:
		return p.close()
	default:
		return broken
	}
	p.i++
	return unfinished
}

// key reads an object's key.
func (p *parser) key(c byte) status {
	if c != '"' {
		return broken
	}
	end, st := str(p.s, p.i)
	if st != complete {
		p.i = end
		return p.stop(st)
	}
	f := &p.stack[len(p.stack)-1]
	f.key = p.s[p.i+1 : end-1]
	f.child = p.field(f)
	f.begun = true
	if len(p.stack) == 1 && p.sig == "" {
		p.sig = f.key
	}
	p.i = end
	p.expect = wantColon
	return unfinished
}

// stop ends a token that could not be read to its end. An unfinished one
// always reaches the end of the text.
func (p *parser) stop(st status) status {
	if st == broken {
		return broken
	}
	p.i = len(p.s)
	return unfinished
}

// value reads a value, or the opening of a container.
func (p *parser) value(c byte) status {
	if n := len(p.stack); n > 0 && p.stack[n-1].array {
		f := &p.stack[n-1]
		if !starts(c) {
			return broken
		}
		f.begun, f.child = true, p.elem(f.node)
	}
	switch {
	case c == '{' || c == '[':
		return p.open(c == '[')
	case len(p.stack) == 0:
		return broken
	}
	end, st := scalar(p.s, p.i)
	if st != complete {
		p.i = end
		return p.stop(st)
	}
	if c == '"' {
		f := &p.stack[len(p.stack)-1]
		p.clips = p.clips || clipped(p.s[p.i+1:end-1], f.array)
	}
	p.i = end
	p.done()
	return unfinished
}

// starts reports whether a byte can start a value.
func starts(c byte) bool {
	switch c {
	case '{', '[', '"', '-', 't', 'f', 'n':
		return true
	}
	return c >= '0' && c <= '9'
}

// open enters a container.
func (p *parser) open(array bool) status {
	if len(p.stack) >= maxDepth {
		return broken
	}
	n := p.root
	if d := len(p.stack); d > 0 {
		n = p.stack[d-1].child
	}
	p.stack = append(p.stack, frame{node: n, array: array})
	p.i++
	p.expect = wantFirstKey
	if array {
		p.expect = wantFirst
	}
	return unfinished
}

// close leaves a container.
func (p *parser) close() status {
	p.i++
	p.stack = p.stack[:len(p.stack)-1]
	if len(p.stack) == 0 {
		return complete
	}
	p.done()
	return unfinished
}

// done counts the value that was read.
func (p *parser) done() {
	f := &p.stack[len(p.stack)-1]
	if f.child != nil {
		f.child.whole++
	}
	f.begun = false
	f.index++
	p.expect = wantNext
}

// field finds or makes the node of the frame's key. Objects of one list have
// their keys in the same order, so the next one is tried first.
func (p *parser) field(f *frame) *node {
	n := f.node
	if n == nil {
		return nil
	}
	if f.cursor < len(n.kids) && n.kids[f.cursor].name == f.key {
		f.cursor++
		return n.kids[f.cursor-1]
	}
	if n.byName != nil {
		if kid := n.byName[f.key]; kid != nil {
			return kid
		}
		return p.add(n, f.key)
	}
	for i, kid := range n.kids {
		if kid.name == f.key {
			f.cursor = i + 1
			return kid
		}
	}
	f.cursor = len(n.kids) + 1
	return p.add(n, f.key)
}

// add makes a node for a new key.
func (p *parser) add(n *node, key string) *node {
	if p.nodes >= maxFields {
		p.crowd = true
		return nil
	}
	p.nodes++
	kid := &node{name: key}
	n.kids = append(n.kids, kid)
	if len(n.kids) == 16 {
		n.byName = make(map[string]*node, 32)
		for _, k := range n.kids {
			n.byName[k.name] = k
		}
	} else if n.byName != nil {
		n.byName[key] = kid
	}
	return kid
}

// elem finds or makes the node of an array's elements.
func (p *parser) elem(n *node) *node {
	if n == nil {
		return nil
	}
	if n.elem == nil {
		if p.nodes >= maxFields {
			p.crowd = true
			return nil
		}
		p.nodes++
		n.elem = &node{}
	}
	return n.elem
}

// cut counts the values that are still open as broken, and returns where.
func (p *parser) cut() (path string, open []string) {
	var b strings.Builder
	for i := range p.stack {
		f := &p.stack[i]
		if !f.begun {
			break
		}
		if f.child != nil {
			f.child.part++
		}
		name := strconv.Itoa(f.index)
		if !f.array {
			name = unquote(f.key)
		}
		if len(open) < 64 {
			open = append(open, name)
		}
		b.WriteByte('/')
		b.WriteString(pointer.Replace(name))
	}
	return b.String(), open
}

// pointer escapes a key for a JSON pointer and for a field path.
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

// unquote reads the escapes of a key.
func unquote(key string) string {
	if strings.IndexByte(key, '\\') < 0 {
		return key
	}
	var s string
	if json.Unmarshal([]byte(`"`+key+`"`), &s) != nil {
		return key
	}
	return s
}

// counts writes what the tree counted into a scan.
func (p *parser) counts(s *Scan) {
	s.Fields, s.RowsWhole, s.RowsPart = map[string]Arrival{}, map[string]int{}, map[string]int{}
	s.Crowded = p.crowd
	p.root.counts("", s)
}

func (n *node) counts(path string, s *Scan) {
	if e := n.elem; e != nil {
		if e.whole > 0 {
			s.RowsWhole[path] += e.whole
		}
		if e.part > 0 {
			s.RowsPart[path] += e.part
		}
		e.counts(path+"[]", s)
	}
	for _, kid := range n.kids {
		name := pointer.Replace(unquote(kid.name))
		if path != "" {
			name = path + "/" + name
		}
		if kid.whole+kid.part > 0 {
			a := s.Fields[name]
			s.Fields[name] = Arrival{Whole: a.Whole + kid.whole, Part: a.Part + kid.part}
		}
		kid.counts(name, s)
	}
}

// space skips white space.
func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\n', '\r', '\t':
			p.i++
		default:
			return
		}
	}
}
