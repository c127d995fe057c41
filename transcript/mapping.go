package transcript

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// A Mapping describes an in-house log in the words of docs/events.md: which
// record is which event, and which key holds which field.
type Mapping struct {
	Name    string         `yaml:"name"`
	Records []MappedRecord `yaml:"records"`
}

// MappedRecord turns the records that fit When into events.
type MappedRecord struct {
	When map[string]string `yaml:"when"` // gjson path -> value that it must have; "*" asks only that it is there
	Set  map[string]any    `yaml:"set"`  // field of the event -> constant
	Take map[string]string `yaml:"take"` // field of the event -> gjson path in the record
}

// NewMappedFormat makes a format of a description. It is never sniffed: who
// describes a format also names it.
func NewMappedFormat(m Mapping) (*Format, error) {
	if m.Name == "" {
		return nil, fmt.Errorf("the mapping has no name")
	}
	if len(m.Records) == 0 {
		return nil, fmt.Errorf("the mapping %s describes no records", m.Name)
	}
	for i, r := range m.Records {
		if r.Set["event"] == nil && r.Take["event"] == "" {
			return nil, fmt.Errorf("record %d of the mapping %s sets no event", i+1, m.Name)
		}
	}
	return &Format{
		Name:  m.Name,
		Title: m.Name + " (mapped)",
		Sniff: func([]jsonl.Probe) int { return 0 },
		New:   func() Decoder { return &mapped{rules: m.Records} },
	}, nil
}

// mapped rewrites each record in our own vocabulary and lets its reader do the
// rest, so that a mapping can say whatever the vocabulary can.
type mapped struct {
	rules  []MappedRecord
	events events
	doc    jsonl.Doc
	line   []byte
}

func (m *mapped) Flush(emit Emit) { m.events.Flush(emit) }

func (m *mapped) Decode(rec *jsonl.Record, emit Emit) {
	raw := rec.Root.Raw() // validated by the reader, as gjson needs it
	rule := m.fitting(raw)
	if rule == nil {
		emit(unknownEvent(rec, "not mapped"))
		return
	}
	m.line = rule.rewrite(m.line[:0], raw)
	v, err := jsonl.Parse(m.line, &m.doc)
	if err != nil {
		emit(unknownEvent(rec, "cannot be rewritten: "+err.Error()))
		return
	}
	twin := *rec
	twin.Root, twin.Path = v, ""
	m.events.Decode(&twin, func(e *Event) {
		e.Value = rec.Root // a finding points into the log itself, not into the rewritten line
		emit(e)
	})
}

func (m *mapped) fitting(raw []byte) *MappedRecord {
	for i := range m.rules {
		if m.rules[i].fits(raw) {
			return &m.rules[i]
		}
	}
	return nil
}

func (r *MappedRecord) fits(raw []byte) bool {
	for path, want := range r.When {
		got := gjson.GetBytes(raw, path)
		if !got.Exists() || want != "*" && got.String() != want {
			return false
		}
	}
	return true
}

// rewrite builds the event as JSON. A field with dots is a field of an object:
// termination.exit_code.
func (r *MappedRecord) rewrite(dst, raw []byte) []byte {
	tree := map[string]any{}
	for field, constant := range r.Set {
		plant(tree, field, constant)
	}
	for field, path := range r.Take {
		if got := gjson.GetBytes(raw, path); got.Exists() && got.Type != gjson.Null {
			plant(tree, field, json.RawMessage(got.Raw))
		}
	}
	return appendTree(dst, tree)
}

func plant(tree map[string]any, field string, value any) {
	head, rest, nested := strings.Cut(field, ".")
	if !nested {
		tree[field] = value
		return
	}
	sub, ok := tree[head].(map[string]any)
	if !ok {
		sub = map[string]any{}
		tree[head] = sub
	}
	plant(sub, rest, value)
}

func appendTree(dst []byte, tree map[string]any) []byte {
	keys := make([]string, 0, len(tree))
	for k := range tree {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(strconv.AppendQuote(dst, k), ':')
		switch x := tree[k].(type) {
		case map[string]any:
			dst = appendTree(dst, x)
		case json.RawMessage:
			dst = append(dst, x...)
		default:
			b, err := json.Marshal(x)
			if err != nil {
				b = []byte("null")
			}
			dst = append(dst, b...)
		}
	}
	return append(dst, '}')
}
