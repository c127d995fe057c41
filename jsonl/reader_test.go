package jsonl_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// trace reads everything and writes one line for each record:
//
//	L1 0+7 {"a":1}
//	L1 7+0 malformed@0 glued
//
// with the path of a piece and the flaws of a record where there are any. It
// fails the test when the accounting does not add up or records overlap.
func trace(t testing.TB, r *jsonl.Reader, total int64) []string {
	t.Helper()
	var lines []string
	var end, good, bad int64
	for r.Next() {
		rec := r.Record()
		if rec.Offset < end || rec.Length < 0 || rec.Line < 1 {
			t.Fatalf("record %+v overlaps the one before, which ends at %d", rec, end)
		}
		end = rec.Offset + rec.Length
		if rec.Fault == nil {
			good += rec.Length
		} else {
			bad += rec.Length
		}
		lines = append(lines, line(rec))
	}
	s := r.Stats()
	if s.RecordBytes != good || s.FaultBytes != bad {
		t.Errorf("stats %+v, but records have %d bytes and faults %d", s, good, bad)
	}
	if sum := s.RecordBytes + s.FaultBytes + s.BlankBytes + s.StructureBytes; sum != s.Bytes || total >= 0 && sum != total {
		t.Errorf("accounted for %d of %d bytes (%d read): %+v", sum, total, s.Bytes, s)
	}
	if r.Next() {
		t.Error("Next is true after the end")
	}
	return lines
}

func line(rec *jsonl.Record) string {
	s := fmt.Sprintf("L%d %d+%d", rec.Line, rec.Offset, rec.Length)
	if rec.Path != "" {
		s += " " + rec.Path
	}
	if f := rec.Fault; f != nil {
		s += fmt.Sprintf(" %s@%d", f.Kind, f.At)
		if f.Glued {
			s += " glued"
		}
		return s
	}
	s += " " + string(rec.Root.Raw())
	if rec.Flaws != 0 {
		s += fmt.Sprintf(" (%s at %d)", rec.Flaws, rec.FlawOffset)
	}
	return s
}

// everyWay reads the input in several chunkings, with a tiny poisoned buffer
// too, and demands the same records each time.
func everyWay(t *testing.T, input string, o jsonl.Options) []string {
	t.Helper()
	readers := map[string]func(io.Reader) io.Reader{
		"whole":   func(r io.Reader) io.Reader { return r },
		"byte":    iotest.OneByteReader,
		"half":    iotest.HalfReader,
		"dataErr": iotest.DataErrReader,
	}
	var want []string
	for i, size := range []int{0, 16, 100} {
		for name, wrap := range readers {
			o.Buffer, o.Poison = size, size > 0
			got := trace(t, jsonl.NewReader(wrap(strings.NewReader(input)), o), int64(len(input)))
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("chunking %s, buffer %d (run %d) differs:\n%s", name, size, i, diff)
			}
		}
	}
	return want
}

func TestLines(t *testing.T) {
	learned := `{"parentUuid":null,"type":"a"}` + "\n" // 31 bytes: shows what records look like
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"blank lines", "\n  \n\r\n\t", nil},
		{"two lines", "{\"a\":1}\n[2]\n", []string{`L1 0+7 {"a":1}`, `L2 8+3 [2]`}},
		{"CRLF", "{\"a\":1}\r\n{}\r\n", []string{`L1 0+7 {"a":1}`, `L2 9+2 {}`}},
		{"no final newline", "{}\n{\"a\":1}", []string{`L1 0+2 {}`, `L2 3+7 {"a":1}`}},
		{"indented", "  {}  \n", []string{`L1 2+2 {}`}},
		{"BOM at the start", "\uFEFF{}\n", []string{`L1 3+2 {}`}},
		{"BOM on a later line", "{}\n\uFEFF{\"a\":1}\n", []string{`L1 0+2 {}`, `L2 6+7 {"a":1} (inner BOM at 0)`}},
		{"BOM in a string", "{\"a\":\"\uFEFF\"}\n", []string{"L1 0+11 {\"a\":\"\uFEFF\"} (inner BOM at 6)"}},
		{"console line", "{}\nnpm warn old\n{}\n", []string{`L1 0+2 {}`, `L2 3+12 not-json@0`, `L3 16+2 {}`}},
		{"console line with JSON in it", "INFO got {\"x\":1}\n{}\n", []string{`L1 0+16 not-json@0`, `L2 17+2 {}`}},
		{"scalars", "12\n\"x\"\nnull\n", []string{`L1 0+2 not-json@0`, `L2 3+3 not-json@0`, `L3 7+4 not-json@0`}},
		{"torn tail", "{}\n{\"a\":\"b", []string{`L1 0+2 {}`, `L2 3+7 torn-tail@7`}},
		{"torn tail in a literal", "{\"a\":tr", []string{`L1 0+7 torn-tail@7`}},
		{"torn, and ended by a newline", "{\"a\":\n", []string{`L1 0+5 malformed@5`}},
		{"bad escape", `{"a":"\q"}` + "\n{}\n", []string{`L1 0+10 {"a":"\q"} (invalid escape at 6)`, `L2 11+2 {}`}},
		{"cut inside an escape", `{"a":"x\{"a":2}` + "\n", []string{"L1 0+8 malformed@8 glued", `L1 8+7 {"a":2}`}},
		{"raw control byte", "{\"a\":\"\x01\"}\n", []string{`L1 0+9 malformed@6`}},
		{"leading zero", "{\"a\":01}\n", []string{`L1 0+8 malformed@6`}},
		{"NaN", "{\"a\":NaN}\n", []string{`L1 0+9 malformed@5`}},
		{"junk behind a record", "{} x\n", []string{`L1 0+2 {}`, `L1 3+1 malformed@0`}},
		{"glued", `{"a":1}{"b":2}` + "\n", []string{`L1 0+7 {"a":1}`, `L1 7+0 malformed@0 glued`, `L1 7+7 {"b":2}`}},
		{"glued with a space", `{} {}`, []string{`L1 0+2 {}`, `L1 3+0 malformed@0 glued`, `L1 3+2 {}`}},
		{"three glued", `{}{}{}`, []string{
			`L1 0+2 {}`, `L1 2+0 malformed@0 glued`, `L1 2+2 {}`, `L1 4+0 malformed@0 glued`, `L1 4+2 {}`,
		}},
		{"cut in a string", `{"a":"bc{"type":"x"}` + "\n{}\n", []string{
			`L1 0+8 malformed@8 glued`, `L1 8+12 {"type":"x"}`, `L2 21+2 {}`,
		}},
		{"cut in a key", `{"a{"type":"x"}`, []string{`L1 0+3 malformed@3 glued`, `L1 3+12 {"type":"x"}`}},
		{"cut behind a backslash", `{"a":"\{"type":"x"}`, []string{`L1 0+7 malformed@7 glued`, `L1 7+12 {"type":"x"}`}},
		{"cut in a number", `{"a":1{"type":"x"}`, []string{`L1 0+6 malformed@6 glued`, `L1 6+12 {"type":"x"}`}},
		{"cut behind a comma", `{"a":1,{"type":"x"}`, []string{`L1 0+7 malformed@7 glued`, `L1 7+12 {"type":"x"}`}},
		{"cut twice", `{"a":"b{"c":"d{"type":"x"}`, []string{`L1 0+14 malformed@9 glued`, `L1 14+12 {"type":"x"}`}},
		{"cut where a value may stand", learned + `{"m":{"parentUuid":null,"type":"b"}` + "\n", []string{
			`L1 0+30 {"parentUuid":null,"type":"a"}`, `L2 31+5 malformed@5 glued`, `L2 36+30 {"parentUuid":null,"type":"b"}`,
		}},
		{"torn behind something nested", learned + `{"m":{"type":"text","text":"b"}`, []string{
			`L1 0+30 {"parentUuid":null,"type":"a"}`, `L2 31+31 torn-tail@31`,
		}},
		{"record behind console text", learned + `warn: {"parentUuid":null,"type":"b"}`, []string{
			`L1 0+30 {"parentUuid":null,"type":"a"}`, `L2 31+6 not-json@0 glued`, `L2 37+30 {"parentUuid":null,"type":"b"}`,
		}},
		{"NUL run in front", "\x00\x00\x00{\"a\":1}\n{}\n", []string{`L1 0+3 nul-run@0`, `L1 3+7 {"a":1}`, `L2 11+2 {}`}},
		{"NUL run behind", "{\"a\":1}\x00\x00\n", []string{`L1 0+7 {"a":1}`, `L1 7+2 nul-run@0`}},
		{"NUL run alone", "{}\n\x00\x00\x00", []string{`L1 0+2 {}`, `L2 3+3 nul-run@0`}},
		{"NUL run inside a cut record", "{\"a\":\"b\x00\x00{\"type\":\"x\"}\n", []string{
			`L1 0+9 malformed@7 glued`, `L1 9+12 {"type":"x"}`,
		}},
		{"escaped NUL", `{"a":"\u0000"}`, []string{`L1 0+14 {"a":"\u0000"} (NUL at 6)`}},
		{"invalid UTF-8", "{\"a\":\"x\xff\"}", []string{"L1 0+10 {\"a\":\"x\xff\"} (invalid UTF-8 at 7)"}},
		{"lone high surrogate", `{"a":"\ud83d"}`, []string{`L1 0+14 {"a":"\ud83d"} (lone surrogate at 6)`}},
		{"lone low surrogate", `{"a":"\ude00"}`, []string{`L1 0+14 {"a":"\ude00"} (lone surrogate at 6)`}},
		{"surrogate pair", `{"a":"\ud83d\ude00"}`, []string{`L1 0+20 {"a":"\ud83d\ude00"}`}},
		{"replacement character", "{\"a\":\"\uFFFD\"}", []string{"L1 0+11 {\"a\":\"\uFFFD\"} (replacement character at 6)"}},
		{"first line torn", "{\"type\":\"x\",\n{\"type\":\"y\"}\n", []string{`L1 0+12 malformed@12`, `L2 13+12 {"type":"y"}`}},
		{"first line torn at a value", "{\"m\":\n{\"a\":1}\n{\"a\":2}\n", []string{
			`L1 0+5 malformed@5`, `L2 6+7 {"a":1}`, `L3 14+7 {"a":2}`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, everyWay(t, tt.in, jsonl.Options{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 300) + `"}`
	deep := `{"a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`
	o := jsonl.Options{MaxLine: 100, MaxDepth: 10}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"long line", "{}\n" + long + "\n{}\n", []string{`L1 0+2 {}`, `L2 3+308 too-long@100`, `L3 312+2 {}`}},
		{"long last line", "{}\n" + long, []string{`L1 0+2 {}`, `L2 3+308 too-long@100`}},
		{"just fits", `{"a":"` + strings.Repeat("x", 92) + `"}` + "\n", []string{
			`L1 0+100 {"a":"` + strings.Repeat("x", 92) + `"}`,
		}},
		{"deep line", deep + "\n{}\n", []string{`L1 0+46 too-deep@14`, `L2 47+2 {}`}},
		{"long piece", "[\n{},\n" + long + ",\n{}\n]\n", []string{
			`L2 2+2 /0 {}`, `L3 6+308 /1 too-long@100`, `L4 316+2 /2 {}`,
		}},
		{"deep piece", "[\n{},\n" + deep + ",\n{}\n]\n", []string{
			`L2 2+2 /0 {}`, `L3 6+46 /1 too-deep@14`, `L4 54+2 /2 {}`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, everyWay(t, tt.in, o)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Ten million brackets exhaust the stack of a recursive parser.
func TestDeepNesting(t *testing.T) {
	in := bytes.Repeat([]byte("["), 10_000_000)
	in = append(in, "\n{}\n"...)
	got := trace(t, jsonl.NewReader(bytes.NewReader(in), jsonl.Options{}), int64(len(in)))
	if want := []string{"L1 0+10000000 too-deep@512", "L2 10000001+2 {}"}; !cmp.Equal(want, got) {
		t.Errorf("got %q", got)
	}
}

// A line of many small values must not take memory out of proportion.
func TestTooMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	in := []byte("[" + strings.Repeat("1,", 5_000_000) + "1]\n{}\n")
	got := trace(t, jsonl.NewReader(bytes.NewReader(in), jsonl.Options{}), int64(len(in)))
	if len(got) != 2 || !strings.Contains(got[0], "too-many") {
		t.Errorf("got %d records", len(got))
	}
}

// A line longer than the limit costs no memory, however long it is.
func TestLongLineMemory(t *testing.T) {
	in := io.MultiReader(strings.NewReader("{}\n"), io.LimitReader(endless('x'), 200<<20), strings.NewReader("\n{}\n"))
	var r *jsonl.Reader
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		if r == nil {
			r = jsonl.NewReader(in, jsonl.Options{MaxLine: 1 << 20})
			trace(b, r, -1)
		}
	})
	if n := got.AllocedBytesPerOp(); n > 16<<20 {
		t.Errorf("allocated %d bytes", n)
	}
	if s := r.Stats(); s.Records != 2 || s.Faults[jsonl.TooLong] != 1 {
		t.Errorf("stats %+v", s)
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestNoAllocations(t *testing.T) {
	in := strings.Repeat(`{"type":"a","s":"x\ny","n":[1,2,{"b":null}]}`+"\n", 1000)
	n := testing.AllocsPerRun(5, func() {
		r := jsonl.NewReader(strings.NewReader(in), jsonl.Options{})
		for r.Next() {
		}
	})
	if n > 60 {
		t.Errorf("%v allocations for 1000 records", n)
	}
}

func TestIOError(t *testing.T) {
	boom := errors.New("boom")
	in := io.MultiReader(strings.NewReader("{}\n{\"a\""), iotest.ErrReader(boom))
	r := jsonl.NewReader(in, jsonl.Options{})
	got := trace(t, r, 7)
	if want := []string{"L1 0+2 {}", "L2 3+4 torn-tail@4"}; !cmp.Equal(want, got) {
		t.Errorf("got %q", got)
	}
	if !errors.Is(r.Err(), boom) {
		t.Errorf("Err() = %v", r.Err())
	}
}

func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jsonl")
	if _, err := jsonl.Open(name, jsonl.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of nothing: %v", err)
	}
	if err := os.WriteFile(name, []byte("{}\n[1]"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := jsonl.Open(name, jsonl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := trace(t, f.Reader, 6); len(got) != 2 || f.Err() != nil || !f.Stats().Unterminated {
		t.Errorf("got %q, %v, %+v", got, f.Err(), f.Stats())
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestFaultText(t *testing.T) {
	r := jsonl.NewReader(strings.NewReader(`{"a" 1}`+strings.Repeat("x", 500)), jsonl.Options{})
	r.Next()
	f := r.Record().Fault
	if f.Expected != "':' after a key" || f.At != 5 || len(f.Head) != jsonl.HeadBytes {
		t.Errorf("fault %+v", f)
	}
}

// Names must exist for all kinds, since reporters print them.
func TestNames(t *testing.T) {
	for k := jsonl.NotJSON; k <= jsonl.Encoding; k++ {
		if s := k.String(); s == "" || strings.HasPrefix(s, "fault(") {
			t.Errorf("kind %d has no name", k)
		}
	}
	if s := (jsonl.InvalidUTF8 | jsonl.Nul).String(); s != "invalid UTF-8, NUL" {
		t.Errorf("flaws %q", s)
	}
}

// Every log of the corpus is accounted for, and so is every one with a piece
// missing from its middle.
func TestCorpus(t *testing.T) {
	names, _ := filepath.Glob("/work/shared/corpus/*/00[1-3].*")
	if len(names) == 0 {
		t.Skip("no corpus here")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cut := append(bytes.Clone(data[:len(data)/3]), data[len(data)/2:]...)
		for _, in := range [][]byte{data, cut} {
			r := jsonl.NewReader(bytes.NewReader(in), jsonl.Options{})
			trace(t, r, int64(len(in)))
			if s := r.Stats(); s.FaultCount() > s.Records/2+2 {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

func ExampleReader() {
	log := `{"type":"user","text":"run the \u201ctests\u201d"}
npm warn deprecated
{"type":"assistant","text":"they pa{"type":"user","text":"and?"}
`
	r := jsonl.NewReader(strings.NewReader(log), jsonl.Options{})
	for r.Next() {
		rec := r.Record()
		if f := rec.Fault; f != nil {
			fmt.Printf("line %d: %d bytes are %s: %q\n", rec.Line, rec.Length, f.Kind, f.Head)
			continue
		}
		fmt.Printf("line %d: %s\n", rec.Line, rec.Root.Get("text").Str())
	}
	if err := r.Err(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// line 1: run the “tests”
	// line 2: 19 bytes are not-json: "npm warn deprecated"
	// line 3: 35 bytes are malformed: "{\"type\":\"assistant\",\"text\":\"they pa"
	// line 3: and?
}
