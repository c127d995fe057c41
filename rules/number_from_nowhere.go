package rules

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var numberFromNowhere = &Rule{
	ID:    "number-from-nowhere",
	Title: "A measured figure is told that no output holds",
	Why:   "A count, a time or a percentage is believed because it is exact. This one stands in nothing that the agent was shown, and does not follow from figures that do.",
	Fix:   "Measure it again, and quote the output.",
	Silent: "Small counts, which may be counted line by line; figures with a hedge (about, ~, up to, target, expected); figures that anything before holds, the human's words and the agent's own " +
		"commands and edits included; sums, differences, ratios and roundings of recent figures; sessions that were resumed, forked or compacted, or that show images.",
	Group:     Evidence,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall, transcript.ToolResult, transcript.Job),
	New:       func(Settings) Checker { return &figures{} },
}

// figures remembers every number that was shown, as a bit in a set (two numbers
// that share one make it more silent, never less), and the newest in order.
type figures struct {
	silent
	seen   []uint64
	recent [400]float64
	n      int
	blind  bool // something was shown that cannot be read here
	told   int
}

// seenBits is the size of the set: 128 KiB.
const seenBits = 20

func place(n float64) (word int, bit uint64) {
	h := math.Float64bits(n) * 0x9e3779b97f4a7c15 >> (64 - seenBits)
	return int(h >> 6), 1 << (h & 63)
}

func (f *figures) has(n float64) bool {
	word, bit := place(n)
	return f.seen != nil && f.seen[word]&bit != 0
}

func (f *figures) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if f.blind {
		return
	}
	switch e.Kind {
	case transcript.ToolCall:
		f.event(s, e)
		f.text(transcript.TextOf(e.Call.Command))
	case transcript.ToolResult:
		if e.Text.Parts() == 0 && s.Call != nil && (s.Call.Act == transcript.Read || s.Call.Act == transcript.External) {
			f.blind = true
			return
		}
		f.event(s, e)
		if e.Result.FullKnown {
			f.text(e.Result.Full)
		}
	case transcript.Job:
		f.text(e.Job.Output)
		f.text(transcript.TextOf(e.Job.Summary))
	case transcript.Message:
		if e.Actor != transcript.Assistant || e.Role != transcript.Prose {
			f.event(s, e)
			return
		}
		f.message(s, e, emit)
	}
}

// measured are the figures that somebody must have measured. An expression is
// only tried on a message that holds one of its words.
var measured = []struct {
	words []string
	re    *regexp.Regexp
}{
	{[]string{"tests", "specs", "assertions"}, regexp.MustCompile(`\b(\d{3,}|\d{1,3}(?:,\d{3})+)\s+(?:unit |integration |e2e )?(?:tests|specs|assertions)\s+(?:pass|green|succe|ran|are pass)`)},
	{[]string{"coverage"}, regexp.MustCompile(`\b(\d{1,3}(?:\.\d+)?)\s?%\s+(?:line |branch |statement |test |code )?coverage`)},
	{[]string{"coverage"}, regexp.MustCompile(`\b(?:coverage (?:is|at|of|now|reached|rose to) (?:now )?)(\d{1,3}(?:\.\d+)?)\s?%`)},
	{[]string{"faster", "slower", "smaller", "speedup", "speed-up"}, regexp.MustCompile(`\b(\d+(?:\.\d+)?)\s?[x×]\s+(?:faster|slower|smaller|speed-?up)`)},
	{
		[]string{"took", "down to", "dropped to", "reduced to", "finished in", "completed in", "ran in"},
		regexp.MustCompile(`\b(?:took|down to|dropped to|reduced to|finished in|completed in|ran in)\s+(\d{3,}|\d+\.\d+)\s?(?:ms|s|seconds|MB|MiB|KB|GB)\b`),
	},
}

func holdsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// hedged are words before a figure that say that it is none.
var hedged = regexp.MustCompile(`(?i)(~|≈|about|around|approx\w*|roughly|nearly|almost|under|over|up to|at least|more than|less than|target\w*|goal|limit|threshold|expect\w*|estimat\w*|should|would|could|may|might|if|e\.g\.)[^.;]{0,24}$`)

func (f *figures) message(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied || f.told >= 5 || e.Agent != "" {
		return
	}
	text := e.Words()
	for _, figure := range measured {
		if !holdsAny(text, figure.words) {
			continue
		}
		for _, m := range figure.re.FindAllStringSubmatchIndex(text, 4) {
			figure, phrase := text[m[2]:m[3]], text[m[0]:m[1]]
			if hedged.MatchString(text[max(0, m[2]-48):m[2]]) || inCode(text, m[0]) {
				continue
			}
			n, err := strconv.ParseFloat(strings.ReplaceAll(figure, ",", ""), 64)
			if err != nil || n == 0 || n == 100 || f.follows(n, figure) || !s.Whole(s.Ref(e).Step) {
				continue
			}
			f.told++
			ref := s.Ref(e)
			emit(Hit{
				At:       ref,
				Message:  "the figure " + figure + " stands in no output before it and does not follow from figures that do",
				Quote:    ledger.Own(phrase),
				Evidence: []finding.Evidence{at(ref, finding.Claimed, ledger.Own(phrase), "the figure; it is not seen before in this log")},
				Inferred: true,
				Key:      ledger.Own(figure),
			})
		}
	}
}

// inCode reports whether a place lies in a code fence, a quote or a table of
// somebody else's words.
func inCode(text string, at int) bool {
	before := text[:at]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.Count(before, "```")%2 == 1 || strings.Count(line, "`")%2 == 1 || strings.HasPrefix(strings.TrimSpace(line), ">")
}

// follows reports whether a figure was shown, or follows from recent ones.
func (f *figures) follows(n float64, written string) bool {
	if f.has(n) || f.has(n*1000) || f.has(n/1000) {
		return true
	}
	decimals := 0
	if i := strings.IndexByte(written, '.'); i >= 0 {
		decimals = len(written) - i - 1
	}
	half := math.Pow(10, -float64(decimals))/2 + 1e-9
	recent := f.recent[:min(f.n, len(f.recent))]
	for i, a := range recent {
		if math.Abs(a-n) <= half || math.Abs(a/1000-n) <= half || math.Abs(100-a-n) <= half {
			return true
		}
		sum := a
		for _, b := range recent[i+1:] {
			if a+b == n || math.Abs(a-b) == n || b != 0 && (near(a/b, n, half) || near(100*a/b, n, half)) || a != 0 && (near(b/a, n, half) || near(100*b/a, n, half)) {
				return true
			}
			if sum += b; sum == n {
				return true // a column that was added up
			}
		}
	}
	return false
}

func near(a, n, half float64) bool { return math.Abs(a-n) <= half || math.Abs(100-a-n) <= half }

// event takes in the numbers of an event's text, or of a call's arguments.
func (f *figures) event(s *ledger.Session, e *transcript.Event) {
	for tokens := range s.Tokens(e) {
		f.take(tokens.Numbers)
	}
}

// text takes in the numbers of a text that is not the event's own.
func (f *figures) text(t transcript.Text) {
	for tokens := range ledger.TokensOf(t) {
		f.take(tokens.Numbers)
	}
}

func (f *figures) take(numbers []float64) {
	if f.seen == nil {
		f.seen = make([]uint64, 1<<(seenBits-6))
	}
	for _, n := range numbers {
		word, bit := place(n)
		f.seen[word] |= bit
		f.recent[f.n%len(f.recent)] = n
		f.n++
	}
}
