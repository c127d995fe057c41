// Package finding holds what a rule says and a reporter prints: the one
// vocabulary that both sides share, so that neither has to know the other.
package finding

import "fmt"

// Level is the severity of a finding. Its spellings are SARIF's own.
type Level uint8

// The levels, mildest first, so that they compare with < and >.
const (
	None Level = iota // switched off
	Note
	Warning
	Error
)

var levelNames = [...]string{"none", "note", "warning", "error"}

func (l Level) String() string { return levelNames[l] }

// ParseLevel reads a level by its name: none, note, warning or error.
func ParseLevel(s string) (Level, error) {
	for i, name := range levelNames {
		if s == name {
			return Level(i), nil
		}
	}
	return None, fmt.Errorf("unknown level %q: use note, warning, error or none", s)
}

// Grade says how much a piece of evidence proves.
type Grade string

// The evidence grades. A false confirmation is an Observed that was written
// down as a Verified.
const (
	Observed   Grade = "observed"   // L0: these bytes appeared in an output
	Terminated Grade = "terminated" // L1: how the process ended
	Verified   Grade = "verified"   // L2: a conclusion drawn from a successful end
	Claimed    Grade = "claimed"    // somebody said so; nothing was shown
	Recorded   Grade = "recorded"   // the harness wrote it down as a typed fact
)

// Precision is how often a rule is right when it fires, as earned on the
// labelled sets in eval/. The spellings are GitHub code scanning's.
type Precision string

// The precision classes.
const (
	VeryHigh Precision = "very-high"
	High     Precision = "high"
	Medium   Precision = "medium"
	Low      Precision = "low"
)

// Span is a place in an input file.
type Span struct {
	Line    int   // 1-based physical line; 0 means the file as a whole
	Offset  int64 // byte offset of the record in the (decompressed) stream
	Length  int64 // byte length of the record
	Column  int   // 1-based column of the value in UTF-16 units; 0 when not counted
	EndCol  int   // exclusive; 0 when not counted
	From    int   // byte range of the value inside the record; 0, 0 for all of it
	To      int
	Pointer string // JSON pointer of the value inside its record, "" for all of it
	ID      string // the record's own id (uuid, call id), when it has one
}

// Evidence is one step of the chain that leads to a finding.
type Evidence struct {
	Span
	Grade Grade
	Note  string // what this step shows, one line, lower-case start
	Quote string // the words themselves, raw and bounded; reporters escape them
}

// Finding is one place where what a log says and what it shows disagree.
type Finding struct {
	Rule    string // rule id
	Level   Level
	File    string // as the user named it, slash-separated
	Session string // session id, "" when the format has none
	Span
	Message  string // what is wrong, with the numbers, one line
	Quote    string // the claim or the faulty value, raw and bounded
	Evidence []Evidence
	Why      string // why it matters, one sentence
	Fix      string // what to do next: the command to rerun, the field to keep
	Inferred bool   // concluded from what was absent or derived, not read
	Key      string // rule-specific identity, part of the fingerprint; never a line number
	// Fingerprint is stable under insertion and removal of other lines: 16 hex
	// digits, a colon, and the ordinal among equal ones in the file.
	Fingerprint string
}

// Rule is the part of a rule's metadata that reporters print.
type Rule struct {
	ID        string
	Title     string // one line, no period
	Why       string // one paragraph
	Fix       string // one paragraph
	Group     string
	Level     Level // default level
	Precision Precision
	Help      string // the whole page as Markdown
}

// Notice is something the tool itself has to say about a run: an unreadable
// file, a check that lacked its data, a limit that was reached.
type Notice struct {
	Level   Level
	ID      string // unreadable-input, not-checked, results-capped, ...
	File    string // "" for the run as a whole
	Line    int
	Message string
}
