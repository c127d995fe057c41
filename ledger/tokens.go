package ledger

import (
	"bytes"
	"encoding/binary"
	"iter"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// Tokens are what can be known again of a text: the values in it that look
// like ids, hashes and long numbers, by their KeyOf, and every number.
type Tokens struct {
	Values  []uint64
	Numbers []float64
}

// tokenChunk is the size of the pieces, in bytes, in which a text is read: the
// tokens of one piece are held at a time.
const tokenChunk = 1 << 20

// Tokens yields the tokens of an event's text, or of a call's arguments, piece
// by piece. They are read once an event, whoever asks, unless the text is
// longer than a piece; they are valid until the next step.
func (s *Session) Tokens(e *transcript.Event) iter.Seq[*Tokens] {
	return func(yield func(*Tokens) bool) {
		if s.tokensAt == s.step {
			yield(&s.tokens)
			return
		}
		s.tokens.reset()
		s.tokensAt = s.step
		for piece := range tokenPieces(e) {
			if len(s.tokens.Values)+len(s.tokens.Numbers) > tokenChunk/8 {
				s.tokensAt = 0 // what does not fit is read again
				if !yield(&s.tokens) {
					return
				}
				s.tokens.reset()
			}
			s.tokens.read(piece)
		}
		yield(&s.tokens)
	}
}

// tokenPieces are the raw bytes of what an event shows.
func tokenPieces(e *transcript.Event) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if e.Kind == transcript.ToolCall {
			pieces(e.Call.Args.Raw())(yield)
			return
		}
		for raw := range e.Text.RawParts() {
			for piece := range pieces(raw) {
				if !yield(piece) {
					return
				}
			}
		}
	}
}

// pieces cuts a text between its words.
func pieces(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(raw) > tokenChunk {
			end := bytes.IndexByte(raw[tokenChunk:], ' ')
			if end < 0 {
				break
			}
			if !yield(raw[:tokenChunk+end]) {
				return
			}
			raw = raw[tokenChunk+end:]
		}
		yield(raw)
	}
}

// TokensOf yields the tokens of a text that is not the event's own.
func TokensOf(text transcript.Text) iter.Seq[*Tokens] {
	return func(yield func(*Tokens) bool) {
		var t Tokens
		for raw := range text.RawParts() {
			for piece := range pieces(raw) {
				t.reset()
				if t.read(piece); !yield(&t) {
					return
				}
			}
		}
	}
}

func (t *Tokens) reset() { t.Values, t.Numbers = t.Values[:0], t.Numbers[:0] }

func (t *Tokens) read(raw []byte) {
	scanTokens(raw, func(v []byte) { t.Values = append(t.Values, KeyOf(v)) }, func(digits []byte) {
		if n, ok := number(digits); ok {
			t.Numbers = append(t.Numbers, n)
		}
	})
}

// EachValue calls do for every value in a text that looks like an id: a run of
// ASCII letters and digits with three digits or more and seven characters or
// more, or a number of five digits or more.
func EachValue(raw []byte, do func([]byte)) { scanTokens(raw, do, func([]byte) {}) }

// KeyOf is the identity of a value, whatever its case: hexadecimal ones go by
// their first seven digits, as people shorten them.
func KeyOf(v []byte) uint64 {
	low := make([]byte, 0, 64)
	hex := true
	for _, c := range v[:min(len(v), 64)] {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		hex = hex && ('0' <= c && c <= '9' || 'a' <= c && c <= 'f')
		low = append(low, c)
	}
	if hex && len(low) > 7 {
		low = low[:7]
	}
	return xxhash.Sum64(low)
}

// scanTokens finds the values and the numbers of a raw JSON string. It goes
// from digit to digit: what has none is not looked at.
func scanTokens(raw []byte, value, num func([]byte)) {
	numbers := 0 // up to where numbers were read
	for pos := 0; ; {
		digit := nextDigit(raw, pos)
		if digit == len(raw) {
			return
		}
		start := digit
		for start > pos && charClass[raw[start-1]] == isLetter {
			start--
		}
		if start = afterEscape(raw, start); start > digit {
			pos = min(start, len(raw))
			continue
		}
		end, digits := digit, 0
		for ; end < len(raw) && charClass[raw[end]] >= isLetter; end++ {
			digits += int(charClass[raw[end]] - isLetter)
		}
		if digits >= 3 && (end-start >= 7 || digits == end-start && digits >= 5) {
			value(raw[start:end])
		}
		numbers = scanNumbers(raw, max(digit, numbers), end, num)
		pos = end
	}
}

// scanNumbers reads the numbers that begin in raw[from:to], with their points
// and commas, and returns where the last one ends.
func scanNumbers(raw []byte, from, to int, num func([]byte)) int {
	i := from
	for ; i < to; i++ {
		if raw[i]-'0' > 9 {
			continue
		}
		start := i
		for i < len(raw) && (raw[i]-'0' <= 9 || (raw[i] == '.' || raw[i] == ',') && i+1 < len(raw) && raw[i+1]-'0' <= 9) {
			i++
		}
		if i-start <= 15 {
			num(raw[start:i])
		}
	}
	return i
}

// number reads digits with one point at most; commas part thousands. What has
// more points is a version or an address.
func number(digits []byte) (float64, bool) {
	var whole, frac, scale float64 = 0, 0, 1
	dots := 0
	for _, c := range digits {
		switch {
		case c == '.':
			dots++
		case c == ',':
		case dots > 0:
			scale *= 10
			frac = frac*10 + float64(c-'0')
		default:
			whole = whole*10 + float64(c-'0')
		}
	}
	return whole + frac/scale, dots <= 1
}

// afterEscape moves a place behind the letters that belong to an escape before
// it: \n is no letter of the word that follows.
func afterEscape(raw []byte, at int) int {
	n := 0
	for n < at && raw[at-1-n] == '\\' {
		n++
	}
	switch {
	case n%2 == 0:
		return at
	case raw[at] == 'u':
		return at + 5
	}
	return at + 1
}

// nextDigit is the place of the first ASCII digit from pos on, len(raw) when
// there is none. Eight bytes are looked at in one go.
func nextDigit(raw []byte, pos int) int {
	const zeros, ones, highs = 0x3030303030303030, 0x0101010101010101, 0x8080808080808080
	for ; pos+8 <= len(raw); pos += 8 {
		x := binary.LittleEndian.Uint64(raw[pos:]) ^ zeros // a digit is below ten now
		if (x-10*ones)&^x&highs != 0 {
			break
		}
	}
	for pos < len(raw) && raw[pos]-'0' > 9 {
		pos++
	}
	return pos
}

// The classes of bytes in a raw JSON string, so that one look tells them apart.
const (
	isBreak = iota
	isLetter
	isDigit // isLetter + 1, so that digits add up
)

var charClass = func() (c [256]uint8) {
	for b := range 256 {
		switch {
		case '0' <= b && b <= '9':
			c[b] = isDigit
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			c[b] = isLetter
		}
	}
	return c
}()
