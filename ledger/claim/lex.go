package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence is cut off where it cannot be one any more, so that the judgement,
// which looks back and forth inside it, stays linear in the text.
const (
	maxTokens   = 300
	maxSentence = 4096
	maxSpan     = 600 // of inline code, a quotation
)

// lex cuts text[pos:end] into tokens and emits a sentence at each full stop.
func (r *reader) lex(pos, end int) {
	for pos < end {
		if n := len(r.s.toks); n >= maxTokens || n > 0 && pos-r.s.toks[0].start > maxSentence {
			r.flush(false)
		}
		c, size := utf8.DecodeRuneInString(r.text[pos:end])
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '*':
			pos += size
		case c == '`':
			pos = r.opaque(code, pos, closing(r.text, pos, end, '`'), end)
		case c == '"' || c == '“' || c == '「' || c == '『' || c == '«':
			pos = r.opaque(quoted, pos, closeQuote(r.text, pos, end, c), end)
		case c == '~' && strings.HasPrefix(r.text[pos:end], "~~"):
			if i := strings.Index(r.text[pos+2:min(end, pos+maxSpan)], "~~"); i >= 0 {
				pos += i + 4
				continue
			}
			pos += 2
		case isCJK(c):
			pos = r.run(pos, end)
		case c >= '0' && c <= '9', unicode.IsLetter(c), c == '_':
			pos = r.word(pos, end)
		case (c == '/' || c == '.') && pos+1 < end && isWordByte(r.text[pos+1]) && (pos == 0 || r.text[pos-1] <= ' ' || r.text[pos-1] == '('):
			pos = r.path(pos, end)
		default:
			pos = r.mark(c, pos, size, end)
		}
	}
	r.flush(false)
}

// flush emits the pending sentence.
func (r *reader) flush(question bool) {
	s := &r.s
	if len(s.toks) > 0 {
		s.question = question
		r.emit(s)
	}
	s.toks, s.cuts, s.hard = s.toks[:0], s.cuts[:0], s.hard[:0]
}

func (r *reader) add(k kind, start, end int, w string) {
	r.s.toks = append(r.s.toks, token{kind: k, w: w, start: start, end: end})
}

// opaque adds a stretch whose inside is not spoken: code, a quotation.
func (r *reader) opaque(k kind, pos, stop, end int) int {
	_, size := utf8.DecodeRuneInString(r.text[pos:])
	if stop < 0 {
		return pos + size
	}
	inner := strings.Trim(r.text[pos:stop], "`\"“”「」『』«» ")
	if k == code && inner != "" && strings.Trim(inner, "0123456789/,") == "" {
		return r.numbers(pos, stop)
	}
	r.add(k, pos, stop, inner)
	if k == quoted && len(inner) > 0 && strings.IndexByte(".!?", inner[len(inner)-1]) >= 0 {
		if n := skipBlank(r.text, stop, end); n < end && unicode.IsUpper(rune(r.text[n])) {
			r.flush(false)
		}
	}
	return stop
}

// numbers lexes a count in backticks, "`0/2` passed", as spoken.
func (r *reader) numbers(pos, stop int) int {
	for i := pos; i < stop; {
		switch c := r.text[i]; {
		case c-'0' < 10:
			j := digits(r.text, i, stop)
			r.addWord(i, j, false, false)
			i = j
			continue
		case c == '/':
			r.add(point, i, i+1, "/")
		}
		i++
	}
	return stop
}

// closing finds the end of an inline code span, -1 when it never closes.
func closing(text string, pos, end int, q byte) int {
	n := pos
	for n < end && text[n] == q {
		n++
	}
	fence := text[pos:n]
	if i := strings.Index(text[n:min(end, n+maxSpan)], fence); i >= 0 {
		return n + i + len(fence)
	}
	return -1
}

// closeQuote finds the end of a quotation that opened with c.
func closeQuote(text string, pos, end int, c rune) int {
	shut := map[rune]string{'"': "\"", '“': "”", '「': "」", '『': "』", '«': "»"}[c]
	n := pos + utf8.RuneLen(c)
	limit := min(end, n+maxSpan)
	if i := strings.Index(text[n:limit], shut); i >= 0 {
		return n + i + len(shut)
	}
	return -1
}

func isCJK(c rune) bool {
	return c >= 0x3041 && c <= 0x30FF || c >= 0x3400 && c <= 0x9FFF || c >= 0xAC00 && c <= 0xD7A3 || c == '々'
}

// run adds a stretch of CJK letters.
func (r *reader) run(pos, end int) int {
	i := pos
	for i < end && i-pos < maxSentence {
		c, size := utf8.DecodeRuneInString(r.text[i:end])
		if !isCJK(c) {
			break
		}
		i += size
	}
	r.add(cjk, pos, i, r.text[pos:i])
	return i
}

func isWordByte(b byte) bool {
	return b >= 0x80 || b-'0' < 10 || (b|0x20)-'a' < 26 || b == '_'
}

// word adds a word, a number or, when it looks like one, an identifier.
func (r *reader) word(pos, end int) int {
	i, ident, upper, alpha := pos, false, false, false
	for i < end {
		c, size := utf8.DecodeRuneInString(r.text[i:end])
		switch {
		case isCJK(c):
		case c == '_' || c == '@' || c == '\\' || c == '=':
			ident = true
			i += size
			continue
		case unicode.IsDigit(c):
			i += size
			continue
		case unicode.IsLetter(c):
			if unicode.IsUpper(c) && alpha && !upper {
				ident = true // camelCase
			}
			upper = unicode.IsUpper(c)
			alpha = true
			i += size
			continue
		case joins(r.text, i, size, pos, end):
			if c == '.' || c == ':' {
				ident = true
			}
			i += size
			continue
		}
		break
	}
	if i < end && r.text[i] == '/' && slashPath(r.text[pos:end], i-pos, ident) {
		return r.path(pos, end)
	}
	if i == pos {
		_, size := utf8.DecodeRuneInString(r.text[pos:])
		return pos + size
	}
	if i < end && r.text[i] == '(' && i+1 < end && r.text[i+1] == ')' {
		ident = true
		i += 2
	}
	r.addWord(pos, i, ident, alpha)
	return i
}

// joins reports whether the mark at i stands inside a word: don't, type-check,
// foo.go, 3,251, std::fs.
func joins(text string, i, size, pos, end int) bool {
	if i == pos || i+size >= end {
		return false
	}
	next := text[i+size]
	switch text[i] {
	case '\'', '-':
		return isWordByte(next)
	case '.':
		return isWordByte(next) && next < 0x80
	case ':':
		return next == ':'
	case ',':
		return text[i-1]-'0' < 10 && i+3 < end && digits(text, i+1, end) == i+4
	}
	return strings.HasPrefix(text[i:], "’") && isWordByte(next)
}

// slashPath reports whether the run that holds a slash at i is a path and not
// "build/vet/test" or "12/14".
func slashPath(rest string, i int, ident bool) bool {
	if ident {
		return true
	}
	rest = rest[:min(len(rest), i+maxSpan)]
	stop := strings.IndexAny(rest[i:], " \t\n,;)")
	if stop < 0 {
		stop = len(rest) - i
	}
	tail := strings.TrimRight(rest[i:i+stop], ".:!?")
	return strings.ContainsAny(tail, "._@") || strings.HasPrefix(rest, "http") || rest[:i] == "origin"
}

// path adds a path or a URL as one opaque token.
func (r *reader) path(pos, end int) int {
	stop := strings.IndexAny(r.text[pos:end], " \t\n,;)|\"`")
	i := end
	if stop >= 0 {
		i = pos + stop
	}
	for i > pos+1 && strings.IndexByte(".:!?*", r.text[i-1]) >= 0 {
		i--
	}
	if c := strings.IndexFunc(r.text[pos:i], func(c rune) bool { return c >= 0x2E80 }); c > 0 {
		i = pos + c
	}
	r.add(code, pos, i, r.text[pos:i])
	return i
}

// addWord classifies text[pos:end] and adds it.
func (r *reader) addWord(pos, end int, ident, alpha bool) {
	raw := r.text[pos:end]
	if !alpha && !ident {
		n, ok := 0, true
		for i := range len(raw) {
			switch d := raw[i] - '0'; {
			case d < 10 && n < 1e8:
				n = n*10 + int(d)
			case raw[i] != ',':
				ok = false
			}
		}
		if ok {
			r.s.toks = append(r.s.toks, token{kind: number, n: n, w: raw, start: pos, end: end})
			return
		}
	}
	if ident && !isNameOfProduct(raw) {
		r.add(code, pos, end, raw)
		return
	}
	w := strings.ToLower(raw)
	if strings.Contains(w, "’") {
		w = strings.ReplaceAll(w, "’", "'")
	}
	r.add(word, pos, end, w)
}

// isNameOfProduct lets names in camel case through as words.
func isNameOfProduct(raw string) bool {
	switch raw {
	case "TypeScript", "ESLint", "GitHub", "GitLab", "PRs", "MRs", "PyTest", "TypeCheck", "MyPy", "JavaScript", "PHPUnit", "RSpec", "OK'd", "E2E", "PostgreSQL":
		return true
	}
	return false
}

// mark adds a punctuation mark and ends the clause or the sentence where the
// mark says so.
func (r *reader) mark(c rune, pos, size, end int) int {
	next := pos + size
	switch c {
	case '\'':
		if stop := r.single(pos, end); stop > 0 {
			return stop
		}
	case '✅', '✓', '✔', '☑', '🟢':
		r.add(tick, pos, next, "")
	case '❌', '✗', '✘', '✖', '🔴':
		r.add(cross, pos, next, "")
	case '.', '!', '?':
		if next < end && !endsHere(r.text, next, end) {
			return next
		}
		r.flush(c == '?')
	case '。', '！', '？', ';', '；', '…':
		r.flush(c == '？')
	case ',', '，', '、', '—', '–', '(', ')', '（', '）', '|', '·', '•':
		r.comma(c, next, end)
	case '-':
		if pos > 0 && r.text[pos-1] == ' ' && next < end && r.text[next] == ' ' {
			r.comma('—', next, end)
		} else if next < end && r.text[next] == '>' {
			r.add(point, pos, next+1, "→")
			return next + 1
		}
	case '→', '⇒', ':', '：', '/', '+', '=':
		w := r.text[pos:next]
		if c == '：' {
			w = ":"
		}
		r.add(point, pos, next, w)
	}
	return next
}

// single adds a quotation in single quotes, 0 when there is none at pos.
func (r *reader) single(pos, end int) int {
	if pos > 0 && isWordByte(r.text[pos-1]) || pos+1 >= end || r.text[pos+1] == ' ' {
		return 0
	}
	limit := min(end, pos+maxSpan)
	for i := pos + 1; i < limit; i++ {
		if r.text[i] == '\'' && (i+1 >= end || !isWordByte(r.text[i+1])) {
			r.add(quoted, pos, i+1, r.text[pos+1:i])
			return i + 1
		}
	}
	return 0
}

// endsHere reports whether a full stop before next ends a sentence.
func endsHere(text string, next, end int) bool {
	c := text[next]
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '*' || c == ')' || c == '"' || c >= 0x80 || c == '_' || c == '|'
}

// comma cuts a clause, except inside a list of counts: "3 failed, 12 passed".
func (r *reader) comma(c rune, next, end int) {
	s := &r.s
	n := skipBlank(r.text, next, end)
	follows := n < end && r.text[n]-'0' < 10 && (c != ',' || tallies(r.text, n, end))
	if len(s.toks) == 0 || (follows && c != '|' && c != '—') {
		return
	}
	if c == ')' || c == '）' {
		if len(s.cuts) == 0 {
			return
		}
	}
	if len(s.cuts) > 0 && s.cuts[len(s.cuts)-1] == len(s.toks) {
		s.hard[len(s.hard)-1] = s.hard[len(s.hard)-1] || c == '|'
		return
	}
	s.cuts = append(s.cuts, len(s.toks))
	s.hard = append(s.hard, c == '|' || c == '·' || c == '•')
}

// tallies reports a count of outcomes at n: "12 passed".
func tallies(text string, n, end int) bool {
	i := skipBlank(text, digits(text, n, end), end)
	j := i
	for j < end && (text[j]|0x20)-'a' < 26 {
		j++
	}
	return outcomes[text[i:j]]
}
