package transcript

import "testing"

// chainRun is a call and what came back.
func chainRun(result string) string {
	return `{"type":"ai","content":"","tool_calls":[{"name":"bash","args":{"cmd":"make"},"id":"c1","type":"tool_call"}],"invalid_tool_calls":[]}
	{"type":"tool","tool_call_id":"c1","name":"bash",` + result + `}`
}

const chainRan = "tool_call c1 bash shell \"make\"\n\ttool_result c1 "

var langchainFacts = []fact{
	{"success is the default", chainRun(`"content":"x","status":"success"`), chainRan + `unknown "x"`},
	{"killed with status success", chainRun(`"content":"Exit code: 143\nx","status":"success"`), chainRan + `signalled 143 SIGTERM (text) output=Exit code: 143- "Exit code: 143\nx"`},
	{
		"deep agents", chainRun(`"content":"1 failed\n[Command failed with exit code 1]\n[Output was truncated due to size limits]","status":"success"`),
		chainRan + `nonzero 1 (text) output=[Command failed with exit code 1]- "1 failed\n[Command failed with exit code 1]\n[Output was truncated due to size limits]"`,
	},
	{"code behind the output", chainRun(`"content":"x\n\nExit code: 2","status":"error"`), chainRan + `nonzero 2 (text) output=Exit code: 2- "x\n\nExit code: 2"`},
	{"artifact", chainRun(`"content":"x","status":"error","artifact":{"timed_out":false,"exit_code":2}`), chainRan + `nonzero 2 (field) exit_code=2- "x"`},
	{"raised", chainRun(`"content":"Error: boom\n Please fix your mistakes.","status":"error"`), chainRan + `nonzero (field) is_error=true- "Error: boom\n Please fix your mistakes."`},
	{
		"timeout", chainRun(`"content":"Command timed out after 30 seconds","status":"error"`),
		chainRan + `timeout limit=30s (text) is_error=true- output=Command timed out after 30 seconds- "Command timed out after 30 seconds"`,
	},
	{
		"no such tool", chainRun(`"content":"Error: bash is not a valid tool, try one of [x].","status":"error"`),
		chainRan + `not-started (text) not-run is_error=true- "Error: bash is not a valid tool, try one of [x]."`,
	},
	{
		"rejected", chainRun("\"content\":\"User rejected the tool call for `bash` with id c1\",\"status\":\"error\""),
		chainRan + "denied (text) not-run is_error=true- output=User rejected the tool call for `bash` with id c1- \"User rejected the tool call for `bash` with id c1\"\n\tdecision denied c1 by human",
	},
	{
		"half arguments", `{"type":"ai","content":"","tool_calls":[],"invalid_tool_calls":[{"name":"bash","args":"{\"cmd\":\"ma","id":"c1","error":"not JSON"}],"response_metadata":{"finish_reason":"length"}}`,
		`tool_call c1 bash shell broken`,
	},
	{
		"answer", `{"type":"ai","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"c1","name":"bash","input":{}}],"tool_calls":[{"name":"bash","args":{"cmd":"ls"},"id":"c1"}],"additional_kwargs":{"reasoning_content":"hm"},"usage_metadata":{"input_tokens":90,"output_tokens":5,"input_token_details":{"cache_read":40}},"response_metadata":{"model_name":"m"}}`,
		"session model=m\nreasoning \"hm\"\nmessage assistant \"ok\"\ntool_call c1 bash shell \"ls\"\nusage context=90 cached=40 out=5 total=0",
	},
	{"data shape", `{"type":"human","data":{"content":"hi","additional_kwargs":{}}}`, `message human "hi"`},
	{"constructor shape", `{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"ok"}}`, `message assistant "ok"`},
	{"system", `{"type":"system","content":"be good"}`, `message harness prompt "be good"`},
	{
		"summary", `{"type":"human","content":"Here is a summary of the conversation to date:\n\nso far","additional_kwargs":{"lc_source":"summarization"}}`,
		"compaction\nmessage assistant summary \"Here is a summary of the conversation to date:\\n\\nso far\"",
	},
	{
		"error stored as the summary", `{"type":"human","content":"Here is a summary of the conversation to date:\n\nError generating summary: timeout"}`,
		"compaction failed=Error generating summary: timeout\nmessage assistant summary \"Here is a summary of the conversation to date:\\n\\nError generating summary: timeout\"",
	},
	{"state told again", `{"messages":[{"type":"human","content":"a"}]}
	{"messages":[{"type":"human","content":"a"},{"type":"ai","content":"b"}]}`, "message human \"a\"\nmessage assistant \"b\""},
	{"same id in another list", `{"agent":{"messages":[{"type":"ai","content":"b","id":"m1"}]}}
	{"values":{"messages":[{"type":"ai","content":"b","id":"m1","name":null}]}}`, `message assistant "b"`},
	{"interrupt and answer", `{"__interrupt__":[{"value":{"action_requests":[{"name":"deploy","args":{}}]},"id":"i1"}]}
	{"resume":{"decisions":[{"type":"reject","message":"no"}]}}`, "decision requested i1 by unknown\ndecision denied  by human"},
	{"unknown", `{"type":"frob"}`, `unknown`},
}

func TestLangchain(t *testing.T) { checkFacts(t, langchainFormat, langchainFacts) }
func FuzzLangchain(f *testing.F) { fuzzAdapter(f, langchainFormat, langchainFacts) }

func TestSniffLangchain(t *testing.T) {
	for in, want := range map[string]string{
		langchainFacts[0].in:                                                    "langchain",
		`[{"type":"human","data":{"content":"hi"}}]`:                            "langchain",
		`{"values":{"messages":[{"type":"human","content":"a"}]}}`:              "langchain",
		`{"messages":[{"type":"human","content":"a","additional_kwargs":{}}]}`:  "langchain",
		`{"lc":1,"type":"constructor","id":["a","HumanMessage"],"kwargs":{}}`:   "langchain",
		`{"lc":1,"type":"constructor","id":["a","PromptTemplate"],"kwargs":{}}`: "",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
