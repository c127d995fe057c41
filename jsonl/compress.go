package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// source undoes compression, and UTF-16 (a PowerShell redirection writes it),
// told by the first bytes. It keeps apart what is
// wrong with the disk from what is wrong with the data.
type source struct {
	r           io.Reader
	limit       int64 // bytes of decompressed output left
	in          io.Reader
	free        func()
	compression string
	utf16       bool
	ioErr       error // of r
	broken      error // of the compressed data
}

const zstdMemory = 128 << 20 // largest window that is accepted

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

var errExpanded = errors.New("decompressed data grows over the limit")

// Read implements io.Reader. Damage of compressed data ends the stream with
// io.EOF and is kept in broken.
func (s *source) Read(p []byte) (int, error) {
	if s.in == nil {
		s.open()
	}
	if s.broken != nil {
		return 0, io.EOF
	}
	n, err := s.in.Read(p)
	if s.compression == "" {
		return n, err
	}
	if int64(n) > s.limit {
		n, err = int(s.limit), errExpanded
	}
	s.limit -= int64(n)
	if err == nil || err == io.EOF {
		return n, err
	}
	if s.ioErr == nil {
		s.broken = fmt.Errorf("sound %s data: %w", s.compression, err)
	}
	return n, io.EOF
}

// open looks at the first bytes and chooses the decompressor.
func (s *source) open() {
	first := make([]byte, 4)
	n, err := io.ReadFull(s.raw(), first)
	first = first[:n]
	rest := io.MultiReader(bytes.NewReader(first), s.raw())
	if err != nil && n < len(first) {
		rest = bytes.NewReader(first)
	}
	s.in = rest
	switch {
	case bytes.HasPrefix(first, []byte{0xFF, 0xFE}), bytes.HasPrefix(first, []byte{0xFE, 0xFF}):
		s.utf16 = true
		s.in = transform.NewReader(rest, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	case bytes.HasPrefix(first, gzipMagic):
		s.compression = "gzip"
		z, err := gzip.NewReader(rest)
		s.in, s.broken = z, err
	case bytes.Equal(first, zstdMagic):
		s.compression = "zstd"
		z, err := zstd.NewReader(rest, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdMemory))
		s.broken = err
		if err == nil {
			s.in, s.free = z, z.Close
		}
	}
	if s.broken != nil {
		s.broken = fmt.Errorf("sound %s data: %w", s.compression, s.broken)
		s.in = bytes.NewReader(nil)
	}
	if s.ioErr != nil {
		s.broken = nil // the disk is to blame
	}
}

func (s *source) close() {
	if s.free != nil {
		s.free()
		s.free = nil
	}
}

// raw is r with its errors remembered.
func (s *source) raw() io.Reader { return rawSource{s} }

type rawSource struct{ s *source }

func (r rawSource) Read(p []byte) (int, error) {
	if r.s.ioErr != nil {
		return 0, r.s.ioErr
	}
	n, err := r.s.r.Read(p)
	if err != nil && err != io.EOF {
		r.s.ioErr = err
	}
	return n, err
}
