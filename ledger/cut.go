package ledger

import (
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Cut is a harness's own word that it left out a part of a result.
type Cut struct {
	Kind    *delivery.MarkerKind
	Mark    string // the marker, bounded
	Omitted int    // units left out, -1 unknown
	Unit    delivery.Unit
	At      int // bytes of the text before the marker
	After   int // bytes of the text behind it
}

// stems are in every marker of a cut: a text without any of them is not
// decoded to look for one.
var (
	stems = NewStems("runcat", "RUNCAT", "mitted", "lipped", "ropped", "lided")
	// edgeStems are in markers that stand at the beginning or the end only.
	edgeStems = NewStems("oo large", "oo long", "Showing ", " more lines", "more characters", "persisted-output")
)

// stemEdge is how far from the beginning and the end those markers reach.
const stemEdge = 2 << 10

// cutIn finds the marker of a cut in a result. Several cuts of one result
// count as one, the first that says where.
func cutIn(t transcript.Text, words func() string) *Cut {
	if !mayBeCut(t) {
		return nil
	}
	text := words()
	for _, m := range delivery.FindMarkers(text) {
		if m.Kind.ID == "cleared" {
			continue // taken out later, not cut on the way
		}
		mark := transcript.Keep(text[m.Start:m.End], 160)
		return &Cut{Kind: m.Kind, Mark: mark, Omitted: m.Omitted, Unit: m.OmittedUnit(), At: m.Start, After: len(text) - m.End}
	}
	return nil
}

func mayBeCut(t transcript.Text) bool {
	for raw := range t.RawParts() {
		if HoldsStem(raw, stems) || HoldsStem(raw[:min(len(raw), stemEdge)], edgeStems) || HoldsStem(raw[max(0, len(raw)-stemEdge):], edgeStems) {
			return true
		}
	}
	return false
}

// Middle reports whether text was kept on both sides of the marker: a line or
// two of the harness behind it are no half.
func (c *Cut) Middle() bool {
	return c.Kind.Side == delivery.Middle && 4*c.After >= c.At
}

// CutOf is the cut of a call's result as its marker tells it, nil when nothing
// does.
func (s *Session) CutOf(c *Call) *Cut {
	if c.Result == nil {
		return nil
	}
	return c.Result.Cut
}
