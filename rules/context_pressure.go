package rules

import (
	"fmt"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var contextPressure = &Rule{
	ID:    "context-pressure",
	Title: "The context grew past the soft window and nothing brought it back",
	Why: "Beyond the soft window every request costs more and finds less: instructions and evidence drown in old output, and the hard limit " +
		"comes without warning.",
	Fix: "Compact, or start a new session with what is needed; keep big outputs in files and read parts of them.",
	Silent: "Contexts that a compaction brought back within the given requests; running totals, which are no context; models whose window neither the log nor the " +
		"table of models tells; contexts of subagents. Harnesses that compact at four fifths of the window by design are common, so it is a note below nine tenths.",
	Group:     Context,
	Level:     finding.Warning,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Usage, transcript.Compaction, transcript.ToolResult, transcript.Reasoning, transcript.Message),
	Options: []Option{
		{Name: "soft-share", Doc: "part of the model's window that is the soft window", Default: ledger.SoftShare},
		{Name: "soft-tokens", Doc: "tokens that the soft window never exceeds", Default: ledger.SoftTokens},
		{Name: "requests", Doc: "requests past the soft window before it is a finding", Default: 20},
		{Name: "hard-share", Doc: "part of the window from which it is a warning and not a note", Default: 0.9},
		{Name: "window", Doc: "the model's window in tokens, 0: what the log or the table says", Default: 0},
	},
	New: func(o Settings) Checker {
		return &pressure{share: o.Float("soft-share"), most: o.Int("soft-tokens"), min: o.Int("requests"), hard: o.Float("hard-share"), window: int64(o.Int("window"))}
	},
	Lacks: lacksWindow,
}

// lacksWindow says why rules about the context's size cannot judge a session.
func lacksWindow(s *ledger.Session) string {
	switch {
	case s.Peak == 0:
		return "the log does not tell the size of single requests"
	case s.WindowOf("") == 0:
		return "the window of the model is not known"
	}
	return ""
}

type pressure struct {
	share, hard float64
	most        int
	min         int
	window      int64

	past    int // requests past the soft window since the newest compaction
	first   ledger.Ref
	soft    int64
	peak    int64
	msg     string
	sources [3]int // bytes of tool output, reasoning, messages since the newest compaction
	worst   *Hit
	worstN  int
	periods int
}

func (k *pressure) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Origin == transcript.Copied || e.Agent != "" {
		return
	}
	switch e.Kind {
	case transcript.ToolResult:
		k.sources[0] += e.Text.Size()
	case transcript.Reasoning:
		k.sources[1] += e.Text.Size()
	case transcript.Message:
		k.sources[2] += e.Text.Size()
	case transcript.Compaction:
		if c := e.Compaction; !c.Begin && c.Failed == "" && !c.Micro {
			k.close()
		}
	case transcript.Usage:
		k.usage(s, e)
	}
}

func (k *pressure) usage(s *ledger.Session, e *transcript.Event) {
	window := k.window
	if window == 0 {
		window = s.WindowOf(e.Usage.Model)
	}
	soft := ledger.SoftWindow(window, k.share, k.most)
	switch {
	case e.Usage.Context == 0 || soft == 0 || e.MsgID != "" && e.MsgID == k.msg:
		return
	case e.Usage.Context <= soft:
		k.close() // the harness brought it back by other means
		return
	}
	k.msg = ledger.Own(e.MsgID)
	if soft > k.soft && k.past > 0 {
		k.past, k.worst, k.worstN = 0, nil, 0 // the window is larger than it seemed
	}
	if k.past == 0 {
		k.first, k.soft, k.peak = s.Ref(e), soft, 0
	}
	k.past++
	k.peak = max(k.peak, e.Usage.Context)
	if k.past >= k.min && (k.worst == nil || k.past > k.worstN) {
		k.worst, k.worstN = k.hit(s.Ref(e), window), k.past
	}
}

func (k *pressure) hit(at1 ledger.Ref, window int64) *Hit {
	level := finding.Note
	if float64(k.peak) >= k.hard*float64(window) {
		level = finding.Warning
	}
	return &Hit{
		At:    k.first,
		Level: level,
		Message: fmt.Sprintf("the context stayed past the soft window of %d tokens for %s without a compaction, up to %d of %d; it grew by %s",
			k.soft, plural(k.past, "request"), k.peak, window, k.by()),
		Evidence: []finding.Evidence{
			at(k.first, finding.Recorded, "", "the first request past the soft window"),
			at(at1, finding.Recorded, "", "the newest one of the row"),
		},
		Key: "pressure",
	}
}

// by says what the context is made of, in the order of size.
func (k *pressure) by() string {
	sum := k.sources[0] + k.sources[1] + k.sources[2]
	if sum == 0 {
		return "text that this log does not hold"
	}
	names := [3]string{"tool output", "reasoning", "messages"}
	best := 0
	for i := range k.sources {
		if k.sources[i] > k.sources[best] {
			best = i
		}
	}
	return fmt.Sprintf("%s (%d %% of the text since)", names[best], 100*k.sources[best]/sum)
}

// close ends a period of pressure.
func (k *pressure) close() {
	if k.past >= k.min {
		k.periods++
	}
	k.past, k.sources = 0, [3]int{}
}

func (k *pressure) Finish(_ *ledger.Session, emit Emit) {
	k.close()
	if k.worst == nil {
		return
	}
	if k.periods > 1 {
		k.worst.Message += fmt.Sprintf(" (the longest of %d such stretches)", k.periods)
	}
	emit(*k.worst)
}
