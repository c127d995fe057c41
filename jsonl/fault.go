package jsonl

import (
	"fmt"
	"strings"
)

// FaultKind says why some bytes of the input are not a record.
type FaultKind uint8

// The kinds of faults.
const (
	NotJSON   FaultKind = iota + 1 // a line, or the rest of one, that does not look like a JSON object or array
	Malformed                      // starts as JSON and breaks; with Fault.Glued also the place where two records meet
	TornTail                       // the input ends inside a value
	TooLong                        // longer than Options.MaxLine
	TooDeep                        // nested deeper than Options.MaxDepth
	TooMany                        // more values in one record than the reader is willing to index
	NulRun                         // NUL bytes outside any record
	Encoding                       // compressed data that breaks, or text that is not UTF-8 at all

	faultKinds
)

var faultNames = [faultKinds]string{
	"none", "not-json", "malformed", "torn-tail", "too-long", "too-deep", "too-many", "nul-run", "encoding",
}

// String returns a short lower-case name, such as "torn-tail".
func (k FaultKind) String() string {
	if k >= faultKinds {
		return fmt.Sprintf("fault(%d)", uint8(k))
	}
	return faultNames[k]
}

// HeadBytes is the most that a Fault keeps of the bytes it stands for.
const HeadBytes = 200

// Fault describes bytes that are not a record. It owns its memory and may be
// kept.
type Fault struct {
	Kind     FaultKind
	At       int    // where it broke, in bytes from Record.Offset
	Expected string // what stood there in a sound file: "',' or '}' after a value"
	Glued    bool   // another record starts right behind, on the same physical line
	Head     string // a copy of the first HeadBytes bytes, raw: may be invalid UTF-8
}

// SyntaxError says where and why a text is not the JSON it should be.
type SyntaxError struct {
	At       int       // byte offset in the parsed text
	Expected string    // what the grammar asks for there
	EOF      bool      // the text ends inside a value; more bytes might complete it
	Kind     FaultKind // Malformed, TooDeep or TooMany
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("byte %d: expected %s", e.At, e.Expected)
}

// FlawSet is a set of blemishes in the text of a record that parses anyway.
type FlawSet uint8

// The flaws.
const (
	InvalidUTF8   FlawSet = 1 << iota // bytes in a string that are not UTF-8; Value.Str returns them as they are
	LoneSurrogate                     // an escaped half of a surrogate pair; decoded as U+FFFD
	Nul                               // an escaped U+0000
	InnerBOM                          // a byte order mark that does not stand at the start of the input
	BadEscape                         // an escape that JSON does not know: not valid JSON, read with the backslash as it stands
	Replacement                       // a literal U+FFFD: some earlier program lost the character that stood here
)

var flawNames = [...]string{"invalid UTF-8", "lone surrogate", "NUL", "inner BOM", "invalid escape", "replacement character"}

// Has reports whether any flaw of g is in f.
func (f FlawSet) Has(g FlawSet) bool { return f&g != 0 }

// Names lists the flaws in words, in a fixed order.
func (f FlawSet) Names() []string {
	var names []string
	for i, name := range flawNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String joins the names with commas; "" when there is no flaw.
func (f FlawSet) String() string { return strings.Join(f.Names(), ", ") }
