package ledger

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// jsonHead is how much of a result is looked at to see whether it is JSON.
const jsonHead = 512

// observeDelivery holds a result against the JSON that the tool produced, and
// counts what arrived of every field. Text that never was JSON costs a look at
// its first bytes.
func (s *Session) observeDelivery(c *Call, e *transcript.Event) {
	if e.Origin == transcript.Copied || !looksLikeJSON(e.Text.Head(jsonHead)) {
		return
	}
	scan := delivery.ScanJSON(e.Words())
	if scan.Shape == delivery.NotJSON || scan.Shape == delivery.Several {
		return
	}
	s.Delivery = &scan
	if scan.Shape == delivery.Cut && s.AskedForPart(c) {
		return // a part was asked for: nothing was lost on the way
	}
	if s.Arrival == nil {
		return
	}
	if e.Result.FullKnown {
		if full := delivery.ScanJSON(e.Result.Full.String()); full.Shape == delivery.Whole {
			s.Arrival.AddExact(c.Tool, full, scan)
			return
		}
	}
	s.Arrival.Add(c.Tool, scan)
}

// AskedForPart reports whether the call itself asked for a part of the data:
// a limit, a range, `head -c`, `sed -n`. A cut that a harness marks as its own
// was not asked for, whatever the command says.
func (s *Session) AskedForPart(c *Call) bool {
	if s.Call == c && s.Delivery != nil && s.Delivery.Marker != nil {
		return false
	}
	lines := c.Act == transcript.Read || c.Act == transcript.Search // whose limits count lines; a tool's own limit counts rows
	return lines && c.Limited || c.Command != "" && delivery.AskedForPart(c.Command)
}

// looksLikeJSON is the cheap gate in front of the scanner: an object or an
// array begins the text, or the line after a harness header.
func looksLikeJSON(head string) bool {
	head = strings.TrimLeft(head, " \t\r\n\ufeff")
	if head == "" {
		return false
	}
	if head[0] == '{' || head[0] == '[' {
		return true
	}
	return strings.Contains(head, "\n{") || strings.Contains(head, "\n[")
}
