// Package jsonl reads the logs of agents: bytes in, records out. It knows
// lines, documents, offsets, compression and damage, and nothing of what a
// record means.
//
// Memory stays bounded whatever the input is, and every byte of the
// (decompressed) input is accounted for: it belongs to a record, to a
// reported fault, to the white space between them or to the structure of a
// whole-document JSON file. Broken content is never an error, it is a Record
// with a Fault.
package jsonl

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
)

// Record is one unit of input: a line of a JSONL file or a piece of a
// document. It and everything reached through it is valid until the next call
// of Reader.Next; only the Fault may be kept.
type Record struct {
	Line   int    // 1-based physical line on which it starts
	Offset int64  // bytes from the start of the (decompressed) input
	Length int64  // bytes, without surrounding white space and line end; 0 for a fault that only marks a place
	Path   string // "" for a whole line; in a document the JSON pointer of the piece: "/messages/12"
	First  bool   // first piece of a document; always true for a whole line
	Root   Value  // the parsed value; absent for a fault
	Fault  *Fault // not nil when these bytes are no record

	Flaws      FlawSet // what is wrong with the text of a readable record
	FlawOffset int     // bytes from Offset to the first flaw
}

// Options are the limits and habits of a Reader. The zero value is ready to use.
type Options struct {
	MaxLine     int   // bytes in a line or a piece; default 64 MiB
	MaxDepth    int   // levels of nesting in a record; default 512
	Buffer      int   // bytes read at a time; default 256 KiB
	MaxExpanded int64 // bytes that compressed input may grow to; default 64 GiB
	Poison      bool  // for tests: overwrite used bytes with '#', so that a view kept too long shows

	// Split asks whether the array or object at a JSON pointer of a document
	// is to be delivered in pieces. Arrays of objects directly inside a
	// top-level object are, whatever it says.
	Split func(path string) bool

	// PreferDocument decides about a first line that is longer than the
	// reader is willing to look ahead: true reads it as a document, in
	// pieces. It is given the top-level keys seen so far whose value is an
	// array. Default: read lines.
	PreferDocument func(keys []string) bool
}

const (
	defaultMaxLine  = 64 << 20
	defaultBuffer   = 256 << 10
	defaultExpanded = 64 << 30
	keepBuffer      = 4 << 20 // a larger buffer is dropped after use
	maxLineLimit    = 1 << 30 // the tape counts in 32 bits
)

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = defaultMaxLine
	}
	o.MaxLine = min(o.MaxLine, maxLineLimit)
	if o.MaxDepth <= 0 {
		o.MaxDepth = defaultDepth
	}
	if o.Buffer <= 0 {
		o.Buffer = defaultBuffer
	}
	o.Buffer = max(o.Buffer, 16)
	if o.MaxExpanded <= 0 {
		o.MaxExpanded = defaultExpanded
	}
	return o
}

// Stats is the accounting of what was read so far. At the end of the input
// Bytes = RecordBytes + StructureBytes + BlankBytes + FaultBytes.
type Stats struct {
	Bytes          int64 // of the (decompressed) input
	Lines          int   // physical lines begun
	Records        int   // records and pieces without faults
	RecordBytes    int64
	StructureBytes int64 // brackets, keys, commas and white space between the pieces of a document
	BlankBytes     int64 // white space, line ends and byte order marks between records
	FaultBytes     int64
	Faults         [faultKinds]int // by FaultKind
	Compression    string          // "", "gzip" or "zstd"
	UTF16          bool            // the input is UTF-16; all offsets count its bytes as UTF-8
	Document       bool            // read as whole documents, not as lines
	Unterminated   bool            // the input does not end with a line end: still being written, or cut
}

// FaultCount is the number of faults of all kinds.
func (s *Stats) FaultCount() int {
	n := 0
	for _, k := range s.Faults {
		n += k
	}
	return n
}

// Reader turns a stream of bytes into records. It is not safe for concurrent
// use.
type Reader struct {
	o       Options
	src     *source
	win     window
	started bool
	done    bool

	doc   Doc // of the current record
	try   Doc // for looking ahead
	rec   Record
	stats Stats

	lines lineState
	walk  walker
}

// NewReader returns a Reader of r. Nothing is read before it is needed.
func NewReader(r io.Reader, o Options) *Reader {
	o = o.withDefaults()
	src := &source{r: r, limit: o.MaxExpanded}
	rd := &Reader{o: o, src: src, win: window{src: src, size: o.Buffer, poison: o.Poison}}
	rd.doc.mend, rd.try.mend = true, true
	return rd
}

// File is a Reader of an open file.
type File struct {
	*Reader
	f *os.File
}

// Open opens a file for reading, compressed or not. The error is that of
// os.Open.
func Open(path string, o Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &File{NewReader(f, o), f}, nil
}

// Close closes the file and frees the decompressor.
func (f *File) Close() error {
	f.src.close()
	return f.f.Close()
}

// Record returns the current record, valid until the next call of Next.
func (r *Reader) Record() *Record { return &r.rec }

// Stats returns the accounting so far.
func (r *Reader) Stats() Stats {
	s := r.stats
	s.Bytes = r.win.off
	s.Compression, s.UTF16 = r.src.compression, r.src.utf16
	if s.Document {
		s.Lines = r.lineCount()
	}
	return s
}

// Err returns the I/O error that ended the reading, if any. Malformed content
// is none, nor is compressed data that breaks: see the kind Encoding.
func (r *Reader) Err() error {
	if err := r.src.ioErr; err != nil {
		return err
	}
	if err := r.win.err; err != nil && !errors.Is(err, io.EOF) && r.src.broken == nil {
		return err
	}
	return nil
}

// Next reads the next record, or fault, and reports whether there is one.
func (r *Reader) Next() bool {
	r.start()
	if r.o.Poison {
		r.win.spoil()
	}
	r.rec = Record{}
	if r.stats.Document {
		if r.nextPiece() {
			return true
		}
	} else if r.nextOfLines() {
		return true
	}
	return r.finish()
}

// start decides between lines and documents, once.
func (r *Reader) start() {
	if r.started {
		return
	}
	r.started = true
	r.stats.Document = r.detect()
}

// finish reports broken compression as a last fault that marks the end.
func (r *Reader) finish() bool {
	if r.done {
		return false
	}
	r.done = true
	if r.src.broken == nil {
		return false
	}
	r.fault(&Fault{Kind: Encoding, Expected: r.src.broken.Error()}, max(1, r.Stats().Lines), r.win.off, 0)
	return true
}

// fault makes the current record a fault of n bytes.
func (r *Reader) fault(f *Fault, line int, off int64, n int64) {
	r.rec = Record{Line: line, Offset: off, Length: n, Fault: f}
	r.stats.Faults[f.Kind]++
	r.stats.FaultBytes += n
}

// record makes the current record the value that r.doc has just scanned.
func (r *Reader) record(line int, off int64) {
	d := &r.doc
	d.data = d.data[:d.i:d.i]
	d.off = off
	r.rec = Record{
		Line: line, Offset: off, Length: int64(d.i), Path: d.path, First: true,
		Root: Value{d, 0}, Flaws: d.flaws, FlawOffset: d.flaw,
	}
	r.stats.Records++
	r.stats.RecordBytes += int64(d.i)
}

func head(b []byte) string { return string(b[:min(len(b), HeadBytes)]) }

// Pieces cuts the record of a whole line the way a document is read: by the
// same rule and with the same paths as Options.Split. A scalar or a fault
// yields itself.
func (r *Record) Pieces(split func(path string) bool) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		pieces(r, split, yield)
	}
}

// Probe is a look at a record that has not been read yet. It has its own
// memory and may be kept.
type Probe struct {
	Path    string
	Root    Value    // for a Partial one: what was complete within the look-ahead
	Keys    []string // of Root, when it is an object; a Partial one may know a key more than Root
	Partial bool     // the record is longer than the look-ahead
	Fault   *Fault
}

// Probe looks at up to n records or pieces at the start of the input without
// reading them. It must be called before the first Next; later it returns nil.
func (r *Reader) Probe(n int) []Probe {
	if r.started && r.win.off > 0 {
		return nil
	}
	r.start()
	return r.probe(n)
}

// window is the part of the stream that is held in memory. Views into it are
// valid until more or spoil is called.
type window struct {
	src    io.Reader
	buf    []byte
	r, w   int   // buf[r:w] is held
	off    int64 // of buf[r] in the stream
	size   int   // ordinary size of buf
	err    error // sticky
	poison bool
}

func (w *window) bytes() []byte { return w.buf[w.r:w.w] }

func (w *window) advance(n int) {
	w.r += n
	w.off += int64(n)
}

// more reads on and reports whether it got anything. It refuses to hold more
// than limit bytes.
func (w *window) more(limit int) bool {
	if w.err != nil || w.w-w.r >= limit {
		return false
	}
	w.room(limit)
	for range 100 {
		n, err := w.src.Read(w.buf[w.w:])
		w.w += n
		if err != nil {
			w.err = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// room makes place behind the held bytes: by moving them to the front, in a
// larger buffer if they fill most of this one, in an ordinary one again if
// they left a huge one. No buffer is much larger than limit.
func (w *window) room(limit int) {
	held := w.w - w.r
	size := len(w.buf)
	most := max(limit, limit+w.size) // the sum may overflow
	switch {
	case size == 0, size > keepBuffer && held <= w.size/2:
		size = w.size
	case held > size-size/4 && size < most:
		size = min(2*size, most)
	case w.w < len(w.buf):
		return
	}
	old := w.buf
	if size != len(old) {
		w.buf = make([]byte, size)
	}
	copy(w.buf, old[w.r:w.w])
	w.r, w.w = 0, held
	if w.poison && size != len(old) {
		fill(old)
	}
}

// spoil overwrites everything that was given out before.
func (w *window) spoil() { fill(w.buf[:w.r]) }

func fill(b []byte) {
	for i := range b {
		b[i] = '#'
	}
}

// lineState is the reader's place inside the physical line at the front of
// the window.
type lineState struct {
	held   bool // there is a line
	text   []byte
	end    int      // bytes of its line end: 1, or 0 at the end of the input
	pos    int      // of what is left of text
	bom    int      // bytes of a byte order mark at the very start
	seen   int      // records of this line delivered so far
	glued  bool     // the junction in front of pos has been reported
	shapes [][]byte // with which keys records begin here
	shape  []byte   // scratch
}

// nextOfLines finds the next record of a file of lines.
func (r *Reader) nextOfLines() bool {
	for {
		if r.lines.held {
			if r.nextInLine() {
				return true
			}
			r.endLine()
		}
		if ok, long := r.fetchLine(); long {
			return true
		} else if !ok {
			return false
		}
	}
}

// fetchLine brings a whole line into the window. A line that is too long is
// skipped and becomes a fault.
func (r *Reader) fetchLine() (ok, long bool) {
	w, l := &r.win, &r.lines
	for seen := 0; ; {
		b := w.bytes()
		i := bytes.IndexByte(b[seen:], '\n')
		switch {
		case i >= 0:
			i += seen
			l.text, l.end = b[:i], 1
		case w.more(r.o.MaxLine + 1):
			seen = len(b)
			continue
		default:
			l.text, l.end = w.bytes(), 0
		}
		if len(l.text)+l.end == 0 {
			return false, false
		}
		r.stats.Lines++
		if len(l.text) > r.o.MaxLine {
			r.tooLong()
			return false, true
		}
		r.stats.Unterminated = l.end == 0
		l.held, l.pos, l.seen, l.glued, l.bom = true, 0, 0, false, 0
		return true, false
	}
}

// tooLong skips a line that is too long for memory.
func (r *Reader) tooLong() {
	w := &r.win
	f := &Fault{Kind: TooLong, At: r.o.MaxLine, Expected: "the end of the line", Head: head(w.bytes())}
	off := w.off
	for {
		i := bytes.IndexByte(w.bytes(), '\n')
		if i >= 0 {
			w.advance(i)
			break
		}
		w.advance(len(w.bytes()))
		if !w.more(r.o.Buffer) {
			break
		}
	}
	r.fault(f, r.stats.Lines, off, w.off-off)
	r.stats.Unterminated = len(w.bytes()) == 0
	if len(w.bytes()) > 0 {
		w.advance(1)
		r.stats.BlankBytes++
	}
}

func (r *Reader) endLine() {
	l := &r.lines
	r.win.advance(len(l.text) + l.end)
	r.stats.BlankBytes += int64(l.end)
	l.held, l.text = false, nil
}
