package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/transcript-lint/transcript-lint/finding"
)

// NewGitLab writes a GitLab code quality report. What could not be read is in
// it as an issue: a report without it would look clean.
func NewGitLab(w io.Writer) Writer { return &gitLab{out: w} }

type gitLab struct {
	out     io.Writer
	buf     bytes.Buffer
	root    string
	written int
}

type gitLabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitLabLocation `json:"location"`
}

type gitLabLocation struct {
	Path  string      `json:"path"`
	Lines gitLabLines `json:"lines"`
}

type gitLabLines struct {
	Begin int `json:"begin"`
}

var gitLabSeverities = [...]string{"info", "info", "minor", "major"}

func (g *gitLab) Begin(r Run) error {
	g.root = r.Root
	g.buf.WriteByte('[')
	return g.flush()
}

func (g *gitLab) File(f File) error {
	for i := range f.Findings {
		x := &f.Findings[i]
		g.issue(x.Rule, x.Level, f.Path, x.Line, x.Message, x.Fingerprint)
	}
	for _, n := range f.Notices {
		if n.Level == finding.Error {
			g.issue(n.ID, n.Level, f.Path, n.Line, n.Message, n.Message)
		}
	}
	return g.flush()
}

func (g *gitLab) End(Totals) error {
	g.buf.WriteString("\n]\n")
	return g.flush()
}

// issue writes one issue. A fingerprint is unique in its file only, so the
// path goes into GitLab's.
func (g *gitLab) issue(check string, l finding.Level, path string, line int, message, identity string) {
	name, _ := relative(g.root, path)
	sum := sha256.Sum256([]byte(check + "\x00" + name + "\x00" + identity))
	if g.written++; g.written > 1 {
		g.buf.WriteByte(',')
	}
	g.buf.WriteByte('\n')
	g.buf.Write(marshal(gitLabIssue{
		Description: shown(message, maxText), Check: shown(check, maxID), Fingerprint: hex.EncodeToString(sum[:16]), Severity: gitLabSeverities[l],
		Location: gitLabLocation{Path: Escape(name), Lines: gitLabLines{Begin: max(line, 1)}},
	}))
}

func (g *gitLab) flush() error {
	_, err := g.out.Write(g.buf.Bytes())
	g.buf.Reset()
	return err
}
