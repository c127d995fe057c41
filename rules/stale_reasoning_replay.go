package rules

import (
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var staleReasoningReplay = &Rule{
	ID:    "stale-reasoning-replay",
	Title: "Reasoning of finished turns is sent to the model again",
	Why: "What the log keeps for audit and what the model is sent are different things: replayed reasoning makes every later request heavier, " +
		"and nobody sees it, because it is neither a user's words nor a tool's.",
	Fix: "Keep the reasoning in the log, and drop that of finished turns from what is sent.",
	Silent: "Reasoning of the newest turn; what providers require to come back (DeepSeek reasoning on tool-call turns, signed Anthropic thinking, " +
		"encrypted OpenAI reasoning beside its call); copied prefixes of resumed and forked sessions; several records of one message. " +
		"Without request snapshots a replay is inferred from reasoning that later records carry again.",
	Group:     Context,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Reasoning, transcript.Request),
	Options: []Option{
		{Name: "min-bytes", Doc: "bytes of a thought before its copies count", Default: 200},
	},
	New: func(o Settings) Checker {
		return &replays{min: o.Int("min-bytes"), seen: map[uint64]thought{}}
	},
	Lacks: func(s *ledger.Session) string {
		if !s.Saw(transcript.Request) && !s.Saw(transcript.Reasoning) {
			return "the log holds neither request snapshots nor reasoning"
		}
		return ""
	},
}

type replays struct {
	min      int
	seen     map[uint64]thought
	requests []replayed
	copies   []replayed
}

type thought struct {
	ref ledger.Ref
	msg string
}

type replayed struct {
	ref      ledger.Ref
	first    ledger.Ref // copies: the original
	messages int
	bytes    int
	quote    string
}

func (k *replays) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Origin == transcript.Copied {
		return
	}
	if e.Kind == transcript.Request {
		k.request(s, e)
		return
	}
	k.reasoning(s, e)
}

// request counts the assistant messages of finished turns that carry
// reasoning in a request snapshot.
func (k *replays) request(s *ledger.Session, e *transcript.Event) {
	r := e.Request
	last := -1
	for i, m := range r.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	stale := replayed{ref: s.Ref(e)}
	for i, m := range r.Messages {
		if i < last && m.Reasoning > 0 && !required(r, m) {
			stale.messages++
			stale.bytes += m.Reasoning
		}
	}
	if stale.messages > 0 {
		k.requests = append(k.requests, stale)
	}
}

// required tells what a provider wants back: Anthropic drops older thinking
// itself, DeepSeek refuses tool-call turns that come without theirs.
func required(r *transcript.RequestInfo, m transcript.RequestMessage) bool {
	who := strings.ToLower(r.Provider + " " + r.Model)
	switch {
	case strings.Contains(who, "claude"), strings.Contains(who, "anthropic"):
		return true
	case strings.Contains(who, "deepseek"):
		return m.Calls
	}
	return false
}

// reasoning looks for thoughts that an earlier message already held.
func (k *replays) reasoning(s *ledger.Session, e *transcript.Event) {
	key, ok := k.identity(e)
	if !ok {
		return
	}
	old, again := k.seen[key]
	if !again {
		k.seen[key] = thought{ref: s.Ref(e), msg: ledger.Own(e.MsgID)}
		return
	}
	if old.msg != "" && old.msg == e.MsgID || old.ref.Line == e.Pos.Line {
		return // one message over several records
	}
	k.copies = append(k.copies, replayed{ref: s.Ref(e), first: old.ref, messages: 1, bytes: e.Text.Size(), quote: e.Text.Head(quoteLimit)})
}

// identity tells thoughts apart: by their signature, else by their words when
// there are enough of them.
func (k *replays) identity(e *transcript.Event) (uint64, bool) {
	if e.Reasoning != nil && len(e.Reasoning.Signature) >= 40 {
		return xxhash.Sum64String(e.Reasoning.Signature), true
	}
	if e.Text.Size() < k.min {
		return 0, false
	}
	return xxhash.Sum64String(e.Agent + "\x00" + e.Words()), true
}

func (k *replays) Finish(_ *ledger.Session, emit Emit) {
	if n := len(k.requests); n > 0 {
		first, last := k.requests[0], k.requests[n-1]
		emit(Hit{
			At: last.ref,
			Message: fmt.Sprintf("%s of finished turns %s reasoning again in the newest request (%d bytes); so in %s of this log",
				plural(last.messages, "message"), carry(last.messages), last.bytes, plural(n, "request")),
			Evidence: []finding.Evidence{
				at(first.ref, finding.Recorded, "", "the first request with stale reasoning: %s, %d bytes", plural(first.messages, "message"), first.bytes),
				at(last.ref, finding.Recorded, "", "the newest: %s, %d bytes", plural(last.messages, "message"), last.bytes),
			},
			Key: "requests",
		})
	}
	if n := len(k.copies); n > 0 {
		c := k.copies[0]
		emit(Hit{
			At:      c.ref,
			Message: fmt.Sprintf("%s of reasoning %s copied into later records", plural(n, "piece"), isAre(n)),
			Quote:   c.quote,
			Evidence: []finding.Evidence{
				at(c.first, finding.Recorded, c.quote, "first written here"),
				at(c.ref, finding.Recorded, c.quote, "written again under another message"),
			},
			Inferred: true,
			Key:      "copies",
		})
	}
}

func carry(n int) string {
	if n == 1 {
		return "carries"
	}
	return "carry"
}
