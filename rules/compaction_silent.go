package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionSilent = &Rule{
	ID:    "compaction-silent",
	Title: "A compaction took long, and nothing told the user",
	Why:   "A minute without a sign of life looks like a hang: users interrupt, and an interrupted compaction loses the history.",
	Fix:   "Emit a status event when a compaction starts and while it runs.",
	Silent: "Short compactions; compactions that the user asked for; formats that keep no status events; any status, progress or heartbeat while it ran; " +
		"a record of its beginning, which a user interface can show.",
	Group:     Compaction,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Status, transcript.Compaction),
	Options: []Option{
		{Name: "longer-than", Doc: "seconds after which a compaction should say something", Default: 30},
	},
	New: func(o Settings) Checker {
		return &silentCompaction{limit: time.Duration(o.Int("longer-than")) * time.Second}
	},
	Lacks: func(s *ledger.Session) string {
		if len(s.Boundaries()) > 0 && !s.Saw(transcript.Status) {
			return "the log keeps no status events"
		}
		return ""
	},
}

type silentCompaction struct {
	silent
	limit time.Duration
	sign  ledger.Ref
	said  bool // a status that names compaction
}

func (k *silentCompaction) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Kind == transcript.Status {
		k.sign, k.said = s.Ref(e), k.said || strings.Contains(strings.ToLower(e.Status.Name), "compact")
		return
	}
	c := s.Compactions[len(s.Compactions)-1]
	if c.Begin {
		k.said = true
		return
	}
	said := k.said
	k.said = false
	if said || c.Micro || c.Trigger == "manual" || c.Duration < k.limit || !s.Saw(transcript.Status) || k.within(c) {
		return
	}
	emit(Hit{
		At:       c.Ref,
		Message:  fmt.Sprintf("a compaction took %s, and no status event told so", c.Duration.Round(100*time.Millisecond)),
		Evidence: []finding.Evidence{at(c.Ref, finding.Recorded, "", "the compaction; no status event is seen while it ran")},
		Key:      "silent",
	})
}

// within reports whether the newest sign of life came while it ran.
func (k *silentCompaction) within(c *ledger.Compaction) bool {
	d := ledger.Elapsed(k.sign, c.Ref)
	return k.sign.Known() && !k.sign.Time.IsZero() && !c.Time.IsZero() && d <= c.Duration
}
