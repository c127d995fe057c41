package jsonl_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func parse(t testing.TB, text string) jsonl.Value {
	t.Helper()
	v, err := jsonl.ParseString(text, new(jsonl.Doc))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestAccess(t *testing.T) {
	v := parse(t, ` {"a":[1,{"b/~":"x\ny"},-2.5e1,true,null],"n":9007199254740993,"a":2,"\u0065":{}} `)
	checks := []struct {
		name string
		ok   bool
	}{
		{"kind", v.Kind() == jsonl.Object && v.Kind().String() == "object"},
		{"len", v.Len() == 4 && v.Get("a").Len() == 5 && v.Get("n").Len() == 0},
		{"first of two", v.Get("a").Kind() == jsonl.Array},
		{"escaped key", v.Get("e").Kind() == jsonl.Object},
		{"absent", !v.Get("zz").Exists() && v.Get("zz").Kind() == jsonl.Absent},
		{"null exists", v.Get("a").Index(4).Exists() && v.Get("a").Index(4).Kind() == jsonl.Null},
		{"out of range", !v.Get("a").Index(5).Exists() && !v.Get("a").Index(-1).Exists()},
		{"decoded", v.Get("a").Index(1).Get("b/~").Str() == "x\ny"},
		{"raw", string(v.Get("a").Index(2).Raw()) == "-2.5e1"},
		{"pointer", v.Get("a").Index(1).Get("b/~").Pointer() == "/a/1/b~1~0"},
		{"root pointer", v.Pointer() == ""},
		{"offset", v.Get("a").Offset() == 6},
		{"no columns", first(v.Column()) == 0},
	}
	for _, c := range checks {
		if !c.ok {
			t.Error(c.name)
		}
	}
	for i, want := range []int64{1, 0, -25, 0, 0} {
		if got, ok := v.Get("a").Index(i).Int(); got != want || ok != (want != 0) {
			t.Errorf("Int of element %d = %d, %v", i, got, ok)
		}
	}
	if n, ok := v.Get("n").Int(); n != 9007199254740993 || !ok {
		t.Errorf("big Int = %d, %v", n, ok)
	}
	if f, ok := v.Get("a").Index(2).Float(); f != -25 || !ok {
		t.Errorf("Float = %v, %v", f, ok)
	}
	if b, ok := v.Get("a").Index(3).Bool(); !b || !ok {
		t.Errorf("Bool = %v, %v", b, ok)
	}
}

func first(a, _ int) int { return a }

func TestZeroValue(t *testing.T) {
	var v jsonl.Value
	for range v.Members() {
		t.Error("members")
	}
	for range v.Elems() {
		t.Error("elements")
	}
	start, end := v.Column()
	_, isInt := v.Int()
	_, isFloat := v.Float()
	_, isBool := v.Bool()
	if v.Exists() || v.At("a", "b").Index(3).Len() != 0 || v.Str() != "" || v.Head(3) != "" || v.Tail(3) != "" ||
		v.RawLen() != 0 || v.Raw() != nil || v.Offset() != 0 || v.FileOffset() != 0 || v.Pointer() != "" ||
		start+end != 0 || isInt || isFloat || isBool {
		t.Error("the zero Value is not silent")
	}
}

func TestInt(t *testing.T) {
	for text, want := range map[string]struct {
		n  int64
		ok bool
	}{
		"0": {0, true}, "-0": {0, true}, "1.0": {1, true}, "1e3": {1000, true}, "1.5": {0, false},
		"9223372036854775807": {1<<63 - 1, true}, "9223372036854775808": {0, false}, "1e300": {0, false}, "1e999": {0, false},
	} {
		if n, ok := parse(t, text).Int(); n != want.n || ok != want.ok {
			t.Errorf("Int of %s = %d, %v", text, n, ok)
		}
	}
}

func TestHeadTail(t *testing.T) {
	for _, tt := range []struct {
		raw        string
		n          int
		head, tail string
	}{
		{`"hello"`, 3, "hel", "llo"},
		{`"hello"`, 9, "hello", "hello"},
		{`"hello"`, -1, "", ""},
		{`"héé"`, 2, "h", "é"},
		{`"a\nb\nc"`, 2, "a\n", "\nc"},
		{`"\u00e9x\u00e9"`, 3, "éx", "xé"},
		{`"\ud83d\ude00"`, 3, "", ""},
		{`"😀"`, 3, "", ""},
		{`"\ud83d\ude00"`, 4, "😀", "😀"},
		{`"\\\\\\\\u0041"`, 5, `\\\\u`, "u0041"},
	} {
		v := parse(t, tt.raw)
		if h, tail := v.Head(tt.n), v.Tail(tt.n); h != tt.head || tail != tt.tail {
			t.Errorf("%s, %d: head %q, tail %q", tt.raw, tt.n, h, tail)
		}
	}
	// Long enough for Tail to start in the middle, at every place of an escape.
	unit := `\ud83d\ude00\\\"ab\u0041\n` + "é"
	for shift := range 40 {
		v := parse(t, `"`+strings.Repeat("x", shift)+strings.Repeat(unit, 30)+strings.Repeat("y", shift)+`"`)
		for n := range 60 {
			if tail := v.Tail(n); !strings.HasSuffix(v.Str(), tail) || n-len(tail) > 3 {
				t.Fatalf("shift %d: Tail(%d) = %q", shift, n, tail)
			}
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range []struct {
		text     string
		at       int
		expected string
		eof      bool
	}{
		{``, 0, "a value", true},
		{`{`, 1, "a key or '}'", true},
		{`{"a"`, 4, "':' after a key", true},
		{`{"a":1`, 6, "',' or '}' after a value", true},
		{`[1 2]`, 3, "',' or ']' after a value", false},
		{`[1,]`, 3, "a value", false},
		{`{"a":1,}`, 7, "a key", false},
		{`[}`, 1, "a value", false},
		{`"\x"`, 2, "an escape sequence", false},
		{`"\u12g4"`, 5, "four hex digits", false},
		{"\"a\nb\"", 2, "no raw control byte in a string", false},
		{`-`, 1, "a digit", true},
		{`1.`, 2, "a digit after '.'", true},
		{`1e+x`, 3, "a digit of the exponent", false},
		{`truth`, 3, "true", false},
		{`1 1`, 2, "the end of the text", false},
	} {
		v, err := jsonl.ParseString(tt.text, new(jsonl.Doc))
		var se *jsonl.SyntaxError
		if !errors.As(err, &se) || v.Exists() {
			t.Errorf("%s: no SyntaxError but %v", tt.text, err)
			continue
		}
		if se.At != tt.at || se.Expected != tt.expected || se.EOF != tt.eof {
			t.Errorf("%s: %+v", tt.text, se)
		}
	}
}

// A Value that survives an error or the reuse of its Doc must not crash.
func TestReuse(t *testing.T) {
	var d jsonl.Doc
	old, err := jsonl.ParseString(`[1,2,3,[4]]`, &d)
	if err != nil {
		t.Fatal(err)
	}
	last := old.Index(3).Index(0)
	for _, text := range []string{`{`, `1`, `{"a":`, `["x"`} {
		_, _ = jsonl.ParseString(text, &d)
		_ = last.Raw()
		_ = old.Pointer()
	}
}

func TestColumn(t *testing.T) {
	for _, tt := range []struct {
		in         string
		start, end int
	}{
		{`{"k":12}`, 6, 8},
		{"\uFEFF" + `{"k":12}`, 6, 8},
		{`  {"é😀":1,"k":"😀"}`, 16, 20},
		{`{}{"k":1}`, 8, 9},
		{"{\"a\":\"\xff\",\"k\":1}", 14, 15},
	} {
		r := jsonl.NewReader(strings.NewReader(tt.in+"\n"), jsonl.Options{})
		found := false
		for r.Next() {
			v := r.Record().Root.Get("k")
			if !v.Exists() {
				continue
			}
			found = true
			if start, end := v.Column(); start != tt.start || end != tt.end {
				t.Errorf("%s: columns %d-%d, want %d-%d", tt.in, start, end, tt.start, tt.end)
			}
			if raw := tt.in[v.FileOffset():]; !strings.HasPrefix(raw, string(v.Raw())) {
				t.Errorf("%s: FileOffset %d", tt.in, v.FileOffset())
			}
		}
		if !found {
			t.Errorf("%s: no k", tt.in)
		}
	}
}

// The word tricks of the string scanner must not depend on alignment.
func TestStringEnds(t *testing.T) {
	for n := range 20 {
		for _, mid := range []string{"", "\\n", "é", "\u007f", "\\\"", "~"} {
			s := `"` + strings.Repeat("z", n) + mid + strings.Repeat("!", 20-n) + `"`
			var want string
			if err := json.Unmarshal([]byte(s), &want); err != nil {
				t.Fatal(err)
			}
			if got := parse(t, s).Str(); got != want {
				t.Errorf("%s: %q", s, got)
			}
			for c := range byte(0x20) {
				if _, err := jsonl.ParseString(s[:n+1]+string(rune(c))+s[n+1:], new(jsonl.Doc)); err == nil {
					t.Errorf("control byte %d at %d accepted", c, n)
				}
			}
		}
	}
}
