package delivery

import "strings"

// ScanJSON says what a text delivered of a JSON document. Without a marker, a
// text counts as cut only when it begins like a document and the grammar holds
// strictly up to its last byte; with one, up to the marker. Whether the caller
// asked for a part is for the caller to know, see [AskedForPart].
func ScanJSON(text string) Scan {
	s := Scan{Produced: -1}
	body := unwrap(text)
	s.Body = body.start
	inner := text[body.start:body.end]
	if inner == "" || inner[0] != '{' && inner[0] != '[' {
		if s.tail(text, body) {
			return s
		}
		s.Why = "does not begin as an object or an array"
		return s
	}
	if m, ok := seamIn(text, body); ok && s.marked(text, body, m) {
		return s
	}
	p, st := parse(inner)
	s.At = body.start + p.i
	switch st {
	case complete:
		s.whole(text, body, p)
	case unfinished:
		s.unfinished(text, body, p)
	case broken:
		s.broken(text, body)
	}
	if s.Shape == NotJSON {
		if m, ok := endMarker(inner); ok && m.Kind.Side == Tail && s.tail(text, body) {
			return s
		}
	}
	return s
}

// whole judges a document that is complete.
func (s *Scan) whole(text string, body span, p *parser) {
	s.Shape = Whole
	if body.wrapped {
		s.Shape = Wrapped
	}
	rest := strings.TrimLeft(text[s.At:body.end], " \t\r\n")
	if rest == "" {
		s.record(p)
		if p.clips {
			s.Style, s.Side = RowAware, Prefix
		}
		return
	}
	s.Shape, s.Why = NotJSON, "text follows the document"
	if m, ok := markerFirst(rest); ok {
		s.Shape, s.Marker, s.Why = Several, shift(m, body.end-len(rest)), "a marker follows a complete document"
	} else if another(rest) {
		s.Shape, s.Why = Several, "another document follows"
	}
}

// markerFirst finds the marker that begins what follows a document.
func markerFirst(rest string) (Marker, bool) {
	if m, ok := endMarker(rest); ok && m.Start == 0 {
		return m, true
	}
	return lineMarker(rest, 0)
}

// another reports whether a further document follows, which may be cut.
func another(rest string) bool {
	if rest[0] != '{' && rest[0] != '[' {
		return false
	}
	_, st := parse(rest)
	return st == complete || st == unfinished && begins(rest)
}

// unfinished judges a text that ends inside a document.
func (s *Scan) unfinished(text string, body span, p *parser) {
	if m, ok := endMarker(text[body.start:body.end]); ok && s.marked(text, body, *shift(m, body.start)) {
		return
	}
	if body.marker != nil {
		s.cut(text, body, p, body.marker)
		return
	}
	if !begins(p.s) {
		s.Why = "too little of it to be taken for JSON"
		return
	}
	s.cut(text, body, p, nil)
	s.EndsOnLine = endsOnLine(p.s)
}

// broken judges a text whose grammar breaks before its end: a cut only when a
// marker stands at that place.
func (s *Scan) broken(text string, body span) {
	for _, m := range markersNear(text, body, s.At) {
		if s.marked(text, body, m) {
			return
		}
	}
	s.Why = "the grammar does not hold"
}

// markersNear finds the markers that can have broken the grammar at a place.
func markersNear(text string, body span, i int) []Marker {
	var near []Marker
	if m, ok := endMarker(text[body.start:body.end]); ok && body.start+m.Start <= i+2 {
		near = append(near, *shift(m, body.start))
	}
	from := i
	for from < body.end && (text[from] == '\n' || text[from] == '\r') {
		from++
	}
	if m, ok := lineMarker(text[:body.end], from); ok {
		near = append(near, m)
	}
	back := max(body.start, i-markerTail)
	for line := strings.LastIndexByte(text[back:i], '\n') + back + 1; line > back && i-line < 200; {
		if m, ok := lineMarker(text[:body.end], line); ok {
			near = append(near, m)
		}
		line = strings.LastIndexByte(text[back:line-1], '\n') + back + 1
	}
	return near
}

// marked tries a cut at a marker: the grammar has to hold up to it.
func (s *Scan) marked(text string, body span, m Marker) bool {
	head := strings.TrimRight(text[body.start:m.Start], "\r\n")
	p, st := parse(head)
	if st != unfinished || len(p.stack) == 0 {
		return false
	}
	s.At = body.start + p.i
	s.cut(text, body, p, &m)
	return true
}

// cut records a cut document.
func (s *Scan) cut(text string, body span, p *parser, m *Marker) {
	s.Shape, s.Side, s.Style = Cut, Prefix, Positional
	s.Path, s.Open = p.cut()
	s.record(p)
	if m == nil {
		return
	}
	s.Marker = m
	rest := strings.TrimSpace(text[min(m.End, body.end):body.end])
	if rest != "" && m.Start >= body.start {
		s.Side = Middle
		if t, ok := readTail(rest, p.stack[0].array); ok {
			s.add(t)
		}
	}
	s.Produced = produced(text, body, m)
}

// record takes over what a parser counted.
func (s *Scan) record(p *parser) {
	s.Sig = p.signature()
	p.counts(s)
}

// add counts the fields of a document's tail too.
func (s *Scan) add(t *parser) {
	var o Scan
	t.counts(&o)
	for f, a := range o.Fields {
		have := s.Fields[f]
		s.Fields[f] = Arrival{Whole: have.Whole + a.Whole, Part: have.Part + a.Part}
	}
	for f, n := range o.RowsWhole {
		s.RowsWhole[f] += n
	}
	s.Crowded = s.Crowded || o.Crowded
}

// tail tries a document of which only the end was kept; only a marker can tell.
func (s *Scan) tail(text string, body span) bool {
	m, rest := body.marker, text[body.start:body.end]
	if m == nil || m.Kind.Side != Tail {
		e, ok := endMarker(rest)
		if !ok || e.Kind.Side != Tail {
			return false
		}
		rest = rest[:e.Start]
		m = shift(e, body.start)
	}
	t, ok := readTail(strings.TrimSpace(rest), false)
	if !ok {
		if t, ok = readTail(strings.TrimSpace(rest), true); !ok {
			return false
		}
	}
	s.Shape, s.Side, s.Marker, s.Why, s.At = Cut, Tail, m, "", body.start
	s.record(t)
	s.Sig = ""
	s.Produced = produced(text, body, m)
	return true
}

// begins reports whether a text begins as a document does that nobody takes
// for anything else.
func begins(s string) bool {
	rest := strings.TrimLeft(s[1:], " \t\r\n")
	if rest == "" {
		return false
	}
	switch rest[0] {
	case '"':
		return true
	case '{':
		return s[0] == '[' && strings.HasPrefix(strings.TrimLeft(rest[1:], " \t\r\n"), `"`) || s[0] == '[' && len(rest) == 1
	}
	return len(s) >= 64
}

// endsOnLine reports whether an unfinished document ends where a line of it
// ends, as a part asked for by lines does.
func endsOnLine(s string) bool {
	if strings.HasSuffix(s, "\n") {
		return true
	}
	return strings.Contains(s, "\n") && strings.IndexByte("{[,}]", s[len(s)-1]) >= 0
}

// signature tells one tool's results apart by what they begin with, which a
// cut at the end leaves alone.
func (p *parser) signature() string {
	if p.s == "" {
		return ""
	}
	if p.s[0] == '{' {
		return "{" + p.sig
	}
	if e := p.root.elem; e != nil && len(e.kids) > 0 {
		return "[{" + unquote(e.kids[0].name)
	}
	return "["
}

// produced is how many bytes the tool wrote, when a marker counts them.
func produced(text string, body span, m *Marker) int {
	if body.produced > 0 {
		return body.produced
	}
	if m.Omitted < 0 || m.OmittedUnit() > Bytes {
		return -1
	}
	kept := body.end - body.start
	if m.Start >= body.start && m.End <= body.end {
		kept -= m.End - m.Start
	}
	return kept + m.Omitted
}

// seamIn finds an inline marker in a body; its balance is that of the body or
// of the whole text.
func seamIn(text string, body span) (Marker, bool) {
	if m, ok := seamMarker(text); ok && m.Start >= body.start && m.End <= body.end {
		return m, true
	}
	m, ok := seamMarker(text[body.start:body.end])
	if !ok {
		return m, false
	}
	return *shift(m, body.start), true
}

// shift moves a marker found in a part of the text.
func shift(m Marker, by int) *Marker {
	m.Start += by
	m.End += by
	return &m
}
