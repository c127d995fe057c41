package transcript

import (
	"strconv"
	"testing"
)

// crushRow is a row whose parts stand in a string, as the table keeps them.
func crushRow(role, parts string) string {
	return `{"id":"m","session_id":"s","role":"` + role + `","parts":` + strconv.Quote(parts) + `,"created_at":1780000000,"is_summary_message":0}`
}

// crushRun is a command and what came back.
func crushRun(result string) string {
	return crushRow("assistant", `[{"type":"tool_call","data":{"id":"c1","name":"bash","input":"{\"command\":\"make\"}","finished":true}},{"type":"finish","data":{"reason":"tool_use"}}]`) +
		"\n" + crushRow("tool", `[{"type":"tool_result","data":{"tool_call_id":"c1","name":"bash",`+result+`}}]`)
}

const crushRan = "session id=s\n\ttool_call c1 bash shell \"make\"\n\ttool_result c1 "

var crushFacts = []fact{
	{"ok", crushRun(`"content":"done\n\n<cwd>/w</cwd>","is_error":false`), crushRan + `ok (inferred) "done\n\n<cwd>/w</cwd>"`},
	{"exit code", crushRun(`"content":"FAIL\nExit code 2\n\n<cwd>/w</cwd>","is_error":false`), crushRan + `nonzero 2 (text) output=Exit code 2- "FAIL\nExit code 2\n\n<cwd>/w</cwd>"`},
	{"killed", crushRun(`"content":"x\nExit code 143","is_error":false`), crushRan + `signalled 143 SIGTERM (text) output=Exit code 143- "x\nExit code 143"`},
	{
		"aborted", crushRun(`"content":"x\nCommand was aborted before completion\n\n<cwd>/w</cwd>"`),
		crushRan + `interrupted (text) interrupted-by-user output=Command was aborted before completion- "x\nCommand was aborted before completion\n\n<cwd>/w</cwd>"`,
	},
	{
		"cancelled", crushRun(`"content":"Error: user cancelled assistant tool calling","is_error":true`),
		crushRan + `interrupted (text) interrupted-by-user output=Error: user cancelled assistant tool calling- "Error: user cancelled assistant tool calling"`,
	},
	{
		"denied", crushRun(`"content":"User denied permission","is_error":true`),
		crushRan + "denied (text) not-run output=User denied permission- \"User denied permission\"\n\tdecision denied c1 by human",
	},
	{
		"background", crushRun(`"content":"Background shell started with ID: 00A","metadata":"{\"background\":true,\"shell_id\":\"00A\"}"`),
		crushRan + `still-running (field) job=00A "Background shell started with ID: 00A"`,
	},
	{"no note, no code", crushRun(`"content":"x","is_error":false`), crushRan + `unknown "x"`},
	{"tool error", crushRun(`"content":"There was an error while executing the tool","is_error":true`), crushRan + `nonzero (field) is_error=true- "There was an error while executing the tool"`},
	{"cut in the middle", crushRun(`"content":"a\n\n... [9 lines truncated] ...\n\nb\nExit code 1"`), crushRan + `nonzero 1 (text) output=Exit code 1- "a\n\n... [9 lines truncated] ...\n\nb\nExit code 1"`},
	{
		"answer", crushRow("assistant", `[{"type":"reasoning","data":{"thinking":"hm","signature":"sig"}},{"type":"text","data":{"text":"ok"}},{"type":"finish","data":{"reason":"canceled"}}]`),
		"session id=s\nreasoning signature=sig \"hm\"\nmessage assistant \"ok\"\nturn_end interrupted bad",
	},
	{"human", crushRow("user", `[{"type":"text","data":{"text":"hi"}}]`), "session id=s\nmessage human \"hi\""},
	{
		"typed by the human", crushRow("user", `[{"type":"shell_command","data":{"command":"ls","output":"a","exit_code":0}}]`),
		"session id=s\ntool_call #1 bash shell \"ls\"\ntool_result #1 ok 0 (field) exit_code=0+ \"a\"",
	},
	{"summary", `{"id":"m","role":"user","parts":[{"type":"text","data":{"text":"so far"}}],"is_summary_message":1}`, "compaction\nmessage assistant summary \"so far\""},
	{"unknown", `{"role":"user","parts":"nope"}`, `unknown`},
}

const otelChat = `{"name":"chat m","spanId":"s1","endTimeUnixNano":"1780000000000000000","attributes":{"gen_ai.operation.name":"chat","gen_ai.response.model":"m","gen_ai.conversation.id":"k","gen_ai.response.finish_reasons":["tool_calls"],` +
	`"gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"hi\"}]}]",` +
	`"gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"reasoning\",\"content\":\"hm\"},{\"type\":\"text\",\"content\":\"ok\"},{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"bash\",\"arguments\":{\"command\":\"make\"}}]}]",` +
	`"gen_ai.usage.input_tokens":90,"gen_ai.usage.output_tokens":5,"gen_ai.usage.cache_read.input_tokens":40}}`

// otelRun is the span of a tool.
func otelRun(rest string) string {
	return `{"name":"execute_tool bash","spanId":"s2","attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"bash","gen_ai.tool.call.id":"c1","gen_ai.tool.call.arguments":"{\"command\":\"make\"}"` + rest + `}`
}

const otelRan = "tool_call c1 bash shell \"make\"\n\ttool_result c1 "

var otelFacts = []fact{
	{
		"chat, then its tool", otelChat + "\n" + otelRun(`,"gen_ai.tool.call.result":"x"}`),
		`session id=k
		session model=m
		message human "hi"
		reasoning "hm"
		message assistant "ok"
		tool_call c1 bash shell "make"
		usage context=90 cached=40 out=5 total=0
		tool_result c1 unknown "x"`,
	},
	{
		"history is told once", otelChat + "\n" + otelChat,
		`session id=k
		session model=m
		message human "hi"
		reasoning "hm"
		message assistant "ok"
		tool_call c1 bash shell "make"
		usage context=90 cached=40 out=5 total=0
		reasoning "hm"
		message assistant "ok"
		usage context=90 cached=40 out=5 total=0`,
	},
	{"timeout", otelRun(`,"error.type":"TimeoutError"},"status":{"code":2}`), otelRan + `timeout (field) is_error=true- error.type=TimeoutError-`},
	{"failed", otelRun(`},"status":{"status_code":"ERROR"}`), otelRan + `nonzero (field) is_error=true-`},
	{"status unset is no success", otelRun(`,"gen_ai.tool.call.result":"x"},"status":{}`), otelRan + `unknown "x"`},
	{
		"OTLP", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"s","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"90"}}]},{"spanId":"t","attributes":[{"key":"http.method","value":{"stringValue":"GET"}}]}]}]}]}`,
		`usage context=90 cached=0 out=0 total=0`,
	},
	{
		"result in the next request", otelRun(`}`) + `
	{"spanId":"s9","attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"x"},{"type":"tool_call_response","id":"c9","response":"y"}]}]}}`,
		otelRan + "unknown\n\ttool_result c9 unknown \"y\"",
	},
	{"agent", `{"spanId":"s","attributes":{"gen_ai.operation.name":"invoke_agent","error.type":"MaxTurns"}}`, `turn_end MaxTurns bad`},
	{"unknown", `{"x":1}`, `unknown`},
}

func TestCrush(t *testing.T) { checkFacts(t, crushFormat, crushFacts) }
func TestOtel(t *testing.T)  { checkFacts(t, otelFormat, otelFacts) }
func FuzzCrush(f *testing.F) { fuzzAdapter(f, crushFormat, crushFacts) }
func FuzzOtel(f *testing.F)  { fuzzAdapter(f, otelFormat, otelFacts) }

func TestSniffCrushAndOtel(t *testing.T) {
	for in, want := range map[string]string{
		crushFacts[0].in:  "crush",
		crushFacts[13].in: "crush",
		otelFacts[0].in:   "otel-genai",
		otelFacts[5].in:   "otel-genai",
		`{"spanId":"s","attributes":{"http.method":"GET"}}`: "",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
