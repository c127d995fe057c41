package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var argumentFromNowhere = &Rule{
	ID:    "argument-from-nowhere",
	Title: "An id passed to a call with side effects stands in nothing that was shown before",
	Why:   "An id that the model was never shown is remembered, guessed or made up: the call may act on somebody else's record.",
	Fix:   "Look the id up first, and pass on what was found.",
	Silent: "Everything that a model may compose: texts, names, paths, branches, round numbers, dates; values that stand in any text of the log, shortened hashes too; calls that only look; " +
		"variables; logs that begin in the middle. System prompts that the log does not hold may have shown it, so it is a note.",
	Group:     ToolUse,
	Level:     finding.Note,
	Precision: finding.Low,
	Wants:     transcript.Kinds(transcript.Message, transcript.Reasoning, transcript.ToolCall, transcript.ToolResult, transcript.Job, transcript.Queue),
	New:       func(Settings) Checker { return &nowhere{} },
	Lacks: func(s *ledger.Session) string {
		if s.BeginsInside() {
			return "the log begins in the middle of the session"
		}
		return ""
	},
}

type nowhere struct {
	silent
	seen shown
}

func (k *nowhere) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Kind == transcript.ToolCall && s.Call != nil {
		k.call(s, e, emit)
		k.seen.event(s, e)
		k.seen.text(transcript.TextOf(e.Call.Command))
		return
	}
	if e.Kind == transcript.Reasoning {
		return // what the model thinks up is not shown to it
	}
	k.seen.event(s, e)
	if e.Kind == transcript.Job {
		k.seen.text(e.Job.Output)
		k.seen.text(transcript.TextOf(e.Job.ID + " " + e.Job.Summary))
	}
}

func (k *nowhere) call(s *ledger.Session, e *transcript.Event, emit Emit) {
	if e.Origin == transcript.Copied || s.BeginsInside() || !actsOutside(s.Call) {
		return
	}
	for _, v := range inputs(s.Call, e.Call.Args) {
		if k.seen.knows(v) {
			continue
		}
		emit(Hit{
			At:       s.Call.Ref,
			Message:  "the value " + v + " passed to " + name(s.Call) + " stands in nothing that this log shows before",
			Quote:    v,
			Evidence: []finding.Evidence{at(s.Call.Ref, finding.Recorded, strings.Clone(v), "the call; the value is not seen before in this log")},
			Inferred: true,
			Key:      v,
		})
		return
	}
}
