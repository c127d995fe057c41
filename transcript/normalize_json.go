package transcript

import (
	"strconv"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// writer appends the members of JSON objects. The methods named after a type
// leave out what has its zero value; force does not.
type writer struct {
	b     []byte
	empty bool // nothing stands in the innermost bracket yet
}

func (w *writer) key(key string) {
	if !w.empty {
		w.b = append(w.b, ',')
	}
	w.empty = false
	if key != "" {
		w.b = append(appendString(w.b, key), ':')
	}
}

func (w *writer) open(key string, bracket byte) {
	w.key(key)
	w.b, w.empty = append(w.b, bracket), true
}

func (w *writer) close(bracket byte) { w.b, w.empty = append(w.b, bracket), false }

func (w *writer) force(key, s string) {
	w.key(key)
	w.b = appendString(w.b, s)
}

func (w *writer) str(key, s string) {
	if s != "" {
		w.force(key, s)
	}
}

func (w *writer) strs(key string, ss []string) {
	if len(ss) == 0 {
		return
	}
	w.open(key, '[')
	for _, s := range ss {
		w.force("", s)
	}
	w.close(']')
}

func (w *writer) int(key string, n int64) {
	if n != 0 {
		w.key(key)
		w.b = strconv.AppendInt(w.b, n, 10)
	}
}

func (w *writer) bool(key string, b bool) {
	if b {
		w.key(key)
		w.b = append(w.b, "true"...)
	}
}

func (w *writer) flag(key string, f Flag) {
	if f != Unset {
		w.key(key)
		w.b = strconv.AppendBool(w.b, f == True)
	}
}

func (w *writer) time(key string, t time.Time) {
	if !t.IsZero() {
		w.force(key, t.Format(time.RFC3339Nano))
	}
}

func (w *writer) millis(key string, d time.Duration) {
	if d != 0 {
		w.key(key)
		w.b = strconv.AppendFloat(w.b, float64(d)/1e6, 'f', -1, 64)
	}
}

// raw writes a JSON value as it stands, on one line.
func (w *writer) raw(key string, v jsonl.Value) {
	if !v.Exists() {
		return
	}
	w.key(key)
	inside := false
	raw := v.Raw()
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inside && c == '\\':
			w.b = append(w.b, c)
			i++
			c = raw[i]
		case c == '"':
			inside = !inside
		case !inside && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		w.b = append(w.b, c)
	}
}

func (w *writer) text(key string, t Text) {
	if t.one.Exists() || !t.Empty() {
		w.string(key, t)
	}
}

// string writes a text without decoding it: the escapes of its parts stay as
// they are.
func (w *writer) string(key string, t Text) {
	w.key(key)
	w.b = append(w.b, '"')
	w.b = appendEscaped(w.b, t.lit)
	if t.lit == "" || len(t.more) > 0 {
		w.b = appendInner(w.b, t.one)
	}
	for _, v := range t.more {
		w.b = append(w.b, `\n`...)
		w.b = appendInner(w.b, v)
	}
	w.b = append(w.b, '"')
}

func appendInner(dst []byte, v jsonl.Value) []byte {
	if v.Kind() != jsonl.String {
		return dst
	}
	raw := v.Raw()
	return append(dst, raw[1:len(raw)-1]...)
}

func appendString(dst []byte, s string) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped escapes what JSON asks for and nothing else: bytes that are no
// UTF-8 stay what they are.
func appendEscaped(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(dst, s[from:]...)
}
