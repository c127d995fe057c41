package transcript

import (
	"strings"
	"unicode/utf8"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Text is what somebody said or a tool printed: a view over one or more JSON
// strings, unescaped only when asked for. Several parts read as one text with
// a line break between them. The zero Text is empty.
type Text struct {
	lit  string
	one  jsonl.Value
	more []jsonl.Value
}

// TextOf makes a text of words that are already decoded.
func TextOf(s string) Text { return Text{lit: s} }

// TextView makes a text that reads JSON strings where they stand. Values that
// are no strings count as empty.
func TextView(v jsonl.Value, more ...jsonl.Value) Text { return Text{one: v, more: more} }

// Add appends a part.
func (t *Text) Add(v jsonl.Value) {
	switch {
	case v.Kind() != jsonl.String:
	case !t.one.Exists() && t.lit == "":
		t.one = v
	default:
		t.more = append(t.more, v)
	}
}

// Size is an upper bound of the text's length in bytes, without decoding it.
func (t Text) Size() int {
	n := len(t.lit) + t.one.RawLen()
	for _, v := range t.more {
		n += v.RawLen() + 1
	}
	return n
}

// Empty reports whether there are no words at all.
func (t Text) Empty() bool { return t.Size() == 0 }

// First is the JSON value in which the text begins; absent for decoded words.
func (t Text) First() jsonl.Value { return t.one }

// Parts are the JSON values that the text is made of.
func (t Text) Parts() int {
	n := len(t.more)
	if t.one.Exists() || t.lit != "" {
		n++
	}
	return n
}

// String decodes the whole text. It may be large: prefer Head and Tail.
func (t Text) String() string {
	if len(t.more) == 0 {
		if t.lit != "" {
			return t.lit
		}
		return t.one.Str()
	}
	var b strings.Builder
	b.Grow(t.Size())
	b.WriteString(t.lit)
	b.WriteString(t.one.Str())
	for _, v := range t.more {
		b.WriteByte('\n')
		b.WriteString(v.Str())
	}
	return b.String()
}

// Head decodes about the first n bytes.
func (t Text) Head(n int) string {
	if t.lit != "" && len(t.more) == 0 {
		return Clip(t.lit, n)
	}
	s := t.lit + t.one.Head(n)
	for _, v := range t.more {
		if len(s) >= n {
			break
		}
		s += "\n" + v.Head(n-len(s))
	}
	return s
}

// Tail decodes about the last n bytes.
func (t Text) Tail(n int) string {
	s := ""
	for i := len(t.more) - 1; i >= 0 && len(s) < n; i-- {
		s = "\n" + t.more[i].Tail(n-len(s)) + s
	}
	if len(s) < n {
		if t.one.Exists() {
			s = t.one.Tail(n-len(s)) + s
		} else {
			s = clipLeft(t.lit, n-len(s)) + s
		}
	}
	return s
}

// Clip cuts s to at most n bytes, on a rune boundary.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func clipLeft(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}

// Keep returns an owned copy of at most n bytes of s: the way to hold on to a
// view.
func Keep(s string, n int) string { return strings.Clone(Clip(s, n)) }

// normalName lowers a key or a value and turns camelCase, spaces and dashes
// into snake_case, so that every obvious spelling reads alike.
func normalName(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 4)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '-' || c == ' ' || c == '.' || c == '/':
			b.WriteByte('_')
		case 'A' <= c && c <= 'Z':
			if i > 0 && ('a' <= s[i-1] && s[i-1] <= 'z' || '0' <= s[i-1] && s[i-1] <= '9') {
				b.WriteByte('_')
			}
			b.WriteByte(c + 'a' - 'A')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// RawParts yields the escaped bytes of every part as they stand in the record:
// enough to tell two texts apart without decoding them.
func (t Text) RawParts() func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if t.lit != "" && !yield([]byte(t.lit)) {
			return
		}
		if t.one.Exists() && !yield(t.one.Raw()) {
			return
		}
		for _, v := range t.more {
			if !yield(v.Raw()) {
				return
			}
		}
	}
}
