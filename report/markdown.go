package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// markdownEscape makes text say in Markdown what it says: no markup, HTML,
// link, table cell, mention or reference of its own.
func markdownEscape(s string) string { return markdownReplacer.Replace(s) }

var markdownReplacer = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `~`, `\~`, `|`, `\|`, `[`, `\[`, `]`, `\]`, `!`, `\!`,
	`<`, "&lt;", `>`, "&gt;", `&`, "&amp;", `#`, `\#`, "@", "&#64;", "://", "&#58;//", "$", "&#36;",
)

// maxMarkdown keeps a summary under the 1 MiB that GitHub takes of a step; a
// larger one is dropped whole.
const maxMarkdown = 900_000

// NewMarkdown writes a table for a job summary or a pull request. Rows beyond
// what GitHub takes are counted, not written.
func NewMarkdown(w io.Writer) Writer { return &markdown{out: w} }

type markdown struct {
	out     io.Writer
	rows    strings.Builder
	left    int
	notices []string
	unread  int
}

// Begin implements [Writer].
func (m *markdown) Begin(Run) error { return nil }

// File implements [Writer].
func (m *markdown) File(f File) error {
	for i := range f.Findings {
		m.row(f.Path, &f.Findings[i])
	}
	m.keep(f.Notices)
	return nil
}

func (m *markdown) row(path string, x *finding.Finding) {
	what := markdownEscape(shown(x.Message, maxText))
	if x.Quote != "" {
		what += "<br>“" + markdownEscape(shown(x.Quote, maxQuote)) + "”"
	}
	for i := range x.Evidence {
		e := &x.Evidence[i]
		if i == maxLinks {
			what += fmt.Sprintf("<br>… %s", plural(len(x.Evidence)-i, "more step"))
			break
		}
		what += fmt.Sprintf("<br>%d: **%s** %s", e.Line, markdownEscape(shown(string(e.Grade), maxID)), markdownEscape(shown(e.Note, maxQuote)))
	}
	if x.Fix != "" {
		what += "<br>**fix:** " + markdownEscape(shown(x.Fix, maxText))
	}
	row := fmt.Sprintf("| %s %s | %s | %s | %s |\n", badges[x.Level], x.Level, markdownEscape(shown(x.Rule, maxID)), markdownEscape(place(path, x.Line)), what)
	if m.rows.Len()+len(row) > maxMarkdown {
		m.left++
		return
	}
	m.rows.WriteString(row)
}

func (m *markdown) keep(notices []finding.Notice) {
	for _, n := range notices {
		if len(m.notices) == 50 {
			m.unread++
			continue
		}
		s := n.ID + ": "
		if n.File != "" {
			s += cut(place(n.File, n.Line), maxID) + ": "
		}
		m.notices = append(m.notices, s+n.Message)
	}
}

// End implements [Writer].
func (m *markdown) End(t Totals) error {
	m.keep(t.Notices)
	var b strings.Builder
	fmt.Fprintf(&b, "### transcript-lint: %s\n\n", countLine(t))
	if m.rows.Len() > 0 {
		b.WriteString("| level | rule | where | what and why to believe it |\n|---|---|---|---|\n" + m.rows.String() + "\n")
	}
	if m.left > 0 {
		fmt.Fprintf(&b, "%s left out for length.\n\n", plural(m.left, "finding"))
	}
	for _, n := range m.notices {
		fmt.Fprintf(&b, "- %s\n", markdownEscape(shown(n, maxText)))
	}
	if m.unread > 0 {
		fmt.Fprintf(&b, "- %s\n", plural(m.unread, "more notice"))
	}
	for _, n := range t.NotChecked {
		fmt.Fprintf(&b, "- not checked: %s\n", markdownEscape(shown(n.String(), maxText)))
	}
	_, err := io.WriteString(m.out, b.String())
	return err
}
