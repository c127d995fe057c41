package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// noticeBlock prints what the tool has to say about the run itself.
func (t *text) noticeBlock(unchecked []NotChecked) {
	var lines []painted
	for _, n := range t.notices {
		if t.Quiet && n.Level < finding.Error {
			continue
		}
		s := n.ID + ": "
		if n.File != "" {
			s += place(n.File, n.Line) + ": "
		}
		lines = append(lines, painted{t.paint.level(n.Level), s + n.Message})
	}
	if t.unread > 0 {
		lines = append(lines, painted{t.paint.dim, plural(t.unread, "more notice") + " (-v)"})
	}
	if !t.Quiet {
		lines = append(lines, t.uncheckedLines(unchecked)...)
	}
	if len(lines) == 0 {
		return
	}
	t.gap()
	t.buf.WriteString(t.paint.dim.Sprint("notices") + "\n")
	for _, l := range lines {
		for i, part := range wrap(Escape(l.line), t.Width-4) {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			t.buf.WriteString("  " + l.Sprint(mark) + part + "\n")
		}
	}
}

// uncheckedLines says which rules had nothing to go by. Their silence proves
// nothing, so the fact is never left out, only the list.
func (t *text) uncheckedLines(unchecked []NotChecked) []painted {
	if len(unchecked) > 3 && !t.Stats && !t.Verbose {
		rules := map[string]bool{}
		for _, n := range unchecked {
			rules[n.Rule] = true
		}
		return []painted{{t.paint.dim, "not checked: " + plural(len(rules), "rule") + " lacked data in some sessions, so their silence proves nothing (--stats lists them)"}}
	}
	lines := make([]painted, len(unchecked))
	for i, n := range unchecked {
		lines[i] = painted{t.paint.dim, "not checked: " + n.String()}
	}
	return lines
}

// String words the gap: rule, sessions, reason.
func (n NotChecked) String() string {
	return fmt.Sprintf("%s in %s: %s", n.Rule, plural(n.Sessions, "session"), n.Because)
}

// summary is the last word: how much was found in how much.
func (t *text) summary(totals Totals) {
	if t.Stats && len(totals.Formats) > 0 {
		t.formats(totals.Formats)
	}
	t.gap()
	scope := fmt.Sprintf("%s (%s)", plural(totals.Sessions, "session"), size(totals.Bytes))
	part := t.bad
	if totals.Sessions == 0 {
		scope = fmt.Sprintf("%s (%s)", plural(totals.Files, "file"), size(totals.Bytes))
		part = t.files
	}
	if totals.Errors+totals.Warnings+totals.Notes == 0 {
		mark, word := t.paint.ok.Sprint("✔"), "nothing found in"
		if totals.ExitCode > 1 {
			mark, word = t.paint.warning.Sprint("▲"), "nothing found in what could be read of"
		}
		fmt.Fprintf(&t.buf, "%s %s %s\n", mark, word, scope)
		return
	}
	counts, plain := t.counts(totals)
	where := fmt.Sprintf("in %d of %s", min(part, max(totals.Sessions, totals.Files)), scope)
	sep := " "
	if columnsOf(plain)+1+columnsOf(where) > t.Width {
		sep = "\n"
	}
	t.buf.WriteString(counts + sep + where + "\n")
	if top := t.topRule(); top != "" {
		t.buf.WriteString(t.paint.dim.Sprint("more: ") + t.paint.fix.Sprint("transcript-lint explain "+Escape(top)) + "\n")
	}
}

// counts words the totals, coloured and plain.
func (t *text) counts(totals Totals) (painted, plain string) {
	var colors, words []string
	for _, c := range []struct {
		n    int
		word string
		painter
	}{
		{totals.Errors, "error", t.paint.error},
		{totals.Warnings, "warning", t.paint.warning},
		{totals.Notes, "note", t.paint.note},
	} {
		if c.n > 0 {
			words = append(words, plural(c.n, c.word))
			colors = append(colors, c.Sprint(plural(c.n, c.word)))
		}
	}
	return strings.Join(colors, ", "), strings.Join(words, ", ")
}

// plural is "1 note", "2 notes", "4,321 notes".
func plural[N int | int64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return grouped(int64(n)) + " " + word + "s"
}

// grouped writes a number with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes a byte count in decimal units.
func size(n int64) string {
	f, unit := float64(n), "B"
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if f < 999.5 {
			break
		}
		f, unit = f/1000, u
	}
	if unit == "B" || f >= 9.95 {
		return fmt.Sprintf("%.0f %s", f, unit)
	}
	return fmt.Sprintf("%.1f %s", f, unit)
}

// formats is the table of what was read, a format a row.
func (t *text) formats(fs []FormatCount) {
	t.gap()
	fmt.Fprintf(&t.buf, "%-20s %6s %8s %9s %9s %8s %7s\n", "format", "files", "sessions", "records", "events", "unknown", "faults")
	for _, f := range fs {
		name := f.Name
		if name == "" {
			name = "(not recognised)"
		}
		fmt.Fprintf(&t.buf, "%-20s %6d %8d %9d %9d %8d %7d\n", Escape(name), f.Files, f.Sessions, f.Records, f.Events, f.Unknown, f.Faults)
	}
}
