package jsonl_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func gz(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	return pack(t, &b, w, text)
}

func zst(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	return pack(t, &b, w, text)
}

func pack(t *testing.T, b *bytes.Buffer, w io.WriteCloser, text string) []byte {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCompressed(t *testing.T) {
	text := strings.Repeat("{\"a\":1}\n", 1000)
	for name, data := range map[string][]byte{
		"gzip": gz(t, text), "zstd": zst(t, text),
		"gzip twice": append(gz(t, text[:800]), gz(t, text[800:])...),
		"zstd twice": append(zst(t, text[:800]), zst(t, text[800:])...),
	} {
		r := jsonl.NewReader(iotest.OneByteReader(bytes.NewReader(data)), jsonl.Options{})
		got := trace(t, r, int64(len(text)))
		if s := r.Stats(); len(got) != 1000 || s.Compression != name[:4] || s.FaultCount() > 0 || r.Err() != nil {
			t.Errorf("%s: %d records, %+v, %v", name, len(got), s, r.Err())
		}
	}
}

func TestBrokenCompression(t *testing.T) {
	text := strings.Repeat("{\"a\":1}\n", 1000)
	packed := gz(t, text)
	flipped := bytes.Clone(packed)
	flipped[len(flipped)-5] ^= 1 // the checksum
	for name, data := range map[string][]byte{
		"cut gzip": packed[:len(packed)-9], "checksum": flipped, "cut zstd": zst(t, text)[:20],
		"gzip header alone": {0x1f, 0x8b}, "zstd magic alone": {0x28, 0xb5, 0x2f, 0xfd}, "no gzip": []byte("\x1f\x8bhello, world"),
	} {
		r := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{})
		trace(t, r, -1)
		if s := r.Stats(); s.Faults[jsonl.Encoding] != 1 || r.Err() != nil {
			t.Errorf("%s: %+v, %v", name, s, r.Err())
		}
	}
}

func TestExpansionLimit(t *testing.T) {
	data := gz(t, strings.Repeat("{\"a\":1}\n", 100_000))
	r := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{MaxExpanded: 1000})
	trace(t, r, 1000)
	if s := r.Stats(); s.Records != 125 || s.Faults[jsonl.Encoding] != 1 {
		t.Errorf("%+v", s)
	}
}

// An error of the disk below a decompressor is the disk's.
func TestIOErrorBelowCompression(t *testing.T) {
	boom := errors.New("boom")
	data := gz(t, strings.Repeat("{\"a\":1}\n", 1000))
	for _, n := range []int{0, 2, 6, 30} {
		r := jsonl.NewReader(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(boom)), jsonl.Options{})
		trace(t, r, -1)
		if s := r.Stats(); !errors.Is(r.Err(), boom) || s.Faults[jsonl.Encoding] != 0 {
			t.Errorf("after %d bytes: %v, %+v", n, r.Err(), s)
		}
	}
}

func TestUTF16(t *testing.T) {
	text := "\uFEFF{\"a\":\"é😀\"}\r\n{}\r\n"
	for name, order := range map[string][2]int{"little": {0, 8}, "big": {8, 0}} {
		var data []byte
		for _, u := range utf16.Encode([]rune(text)) {
			data = append(data, byte(u>>order[0]), byte(u>>order[1]))
		}
		r := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{})
		got := trace(t, r, -1)
		if want := []string{"L1 0+14 {\"a\":\"é😀\"}", "L2 16+2 {}"}; !cmp.Equal(want, got) || !r.Stats().UTF16 {
			t.Errorf("%s endian: %q", name, got)
		}
	}
}
