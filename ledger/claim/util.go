package claim

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// fields yields the words of a list.
func fields(words string) iter.Seq[string] { return strings.FieldsSeq(words) }

// set makes a set of words.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range fields(words) {
		m[w] = true
	}
	return m
}

// clip cuts s to at most n bytes on a rune boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
