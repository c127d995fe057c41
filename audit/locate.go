package audit

import (
	"io"
	"unicode/utf8"

	"github.com/transcript-lint/transcript-lint/finding"
)

// locate counts the columns of findings by reading their lines again: counting
// them for every fact that might be reported would scan every line once more.
// It needs an input that can be read at an offset; a stream or a compressed
// file keeps line numbers only.
func locate(src io.Reader, compressed bool, fs []finding.Finding) {
	at, ok := src.(io.ReaderAt)
	if !ok || compressed {
		return
	}
	for i := range fs {
		column(at, &fs[i].Span)
		for k := range fs[i].Evidence {
			column(at, &fs[i].Evidence[k].Span)
		}
	}
}

// maxColumnScan bounds how much of a line is read for a column, in bytes.
const maxColumnScan = 8 << 20

// column fills the 1-based columns of a value, in UTF-16 code units. A value
// that ends on a later line than it begins keeps its line only.
func column(at io.ReaderAt, s *finding.Span) {
	if s.To <= s.From || s.To > maxColumnScan {
		return
	}
	buf := make([]byte, s.To)
	if n, err := at.ReadAt(buf, s.Offset); n < len(buf) || err != nil && err != io.EOF {
		return
	}
	start := units(buf[:s.From])
	width := units(buf[s.From:])
	if start < 0 || width < 0 {
		return
	}
	s.Column, s.EndCol = 1+start, 1+start+width
}

// units is the length of b in UTF-16 code units, -1 when it holds a line break.
func units(b []byte) int {
	n := 0
	for len(b) > 0 {
		if b[0] == '\n' {
			return -1
		}
		r, size := utf8.DecodeRune(b)
		if r > 0xFFFF {
			n++
		}
		n++
		b = b[size:]
	}
	return n
}
