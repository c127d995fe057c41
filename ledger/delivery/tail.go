package delivery

import "strings"

// readTail reads the end of a document whose beginning is lost. Its closing
// brackets tell how deep it began; from the place on where it is back in the
// root, its fields can be named. The text may begin inside a string: of the
// two readings the one that lexes to the very end is taken.
func readTail(text string, array bool) (*parser, bool) {
	for _, inString := range []bool{false, true} {
		if from, ok := resync(text, inString, array); ok {
			p := &parser{s: text, i: from, root: &node{}, expect: wantNext}
			p.stack = append(p.stack, frame{node: p.root, array: array})
			return p, p.run() == complete && strings.TrimSpace(text[p.i:]) == ""
		}
	}
	return nil, false
}

// resync finds the first place behind a value of the root, which is an array
// or an object.
func resync(text string, inString, array bool) (int, bool) {
	l := ending{text: text, comma: -1}
	if inString {
		end, st := str(`"`+text, 0)
		if st != complete {
			return 0, false
		}
		l.i = end - 1
	}
	for l.i < len(text) {
		if !l.token(text[l.i]) {
			return 0, false
		}
	}
	n := len(l.outer)
	switch {
	case len(l.local) > 0 || n == 0 || l.keys == 0 || l.outer[n-1] != len(text) || (text[len(text)-1] == ']') != array:
		return 0, false
	case n > 1:
		return l.outer[n-2], true
	case l.comma < 0:
		return len(text) - 1, true
	}
	return l.comma, true
}

// ending lexes the end of a document.
type ending struct {
	text  string
	i     int
	local []byte // what closes the containers that were opened in the text
	outer []int  // where each container closed that was opened before it
	comma int    // the first comma between values of the innermost such
	keys  int
}

// token reads one token; false means that this is not JSON.
func (l *ending) token(c byte) bool {
	switch c {
	case '"':
		end, st := str(l.text, l.i)
		l.i = end
		return st == complete
	case '{', '[':
		l.local = append(l.local, c+2)
	case '}', ']':
		if n := len(l.local); n == 0 {
			l.outer = append(l.outer, l.i+1)
		} else if l.local[n-1] != c {
			return false
		} else {
			l.local = l.local[:n-1]
		}
	case ',':
		if l.comma < 0 && len(l.local) == 0 && len(l.outer) == 0 {
			l.comma = l.i
		}
	case ':':
		l.keys++
	default:
		if !lexical(c) {
			return false
		}
	}
	l.i++
	return true
}

// lexical reports whether a byte can stand outside of strings.
func lexical(c byte) bool {
	return c >= '0' && c <= '9' || strings.IndexByte(" \t\r\n,:-+.eEtrufalsn", c) >= 0
}
