package delivery

import "strings"

// plain are the bytes that stand for themselves in a string.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 256; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// str reads the string at i. It returns the offset behind the closing quote,
// or where it breaks.
func str(s string, i int) (int, status) {
	for j := i + 1; j < len(s); {
		c := s[j]
		switch {
		case plain[c]:
			j++
			for j < len(s) && plain[s[j]] {
				j++
			}
		case c == '"':
			return j + 1, complete
		case c == '\\':
			n, st := escape(s[j+1:])
			if st != complete {
				return j, st
			}
			j += 1 + n
		default:
			return j, broken
		}
	}
	return len(s), unfinished
}

// escape reads what follows a backslash.
func escape(s string) (int, status) {
	if s == "" {
		return 0, unfinished
	}
	switch s[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1, complete
	case 'u':
	default:
		return 0, broken
	}
	for k := 1; k < 5; k++ {
		if k >= len(s) {
			return 0, unfinished
		}
		if !strings.Contains("0123456789abcdefABCDEF", s[k:k+1]) {
			return 0, broken
		}
	}
	return 5, complete
}

// scalar reads the string, number or literal at i.
func scalar(s string, i int) (int, status) {
	switch s[i] {
	case '"':
		return str(s, i)
	case 't':
		return literal(s, i, "true")
	case 'f':
		return literal(s, i, "false")
	case 'n':
		return literal(s, i, "null")
	}
	return numeral(s, i)
}

// literal reads one of the three names.
func literal(s string, i int, name string) (int, status) {
	for k := range len(name) {
		if i+k >= len(s) {
			return len(s), unfinished
		}
		if s[i+k] != name[k] {
			return i + k, broken
		}
	}
	return i + len(name), complete
}

// numeral reads a number. At the end of the text nobody knows whether more
// digits followed, so it is unfinished there.
func numeral(s string, i int) (int, status) {
	if s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if end := digits(s, i); end > i {
		i = end
	} else {
		return i, unless(s, i, broken)
	}
	if i < len(s) && s[i] == '.' {
		end := digits(s, i+1)
		if end == i+1 {
			return end, unless(s, end, broken)
		}
		i = end
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		end := digits(s, i)
		if end == i {
			return end, unless(s, end, broken)
		}
		i = end
	}
	return i, unless(s, i, complete)
}

// unless is unfinished at the end of the text, else the given status.
func unless(s string, i int, st status) status {
	if i >= len(s) {
		return unfinished
	}
	return st
}

// digits skips decimal digits.
func digits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// clips are the suffixes of strings that a row-aware cut shortened.
var clips = []string{
	"(truncated)", "[truncated]", "…[truncated]", "[TRUNCATED]", "more chars]", "more characters]", "chars truncated]",
	"characters truncated]", "chars omitted]", "characters omitted]", "more chars)", "more characters)",
}

// clipped reports whether a string says that something was left out: its own
// end, or, as a row, the rows after it.
func clipped(s string, row bool) bool {
	if s == "" {
		return false
	}
	if c := s[len(s)-1]; c == ')' || c == ']' {
		for _, suffix := range clips {
			if strings.HasSuffix(s, suffix) {
				return true
			}
		}
	}
	return row && len(s) < 120 && moreRows(s)
}

// moreRows reads "... 90 more items", "+3 more", "and 12 more rows omitted".
func moreRows(s string) bool {
	s = strings.TrimLeft(s, ".…(<[+ ")
	s = strings.TrimPrefix(s, `\u2026`)
	s = strings.TrimPrefix(strings.TrimLeft(s, " "), "and ")
	_, end := number(s, 0)
	return end > 0 && strings.HasPrefix(s[end:], " more")
}
