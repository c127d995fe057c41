package delivery

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sample draws a result: some fields are optional, some results are cut.
func sample(r *rand.Rand) (tool string, full, got Scan, exact bool) {
	var b strings.Builder
	b.WriteString(`{"early": [`)
	for i := range r.IntN(6) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `{"id": %d, "name": "n%d"}`, i, i)
	}
	b.WriteString(`]`)
	if r.IntN(3) == 0 {
		b.WriteString(`, "note": {"text": "x"}`)
	}
	fmt.Fprintf(&b, `, "k%d": 1, "late": [1, 2, 3]}`, r.IntN(700))
	text := b.String()
	cut := text
	if r.IntN(2) == 0 {
		cut = CutPrefix(text, 3+r.IntN(len(text)-3))
	}
	return fmt.Sprintf("tool%d", r.IntN(3)), ScanJSON(text), ScanJSON(cut), r.IntN(3) == 0
}

func fill(t *Table, r *rand.Rand, n int) {
	for range n {
		tool, full, got, exact := sample(r)
		if exact {
			t.AddExact(tool, full, got)
		} else {
			t.Add(tool, got)
		}
	}
}

func form(t *testing.T, x *Table) string {
	t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTableIsAMonoid holds that order and grouping of the merges do not
// matter, nor a way through JSON, with more fields than are kept.
func TestTableIsAMonoid(t *testing.T) {
	const shards, each = 7, 300
	var all Table
	r := rand.New(rand.NewPCG(1, 2))
	fill(&all, r, shards*each)
	want := form(t, &all)
	r = rand.New(rand.NewPCG(1, 2))
	parts := make([]*Table, shards)
	for i := range parts {
		parts[i] = &Table{}
		fill(parts[i], r, each)
	}
	order := rand.New(rand.NewPCG(3, 4))
	for round := range 5 {
		var left, right Table
		for n, i := range order.Perm(shards) {
			var through Table
			if err := json.Unmarshal([]byte(form(t, parts[i])), &through); err != nil {
				t.Fatal(err)
			}
			if n < round {
				left.Merge(&through)
			} else {
				right.Merge(&through)
			}
		}
		left.Merge(&right)
		left.Merge(nil)
		left.Merge(&Table{})
		if got := form(t, &left); got != want {
			t.Fatalf("round %d differs:\n%.600s\n%.600s", round, got, want)
		}
		if fmt.Sprint(left.Rows()) != fmt.Sprint(all.Rows()) {
			t.Fatal("rows differ")
		}
	}
	for _, r := range all.Rows() {
		if r.Whole+r.Part+r.Lost != r.Produced || r.Lost < 0 || r.Produced > r.Calls || r.Low > r.Rate || r.High < r.Rate {
			t.Errorf("%+v", r)
		}
	}
}

func row(t *testing.T, x *Table, field string) Row {
	t.Helper()
	for _, r := range x.Rows() {
		if r.Field == field {
			return r
		}
	}
	t.Fatalf("no row of %q in %+v", field, x.Rows())
	return Row{}
}

func TestStarvedField(t *testing.T) {
	text := document(118, 128)
	var exact, estimated Table
	for range 3 {
		estimated.Add("list", ScanJSON(document(5, 6)))
	}
	for range 9 {
		exact.AddExact("list", ScanJSON(text), ScanJSON(CutPrefix(text, 6000)))
		estimated.Add("list", ScanJSON(CutPrefix(text, 6000)))
	}
	r := row(t, &exact, "late_list")
	if r.Produced != 9 || r.Lost != 9 || r.Rate != 0 || r.How != "exact" || r.RowsExpected != 9*128 || r.Rows != 0 {
		t.Errorf("%+v", r)
	}
	if r := row(t, &exact, "early_list"); r.Part != 9 || r.Rows == 0 || r.Rows >= r.RowsExpected {
		t.Errorf("%+v", r)
	}
	r = row(t, &estimated, "late_list")
	if r.Produced != 12 || r.Whole != 3 || r.Lost != 9 || r.How != "estimated" || r.Basis != 3 || r.Low <= 0 || r.High >= 1 {
		t.Errorf("%+v", r)
	}
	if r := row(t, &estimated, "late_list[]/name"); r.Lost != 9 {
		t.Errorf("%+v", r)
	}
}

// TestOptionalFieldsAreNotLost holds what is never a loss: what the result
// shows not to have been there.
func TestOptionalFieldsAreNotLost(t *testing.T) {
	rows := strings.Repeat(`{"id": 1},`, 50)
	var x Table
	x.Add("q", ScanJSON(`{"id": 1, "note": "x", "rows": [{"id": 1, "error": "e"},`+rows))
	for range 5 {
		x.Add("q", ScanJSON(`{"id": 1, "rows": [`+rows))
	}
	for _, f := range []string{"note", "rows[]/error"} {
		if r := row(t, &x, f); r.Produced != 1 || r.Lost != 0 {
			t.Errorf("%s: %+v", f, r)
		}
	}
	if r := row(t, &x, "rows"); r.Produced != 6 || r.Part != 6 {
		t.Errorf("rows: %+v", r)
	}
}

func TestInferBudget(t *testing.T) {
	sizes := func(sizes ...int) (out []Length) {
		for _, n := range sizes {
			out = append(out, LengthOf(strings.Repeat("x", n)))
		}
		return out
	}
	tests := []struct {
		name    string
		lengths []Length
		limit   int
	}{
		{"none", nil, 0},
		{"all differ", sizes(300, 301, 500, 800), 0},
		{"twice only", sizes(300, 8000, 8000), 0},
		{"round and longest", sizes(300, 8000, 8000, 8000), 8000},
		{"odd but longest", sizes(300, 7777, 7777, 7777), 7777},
		{"same small answer", sizes(12, 12, 12, 12), 0},
		{"odd and exceeded", sizes(777, 777, 777, 9000), 0},
		{"round and exceeded", sizes(8192, 8192, 8192, 9000), 8192},
		{"with dots", sizes(503, 503, 503, 9000), 503},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, ok := InferBudget(tt.lengths)
			if ok != (tt.limit > 0) || ok && b.Limit != tt.limit {
				t.Errorf("%+v %v", b, ok)
			}
		})
	}
	marked := []Length{LengthOf("x"), {Chars: 900, Bytes: 1000, Marked: true}, {Chars: 900, Bytes: 1100, Marked: true}, {Chars: 900, Bytes: 1200, Marked: true}}
	if b, ok := InferBudget(marked); !ok || b.Unit != Chars || !b.Marked {
		t.Errorf("%+v %v", b, ok)
	}
}

func TestAskedForPart(t *testing.T) {
	for _, args := range []string{
		"head -c 500 x.json", "cat x.json | head -20", "tail -n 3 x", "sed -n 1,40p package.json", "sed 40q x", "sed -ne '1,5p' x", "jq '.[0:10]' x",
		"jq 'limit(5; .[])' x", "jq 'first(.[])' x", "cut -c1-200 x", "awk 'NR<5' x", "grep -n foo x.json", "rg foo", "less x", "/usr/bin/head x",
		`{"file_path": "x", "limit": 50}`, `{"offset": 10}`, `{"head_limit": 5}`, `{"command": "cat x | head -5"}`, `python -c "print(open('x').read()[:500])"`,
		"node -e 'console.log(s.slice(0, 500))'", "Get-Content x | Select-Object -First 5", "dd if=x bs=100 count=1",
	} {
		if !AskedForPart(args) {
			t.Errorf("%s: asked for a part", args)
		}
	}
	for _, args := range []string{
		"cat package.json", "jq . x.json", "sed 's/a/b/' x", "curl -s https://example.com/api", "gh api repos/a/b", "kubectl get pods -o json", `{"limit": null}`,
		"cat headers.json", "git show HEAD:x.json", `{"cmd": "cat x", "max_output_tokens": 9000}`, "cat a[1].json", "",
	} {
		if AskedForPart(args) {
			t.Errorf("%s: did not ask for a part", args)
		}
	}
	if n := AskedTokens(`{"cmd":"x","max_output_tokens":6000}`); n != 6000 {
		t.Errorf("asked for %d tokens", n)
	}
}

func TestCutRowsStaysWithinAndValid(t *testing.T) {
	text := document(12, 15)
	for budget := 200; budget < len(text); budget += 97 {
		if out := CutRows(text, budget); len(out) > budget || !json.Valid([]byte(out)) {
			t.Fatalf("budget %d: %d bytes, valid %v", budget, len(out), json.Valid([]byte(out)))
		}
	}
}

// TestMarkersAreFound holds that each kind finds its own words at its place,
// and not inside of a line.
func TestMarkersAreFound(t *testing.T) {
	for i := range Markers {
		k := &Markers[i]
		words := strings.NewReplacer("%d", "1,234", "%s", "abc").Replace(k.pattern)
		for place, text := range map[place]string{
			atStart: words + "\nkept", atEnd: "kept" + words, lastLine: "kept\n" + words, onLine: "kept\n" + words + "\nkept", inline: long + words + long,
		} {
			if k.place&place == 0 || k.place&atLimit != 0 {
				continue
			}
			found := FindMarkers(text)
			if len(found) != 1 || found[0].Kind.Producer != k.Producer && found[0].Kind.pattern != k.pattern && !strings.Contains(k.ID, "plain") {
				t.Errorf("%s/%s in %.60q: %v", k.Producer, k.ID, text, found)
			}
		}
		if k.place&atLimit != 0 || strings.Contains(k.pattern, "\n") {
			continue
		}
		if found := FindMarkers("the docs say: " + words + " and so on, in the middle of a line that goes on and on and on"); len(found) > 0 {
			t.Errorf("%s/%s found inside of a line", k.Producer, k.ID)
		}
	}
}
