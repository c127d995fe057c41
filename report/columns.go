package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// columnsOf is how many terminal columns s takes.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// neverFirst holds closing punctuation that East Asian text does not begin a
// line with.
const neverFirst = "、。，．：；！？）」』】》〉〕…"

// wrap breaks escaped text into lines of at most cols columns: at spaces,
// between wide characters, and through a word only when it has to.
func wrap(s string, cols int) []string {
	var lines []string
	for s = strings.Trim(s, " "); s != ""; {
		s = guard(s)
		end, next := breakAt(s, max(cols, 2))
		lines = append(lines, strings.TrimRight(s[:end], " "))
		s = strings.TrimLeft(s[next:], " ")
	}
	return lines
}

// breakAt finds the end of the first line of s and the start of the second.
func breakAt(s string, cols int) (end, next int) {
	used, last := 0, rune(0)
	for i, r := range s {
		w := runeColumns(r)
		switch {
		case r == ' ' && last != ' ':
			end, next = i, i+1
		case i > 0 && (w == 2 || runeColumns(last) == 2) && !strings.ContainsRune(neverFirst, r):
			end, next = i, i
		}
		if used += w; used > cols {
			word, _, _ := strings.Cut(s[next:], " ")
			if end == 0 || len(word) > cols && 2*columnsOf(s[:end]) < cols {
				return i, i // through a word that would not fit a line either
			}
			return end, next
		}
		last = r
	}
	return len(s), len(s)
}

// guard keeps GitHub's runner from obeying a wrapped line that happens to
// start with a command; it skips leading blanks before it looks.
func guard(line string) string {
	if strings.HasPrefix(line, "::") {
		return `\` + line
	}
	return line
}

// clip shortens escaped text to cols columns, ending in an ellipsis.
func clip(s string, cols int) string {
	if len(s) <= cols {
		return s
	}
	used, keep := 0, 0
	for i, r := range s {
		w := runeColumns(r)
		if used+w <= cols-1 {
			keep = i + utf8.RuneLen(r)
		}
		if used += w; used > cols {
			return s[:keep] + "…"
		}
	}
	return s
}

// clipLines wraps s into at most n lines; the last says when there was more.
func clipLines(s string, cols, n int) []string {
	lines := wrap(s, cols)
	if len(lines) <= n {
		return lines
	}
	last := clip(lines[n-1]+" ", max(cols-2, 1))
	return append(lines[:n-1], strings.TrimRight(last, " …")+" …")
}
