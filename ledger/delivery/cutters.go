package delivery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// CutPrefix keeps the first budget bytes of a text, as most harnesses do.
func CutPrefix(text string, budget int) string { return text[:boundary(text, budget)] }

// CutTail keeps the last budget bytes of a text.
func CutTail(text string, budget int) string {
	if len(text) <= budget {
		return text
	}
	i := len(text) - max(budget, 0)
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return text[i:]
}

// CutMiddle keeps both ends of a text in budget bytes and joins them with a
// marker, as Codex does.
func CutMiddle(text string, budget int) string {
	if len(text) <= budget {
		return text
	}
	head := CutPrefix(text, budget/2)
	tail := CutTail(text, budget-budget/2)
	return fmt.Sprintf("%s…%d chars truncated…%s", head, utf8.RuneCountInString(text)-utf8.RuneCountInString(head)-utf8.RuneCountInString(tail), tail)
}

// boundary is the last start of a character within n bytes.
func boundary(text string, n int) int {
	if n >= len(text) {
		return len(text)
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// CutRows brings a document into a budget of bytes without breaking it: every
// list keeps its first rows, as many in each as fit, and says how many more
// there were. Text that is no document is returned as it is; one oversized
// row is dropped rather than broken.
func CutRows(text string, budget int) string {
	if len(text) <= budget || !json.Valid([]byte(text)) {
		return text
	}
	low, high := 0, len(text)
	best := compact(text, 0)
	for low < high {
		mid := (low + high + 1) / 2
		if out := compact(text, mid); len(out) <= budget {
			low, best = mid, out
		} else {
			high = mid - 1
		}
	}
	return best
}

// compact writes a document with at most n rows of every list.
func compact(text string, n int) string {
	var b bytes.Buffer
	if rows(&b, json.RawMessage(text), n) != nil {
		return text
	}
	return b.String()
}

// rows writes one value; the order of the keys stays.
func rows(b *bytes.Buffer, v json.RawMessage, n int) error {
	d := json.NewDecoder(bytes.NewReader(v))
	t, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := t.(json.Delim)
	if !ok {
		return json.Compact(b, v)
	}
	b.WriteRune(rune(open))
	count := 0
	for ; d.More(); count++ {
		if count > 0 && (open == '{' || count < n) {
			b.WriteByte(',')
		}
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			k, _ := json.Marshal(key)
			b.Write(k)
			b.WriteByte(':')
		}
		var item json.RawMessage
		if err := d.Decode(&item); err != nil {
			return err
		}
		if open == '[' && count >= n {
			continue
		}
		if err := rows(b, item, n); err != nil {
			return err
		}
	}
	if open == '{' {
		b.WriteByte('}')
		return nil
	}
	if count > n {
		if n > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q", fmt.Sprintf("... %d more items", count-n))
	}
	b.WriteByte(']')
	return nil
}
