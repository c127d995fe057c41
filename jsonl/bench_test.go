package jsonl_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// sessions returns about max bytes of real session lines, or of made-up ones
// where the corpus is not at hand.
func sessions(b *testing.B, max int) []byte {
	b.Helper()
	var all []byte
	names, _ := filepath.Glob("/work/shared/corpus/claude-code/*.jsonl")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		if all = append(all, data...); len(all) > max {
			return all
		}
	}
	for i := 0; len(all) < max; i++ {
		all = fmt.Appendf(all, `{"parentUuid":"%08x","type":"assistant","n":%d,"message":{"role":"assistant","content":[{"type":"text","text":"The test \"passes\" now.\nI ran it %d times; see /src/main.go and the log below for what it printed on the way."}]},"flag":true,"none":null}`+"\n", i, i, i)
	}
	return all
}

func BenchmarkReader(b *testing.B) {
	data := sessions(b, 64<<20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{})
		for r.Next() {
		}
		if s := r.Stats(); s.Bytes != int64(len(data)) {
			b.Fatal(s)
		}
	}
}

// BenchmarkChunks is the floor: the same chunks, only the line ends counted.
func BenchmarkChunks(b *testing.B) {
	data := sessions(b, 64<<20)
	chunk := make([]byte, 256<<10)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r, n := bytes.NewReader(data), 0
		for {
			k, err := r.Read(chunk)
			n += bytes.Count(chunk[:k], []byte{'\n'})
			if err != nil {
				break
			}
		}
	}
}

// BenchmarkWalk reads and decodes every string of every record.
func BenchmarkWalk(b *testing.B) {
	data := sessions(b, 64<<20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r, n := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{}), 0
		for r.Next() {
			n += walk(r.Record().Root)
		}
	}
}

func walk(v jsonl.Value) int {
	n := len(v.Str())
	for _, e := range v.Elems() {
		n += walk(e)
	}
	for _, m := range v.Members() {
		n += walk(m)
	}
	return n
}

func BenchmarkDocument(b *testing.B) {
	lines := sessions(b, 32<<20)
	data := append([]byte("[\n"), bytes.ReplaceAll(bytes.TrimSpace(lines), []byte("\n"), []byte(",\n"))...)
	data = append(data, "\n]\n"...)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{})
		for r.Next() {
		}
		if s := r.Stats(); !s.Document || s.FaultCount() > s.Records/100 {
			b.Fatal(s)
		}
	}
}
