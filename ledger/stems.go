package ledger

// Stems look for several literals in one pass (Wu and Manber's search, with
// blocks of two bytes): most bytes of a text are never looked at.
type Stems struct {
	shortest int
	shift    [1 << 16]uint8 // by the last two bytes of the window: how far it may move
	stems    []string
}

// NewStems takes literals of two bytes or more.
func NewStems(stems ...string) *Stems {
	s := &Stems{stems: stems, shortest: len(stems[0])}
	for _, w := range stems {
		s.shortest = min(s.shortest, len(w))
	}
	for i := range s.shift {
		s.shift[i] = uint8(s.shortest - 1)
	}
	for _, w := range stems {
		for end := 2; end <= s.shortest; end++ {
			block := int(w[end-2])<<8 | int(w[end-1])
			s.shift[block] = min(s.shift[block], uint8(s.shortest-end))
		}
	}
	return s
}

// HoldsStem reports whether a text holds any of the stems.
func HoldsStem[T string | []byte](text T, s *Stems) bool {
	for end := s.shortest; end <= len(text); {
		shift := int(s.shift[int(text[end-2])<<8|int(text[end-1])])
		if shift > 0 {
			end += shift
			continue
		}
		for _, w := range s.stems {
			if rest := text[end-s.shortest:]; len(rest) >= len(w) && string(rest[:len(w)]) == w {
				return true
			}
		}
		end++
	}
	return false
}
