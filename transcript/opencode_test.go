package transcript

import "testing"

// opencodeRun is a part with a command in a state.
func opencodeRun(state string) string {
	return `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"tool","callID":"c1","tool":"bash","state":{"input":{"command":"make"},` + state + `}}`
}

const opencodeRan = "tool_call c1 bash shell \"make\"\n\ttool_result c1 "

var opencodeFacts = []fact{
	{"ok", opencodeRun(`"status":"completed","output":"x","metadata":{"exit":0}`), opencodeRan + `ok 0 (field) state.status=completed? metadata.exit=0+ "x"`},
	{"completed with an exit code", opencodeRun(`"status":"completed","output":"x","metadata":{"exit":2}`), opencodeRan + `nonzero 2 (field) state.status=completed? metadata.exit=2- "x"`},
	{
		"timeout", opencodeRun(`"status":"completed","output":"x\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 120000 ms\n</bash_metadata>","metadata":{"exit":null}`),
		opencodeRan + `timeout limit=2m0s (text) state.status=completed? output=bash tool terminated command after exceeding timeout 120000 ms- "x\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 120000 ms\n</bash_metadata>"`,
	},
	{
		"aborted while it ran", opencodeRun(`"status":"completed","output":"x\n<shell_metadata>\nUser aborted the command\n</shell_metadata>"`),
		opencodeRan + `interrupted (text) interrupted-by-user state.status=completed? output=User aborted the command- "x\n<shell_metadata>\nUser aborted the command\n</shell_metadata>"`,
	},
	{"no code", opencodeRun(`"status":"completed","output":"x"`), opencodeRan + `unknown state.status=completed? "x"`},
	{
		"interrupted", opencodeRun(`"status":"error","error":"Tool execution aborted","metadata":{"interrupted":true,"output":"part"}`),
		opencodeRan + `interrupted (field) interrupted-by-user state.status=error- "Tool execution aborted\npart"`,
	},
	{
		"rejected, perhaps by nobody", opencodeRun(`"status":"error","error":"The user rejected permission to use this specific tool call."`),
		opencodeRan + "denied (field) not-run state.status=error- \"The user rejected permission to use this specific tool call.\"\n\tdecision denied c1 by unknown",
	},
	{
		"rule", opencodeRun(`"status":"error","error":"Permission denied by ruleset"`),
		opencodeRan + "denied (field) not-run state.status=error- \"Permission denied by ruleset\"\n\tdecision denied c1 by policy",
	},
	{
		"cleared later, kept on disk", opencodeRun(`"status":"completed","output":"x","metadata":{"exit":0},"time":{"start":1000,"end":2000,"compacted":3000}`),
		opencodeRan + `ok 0 (field) state.status=completed? metadata.exit=0+ "x"`,
	},
	{
		"edit", `{"id":"p","messageID":"m","sessionID":"s","type":"tool","callID":"e","tool":"edit","state":{"status":"completed","input":{"filePath":"/a"},"output":"ok"}}`,
		"tool_call e edit edit path=/a\ntool_result e ok (field) state.status=completed+ \"ok\"",
	},
	{
		"export", `{"info":{"id":"ses_1","directory":"/w"},"messages":[{"info":{"id":"m1","role":"user","sessionID":"ses_1"},"parts":[{"id":"p1","messageID":"m1","sessionID":"ses_1","type":"text","text":"hi"},{"id":"p2","messageID":"m1","sessionID":"ses_1","type":"text","text":"file list","synthetic":true}]},{"info":{"id":"m2","role":"assistant","modelID":"m","sessionID":"ses_1","error":{"name":"MessageAbortedError","data":{}}},"parts":[{"id":"p3","messageID":"m2","sessionID":"ses_1","type":"reasoning","text":"hm","time":{"start":1}},{"id":"p4","messageID":"m2","sessionID":"ses_1","type":"text","text":"ok"},{"id":"p5","messageID":"m2","sessionID":"ses_1","type":"step-finish","reason":"stop","tokens":{"input":10,"output":5,"reasoning":1,"cache":{"read":80,"write":3}}}]}]}`,
		`session id=ses_1 dir=/w
		message human "hi"
		message harness notice "file list"
		session model=m
		reasoning "hm"
		message assistant "ok"
		usage context=93 cached=80 out=5 total=0
		turn_end interrupted bad`,
	},
	{
		"compaction", `{"info":{"id":"m1","role":"user"},"parts":[{"id":"p1","messageID":"m1","sessionID":"s","type":"compaction","auto":true}]}
	{"info":{"id":"m2","role":"assistant","summary":true},"parts":[{"id":"p2","messageID":"m2","sessionID":"s","type":"text","text":"so far"}]}`,
		"compaction\nmessage assistant summary \"so far\"",
	},
	{
		"run", `{"type":"text","timestamp":1780000000000,"sessionID":"s","part":{"id":"p","messageID":"m","sessionID":"s","type":"text","text":"ok","time":{"start":1,"end":2}}}
	{"type":"error","timestamp":1780000000000,"sessionID":"s","error":{"name":"APIError","data":{"message":"slow down","statusCode":429}}}`,
		"message assistant \"ok\"\nstatus api_error 429 slow down\nturn_end error bad",
	},
	{
		"stream", `{"type":"message.updated","properties":{"info":{"id":"m","role":"assistant","sessionID":"s"}}}
	{"type":"message.part.updated","properties":{"part":{"id":"p","messageID":"m","sessionID":"s","type":"text","text":"o","time":{"start":1}}}}
	{"type":"message.part.updated","properties":{"part":{"id":"p","messageID":"m","sessionID":"s","type":"text","text":"ok","time":{"start":1,"end":2}}}}
	{"type":"message.part.updated","properties":{"part":{"id":"t","messageID":"m","sessionID":"s","type":"tool","callID":"c1","tool":"bash","state":{"status":"pending","input":{}}}}}
	{"type":"message.part.updated","properties":{"part":{"id":"t","messageID":"m","sessionID":"s","type":"tool","callID":"c1","tool":"bash","state":{"status":"running","input":{"command":"make"}}}}}
	{"type":"permission.updated","properties":{"id":"per_1","sessionID":"s","callID":"c1","title":"make"}}
	{"type":"permission.replied","properties":{"sessionID":"s","permissionID":"per_1","response":"once"}}
	{"type":"message.part.updated","properties":{"part":{"id":"t","messageID":"m","sessionID":"s","type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","input":{"command":"make"},"output":"x","metadata":{"exit":0}}}}}
	{"type":"session.idle","properties":{"sessionID":"s"}}`,
		`message assistant "ok"
		tool_call c1 bash shell "make"
		decision requested per_1 by unknown
		decision approved per_1 by unknown
		tool_result c1 ok 0 (field) state.status=completed? metadata.exit=0+ "x"
		turn_end completed`,
	},
	{"subagent", `{"id":"a","messageID":"m","sessionID":"s","type":"step-start"}
	{"id":"b","messageID":"m2","sessionID":"s2","type":"reasoning","text":"hm"}`, `reasoning agent=s2 "hm"`},
	{"nobody's text", `{"id":"b","messageID":"m2","sessionID":"s2","type":"text","text":"who"}`, `message  "who"`},
	{"unknown", `{"type":"frob"}`, `unknown`},
}

func TestOpencode(t *testing.T) { checkFacts(t, opencodeFormat, opencodeFacts) }
func FuzzOpencode(f *testing.F) { fuzzAdapter(f, opencodeFormat, opencodeFacts) }

func TestSniffOpencode(t *testing.T) {
	for _, i := range []int{0, 10, 11, 12, 13, 14} {
		if got := sniffed(opencodeFacts[i].in); got != "opencode" {
			t.Errorf("%s: %q", opencodeFacts[i].in, got)
		}
	}
}
