package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var callWithoutResult = &Rule{
	ID:    "call-without-result",
	Title: "A tool call never got a result, and the model went on",
	Why: "The model went on as if it had an answer, or the record of what happened is lost. " +
		"Providers refuse a history in which a call has no result.",
	Fix: "Find out what the call did before relying on it: its result is not seen in this log.",
	Silent: "Calls of the newest turn of a live or torn log; abandoned branches; calls that the provider runs itself, that were cut by the length limit, " +
		"refused, or broken off by the user; questions and final answers; subagents that answer in another file; tools whose results this log never " +
		"keeps; logs with results that name no call; calls whose end is recorded as a job or an action; damage in the log behind the call (malformed-line). A call that was under way when the " +
		"history was compacted is a note.",
	Group:     Progress,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants: transcript.Kinds(transcript.ToolCall, transcript.ToolResult, transcript.Message, transcript.Reasoning, transcript.TurnEnd,
		transcript.Compaction, transcript.Fault),
	New: func(Settings) Checker { return &orphans{threads: map[string]*thread{}} },
	Lacks: func(s *ledger.Session) string {
		if s.Saw(transcript.ToolCall) && !s.Saw(transcript.ToolResult) {
			return "the log keeps no tool results"
		}
		return ""
	},
}

// orphans counts the answers of the model in each thread: a call is left
// behind when a later answer follows it. A call of the newest one may still
// run.
type orphans struct {
	threads map[string]*thread
	loose   bool // a result names no call: it may be any call's
}

type thread struct {
	answer  int             // ordinal of the model's newest answer
	msg     string          // its message id, where the format has one
	last    transcript.Kind // what the model did last, Unknown when another spoke since
	called  bool            // a call stands in the answer
	open    map[*ledger.Call]left
	results int
}

// left is a call without a result so far.
type left struct {
	answer    int
	compacted bool // the history was compacted while it was under way
}

func (o *orphans) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Kind == transcript.Fault {
		if e.Fault != nil && e.Pos.Length > 0 {
			o.damaged()
		}
		return
	}
	t := o.threads[e.Agent]
	if t == nil {
		t = &thread{open: map[*ledger.Call]left{}}
		o.threads[ledger.Own(e.Agent)] = t
	}
	switch {
	case e.Kind == transcript.TurnEnd && e.Turn.Bad:
		t.underWay(func(c *ledger.Call, _ left) { delete(t.open, c) }) // broken off: that accounts for it
	case e.Kind == transcript.Compaction:
		t.underWay(func(c *ledger.Call, l left) { t.open[c] = left{l.answer, true} })
	}
	t.hear(e)
	switch {
	case e.Kind == transcript.ToolCall && e.Origin != transcript.Copied:
		t.open[s.Call] = left{answer: t.answer}
	case e.Kind == transcript.ToolResult && s.Call == nil:
		o.loose = o.loose || e.Result.CallID == ""
	case e.Kind == transcript.ToolResult:
		t.results++
		for _, t := range o.threads { // a result may stand in another thread than its call
			delete(t.open, s.Call)
		}
	}
}

// damaged forgets what is open: a result may have stood in the bytes that
// could not be read.
func (o *orphans) damaged() {
	for _, t := range o.threads {
		t.underWay(func(c *ledger.Call, _ left) { delete(t.open, c) })
	}
}

// underWay calls f for the calls of the newest answer that have no result yet.
func (t *thread) underWay(f func(*ledger.Call, left)) {
	for c, l := range t.open {
		if l.answer == t.answer {
			f(c, l)
		}
	}
}

// hear tells the answers of the model apart: by their ids, else by what stands
// between them, or by words behind a call. Calls in a row are one answer.
func (t *thread) hear(e *transcript.Event) {
	if e.Actor != transcript.Assistant {
		t.last = transcript.Unknown
		return
	}
	inARow := t.last == transcript.ToolCall && e.Kind == transcript.ToolCall
	if t.last == transcript.Unknown || e.MsgID != t.msg && !inARow || e.MsgID == "" && t.called && e.Kind == transcript.Message {
		t.answer++
		t.called = false
	}
	t.last, t.msg = e.Kind, ledger.Own(e.MsgID)
	t.called = t.called || e.Kind == transcript.ToolCall
}

func (o *orphans) Finish(s *ledger.Session, emit Emit) {
	if o.loose {
		return
	}
	answered := map[string]bool{}
	for _, c := range s.Calls {
		answered[c.Tool] = answered[c.Tool] || c.Result != nil
	}
	var lost []*ledger.Call
	for _, c := range s.Calls {
		l, ok := o.leftBehind(c)
		if !ok || !answered[c.Tool] || accounted(s, c) {
			continue
		}
		if len(lost) > 0 && (lost[0].Agent != c.Agent || o.threads[c.Agent].open[lost[0]] != l) {
			emit(o.hit(lost))
			lost = nil
		}
		lost = append(lost, c)
	}
	if len(lost) > 0 {
		emit(o.hit(lost))
	}
}

// leftBehind reports whether the model went on without a call's result. A
// thread without any result keeps them elsewhere.
func (o *orphans) leftBehind(c *ledger.Call) (left, bool) {
	t := o.threads[c.Agent]
	if t == nil || t.results == 0 {
		return left{}, false
	}
	l, open := t.open[c]
	return l, open && l.answer < t.answer
}

// accounted reports whether something else than a result says what became of
// a call, or why it has none.
func accounted(s *ledger.Session, c *ledger.Call) bool {
	if c.Server || c.ID == "" || c.JobID != "" || c.Stopped == "length" || c.Act == transcript.Ask || c.Act == transcript.Finish || s.Abandoned(c) {
		return true
	}
	if a := s.ApprovalByID(c.ID); a != nil {
		if v := a.State(0).Verb; v != transcript.Approved {
			return true
		}
	}
	return s.DeedByID(c.ID) != nil || s.CancelOf(c.ID) != nil
}

// hit tells the calls that one answer of the model left behind.
func (o *orphans) hit(calls []*ledger.Call) Hit {
	first := calls[0]
	what, has := name(first)+" ("+first.Tool+")", "has"
	if n := len(calls) - 1; n > 0 {
		what, has = what+" and "+plural(n, "further call")+" of the same answer", "have"
	}
	hit := Hit{At: first.Ref, Message: what + " " + has + " no result in this log, and the model went on", Quote: first.Command, Key: first.ID}
	if o.threads[first.Agent].open[first].compacted {
		hit.Level, hit.Message = finding.Note, what+" "+has+" no result in this log: the history was compacted in the meantime"
	}
	for i, c := range calls {
		if i == 4 {
			break
		}
		hit.Evidence = append(hit.Evidence, at(c.Ref, finding.Recorded, c.Command, "the call %s; its result is not seen in this log", c.ID))
	}
	return hit
}
