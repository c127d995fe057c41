package rules

import (
	"strconv"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionUpgradesEvidence = &Rule{
	ID:    "compaction-upgrades-evidence",
	Title: "A summary states as success what the log does not show as one",
	Why: "An observation became a verified result in the moment in which its evidence was dropped: everything after the boundary rests on the " +
		"summary's word and cannot look back.",
	Fix: "Write the run's termination into the summary instead of a verdict, and run the check again before anything rests on it.",
	Silent: "Claims that a run backs, also where it was edited afterwards; claims that name a failure, a gap or a count of failures; superseded failures; " +
		"subjects of which no run is seen in this log. A run that ran nothing, or that had printed its whole count before it was killed, is a warning.",
	Group:     Compaction,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message),
	New:       func(Settings) Checker { return &upgrades{} },
	Lacks:     noSummary,
}

type upgrades struct{ silent }

func (*upgrades) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	if s.Summary == nil {
		return
	}
	told := map[*ledger.Call]bool{}
	for _, c := range s.Fresh {
		if c.Where != ledger.InSummary || !asserts(c) {
			continue
		}
		v := s.Judge(c)
		level := levelOf(v)
		if level == finding.None || told[v.Run] {
			continue
		}
		told[v.Run] = true
		chain := evidenceOfEnd(v.Run)
		if v.Why != "" {
			chain[len(chain)-1].Note += "; " + v.Why
		}
		emit(Hit{
			At:       c.Ref,
			Message:  "the summary states " + subjectOf(c) + " as a success, but " + nameOfRun(v.Run) + " " + howItEndedFor(v),
			Quote:    c.Quote,
			Evidence: append(chain, at(c.Ref, finding.Claimed, c.Quote, "%s claimed in the summary", c.Subject)),
			Level:    level,
			Fix:      "Run it again: " + transcript.Clip(oneLine(v.Run.Command), 160),
			Key:      v.Run.ID + "/" + strconv.Itoa(int(c.Subject)),
		})
	}
}

func levelOf(v ledger.Verdict) finding.Level {
	switch v.Standing {
	case ledger.Contradicted:
		return finding.Error
	case ledger.Emptied, ledger.Unfinished:
		return finding.Warning
	}
	return finding.None
}

func howItEndedFor(v ledger.Verdict) string {
	switch v.Standing {
	case ledger.Emptied:
		return "ran nothing"
	case ledger.Unfinished:
		return "was cut short after it had printed its count, and ended " + ended(v.Run.Term())
	}
	return howItEnded(v)
}
