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
	i, keys := 0, 0
	if inString {
		end, st := str(`"`+text, 0)
		if st != complete {
			return 0, false
		}
		i = end - 1
	}
	var local []byte // containers opened in the text itself
	var outer []int  // where each older one closed
	var last byte    // what closed the oldest
	comma := -1      // first comma in front of any closing of an older one
	for i < len(text) {
		switch c := text[i]; {
		case c == '"':
			end, st := str(text, i)
			if st != complete {
				return 0, false
			}
			i = end
			continue
		case c == '{' || c == '[':
			if len(local) > maxDepth {
				return 0, false
			}
			local = append(local, c+2)
		case c == '}' || c == ']':
			if n := len(local); n > 0 {
				if local[n-1] != c {
					return 0, false
				}
				local = local[:n-1]
				break
			}
			outer = append(outer, i+1)
			last = c
		case c == ',' && comma < 0 && len(local) == 0 && len(outer) == 0:
			comma = i
		case c == ':':
			keys++
		case !lexical(c):
			return 0, false
		}
		i++
	}
	if len(local) > 0 || len(outer) == 0 || keys == 0 || (last == ']') != array || outer[len(outer)-1] != len(text) {
		return 0, false
	}
	if n := len(outer); n > 1 {
		return outer[n-2], true
	}
	if comma < 0 {
		return len(text) - 1, true
	}
	return comma, true
}

// lexical reports whether a byte can stand outside of strings.
func lexical(c byte) bool {
	return c >= '0' && c <= '9' || strings.IndexByte(" \t\r\n,:-+.eEtrufalsn", c) >= 0
}
