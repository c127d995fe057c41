package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// annotationsPerLevel is how many GitHub shows of each level and step.
const annotationsPerLevel = 10

// NewGitHub writes workflow commands, which GitHub shows as annotations: the
// first ten of each level, and how many there were in all.
func NewGitHub(w io.Writer) Writer { return &gitHub{out: w} }

type gitHub struct {
	out  io.Writer
	buf  bytes.Buffer
	root string
	used [finding.Error + 1]int
	left int
}

func (g *gitHub) Begin(r Run) error {
	g.root = r.Root
	return nil
}

func (g *gitHub) File(f File) error {
	for i := range f.Findings {
		x := &f.Findings[i]
		g.annotate(x.Level, f.Path, x.Span, x.Rule, annotation(x))
	}
	g.notices(f.Notices)
	return g.flush()
}

func (g *gitHub) End(t Totals) error {
	g.notices(t.Notices)
	if g.left > 0 {
		fmt.Fprintf(&g.buf, "transcript-lint: %s not shown as annotations\n", plural(g.left, "more finding"))
	}
	fmt.Fprintf(&g.buf, "transcript-lint: %s\n", countLine(t))
	return g.flush()
}

// countLine is "3 errors, 2 warnings, 5 notes in 40 sessions (134 MB)".
func countLine(t Totals) string {
	return fmt.Sprintf("%s, %s, %s in %s (%s)", plural(t.Errors, "error"), plural(t.Warnings, "warning"), plural(t.Notes, "note"), plural(t.Sessions, "session"), size(t.Bytes))
}

func (g *gitHub) notices(notices []finding.Notice) {
	for _, n := range notices {
		g.annotate(n.Level, n.File, finding.Span{Line: n.Line}, n.ID, shown(n.Message, maxText))
	}
}

// annotation is the text below an annotation's title.
func annotation(x *finding.Finding) string {
	text := shown(x.Message, maxText)
	if x.Quote != "" {
		text += "\n“" + shown(x.Quote, maxQuote) + "”"
	}
	for i := range x.Evidence {
		e := &x.Evidence[i]
		if i == maxLinks {
			text += fmt.Sprintf("\n… %s", plural(len(x.Evidence)-i, "more step"))
			break
		}
		text += fmt.Sprintf("\nline %d: %s: %s", e.Line, shown(string(e.Grade), maxID), shown(e.Note, maxQuote))
	}
	if x.Fix != "" {
		text += "\nfix: " + shown(x.Fix, maxText)
	}
	return text
}

var commands = [...]string{"debug", "notice", "warning", "error"}

func (g *gitHub) annotate(l finding.Level, path string, at finding.Span, title, text string) {
	if g.used[l]++; g.used[l] > annotationsPerLevel {
		g.left++
		return
	}
	var props []string
	if path != "" {
		name, _ := relative(g.root, path)
		props = append(props, "file="+commandProperty(Escape(name)))
	}
	if at.Line > 0 {
		props = append(props, fmt.Sprintf("line=%d", at.Line))
	}
	if at.Column > 0 {
		props = append(props, fmt.Sprintf("col=%d", at.Column))
		if at.EndCol > at.Column {
			props = append(props, fmt.Sprintf("endColumn=%d", at.EndCol))
		}
	}
	props = append(props, "title="+commandProperty(Escape(title)))
	fmt.Fprintf(&g.buf, "::%s %s::%s\n", commands[l], strings.Join(props, ","), commandData.Replace(text))
}

var commandData = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

func commandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

func (g *gitHub) flush() error {
	_, err := g.out.Write(g.buf.Bytes())
	g.buf.Reset()
	return err
}
