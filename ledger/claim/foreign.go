package claim

import "strings"

// gates are the words that open the work on a worded language: its predicates,
// perfectives and failures.
var gates = gateWords()

// gateWords maps each predicate to a bit set of the languages that have it.
func gateWords() map[string]uint8 {
	m := map[string]uint8{}
	for n, l := range worded {
		for _, list := range [][]string{l.positive, l.failure, l.agrees} {
			for _, w := range list {
				m[w] |= 1 << n
			}
		}
		for _, a := range l.actions {
			m[strings.TrimSuffix(a.stem, "*")] |= 1 << n
		}
	}
	return m
}

// scanForeign finds the claims of a sentence in other languages than English.
func (f *finder) scanForeign(s *sentence) {
	for a := 0; a < len(s.toks); {
		c := s.clauseAt(a)
		if lang := s.script(c); lang != nil {
			f.script(s, c, lang)
		} else {
			f.worded(s, c)
		}
		a = c.b
	}
}

// script tells the CJK language of a clause, nil when it has none.
func (s *sentence) script(c clause) *stems {
	var lang *stems
	for i := c.a; i < c.b; i++ {
		if s.toks[i].kind != cjk {
			continue
		}
		for _, r := range s.toks[i].w {
			switch {
			case r >= 0xAC00:
				return &ko
			case r < 0x3100:
				return &ja
			}
		}
		lang = &zh
	}
	if lang != nil && strings.ContainsFunc(s.span(0, len(s.toks)), func(r rune) bool { return r >= 0x3041 && r < 0x3100 }) {
		return &ja
	}
	return lang
}

// span gives the spoken words of tokens [a, b), opaque ones left out.
func (s *sentence) span(a, b int) string {
	var sb strings.Builder
	for i := a; i < b; i++ {
		tok := &s.toks[i]
		if tok.kind == code || tok.kind == quoted {
			sb.WriteByte(' ')
			continue
		}
		if i > a && tok.start > s.toks[i-1].end {
			sb.WriteByte(' ')
		}
		sb.WriteString(s.text[tok.start:tok.end])
	}
	return sb.String()
}

// script judges a clause of a language without word boundaries.
func (f *finder) script(s *sentence, c clause, l *stems) {
	text := s.span(c.a, c.b)
	if l == &zh && s.named(c, Tests) && strings.Contains(text, "通过") && !containsAny(text, []string{"通过率"}) {
		text = strings.ReplaceAll(text, " ", "")
	}
	bare := l.bare(text)
	pos, fail := containsAny(text, l.positive), containsAny(bare, l.failure)
	if containsAny(text, l.consent) && containsAny(text, l.agrees) && !strings.Contains(text, "收到") {
		f.pushForeign(s, c, l, text, Consent, true)
	}
	for _, a := range l.actions {
		if strings.Contains(text, a.stem) && !(a.sub == Commit && strings.Contains(text, "的")) {
			f.pushForeign(s, c, l, text, a.sub, true)
			return
		}
	}
	if !pos && !fail {
		return
	}
	for _, where := range [...]string{text, s.span(0, c.a)} {
		for _, sub := range l.subjects {
			if strings.Contains(where, sub.stem) {
				f.pushForeign(s, c, l, text, sub.sub, pos)
				return
			}
		}
	}
	for _, en := range [...]Subject{Tests, Build, Lint, TypeCheck} {
		if s.named(c, en) {
			f.pushForeign(s, c, l, text, en, pos)
			return
		}
	}
	if l == &zh && containsAny(text, []string{"全部通过", "一切正常"}) {
		f.pushForeign(s, c, l, text, Verified, true)
	}
}

// bare drops the negators that are good news from a clause.
func (l *stems) bare(text string) string {
	for _, b := range l.benign {
		text = strings.ReplaceAll(text, b, " ")
	}
	return text
}

// named reports an English word or a command for the subject in the clause.
func (s *sentence) named(c clause, sub Subject) bool {
	for i := c.a; i < c.b; i++ {
		if s.names(i) && s.subjectAt(i) == sub {
			return true
		}
	}
	return false
}

// pushForeign emits a claim that the stems of l made.
func (f *finder) pushForeign(s *sentence, c clause, l *stems, text string, sub Subject, pos bool) {
	cl := f.make(s, c, sub)
	cl.Lang = l.lang
	cl.Named = s.foreignName(c, text)
	cl.Polarity = s.foreignPolarity(c, l, text, pos)
	cl.Honest = cl.Honest || cl.Polarity == Negative
	if cl.Passed < 0 {
		s.foreignCounts(c, &cl)
	}
	if cl.Polarity == Positive && (cl.Failed > 0 || cl.Total > 0 && cl.Passed >= 0 && cl.Passed < cl.Total) {
		cl.Polarity, cl.Honest = Partial, true
	}
	f.push(cl)
}

// foreignCounts reads the first count of a clause: "98 个测试全部通过", "12/12".
func (s *sentence) foreignCounts(c clause, cl *Claim) {
	for i := c.a; i < c.b; i++ {
		if s.toks[i].kind != number {
			continue
		}
		cl.Total = s.toks[i].n
		if i+2 < c.b && s.isPoint(i+1, "/") && s.toks[i+2].kind == number {
			cl.Passed, cl.Total = s.toks[i].n, s.toks[i+2].n
		} else if cl.All {
			cl.Passed = cl.Total
		}
		return
	}
}

func (s *sentence) foreignName(c clause, text string) string {
	for i := c.a; i < c.b; i++ {
		if s.toks[i].kind == code {
			return s.toks[i].w
		}
	}
	for _, n := range [...][2]string{{"单元测试", "unit"}, {"单测", "unit"}, {"集成测试", "integration"}, {"端到端", "e2e"}, {"ユニットテスト", "unit"}, {"単体テスト", "unit"}, {"결합", "integration"}, {"단위 테스트", "unit"}, {"e2e", "e2e"}, {"E2E", "e2e"}, {"unit-tests", "unit"}} {
		if strings.Contains(text, n[0]) {
			return n[1]
		}
	}
	return ""
}

// foreignPolarity judges a clause by the stems in it, and by the conditions and
// plans of the clauses before it.
func (s *sentence) foreignPolarity(c clause, l *stems, text string, pos bool) Polarity {
	head := s.span(0, c.b)
	bare := l.bare(text)
	switch {
	case s.sec == planned && !s.ticked:
		return Planned
	case s.sec == reported:
		return Historical
	case s.question, strings.HasSuffix(text, "吗"), strings.HasSuffix(text, "か"):
		return Question
	case containsAny(head, l.retells):
		return Historical
	case containsAny(head, l.conds):
		return Conditional
	case containsAny(head, l.plans):
		return Planned
	case containsAny(text, l.hedges):
		return Hedged
	case !pos, containsAny(bare, l.negators), containsAny(bare, l.failure):
		return Negative
	case strings.ContainsAny(text, "→"):
		return Hedged
	}
	return Positive
}

// worded judges a clause of a language that is written in words.
func (f *finder) worded(s *sentence, c clause) {
	var langs uint8
	for i := c.a; i < c.b; i++ {
		if s.toks[i].kind == word {
			langs |= gates[gateOf(s.toks[i].w)]
		}
	}
	for n, l := range worded {
		if langs&(1<<n) != 0 && f.wordedIn(s, c, l) {
			return
		}
	}
}

// gateOf cuts the endings of Russian participles.
func gateOf(w string) string {
	if w[0] < 0xD0 {
		return w
	}
	for cut := w; len(cut) > 8; cut = cut[:len(cut)-2] {
		if gates[cut] != 0 {
			return cut
		}
	}
	return w
}

// wordedIn judges a clause by one language; it reports whether it spoke.
func (f *finder) wordedIn(s *sentence, c clause, l *stems) bool {
	if s.hasWord(c, l.consent) && s.hasWord(c, l.agrees) {
		f.pushWorded(s, c, l, Consent, true)
		return true
	}
	for _, a := range l.actions {
		for i := c.a; i < c.b; i++ {
			if w := s.wordAt(i); w == a.stem || strings.HasSuffix(a.stem, "*") && strings.HasPrefix(w, a.stem[:len(a.stem)-1]) {
				f.pushWorded(s, c, l, a.sub, true)
				return true
			}
		}
	}
	pos := s.hasWord(c, l.positive)
	if !pos && !s.hasWord(c, l.failure) {
		return false
	}
	for _, sub := range l.subjects {
		if s.hasWord(c, []string{sub.stem}) {
			f.pushWorded(s, c, l, sub.sub, pos)
			return true
		}
	}
	return false
}

func (s *sentence) hasWord(c clause, list []string) bool {
	for i := c.a; i < c.b; i++ {
		w := s.wordAt(i)
		if w == "" {
			continue
		}
		for _, x := range list {
			if w == x {
				return true
			}
		}
	}
	return false
}

// pushWorded emits a claim of a worded language.
func (f *finder) pushWorded(s *sentence, c clause, l *stems, sub Subject, pos bool) {
	cl := f.make(s, c, sub)
	cl.Lang = l.lang
	cl.Named = s.foreignName(c, "")
	cl.Polarity = s.wordedPolarity(c, l, pos)
	cl.Honest = cl.Honest || cl.Polarity == Negative
	f.push(cl)
}

func (s *sentence) wordedPolarity(c clause, l *stems, pos bool) Polarity {
	text := strings.ToLower(s.span(c.a, c.b))
	head := clause{s.scopeStart(c.a), c.b}
	benign := containsAny(text, l.benign)
	switch {
	case s.sec == planned && !s.ticked:
		return Planned
	case s.sec == reported:
		return Historical
	case s.question:
		return Question
	case s.hasWord(head, l.conds), strings.Contains(text, "una vez"), strings.Contains(text, "une fois"), strings.Contains(text, "assim que"):
		return Conditional
	case s.hasWord(head, l.plans):
		return Planned
	case s.hasWord(head, l.retells):
		return Historical
	case s.hasWord(c, l.hedges):
		return Hedged
	case !pos, !benign && (s.hasWord(c, l.negators) || s.hasWord(c, l.failure)):
		return Negative
	}
	return Positive
}
