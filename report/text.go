package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// TextOptions say how text looks.
type TextOptions struct {
	Color   bool
	Width   int  // columns, at least 40; 0 for 80
	Quiet   bool // errors and warnings only, no summary
	Verbose bool // every note, every step of evidence, quotes at length
	Stats   bool // formats, counts, and what could not be checked and why
}

// Bounds of what text shows unless asked for more.
const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 120 // longer lines are hard to read, whatever the terminal
	notesPerRule = 3   // further notes of a rule are counted, not printed
	stepsShown   = 6   // further steps of a chain are counted, not printed
	noticesShown = 10
)

// NewText prints for people: what is wrong, where, and why to believe it.
func NewText(w io.Writer, o TextOptions) Writer {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Width = min(max(o.Width, minWidth), maxWidth)
	return &text{
		out: w, TextOptions: o, paint: newPalette(o.Color),
		byRule: map[string]*ruleTally{}, told: map[string]bool{},
	}
}

type text struct {
	TextOptions
	out     io.Writer
	buf     bytes.Buffer
	paint   palette
	rules   []string // that fired, in order of their first finding
	byRule  map[string]*ruleTally
	told    map[string]bool // reasons already given
	notices []finding.Notice
	unread  int // notices beyond the bound
	bad     int // sessions with findings
	session string
	files   int // with findings
	begun   bool
	brief   bool // the last block was a header alone
}

// ruleTally counts one rule's findings.
type ruleTally struct {
	worst  finding.Level
	count  int
	notes  int
	folded int
	first  string // the first place that was folded
}

func (t *text) Begin(Run) error { return nil }

func (t *text) File(f File) error {
	t.keep(f.Notices)
	printed := t.count(f)
	if facts := t.fileFacts(f); len(printed) > 1 || len(facts) > 0 && (len(printed) > 0 || t.Stats) {
		t.header(f.Path, facts, len(printed) == 0)
	}
	t.session = ""
	for i := range printed {
		t.finding(f, &printed[i])
	}
	return t.flush()
}

// count tallies a file's findings and returns those to print.
func (t *text) count(f File) []finding.Finding {
	sessions := map[string]bool{}
	var printed []finding.Finding
	for _, x := range f.Findings {
		sessions[x.Session] = true
		r := t.byRule[x.Rule]
		if r == nil {
			r = &ruleTally{}
			t.byRule[x.Rule] = r
			t.rules = append(t.rules, x.Rule)
		}
		r.count++
		r.worst = max(r.worst, x.Level)
		if x.Level <= finding.Note {
			if r.notes++; t.Quiet || r.notes > notesPerRule && !t.Verbose {
				if r.folded++; r.folded == 1 {
					r.first = place(f.Path, x.Line)
				}
				continue
			}
		}
		printed = append(printed, x)
	}
	if len(sessions) > 0 {
		t.files++
	}
	t.bad += min(len(sessions), max(f.Sessions, 1))
	return printed
}

// keep holds notices back for the end, within a bound.
func (t *text) keep(notices []finding.Notice) {
	for _, n := range notices {
		if len(t.notices) < noticesShown || t.Verbose {
			t.notices = append(t.notices, n)
		} else {
			t.unread++
		}
	}
}

func (t *text) flush() error {
	_, err := t.out.Write(t.buf.Bytes())
	t.buf.Reset()
	return err
}

// gap separates blocks.
func (t *text) gap() {
	if t.begun {
		t.buf.WriteByte('\n')
	}
	t.begun = true
}

// header names a file, unless its only finding would say no less. The path stands behind a rule, never first in a line.
func (t *text) header(name string, facts []string, brief bool) {
	if !brief || !t.brief {
		t.gap()
	}
	t.brief = brief
	path := Escape(name)
	line := t.paint.rule.Sprint("──") + " " + t.paint.path.Sprint(path)
	used := 3 + columnsOf(path)
	for _, fact := range facts {
		if used+3+columnsOf(fact) > t.Width {
			line += "\n" + t.paint.rule.Sprint("  ")
			used = 2
		}
		line += t.paint.dim.Sprint(" · " + fact)
		used += 3 + columnsOf(fact)
	}
	t.buf.WriteString(line + "\n")
}

func (t *text) fileFacts(f File) []string {
	var facts []string
	if f.Format != "" {
		facts = append(facts, Escape(f.Format))
	}
	if f.Sessions > 1 {
		facts = append(facts, plural(f.Sessions, "session"))
	}
	if f.Sessions == 1 && len(f.Findings) > 0 && f.Findings[0].Session != "" {
		facts = append(facts, "session "+clip(shown(f.Findings[0].Session, 100), t.Width-13))
	}
	if s := f.Stats; t.Stats && s != nil {
		facts = append(facts, size(s.Bytes), plural(s.Records, "record"), plural(s.Events, "event"))
		if s.Unknown > 0 {
			facts = append(facts, grouped(s.Unknown)+" not understood")
		}
		if s.Faults > 0 {
			facts = append(facts, plural(s.Faults, "fault"))
		}
	}
	return facts
}

func (t *text) finding(f File, x *finding.Finding) {
	if f.Sessions > 1 && x.Session != "" && x.Session != t.session {
		t.session = x.Session
		t.gap()
		t.buf.WriteString(t.paint.dim.Sprint("session "+clip(shown(x.Session, 100), t.Width-8)) + "\n")
	}
	t.gap()
	t.title(f.Path, x)
	t.lines("  ", t.paint.message, wrap(Escape(x.Message), t.Width-2))
	if x.Quote != "" {
		t.quote(x.Quote)
	}
	t.chain(x)
	t.advice(x)
}

// title is the line that says how bad, which rule and where. The place is
// never broken, so that a terminal can link it.
func (t *text) title(path string, x *finding.Finding) {
	level := t.paint.level(x.Level)
	badge := badges[x.Level] + " " + x.Level.String()
	where := place(path, x.Line)
	sep := "  "
	if columnsOf(badge)+4+columnsOf(x.Rule)+columnsOf(where) > t.Width {
		sep = "\n  at "
	}
	inferred := ""
	if x.Inferred {
		inferred = t.paint.dim.Sprint("  (inferred)")
	}
	fmt.Fprintf(&t.buf, "%s  %s%s%s%s\n", level.Sprint(badge), t.paint.id.Sprint(Escape(x.Rule)), sep, t.paint.path.Sprint(where), inferred)
}

// badges begin a finding's first line; each takes one column.
var badges = [...]string{"·", "●", "▲", "✖"}

// place is path:line, escaped.
func place(path string, line int) string {
	if line == 0 {
		return Escape(path)
	}
	return fmt.Sprintf("%s:%d", Escape(path), line)
}

func (t *text) quote(q string) {
	n := 3
	if t.Verbose {
		n = 12
	}
	lines := clipLines("“"+shown(q, 4000)+"”", t.Width-2, n)
	t.lines("  ", t.paint.quote, lines)
}

// advice is why a finding matters, once per reason, and what to do about it.
func (t *text) advice(x *finding.Finding) {
	if x.Why != "" && (t.Verbose || !t.told[x.Rule+x.Why]) {
		t.told[x.Rule+x.Why] = true
		t.labelled("why: ", t.paint.dim, t.paint.dim, x.Why)
	}
	if x.Fix != "" {
		t.labelled("fix: ", t.paint.fix, t.paint.plain, x.Fix)
	}
}

func (t *text) labelled(label string, name, body painter, s string) {
	for i, line := range wrap(Escape(s), t.Width-2-len(label)) {
		if i > 0 {
			name, label = t.paint.plain, strings.Repeat(" ", len(label))
		}
		t.buf.WriteString("  " + name.Sprint(label) + body.Sprint(line) + "\n")
	}
}

func (t *text) lines(indent string, p painter, lines []string) {
	for _, line := range lines {
		t.buf.WriteString(indent + p.Sprint(line) + "\n")
	}
}

func (t *text) End(totals Totals) error {
	t.keep(totals.Notices)
	t.foldedNotes()
	t.noticeBlock(totals.NotChecked)
	if !t.Quiet {
		t.summary(totals)
	}
	return t.flush()
}

// foldedNotes lists the notes that were counted and not printed.
func (t *text) foldedNotes() {
	if t.Quiet {
		return
	}
	first := true
	for _, id := range t.rules {
		r := t.byRule[id]
		if r.folded == 0 {
			continue
		}
		if first {
			t.gap()
			first = false
		}
		fmt.Fprintf(&t.buf, "%s %s %s %s\n", t.paint.note.Sprint(fmt.Sprintf("%s %s", badges[finding.Note], plural(r.folded, "more note"))),
			"of", t.paint.id.Sprint(Escape(id)), t.paint.dim.Sprint("(first: "+r.first+")"))
	}
}

// topRule is the rule to explain first: the worst, then the most frequent.
func (t *text) topRule() string {
	if len(t.rules) == 0 {
		return ""
	}
	return slices.MaxFunc(t.rules, func(a, b string) int {
		x, y := t.byRule[a], t.byRule[b]
		if x.worst != y.worst {
			return int(x.worst) - int(y.worst)
		}
		return x.count - y.count
	})
}
