package jsonl_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func TestDocuments(t *testing.T) {
	messages := func(path string) bool { return strings.HasSuffix(path, "/messages") || path == "/s/0" }
	tests := []struct {
		name, in string
		split    func(string) bool
		want     []string
	}{
		{"object", "{\n \"info\":{\"a\":1},\n \"messages\":[\n  {\"b\":2},\n  {\"c\":3}\n ],\n \"n\":12\n}\n", nil, []string{
			`L2 10+7 /info {"a":1}`, `L4 35+7 /messages/0 {"b":2}`, `L5 46+7 /messages/1 {"c":3}`, `L7 63+2 /n 12`,
		}},
		{"array", "[\n{\"a\":1},\n{\"b\":[1]}\n]\n", nil, []string{`L2 2+7 /0 {"a":1}`, `L3 11+9 /1 {"b":[1]}`}},
		{"array of scalars in an object stays whole", "{\n\"a\":[1,\n2]}", nil, []string{"L2 6+6 /a [1,\n2]"}},
		{"pointer escapes", "{\n\"a/b~\\u0063\":1}", nil, []string{`L2 15+1 /a~1b~0c 1`}},
		{"empty containers", "{\n\"a\":[],\"b\":{}}\n[\n]\n", nil, []string{
			`L2 6+2 /a []`, `L2 13+2 /b {}`, "L3 17+3 [\n]",
		}},
		{"split deeper", "{\n\"s\":[{\"messages\":[1,2]}]}", messages, []string{
			`L2 20+1 /s/0/messages/0 1`, `L2 22+1 /s/0/messages/1 2`,
		}},
		{"two documents", "{\n\"a\":1}\n{\n\"b\":2}\n", nil, []string{`L2 6+1 /a 1`, `L4 15+1 /b 2`}},
		{"BOM and CRLF", "\uFEFF{\r\n\"a\":1\r\n}\r\n", nil, []string{`L2 10+1 /a 1`}},
		{"torn in a piece", "[\n{\"a\":1},\n{\"b\":", nil, []string{`L2 2+7 /0 {"a":1}`, `L3 11+5 /1 torn-tail@5`}},
		{"torn in a key", "{\n\"a\":1,\n\"b", nil, []string{`L2 6+1 /a 1`, `L3 9+2 torn-tail@2`}},
		{"torn between pieces", "[\n{\"a\":1},\n", nil, []string{`L2 2+7 /0 {"a":1}`, `L2 11+0 torn-tail@0`}},
		{"malformed piece", "[\n{\"a\":NaN},\n{\"b\":1}\n]", nil, []string{`L2 2+9 /0 malformed@5`, `L3 13+7 /1 {"b":1}`}},
		{"unbalanced piece", "[\n{\"a\":1},\n{\"b\":\"\n},\n{\"c\":1}\n]\n", nil, []string{
			`L2 2+7 /0 {"a":1}`, `L3 11+10 /1 malformed@6`, `L5 21+7 /2 {"c":1}`,
		}},
		{"missing comma", "[\n{\"a\":1}\n{\"b\":1}\n,{\"c\":1}]", nil, []string{
			`L2 2+7 /0 {"a":1}`, `L3 10+0 /0 malformed@0 glued`, `L3 10+7 /1 {"b":1}`, `L4 19+7 /2 {"c":1}`,
		}},
		{"junk behind", "[\n1]\nxyz\n", nil, []string{`L2 2+1 /0 1`, `L3 5+4 malformed@0`}},
		{"NULs between", "[\n1]\n\x00\x00{\n\"a\":1}\n", nil, []string{`L2 2+1 /0 1`, `L3 5+2 nul-run@0`, `L4 13+1 /a 1`}},
		{"trailing comma", "[\n1,]\n", nil, []string{`L2 2+1 /0 1`, `L2 4+0 /0 malformed@0`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := jsonl.Options{Split: tt.split}
			if diff := cmp.Diff(tt.want, everyWay(t, tt.in, o)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestFirst(t *testing.T) {
	r := jsonl.NewReader(strings.NewReader("{\n\"a\":1,\"b\":2}{\"c\":3}"), jsonl.Options{})
	var got []string
	for r.Next() {
		got = append(got, fmt.Sprint(r.Record().Path, r.Record().First))
	}
	if want := []string{"/atrue", "/bfalse", "/ctrue"}; !cmp.Equal(want, got) {
		t.Errorf("got %q", got)
	}
}

// A document is not held in memory, even when it is one line.
func TestGiantDocument(t *testing.T) {
	for _, sep := range []string{",", ",\n"} {
		piece := `{"role":"user","content":"` + strings.Repeat("x", 1000) + `"}` + sep
		in := io.MultiReader(strings.NewReader(`{"info":1,"messages":[`),
			&repeated{piece: piece, n: 100_000}, strings.NewReader(`{}]}`))
		var asked []string
		r := jsonl.NewReader(in, jsonl.Options{MaxLine: 1 << 20, PreferDocument: func(keys []string) bool {
			asked = keys
			return true
		}})
		var n int
		for r.Next() {
			n++
		}
		if s := r.Stats(); !s.Document || n != 100_002 || s.FaultCount() != 0 {
			t.Errorf("%d pieces, %+v", n, s)
		}
		if sep == "," && !cmp.Equal(asked, []string{"messages"}) {
			t.Errorf("asked for keys %q", asked)
		}
	}
}

type repeated struct {
	piece string
	n     int
	rest  string
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.piece
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// A whole line can be cut into the same pieces that a document comes in.
func TestPieces(t *testing.T) {
	split := func(path string) bool { return strings.HasSuffix(path, "/deep") }
	for _, text := range []string{
		`{"info":{"a":1},"messages":[{"b":2},{"c":3}],"n":12,"tags":[1,2],"e":[],"x":{"deep":[1,{"y":2}]},"k/~":0}`,
		`[{"a":1},[{"b":1}],"s",[],{"deep":{"z":1}}]`,
		`[]`, `{}`,
	} {
		lines := jsonl.NewReader(strings.NewReader(text), jsonl.Options{})
		if !lines.Next() {
			t.Fatal("no record")
		}
		var fromLine, fromDoc []string
		for p := range lines.Record().Pieces(split) {
			fromLine = append(fromLine, fmt.Sprint(p.Path, p.Offset, p.Length, p.First, string(p.Root.Raw()), p.Root.FileOffset(), p.Root.Pointer()))
		}
		// The same text, read as a document: a line end is put behind its
		// first bracket, so everything stands one byte further.
		doc := jsonl.NewReader(strings.NewReader(text[:1]+"\n"+text[1:]), jsonl.Options{Split: split})
		for doc.Next() {
			p := doc.Record()
			if p.Path == "" {
				fromDoc = append(fromDoc, fmt.Sprint("", 0, 2, true, text, 0, ""))
				continue
			}
			fromDoc = append(fromDoc, fmt.Sprint(p.Path, p.Offset-1, p.Length, p.First, string(p.Root.Raw()), p.Root.FileOffset()-1, p.Root.Pointer()))
		}
		if diff := cmp.Diff(fromDoc, fromLine); diff != "" {
			t.Errorf("%s: (-document +line)\n%s", text, diff)
		}
	}
}

func TestProbe(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	tests := []struct {
		name, in string
		n        int
		want     []string
	}{
		{"empty", "", 3, nil},
		{"lines", "{\"a\":1}\noops\n{\"b\":2}\n{}", 3, []string{` {"a":1} [a]`, ` not-json`, ` {"b":2} [b]`}},
		{"document", "{\n\"a\":{\"k\":1},\"m\":[{\"b\":1}]}", 5, []string{`/a {"k":1} [k]`, `/m/0 {"b":1} [b]`}},
		{"torn", "{\"a\":", 5, []string{` torn-tail`}},
		{"long line", `{"t":"user","m":{"r":[1,"` + long + `"]}}` + "\n{}\n", 1, []string{
			` {"t":"user","m":{"r":[1,"` + long + `"]}} [t m]`,
		}},
		{"longer than the look-ahead", `{"t":"user","m":{"r":[1,"` + strings.Repeat(long, 20) + `"]}}` + "\n{}\n", 2, []string{
			` {"t":"user","m":{"r":[1]}} [t m] partial`,
		}},
		{"long piece", "[\n{\"a\":1},\n{\"b\":2,\"c\":\"" + long + "\"}]", 9, []string{`/0 {"a":1} [a]`, `/1 {"b":2} [b c] partial`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := jsonl.NewReader(strings.NewReader(tt.in), jsonl.Options{})
			var got []string
			probes := r.Probe(tt.n)
			trace(t, r, int64(len(tt.in))) // reads everything nevertheless; the probes must survive
			for _, p := range probes {
				s := p.Path + " "
				if p.Fault != nil {
					s += p.Fault.Kind.String()
				} else {
					s += fmt.Sprint(string(p.Root.Raw()), " ", p.Keys)
				}
				if p.Partial {
					s += " partial"
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%.2000s", diff)
			}
			if r.Probe(1) != nil && len(tt.in) > 0 {
				t.Error("a probe after reading")
			}
		})
	}
}

func TestSmallBufferSeesDocument(t *testing.T) {
	in := append([]byte("{\n"), bytes.Repeat([]byte(" "), 5000)...)
	in = append(in, "\"a\": 1\n}\n"...)
	everyWay(t, string(in), jsonl.Options{})
}
