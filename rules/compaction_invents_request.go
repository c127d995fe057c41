package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionInventsRequest = &Rule{
	ID:    "compaction-invents-request",
	Title: "A summary quotes the user with words that no user message holds",
	Why: "A quote is taken for the user's own order and carried out. Summaries are the only memory after the boundary: an invented request " +
		"cannot be told from a real one any more.",
	Fix: "Take quotes of the user from the log, word for word, and leave out what the user did not write.",
	Silent: "Quotes of fewer than six words; quotes that share a fifth of their word pairs, or half of their words, with anything the user, an answer or a typed command " +
		"said; ellipses and paraphrase of that kind; logs that do not begin at the beginning; other scripts and translations; code. Constraints put in the user's mouth " +
		"without quotation marks are not judged.",
	Group:     Compaction,
	Level:     finding.Error,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Message),
	Options: []Option{
		{Name: "min-words", Doc: "words that a quote must have to be judged", Default: 6},
		{Name: "share", Doc: "part of the word pairs that must be known for a quote to count as the user's", Default: 0.2},
	},
	New: func(o Settings) Checker {
		return &inventedRequests{words: o.Int("min-words"), share: o.Float("share")}
	},
	Lacks: noHistory,
}

type inventedRequests struct {
	words int
	share float64
	held  []heldQuote
}

// heldQuote is a quote that no user message before the summary holds. The
// words that a compaction was asked for with may stand behind it in the log,
// so it is judged at the end.
type heldQuote struct {
	text           string
	summary, human ledger.Ref
	single, double float64 // parts of its words and word pairs that were known before it
}

func (k *inventedRequests) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Kind == transcript.Message && e.Actor == transcript.Human {
		k.release(e)
	}
	if s.Summary == nil || !s.Summary.Whole {
		return
	}
	told := map[string]bool{}
	for _, q := range userQuotes(s.Summary.Text) {
		if told[q] || len(ledger.Words(q)) < k.words || !k.invented(s, q) {
			continue
		}
		q = strings.Clone(q)
		told[q] = true
		single, double, _ := s.Shares(q)
		k.held = append(k.held, heldQuote{text: q, summary: s.Summary.Ref, human: s.Human, single: single, double: double})
	}
}

func (k *inventedRequests) Finish(_ *ledger.Session, emit Emit) {
	for _, q := range k.held {
		emit(Hit{
			At:      q.summary,
			Message: fmt.Sprintf("the summary quotes the user, but no user message holds the words (%.0f %% of the words, %.0f %% of the word pairs are known)", 100*q.single, 100*q.double),
			Quote:   clip(q.text),
			Evidence: []finding.Evidence{
				at(q.human, finding.Recorded, "", "the user's newest message before it"),
				at(q.summary, finding.Claimed, q.text, "quoted as the user's"),
			},
			Key: "quote/" + strings.Join(ledger.Words(transcript.Clip(q.text, 60)), "-"),
		})
	}
}

// release lets go of the quotes that a later message of the user's holds.
func (k *inventedRequests) release(e *transcript.Event) {
	if len(k.held) == 0 {
		return
	}
	said := map[string]bool{}
	for _, w := range ledger.Words(transcript.Clip(e.Words(), 16<<10)) {
		said[w] = true
	}
	k.held = slices.DeleteFunc(k.held, func(q heldQuote) bool {
		words, known := ledger.Words(q.text), 0
		for _, w := range words {
			if said[w] {
				known++
			}
		}
		return 5*known >= 4*len(words)
	})
}

var quotePieces = regexp.MustCompile(`\.\.\.|…|\[[^\]]*\]|\n`)

// invented judges a quote piece by piece: summaries join and shorten.
func (k *inventedRequests) invented(s *ledger.Session, q string) bool {
	judged := false
	for _, piece := range quotePieces.Split(q, -1) {
		if len(ledger.Words(piece)) < 4 {
			continue
		}
		single, double, known := s.Shares(piece)
		if !known || double >= k.share || single >= 0.5 && double >= 0.05 {
			return false
		}
		judged = true
	}
	return judged
}

// attributed finds words that put what follows in the user's mouth.
var attributed = regexp.MustCompile(`(?i)\buser(?:'s)?(?: (?:then|also|explicitly|again|just|first|later|finally|initially|originally|now))?(?: (?:said|says|asked|asks|wrote|writes|requested|requests|stated|states|feedback|corrected|message|request|noted|told me|clarified|instructed|ordered|answered|replied|responded))(?:[^"“\n]{0,40})[:,]? ?["“]([^"“”\n]{12,600})["”]`)

// userQuotes lists what a summary puts in quotation marks as the user's: after
// "User said:", and in a section that lists the user's messages.
func userQuotes(text string) []string {
	var out []string
	fenced, section := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch low := strings.ToLower(line); {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			continue
		case strings.Contains(low, "user messages") && strings.HasSuffix(strings.Trim(low, "*# "), ":"):
			section = true
			continue
		case section && isHeading(line):
			section = false
		}
		if fenced || len(out) >= 200 {
			continue
		}
		if section {
			if m := listed.FindStringSubmatch(line); m != nil {
				out = append(out, m[1])
				continue
			}
		}
		if !holdsAny(line, []string{`"`, "“"}) {
			continue
		}
		for _, m := range attributed.FindAllStringSubmatch(line, 4) {
			out = append(out, m[1])
		}
	}
	return out
}

// listed is an item of the list of the user's messages that is quoted whole.
var listed = regexp.MustCompile(`^(?:[-*•]|\d+[.)])\s*["“](.{12,600})["”]\.?$`)

// isHeading reports whether a line begins another section: "7. Pending Tasks:".
func isHeading(line string) bool {
	return strings.HasPrefix(line, "#") || headed.MatchString(line)
}

var headed = regexp.MustCompile(`^(\d+\.\s|\*\*)[^"]{3,60}:?\**:$`)
