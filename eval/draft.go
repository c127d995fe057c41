package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// A line of a draft. It is known by its address, since its number changes.
type line struct {
	text    []byte
	planted bool // part of the fault, or of the words that it contradicts
}

// A draft is a session that is being changed.
type draft struct {
	s     *session
	lines []*line
	old   []*line // by its number in the session, from 1; nil at 0
	torn  bool    // the last line ends without a line break
	rnd   *rand.Rand
	ids   int
}

func (s *session) draft(rnd *rand.Rand) *draft {
	d := &draft{s: s, old: []*line{nil}, rnd: rnd}
	for _, text := range s.lines {
		l := &line{text: text}
		d.lines = append(d.lines, l)
		d.old = append(d.old, l)
	}
	return d
}

// bytes is the log as it is now.
func (d *draft) bytes() []byte {
	var b bytes.Buffer
	for i, l := range d.lines {
		b.Write(l.text)
		if i < len(d.lines)-1 || !d.torn {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// planted are the numbers of the lines that the fault is made of.
func (d *draft) planted() map[int]bool {
	nos := map[int]bool{}
	no := 1
	for _, l := range d.lines {
		if l.planted {
			nos[no] = true
		}
		no += 1 + bytes.Count(l.text, []byte("\n"))
	}
	return nos
}

func (d *draft) at(l *line) int {
	for i, k := range d.lines {
		if k == l {
			return i
		}
	}
	return -1
}

// insert puts lines behind another one and returns them.
func (d *draft) insert(after *line, texts ...[]byte) []*line {
	i := d.at(after) + 1
	added := make([]*line, len(texts))
	for k, text := range texts {
		added[k] = &line{text: text, planted: true}
	}
	d.lines = append(d.lines[:i:i], append(added, d.lines[i:]...)...)
	return added
}

func (d *draft) remove(l *line) {
	if i := d.at(l); i >= 0 {
		d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
	}
}

// id makes an identifier that nothing else in the log has.
func (d *draft) id(prefix string) string {
	d.ids++
	return fmt.Sprintf("%s%08x%04d", prefix, d.rnd.Uint32(), d.ids)
}

// uuid makes an identifier as Claude Code writes them.
func (d *draft) uuid() string {
	d.ids++
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", d.rnd.Uint32(), d.rnd.Uint32N(1<<16), d.rnd.Uint32N(1<<12), d.ids, d.rnd.Uint64N(1<<48))
}

// set replaces the value at a gjson path, or adds it in front of the other
// members of its object. Everything else keeps its bytes.
func set(doc []byte, path string, value any) []byte {
	raw := quote(value)
	if r := gjson.GetBytes(doc, path); r.Exists() && r.Index > 0 {
		return splice(doc, r.Index, r.Index+len(r.Raw), raw)
	}
	parent, key := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent, key = path[:i], path[i+1:]
	}
	open := bytes.IndexByte(doc, '{')
	if parent != "" {
		r := gjson.GetBytes(doc, parent)
		if !r.IsObject() || r.Index == 0 {
			return doc
		}
		open = r.Index
	}
	member := strconv.Quote(key) + ":" + string(raw)
	if rest := bytes.TrimLeft(doc[open+1:], " \t"); len(rest) > 0 && rest[0] != '}' {
		member += ","
	}
	return splice(doc, open+1, open+1, []byte(member))
}

func splice(doc []byte, from, to int, put []byte) []byte {
	out := make([]byte, 0, len(doc)+len(put))
	out = append(out, doc[:from]...)
	out = append(out, put...)
	return append(out, doc[to:]...)
}

// raw is JSON that is already written.
type raw string

// object is JSON in the order in which it is given: keys and values in turn.
func object(members ...any) raw {
	var b strings.Builder
	for i := 0; i+1 < len(members); i += 2 {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", members[i], quote(members[i+1]))
	}
	return raw("{" + b.String() + "}")
}

func list(values ...raw) raw {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = string(v)
	}
	return raw("[" + strings.Join(parts, ",") + "]")
}

func quote(v any) []byte {
	if r, ok := v.(raw); ok {
		return []byte(r)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // strings, numbers and flags only
	}
	return bytes.TrimSpace(b.Bytes())
}

func str(doc []byte, path string) string { return gjson.GetBytes(doc, path).Str }
