package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// inOneLine is an event in one line: what rules go by.
func inOneLine(e *Event) string {
	s := e.Kind.String()
	put := func(format string, args ...any) { s += " " + fmt.Sprintf(format, args...) }
	switch {
	case e.Call != nil:
		put("%s %s", e.Call.ID, e.Call.Act)
		if e.Call.Command != "" {
			put("%q", e.Call.Command)
		}
		if len(e.Call.Argv) > 0 {
			put("%q", e.Call.Argv)
		}
	case e.Result != nil:
		r := e.Result
		put("%s %s", r.CallID, r.Term.Kind)
		if r.Term.HasCode {
			put("code=%d", r.Term.Code)
		}
		if r.Term.Signal != "" {
			put("%s", r.Term.Signal)
		}
		for _, t := range r.Told {
			put("%s=%s%s", t.Field, t.Value, [...]string{"?", "-", "+"}[t.Good])
		}
		if r.Bare {
			put("bare")
		}
		if r.Repeats {
			put("again")
		}
		if len(r.Markers) > 0 {
			put("%q", r.Markers)
		}
	case e.Decision != nil:
		put("%s %s%s", e.Decision.Verb, e.Decision.ID, e.Decision.CallID)
		if e.Decision.By != ByUnknown {
			put("by %s", e.Decision.By)
		}
		if !e.Decision.Expires.IsZero() {
			put("until %d", e.Decision.Expires.Unix())
		}
		if e.Decision.Reason != "" {
			put("%s", e.Decision.Reason)
		}
	case e.Cancel != nil:
		put("%s %s>%s", cancelNames[e.Cancel.Verb], e.Cancel.ID, e.Cancel.Target)
		if e.Cancel.Reason != "" {
			put("%s", e.Cancel.Reason)
		}
	case e.Action != nil:
		put("%s %s(%s)", actionNames[e.Action.Verb], e.Action.ID, e.Action.Approval)
	case e.Kind == Message:
		put("%s/%s", e.Actor, roleNames[e.Role])
	}
	if text := e.Text.String(); text != "" {
		put("%q", text)
	}
	if !e.Time.IsZero() {
		put("@%d", e.Time.Unix())
	}
	return s
}

func toldAll(es []Event) []string {
	var out []string
	for i := range es {
		out = append(out, inOneLine(&es[i]))
	}
	return out
}

// A boundary is one scenario of the cancel and approval experiment, told in
// the vocabulary and as a harness would log it; twin is the change that turns
// it into what must not happen.
type boundary struct {
	name       string
	events     string
	records    string
	twin       string // in the vocabulary, behind the scenario or in place of its last lines
	twinRecord string
	cut        int // lines of the scenario that the twin replaces
}

var boundaries = []boundary{
	{
		name: "approved, used once, used again",
		events: `{"event":"decision","verb":"requested","id":"a1","expires_at":30,"time":0}
{"event":"decision","verb":"approved","id":"a1","by":"human","time":10}
{"event":"decision","verb":"consumed","id":"a1","time":12}
{"event":"action","verb":"effect","id":"w1","approval":"a1","time":13}
{"event":"decision","verb":"consume_refused","id":"a1","reason":"APPROVAL_ALREADY_CONSUMED","time":14}`,
		records: `{"type":"approval.requested","id":"a1","expires_at":30,"ts":0}
{"type":"approval.approved","id":"a1","by":"user","ts":10}
{"type":"approval.consumed","id":"a1","ts":12}
{"type":"action.effect","action_id":"w1","approval_id":"a1","ts":13}
{"type":"approval.consume","id":"a1","outcome":"refused","code":"APPROVAL_ALREADY_CONSUMED","ts":14}`,
		cut:        1,
		twin:       `{"event":"decision","verb":"consumed","id":"a1","time":14}`,
		twinRecord: `{"type":"approval","state":"consumed","id":"a1","ts":14}`,
	},
	{
		name: "cancelled while pending, then tried",
		events: `{"event":"decision","verb":"requested","id":"a1"}
{"event":"cancel","verb":"requested","target":"a1"}
{"event":"cancel","verb":"accepted","target":"a1"}
{"event":"decision","verb":"withdrawn","id":"a1"}
{"event":"action","verb":"rejected","id":"w1","approval":"a1","reason":"APPROVAL_NOT_APPROVED"}`,
		records: `{"event":"approval_request","request_id":"a1"}
{"event":"approval.cancel.requested","approval_id":"a1"}
{"event":"approval.cancel.accepted","approval_id":"a1"}
{"event":"approval","state":"cancelled","approval_id":"a1"}
{"event":"execute","action_id":"w1","approval_id":"a1","outcome":"refused","code":"APPROVAL_NOT_APPROVED"}`,
		cut:        1,
		twin:       `{"event":"action","verb":"effect","id":"w1","approval":"a1"}`,
		twinRecord: `{"event":"effect","action_id":"w1","approval_id":"a1","count":1}`,
	},
	{
		name: "never approved, past the deadline",
		events: `{"event":"decision","verb":"requested","id":"a1","expires_at":30,"time":0}
{"event":"decision","verb":"expired","id":"a1","time":31}
{"event":"decision","verb":"approve_refused","id":"a1","reason":"APPROVAL_EXPIRED","time":32}`,
		records: `{"type":"human_wait.started","id":"a1","timeout_s":30,"t":0}
{"type":"humanWait.timeout","id":"a1","t":31}
{"type":"approval.approve","requestId":"a1","status":"rejected","code":"APPROVAL_EXPIRED","t":32}`,
		cut:        1,
		twin:       `{"event":"decision","verb":"approved","id":"a1","time":32}`,
		twinRecord: `{"type":"approval-approved","requestId":"a1","t":32}`,
	},
	{
		name: "approved in time, used after the deadline",
		events: `{"event":"decision","verb":"requested","id":"a1","expires_at":30,"time":0}
{"event":"decision","verb":"approved","id":"a1","time":20}
{"event":"action","verb":"effect","id":"w1","approval":"a1","time":31}`,
		records: `{"type":"awaiting_human","approvalId":"a1","deadline":30,"time":0}
{"type":"approval","decision":"approved","approvalId":"a1","time":20}
{"type":"actionEffect","actionId":"w1","approvalId":"a1","time":31}`,
		cut: 2,
		twin: `{"event":"decision","verb":"approved","id":"a1","time":31}
{"event":"action","verb":"effect","id":"w1","approval":"a1","time":32}`,
		twinRecord: `{"type":"approval","approved":true,"approvalId":"a1","time":31}
{"type":"action","state":"executed","actionId":"w1","approvalId":"a1","time":32}`,
	},
	{
		name: "waiting inside the executor, cancel refused, effect",
		events: `{"event":"action","verb":"entered","id":"w1","approval":"a1"}
{"event":"cancel","verb":"requested","id":"k1","target":"a1"}
{"event":"cancel","verb":"refused","id":"k1","target":"a1","reason":"APPROVAL_NOT_PENDING"}
{"event":"action","verb":"effect","id":"w1","approval":"a1"}`,
		records: `{"type":"approval.executing","approval_id":"a1","action_id":"w1"}
{"type":"cancel","id":"k1","target":"a1","outcome":"refused","code":"APPROVAL_NOT_PENDING"}
{"type":"action","state":"effect","action_id":"w1","approval_id":"a1"}`,
		cut: 2,
		twin: `{"event":"cancel","verb":"accepted","id":"k1","target":"a1"}
{"event":"action","verb":"effect","id":"w1","approval":"a1"}`,
		twinRecord: `{"type":"cancel","id":"k1","target":"a1","accepted":true}
{"type":"effect.applied","action_id":"w1","approval_id":"a1"}`,
	},
	{
		name: "the same, with a check after the wait",
		events: `{"event":"action","verb":"entered","id":"w1"}
{"event":"cancel","verb":"requested","id":"k1","target":"a1"}
{"event":"cancel","verb":"refused","id":"k1","target":"a1","reason":"APPROVAL_NOT_PENDING"}
{"event":"action","verb":"checked","id":"w1"}
{"event":"action","verb":"aborted","id":"w1"}`,
		records: `{"type":"action.entered","id":"w1"}
{"type":"cancel.requested","id":"k1","target":"a1"}
{"type":"cancel-refused","id":"k1","target":"a1","error":"APPROVAL_NOT_PENDING"}
{"type":"action.checked","id":"w1"}
{"type":"action.aborted","id":"w1"}`,
		cut: 2,
		twin: `{"event":"action","verb":"aborted","id":"w1"}
{"event":"action","verb":"effect","id":"w1"}`,
		twinRecord: `{"type":"action.aborted","id":"w1"}
{"type":"action.effect","id":"w1"}`,
	},
	{
		name: "cancel after the effect",
		events: `{"event":"action","verb":"started","id":"w1"}
{"event":"action","verb":"effect","id":"w1"}
{"event":"cancel","verb":"requested","target":"w1"}
{"event":"cancel","verb":"refused","target":"w1","reason":"APPROVAL_NOT_PENDING"}
{"event":"action","verb":"settled","id":"w1"}`,
		records: `{"type":"action.started","id":"w1"}
{"type":"action.effect","id":"w1"}
{"type":"cancel.requested","target":"w1"}
{"type":"cancel.receipt","status":"refused","target":"w1","code":"APPROVAL_NOT_PENDING"}
{"type":"action.settled","id":"w1"}`,
		twin:       `{"event":"cancel","verb":"told","target":"w1"}`,
		twinRecord: `{"type":"status","id":"w1","status":"cancelled"}`,
	},
	{
		name: "an answer that is delivered",
		events: `{"event":"decision","verb":"requested","id":"r1","call":"c1"}
{"event":"decision","verb":"delivered","id":"r1"}`,
		records: `{"type":"permission_request","request_id":"r1","call_id":"c1"}
{"type":"approval.reply","request_id":"r1","sent":true}`,
		cut:        1,
		twin:       `{"event":"decision","verb":"not_delivered","id":"r1"}`,
		twinRecord: `{"type":"approval.reply","request_id":"r1","sent":false}`,
	},
	{
		name: "session cancelled while the answer is on its way",
		events: `{"event":"decision","verb":"requested","id":"r1"}
{"event":"cancel","verb":"requested","target":"s1"}
{"event":"cancel","verb":"accepted","target":"s1"}
{"event":"decision","verb":"not_delivered","id":"r1"}`,
		records: `{"type":"approval.requested","request_id":"r1"}
{"type":"session.cancel.requested","session_id":"s1"}
{"type":"session.cancel.accepted","session_id":"s1"}
{"type":"approval_response.suppressed","request_id":"r1"}`,
		cut:        1,
		twin:       `{"event":"decision","verb":"delivered","id":"r1"}`,
		twinRecord: `{"type":"approval_response.sent","request_id":"r1"}`,
	},
	{
		name: "a request that comes after the session was cancelled",
		events: `{"event":"cancel","verb":"requested","target":"s1"}
{"event":"cancel","verb":"accepted","target":"s1"}
{"event":"decision","verb":"requested","id":"r1"}
{"event":"decision","verb":"not_delivered","id":"r1"}`,
		records: `{"type":"session_cancel","session_id":"s1","status":"accepted"}
{"type":"approval_requested","request_id":"r1"}
{"type":"approval_not_delivered","request_id":"r1"}`,
		cut:        1,
		twin:       `{"event":"decision","verb":"delivered","id":"r1"}`,
		twinRecord: `{"type":"approval_delivered","request_id":"r1"}`,
	},
}

func cutLines(s string, n int) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[:len(lines)-n], "\n")
}

func TestBoundaryScenarios(t *testing.T) {
	for _, b := range boundaries {
		t.Run(b.name, func(t *testing.T) {
			sameSteps(t, b.events, b.records)
			sameSteps(t, cutLines(b.events, b.cut)+"\n"+b.twin, cutLines(b.records, b.cut)+"\n"+b.twinRecord)
		})
	}
}

func sameSteps(t *testing.T, events, records string) {
	t.Helper()
	want := toldAll(eventsOf(t, eventsFormat, events))
	got := toldAll(eventsOf(t, eventsFormat, records))
	if !slices.Equal(got, want) {
		t.Errorf("as records:\n  %s\nin the vocabulary:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	for _, line := range want {
		if strings.HasPrefix(line, "unknown") || strings.HasSuffix(line, " ") && !strings.Contains(line, "decision") {
			t.Errorf("not understood: %s", line)
		}
	}
}

func TestToolRecords(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{
			name: "compacted after a timeout",
			in:   `{"tool":"pytest","status":"failed_or_incomplete","termination":{"kind":"timeout","exit_code":null,"signal_name":"SIGTERM","timed_out":true,"duration_ms":301},"must_rerun":true,"stdout_tail_observed":"PASS","success_like_markers_observed":["PASS"],"notes":"tests passed"}`,
			want: []string{
				`tool_call record-1 shell "pytest"`,
				`tool_result record-1 timeout SIGTERM status=failed_or_incomplete- kind=timeout- signal_name=SIGTERM- timed_out=true- must_rerun=true- ["PASS"] "PASS"`,
				`message assistant/notes "tests passed"`,
			},
		},
		{
			name: "camel case, no tool",
			in:   `{"status":"succeeded","termination":{"kind":"ok","exitCode":0,"timedOut":false},"mustRerun":false,"observedMarkers":[]}`,
			want: []string{`tool_call record-1 other`, `tool_result record-1 ok code=0 status=succeeded+ kind=ok+ exit_code=0+ timed_out=false? must_rerun=false+`},
		},
		{
			name: "kebab case",
			in:   `{"tool-name":"bash","command":"make","exit-code":2,"timed-out":false,"id":"c1"}`,
			want: []string{`tool_call c1 shell "make"`, `tool_result c1 nonzero code=2 exit_code=2- timed_out=false?`},
		},
		{
			name: "flat, killed, as Python tells it",
			in:   `{"tool":"shell","argv":["go","test"],"returncode":-15,"stdout":"ok a","stderr":"x","cwd":"/w","call_id":"c1"}`,
			want: []string{`tool_call c1 shell ["go" "test"]`, `tool_result c1 signalled code=-15 SIGTERM exit_code=-15- "ok a\nx"`},
		},
		{
			name: "a limit in sight makes 143 a timeout",
			in:   `{"tool":"shell","command":"x","exit_code":143,"timeout_ms":1000,"duration_ms":1003,"id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c timeout code=143 SIGTERM exit_code=143-`},
		},
		{
			name: "143 alone is a signal",
			in:   `{"tool":"shell","command":"x","exit_code":143,"id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c signalled code=143 SIGTERM exit_code=143-`},
		},
		{
			name: "facts that disagree: the worse one counts, both are told",
			in:   `{"tool":"shell","command":"x","success":true,"exit_code":1,"id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c nonzero code=1 success=true+ exit_code=1-`},
		},
		{
			name: "no fact about the process",
			in:   `{"tool":"shell","command":"x","status":"succeeded","stdout":"PASS","id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c ok status=succeeded+ bare "PASS"`},
		},
		{
			name: "over, but how",
			in:   `{"tool":"shell","command":"x","status":"completed","id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c unknown status=completed? bare`},
		},
		{
			name: "still running",
			in:   `{"tool":"shell","command":"x","status":"running","id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c still-running status=running? bare`},
		},
		{
			name: "denied",
			in:   `{"tool":"shell","command":"x","termination":{"kind":"denied"},"id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c denied kind=denied-`},
		},
		{
			name: "the output begins with the limit that the flag denies",
			in:   `{"tool":"shell","command":"x","timeout":false,"exit_code":-1,"output":"Command timed out after 120 seconds","id":"c"}`,
			want: []string{`tool_call c shell "x"`, `tool_result c timeout code=-1 timeout=false+ exit_code=-1- output=Command timed out after 120 seconds- "Command timed out after 120 seconds"`},
		},
		{
			name: "error text",
			in:   `{"tool":"read_file","id":"c","success":false,"error":"no such file"}`,
			want: []string{`tool_call c read`, `tool_result c nonzero success=false- error=no such file-`},
		},
		{
			name: "call and result apart, and the record of a compaction later",
			in: `{"type":"tool_call","id":"c1","tool":"shell","command":"make test"}
{"type":"tool_result","id":"c1","tool":"shell","exit_code":143,"stdout":"PASS"}
{"type":"compaction","records":[{"id":"c1","tool":"shell","status":"succeeded","termination":{"kind":"ok"},"notes":"verified"}],"summary":"all verified"}`,
			want: []string{
				`tool_call c1 shell "make test"`,
				`tool_result c1 signalled code=143 SIGTERM exit_code=143- "PASS"`,
				`compaction`,
				`tool_result c1 ok status=succeeded+ kind=ok+ again`,
				`message assistant/notes "verified"`,
				`message assistant/summary "all verified"`,
			},
		},
		{
			name: "an array on one line",
			in:   `[{"tool":"shell","command":"a","exit_code":0},{"tool":"shell","command":"b","exit_code":1}]`,
			want: []string{`tool_call record-1/0 shell "a"`, `tool_result record-1/0 ok code=0 exit_code=0+`, `tool_call record-1/1 shell "b"`, `tool_result record-1/1 nonzero code=1 exit_code=1-`},
		},
		{
			name: "a mixed log",
			in: `{"event":"message","actor":"human","text":"go"}
{"role":"assistant","content":"on it"}
{"tool":"shell","command":"a","exit_code":0,"id":"c"}
{"type":"heartbeat"}
{"type":"approval.requested","tool":"shell","command":"rm -r x","id":"a1","status":"pending"}
{"type":"frobnicated"}`,
			want: []string{
				`message human/prose "go"`, `message assistant/prose "on it"`, `tool_call c shell "a"`, `tool_result c ok code=0 exit_code=0+`, `status`,
				`decision requested a1`, `unknown`,
			},
		},
		{
			name: "a timeout that was put down as a yes",
			in:   `{"type":"human_wait.timeout","id":"a1","decision":"approved","waited_s":30}`,
			want: []string{`decision expired a1`, `decision approved a1 by default`},
		},
		{
			name: "the same as a tool record",
			in:   `{"tool":"ask_human","id":"c","status":"approved","termination":{"kind":"timeout","timed_out":true}}`,
			want: []string{`tool_call c ask`, `tool_result c timeout status=approved? kind=timeout- timed_out=true-`, `decision expired c`, `decision approved c by default`},
		},
		{
			name: "cancels",
			in: `{"type":"cancelRequested","cancelId":"k","target":"c"}
{"type":"approval_cancel_refused","approval_id":"a","code":"APPROVAL_NOT_PENDING"}
{"type":"session.cancelled","session_id":"s"}
{"type":"cancel.ack","target":"c"}
{"id":"j","state":"stopped"}`,
			want: []string{`cancel requested k>c`, `cancel refused >a APPROVAL_NOT_PENDING`, `cancel told >s`, `cancel accepted >c`, `cancel told >j`},
		},
		{
			name: "no list of records",
			in:   `{"type":"session","id":"s","tools":[{"name":"shell"}]}`,
			want: []string{`session`},
		},
		{
			name: "a message in an envelope",
			in:   `{"type":"message","message":{"role":"user","content":[{"type":"text","text":"go"}]}}`,
			want: []string{`message human/prose "go"`},
		},
		{
			name: "decisions in one word",
			in: `{"type":"user_approved","approval_id":"a1"}
{"status":"denied","request_id":"a2"}
{"type":"awaiting_human","status":"escalated","id":"a3"}
{"type":"auto_approved","id":"a4"}
{"type":"toolApprovalDeniedByHook","id":"a5"}
{"type":"approval.policy_approved","id":"a6"}
{"type":"approval.approved","id":"a7","code":"APPROVAL_EXPIRED"}
{"type":"APPROVAL_EXPIRED","id":"a8"}`,
			want: []string{
				`decision approved a1 by human`, `decision denied a2`, `decision escalated a3`, `decision approved a4 by policy`,
				`decision denied a5 by hook`, `decision approved a6 by policy`, `decision approved a7 APPROVAL_EXPIRED`, `decision expired a8`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := toldAll(eventsOf(t, eventsFormat, c.in+"\n")); !slices.Equal(got, c.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

// A record that json.dumps(indent=2) prints arrives in pieces.
func TestPrettyPrintedRecords(t *testing.T) {
	one := `{
  "tool": "pytest",
  "argv": [
    "pytest",
    "-q"
  ],
  "termination": {
    "kind": "timeout",
    "timed_out": true
  },
  "must_rerun": true,
  "notes": "tests passed"
}
`
	want := []string{
		`tool_call record-2 shell ["pytest" "-q"]`,
		`tool_result record-2 timeout kind=timeout- timed_out=true- must_rerun=true-`,
		`message assistant/notes "tests passed"`,
	}
	for _, name := range []string{"given", "found"} {
		format := eventsFormat
		if name == "found" {
			format = nil
		}
		got := eventsOf(t, format, one)
		if !slices.Equal(toldAll(got), want) {
			t.Errorf("format %s:\n  %s", name, strings.Join(toldAll(got), "\n  "))
		}
		if got[2].Pos.Pointer != "/notes" || got[0].Pos.Line == 0 {
			t.Errorf("wrong place: %+v", got[2].Pos)
		}
	}
	two := toldAll(eventsOf(t, eventsFormat, one+one))
	if len(two) != 6 {
		t.Errorf("two documents: %q", two)
	}
	list := "{\n \"session\": \"s1\",\n \"records\": [\n" + strings.TrimSpace(one) + ",\n" + strings.TrimSpace(one) + "\n ],\n \"summary\": \"fine\"\n}\n"
	got := toldAll(eventsOf(t, nil, list))
	if len(got) != 7 || got[6] != `message assistant/summary "fine"` {
		t.Errorf("a document of records: %q", got)
	}
}
