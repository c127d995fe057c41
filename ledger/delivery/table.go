package delivery

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
)

// Table adds up what arrived of each tool's JSON. It is a commutative monoid:
// it holds nothing but counts by tool, shape and field, so that tables of
// parts of the input can be merged in any order and grouping. Rates and
// expectations are derived in [Table.Rows]. The zero Table is empty.
type Table struct {
	tools map[string]map[string]*group // by tool and by what its results begin with
}

// group are the results of one tool that begin alike.
type group struct {
	Exact int `json:"exact,omitempty"` // results whose full text is known
	Uncut int `json:"uncut,omitempty"` // others, that arrived whole
	Cut   int `json:"cut,omitempty"`   // others, that were cut

	Fields map[string]*field `json:"fields,omitempty"`

	top string // the largest path in full Fields, "" when not known
}

// field counts the results of a group that show the field.
type field struct {
	Exact *tally `json:"exact,omitempty"`

	Uncut    int `json:"uncut,omitempty"`    // uncut results that have it
	CutWhole int `json:"cutWhole,omitempty"` // cut ones that have all of it
	CutPart  int `json:"cutPart,omitempty"`  // cut ones that have a part of it
	Closed   int `json:"closed,omitempty"`   // cut ones in which a whole container of this name arrived
	Within   int `json:"within,omitempty"`   // cut ones that have it, and its container whole

	// Last counts the cut results in which it was the last field of the root;
	// After counts, by such a last field, those that have this one too.
	Last  int            `json:"last,omitempty"`
	After map[string]int `json:"after,omitempty"`

	UncutRows int `json:"uncutRows,omitempty"` // rows of an array
	CutRows   int `json:"cutRows,omitempty"`
}

// tally are the counts of results whose full text is known.
type tally struct {
	Produced int `json:"produced"`
	Whole    int `json:"whole"`
	Part     int `json:"part"`
	Made     int `json:"made"` // rows
	Rows     int `json:"rows"`
}

const (
	groupCap = 32  // groups kept of a tool
	fieldCap = 512 // fields kept of a group
)

// Add counts a delivered result of which nothing else is known.
func (t *Table) Add(tool string, s Scan) {
	if s.Shape != Whole && s.Shape != Wrapped && s.Shape != Cut {
		return
	}
	g := t.group(tool, s.Sig)
	if g == nil {
		return
	}
	if s.Shape != Cut {
		g.Uncut++
		for _, path := range s.paths() {
			if f := g.field(path); f != nil {
				f.Uncut++
				f.UncutRows += s.RowsWhole[path]
			}
		}
		return
	}
	g.Cut++
	for _, path := range s.paths() {
		if f := g.field(path); f != nil {
			f.addCut(path, &s)
		}
	}
	g.order(&s)
}

// addCut counts the field of a cut result.
func (f *field) addCut(path string, s *Scan) {
	if s.all(path) {
		f.CutWhole++
	} else {
		f.CutPart++
	}
	if s.closed(path) {
		f.Closed++
	}
	if up, ok := parent(path); ok && s.closed(up) {
		f.Within++
	}
	f.CutRows += s.RowsWhole[path]
}

// order notes which fields of the root stood in front of the last one.
func (g *group) order(s *Scan) {
	if s.Side != Prefix || len(s.Open) == 0 || strings.HasPrefix(s.Sig, "[") {
		return
	}
	last := pointer.Replace(s.Open[0])
	f := g.field(last)
	if f == nil {
		return
	}
	f.Last++
	for path := range s.Fields {
		if strings.ContainsAny(path, "/[") || path == last {
			continue
		}
		if before := g.field(path); before != nil {
			if before.After == nil {
				before.After = map[string]int{}
			}
			before.After[last]++
		}
	}
}

// AddExact counts a result of which the full text is known too.
func (t *Table) AddExact(tool string, full, delivered Scan) {
	if full.Shape != Whole && full.Shape != Wrapped {
		t.Add(tool, delivered)
		return
	}
	g := t.group(tool, full.Sig)
	if g == nil {
		return
	}
	g.Exact++
	for _, path := range full.paths() {
		f := g.field(path)
		if f == nil {
			continue
		}
		if f.Exact == nil {
			f.Exact = &tally{}
		}
		f.Exact.add(path, &full, &delivered)
	}
}

// add holds what arrived of a field against what was produced.
func (y *tally) add(path string, full, got *Scan) {
	made, came := full.Fields[path], got.Fields[path]
	made.Whole += full.RowsWhole[path]
	came.Whole += got.RowsWhole[path]
	y.Produced++
	y.Made += full.RowsWhole[path]
	y.Rows += min(got.RowsWhole[path], full.RowsWhole[path])
	switch {
	case came.Whole >= made.Whole && got.all(path):
		y.Whole++
	case came.Whole+came.Part+got.RowsPart[path] > 0:
		y.Part++
	}
}

// paths are the fields and lists that a scan shows.
func (s *Scan) paths() []string {
	paths := slices.AppendSeq(make([]string, 0, len(s.Fields)+1), maps.Keys(s.Fields))
	if s.RowsWhole[""]+s.RowsPart[""] > 0 {
		paths = append(paths, "")
	}
	return paths
}

// all reports whether all of a field arrived that the result had: no value
// of it is broken, nor a list that it stands in.
func (s *Scan) all(path string) bool {
	if s.Shape != Cut {
		return true
	}
	if path == "" || s.Fields[path].Part > 0 {
		return false
	}
	for i := strings.Index(path, "[]"); i >= 0; {
		if list := path[:i]; list == "" || s.Fields[list].Part > 0 || s.RowsPart[list] > 0 {
			return false
		}
		next := strings.Index(path[i+2:], "[]")
		if next < 0 {
			return true
		}
		i += 2 + next
	}
	return true
}

// closed reports whether a whole container of this path arrived: then what
// did not arrive of it was not there.
func (s *Scan) closed(path string) bool {
	if list, ok := strings.CutSuffix(path, "[]"); ok {
		return s.RowsWhole[list] > 0
	}
	return s.Fields[path].Whole > 0 || s.RowsWhole[path] > 0
}

// parent is the container of a field; the root has none.
func parent(path string) (string, bool) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], true
	}
	return "", false
}

// group finds or makes the group of a signature. Of too many the smallest
// signatures stay: a choice that does not depend on the order of arrival.
func (t *Table) group(tool, sig string) *group {
	if t.tools == nil {
		t.tools = map[string]map[string]*group{}
	}
	if t.tools[tool] == nil {
		t.tools[tool] = map[string]*group{}
	}
	var top string
	return keep(t.tools[tool], sig, groupCap, cmp.Compare[string], &top)
}

// field finds or makes a field. Of too many the shallowest stay.
func (g *group) field(path string) *field {
	if g.Fields == nil {
		g.Fields = map[string]*field{}
	}
	return keep(g.Fields, path, fieldCap, shallow, &g.top)
}

// shallow orders paths by depth, then by name.
func shallow(a, b string) int {
	return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
}

// keep is a map's value under a key, made when it is missing. The map holds
// the n smallest keys that were ever asked for: such a set is the same
// whatever the order, and the counts of what stays in it are complete.
func keep[V any](m map[string]*V, key string, n int, order func(a, b string) int, top *string) *V {
	if v := m[key]; v != nil {
		return v
	}
	if len(m) >= n {
		if *top == "" {
			*top = slices.MaxFunc(slices.Collect(maps.Keys(m)), order)
		}
		if order(key, *top) > 0 {
			return nil
		}
		delete(m, *top)
	}
	*top = ""
	v := new(V)
	m[key] = v
	return v
}

// Merge adds another table. A nil table is empty.
func (t *Table) Merge(o *Table) {
	if o == nil {
		return
	}
	for tool, groups := range o.tools {
		for sig, from := range groups {
			if g := t.group(tool, sig); g != nil {
				g.merge(from)
			}
		}
	}
}

func (g *group) merge(o *group) {
	g.Exact += o.Exact
	g.Uncut += o.Uncut
	g.Cut += o.Cut
	for path, from := range o.Fields {
		if f := g.field(path); f != nil {
			f.merge(from)
		}
	}
}

func (f *field) merge(o *field) {
	if o.Exact != nil {
		if f.Exact == nil {
			f.Exact = &tally{}
		}
		f.Exact.Produced += o.Exact.Produced
		f.Exact.Whole += o.Exact.Whole
		f.Exact.Part += o.Exact.Part
		f.Exact.Made += o.Exact.Made
		f.Exact.Rows += o.Exact.Rows
	}
	f.Uncut += o.Uncut
	f.CutWhole += o.CutWhole
	f.CutPart += o.CutPart
	f.Closed += o.Closed
	f.Within += o.Within
	f.Last += o.Last
	f.UncutRows += o.UncutRows
	f.CutRows += o.CutRows
	for last, n := range o.After {
		if f.After == nil {
			f.After = map[string]int{}
		}
		f.After[last] += n
	}
}

// MarshalJSON writes the counts in a stable form: the keys are sorted.
func (t *Table) MarshalJSON() ([]byte, error) {
	if t == nil || t.tools == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(t.tools)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Table) UnmarshalJSON(b []byte) error {
	var tools map[string]map[string]*group
	if err := json.Unmarshal(b, &tools); err != nil {
		return err
	}
	*t = Table{}
	t.Merge(&Table{tools: dropNil(tools)})
	return nil
}

// dropNil removes what a hand-written null put in.
func dropNil(tools map[string]map[string]*group) map[string]map[string]*group {
	for _, groups := range tools {
		maps.DeleteFunc(groups, func(_ string, g *group) bool { return g == nil })
		for _, g := range groups {
			maps.DeleteFunc(g.Fields, func(_ string, f *field) bool { return f == nil })
		}
	}
	return tools
}

// wilson is the 95 % interval of a rate of n trials.
func wilson(hits, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(hits)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, min(p, mid-half)), min(1, max(p, mid+half))
}
