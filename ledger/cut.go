package ledger

import (
	"bytes"

	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Cut is a harness's own word that it left out a part of a result.
type Cut struct {
	Kind    *delivery.MarkerKind
	Mark    string // the marker, bounded
	Omitted int    // units left out, -1 unknown
	Unit    delivery.Unit
	At      int // offset of the marker in the text
}

// stems are in every marker of a cut: a text without any of them is not
// decoded to look for one.
var stems = [][]byte{
	[]byte("runcat"), []byte("RUNCAT"), []byte("mitted"), []byte("lipped"), []byte("ropped"), []byte("lided"), []byte("oo large"), []byte("oo long"), []byte("Showing "),
	[]byte(" more lines"), []byte("more characters"), []byte("persisted-output"),
}

// cutIn finds the marker of a cut in a result. Several cuts of one result
// count as one, the first that says where.
func cutIn(t transcript.Text) *Cut {
	if !holdsStem(t) {
		return nil
	}
	for _, m := range delivery.FindMarkers(t.String()) {
		if m.Kind.ID == "cleared" {
			continue // taken out later, not cut on the way
		}
		text := t.String()
		return &Cut{Kind: m.Kind, Mark: transcript.Keep(text[m.Start:m.End], 160), Omitted: m.Omitted, Unit: m.OmittedUnit(), At: m.Start}
	}
	return nil
}

func holdsStem(t transcript.Text) bool {
	for raw := range t.RawParts() {
		for _, s := range stems {
			if bytes.Contains(raw, s) {
				return true
			}
		}
	}
	return false
}

// CutOf is the cut of a call's result, nil when nothing says that it was cut:
// a marker, or a document that breaks off though no part of it was asked for.
func (s *Session) CutOf(c *Call) *Cut {
	if c.Result == nil {
		return nil
	}
	return c.Result.Cut
}
