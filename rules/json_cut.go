package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var jsonCut = &Rule{
	ID:    "json-cut",
	Title: "A tool's JSON result was cut by position and no longer parses",
	Why: "Whatever stood behind the cut never reached the model, and what reached it is not JSON any more: " +
		"rows and fields that come late are lost in every call.",
	Fix: "Cut by row and say so, page with a limit and an offset, or put the fields that matter first.",
	Silent: "Text that never was one JSON document: log lines, NDJSON, code, Python reprs, JSON with comments; parts that were asked for " +
		"(`head -c`, `sed -n`, `jq` slices, a limit or a range); a part that ends with a line and is marked by nobody; row-aware cuts; commands that were " +
		"cut short themselves.",
	Group:     Delivery,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolResult),
	New:       func(Settings) Checker { return &cuts{} },
}

type cuts struct{ silent }

func (*cuts) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	d, c := s.Delivery, s.Call
	if d == nil || c == nil || d.Shape != delivery.Cut || e.Origin == transcript.Copied || s.AskedForPart(c) || c.Result.Term.Unfinished() {
		return
	}
	if d.EndsOnLine && d.Marker == nil {
		return // whole lines, as a script that prints a part gives them
	}
	emit(Hit{
		At: c.Result.Ref,
		Message: fmt.Sprintf("the JSON of %s is cut%s after %d bytes%s", name(c), side(d), d.At,
			inside(d)),
		Quote: around(e.Words(), d.At),
		Evidence: []finding.Evidence{
			at(c.Ref, finding.Recorded, c.Command, "the call"),
			at(c.Result.Ref, finding.Observed, around(e.Words(), d.At), "arrived: %s", arrived(d)),
		},
		Key: c.ID,
	})
}

func side(d *delivery.Scan) string {
	switch d.Side {
	case delivery.Prefix:
		return " at its end"
	case delivery.Tail:
		return " at its beginning"
	case delivery.Middle:
		return " in the middle"
	}
	return ""
}

func inside(d *delivery.Scan) string {
	s := ""
	if d.Path != "" {
		s = ", inside " + d.Path
	}
	if d.Marker != nil {
		s += " (marked by " + d.Marker.Kind.Producer + ")"
	}
	return s
}

// arrived words what survived, row by row: "118 whole rows in /early, none in
// /late".
func arrived(d *delivery.Scan) string {
	paths := make([]string, 0, len(d.RowsWhole)+len(d.RowsPart))
	for p := range d.RowsWhole {
		paths = append(paths, p)
	}
	for p := range d.RowsPart {
		if !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var parts []string
	for i, p := range paths {
		if i == 4 {
			break
		}
		parts = append(parts, fmt.Sprintf("%s in %s", plural(d.RowsWhole[p], "whole row"), orRoot(p)))
	}
	if len(parts) == 0 {
		return plural(len(d.Fields), "field")
	}
	return strings.Join(parts, ", ")
}

func orRoot(p string) string {
	if p == "" {
		return "the list"
	}
	return p
}

// around quotes the text in front of and behind a place.
func around(s string, i int) string {
	i = min(i, len(s))
	from, to := max(0, i-100), min(len(s), i+60)
	return strings.ToValidUTF8(s[from:to], "")
}
