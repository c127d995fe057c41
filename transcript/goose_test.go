package transcript

import "testing"

// gooseRun is a shell call and its response.
func gooseRun(result string) string {
	return `{"id":"a","role":"assistant","created":1780000000,"content":[{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"make"}}}}]}
	{"role":"user","created":1780000001,"content":[{"type":"toolResponse","id":"c1","toolResult":` + result + `}]}`
}

const gooseRan = "tool_call c1 developer__shell shell \"make\"\n\ttool_result c1 "

var gooseFacts = []fact{
	{"metadata", `{"working_dir":"/w","description":"x","message_count":2}`, `session dir=/w`},
	{"nothing says how it ended", gooseRun(`{"status":"success","value":[{"type":"text","text":"ok"}]}`), gooseRan + `unknown "ok"`},
	{"no error is no exit code", gooseRun(`{"status":"success","value":{"content":[{"type":"text","text":"ok"}],"isError":false}}`), gooseRan + `unknown is_error=false? "ok"`},
	{
		"failed", gooseRun(`{"status":"success","value":{"content":[{"type":"text","text":"x\nCommand exited with code 2"}],"isError":true}}`),
		gooseRan + `nonzero 2 (text) is_error=true- output=Command exited with code 2- "x\nCommand exited with code 2"`,
	},
	{
		"timeout", gooseRun(`{"status":"error","error":"Command timed out after 300 seconds"}`),
		gooseRan + `timeout limit=5m0s (text) is_error=true- output=Command timed out after 300 seconds- "Command timed out after 300 seconds"`,
	},
	{
		"declined", gooseRun(`{"status":"success","value":[{"type":"text","text":"The user has declined to run this tool. DO NOT attempt to call it again."}]}`),
		gooseRan + "denied (text) not-run output=The user has declined to run this tool- \"The user has declined to run this tool. DO NOT attempt to call it again.\"\n\tdecision denied c1 by human",
	},
	{"unreadable call", `{"role":"assistant","created":1,"content":[{"type":"toolRequest","id":"c1","toolCall":{"status":"error","error":"bad JSON"}}]}`, `tool_call c1  other broken`},
	{
		"view", `{"role":"assistant","created":1,"content":[{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"view","path":"/a"}}}}]}`,
		`tool_call c1 developer__text_editor read path=/a`,
	},
	{
		"extension", `{"role":"assistant","created":1,"content":[{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"github__create_pr","arguments":{}}}}]}`,
		`tool_call c1 github__create_pr external`,
	},
	{
		"confirmation", `{"role":"user","created":1,"content":[{"type":"toolConfirmationRequest","id":"c1","toolName":"developer__shell","arguments":{}}]}
	{"role":"assistant","created":1,"content":[{"type":"actionRequired","data":{"actionType":"toolConfirmation","id":"c2","toolName":"x"}}]}`,
		"decision requested c1 by unknown\ndecision requested c2 by unknown",
	},
	{"thinking", `{"role":"assistant","created":1,"content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"text","text":"ok"}]}`, "reasoning signature=sig \"hm\"\nmessage assistant \"ok\""},
	{
		"human and hidden", `{"role":"user","created":1,"content":[{"type":"text","text":"hi"}]}
	{"role":"user","created":1,"content":[{"type":"text","text":"context"}],"metadata":{"userVisible":false,"agentVisible":true}}`,
		"message human \"hi\"\nmessage harness notice \"context\"",
	},
	{"compacted", `{"role":"user","created":1,"content":[{"type":"conversationCompacted","msg":"x"}]}`, `compaction`},
	{"export", `{"id":"s","working_dir":"/w","conversation":[{"role":"user","created":1,"content":[{"type":"text","text":"hi"}]}]}`, "session id=s\nsession dir=/w\nmessage human \"hi\""},
	{"unknown", `{"x":1}`, `unknown`},
}

var clineUIFacts = []fact{
	{"task", `[{"ts":1780000000000,"type":"say","say":"text","text":"fix it"},{"ts":1780000000001,"type":"say","say":"text","text":"on it"}]`, "message human \"fix it\"\nmessage assistant \"on it\""},
	{
		"command", `{"ts":1,"type":"ask","ask":"command","text":"make"}
	{"ts":2,"type":"say","say":"command_output","text":"Command timed out after 30000ms"}
	{"ts":3,"type":"say","say":"command_output","text":"more"}`,
		`tool_call #1 execute_command shell "make"
		decision requested #1 by unknown
		tool_result #1 timeout limit=30s (text) output=Command timed out after 30000ms- "Command timed out after 30000ms"
		tool_result #1 unknown again "more"`,
	},
	{
		"request", `{"ts":1,"type":"say","say":"api_req_started","text":"{\"tokensIn\":10,\"tokensOut\":5,\"cacheReads\":80,\"cacheWrites\":3,\"cancelReason\":\"user_cancelled\"}"}`,
		"usage context=93 cached=80 out=5 total=0\nturn_end interrupted bad",
	},
	{"end, once it is whole", `{"ts":1,"type":"say","say":"completion_result","text":"do","partial":true}
	{"ts":1,"type":"say","say":"completion_result","text":"done"}`, `message assistant final "done"`},
	{"unknown", `{"ts":1,"type":"frob"}`, `unknown`},
}

func TestGoose(t *testing.T)   { checkFacts(t, gooseFormat, gooseFacts) }
func TestClineUI(t *testing.T) { checkFacts(t, clineUIFormat, clineUIFacts) }
func FuzzGoose(f *testing.F)   { fuzzAdapter(f, gooseFormat, gooseFacts) }
func FuzzClineUI(f *testing.F) { fuzzAdapter(f, clineUIFormat, clineUIFacts) }

func TestSniffGooseAndCline(t *testing.T) {
	for in, want := range map[string]string{
		gooseFacts[0].in:   "goose",
		gooseFacts[1].in:   "goose",
		clineUIFacts[0].in: "cline-ui",
		clineUIFacts[1].in: "cline-ui",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
