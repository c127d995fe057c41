package claim

import (
	"cmp"
	"strings"
)

// scanEnglish finds the claims of a sentence that the English words make.
func (f *finder) scanEnglish(s *sentence) {
	for i := range s.toks {
		switch s.toks[i].kind {
		case tick:
			f.ticked(s, i)
		case cross:
			f.crossed(s, i)
		case word:
			for _, t := range triggers[s.toks[i].w] {
				f.trigger(s, i, t)
			}
			f.cleanTree(s, i)
		case number:
			f.bareCount(s, i)
		}
	}
	if s.ticked && len(f.out) == f.first {
		f.doneItem(s)
	}
	f.settleCounts()
}

// doneItem reads a ticked item that is worded as an order: "- [x] run e2e".
func (f *finder) doneItem(s *sentence) {
	sub, ok := itemVerbs[s.wordAt(0)]
	if !ok || len(s.toks) < 2 {
		return
	}
	c := s.clauseAt(0)
	cl := f.make(s, c, sub)
	switch sub {
	case Ran:
		cl.Named = cmp.Or(s.codeAfter(c, 0, 4), s.runName(c, 0))
		if cl.Named == "" && !s.objectIn(c, 0, runWords) {
			return
		}
	case PullRequest:
		if !s.prObject(c, 0) {
			return
		}
	}
	cl.Polarity = s.judge(c, 0, 0)
	f.push(cl)
}

// trigger looks at one word that may assert something.
func (f *finder) trigger(s *sentence, i int, t trigger) {
	c := s.clauseAt(i)
	switch t {
	case tPass, tSucceed, tGreen, tClean, tCompile, tDone, tFail:
		if s.asserts(c, i, t) {
			f.state(s, c, i, t)
		}
	case tAct:
		f.act(s, c, i)
	case tVerify:
		f.verify(s, c, i)
	case tConsent:
		f.consent(s, c, i)
	case tWork:
		f.works(s, c, i)
	case tRunning:
		f.running(s, c, i)
	}
}

// asserts reports whether the state word at i is a predicate at all: not "pass
// the flag", "a final pass", "dim green", "failing tests", "the build".
func (s *sentence) asserts(c clause, i int, t trigger) bool {
	next := i + 1
	ends := next >= c.b || s.toks[next].kind != word
	switch t {
	case tPass:
		return s.passes(c, i)
	case tSucceed:
		return s.toks[i].w != "successfully" && s.toks[i].w != "success" && (s.toks[i].w != "successful" || s.copula(c, i))
	case tGreen, tClean:
		if s.is(i, "cleanly") || s.is(i+1, "up", "code", "text", "slate", "state", "room", "install", "build", "checkout", "way", "version", "and") && !s.is(i+1, "and") {
			return false
		}
		if s.treeBefore(c, i) {
			return false
		}
		return s.copula(c, i) || ends || s.is(next, "and", "now", "on", "in", "across", "again", "with", "locally", "after", "for")
	case tCompile:
		return s.compiles(c, i, ends)
	case tDone:
		return s.is(i-1, "is", "are", "has", "have", "now", "successfully", "was", "were") || ends || s.is(next, "successfully", "cleanly", "without", "and", "with", "now")
	case tFail:
		_, noun := subjectNouns[s.wordAt(next)]
		return !(noun && next < c.b) && !s.is(i, "failure", "failures", "timeout") && !s.is(next, "to", "over")
	}
	return false
}

func (s *sentence) wordAt(i int) string {
	if i < 0 || i >= len(s.toks) || s.toks[i].kind != word {
		return ""
	}
	return s.toks[i].w
}

// copula reports a form of "be" or an adverb of state just before i.
func (s *sentence) copula(c clause, i int) bool {
	for k := i - 1; k >= c.a && k >= i-3; k-- {
		if s.is(k, "is", "are", "all", "stays", "stay", "back", "remains", "remain", "went", "fully", "come", "came", "comes", "runs", "ran", "everything's", "it's", "they're", "was", "were", "been") {
			return true
		}
	}
	return false
}

// passes judges the forms of "pass".
func (s *sentence) passes(c clause, i int) bool {
	next := i + 1
	if next < len(s.toks) && next < c.b {
		switch n := &s.toks[next]; {
		case n.kind == code && !s.is(i, "passed") || n.kind == quoted:
			return false
		case s.is(next, "rate", "rates", "criteria", "count", "counts", "ratio", "fail", "condition", "phrase", "threshold", "around", "or"):
			return false
		case s.in(next, passObject):
			return s.objectNoun(c, next)
		}
	}
	if s.is(i, "passed") && next < len(s.toks) && next < c.b && s.toks[next].kind == code && s.subjectless(c, i) {
		return false
	}
	if s.is(i, "passing") && s.is(next, "is", "was", "would", "will") {
		return false
	}
	if s.is(i, "passing") && next < c.b {
		if _, noun := subjectNouns[s.wordAt(next)]; noun {
			return false
		}
	}
	if s.is(i, "pass") && (s.in(i-1, nounDet) || s.is(i-1, "build", "lint", "typecheck", "check") && !s.is(i-2, "and") && !s.isPoint(i-2, "/")) {
		return false
	}
	return true
}

// objectNoun reports a check within a few tokens: "passed all the tests".
func (s *sentence) objectNoun(c clause, i int) bool {
	for k := i; k < c.b && k < i+4; k++ {
		if sub, ok := subjectNouns[s.wordAt(k)]; ok && sub <= TypeCheck {
			return true
		}
	}
	return s.is(i, "on", "in") || s.is(i, "both") && i+1 >= c.b
}

func (s *sentence) subjectless(c clause, i int) bool {
	_, ok := s.subject(c, i)
	return !ok
}

// treeBefore reports that what is clean is the working tree.
func (s *sentence) treeBefore(c clause, i int) bool {
	for k := i - 1; k >= c.a && k >= i-4; k-- {
		if s.is(k, "worktree", "tree", "directory", "branch", "repo", "checkout", "worktrees", "state", "workspace", "rebase") {
			return true
		}
	}
	return false
}

// cleanTree emits "the working tree is clean", "`git diff` is empty", "no
// uncommitted changes".
func (f *finder) cleanTree(s *sentence, i int) {
	var subject int
	switch s.toks[i].w {
	case "clean":
		subject = s.workTree(i)
	case "empty":
		subject = s.gitShows(i)
	case "uncommitted":
		if !s.is(i-1, "no") || !s.is(i+1, "changes", "files", "work") {
			return
		}
		subject = i - 1
	default:
		return
	}
	c := s.clauseAt(i)
	if subject < c.a {
		return
	}
	cl := f.make(s, c, CleanTree)
	predicate := i
	if s.is(i, "uncommitted") {
		predicate = subject // the "no" is part of what is said
	}
	cl.Polarity = s.judge(c, subject, predicate)
	for k := c.a; k < subject && cl.Polarity == Positive; k++ {
		if s.is(k, "shows", "showed", "says", "said", "reports", "reported") {
			cl.Polarity = Historical // somebody else's word
		}
	}
	f.push(cl)
}

// workTree is the place of the work tree, or of the command that shows it, of
// which the word at i is told; -1 for none.
func (s *sentence) workTree(i int) int {
	k := s.told(i)
	if s.is(k, "worktree", "workspace") || s.is(k, "tree", "directory", "copy") && s.is(k-1, "working", "work") {
		return k
	}
	return s.gitShows(i)
}

// gitShows is the place of a command that shows what is not committed.
func (s *sentence) gitShows(i int) int {
	k := s.told(i)
	if k >= 0 && s.toks[k].kind == code && (strings.HasPrefix(s.toks[k].w, "git status") || strings.HasPrefix(s.toks[k].w, "git diff")) {
		return k
	}
	return -1
}

// told is the place of what the word at i is said of: the token before it, with
// "is" and adverbs between.
func (s *sentence) told(i int) int {
	k := i - 1
	for k >= 0 && (s.is(k, "is", "was", "remains", "stays", "left", "again", "not", "still", "completely") || s.in(k, fillers)) {
		k--
	}
	return k
}

// compiles judges "compiles", "builds", "built".
func (s *sentence) compiles(c clause, i int, ends bool) bool {
	ok := ends || s.is(i+1, "cleanly", "successfully", "fine", "now", "ok", "again", "without", "clean", "and", "with", "correctly", "on", "for", "green")
	switch s.toks[i].w {
	case "build":
		return false
	case "built":
		return ok && s.is(i+1, "successfully", "cleanly", "fine", "ok") && i > c.a
	case "compile":
		return ok && s.is(i+1, "cleanly", "successfully", "and", "fine") && i > c.a && !s.is(i-1, "to")
	case "compiled":
		return ok && (s.is(i+1, "cleanly", "successfully", "fine") || s.is(i-1, "has"))
	case "builds":
		if !s.in(i-1, buildable) && !s.is(i+1, "cleanly", "successfully", "fine", "clean", "correctly", "ok") {
			return false
		}
		return ok && !s.is(i-1, "the", "all", "of", "release", "for", "and", "ci", "production", "incremental", "nightly", "in") && i > c.a
	}
	return ok && i > c.a
}

// subject finds what the predicate at i speaks of, looking back in its clause;
// a table row looks into its first cell, a pronoun into the clause before.
func (s *sentence) subject(c clause, i int) (int, bool) {
	low := s.previousPredicate(c, i)
	for k := i - 1; k >= low; k-- {
		if s.names(k) {
			return k, true
		}
	}
	for k := i + 1; k < c.b && k <= i+5; k++ {
		if s.is(i, "passed", "passes", "pass") && s.names(k) && s.in(i+1, passObject) {
			return k, true
		}
		if s.is(k, "in", "with", "and", "so", "because") {
			break
		}
	}
	if s.table || s.isPronoun(c, i) {
		for k := c.a - 1; k >= 0; k-- {
			if s.names(k) && (s.table || k >= c.a-14) {
				return k, true
			}
		}
	}
	return 0, false
}

// previousPredicate is where the predicate before i in the clause ends, so that
// "tests pass and lint is clean" gives each its own subject.
func (s *sentence) previousPredicate(c clause, i int) int {
	low := max(c.a, i-14)
	for k := i - 1; k >= low; k-- {
		if s.is(k, "and", "but", "so", "while", "because") {
			for j := k - 1; j >= low; j-- {
				if len(triggers[s.wordAt(j)]) > 0 && s.wordAt(j) != "build" && s.wordAt(j) != "builds" && s.own(k, i) {
					return k + 1
				}
			}
		}
	}
	return low
}

// own reports a subject between tokens k and i.
func (s *sentence) own(k, i int) bool {
	for j := k + 1; j < i; j++ {
		if s.names(j) {
			return true
		}
	}
	return false
}

// names reports whether token k can be the subject of a state.
func (s *sentence) names(k int) bool {
	if k < 0 || k >= len(s.toks) {
		return false
	}
	switch tok := &s.toks[k]; tok.kind {
	case word:
		_, ok := subjectNouns[tok.w]
		return ok || tok.w == "unit" || tok.w == "integration" || tok.w == "type" && s.is(k+1, "check", "checks", "checking")
	case code:
		return commandSubject(tok.w) != None
	}
	return false
}

// isPronoun reports "it passed", "they all pass": the subject stands before.
func (s *sentence) isPronoun(c clause, i int) bool {
	for k := i - 1; k >= c.a && k >= i-3; k-- {
		if s.is(k, "it", "they", "both", "which", "these", "those") {
			return true
		}
	}
	return i == c.a || i == c.a+1 && s.is(c.a, "and", "all", "now")
}

// state emits the claims of a state predicate, one for each coordinated subject.
func (f *finder) state(s *sentence, c clause, i int, t trigger) {
	k, ok := s.subject(c, i)
	if !ok {
		f.generic(s, c, i, t)
		return
	}
	subj := s.subjectAt(k)
	if !fits(subj, t, s.wordAt(i)) {
		return
	}
	f.emitState(s, c, k, i, t, subj)
	for j := k - 1; j >= c.a && j >= k-6; j-- {
		if !s.names(j) || s.subjectAt(j) == subj || !s.coordinated(j, k) {
			continue
		}
		if other := s.subjectAt(j); fits(other, t, s.wordAt(i)) {
			f.emitState(s, c, j, i, t, other)
		}
	}
}

// coordinated reports that only joints and describing words stand between.
func (s *sentence) coordinated(j, k int) bool {
	joint := false
	for i := j + 1; i < k; i++ {
		if s.is(i, "and", "&", "or") || s.isPoint(i, "/") || s.isPoint(i, "+") {
			joint = true
		} else if s.toks[i].kind == word && len(triggers[s.toks[i].w]) > 0 {
			return false
		}
	}
	return joint
}

// subjectAt gives the subject that token k names.
func (s *sentence) subjectAt(k int) Subject {
	tok := &s.toks[k]
	if tok.kind == code {
		return commandSubject(tok.w)
	}
	switch {
	case tok.w == "unit" || tok.w == "integration":
		return Tests
	case tok.w == "type", (tok.w == "check" || tok.w == "checks" || tok.w == "checking") && s.is(k-1, "type"):
		return TypeCheck
	case (tok.w == "check" || tok.w == "checks") && s.is(k-1, "lint", "linter"):
		return Lint
	case (tok.w == "check" || tok.w == "checks") && s.is(k-1, "test", "build"):
		return subjectNouns[s.toks[k-1].w]
	}
	return subjectNouns[tok.w]
}

// fits reports whether a predicate makes sense for a subject.
func fits(sub Subject, t trigger, w string) bool {
	check := sub == Tests || sub == Build || sub == Lint || sub == TypeCheck || sub == Verified
	switch t {
	case tPass, tGreen:
		return check
	case tClean:
		return sub == Build || sub == Lint || sub == TypeCheck || sub == Tests
	case tCompile:
		return false
	case tDone:
		if w == "live" || w == "ready" || w == "done" {
			return sub == Deploy && w == "live"
		}
		return sub == Deploy || sub == Infra || sub == Migration || sub == Publish || sub == Install || sub == Build
	case tFail:
		return sub != None && sub != Server && sub != PullRequest
	case tSucceed:
		return sub != None && sub != Server
	}
	return false
}

// generic handles predicates without a noun: "all green", "everything passes",
// "the project compiles cleanly", "`make verify` passed".
func (f *finder) generic(s *sentence, c clause, i int, t trigger) {
	switch {
	case t == tCompile:
		f.emitState(s, c, i, i, t, compileSubject(s.wordAt(i)))
	case t == tFail:
		return
	case t == tPass && i > c.a && s.toks[i-1].kind == code && strings.ContainsAny(s.toks[i-1].w, " -/") && (i+1 >= c.b || s.toks[i+1].kind != code) && !s.is(i, "pass", "passing"):
		f.emitState(s, c, i-1, i, t, Verified)
	case t == tPass || t == tGreen || t == tSucceed && s.is(i, "succeeded", "succeeds"):
		if k := s.totality(c, i); k >= 0 {
			sub := Verified
			if f.counts(s, c).Passed >= 0 || f.counts(s, c).Total >= 0 {
				sub = Tests
			}
			f.emitState(s, c, k, i, t, sub)
		} else if t == tPass && s.is(i, "passed", "pass", "passing") && s.countBefore(i) {
			f.emitState(s, c, i, i, t, Tests)
		}
	}
}

func compileSubject(w string) Subject {
	if w == "typechecks" || w == "type-checks" {
		return TypeCheck
	}
	return Build
}

// countBefore reports "12 passed", "12/12 pass".
func (s *sentence) countBefore(i int) bool {
	return i > 0 && s.toks[i-1].kind == number
}

// totality finds "all", "everything" shortly before i.
func (s *sentence) totality(c clause, i int) int {
	for k := i - 1; k >= c.a && k >= i-4; k-- {
		if s.is(k, "all", "everything", "everything's") {
			if s.is(k+1, "of", "the") || k+1 < i && s.toks[k+1].kind == word && !s.in(k+1, fillers) && !s.is(k+1, "is", "are", "three", "four", "five", "six") {
				return -1
			}
			return k
		}
	}
	return -1
}

// emitState emits one state claim.
func (f *finder) emitState(s *sentence, c clause, subj, i int, t trigger, sub Subject) {
	if t == tFail && (s.isZero(i-1) || s.is(i-1, "no", "zero")) {
		return
	}
	cl := f.make(s, c, sub)
	cl.Named = s.name(c, subj, i)
	cl.Polarity = s.judge(c, min(subj, i), i)
	switch {
	case t == tFail:
		cl.Polarity = failed(cl.Polarity, s.is(i-1, "not", "didn't", "never"))
		cl.Honest = cl.Honest || cl.Polarity == Negative
	case t == tDone && sub == Build && cl.Polarity == Positive && s.is(i, "finished", "finishes"):
		cl.Polarity = Hedged
	}
	if cl.Polarity == Positive && (s.is(subj-1, "no") || s.isZero(subj-1)) {
		cl.Polarity = Negative
	}
	f.push(cl)
}

// failed turns the polarity of a failure predicate round: asserted, it is honest.
func failed(p Polarity, denied bool) Polarity {
	switch {
	case denied && p == Negative:
		return Positive
	case p == Positive, p == Partial:
		return Negative
	}
	return p
}

// name gives the specific thing that a subject names: code in the clause, or the
// word before the noun.
func (s *sentence) name(c clause, k, i int) string {
	if k < len(s.toks) && s.toks[k].kind == code {
		return s.toks[k].w
	}
	for j := k + 1; j < i; j++ {
		if s.toks[j].kind == code || s.toks[j].kind == quoted {
			return s.toks[j].w
		}
	}
	if s.is(k, "unit", "integration", "e2e", "pytest", "vitest", "jest", "ci", "playwright", "cypress", "clippy", "eslint", "ruff", "golangci-lint", "biome", "tsc", "mypy", "pyright", "vet", "gofmt", "prettier", "terraform", "smoke") {
		if j := k - 1; s.is(k, "unit", "integration", "e2e") || j < c.a {
			return s.toks[k].w
		}
	}
	for j := k - 1; j >= c.a && j >= k-2; j-- {
		tok := &s.toks[j]
		switch {
		case tok.kind == code || tok.kind == quoted:
			return tok.w
		case tok.kind == word && (subjectNouns[tok.w] == Tests || subjectNouns[tok.w] == Verified || tok.w == "type" || tok.w == "lint") && tok.w != "e2e" && tok.w != "smoke" && tok.w != "ci":
			continue
		case tok.kind == word && !plainBefore[tok.w] && scopeWords[tok.w] == noScope && !(len(triggers[tok.w]) > 0):
			return tok.w
		}
		break
	}
	return ""
}

// ticked handles "Tests: ✅" and "✅ lint": a mark beside a subject.
func (f *finder) ticked(s *sentence, i int) {
	c := s.clauseAt(i)
	for k := c.a; k < c.b; k++ {
		if len(triggers[s.wordAt(k)]) > 0 && !s.is(k, "build", "builds") {
			return
		}
	}
	for k := i - 1; k >= 0 && k >= i-3 && (k >= c.a || s.table); k-- {
		if s.names(k) && (i == k+1 || s.isPoint(k+1, ":") || s.table) && i+1 >= c.b {
			f.emitState(s, c, k, i, tPass, s.subjectAt(k))
			return
		}
	}
	last := c.b - 1
	if i == c.a && last > i && last <= i+3 && s.names(last) && s.toks[last].kind == word && !s.is(i+1, "add", "added", "new", "fix", "write", "create") {
		f.emitState(s, c, last, last, tPass, s.subjectAt(last))
	}
}

// crossed handles "Tests: ❌".
func (f *finder) crossed(s *sentence, i int) {
	c := s.clauseAt(i)
	if i+1 < c.b {
		return
	}
	for k := i - 1; k >= 0 && k >= i-3 && (k >= c.a || s.table); k-- {
		if s.names(k) {
			f.emitState(s, c, k, i, tFail, s.subjectAt(k))
			return
		}
	}
}

// bareCount handles "0 failed" beside no other trigger, "Tests: 12/12".
func (f *finder) bareCount(s *sentence, i int) {
	if s.isPoint(i+1, "/") && i+2 < len(s.toks) && s.toks[i+2].kind == number && s.names(i-2) && s.isPoint(i-1, ":") {
		c := s.clauseAt(i)
		if n := f.counts(s, c); n.Passed >= 0 && s.subjectAt(i-2) == Tests && i+3 >= c.b {
			f.emitState(s, c, i-2, i, tPass, Tests)
		}
	}
}
