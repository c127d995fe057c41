package claim

import "strings"

// clause is a part of a sentence, in token indexes [a, b).
type clause struct{ a, b int }

// clauseAt returns the clause that holds token i.
func (s *sentence) clauseAt(i int) clause {
	c := clause{0, len(s.toks)}
	for _, cut := range s.cuts {
		if cut <= i {
			c.a = max(c.a, cut)
		} else {
			c.b = min(c.b, cut)
		}
	}
	return c
}

// is reports whether token i is one of the words.
func (s *sentence) is(i int, words ...string) bool {
	if i < 0 || i >= len(s.toks) || s.toks[i].kind != word {
		return false
	}
	for _, w := range words {
		if s.toks[i].w == w {
			return true
		}
	}
	return false
}

// in reports whether token i is a word of the set.
func (s *sentence) in(i int, m map[string]bool) bool {
	return i >= 0 && i < len(s.toks) && s.toks[i].kind == word && m[s.toks[i].w]
}

// isPoint reports whether token i is that mark.
func (s *sentence) isPoint(i int, mark string) bool {
	return i >= 0 && i < len(s.toks) && s.toks[i].kind == point && s.toks[i].w == mark
}

// scopeStart is where the reach of words before token i begins: the sentence,
// or its last contrast ("but", "however", "—" keep nothing).
func (s *sentence) scopeStart(i int) int {
	from := 0
	for k, cut := range s.cuts {
		if cut <= i && (s.hard[k] || s.is(cut, "but", "however", "though", "yet", "although", "whereas", "instead", "so")) {
			from = cut
		}
	}
	return from
}

// judge gives the polarity of a claim whose predicate is token t in c, and whose
// subject begins at token subj (t when it has none).
func (s *sentence) judge(c clause, subj, t int) Polarity {
	switch {
	case s.sec == planned && !s.ticked:
		return Planned
	case s.sec == reported:
		return Historical
	case s.question:
		return Question
	case s.retracts():
		return Retracted
	}
	if p := s.before(c, t); p != Positive {
		return p
	}
	if s.relative(subj, t) {
		return Hedged
	}
	return s.after(c, t)
}

// before reads the scope words in front of the predicate.
func (s *sentence) before(c clause, t int) Polarity {
	weak := Positive
	for i := s.scopeStart(t); i < t; i++ {
		tok := &s.toks[i]
		if tok.kind == point && tok.w == "→" {
			weak = Hedged
		}
		if tok.kind != word || i == 0 && s.ticked && (s.in(0, imperatives) || s.is(0, "ensure")) {
			continue // a ticked "verify that ..." was done
		}
		if p := s.scope(i, c, t); p != Positive && (weak == Positive || p == Negative && weak == Hedged || p == Conditional && weak == Negative) {
			weak = p
		}
	}
	return weak
}

// scope gives what the word at i does to a predicate at t in clause c.
func (s *sentence) scope(i int, c clause, t int) Polarity {
	inside := i >= c.a
	opens := i == 0 || i == c.a || s.is(i-1, "and", "then", "now", "please", "also", "to", "or") || s.isPoint(i-1, ":")
	w := s.toks[i].w
	switch scopeWords[w] {
	case negates:
		if inside && !s.harmless(i, t) {
			return Negative
		}
	case hedges:
		if w == "can" && s.is(i+1, "confirm", "see", "report", "verify") {
			return Positive
		}
		if inside && !s.is(i-1, "as") {
			return Hedged
		}
	case plans:
		if (w == "confirm" || w == "verify") && s.is(i-1, "can") || w == "check" && !opens && !s.is(i-1, "to") ||
			w == "checking" && s.is(i-1, "type") || w == "plan" && !opens || w == "try" && s.is(i-1, "first") {
			return Positive
		}
		if (w == "needed" || w == "planned" || w == "required" || w == "pending" || w == "target" || w == "let" || w == "claim") && !inside {
			return Positive
		}
		return Planned
	case conds:
		if w == "while" && !s.is(i+1, "keeping") && !opens || (w == "before" || w == "once") && !inside && i > 0 && !opens {
			return Positive
		}
		return Conditional
	case retells:
		if s.in(i-1, persons) {
			return Positive
		}
		return Historical
	case pasts:
		if (inside || i == 0) && !s.is(i+1, "failing", "broken", "failed", "skipped", "red", "flaky", "by") {
			return Historical
		}
	case causes:
		if s.is(i+1, "sure", "certain") {
			return Planned
		}
		if inside && t-i <= 8 && !(s.is(t-1, "and") && strings.HasSuffix(s.wordAt(t), "ed")) {
			return Hedged
		}
	}
	return s.scopePhrase(i, c, t, opens)
}

// scopePhrase reads scope words that only count in company.
func (s *sentence) scopePhrase(i int, c clause, t int, opens bool) Polarity {
	inside := i >= c.a
	switch w := s.toks[i].w; {
	case w == "to" && s.in(i+1, infinitives) && s.is(t-1, "and") && strings.HasSuffix(s.wordAt(t), "ed"):
		return Positive // "updated it to be explicit and pushed"
	case w == "to" && s.in(i+1, infinitives):
		return Planned
	case w == "going" && s.is(i+1, "to"), w == "so" && s.is(i+1, "that"), w == "in" && s.is(i+1, "order"):
		return Planned
	case w == "next" && (opens || s.is(i+1, "step", "steps")) && !s.is(i+1, "js"):
		return Planned
	case w == "option" && opens && !s.is(i+1, "is"):
		return Planned
	case opens && i < t && !s.is(i-1, "to") && s.orders(i, t):
		return Planned
	case w == "far" && s.is(i-1, "so") && inside:
		return Hedged
	case w == "think" || w == "believe" || w == "how" || w == "why":
		return Hedged
	case w == "looks" && s.is(i+1, "like"):
		return Hedged
	case w == "soon" && s.is(i-1, "as"):
		return Conditional
	case w == "after" && i < t && t-i <= 8 && inside && s.is(t, "pass", "passes", "succeeds", "succeed", "compiles", "builds", "works", "green"):
		return Conditional
	case (w == "was" || w == "were") && inside && s.is(t, "passing", "green", "clean", "working", "running"):
		return Historical
	case w == "had" && inside, w == "previous" && (inside || s.is(0, "on", "in", "during", "with")) && !s.is(i+1, "failure", "failures"), w == "last" && inside && s.is(i+1, "session", "time", "week"):
		return Historical
	case w == "so" && inside && t-i <= 8 && !s.is(i+1, "far") && (i > c.a || !s.is(t-1, "now") && !s.is(t+1, "now")), w == "such" && s.is(i+1, "that"):
		return Hedged
	}
	return Positive
}

// orders reports an imperative at i. Words that are nouns as well need an object:
// "Build the app", not "Build is green".
func (s *sentence) orders(i, t int) bool {
	if !s.in(i, imperatives) || len(triggers[s.wordAt(i+1)]) > 0 && s.is(i, "fix", "review", "test", "build") {
		return false
	}
	if _, noun := subjectNouns[s.wordAt(i)]; !noun {
		return !s.is(i, "fix") || !s.isPoint(i+1, ":")
	}
	return i+1 < t && s.is(i+1, "the", "a", "all", "and", "that", "it", "my", "your", "our", "this", "for", "if", "whether", "everything", "them", "to")
}

// harmless reports negators that deny something other than the claim: "not only",
// "no failures", "did not fail", "no longer fails", "no changes".
func (s *sentence) harmless(i, t int) bool {
	w := s.toks[i].w
	switch w {
	case "fail", "fails", "failed":
		return !s.is(i+1, "to")
	case "not":
		return s.is(i+1, "only", "just", "merely")
	case "no":
		return !s.is(i+1, "longer", "tests", "test", "one", "suite", "checks", "e2e", "unit", "integration", "verification", "build")
	case "zero", "without", "nothing":
		return !s.in(i+1, infinitivesIng) && (w != "nothing" || s.is(i+1, "failed", "broke", "fails"))
	}
	return t-i <= 2 && (s.is(t, "fail", "fails") || s.is(t, "failed"))
}

var infinitivesIng = set("running executing verifying checking testing building confirming having committing pushing deploying tests")

// relative reports a description, "a test that passes": the noun, then "that".
func (s *sentence) relative(subj, t int) bool {
	for i := subj + 1; i < t && i < subj+4; i++ {
		if s.is(i, "that", "which", "who") {
			_, ok := subjectNouns[s.toks[i-1].w]
			return ok
		}
	}
	return false
}

// after reads the scope words that follow the predicate in its clause.
func (s *sentence) after(c clause, t int) Polarity {
	for i := t + 1; i < c.b; i++ {
		switch tok := &s.toks[i]; {
		case tok.kind == quoted, tok.kind == code:
		case tok.kind == point && tok.w == "→":
			return Hedged
		case tok.kind != word:
		case s.is(i, "if", "unless", "until", "whenever"), s.is(i, "when", "once") && !s.is(i+1, "again"):
			return Conditional
		case s.is(i, "before") && !s.is(i+1, "and") && !s.endsRun(c, i), s.is(i, "previously", "earlier", "yesterday", "originally"):
			return Historical
		case s.is(i, "because"), s.is(i, "far") && s.is(i-1, "so"):
			return Hedged
		case s.is(i, "presumably", "probably", "hopefully", "theoretically"), s.is(i, "think") && s.in(i-1, persons):
			return Hedged
		case s.is(i, "except"), s.is(i, "apart", "aside") && s.is(i+1, "from"):
			return Partial
		}
	}
	return Positive
}

// endsRun reports "before the timeout", "before it was killed".
func (s *sentence) endsRun(c clause, i int) bool {
	for k := i + 1; k < c.b && k <= i+5; k++ {
		if s.is(k, "timeout", "timed", "killed", "kill", "interrupted", "limit", "hang", "hung", "cut", "crash", "crashed", "stopped", "aborted") {
			return true
		}
	}
	return false
}

// retracts reports a sentence that takes an earlier claim back.
func (s *sentence) retracts() bool {
	back, claim := false, false
	for i := range s.toks {
		if s.toks[i].kind != word {
			continue
		}
		switch s.toks[i].w {
		case "wrong", "incorrect", "untrue", "premature", "false", "mistaken", "retract", "mistake", "wrongly", "incorrectly", "mistakenly", "misreported", "overstated", "inaccurate", "prematurely", "falsely":
			back = true
		case "claim", "claimed", "said", "statement", "earlier", "reported", "stated", "say", "saying", "report", "i", "my":
			claim = true
		}
	}
	return back && claim
}

// honest reports whether the clause itself names a failure or a gap.
func (s *sentence) honest(c clause) bool {
	for i := c.a; i < c.b; i++ {
		tok := &s.toks[i]
		switch {
		case tok.kind == cross:
			return true
		case tok.kind == cjk && containsAny(tok.w, zh.failure):
			return true
		case tok.kind != word:
		case honestWords[tok.w] && !s.isZero(i-1) && !s.is(i-1, "no", "zero", "not", "without", "didn't", "never", "previously"):
			return true
		case s.is(i, "exit", "exited"), s.is(i, "not", "never") && s.is(i+1, "run", "ran", "verified", "tested", "checked", "executed", "confirmed", "yet"):
			return true
		}
	}
	return false
}

// isZero reports a zero count at i.
func (s *sentence) isZero(i int) bool {
	return i >= 0 && i < len(s.toks) && s.toks[i].kind == number && s.toks[i].n == 0
}

var honestWords = set("fail fails failed failing failure failures timeout timed hung crashed unverified untested killed sigterm broken errored incomplete unable couldn't wasn't weren't skipped interrupted")

func containsAny(s string, stems []string) bool {
	for _, w := range stems {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
