package jsonl_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// ragged hands out its bytes in chunks of random size.
type ragged struct {
	b   []byte
	rnd *rand.Rand
}

func (r *ragged) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+r.rnd.IntN(40))], r.b)
	r.b = r.b[n:]
	return n, nil
}

// FuzzReader: the reader never panics, accounts for every byte, and says the
// same in whatever chunks the input comes.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"{\"a\":1}\n{\"b\":\"c\\u0041\"}\n", "[\n{\"a\":1},\n{}\n]\n", "{\n\"m\":[{},{\"x\":[1]}],\"n\":1}{\"t\":", `{"a":"b{"c":1}`,
		"\x00\x00{}\x00\n\uFEFF{}\r\nnoise {\"a\":1}", "{}{}{}\n[", "[\n1 2,,]\n{\n\"a\" \"b\"}\n\x00{\"k\":[[[[[[[[[[[1]]]]]]]]]]]}",
		"\x1f\x8b\x08", "\x28\xb5\x2f\xfd", "\xff\xfe{\x00}\x00",
	} {
		f.Add([]byte(s), uint64(1), uint8(0), uint8(0))
		f.Add([]byte(s), uint64(2), uint8(20), uint8(4))
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64, maxLine, depth uint8) {
		split := func(path string) bool { return len(path)%3 == 0 }
		o := jsonl.Options{MaxLine: int(maxLine), MaxDepth: int(depth), Split: split, MaxExpanded: 1 << 20}
		total := int64(len(in))
		whole := jsonl.NewReader(bytes.NewReader(in), o)
		whole.Probe(3)
		if s := whole.Stats(); s.Compression != "" || s.UTF16 {
			total = -1
		}
		want := trace(t, whole, total)
		o.Buffer, o.Poison = 16, true
		r := jsonl.NewReader(&ragged{in, rand.New(rand.NewPCG(seed, 0))}, o)
		if diff := cmp.Diff(want, trace(t, r, total)); diff != "" {
			t.Errorf("in small chunks:\n%s", diff)
		}
		if a, b := whole.Stats(), r.Stats(); a != b {
			t.Errorf("stats differ: %+v, %+v", a, b)
		}
		checkPlaces(t, in, total, o)
	})
}

// checkPlaces demands that records stand where they say, with nothing but
// white space between those of a file of lines.
func checkPlaces(t *testing.T, in []byte, total int64, o jsonl.Options) {
	r := jsonl.NewReader(bytes.NewReader(in), o)
	end := int64(0)
	for r.Next() && total >= 0 {
		rec := r.Record()
		if rec.Line != 1+bytes.Count(in[:rec.Offset], []byte("\n")) && rec.Length > 0 {
			t.Errorf("record at %d says line %d", rec.Offset, rec.Line)
		}
		if rec.Fault == nil && !bytes.Equal(rec.Root.Raw(), in[rec.Offset:rec.Offset+rec.Length]) {
			t.Errorf("record at %d reads %q", rec.Offset, rec.Root.Raw())
		}
		gap := strings.ReplaceAll(string(in[end:rec.Offset]), "\uFEFF", "")
		if !r.Stats().Document && strings.Trim(gap, " \t\r\n") != "" {
			t.Errorf("lost %q before %d", gap, rec.Offset)
		}
		end = rec.Offset + rec.Length
	}
	if lines := r.Stats().Lines; total >= 0 && lines != bytes.Count(append(bytes.Clone(in), "\n"[:b2i(len(in) > 0 && in[len(in)-1] != '\n')]...), []byte("\n")) {
		t.Errorf("%d lines", lines)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// FuzzParse: Parse accepts what encoding/json accepts, and finds in it what
// encoding/json finds.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.5e+10,true,false,null,"x\u00e9\n"]}`, ` [ ] `, `{"a":{}}`, `0`, `-`, `"\ud83d\ude00"`, `{"a":1,}`, `[1,]`, `01`, `1.e3`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var d jsonl.Doc
		v, err := jsonl.ParseString(s, &d)
		if !utf8.ValidString(s) || strings.Count(s, "[")+strings.Count(s, "{") > 500 {
			return
		}
		if valid := json.Valid([]byte(s)); valid != (err == nil) {
			t.Fatalf("%q: encoding/json says %v, Parse %v", s, valid, err)
		}
		if err != nil {
			return
		}
		var want any
		dec := json.NewDecoder(strings.NewReader(s))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, tree(t, v, "")); diff != "" {
			t.Errorf("%q: %s", s, diff)
		}
	})
}

// tree turns a value into what encoding/json makes of it, checking pointers
// on the way. The last of several members of a name wins there.
func tree(t *testing.T, v jsonl.Value, path string) any {
	if !strings.HasPrefix(v.Pointer(), path) {
		t.Errorf("pointer %q, not inside %q", v.Pointer(), path)
	}
	switch v.Kind() {
	case jsonl.Bool:
		b, _ := v.Bool()
		return b
	case jsonl.Number:
		return json.Number(v.Raw())
	case jsonl.String:
		return v.Str()
	case jsonl.Array:
		all := []any{}
		for _, e := range v.Elems() {
			all = append(all, tree(t, e, v.Pointer()))
		}
		return all
	case jsonl.Object:
		all := map[string]any{}
		for key, m := range v.Members() {
			all[strings.Clone(key)] = tree(t, m, v.Pointer())
		}
		return all
	}
	return nil
}

// FuzzDecode: Str decodes as encoding/json does; Head and Tail are ends of it.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`plain`, `\ud83d\ude00\ud83d\\u0041\"`, `é\u00e9\n\/\b`, `\\\\\\\\\\\\\\\\\\u12`, strings.Repeat(`\ud83d\ude00`, 9)} {
		f.Add(s, 5)
		f.Add(s, 17)
	}
	f.Fuzz(func(t *testing.T, raw string, n int) {
		v, err := jsonl.ParseString(`"`+raw+`"`, new(jsonl.Doc))
		if err != nil || v.RawLen() != len(raw) {
			return
		}
		s := v.Str()
		head, tail := v.Head(n), v.Tail(n)
		if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || len(head) > max(n, 0) || len(tail) > max(n, 0) {
			t.Errorf("%q: Head(%d) = %q, Tail = %q", s, n, head, tail)
		}
		if !utf8.ValidString(raw) {
			return
		}
		if want := min(n, len(s)) - 3; len(head) < want || len(tail) < want {
			t.Errorf("%q: Head(%d) = %q, Tail = %q are too short", s, n, head, tail)
		}
		var want string
		if err := json.Unmarshal([]byte(`"`+raw+`"`), &want); err != nil || s != want {
			t.Errorf("%q decodes to %q, want %q (%v)", raw, s, want, err)
		}
	})
}
