package ledger

import (
	"slices"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Bounds on what is kept of declared schemas.
const (
	mostSchemas = 512
	mostFields  = 256
	schemaDepth = 6
)

// A Schema is what arguments are held against: the part of JSON Schema that
// tool declarations are made of. What it does not understand (references,
// alternatives, patterns) it lets pass.
type Schema struct {
	types    []string // allowed types, empty: any
	enum     []string // allowed strings, empty: any
	required []string
	fields   map[string]*Schema
	closed   bool // no other fields
	items    *Schema
}

// Schema is the declared schema of a tool, nil when there is none: the log's
// own, else one that was given from outside.
func (s *Session) Schema(tool string) *Schema {
	if c := s.schemas[tool]; c != nil || s.Given == nil {
		return c
	}
	return s.Given.schema(tool)
}

// HasSchemas reports whether any schema is declared, in the log or outside.
func (s *Session) HasSchemas() bool {
	return len(s.schemas) > 0 || s.Given != nil && len(s.Given.schemas) > 0
}

func (s *Session) declareSchemas(all []transcript.ToolSchema) {
	for _, t := range all {
		if s.schemas == nil {
			s.schemas = map[string]*Schema{}
		}
		if c := newSchema(t.Schema); c != nil && len(s.schemas) < mostSchemas {
			s.schemas[strings.Clone(t.Name)] = c
		}
	}
}

func newSchema(v jsonl.Value) *Schema {
	n := mostFields
	return readSchema(v, schemaDepth, &n)
}

func readSchema(v jsonl.Value, depth int, fields *int) *Schema {
	if v.Kind() != jsonl.Object || depth == 0 {
		return nil
	}
	c := &Schema{}
	for key, m := range v.Members() {
		switch key {
		case "$ref", "anyOf", "oneOf", "allOf", "not", "if", "patternProperties", "$dynamicRef":
			return nil
		case "type":
			c.types = namesOf(m)
		case "enum":
			c.enum = enumOf(m)
		case "required":
			c.required = namesOf(m)
		case "additionalProperties":
			b, ok := m.Bool()
			c.closed = ok && !b
		case "items":
			c.items = readSchema(m, depth-1, fields)
		case "properties":
			c.fields = map[string]*Schema{}
			for name, f := range m.Members() {
				if *fields--; *fields < 0 {
					return nil
				}
				c.fields[strings.Clone(name)] = readSchema(f, depth-1, fields)
			}
		case "nullable":
			if b, _ := m.Bool(); b {
				c.types = append(c.types, "null")
			}
		}
	}
	return c
}

func namesOf(v jsonl.Value) []string {
	if v.Kind() == jsonl.String {
		return []string{strings.Clone(v.Str())}
	}
	var out []string
	for _, e := range v.Elems() {
		out = append(out, strings.Clone(e.Str()))
	}
	return out
}

// enumOf lists the allowed values when all of them are strings.
func enumOf(v jsonl.Value) []string {
	for _, e := range v.Elems() {
		if e.Kind() != jsonl.String {
			return nil
		}
	}
	return namesOf(v)
}

// Breaks says where and how arguments break the schema, "" when they do not as
// far as it goes.
func (c *Schema) Breaks(v jsonl.Value) string { return c.breaks(v, "") }

func (c *Schema) breaks(v jsonl.Value, at string) string {
	switch {
	case c == nil:
		return ""
	case len(c.types) > 0 && !slices.ContainsFunc(c.types, func(t string) bool { return isType(v, t) }):
		return place(at) + " is " + typeOf(v) + ", declared is " + strings.Join(c.types, " or ")
	case len(c.enum) > 0 && v.Kind() == jsonl.String && !slices.Contains(c.enum, v.Str()):
		return place(at) + " is " + strconv.Quote(transcript.Clip(v.Str(), 40)) + ", declared is one of " + transcript.Clip(strings.Join(c.enum, ", "), 120)
	}
	switch v.Kind() {
	case jsonl.Object:
		return c.object(v, at)
	case jsonl.Array:
		for i, e := range v.Elems() {
			if why := c.items.breaks(e, at+"/"+strconv.Itoa(i)); why != "" {
				return why
			}
		}
	}
	return ""
}

func (c *Schema) object(v jsonl.Value, at string) string {
	for _, name := range c.required {
		if !v.Get(name).Exists() {
			return place(at+"/"+name) + " is missing"
		}
	}
	for name, m := range v.Members() {
		f, ok := c.fields[name]
		if !ok && c.closed {
			return place(at+"/"+name) + " is not declared"
		}
		if why := f.breaks(m, at+"/"+name); why != "" {
			return why
		}
	}
	return ""
}

func place(at string) string {
	if at == "" {
		return "the whole"
	}
	return transcript.Clip(at, 80)
}

func isType(v jsonl.Value, t string) bool {
	switch t {
	case "string":
		return v.Kind() == jsonl.String
	case "number":
		return v.Kind() == jsonl.Number
	case "integer":
		f, ok := v.Float()
		return v.Kind() == jsonl.Number && ok && f == float64(int64(f))
	case "object":
		return v.Kind() == jsonl.Object
	case "array":
		return v.Kind() == jsonl.Array
	case "boolean":
		_, ok := v.Bool()
		return ok
	case "null":
		return v.Kind() == jsonl.Null
	}
	return true // a type that nobody declares
}

func typeOf(v jsonl.Value) string {
	for _, t := range []string{"string", "integer", "number", "object", "array", "boolean", "null"} {
		if isType(v, t) {
			return t
		}
	}
	return "something else"
}
