package jsonl

import (
	"bytes"
	"unicode/utf8"
)

// unhex returns the value of a hex digit, 16 for any other byte.
func unhex(c byte) byte {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}

// hex reads four hex digits that have been validated before.
func hex(b []byte) uint32 {
	return uint32(unhex(b[0]))<<12 | uint32(unhex(b[1]))<<8 | uint32(unhex(b[2]))<<4 | uint32(unhex(b[3]))
}

// escapedUnit reads a \uXXXX at the start of b, checking everything.
func escapedUnit(b []byte) (uint32, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		if unhex(c) > 15 {
			return 0, false
		}
	}
	return hex(b[2:]), true
}

// unescape1 decodes the escape at the start of raw and says how many
// raw bytes it took. A lone surrogate becomes U+FFFD, as in encoding/json.
func unescape1(raw []byte) (r rune, n int) {
	switch c := raw[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case '"', '\\', '/':
		return rune(c), 2
	case 'u':
	default:
		return '\\', 1 // a flaw that was read over
	}
	u := hex(raw[2:])
	if u&0xF800 != 0xD800 {
		return rune(u), 6
	}
	if low, ok := escapedUnit(raw[6:]); ok && u&0xFC00 == 0xD800 && low&0xFC00 == 0xDC00 {
		return rune(u-0xD800)<<10 + rune(low-0xDC00) + 0x10000, 12
	}
	return utf8.RuneError, 6
}

// unescape appends the decoded text of raw, the bytes between the quotes of a
// valid string.
func unescape(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		r, n := unescape1(raw[i:])
		dst = utf8.AppendRune(dst, r)
		raw = raw[i+n:]
	}
}

// unescapeHead decodes the start of raw and stops before a character that
// would take it over limit bytes.
func unescapeHead(raw []byte, limit int) []byte {
	dst := make([]byte, 0, min(limit, len(raw)))
	for len(raw) > 0 && len(dst) < limit {
		room := raw[:min(len(raw), limit-len(dst))]
		i := bytes.IndexByte(room, '\\')
		if i < 0 {
			if len(room) < len(raw) {
				room = cutHead(raw, len(room))
			}
			return append(dst, room...)
		}
		dst = append(dst, raw[:i]...)
		r, n := unescape1(raw[i:])
		if len(dst)+utf8.RuneLen(r) > limit {
			return dst
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[i+n:]
	}
	return dst
}

// unescapeTail decodes about the last limit bytes of raw. One decoded byte
// takes at most six raw ones, so only that much is looked at.
func unescapeTail(raw []byte, limit int) []byte {
	if limit < len(raw)/6-4 {
		raw = raw[unitStart(raw, len(raw)-6*limit-24):]
	}
	return cutTail(unescape(nil, raw), limit)
}

// unitStart moves p forward to the next place that is not inside an escape
// sequence or between the halves of a surrogate pair.
func unitStart(raw []byte, p int) int {
	for q := max(0, p-11); q < p; q++ {
		if raw[q] != '\\' || !startsEscape(raw, q) {
			continue
		}
		_, n := unescape1(raw[q:])
		if q+n > p {
			return q + n
		}
		q += n - 1
	}
	return p
}

// startsEscape reports whether the backslash at q opens an escape: an even
// number of backslashes stands before it.
func startsEscape(raw []byte, q int) bool {
	n := 0
	for q-n > 0 && raw[q-n-1] == '\\' {
		n++
	}
	return n%2 == 0
}

// cutHead returns at most the first n bytes of b, ending between characters.
func cutHead(b []byte, n int) []byte {
	if n >= len(b) {
		return b
	}
	n = max(n, 0)
	for k := n; k >= 0 && n-k < utf8.UTFMax; k-- {
		if utf8.RuneStart(b[k]) {
			return b[:k]
		}
	}
	return b[:n] // not UTF-8: any cut is as good
}

// cutTail returns at most the last n bytes of b, starting between characters.
func cutTail(b []byte, n int) []byte {
	if n >= len(b) {
		return b
	}
	k := len(b) - max(n, 0)
	for i := k; i < len(b) && i-k < utf8.UTFMax; i++ {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	if len(b)-k < utf8.UTFMax {
		return b[len(b):]
	}
	return b[k:] // not UTF-8
}
