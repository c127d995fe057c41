package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var resultWithoutCall = &Rule{
	ID:    "result-without-call",
	Title: "A tool result belongs to no call in this log",
	Why: "Nobody can tell what was done to get it, and providers refuse a history in which a result has no call: " +
		"the call was lost, or its id was changed.",
	Fix: "Keep call and result together when history is cut, healed or copied.",
	Silent: "Results before the log's first call (the log may be a part) or behind a compaction boundary; results without an id; further words about a " +
		"result that was told before; copied history; damage in the log before the result (malformed-line); records of a tool run that stand for themselves.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall, transcript.ToolResult, transcript.Compaction, transcript.Fault),
	New:       func(Settings) Checker { return &strays{} },
	Lacks: func(s *ledger.Session) string {
		if s.Saw(transcript.ToolResult) && !s.Saw(transcript.ToolCall) {
			return "the log keeps no tool calls"
		}
		return ""
	},
}

// strays tells the results without a call once a session, with their count.
type strays struct {
	called bool // a call was seen since the log, or its newest history, began
	first  ledger.Ref
	id     string
	head   string
	count  int
	broken bool // bytes were lost that may have held the calls
}

func (t *strays) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	switch e.Kind {
	case transcript.ToolCall:
		t.called = true
	case transcript.Compaction:
		t.called = false
	case transcript.Fault:
		t.broken = t.broken || e.Fault != nil && e.Pos.Length > 0
	case transcript.ToolResult:
		r := e.Result
		if s.Call != nil || r.CallID == "" || r.Repeats || r.Contract || e.Origin == transcript.Copied || !t.called || t.broken {
			return
		}
		if t.count++; t.count == 1 {
			t.first, t.id, t.head = s.Ref(e), ledger.Own(r.CallID), transcript.Keep(e.Text.Head(quoteLimit), quoteLimit)
		}
	}
}

func (t *strays) Finish(_ *ledger.Session, emit Emit) {
	if t.count == 0 {
		return
	}
	message := "the result " + t.id + " belongs to no call in this log"
	if t.count > 1 {
		message = plural(t.count, "result") + " belong to no call in this log, " + t.id + " is the first of them"
	}
	emit(Hit{At: t.first, Message: message, Quote: t.head, Evidence: []finding.Evidence{at(t.first, finding.Recorded, t.head, "the result; its call is not seen in this log")}, Key: t.id})
}
