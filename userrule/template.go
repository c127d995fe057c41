package userrule

import (
	"fmt"
	"strings"
)

// template is a message with fields in it, split at the fields: words, name,
// words, name, ..., words.
type template []string

// maxField bounds what one field adds to a message, in bytes.
const maxField = 120

func parseTemplate(s string, fields []Field) (template, error) {
	if s = strings.Join(strings.Fields(s), " "); s == "" {
		return nil, &Problem{Field: "message", Text: "a rule needs a message"}
	}
	var t template
	for {
		words, rest, open := strings.Cut(s, "{{")
		t = append(t, words)
		if !open {
			return t, nil
		}
		name, after, closed := strings.Cut(rest, "}}")
		if name = strings.TrimSpace(name); !closed {
			return nil, &Problem{Field: "message", Text: "{{ without }}"}
		}
		if !hasField(fields, name) {
			return nil, &Problem{Field: "message", Text: fmt.Sprintf("{{%s}} is no field here; the fields are %s", name, names(fields))}
		}
		t = append(t, name)
		s = after
	}
}

func hasField(fields []Field, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

func names(fields []Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name)
	}
	return strings.Join(all, ", ")
}

// fill words the message for one item.
func (t template) fill(values map[string]any) string {
	var b strings.Builder
	for i, part := range t {
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		switch v := values[part].(type) {
		case unknown:
			b.WriteString("unknown")
		case []string:
			b.WriteString(oneLine(strings.Join(v, ", "), maxField))
		default:
			b.WriteString(oneLine(fmt.Sprint(v), maxField))
		}
	}
	return b.String()
}

// plainWords is a message without its marks, as a title.
func plainWords(message string) string {
	return strings.NewReplacer("{{", "", "}}", "", "`", "").Replace(strings.Join(strings.Fields(message), " "))
}
