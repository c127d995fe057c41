package rules

import (
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionUnreadable = &Rule{
	ID:    "compaction-unreadable",
	Title: "A compaction's summary is no summary",
	Why: "The history is gone and what stands in its place says nothing: an error text, an unfilled template, a printed object, or a summary that " +
		"breaks off. The agent goes on from it as if nothing were missing.",
	Fix: "Check a summary before the history is dropped: compact again, and keep the old history until a summary can be read.",
	Silent: "Summaries that speak of errors, limits or `[object Object]` in passing, in quotes or in code; short summaries of short histories; " +
		"encrypted ones, which nobody can judge.",
	Group:     Compaction,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message),
	New:       func(Settings) Checker { return &brokenSummaries{} },
	Lacks:     noSummary,
}

type brokenSummaries struct{ silent }

func (*brokenSummaries) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	if s.Summary == nil {
		return
	}
	why, quote := illegible(s.Summary.Text)
	if why == "" {
		return
	}
	chain := []finding.Evidence{at(s.Summary.Ref, finding.Recorded, strings.Clone(quote), "what stands in the place of the history")}
	if c := s.Summary.Compaction; c != nil {
		chain = append([]finding.Evidence{at(c.Ref, finding.Recorded, "", "the boundary%s", tokensBefore(c))}, chain...)
	}
	emit(Hit{At: s.Summary.Ref, Message: "the summary " + why, Quote: strings.Clone(clip(quote)), Evidence: chain, Key: why})
}

// illegible says what is wrong with a summary's text.
func illegible(text string) (why, quote string) {
	body := strings.TrimSpace(unwrapped(text))
	switch {
	case body == "":
		return "is empty", ""
	case len(body) < 400 && failedText.MatchString(body):
		return "is an error text", body
	case strings.Contains(body, "[object Object]") && (len(body) < 600 || onlyObjects.MatchString(body)):
		return "holds [object Object] in the place of its content", body
	}
	if n := len(placeholders(body)); n >= 2 {
		return "is a template that was not filled in (" + plural(n, "placeholder") + ")", placeholders(body)[0]
	}
	if tag := unclosed(text); tag != "" {
		return "breaks off: <" + tag + "> is never closed", tailOf(text)
	}
	if strings.Count(body, "```")%2 == 1 && !strings.HasSuffix(body, "```") && !finished(text) {
		return "breaks off inside a block of code", tailOf(text)
	}
	return "", ""
}

// unwrapped is a summary without what the harness put around it, which stands
// at its beginning and its end: expressions this wide are not run over all of
// a long text.
func unwrapped(text string) string {
	const edge = 1200
	if len(text) <= 2*edge {
		return wrapping.ReplaceAllString(text, "")
	}
	head, tail := transcript.Clip(text, edge), transcript.Clip(text, len(text)-edge)
	return wrapping.ReplaceAllString(head, "") + text[len(head):len(tail)] + wrapping.ReplaceAllString(text[len(tail):], "")
}

// wrapping is what harnesses put around a summary.
var wrapping = regexp.MustCompile(`(?i)^This session is being continued from a previous conversation[^\n]*\n?|The (conversation is summarized|summary) below[^\n]*|</?(summary|analysis)>|(?m)^\s*(Summary|Analysis):\s*$`)

// failedText matches what a provider or a harness says instead of a summary.
var failedText = regexp.MustCompile(`(?i)^[^a-z]*(api error|error:|error code|error during|request failed|rate limit|you've (hit|reached) your|you have (hit|reached) your|` +
	`usage limit|credit balance is too low|prompt is too long|failed to (generate|create|produce)|could not (generate|summari)|unable to (generate|summari)|` +
	`claude (ai )?usage limit|overloaded|internal server error|traceback \(most|undefined$|null$|none$|nan$|request timed out|context length exceeded|limit reached)|` +
	`(hit|reached) your (session |usage |weekly )?limit`)

var onlyObjects = regexp.MustCompile(`(?m)\A(?:[\s\-*\d.,:]*\[object Object\][\s,.]*)+\z`)

// placeholder matches the slots of the usual templates.
// placeholders lists what a template was to be filled in with. They stand in
// brackets: only the lines that open some are searched.
func placeholders(body string) []string {
	var found []string
	for line := range strings.Lines(body) {
		if strings.Contains(line, "{{") || strings.Contains(line, "[") && strings.Contains(line, "]") {
			found = append(found, placeholder.FindAllString(line, -1)...)
		}
	}
	return found
}

var placeholder = regexp.MustCompile(`(?m)\[(Detailed description|Concept \d|File Name \d|Summary of why|Important Code Snippet|Detailed description of error \d|How you fixed|Description of solved|` +
	`Detailed non tool use|Task \d|Precise description|Optional Next step|\.\.\.)[^\]\n]{0,80}\]|\{\{\s*\w+\s*\}\}`)

// unclosed is the tag of the summary that is opened and never closed.
func unclosed(text string) string {
	for _, tag := range []string{"summary", "analysis", "state_snapshot"} {
		open := strings.LastIndex(text, "\n<"+tag+">")
		if strings.HasPrefix(text, "<"+tag+">") {
			open = max(open, 0)
		}
		if open >= 0 && !strings.Contains(text[open:], "</"+tag+">") {
			return tag
		}
	}
	return ""
}

// finished reports whether a harness closed the text with its own words.
func finished(text string) bool {
	tail := text[max(0, len(text)-600):]
	return strings.Contains(tail, "continue the conversation") || strings.Contains(tail, "read the full transcript")
}

func tailOf(text string) string {
	return strings.ToValidUTF8(text[max(0, len(text)-160):], "")
}
