package claim

import (
	"cmp"
	"strings"
)

// agency is who did what a perfective verb tells.
type agency uint8

const (
	nobody  agency = iota // somebody else, or no perfective at all
	self                  // "I pushed", "Pushed to", "has been pushed"
	earlier               // "was pushed", "already merged", "I had pushed"
	open                  // "to be pushed", "being pushed"
)

// agent decides who did the verb at i.
func (s *sentence) agent(c clause, i int) agency {
	old := false
	for k := i - 1; k >= c.a; k-- {
		tok := &s.toks[k]
		switch {
		case tok.kind == tick || tok.kind == number && k == c.a || tok.kind == point && tok.w == ":":
			return s.elided(c, i, old)
		case s.is(k, "already"):
			old = true
		case s.in(k, persons):
			return pick(old, earlier, self)
		case s.in(k, beNow):
			return pick(old, earlier, self)
		case s.is(k, "isn't", "aren't", "hasn't"):
			return self
		case s.in(k, bePast), s.is(k, "wasn't", "weren't"):
			return earlier
		case s.in(k, beNot):
			return open
		case s.is(k, "and") && k > c.a && hasTrigger(s.wordAt(k-1), tAct, tVerify):
			return s.agent(c, k-1)
		case s.is(k, "and") && k-c.a >= 2:
			return s.conjunct(c, k, old)
		case s.in(k, fillers) || scopeWords[tok.w] != noScope && tok.kind == word:
		case s.in(k, doneNouns) && k-c.a <= 3 && k == i-1:
			return pick(old || s.is(k-1, "user's"), earlier, self)
		case tok.kind == code && k == i-1 && k-c.a <= 1 && commandSubject(tok.w) == None:
			return pick(old, earlier, self)
		default:
			return nobody
		}
	}
	return s.elided(c, i, old)
}

// conjunct finds the "I" of "I fixed the bug and pushed".
func (s *sentence) conjunct(c clause, k int, old bool) agency {
	first := c.a
	for first < k && (s.toks[first].kind != word || s.in(first, fillers)) {
		first++
	}
	if s.in(first, persons) || strings.HasSuffix(s.wordAt(first), "ed") && s.wordAt(first) != "need" {
		return pick(old, earlier, self)
	}
	return nobody
}

func pick(cond bool, a, b agency) agency {
	if cond {
		return a
	}
	return b
}

// elided judges a verb at the start of its clause: "Pushed to origin." is the
// agent's, "Pushed commits are shown" is not.
func (s *sentence) elided(c clause, i int, old bool) agency {
	next := i + 1
	if c.b-c.a == 1 && s.toks[c.a].start > 0 && s.text[s.toks[c.a].start-1] == '(' {
		return nobody
	}
	if c.a > 0 && !s.table && !s.in(i, opensLate) {
		if a := s.headAgent(); a == nobody {
			return nobody
		}
	}
	if next >= c.b || s.toks[next].kind != word || s.in(next, openers) || s.in(next, doneNouns) && !s.finite(c, next) {
		return pick(old, earlier, self)
	}
	if sub := actSubject[s.toks[i].w]; sub == File || sub == Ran || sub == Stopped || sub == Send || sub == Install || sub == PullRequest || sub == Infra {
		if s.finite(c, next) {
			return nobody
		}
		return pick(old, earlier, self)
	}
	return nobody
}

var opensLate = set("pushed committed merged deployed")

// headAgent looks at the first clause of the sentence: another one's deeds stay
// another one's.
func (s *sentence) headAgent() agency {
	for k := 0; k < len(s.toks) && k < 4; k++ {
		if s.in(k, humans) || s.is(k, "agent", "it", "worker", "subagent", "session", "hook", "script", "he", "she", "they") {
			return nobody
		}
	}
	return self
}

// finite reports a finite verb soon after next: then the participle only
// describes the noun.
func (s *sentence) finite(c clause, next int) bool {
	for k := next; k < c.b && k < next+4; k++ {
		if s.is(k, "is", "are", "was", "were", "have", "has", "should", "can", "will", "need", "only", "that", "which") && !s.is(k, "only") {
			return k < next+3
		}
	}
	return false
}

func hasTrigger(w string, ts ...trigger) bool {
	for _, t := range triggers[w] {
		for _, want := range ts {
			if t == want {
				return true
			}
		}
	}
	return false
}

// act emits the claim of a perfective verb.
func (f *finder) act(s *sentence, c clause, i int) {
	w := s.toks[i].w
	sub := actSubject[w]
	if w == "run" && !s.is(i-1, "not", "have", "haven't", "hasn't", "didn't", "never", "i've", "been", "couldn't", "yet") {
		return
	}
	who := s.agent(c, i)
	if who == nobody {
		return
	}
	sub, named, ok := s.actObject(c, i, sub)
	if !ok {
		return
	}
	cl := f.make(s, c, sub)
	cl.Named = named
	cl.Polarity = s.judge(c, i, i)
	if cl.Polarity == Positive || cl.Polarity == Partial {
		cl.Polarity = s.actPolarity(c, i, who, sub)
	}
	f.push(cl)
}

// actPolarity weakens a deed that was told in the past or is still to come.
func (s *sentence) actPolarity(c clause, i int, who agency, sub Subject) Polarity {
	switch {
	case who == open:
		return Planned
	case s.is(i-1, "is", "are") && sub == Merge:
		return Historical // a state that was looked up
	case s.statesRule(c, i):
		return Hedged
	case who == earlier && sub != Ran && s.is(i+1, "successfully", "to", "as") && !s.is(i-1, "already") && (sub == Push || sub == Commit || sub == Deploy) && s.targeted(c, i):
		return Positive
	case who == earlier:
		return Historical
	case s.is(i+1, "by") || s.is(i+2, "by"):
		return Historical
	}
	return Positive
}

// statesRule reports a passive that describes what always happens: "checkpoints
// are pushed to shadow branches".
func (s *sentence) statesRule(c clause, i int) bool {
	k := i - 1
	for k >= c.a && s.in(k, fillers) {
		k--
	}
	if !s.is(k, "are", "is") {
		return false
	}
	for j := k - 1; j >= c.a && j >= k-6 && !s.isPoint(j, ":"); j-- {
		if s.toks[j].kind == number || s.is(j, "the", "all", "both", "everything", "this", "these", "my", "it", "pr", "changes", "they", "fix", "code", "work") {
			return s.is(k+1, "always", "usually", "automatically")
		}
	}
	return true
}

// targeted reports "to origin", "to `main`", "as abc123".
func (s *sentence) targeted(c clause, i int) bool {
	if s.is(i+1, "successfully") {
		return true
	}
	return i+2 < c.b && (s.toks[i+2].kind == code || s.is(i+2, "origin", "main", "master", "remote", "production", "staging"))
}

// actObject checks the object of a verb and finds its name.
func (s *sentence) actObject(c clause, i int, sub Subject) (Subject, string, bool) {
	w := s.toks[i].w
	near := s.objectIn(c, i, actObjects[w])
	switch sub {
	case File:
		if s.objectIn(c, i, prWords) && (w == "created" || w == "opened") && s.prObject(c, i) {
			return PullRequest, "", true
		}
		p := s.pathNear(c, i)
		return File, p, p != ""
	case Ran:
		if s.is(i+1, "successfully", "cleanly") && s.in(i-1, migrationWords) {
			return Migration, "", true
		}
		name := s.codeAfter(c, i, 4)
		if s.toks[max(i-1, 0)].kind == code && i > c.a {
			name = s.toks[i-1].w
		}
		if name != "" && !isCommand(name) {
			name = ""
		}
		if s.is(i+1, "into", "out", "for", "on", "over", "again", "as", "through", "from", "at", "in") || s.is(i-1, "all") {
			return Ran, "", false
		}
		return Ran, cmp.Or(name, s.runName(c, i)), name != "" || near
	case Infra:
		if s.objectIn(c, i, migrationWords) {
			return Migration, "", true
		}
		return Infra, s.codeAfter(c, i, 4), near || commandIs(s.codeAfter(c, i, 4), "terraform", "kubectl", "helm", "pulumi")
	case Stopped:
		return Stopped, s.codeAfter(c, i, 4), near && !s.is(i+1, "using", "at", "short", "after", "before", "because", "when", "on", "there", "reading")
	case PullRequest:
		return PullRequest, "", s.prObject(c, i)
	case Commit, Push, Merge, Deploy:
		if s.is(i+1, "checkpoint", "checkpoints", "state", "back", "down", "through", "off", "up", "into") && !(sub == Merge && s.is(i+1, "into")) {
			return sub, "", false
		}
		if s.is(i+2, "does", "is", "has", "contains", "names", "was", "should", "will", "says") && s.toks[i+1].kind == code || s.is(i-2, "state", "status") {
			return sub, "", false
		}
		return sub, s.codeAfter(c, i, 3), !s.is(i+1, "fields", "config", "configs", "results", "output") && !s.is(i-1, "not-yet")
	}
	return sub, s.codeAfter(c, i, 4), near || actObjects[w] == nil
}

var migrationWords = set("migration migrations")

// prObject reports a pull request next to the verb: "opened PR #12", "PR opened".
func (s *sentence) prObject(c clause, i int) bool {
	for k := i + 1; k < c.b && k <= i+4; k++ {
		if s.is(k, "pr", "prs", "pull", "mr") {
			return true
		}
		if s.is(k, "in", "for", "from", "to", "with") || s.toks[k].kind == code {
			break
		}
	}
	for k := i - 1; k >= c.a && k >= i-4; k-- {
		if s.is(k, "pr", "mr") || s.is(k, "request") && s.is(k-1, "pull") {
			return true
		}
	}
	return false
}

// objectIn reports a word of the set near the verb.
func (s *sentence) objectIn(c clause, i int, m map[string]bool) bool {
	if m == nil {
		return false
	}
	for k := max(c.a, i-5); k < c.b && k <= i+6; k++ {
		if k != i && s.in(k, m) {
			return true
		}
	}
	return false
}

// codeAfter gives the first code token within n tokens after i.
func (s *sentence) codeAfter(c clause, i, n int) string {
	for k := i + 1; k < c.b && k <= i+n; k++ {
		if s.toks[k].kind == code {
			return s.toks[k].w
		}
	}
	return ""
}

// runName names what was run in words: "the e2e suite" -> "e2e".
func (s *sentence) runName(c clause, i int) string {
	for k := i + 1; k < c.b && k <= i+6; k++ {
		if s.in(k, runWords) {
			if n := s.name(clause{i + 1, c.b}, k, k); n != "" {
				return n
			}
			if s.is(k, "tests", "test", "suite", "checks", "it", "them") {
				return ""
			}
			return s.toks[k].w
		}
	}
	return ""
}

// pathNear finds the path that was written: behind the verb, or before it in
// the passive.
func (s *sentence) pathNear(c clause, i int) string {
	reach := 3
	if s.is(i, "added", "wrote", "saved") {
		reach = 6
	}
	for k := i + 1; k < c.b && k <= i+reach; k++ {
		if s.is(k, "that", "using", "which", "uses") || reach > 3 && s.is(k, "from", "for", "with") {
			break
		}
		if s.is(k, "to", "from", "in", "for", "with", "at") && k > i+1 && !s.is(i, "added", "wrote", "written", "saved") {
			break
		}
		if s.toks[k].kind == code && isPath(s.toks[k].w) {
			if s.is(i, "added") && (s.is(k+1, "to", "entry", "reference", "references") || s.is(k+1, "functions")) {
				return "" // something about the path went elsewhere
			}
			return s.toks[k].w
		}
	}
	if s.in(i-1, beNow) || s.is(i-1, "now", "been", "successfully") {
		for k := i - 1; k >= c.a && k >= i-5; k-- {
			if s.toks[k].kind == code && isPath(s.toks[k].w) && !s.is(k-1, "in", "of", "from", "to") {
				return s.toks[k].w
			}
		}
	}
	return ""
}

// isPath reports a file name: an extension or a slash, and no call or blank.
func isPath(p string) bool {
	if p == "" || strings.ContainsAny(p, " ()<>{}=$*:@,;\"'") || p[0] == '-' || strings.HasSuffix(p, "/") || len(p) > 200 {
		return false
	}
	base := p[strings.LastIndexByte(p, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 || dot == len(base)-1 {
		return false
	}
	return fileExts[strings.ToLower(base[dot+1:])]
}

var fileExts = set("go py js ts tsx jsx mjs cjs rs java kt rb php c h cc cpp hpp cs swift m mm scala sh bash zsh ps1 sql md mdx txt rst json jsonl yaml yml toml ini cfg conf env lock " +
	"html css scss less vue svelte xml csv tsv svg png jpg proto tf tfvars gradle lua dart ex exs erl hs ml r ipynb dockerfile mod sum rules snap astro")

// verify emits the generic claim of "verified", "confirmed", "validated".
func (f *finder) verify(s *sentence, c clause, i int) {
	who := s.agent(c, i)
	if who == nobody || s.in(i-1, humans) || f.covers(s, c, Tests, Build, Lint, TypeCheck, Consent, Deploy, Push, Commit) {
		return
	}
	cl := f.make(s, c, Verified)
	cl.Named = s.codeAfter(c, i, 3)
	cl.Polarity = s.judge(c, i, i)
	if cl.Polarity == Positive {
		switch {
		case who == open:
			cl.Polarity = Planned
		case who == earlier && !s.is(i-1, "was", "were"):
			cl.Polarity = Historical
		case !s.verifiesSuccess(c, i):
			cl.Polarity = Hedged
		}
	}
	f.push(cl)
}

// verifiesSuccess tells "verified working" from "confirmed the root cause".
func (s *sentence) verifiesSuccess(c clause, i int) bool {
	good := i+1 >= c.b && !s.is(i, "confirmed") && c.b-c.a <= 5
	for k := i + 1; k < c.b && k <= i+12; k++ {
		if s.in(k, looked) {
			return false
		}
		good = good || s.in(k, verifiedOf)
	}
	return good
}

// consent emits the claim that the human agreed.
func (f *finder) consent(s *sentence, c clause, i int) {
	w := s.toks[i].w
	noun := w == "approval" || w == "confirmation" || w == "go-ahead" || w == "permission" || w == "consent"
	if noun && !s.consentNoun(c, i) || !noun && !s.consentVerb(c, i) {
		return
	}
	cl := f.make(s, c, Consent)
	cl.Polarity = s.judge(c, i, i)
	if s.is(i-1, "had") && cl.Polarity == Historical {
		cl.Polarity = Positive
	}
	if w == "confirmed" && cl.Polarity == Positive && !s.assents(c, i) {
		cl.Polarity = Hedged // confirmed a fact, not an action
	}
	f.push(cl)
}

// assents tells "confirmed the deployment" from "confirmed that it was the cause".
func (s *sentence) assents(c clause, i int) bool {
	if i+1 >= c.b && i+1 >= len(s.toks) || s.is(i+1, "by") {
		return true
	}
	for k := i + 1; k < c.b && k <= i+5; k++ {
		if s.in(k, assented) {
			return !s.is(k, "it", "this") || k+1 >= c.b
		}
		if s.is(k, "that", "is", "was", "are") && k > i+1 {
			break
		}
	}
	return false
}

// consentVerb: "the user (has explicitly) approved", "approved by you".
func (s *sentence) consentVerb(c clause, i int) bool {
	if s.is(i, "granted") || s.is(i, "signed") && !s.is(i+1, "off") {
		return false
	}
	if s.is(i+1, "by") {
		return s.in(i+2, humans) || s.is(i+2, "the") && s.in(i+3, humans)
	}
	k := i - 1
	for k >= c.a && (s.in(k, fillers) || s.is(k, "explicitly", "had", "haven't", "hasn't", "didn't", "not", "never", "verbally", "clearly")) {
		k--
	}
	if k < c.a || !s.in(k, humans) {
		return false
	}
	return !s.is(k-1, "a", "an", "each", "every", "another", "when", "any") && !s.is(i+1, "email", "emails", "booking", "order", "their", "password")
}

// consentNoun: "per your approval", "the user gave the go-ahead", "user approval
// received".
func (s *sentence) consentNoun(c clause, i int) bool {
	human := s.is(i-1, "your", "user", "user's", "explicit") || s.in(i-2, humans)
	per := s.is(i-2, "per", "with", "after", "following", "given", "received", "got", "have", "on") || s.is(i-3, "per", "with", "received", "got")
	if human && per || s.is(i-1, "user", "user's", "your") && s.is(i+1, "received", "obtained", "granted", "given") {
		return true
	}
	for k := i - 1; k >= c.a && k >= i-4; k-- {
		if s.is(k, "gave", "granted") && (s.in(k-1, humans) || s.in(k-2, humans)) {
			return true
		}
	}
	return false
}

// works emits the generic claim of "everything works", "now works correctly".
func (f *finder) works(s *sentence, c clause, i int) {
	if s.is(i, "work", "working", "functional") && !s.is(i-1, "all", "fully", "now", "is", "are", "everything", "correctly", "confirmed", "verified", "been") || s.is(i+1, "on", "with", "by", "like", "in", "around", "only", "directory", "tree", "out", "through") {
		return
	}
	strong := s.is(i-1, "everything", "now", "fully", "all") || s.is(i-2, "everything") || s.is(i+1, "correctly", "perfectly", "end-to-end", "properly", "fine") || s.is(i+1, "as") && s.is(i+2, "expected")
	if !strong || f.covers(s, c, Tests, Build, Verified) || s.is(i, "work") && !s.is(i-1, "all") {
		return
	}
	cl := f.make(s, c, Verified)
	cl.Polarity = s.judge(c, i, i)
	everything := s.is(i-1, "everything") || s.is(i-2, "everything") || s.is(i-1, "now", "all", "fully") || s.is(i-2, "now")
	if cl.Polarity == Positive && !everything {
		cl.Polarity = Hedged
	}
	f.push(cl)
}

// running emits "the server is running", "the service is up".
func (f *finder) running(s *sentence, c clause, i int) {
	if !s.is(i-1, "is", "are", "now", "healthy", "up", "and", "successfully") || s.is(i, "up") && s.is(i+1, "to", "for") {
		return
	}
	for k := i - 1; k >= c.a && k >= i-5; k-- {
		if s.is(k, "server", "servers", "service", "services", "daemon", "backend", "container", "containers", "app", "cluster") {
			cl := f.make(s, c, Server)
			cl.Named = s.name(c, k, i)
			cl.Polarity = s.judge(c, k, i)
			if cl.Polarity == Positive && s.is(i-1, "is", "are") && !s.is(i+1, "on", "at", "and") && i+1 < c.b {
				cl.Polarity = Hedged
			}
			f.push(cl)
			return
		}
	}
}
