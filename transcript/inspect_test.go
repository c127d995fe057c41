package transcript

import "testing"

// inspectRun is a tool event.
func inspectRun(rest string) string {
	return `{"event":"tool","id":"c1","function":"bash","arguments":{"cmd":"make"},"timestamp":"2026-01-01T00:00:00Z",` + rest + `}`
}

const inspectRan = "tool_call c1 bash shell \"make\"\n\ttool_result c1 "

var inspectFacts = []fact{
	{"no error is no exit code", inspectRun(`"result":"x","error":null`), inspectRan + `unknown "x"`},
	{
		"timeout", inspectRun(`"result":"part","truncated":[40960,16384],"error":{"type":"timeout","message":"Command timed out before completing."}`),
		inspectRan + `timeout (field) error.type=timeout- "part"`,
	},
	{"cancelled, with a late result", inspectRun(`"result":"done","error":{"type":"cancelled","message":"x"},"failed":true`), inspectRan + `interrupted (field) interrupted-by-user error.type=cancelled- "done"`},
	{"not approved", inspectRun(`"result":"","error":{"type":"approval","message":"rejected"}`), inspectRan + `denied (field) not-run error.type=approval- "rejected"`},
	{"arguments that could not be read", inspectRun(`"result":"","error":{"type":"parsing","message":"bad"}`), inspectRan + `not-started (field) not-run error.type=parsing- "bad"`},
	{"other errors", inspectRun(`"result":"","error":{"type":"permission","message":"no"}`), inspectRan + `nonzero (field) error.type=permission- "no"`},
	{
		"truncated output passes through", inspectRun(`"result":"The output of your call to bash was too long to be displayed.\nHere is a truncated version:\n<START_TOOL_OUTPUT>\nx\n<END_TOOL_OUTPUT>"`),
		inspectRan + `unknown "The output of your call to bash was too long to be displayed.\nHere is a truncated version:\n<START_TOOL_OUTPUT>\nx\n<END_TOOL_OUTPUT>"`,
	},
	{"pending", inspectRun(`"pending":true`), `tool_call c1 bash shell "make"`},
	{
		"model", `{"event":"model","model":"m","input":[{"role":"user","content":"hi"}],"output":{"model":"m","choices":[{"message":{"id":"a","role":"assistant","content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"ok"}],"tool_calls":[{"id":"c1","function":"bash","arguments":{"cmd":"make"}}]},"stop_reason":"tool_calls"}],"usage":{"input_tokens":10,"output_tokens":5,"input_tokens_cache_read":80}}}
	` + inspectRun(`"result":"x"`),
		`session model=m
		request 1 messages, 0 bytes of reasoning
		reasoning "hm"
		message assistant "ok"
		tool_call c1 bash shell "make"
		usage context=90 cached=80 out=5 total=0
		tool_result c1 unknown "x"`,
	},
	{
		"approvals", `{"event":"approval","call":{"id":"c2","function":"bash"},"approver":"human","decision":"reject"}
	{"event":"approval","call":{"id":"c2","function":"bash"},"approver":"auto","decision":"approve"}
	{"event":"approval","call":{"id":"c2","function":"bash"},"approver":"x","decision":"escalate"}`,
		"decision denied c2 by human\ndecision approved c2 by policy\ndecision escalated c2 by policy",
	},
	{"interrupts", `{"event":"interrupt","source":"user_cancel","interrupted":"tool_call","interrupted_tool_call_id":"c1"}
	{"event":"interrupt","source":"user_cancel","interrupted":"generate"}
	{"event":"sample_limit","type":"token"}`, "cancel\nturn_end interrupted bad\nturn_end token bad"},
	{"compaction", `{"event":"compaction","type":"summary","tokens_before":150000,"tokens_after":20000}`, `compaction 150000>20000`},
	{
		"sample of messages", `{"id":"s1","epoch":1,"input":"x","target":"y","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":"bash","arguments":{"cmd":"make"}}]},{"role":"tool","tool_call_id":"c1","function":"bash","content":"","error":{"type":"timeout","message":"late"}}],"limit":{"type":"time"}}`,
		`session id=s1
		message human "hi"
		` + inspectRan + `timeout (field) error.type=timeout- "late"
		turn_end time bad`,
	},
	{
		"log", `{"status":"success","eval":{"task":"t","eval_id":"e","model":"m"},"samples":[{"id":1,"epoch":1,"messages":[{"role":"user","content":"hi"}],"events":[{"event":"sample_init","sample":{"input":"hi"}},{"event":"approval","call":{"id":"c1"},"approver":"human","decision":"approve"}]},{"id":2,"epoch":1,"messages":[{"role":"user","content":"ho"}]}]}`,
		`turn_end completed session
		session id=e model=m
		session id=1
		message human "hi"
		decision approved c1 by human
		session id=2 start
		message human "ho"`,
	},
	{"unknown", `{"event":"frob"}`, `unknown`},
}

func TestInspect(t *testing.T) { checkFacts(t, inspectFormat, inspectFacts) }
func FuzzInspect(f *testing.F) { fuzzAdapter(f, inspectFormat, inspectFacts) }

func TestSniffInspect(t *testing.T) {
	for _, i := range []int{0, 8, 9, 12, 13} {
		if got := sniffed(inspectFacts[i].in); got != "inspect-ai" {
			t.Errorf("%s: %q", inspectFacts[i].in, got)
		}
	}
}
