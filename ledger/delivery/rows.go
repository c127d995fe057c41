package delivery

import (
	"cmp"
	"slices"
)

// Row is one field of one tool's results.
type Row struct {
	Tool, Field        string
	Calls              int // calls whose result was JSON
	Produced           int // calls that produced the field, or should have
	Whole, Part, Lost  int // of those: arrived whole, in part, not at all
	Rate               float64
	Low, High          float64 // the rate's 95 % Wilson interval when estimated, else the rate
	How                string  // "exact" or "estimated"
	Basis              int     // estimated: the uncut results that the expectation rests on
	Rows, RowsExpected int     // rows of a list that arrived, of how many
}

const (
	basisFrom  = 3    // uncut results from which an expectation is drawn
	expectedIn = 0.80 // share of them that a field has to stand in
)

// Rows lists the fields, worst arrival first. The list of a root array has the
// field "".
//
// Where the full text of a result is not known, a cut one should have had a
// field that stands in four of five uncut results that begin alike. With fewer
// than three such, it should have had what another cut result shows. A result
// whose text shows that the field was not there is never counted as a loss:
// its container arrived whole, or a field that always comes later did.
func (t *Table) Rows() []Row {
	var out []Row
	for tool, groups := range t.tools {
		fields := map[string]*Row{}
		calls := 0
		for _, g := range groups {
			calls += g.Exact + g.Uncut + g.Cut
			for path := range g.Fields {
				r := fields[path]
				if r == nil {
					r = &Row{Tool: tool, Field: path, How: "exact"}
					fields[path] = r
				}
				g.count(path, r)
			}
		}
		for _, r := range fields {
			if r.Produced == 0 {
				continue
			}
			r.Calls = calls
			r.rate()
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Rate, b.Rate), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Field, b.Field))
	})
	return out
}

// rate derives the rates from the counts.
func (r *Row) rate() {
	r.Lost = r.Produced - r.Whole - r.Part
	r.Rate = float64(r.Whole) / float64(r.Produced)
	r.Low, r.High = r.Rate, r.Rate
	if r.How != "exact" {
		r.Low, r.High = wilson(r.Whole, r.Produced)
	}
}

// count adds a group's results to a field's row.
func (g *group) count(path string, r *Row) {
	f := g.Fields[path]
	if y := f.Exact; y != nil {
		r.Produced += y.Produced
		r.Whole += y.Whole
		r.Part += y.Part
		r.Rows += y.Rows
		r.RowsExpected += y.Made
	}
	seen := f.CutWhole + f.CutPart
	produced := seen
	if g.expected(f) {
		produced = max(seen, g.Cut-g.absent(path))
	}
	r.Produced += f.Uncut + produced
	r.Whole += f.Uncut + f.CutWhole
	r.Part += f.CutPart
	r.Rows += f.UncutRows + f.CutRows
	r.RowsExpected += f.UncutRows
	if g.Cut > 0 && produced > 0 {
		r.How = "estimated"
		r.Basis += g.Uncut
		r.RowsExpected += f.expectedRows(produced)
	}
}

// expected reports whether the group's cut results should have the field.
func (g *group) expected(f *field) bool {
	if g.Uncut+g.Exact >= basisFrom {
		have := f.Uncut
		if f.Exact != nil {
			have += f.Exact.Produced
		}
		return float64(have) >= expectedIn*float64(g.Uncut+g.Exact)
	}
	return f.CutWhole+f.CutPart > 0
}

// expectedRows is how many rows the list had in cut results, taken from uncut
// ones; cut ones are longer as a rule, so it is a lower bound.
func (f *field) expectedRows(cut int) int {
	if f.Uncut < basisFrom {
		return f.CutRows
	}
	return max(f.CutRows, (f.UncutRows*cut+f.Uncut/2)/f.Uncut)
}

// absent is the number of cut results that show that the field was not there.
func (g *group) absent(path string) int {
	f := g.Fields[path]
	up, nested := parent(path)
	if !nested {
		n := 0
		for last, with := range f.After {
			if l := g.Fields[last]; l != nil {
				n += l.Last - with
			}
		}
		return n
	}
	n := -f.Within
	for { // the container that is counted: rows stand under their list
		if c := g.Fields[up]; c != nil {
			n += c.Closed
		} else if list, ok := trimRows(up); ok {
			up = list
			continue
		}
		break
	}
	list, _ := trimRows(up)
	return max(0, n) + g.absentAbove(list)
}

// absentAbove is absent for the container of a field.
func (g *group) absentAbove(path string) int {
	if path == "" || g.Fields[path] == nil {
		return 0
	}
	return g.absent(path)
}

// trimRows takes one "[]" off a path.
func trimRows(path string) (string, bool) {
	if n := len(path); n >= 2 && path[n-2:] == "[]" {
		return path[:n-2], true
	}
	return path, false
}
