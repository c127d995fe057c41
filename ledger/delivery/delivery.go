// Package delivery says what a tool result delivered of the JSON that the tool
// produced: the whole document, a cut one, or text that never was one
// document. It knows texts and markers, and nothing of sessions.
//
// Harnesses cut by position: they keep the first so many characters, or the
// first and the last, and leave a marker or nothing at all. What stands late
// in the document is then lost in every call. [ScanJSON] finds the cut,
// [Table] adds up over many calls which fields arrived.
package delivery

// Side says which part of a text was kept.
type Side uint8

const (
	Unknown Side = iota // not stated, and the text does not show it
	Prefix              // the head was kept, the end is lost
	Tail                // the end was kept, the head is lost
	Middle              // both ends were kept, the middle is lost
)

// String names the side.
func (s Side) String() string { return [...]string{"unknown", "prefix", "tail", "middle"}[s&3] }

// Unit is what a budget counts.
type Unit uint8

const (
	Chars Unit = iota
	Bytes
	Tokens
	Lines
)

// String names the unit.
func (u Unit) String() string { return [...]string{"chars", "bytes", "tokens", "lines"}[u&3] }

// Shape is what a text is, taken as JSON.
type Shape uint8

const (
	NotJSON Shape = iota // never one JSON document, see Scan.Why
	Whole                // one complete document
	Cut                  // one document, cut by position
	Several              // NDJSON or concatenated documents
	Wrapped              // one complete document in a harness's header or trailer
)

// String names the shape.
func (s Shape) String() string {
	return [...]string{"not json", "whole", "cut", "several", "wrapped", "", "", ""}[s&7]
}

// Style is how something was left out.
type Style uint8

const (
	Positional Style = iota // sliced at a place in the text
	RowAware                // whole rows or string ends left out, the document stays valid and says so
)

// String names the style.
func (s Style) String() string { return [...]string{"positional", "row-aware"}[s&1] }

// Arrival counts how often one field path stands in a result.
type Arrival struct {
	Whole int // values that arrived complete
	Part  int // values that the cut broke
}

// Scan is what one text delivered of a JSON document.
//
// Field paths join the keys with "/" and write an array's elements as "[]":
// "late_list[]/name". Rows are counted under the array's own path, "" for a
// root array.
type Scan struct {
	Shape  Shape
	Side   Side
	Style  Style
	Marker *Marker // the marker that states the cut, if any

	Body       int      // offset in the text where the document begins
	At         int      // offset in the text where the structure broke
	Path       string   // JSON pointer of the innermost value that broke
	Open       []string // keys (or indexes) of the values still open, outermost first
	EndsOnLine bool     // a cut without marker that falls on the end of a line
	Sig        string   // what the document begins with: tells one tool's results apart

	Fields    map[string]Arrival
	RowsWhole map[string]int // by array path: rows that arrived complete
	RowsPart  map[string]int // by array path: rows that the cut broke
	Crowded   bool           // more field paths than are told apart; the rest is not in Fields

	Produced int    // bytes that the tool produced, when the marker tells; else -1
	Why      string // NotJSON and Several: what told
}
