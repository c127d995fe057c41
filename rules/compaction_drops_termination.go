package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionDropsTermination = &Rule{
	ID:    "compaction-drops-termination",
	Title: "A summary speaks of a run and leaves out that it did not end well",
	Why: "The exit code, the signal or the timeout was the only thing that told a run from a success. What goes on from the summary " +
		"knows that the run happened, and not that it was killed.",
	Fix: "Keep the termination of every run in the summary (exit code, timeout, signal), or run the check again after the compaction.",
	Silent: "Runs that an equivalent one superseded; summaries that name the end in any words, or that say that the check is still to be run, " +
		"fixed or verified; runs the summary does not speak of (see compaction-loses-open-work); claims that it succeeded (see " +
		"compaction-upgrades-evidence). A bare mention is a warning, words like \"completed\" make it an error.",
	Group:     Compaction,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message),
	New:       func(Settings) Checker { return &droppedEnds{} },
	Lacks:     noSummary,
}

type droppedEnds struct{ silent }

func (*droppedEnds) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	if s.Summary == nil {
		return
	}
	for _, r := range s.Summary.Before {
		lines := spokenOf(s.Summary, r)
		if len(lines) == 0 || tells(s.Summary.Mentions(append(subjectWords(r.Check.Class), programOf(r))...)) || claimsOf(s, r) {
			continue
		}
		level := finding.Warning
		if ranWell(lines) {
			level = finding.Error
		}
		line := strings.TrimSpace(middle(lines[0]))
		outcome, _ := r.Outcome()
		emit(Hit{
			At:      s.Summary.Ref,
			Message: "the summary speaks of " + name(r.Call) + " without saying that it ended " + ended(r.Term()),
			Quote:   clip(line),
			Evidence: append(evidenceOfEnd(r.Call),
				at(s.Summary.Ref, finding.Claimed, line, "what the summary keeps of it; the run is %s", outcome)),
			Level: level,
			Fix:   "Run it again: " + transcript.Clip(oneLine(r.Command), 160),
			Key:   r.ID,
		})
	}
}

// spokenOf finds the passages that name the very command: its program with
// what it was run on.
func spokenOf(m *ledger.Summary, r *ledger.Run) []string {
	var out []string
	program := programOf(r)
	if program == "" {
		return nil
	}
	for _, p := range m.Mentions(program) {
		low := strings.ToLower(middle(p))
		if strings.Contains(low, strings.ToLower(oneLine(r.Command))) || namesTarget(low, r) {
			out = append(out, p)
		}
	}
	return out
}

// programOf is the word by which a command is known: "pytest", "npm".
func programOf(r *ledger.Run) string { return strings.ToLower(r.Check.Name) }

// namesTarget reports whether a line names something of what was run beside
// the program: a script, a package, a subcommand.
func namesTarget(low string, r *ledger.Run) bool {
	if len(r.Check.Args) == 0 {
		return true
	}
	for _, a := range r.Check.Args {
		if a = strings.ToLower(strings.Trim(a, "./'\"")); len(a) >= 3 && !strings.HasPrefix(a, "-") && strings.Contains(low, a) {
			return true
		}
	}
	return false
}

// middle is the line that was found, without its neighbours.
func middle(passage string) string {
	lines := strings.Split(passage, "\n")
	if len(lines) == 3 {
		return lines[1]
	}
	return passage
}

// claimsOf reports whether the summary claims anything about the run's
// subject: then the claim is what is judged.
func claimsOf(s *ledger.Session, r *ledger.Run) bool {
	for _, c := range s.Fresh {
		if c.Subject == claim.Ran || c.Subject == claim.File {
			continue
		}
		for _, class := range ledger.Classes(c.Subject) {
			if class == r.Check.Class {
				return true
			}
		}
	}
	return false
}

func ranWell(passages []string) bool {
	for _, p := range passages {
		low := strings.ToLower(middle(p))
		for _, w := range []string{"completed", "finished", "done", "✓", "✅", "[x]", "executed", "went through", "successfully", "is in place", "applied"} {
			if strings.Contains(low, w) {
				return true
			}
		}
	}
	return false
}
