package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
)

// noSummary says why no summary of a session could be read, for the rules that
// judge summaries.
func noSummary(s *ledger.Session) string {
	n := 0
	for _, c := range s.Boundaries() {
		if !c.Summary.Known() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return plural(n, "compaction") + " without a summary that can be read (encrypted, or not logged)"
}

// noHistory says why the human's words in a session's summaries could not be
// looked up.
func noHistory(s *ledger.Session) string {
	if why := noSummary(s); why != "" {
		return why
	}
	if s.Partial > 0 {
		return "the log does not hold what its summaries sum up from the beginning"
	}
	return ""
}

// subjectWords are the words by which prose speaks of a kind of check.
func subjectWords(class command.Class) []string {
	switch class {
	case command.Test:
		return []string{"test", "spec", "suite", "e2e", "pytest", "jest", "vitest", "playwright"}
	case command.Build:
		return []string{"build", "compil", "make"}
	case command.Lint:
		return []string{"lint", "eslint", "clippy", "vet"}
	case command.TypeCheck:
		return []string{"type", "tsc", "mypy", "pyright"}
	case command.Deploy:
		return []string{"deploy", "release"}
	case command.Infra:
		return []string{"terraform", "infra", "apply", "kubectl", "helm", "provision"}
	case command.Migrate:
		return []string{"migrat", "schema", "alembic", "prisma"}
	}
	return nil
}

// honest reports whether a text tells of an end other than success, or of work
// that is still to be done.
func honest(text string) bool {
	low := strings.ToLower(text)
	return ledger.HoldsStem(low, honestStems) || honestPhrase.MatchString(low)
}

var honestStems = ledger.NewStems("timeout", "interrupt", "abort", "stuck", "fail", "error", "broke", "crash", "unfinish", "incomplete", "unverif", "rerun", "re-run",
	"need ", "needs ", "needed ", "must ", "should ", "pending", "remain", "next step", "todo", "to be ", "to do", "verify", "ensure", "continu", "in progress",
	"about to", "wait", "problem", "investigat", "debug", "fix", "cannot", "can't", "couldn't", "unable", "didn't", "did not", "没有", "失败", "超时", "未", "重新")

var honestPhrase = regexp.MustCompile(`time[ds]?[ -]?out|\bkill|exit(ed)?( with)?( code| status)? *[1-9]|\b1(24|30|37|43)\b|sig[a-z]{3}|\bhung\b|\bhang|red\b|` +
	`not (yet |been )?(finish|complet|verif|confirm|run|pass|done|ready)|still (run|need|open|fail)|run (it |them |the \S+ )?again|\bblock|\bissue`)

// tells reports whether any of the passages is honest about an end.
func tells(passages []string) bool { return slices.ContainsFunc(passages, honest) }

// contentWords are the words of a sentence that say what it is about.
func contentWords(s string) []string {
	var out []string
	for _, w := range ledger.Words(s) {
		if len(w) >= 4 && !plainWords[w] {
			out = append(out, w)
		}
	}
	return out
}

var plainWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("that this with from have been were will would should could must then than them they their there here when what which while where " +
		"user users human asked said confirmed approved agreed approval consent permission explicitly already also just only into onto over under after before about " +
		"never don't without your you're it's please make made sure does doing done anything something everything want wants needs need until unless some more most very") {
		m[w] = true
	}
	return m
}()

// overlap says which part of the words a text holds, by their stems.
func overlap(words []string, low string) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, w := range words {
		if strings.Contains(low, w[:min(len(w), 5)]) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}
