package rules

import (
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionInputCut = &Rule{
	ID:    "compaction-input-cut",
	Title: "What the summariser was given had its tool results cut by position",
	Why: "Exit codes, closing counts and errors stand at the end of an output. A summariser that sees beginnings only cannot tell a success from a " +
		"failure, however well it writes.",
	Fix: "Give the summariser the ends of outputs, or the termination of each call as a field of its own.",
	Silent: "Logs that hold nothing of what the summariser was given (not checked); markers in outputs that the agent itself read; cuts that keep the end. " +
		"An error text in the place of the summary is compaction-unreadable.",
	Group:     Compaction,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.Compaction),
	New:       func(Settings) Checker { return &cutInput{} },
	Lacks: func(s *ledger.Session) string {
		if len(s.Boundaries()) == 0 || s.Saw(transcript.Request) {
			return ""
		}
		return "the log does not hold what the summariser was given"
	},
}

// cutInput remembers the newest words of the harness with such cuts in them:
// they are the summariser's input when a compaction follows.
type cutInput struct {
	silent
	at    ledger.Ref
	quote string
	n     int
}

// cutForSummary matches the marks that harnesses leave where they shorten tool
// results for a summariser.
var cutForSummary = regexp.MustCompile(`\[(?:Tool output truncated for compaction[^\]]{0,80}|\.\.\. \d+ more characters truncated|tool output micro-compact[^\]]{0,40}|` +
	`old tool result content cleared[^\]]{0,80}|Tool result truncated[^\]]{0,60}|\d+ (?:chars|characters|bytes) truncated for (?:summary|compaction)[^\]]{0,40})\]|` +
	`\.\.\. \(?truncated for (?:summary|summari[sz]ation|compaction)\)?`)

// cutsForSummary lists the marks in a text. The expression is wide: it is only
// run over texts that hold one of its words.
func cutsForSummary(text string) []string {
	if !holdsAny(text, []string{"truncated", "micro-compact", "content cleared"}) {
		return nil
	}
	return cutForSummary.FindAllString(text, 1000)
}

func (k *cutInput) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	switch {
	case e.Origin == transcript.Copied:
	case s.Summary != nil:
		k.judge(s, emit)
	case e.Kind == transcript.Message && e.Actor != transcript.Assistant && (e.Role == transcript.Prompt || e.Role == transcript.Notice):
		if all := cutsForSummary(e.Words()); len(all) > 0 {
			k.at, k.quote, k.n = s.Ref(e), strings.Clone(all[0]), len(all)
		}
	}
}

func (k *cutInput) judge(s *ledger.Session, emit Emit) {
	ref, quote, n := k.at, k.quote, k.n
	k.at, k.n = ledger.Ref{}, 0
	if all := cutsForSummary(s.Summary.Text); n == 0 && len(all) > 0 {
		ref, quote, n = s.Summary.Ref, strings.Clone(all[0]), len(all)
	}
	if n == 0 {
		return
	}
	emit(Hit{
		At:      s.Summary.Ref,
		Message: "the summary was written from tool results that were cut at their ends, in " + plural(n, "place"),
		Quote:   quote,
		Evidence: []finding.Evidence{
			at(ref, finding.Recorded, quote, "what the summariser was given"),
			at(s.Summary.Ref, finding.Claimed, "", "the summary that was written from it"),
		},
		Key: "input",
	})
}
