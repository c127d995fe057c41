package delivery

import (
	"cmp"
	"slices"
	"strings"
)

// MarkerKind is one producer's way of saying that it cut. Kinds are data, see
// [Markers].
type MarkerKind struct {
	Producer, ID string
	Side         Side
	Limit        int  // the producer's default budget, 0 when unknown
	Unit         Unit // of the budget
	KeepsJSON    bool // the cut respects the structure
	WayOn        bool // says how to get at the rest

	pattern string
	place   place
	counts  Unit // what the number in the pattern counts of what was left out
	second  bool // the second number counts, not the first
}

// none is the counts of a kind whose number is not what was left out.
const none Unit = 255

// place says where a harness puts a kind of marker. The same words elsewhere
// are content.
type place uint8

const (
	atStart  place = 1 << iota // begins the text
	atEnd                      // ends the text, right behind what was kept
	lastLine                   // ends the text, on a line of its own
	onLine                     // stands alone between newlines
	inline                     // joins the two halves without a newline
	atLimit                    // only when the text is as long as the limit allows
)

// Marker is a marker found in a text.
type Marker struct {
	Kind       *MarkerKind
	Start, End int
	Omitted    int // the number of units left out that it names, -1 for none
}

// OmittedUnit is what Omitted counts.
func (m *Marker) OmittedUnit() Unit { return m.Kind.counts }

// markerTail is how much of a text's end is searched for a marker.
const markerTail = 512

// index finds kinds by the first byte of their pattern.
var index = func() (x [256][]*MarkerKind) {
	for i := range Markers {
		k := &Markers[i]
		x[k.pattern[0]] = append(x[k.pattern[0]], k)
	}
	return x
}()

// FindMarkers finds the markers that stand where a harness puts them: at the
// start, at the end, alone between newlines, or at the seam of two equal
// halves. Of overlapping ones the longest stays.
func FindMarkers(text string) []Marker {
	var found []Marker
	if m, ok := startMarker(text); ok {
		found = append(found, m)
	}
	if m, ok := endMarker(text); ok {
		found = append(found, m)
	}
	for i := 0; i < len(text); {
		if m, ok := lineMarker(text, i); ok {
			found = append(found, m)
		}
		next := strings.IndexByte(text[i:], '\n')
		if next < 0 {
			break
		}
		i += next + 1
	}
	if m, ok := seamMarker(text); ok {
		found = append(found, m)
	}
	return apart(found)
}

// apart sorts markers and drops the shorter of two that overlap.
func apart(found []Marker) []Marker {
	slices.SortStableFunc(found, func(a, b Marker) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	out := found[:0]
	for _, m := range found {
		if len(out) == 0 || m.Start >= out[len(out)-1].End {
			out = append(out, m)
		}
	}
	return out
}

// startMarker finds the marker that begins a text.
func startMarker(text string) (Marker, bool) {
	i := len(text) - len(strings.TrimLeft(text, " \t\r\n\ufeff"))
	return at(text, i, atStart)
}

// lineMarker finds a marker alone on the line, or the lines, from i on.
func lineMarker(text string, i int) (Marker, bool) {
	m, ok := at(text, i, onLine)
	if !ok || m.End < len(text) && text[m.End] != '\n' && text[m.End] != '\r' {
		return Marker{}, false
	}
	return m, i == 0 || text[i-1] == '\n'
}

// at finds the longest marker of a place that starts at i.
func at(text string, i int, p place) (best Marker, ok bool) {
	if i >= len(text) {
		return best, false
	}
	for _, k := range index[text[i]] {
		if k.place&p == 0 {
			continue
		}
		if m, fits := k.match(text, i); fits && (!ok || m.End > best.End) {
			best, ok = m, true
		}
	}
	return best, ok
}

// endMarker finds the marker that ends a text; of several the longest.
func endMarker(text string) (best Marker, ok bool) {
	body := strings.TrimRight(text, " \t\r\n")
	from := max(0, len(body)-markerTail)
	for i := range Markers {
		k := &Markers[i]
		if k.place&(atEnd|lastLine|onLine) == 0 || !strings.HasSuffix(body, k.last()) {
			continue
		}
		if m, fits := k.ends(body, from); fits && (!ok || m.Start < best.Start) {
			best, ok = m, true
		}
	}
	return best, ok
}

// ends matches the kind against the end of a text.
func (k *MarkerKind) ends(body string, from int) (Marker, bool) {
	anchor := k.anchor()
	for i := strings.LastIndex(body[from:], anchor); i >= 0; i = strings.LastIndex(body[from:from+i], anchor) {
		m, ok := k.match(body, from+i)
		if !ok || m.End != len(body) {
			continue
		}
		alone := m.Start == 0 || body[m.Start-1] == '\n'
		return m, (alone || k.place&atEnd != 0) && (k.place&atLimit == 0 || runes(body) == k.Limit+len("..."))
	}
	return Marker{}, false
}

// anchor is the literal text that the pattern starts with.
func (k *MarkerKind) anchor() string {
	lit, _, _ := strings.Cut(k.pattern, "%")
	return lit
}

// last is the literal text that the pattern ends with.
func (k *MarkerKind) last() string {
	if i := strings.LastIndexByte(k.pattern, '%'); i >= 0 {
		return k.pattern[i+len("%d"):]
	}
	return k.pattern
}

// seams are the words that inline markers hold behind their number.
var seams = []string{" truncated…", "<response clipped><NOTE>Due to"}

// seamMarker finds the marker that joins the two halves of a text. It stands
// in the middle of what was kept, or a header announces it; elsewhere the same
// words are content.
func seamMarker(text string) (Marker, bool) {
	for _, word := range seams {
		for i, n := 0, 0; n < 64; n++ {
			j := strings.Index(text[i:], word)
			if j < 0 {
				break
			}
			if m, ok := seamAt(text, i+j); ok {
				return m, true
			}
			i += j + len(word)
		}
	}
	return Marker{}, false
}

// seamAt reads the inline marker around a seam word.
func seamAt(text string, i int) (Marker, bool) {
	start := i
	if !strings.HasPrefix(text[i:], "<") {
		from := max(0, i-32)
		n := strings.LastIndex(text[from:i], "…")
		if n < 0 {
			return Marker{}, false
		}
		start = from + n
	}
	m, ok := at(text, start, inline)
	return m, ok && (announced(text[:m.Start]) || balanced(m.Start, len(text)-m.End))
}

// announced reports whether a head holds the harness's note that the output
// was cut.
func announced(head string) bool {
	head = head[:min(len(head), markerTail)]
	return strings.HasPrefix(head, "Warning: truncated output") || strings.HasPrefix(head, "Total output lines: ") ||
		strings.Contains(head, "\nTotal output lines: ")
}

// balanced reports whether two lengths are halves of one budget.
func balanced(a, b int) bool { return max(a, b)-min(a, b) <= 32+(a+b)/50 }

// match reads the pattern at i.
func (k *MarkerKind) match(text string, i int) (Marker, bool) {
	m := Marker{Kind: k, Start: i, Omitted: -1}
	numbers := 0
	for p := k.pattern; p != ""; {
		lit, rest, wild := strings.Cut(p, "%")
		if !strings.HasPrefix(text[i:], lit) {
			return m, false
		}
		i += len(lit)
		if !wild {
			break
		}
		verb := rest[0]
		p = rest[1:]
		if verb == 'd' {
			n, end := number(text, i)
			if end == i {
				return m, false
			}
			if numbers++; k.counts != none && (numbers == 1) != k.second {
				m.Omitted = n
			}
			i = end
			continue
		}
		if i = skip(text, i, p); i < 0 {
			return m, false
		}
	}
	m.End = i
	return m, true
}

// number reads digits with commas.
func number(text string, i int) (n, end int) {
	for ; i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == ',' && end > 0); i++ {
		if text[i] != ',' && n < 1<<50 {
			n = 10*n + int(text[i]-'0')
		}
		end = i + 1
	}
	if end == 0 {
		return 0, i
	}
	return n, end
}

// skip passes over anything in the line up to the literal that follows.
func skip(text string, i int, pattern string) int {
	line := text[i:min(len(text), i+400)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	next, _, _ := strings.Cut(pattern, "%")
	next, _, _ = strings.Cut(next, "\n")
	if next == "" {
		return i + len(line)
	}
	n := strings.Index(line, next)
	if n < 0 {
		return -1
	}
	return i + n
}

// runes counts the characters of a text.
func runes(s string) int {
	n := 0
	for range s {
		n++
	}
	return n
}
