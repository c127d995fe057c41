// Package catalogue shows the rules to people: the list, a rule's page, and
// the generated documentation. Everything in it comes from the rules and their
// cases.
package catalogue

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/report"
	"github.com/transcript-lint/transcript-lint/rules"
)

// List prints all rules as text, as JSON, or as the whole documentation in
// Markdown.
func List(w io.Writer, format string) error {
	switch format {
	case "text":
		return listText(w)
	case "json":
		return listJSON(w)
	case "markdown":
		return Document(w)
	}
	return fmt.Errorf("--format %q: use text, json or markdown", format)
}

func listText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	group := rules.Group("")
	for _, r := range rules.All {
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(tw, "%s\t\t\n", strings.ToUpper(string(group)))
		}
		fmt.Fprintf(tw, "  %s\t%s\t%s\n", r.ID, r.Level, r.Title)
	}
	return tw.Flush()
}

type listed struct {
	ID        string         `json:"id"`
	Title     string         `json:"title"`
	Group     string         `json:"group"`
	Level     string         `json:"level"`
	Precision string         `json:"precision"`
	Why       string         `json:"why"`
	Fix       string         `json:"fix"`
	Silent    string         `json:"silent"`
	Options   map[string]any `json:"options,omitempty"`
}

func listJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range rules.All {
		l := listed{ID: r.ID, Title: r.Title, Group: string(r.Group), Level: r.Level.String(), Precision: string(r.Precision), Why: r.Why, Fix: r.Fix, Silent: r.Silent}
		if len(r.Options) > 0 {
			l.Options = r.Defaults()
		}
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// Suggest words the nearest rule name, "" when none is near.
func Suggest(id string) string {
	for _, r := range rules.All {
		if strings.Contains(r.ID, id) || strings.Contains(id, r.ID) {
			return fmt.Sprintf("; did you mean %s?", r.ID)
		}
	}
	return ""
}

// examples are a rule's first firing and first silent case.
func examples(r *rules.Rule) (fires, silent *rules.Case, err error) {
	cases, err := r.Cases()
	if err != nil {
		return nil, nil, err
	}
	for i := range cases {
		switch c := &cases[i]; {
		case c.Fires && fires == nil:
			fires = c
		case !c.Fires && silent == nil:
			silent = c
		}
	}
	return fires, silent, nil
}

// output is what the tool prints about a case, with only its rule on.
func output(r *rules.Rule, c *rules.Case, width int) (string, error) {
	var b strings.Builder
	w := report.NewText(&b, report.TextOptions{Width: width, Verbose: true})
	in := audit.Input{Path: "session.jsonl", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.Log)), nil }}
	o, err := audit.ForCase(r, c)
	if err != nil {
		return "", err
	}
	res := audit.One(in, o)
	if err := w.Begin(report.Run{Rules: audit.Metadata(nil)}); err != nil {
		return "", err
	}
	if err := w.File(report.File{Path: res.Path, Format: res.Format, Sessions: res.Sessions, Findings: res.Findings}); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}

// Explain prints a rule's page for a terminal.
func Explain(w io.Writer, r *rules.Rule, width int) error {
	if width <= 0 {
		width = 80
	}
	fires, silent, err := examples(r)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s, precision %s)\n\n", r.ID, r.Level, r.Group, r.Precision)
	para := func(title, text string) {
		fmt.Fprintf(&b, "%s\n%s\n\n", title, indent(wrap(text, width-2)))
	}
	para(r.Title, r.Why)
	para("What to do", r.Fix)
	para("Stays silent", r.Silent)
	if len(r.Options) > 0 {
		b.WriteString("Options (--set " + r.ID + ".NAME=VALUE)\n")
		for _, o := range r.Options {
			fmt.Fprintf(&b, "  %s = %v\n%s\n", o.Name, o.Default, indent(indent(wrap(o.Doc, width-4))))
		}
		b.WriteString("\n")
	}
	if fires != nil {
		said, err := output(r, fires, width-2)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "Fires\n%s\n\n%s\n\n%s\n\n", indent(wrap(fires.Text, width-2)), indent(shorten(fires.Log, width-2)), indent(said))
	}
	if silent != nil {
		fmt.Fprintf(&b, "Says nothing\n%s\n\n%s\n", indent(wrap(silent.Text, width-2)), indent(shorten(silent.Log, width-2)))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// wrap breaks prose at spaces.
func wrap(s string, width int) string {
	var b strings.Builder
	n := 0
	for i, word := range strings.Fields(s) {
		switch {
		case i == 0:
		case n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len([]rune(word))
	}
	return b.String()
}

// shorten cuts each line of an example to the width.
func shorten(log string, width int) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	for i, l := range lines {
		if r := []rune(l); len(r) > width {
			lines[i] = string(r[:width-1]) + "…"
		}
	}
	return strings.Join(lines, "\n")
}
