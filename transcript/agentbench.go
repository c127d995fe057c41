package transcript

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// AgentBench runs: one run of a task a line.
//
//	record                           event                    termination from
//	index, error                     Session
//	output.history / user            the first is the task, the others are what came back: ToolResult
//	                                                          text: "... accepted and executed successfully", "Error in ..."
//	  / agent                        Message, ToolCall (GET, POST, a bash block, FINISH)
//	output.status                    TurnEnd
var agentbenchFormat = &Format{
	Name:  "agentbench",
	Title: "AgentBench runs",
	Sniff: sniffAgentbench,
	New:   func() Decoder { return &agentbench{} },
}

func sniffAgentbench(head []jsonl.Probe) int {
	for _, p := range head {
		if hasKeys(p.Keys, "index", "output") && p.Root.At("output", "history").Kind() == jsonl.Array {
			return 85
		}
	}
	return 0
}

type agentbench struct {
	talk
	begun bool
}

func (a *agentbench) Flush(Emit) {}

func (a *agentbench) Decode(rec *jsonl.Record, emit Emit) {
	a.begin(rec, emit)
	r := rec.Root
	out := r.Get("output")
	if out.Kind() != jsonl.Object {
		kind := Unknown
		if r.Get("index").Exists() {
			kind = Other
		}
		a.send(kind, r, nil)
		return
	}
	a.base.Time = parseTime(r.At("time", "timestamp"))
	start := a.begun
	a.send(Session, r, func(e *Event) { e.Session = &SessionInfo{Start: start, ID: idText(r.Get("index"))} })
	a.begun = true
	a.turnOver()
	for i, m := range out.Get("history").Elems() {
		content := m.Get("content")
		switch {
		case roleOf(m) == "assistant":
			a.agent(content)
		case i == 0:
			a.say(content, Harness, Prompt, TextView(content))
		default:
			a.back(content)
		}
	}
	status := out.Get("status").Str()
	failed := r.Get("error").Kind() == jsonl.String
	a.send(TurnEnd, out, func(e *Event) {
		e.Turn = &TurnInfo{Reason: cmp.Or(status, "unknown"), Session: true, Bad: failed || status != "completed"}
	})
}

var (
	benchRequest = regexp.MustCompile(`^(GET|POST) (\S+)`)
	benchBash    = regexp.MustCompile("(?s)Act: bash\\s+```bash\\s*\n(.*?)```")
	benchDone    = regexp.MustCompile(`(?:^|\n)(?:FINISH\(|Act: (?:finish|answer\())`)
)

// agent reads an agent's turn: its words, and the one action in it.
func (a *agentbench) agent(content jsonl.Value) {
	s := strings.TrimSpace(content.Str())
	inner := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(s, "```tool_code"), "```"), "\n")
	switch m := benchRequest.FindStringSubmatch(inner); {
	case m != nil:
		a.makeCall(content, &CallInfo{Tool: m[1], Act: External, Free: true, Args: content}, nil)
	case benchBash.MatchString(s):
		words, _, _ := strings.Cut(s, "Act: bash")
		a.spoken(content, TextOf(strings.TrimSpace(words)))
		a.makeCall(content, &CallInfo{Tool: "bash", Act: Shell, Free: true, Args: content, Command: strings.TrimSpace(benchBash.FindStringSubmatch(s)[1])}, nil)
	case benchDone.MatchString(inner):
		a.send(Message, content, func(e *Event) { e.Actor, e.Text, e.Final = Assistant, TextOf(s), True })
	default:
		a.spoken(content, TextView(content))
	}
}

// back reads what the environment answered.
func (a *agentbench) back(content jsonl.Value) {
	if len(a.open) == 0 {
		a.say(content, Harness, Notice, TextView(content))
		return
	}
	call := a.answer("", "")
	r := &ResultInfo{CallID: call.id, Tool: call.tool}
	switch line := firstLine(content.Head(headWindow)); {
	case strings.HasPrefix(line, "Here is the response from the GET request"), strings.HasPrefix(line, "POST request accepted and executed successfully"):
		r.byText(Termination{Kind: TermOK, Source: FromText, Quote: Keep(line, 120)})
	case strings.HasPrefix(line, "Error in "), strings.HasPrefix(line, "Invalid "):
		r.byText(Termination{Kind: TermNonzero, Source: FromText, Quote: Keep(line, 120)})
	default:
		genericEnd(r, call.act, TextView(content))
	}
	a.give(content, r, TextView(content))
}
