package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/transcript-lint/transcript-lint/finding"
)

// SchemaVersion is the version of the JSON Lines schema. It grows when a field
// changes its meaning or goes; new fields may come without notice.
const SchemaVersion = 1

// NewJSONL writes one JSON object a line: every finding and notice as it
// comes, and a summary last. schema/finding.schema.json describes them. Text is
// whole and exact, except that bytes which are no UTF-8 appear as \xff; what
// could do harm on a terminal is written as a JSON escape.
func NewJSONL(w io.Writer) Writer { return &jsonLines{out: w} }

type jsonLines struct {
	out     io.Writer
	buf     bytes.Buffer
	version string
}

// jsonHead begins every line.
type jsonHead struct {
	SchemaVersion int    `json:"schemaVersion"`
	Type          string `json:"type"` // finding, notice or summary
}

type jsonSpan struct {
	Line      int    `json:"line"`             // 0 for the file as a whole
	Column    int    `json:"column,omitempty"` // in UTF-16 units, as editors count
	EndColumn int    `json:"endColumn,omitempty"`
	Offset    int64  `json:"offset"` // of the record, in bytes after decompression
	Length    int64  `json:"length"`
	From      int    `json:"from,omitempty"` // of the value, in bytes of the record
	To        int    `json:"to,omitempty"`
	Pointer   string `json:"pointer,omitempty"`
	ID        string `json:"id,omitempty"`
}

type jsonEvidence struct {
	jsonSpan
	Grade string `json:"grade"`
	Note  string `json:"note"`
	Quote string `json:"quote,omitempty"`
}

type jsonFinding struct {
	jsonHead
	Rule    string `json:"rule"`
	Level   string `json:"level"`
	File    string `json:"file"`
	Session string `json:"session,omitempty"`
	jsonSpan
	Message     string         `json:"message"`
	Quote       string         `json:"quote,omitempty"`
	Evidence    []jsonEvidence `json:"evidence"`
	Why         string         `json:"why,omitempty"`
	Fix         string         `json:"fix,omitempty"`
	Inferred    bool           `json:"inferred"`
	Fingerprint string         `json:"fingerprint,omitempty"`
}

type jsonNotice struct {
	jsonHead
	Level    string `json:"level"`
	ID       string `json:"id"`
	Rule     string `json:"rule,omitempty"` // not-checked only
	Sessions int    `json:"sessions,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Message  string `json:"message"`
}

type jsonSummary struct {
	jsonHead
	Version  string `json:"version,omitempty"`
	Files    int    `json:"files"`
	Sessions int    `json:"sessions"`
	Bytes    int64  `json:"bytes"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Notes    int    `json:"notes"`
	ExitCode int    `json:"exitCode"`
}

func (j *jsonLines) Begin(r Run) error {
	j.version = r.Version
	return nil
}

func (j *jsonLines) File(f File) error {
	for i := range f.Findings {
		j.line(jsonFindingOf(f.Path, &f.Findings[i]))
	}
	j.notices(f.Notices)
	return j.flush()
}

func (j *jsonLines) End(t Totals) error {
	j.notices(t.Notices)
	for _, n := range t.NotChecked {
		j.line(jsonNotice{jsonHead: jsonHead{SchemaVersion, "notice"}, Level: "note", ID: "not-checked", Rule: n.Rule, Sessions: n.Sessions, Message: visible(n.Because)})
	}
	j.line(jsonSummary{jsonHead{SchemaVersion, "summary"}, j.version, t.Files, t.Sessions, t.Bytes, t.Errors, t.Warnings, t.Notes, t.ExitCode})
	return j.flush()
}

func jsonFindingOf(path string, x *finding.Finding) jsonFinding {
	out := jsonFinding{
		jsonHead: jsonHead{SchemaVersion, "finding"}, Rule: x.Rule, Level: x.Level.String(), File: visible(path), Session: visible(x.Session), jsonSpan: jsonSpanOf(x.Span),
		Message: visible(x.Message), Quote: visible(x.Quote), Evidence: make([]jsonEvidence, len(x.Evidence)),
		Why: visible(x.Why), Fix: visible(x.Fix), Inferred: x.Inferred, Fingerprint: x.Fingerprint,
	}
	for i := range x.Evidence {
		e := &x.Evidence[i]
		out.Evidence[i] = jsonEvidence{jsonSpanOf(e.Span), string(e.Grade), visible(e.Note), visible(e.Quote)}
	}
	return out
}

func jsonSpanOf(s finding.Span) jsonSpan {
	return jsonSpan{s.Line, s.Column, s.EndCol, s.Offset, s.Length, s.From, s.To, visible(s.Pointer), visible(s.ID)}
}

func (j *jsonLines) notices(notices []finding.Notice) {
	for _, n := range notices {
		j.line(jsonNotice{jsonHead: jsonHead{SchemaVersion, "notice"}, Level: n.Level.String(), ID: n.ID, File: visible(n.File), Line: n.Line, Message: visible(n.Message)})
	}
}

func (j *jsonLines) line(v any) {
	writeASCIIControls(&j.buf, marshal(v))
	j.buf.WriteByte('\n')
}

func (j *jsonLines) flush() error {
	_, err := j.out.Write(j.buf.Bytes())
	j.buf.Reset()
	return err
}

// visible spells out the bytes of s that JSON cannot carry.
func visible(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// writeASCIIControls writes marshalled JSON with JSON's own escapes for
// whatever [Escape] would make visible. The document stays the same document.
func writeASCIIControls(b *bytes.Buffer, doc []byte) {
	text := string(doc)
	for i, r := range text {
		switch {
		case endsRunnerPrefix(text, i):
			b.WriteString(`\u0023`)
		case isPlain(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
}
