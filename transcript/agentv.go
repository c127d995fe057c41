package transcript

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// AgentV transcripts: one message of an evaluation run a line, in the shape of
// chat messages. A call carries its own output.
//
//	record                       event
//	test_id, source.session_id   Session, when they change
//	role, content, tool_calls    as in chat messages, tool_calls[].output as ToolResult
var agentvFormat = &Format{
	Name:  "agentv",
	Title: "AgentV transcript",
	Sniff: sniffAgentv,
	New:   func() Decoder { return &agentv{} },
}

func sniffAgentv(head []jsonl.Probe) int {
	for _, p := range head {
		if strings.HasPrefix(p.Root.Get("schema_version").Str(), "agentv.transcript.") {
			return 95
		}
	}
	return 0
}

type agentv struct {
	talk
	run string
}

func (a *agentv) Flush(Emit) {}

func (a *agentv) Decode(rec *jsonl.Record, emit Emit) {
	a.begin(rec, emit)
	r := rec.Root
	source := r.Get("source")
	a.base.Time = parseTime(source.Get("timestamp"))
	run := source.Get("session_id").Str() + "/" + r.Get("test_id").Str()
	if run != a.run {
		start := a.run != ""
		a.run = strings.Clone(run)
		a.send(Session, r, func(e *Event) {
			e.Session = &SessionInfo{Start: start, ID: a.run, Model: source.At("metadata", "model").Str()}
		})
		a.turnOver()
	}
	if !a.message(r) {
		a.send(Unknown, r, nil)
	}
}
