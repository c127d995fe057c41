package transcript

import "testing"

// responseRun is a function call and its output.
func responseRun(output string) string {
	return `{"type":"function_call","id":"fc_1","call_id":"c1","name":"shell","arguments":"{\"cmd\":\"make\"}","status":"completed"}
	{"type":"function_call_output","call_id":"c1","output":` + output + `}`
}

// responseShellRun is a shell call and its outcomes.
func responseShellRun(outcomes string) string {
	return `{"type":"shell_call","call_id":"c1","action":{"commands":["make"],"timeout_ms":5000}}
	{"type":"shell_call_output","call_id":"c1","output":[` + outcomes + `]}`
}

const (
	responseRan      = "tool_call c1 shell shell \"make\"\n\ttool_result c1 "
	responseShellRan = "tool_call c1 shell shell \"make\" timeout=5s\n\ttool_result c1 "
)

var responsesFacts = []fact{
	{"completed is no success", responseRun(`"FAIL"`), responseRan + `unknown "FAIL"`},
	{
		"timeout", responseRun(`"Tool 'shell' timed out after 5 seconds."`),
		responseRan + `timeout limit=5s (text) output=Tool 'shell' timed out after 5 seconds- "Tool 'shell' timed out after 5 seconds."`,
	},
	{"command timeout", responseRun(`"Command timed out after 5.000 seconds."`), responseRan + `timeout limit=5s (text) output=Command timed out after 5.000 seconds- "Command timed out after 5.000 seconds."`},
	{
		"not approved", responseRun(`"Tool execution was not approved."`),
		responseRan + "denied (text) not-run output=Tool execution was not approved.- \"Tool execution was not approved.\"\n\tdecision denied c1 by unknown",
	},
	{"cancelled", responseRun(`"Tool execution cancelled"`), responseRan + `interrupted (text) interrupted-by-user output=Tool execution cancelled- "Tool execution cancelled"`},
	{
		"tool error", responseRun(`"An error occurred while running the tool. Please try again. Error: x"`),
		responseRan + `nonzero (text) output=An error occurred while running the tool. Please try again. Error: x- "An error occurred while running the tool. Please try again. Error: x"`,
	},
	{"output blocks, cut", responseRun(`[{"type":"input_text","text":"a\n…9 tokens truncated…\nb"}]`), responseRan + `unknown "a\n…9 tokens truncated…\nb"`},
	{"outcome", responseShellRun(`{"stdout":"x","stderr":"","outcome":{"type":"exit","exit_code":2}}`), responseShellRan + `nonzero 2 (field) outcome.exit_code=2- "x\n"`},
	{"outcome ok", responseShellRun(`{"stdout":"x","stderr":"","outcome":{"type":"exit","exit_code":0}}`), responseShellRan + `ok 0 (field) outcome.exit_code=0+ "x\n"`},
	{"outcome timeout", responseShellRun(`{"stdout":"x","stderr":"","outcome":{"type":"timeout"}}`), responseShellRan + `timeout (field) outcome.type=timeout- "x\n"`},
	{
		"exit 1 that never ran", responseShellRun(`{"stdout":"","stderr":"Tool execution was not approved.","outcome":{"type":"exit","exit_code":1}}`),
		responseShellRan + "denied (text) not-run output=Tool execution was not approved.- \"\\nTool execution was not approved.\"\n\tdecision denied c1 by unknown",
	},
	{"local shell", `{"type":"local_shell_call","call_id":"c1","action":{"type":"exec","command":["ls","-l"],"working_directory":"/w"}}`, `tool_call c1 local_shell shell ["ls" "-l"] dir=/w`},
	{
		"patch", `{"type":"apply_patch_call","call_id":"c1","operation":{"type":"update_file","path":"/a","diff":"x"}}
	{"type":"apply_patch_call_output","call_id":"c1","status":"failed","output":"no"}`,
		"tool_call c1 apply_patch edit path=/a\ntool_result c1 nonzero (field) status=failed- \"no\"",
	},
	{"half arguments", `{"type":"function_call","call_id":"c1","name":"shell","arguments":"{\"cmd\":\"ma"}`, `tool_call c1 shell shell broken`},
	{"mcp", `{"type":"mcp_call","id":"m1","name":"search","arguments":"{}","output":null,"error":"boom"}`, "tool_call m1 search external\ntool_result m1 nonzero (field) error=boom- \"boom\""},
	{
		"approval", `{"type":"mcp_approval_request","id":"p1","name":"deploy","arguments":"{}"}
	{"type":"mcp_approval_response","approval_request_id":"p1","approve":true}
	{"type":"mcp_approval_response","approval_request_id":"p1","approve":false}`,
		"decision requested p1 by unknown\ndecision approved p1 by unknown\ndecision denied p1 by unknown",
	},
	{"run by the provider", `{"type":"web_search_call","id":"ws","status":"completed","action":{"query":"x"}}`, `tool_call ws web_search fetch server`},
	{"reasoning", `{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e1"}
	{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"e2"}`, "reasoning signature=e1 \"hm\"\nreasoning signature=e2 hollow"},
	{
		"messages", `{"role":"user","content":"hi"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}
	{"role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}`,
		"message human \"hi\"\nmessage assistant \"ok\"\nmessage harness notice \"<environment_context>x\"",
	},
	{"compaction", `{"type":"compaction","encrypted_content":"x"}`, `compaction opaque`},
	{"row", `{"session_id":"s","message_data":"{\"role\":\"user\",\"content\":\"hi\"}","created_at":"2026-01-01 00:00:00"}`, `message human "hi"`},
	{
		"response", `{"object":"response","model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}],"usage":{"input_tokens":90,"output_tokens":5,"input_tokens_details":{"cached_tokens":40}},"incomplete_details":{"reason":"max_output_tokens"}}`,
		"session model=m\nmessage assistant \"ok\"\nusage context=90 cached=40 out=5 total=0\nturn_end max_output_tokens bad",
	},
	{
		"run state", `{"$schemaVersion":"1.17","current_agent":{"name":"a"},"original_input":"do it","model_responses":[{"output":[{"type":"function_call","call_id":"c1","name":"shell","arguments":"{\"cmd\":\"make\"}"}],"usage":{"input_tokens":9,"output_tokens":1}}],"generated_items":[{"type":"tool_call_output_item","raw_item":{"type":"function_call_output","call_id":"c1","output":"x"}}],"current_step":{"type":"next_step_interruption","data":{"interruptions":[{"raw_item":{"call_id":"c2","name":"deploy"}}]}}}`,
		"message human \"do it\"\ntool_call c1 shell shell \"make\"\nusage context=9 cached=0 out=1 total=0\ntool_result c1 unknown \"x\"\ndecision requested c2 by unknown",
	},
	{"unknown", `{"type":"frob","x":1}`, `unknown`},
}

func TestResponses(t *testing.T) { checkFacts(t, responsesFormat, responsesFacts) }
func FuzzResponses(f *testing.F) { fuzzAdapter(f, responsesFormat, responsesFacts) }

func TestSniffResponses(t *testing.T) {
	for in, want := range map[string]string{
		responsesFacts[0].in: "openai-responses",
		"{\"role\":\"user\",\"content\":\"hi\"}\n" + responsesFacts[0].in: "openai-responses",
		`[` + `{"type":"reasoning","summary":[]}` + `]`:                   "openai-responses",
		`{"session_id":"s","message_data":"{}","created_at":"x"}`:         "openai-responses",
		`{"$schemaVersion":"1.1","model_responses":[]}`:                   "openai-responses",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
