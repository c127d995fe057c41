package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// section says how the text stands that a line belongs to.
type section uint8

const (
	told      section = iota // plain prose: the agent speaks
	planned                  // under "Next steps:", "Acceptance criteria", ...
	reported                 // under "All user messages:", "Background", ...
	discarded                // not spoken at all: code, quotes, open checkboxes
)

// kind is what a token is made of.
type kind uint8

const (
	word   kind = iota // letters, lower-cased in token.w
	number             // an integer, its value in token.n
	code               // inline code, a path, an identifier, a URL
	quoted             // words between double quotes
	cjk                // a run of Han, kana or hangul
	tick               // a success emoji
	cross              // a failure emoji
	point              // one punctuation mark
)

// token is one word, number, mark or opaque stretch of a sentence.
type token struct {
	kind       kind
	w          string
	n          int
	start, end int
}

// sentence is a run of tokens that share conditions, plans and questions.
// Clauses are cut at cuts: the token indexes where a new clause begins.
type sentence struct {
	text     string
	toks     []token
	cuts     []int
	hard     []bool // hard[i]: cuts[i] opens with a contrast, scope ends there
	question bool
	table    bool
	ticked   bool
	sec      section
}

// reader walks the prose of a text line by line and keeps what it has to know
// of the lines above: fences, sections, a table's header.
type reader struct {
	text     string
	fence    string
	sec      section
	lead     int  // indentation of the list item that opened the section, -1 for none
	sticky   bool // the section came from a heading and lasts until the next one
	tableSec section
	inTable  bool
	s        sentence
	emit     func(*sentence)
}

// read cuts text into sentences and hands each to emit. The sentence is reused.
func read(text string, emit func(*sentence)) {
	r := &reader{text: text, emit: emit}
	for pos := 0; pos < len(text); {
		end := lineEnd(text, pos)
		next := end + 1
		if r.isProse(pos, end) {
			for next < len(text) && r.continues(pos, end, next) {
				end = lineEnd(text, next)
				next = end + 1
			}
			r.line(pos, end)
		}
		pos = next
	}
}

func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}

// isProse reports whether the line may speak, and follows fences.
func (r *reader) isProse(pos, end int) bool {
	line := strings.TrimSpace(r.text[pos:end])
	if r.fence != "" {
		if strings.HasPrefix(line, r.fence) {
			r.fence = ""
		}
		return false
	}
	switch {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		r.fence = line[:3]
		return false
	case line == "":
		r.inTable = false
		return false
	case line[0] == '>', isDiff(line):
		return false
	}
	return true
}

// isDiff reports lines of a patch: headers, and +x or -x without a space.
func isDiff(line string) bool {
	for _, p := range [...]string{"@@ ", "diff --git", "+++ ", "--- a/", "index "} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return len(line) > 1 && (line[0] == '+' || line[0] == '-' && line[1] != '-') &&
		line[1] != ' ' && line[1] != '*' && line[1] != '[' && line[1] < 0x80 && !strings.HasPrefix(line, "---")
}

// continues reports whether the line at next is the wrapped rest of the one
// that ends at end.
func (r *reader) continues(pos, end, next int) bool {
	prev := strings.TrimRight(r.text[pos:end], " \t\r")
	line := strings.TrimLeft(r.text[next:lineEnd(r.text, next)], " \t")
	if line == "" || prev == "" || prev[0] == '#' || prev[0] == '|' || end-pos > 8192 {
		return false
	}
	if strings.IndexByte(".:!?;|", prev[len(prev)-1]) >= 0 {
		return false
	}
	if c := line[0]; 'a' <= c && c <= 'z' && len(line) > 2 && line[1] != ')' && line[1] != '.' {
		return true
	}
	last := prev[strings.LastIndexByte(prev, '\n')+1:]
	first, _ := utf8.DecodeRuneInString(line)
	return len(last) >= 60 && unicode.IsLetter(first) && first < 0x2E80
}

// line reads one logical line: it strips the list mark or heading, follows the
// section, and cuts the rest into sentences.
func (r *reader) line(pos, end int) {
	start, mark := listMark(r.text, pos, end)
	body := strings.TrimSpace(r.text[start:end])
	indent := skipBlank(r.text, pos, end) - pos
	switch {
	case mark == '#' || isBoldTitle(body):
		r.sec, r.sticky = sectionOf(body), true
		if mark == '#' && !strings.ContainsAny(body, "✅✓✔") {
			return
		}
	case mark == 0 && !r.sticky, mark != 0 && !r.sticky && r.lead >= 0 && indent <= r.lead:
		r.sec = told
	}
	if mark == 'u' {
		return
	}
	r.s = sentence{text: r.text, toks: r.s.toks[:0], cuts: r.s.cuts[:0], hard: r.s.hard[:0]}
	r.s.sec = r.sec
	if body != "" && body[0] == '|' {
		r.row(start, end)
		return
	}
	r.inTable = false
	r.s.ticked = mark == 'x'
	r.lex(start, end)
	if tail := strings.TrimRight(body, "* "); strings.HasSuffix(tail, ":") || strings.HasSuffix(tail, "：") {
		if sec := sectionOf(lastSentence(body)); sec != told || !r.sticky {
			r.sec, r.lead = sec, indent
			if mark == 0 {
				r.lead = -1
			}
			r.sticky = sec != told && (mark == '#' || isBoldTitle(body))
		}
	}
}

// row reads a table row: a header only sets the section, cells are clauses.
func (r *reader) row(start, end int) {
	body := r.text[start:end]
	if strings.Trim(body, "|-: \t\r") == "" {
		return
	}
	if !r.inTable {
		r.inTable = true
		r.tableSec = sectionOf(body)
		next := end + 1
		if next < len(r.text) && strings.HasPrefix(strings.TrimLeft(r.text[next:], " "), "|-") ||
			next < len(r.text) && strings.HasPrefix(strings.TrimLeft(r.text[next:], " "), "| -") ||
			next < len(r.text) && strings.HasPrefix(strings.TrimLeft(r.text[next:], " "), "|:") {
			return
		}
	}
	if r.tableSec != told {
		r.s.sec = r.tableSec
	}
	r.s.table = true
	r.lex(start, end)
}

// listMark skips indentation, bullets, numbers and checkboxes. The mark is '#'
// for a heading, 'x' and 'u' for ticked and open boxes, '-' for other items.
func listMark(text string, pos, end int) (int, byte) {
	i := skipBlank(text, pos, end)
	if i < end && text[i] == '#' {
		for i < end && text[i] == '#' {
			i++
		}
		return skipBlank(text, i, end), '#'
	}
	mark := byte(0)
	if i+1 < end && strings.IndexByte("-*+", text[i]) >= 0 && text[i+1] == ' ' {
		i, mark = skipBlank(text, i+1, end), '-'
	} else if strings.HasPrefix(text[i:end], "• ") {
		i, mark = skipBlank(text, i+len("•"), end), '-'
	} else if j := digits(text, i, end); j > i && j+1 < end && (text[j] == '.' || text[j] == ')') && text[j+1] == ' ' {
		i, mark = skipBlank(text, j+1, end), '-'
	}
	for _, box := range [...]struct {
		s string
		m byte
	}{{"[x]", 'x'}, {"[X]", 'x'}, {"[ ]", 'u'}, {"[]", 'u'}, {"☐", 'u'}, {"⬜", 'u'}, {"⏳", 'u'}, {"☑", 'x'}, {"[completed]", 'x'}, {"[pending]", 'u'}, {"[in_progress]", 'u'}, {"[~]", 'u'}, {"[-]", 'u'}} {
		if strings.HasPrefix(text[i:end], box.s) {
			return skipBlank(text, i+len(box.s), end), box.m
		}
	}
	return i, mark
}

func skipBlank(text string, i, end int) int {
	for i < end && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

func digits(text string, i, end int) int {
	for i < end && text[i]-'0' < 10 {
		i++
	}
	return i
}

// isBoldTitle reports a line that is one bold phrase: "**Next steps**".
func isBoldTitle(body string) bool {
	t := strings.TrimSuffix(strings.TrimSpace(body), ":")
	if len(t) < 5 || len(t) > 80 || !strings.HasPrefix(t, "**") {
		return false
	}
	return strings.HasSuffix(t, "**") && strings.Count(t, "**") == 2
}

func lastSentence(body string) string {
	if i := strings.LastIndex(body, ". "); i >= 0 {
		return body[i+2:]
	}
	return body
}

// sectionOf judges a title or a lead-in line by its words.
func sectionOf(title string) section {
	if len(title) > 240 {
		title = title[len(title)-240:]
	}
	t := " " + strings.ToLower(strings.Map(letterOrSpace, title)) + " "
	for _, w := range planTitles {
		if strings.Contains(t, w) {
			return planned
		}
	}
	for _, w := range reportTitles {
		if strings.Contains(t, w) {
			return reported
		}
	}
	return told
}

func letterOrSpace(r rune) rune {
	if unicode.IsLetter(r) || r == '\'' || r == '-' {
		return r
	}
	return ' '
}
