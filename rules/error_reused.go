package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var errorReused = &Rule{
	ID:    "error-reused",
	Title: "A value that only a failed result holds is used in a call with side effects",
	Why:   "What a failed or killed call printed is at most an observation: the record behind the id may not exist, or may be half done.",
	Fix:   "Look the value up again with a call that ends ok before acting on it.",
	Silent: "Values that also stand in any other text, before or since; errors that name the value as what exists, is expected or should be used; calls that only look; texts, names and paths. " +
		"A value from a call that was killed is an error, one from a call that failed a warning, as many errors are meant to be read.",
	Group:     ToolUse,
	Level:     finding.Error,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall, transcript.ToolResult),
	New:       func(Settings) Checker { return &reused{failed: map[uint64]*ledger.Call{}} },
}

// mostFailed bounds the values that are kept of failed results.
const mostFailed = 2048

type reused struct {
	silent
	seen   shown
	failed map[uint64]*ledger.Call // values that only failed results hold
}

func (k *reused) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	switch {
	case e.Kind == transcript.ToolCall:
		k.call(s, e, emit)
	case e.Kind == transcript.ToolResult && s.Call != nil && s.Call.Result != nil && failedOutright(s.Call):
		k.fail(s, e)
	case e.Kind == transcript.Message && e.Actor == transcript.Assistant:
	default:
		k.show(s, e)
	}
}

// failedOutright reports whether a result cannot be relied on, and does not
// say itself what to use instead.
func failedOutright(c *ledger.Call) bool {
	t := c.Term()
	return (t.Bad() || c.Result.Error == transcript.True) && !c.Result.NotRun && !advises(c.Result.Head) && !advises(c.Result.Tail)
}

func (k *reused) fail(s *ledger.Session, e *transcript.Event) {
	for tokens := range s.Tokens(e) {
		for _, v := range tokens.Values {
			if len(k.failed) < mostFailed && !k.seen.Has(v) && k.failed[v] == nil {
				k.failed[v] = s.Call
			}
		}
	}
}

// show takes in a text that can be relied on.
func (k *reused) show(s *ledger.Session, e *transcript.Event) {
	for tokens := range s.Tokens(e) {
		k.seen.take(tokens.Values)
		for _, v := range tokens.Values {
			if len(k.failed) == 0 {
				break
			}
			delete(k.failed, v)
		}
	}
}

func (k *reused) call(s *ledger.Session, e *transcript.Event, emit Emit) {
	defer k.seen.event(s, e)
	if s.Call == nil || e.Origin == transcript.Copied || !actsOutside(s.Call) {
		return
	}
	for _, v := range inputs(s.Call, e.Call.Args) {
		from := k.failed[ledger.KeyOf([]byte(v))]
		if from == nil || k.seen.knows(v) {
			continue
		}
		level := finding.Warning
		if from.Term().Unfinished() {
			level = finding.Error
		}
		emit(Hit{
			At:       s.Call.Ref,
			Message:  name(s.Call) + " acts on " + v + ", which only the result of " + name(from) + " holds, and that ended " + ended(from.Term()),
			Quote:    v,
			Evidence: append(evidenceOfEnd(from), at(s.Call.Ref, finding.Recorded, v, "the value is used here")),
			Level:    level,
			Key:      from.ID + "/" + v,
		})
		return
	}
}
