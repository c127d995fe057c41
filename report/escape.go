package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes text from a log safe to print on a terminal, in a CI log or in
// any format that is looked at. What moves the cursor, colours, links,
// reorders, hides or ends a line becomes visible: \x1b, \u202e, \n, and \xff
// for a byte that is no UTF-8. All else stays as it is, in every script.
//
// The result is one line. It may still start with "::", which GitHub's runner
// obeys at the start of a line, so writers put something of their own before
// it; "##[", which the runner obeys anywhere, comes out as #\x23[.
func Escape(s string) string {
	n := plainPrefix(s)
	if n == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:n])
	for i := n; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case endsRunnerPrefix(s, i):
			b.WriteString(`\x23`)
		case isPlain(r):
			b.WriteString(s[i : i+size])
		default:
			b.WriteString(escapeRune(r))
		}
		i += size
	}
	return b.String()
}

// plainPrefix is how much of s needs no escape.
func plainPrefix(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isPlain(r) || r == utf8.RuneError && size == 1 || endsRunnerPrefix(s, i) {
			return i
		}
		i += size
	}
	return len(s)
}

// endsRunnerPrefix reports whether s[i] is the second # of "##[".
func endsRunnerPrefix(s string, i int) bool {
	return s[i] == '#' && i > 0 && s[i-1] == '#' && i+1 < len(s) && s[i+1] == '['
}

// isPlain reports whether a rune may be printed as it is.
func isPlain(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != 0x7f
	case r == '\ufe0e', r == '\ufe0f':
		return true // a symbol as text or as emoji
	case unicode.Is(unicode.Variation_Selector, r), isFiller(r):
		return false
	}
	return unicode.IsGraphic(r)
}

// isFiller reports letters and marks that show nothing: text hides in them.
func isFiller(r rune) bool {
	switch r {
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return false
}

func escapeRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// cut bounds s to n runes, the last of them an ellipsis when something was
// left out. It looks at no more of s than it keeps.
func cut(s string, n int) string {
	count := 0
	keep := 0
	for i := range s {
		if count == n-1 {
			keep = i
		}
		if count++; count > n {
			return s[:keep] + "…"
		}
	}
	return s
}

// shown is s escaped and bounded to n runes.
func shown(s string, n int) string {
	return cut(Escape(cut(s, n)), n)
}
