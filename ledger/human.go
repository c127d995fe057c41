package ledger

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// Bounds on what is kept of the human's words.
const (
	mostWords       = 1 << 16  // hashes of words and pairs of words
	mostConstraints = 64       // standing orders
	readHuman       = 64 << 10 // bytes of one message that are read
)

// vocabulary is the set of words, and of pairs of neighbouring words, that the
// human is known to have used: hashes, so that a quote can be looked for
// without keeping a single message.
type vocabulary struct {
	seen    Filter
	n       int
	foreign bool // mostly words of another script than ASCII
	full    bool
}

func (v *vocabulary) add(text string) {
	v.foreign = v.foreign || foreign(text)
	before := uint64(0)
	eachWord(transcript.Clip(text, readHuman), func(w string) bool {
		if v.n >= mostWords {
			v.full = true
			return false
		}
		h := xxhash.Sum64String(w)
		v.take(h)
		if before != 0 {
			v.take(pair(before, h))
		}
		before = h
		return true
	})
}

func (v *vocabulary) take(h uint64) {
	if v.seen.Add(h) {
		v.n++
	}
}

// pair is the hash of two neighbouring words, of theirs.
func pair(a, b uint64) uint64 { return bits.RotateLeft64(a, 23)*0x9e3779b97f4a7c15 ^ b }

// foreign reports whether a text is mostly written in another script.
func foreign(text string) bool {
	letters, other := 0, 0
	for _, r := range transcript.Clip(text, 4096) {
		if unicode.IsLetter(r) {
			letters++
			if r > 0x24f {
				other++
			}
		}
	}
	return other*5 > letters && other > 4
}

// Words are a text's words, in lower case, without what surrounds them.
func Words(text string) []string {
	var words []string
	eachWord(text, func(w string) bool {
		words = append(words, w)
		return true
	})
	return words
}

// eachWord calls do for every word until it says no.
func eachWord(text string, do func(string) bool) {
	text = strings.ToLower(text)
	start := -1
	for i, r := range text {
		if inWord(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && !do(text[start:i]) {
			return
		}
		start = -1
	}
	if start >= 0 {
		do(text[start:])
	}
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '\''
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Shares says how much of a quote the human is known to have said, as a part
// of its words and of its pairs of neighbouring words. known is false when
// that cannot be told: other scripts, too many words, no words.
func (s *Session) Shares(quote string) (single, double float64, known bool) {
	words := Words(quote)
	if s.human.full || s.human.foreign || len(words) < 2 || foreign(quote) {
		return 0, 0, false
	}
	one, two := 0, 0
	before := uint64(0)
	for i, w := range words {
		h := xxhash.Sum64String(w)
		if s.human.seen.Has(h) {
			one++
		}
		if i > 0 && s.human.seen.Has(pair(before, h)) {
			two++
		}
		before = h
	}
	return float64(one) / float64(len(words)), float64(two) / float64(len(words)-1), true
}

// Said reports whether the human is known to have used a word.
func (s *Session) Said(word string) bool {
	return s.human.seen.Has(xxhash.Sum64String(strings.ToLower(word)))
}

// A Constraint is a standing order of the human's: what must not be done, or
// not without asking.
type Constraint struct {
	Ref
	Text string // the sentence, bounded
	Verb string // what it is about: push, commit, deploy, touch ...
}

// humanSpoke takes the human's own words.
func (s *Session) humanSpoke(e *transcript.Event) {
	text := e.Words()
	s.human.add(text)
	if e.Origin == transcript.Copied {
		return
	}
	if affirms(text) {
		s.Affirmed = s.Ref(e)
	}
	for _, c := range constraintsIn(text) {
		if len(s.Constraints) < mostConstraints {
			c.Ref = s.Ref(e)
			s.Constraints = append(s.Constraints, c)
		}
	}
	s.lift(text, s.step)
}

// queued takes words that the human typed while the agent was at work: some
// logs hold them nowhere else.
func (s *Session) queued(e *transcript.Event) {
	text := e.Text.Head(readHuman)
	if text == "" || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "<") {
		return
	}
	s.human.add(text)
	if affirms(text) {
		s.Affirmed = s.Ref(e)
	}
	s.Human = s.Ref(e)
}

// affirms reports whether a message says yes to something.
func affirms(text string) bool {
	text = transcript.Clip(text, 4096)
	words := Words(text)
	if len(words) > 0 && firstYes[words[0]] {
		return true
	}
	for i, w := range words {
		if yesWords[w] || (w == "do" || w == "go") && i+1 < len(words) && yesAfter[words[i+1]] {
			return true
		}
	}
	for _, w := range []string{"👍", "好", "可以", "同意", "继续", "是的", "はい", "了解", "네", "좋"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

var yesWords = set("yes", "yep", "yeah", "yea", "ya", "ok", "okay", "sure", "approve", "approved", "agree", "agreed", "lgtm", "proceed", "continue",
	"fine", "perfect", "confirm", "confirmed", "correct", "exactly", "sounds", "accept", "accepted", "nice", "cool", "awesome",
	"ja", "passt", "genau", "oui", "si", "sí", "vale", "sim", "да", "хорошо", "allow", "allowed", "ship")

// firstYes are words that are a yes only at the beginning, yesAfter what makes
// one of "do" and "go".
var (
	firstYes = set("y", "k", "go", "do", "good", "great", "right")
	yesAfter = set("it", "that", "so", "ahead", "for", "on")
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// constraintVerbs are the acts that a standing order is about: those that
// cannot be taken back, and "touch" for where to keep out.
var constraintVerbs = map[string]string{
	"push": "push", "pushing": "push", "commit": "commit", "committing": "commit", "merge": "merge", "merging": "merge", "deploy": "deploy", "deploying": "deploy",
	"publish": "publish", "publishing": "publish", "release": "release", "delete": "delete", "deleting": "delete", "force-push": "push", "rebase": "rebase",
	"touch": "touch", "touching": "touch", "modify": "touch", "modifying": "touch", "send": "send",
}

// constraintsIn finds standing orders: "do not push", "never commit to main",
// "ask before deploying", "only touch src/", "don't merge without my review".
func constraintsIn(text string) []*Constraint {
	var out []*Constraint
	if len(text) > readHuman {
		text = transcript.Clip(text, readHuman)
	}
	for _, s := range sentences(text) {
		if verb, ok := constrains(s); ok && len(out) < 8 {
			out = append(out, &Constraint{Text: transcript.Keep(s, keepQuote), Verb: verb})
		}
	}
	return out
}

// sentences cuts a text at line ends and full stops.
func sentences(text string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced || line == "" || line[0] == '>' || len(line) > 400 {
			continue
		}
		for len(line) > 0 {
			i := strings.IndexAny(line, ".!?;")
			for i >= 0 && i+1 < len(line) && line[i+1] != ' ' {
				j := strings.IndexAny(line[i+1:], ".!?;")
				if j < 0 {
					i = -1
					break
				}
				i += 1 + j
			}
			if i < 0 {
				out = append(out, line)
				break
			}
			if s := strings.TrimSpace(line[:i+1]); s != "" {
				out = append(out, s)
			}
			line = strings.TrimSpace(line[i+1:])
		}
	}
	return out
}

// constrains reads one sentence as an order. The act has to follow the word
// that forbids it, with at most two words between.
func constrains(s string) (string, bool) {
	if strings.HasSuffix(s, "?") {
		return "", false
	}
	words := Words(strings.ReplaceAll(s, "’", "'"))
	for i, w := range words {
		switch {
		case w == "don't" || w == "dont" || w == "never" || w == "without" && i > 0:
		case w == "not" && i > 0 && (words[i-1] == "do" || words[i-1] == "must" || words[i-1] == "should"):
		case w == "before" && i > 0 && asksFirst(words[:i]):
		case w == "only" && i+1 < len(words) && words[i+1] == "touch":
		default:
			continue
		}
		if speaksOfSelf(words[:i]) {
			continue
		}
		for _, next := range words[i+1 : min(len(words), i+4)] {
			verb, ok := constraintVerbs[next]
			switch {
			case ok && w == "without":
				continue
			case ok && (verb != "touch" || w != "before"):
				return verb, true
			}
		}
	}
	return "", false
}

// asksFirst: "ask me before ...", "check with me before ...".
func asksFirst(words []string) bool {
	for _, w := range words[max(0, len(words)-4):] {
		if w == "ask" || w == "confirm" || w == "check" || w == "approval" {
			return true
		}
	}
	return false
}

// speaksOfSelf: "I don't push", "we never merge", "why don't you": no order.
func speaksOfSelf(words []string) bool {
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "i", "we", "they", "it", "why", "that", "which", "hooks", "tests", "users", "if", "does", "did":
		return true
	}
	return words[0] == "if" || words[0] == "why"
}

// lift drops the standing orders that a later message takes back: it names the
// act and does not forbid it.
func (s *Session) lift(text string, step int) {
	if len(s.Constraints) == 0 || len(text) > 2048 {
		return
	}
	named := map[string]bool{}
	for _, sentence := range sentences(text) {
		if _, forbids := constrains(sentence); forbids {
			continue
		}
		for _, w := range Words(sentence) {
			if v, ok := constraintVerbs[w]; ok {
				named[v] = true
			}
		}
	}
	kept := s.Constraints[:0]
	for _, c := range s.Constraints {
		if c.Step == step || !named[c.Verb] {
			kept = append(kept, c)
		}
	}
	s.Constraints = kept
}
