package claim

import (
	"cmp"
	"slices"
	"strings"
)

// finder gathers the claims of one text.
type finder struct {
	out   []Claim
	first int // the first claim of the sentence in hand
}

// Find returns the claims in a text of prose, in order.
func Find(text string) []Claim {
	var f finder
	read(text, func(s *sentence) {
		f.first = len(f.out)
		f.scanEnglish(s)
		f.scanForeign(s)
		slices.SortStableFunc(f.out[f.first:], func(a, b Claim) int { return cmp.Compare(a.Start, b.Start) })
	})
	return f.out
}

// make begins a claim on clause c.
func (f *finder) make(s *sentence, c clause, sub Subject) Claim {
	start, end := s.toks[c.a].start, s.toks[c.b-1].end
	n := f.counts(s, c)
	return Claim{
		Subject: sub, Start: start, End: end, Lang: "en",
		Quote:  strings.TrimSpace(clip(s.text[start:end], 240)),
		All:    s.all(c) || n.Failed == 0 && n.Passed > 0 || n.Passed > 0 && n.Passed == n.Total,
		Passed: n.Passed, Failed: n.Failed, Total: n.Total,
		Honest: s.honest(c),
	}
}

// push keeps a claim, one per clause, subject and name; what asserts less wins
// over what asserts more, except that a pass told after "failing" stays a pass.
func (f *finder) push(cl Claim) {
	for i := range f.out[f.first:] {
		old := &f.out[f.first+i]
		if old.Subject != cl.Subject || old.Start != cl.Start || old.Named != cl.Named && old.Named != "" && cl.Named != "" {
			continue
		}
		if old.Polarity == Positive && cl.Polarity != Positive {
			name := cmp.Or(cl.Named, old.Named)
			*old = cl
			old.Named = name
		}
		return
	}
	f.out = append(f.out, cl)
}

// covers reports whether the clause already has a claim on one of the subjects.
func (f *finder) covers(s *sentence, c clause, subs ...Subject) bool {
	start := s.toks[c.a].start
	for i := range f.out[f.first:] {
		if cl := &f.out[f.first+i]; cl.Start == start && slices.Contains(subs, cl.Subject) {
			return true
		}
	}
	for i := c.a; i < c.b; i++ {
		if hasTrigger(s.wordAt(i), tPass, tGreen) && (s.own(c.a-1, i) || s.totality(c, i) >= 0) && slices.Contains(subs, Tests) {
			return true
		}
	}
	return false
}

// all reports words of totality in the clause.
func (s *sentence) all(c clause) bool {
	for i := c.a; i < c.b; i++ {
		tok := &s.toks[i]
		if tok.kind == cjk && containsAny(tok.w, []string{"全部", "所有", "全て", "すべて", "全ての", "모든", "모두"}) {
			return true
		}
		if tok.kind == word && allWords[tok.w] {
			return true
		}
	}
	return false
}

var allWords = set("all everything entire full whole every alle sämtliche todos todas tous toutes все")

// tally are the counts that a clause names, -1 when it names none.
type tally struct{ Passed, Failed, Total int }

// counts reads "3251 passed, 0 failed", "12/12", "80 of 120", "all 98 tests".
func (f *finder) counts(s *sentence, c clause) tally {
	n := tally{-1, -1, -1}
	for i := c.a; i < c.b; i++ {
		if s.toks[i].kind != number {
			if s.is(i, "no", "zero") && s.is(i+1, "failures", "failure", "failed") {
				n.Failed = 0
			}
			continue
		}
		s.count(i, c, &n)
	}
	return n
}

// count reads the number at i.
func (s *sentence) count(i int, c clause, n *tally) {
	v, next := s.toks[i].n, i+1
	switch {
	case n.Total < 0 && i+2 < c.b && s.toks[i+2].kind == number && (s.isPoint(next, "/") || s.is(next, "of")),
		n.Total < 0 && i+3 < c.b && s.toks[i+3].kind == number && s.is(next, "out") && s.is(i+2, "of"):
		k := i + 2
		if s.is(next, "out") {
			k = i + 3
		}
		if total := s.toks[k].n; total >= v && s.countable(k, i, c) {
			n.Passed, n.Total = v, total
		}
	case i > c.a && (s.isPoint(i-1, "/") || s.is(i-1, "of")) && n.Total == v:
	case s.is(next, "passed", "passing", "pass", "passes", "green", "successful", "ok"), s.is(next, "tests", "test", "specs", "checks") && s.is(next+1, "passed", "pass", "passing"):
		n.Passed = max(n.Passed, v)
	case s.is(next, "failed", "failures", "failing", "failure", "fail"), s.is(next, "tests", "test") && s.is(next+1, "failed", "fail", "failing"):
		n.Failed = max(n.Failed, v)
	case s.is(next, "tests", "test", "specs") && !s.is(next+1, "files", "file", "suites", "cases"), s.is(i-1, "all") && s.is(next, "unit", "integration", "crypto", "rust", "e2e"):
		n.Total = max(n.Total, v)
		if n.Passed < 0 && s.is(i-1, "all") && s.passAhead(i, c) {
			n.Passed = v
		}
	}
}

// passAhead reports a form of "pass" behind i in the clause.
func (s *sentence) passAhead(i int, c clause) bool {
	for k := i; k < c.b; k++ {
		if s.is(k, "pass", "passes", "passed", "passing", "green") {
			return true
		}
	}
	return false
}

// countable reports that a fraction counts checks and not dates or ratios.
func (s *sentence) countable(k, i int, c clause) bool {
	for j := max(c.a, i-3); j < c.b && j <= k+4; j++ {
		if s.is(j, "tests", "test", "pass", "passed", "passes", "passing", "green", "specs", "suites", "suite", "checks", "succeeded", "scenarios") {
			return true
		}
	}
	return false
}

// settleCounts makes claims partial whose counts say so.
func (f *finder) settleCounts() {
	for i := range f.out[f.first:] {
		cl := &f.out[f.first+i]
		if cl.Polarity != Positive {
			continue
		}
		switch {
		case cl.Passed == 0 && (cl.Subject == Tests || cl.Subject == Verified):
			cl.Polarity, cl.Honest = Negative, true
		case cl.Failed > 0, cl.Total > 0 && cl.Passed >= 0 && cl.Passed < cl.Total:
			cl.Polarity, cl.Honest = Partial, true
		case cl.Subject == Tests && !cl.All && fewTests(cl.Quote):
			cl.Polarity = Partial
		}
	}
}

// fewTests reports a clause that speaks of some of the tests and says so:
// "one test is passing", "tests 1-9 passed", "test 3 passes".
func fewTests(quote string) bool {
	words := strings.FieldsFunc(strings.ToLower(quote), func(r rune) bool {
		return r == ' ' || r == ':' || r == ',' || r == '(' || r == ')' || r == '*' || r == '`' || r == '#'
	})
	for i, w := range words {
		if !strings.HasPrefix(w, "test") && w != "spec" && w != "specs" {
			continue
		}
		if i > 0 && slices.Contains(someWords, words[i-1]) {
			return true
		}
		if i+1 < len(words) && w != "testing" && strings.Trim(words[i+1], "0123456789-–") == "" {
			return true
		}
	}
	return false
}

var someWords = []string{"one", "two", "three", "four", "five", "some", "several", "most", "half", "few", "first", "1"}

// commandSubject classifies a command or a test's name in backticks.
func commandSubject(cmd string) Subject {
	l := strings.ToLower(cmd)
	if len(l) > 160 {
		return None
	}
	switch {
	case containsAny(l, []string{"typecheck", "type-check", "tsc", "mypy", "pyright"}):
		return TypeCheck
	case containsAny(l, []string{"lint", "ruff", "clippy", "go vet", "gofmt", "gofumpt", "prettier", "biome", "staticcheck", "cargo fmt"}):
		return Lint
	case strings.HasPrefix(cmd, "Test") || strings.HasPrefix(l, "test_") || containsAny(l, []string{"pytest", "vitest", "jest", " test", "playwright", ".test.", ".spec.", "_test.", "make test", "rspec", "phpunit", "e2e"}):
		return Tests
	case strings.Contains(l, "build") && (strings.Contains(l, " ") || strings.Contains(l, ":")), l == "make", strings.HasPrefix(l, "cargo check"):
		return Build
	case strings.HasPrefix(l, "terraform "), strings.HasPrefix(l, "kubectl apply"):
		return Infra
	case strings.HasPrefix(l, "git push"):
		return Push
	case isCommand(l) && containsAny(l, []string{"verify", "check", "ci", "validate"}):
		return Verified
	}
	return None
}

// isCommand reports a command line rather than a name: its first word is a
// program.
func isCommand(s string) bool {
	first, _, more := strings.Cut(strings.TrimPrefix(s, "$ "), " ")
	if commands[first] {
		return more || first == "pytest" || first == "make" || first == "tsc" || first == "ruff" || first == "mypy" || first == "vitest" || first == "jest"
	}
	return more && (strings.HasPrefix(first, "./") || strings.HasSuffix(first, ".sh"))
}

// commandIs reports a command line that begins with one of the programs.
func commandIs(s string, programs ...string) bool {
	first, _, _ := strings.Cut(s, " ")
	return slices.Contains(programs, first)
}

var commands = set("npm npx pnpm yarn bun bunx node deno go cargo make pytest python python3 pip uv poetry tox mvn ./mvnw gradle ./gradlew dotnet rake bundle rspec phpunit composer terraform " +
	"kubectl helm docker git gh tsc eslint ruff mypy vitest jest playwright bash sh bazel cmake ctest swift xcodebuild flutter mix just task turbo nx psql alembic django-admin curl golangci-lint pre-commit")
