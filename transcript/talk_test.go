package transcript

import (
	"strings"
	"testing"
)

// checkSniff holds that the first n conformance inputs are recognised.
func checkSniff(t *testing.T, facts []fact, want string, n int) {
	t.Helper()
	for _, f := range facts[:n] {
		in := strings.TrimSpace(strings.ReplaceAll(f.in, "\t", "")) + "\n"
		if got := sniffed(in); got != want {
			t.Errorf("%s: taken for %q, want %q", f.name, got, want)
		}
	}
}

var chatFacts = []fact{
	{
		name: "one message a line: reasoning, calls, a cut argument, a stop",
		in: `
		{"role":"system","content":"be good"}
		{"role":"user","content":"run the tests","timestamp":"2026-05-01T10:00:00Z"}
		{"role":"user","content":"<environment_context>x</environment_context>"}
		{"role":"assistant","content":"Running.","reasoning_content":"let me see","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"go test ./...\"}"}},{"id":"c2","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.go\",\"lim"}}],"finish_reason":"tool_calls"}
		{"role":"tool","tool_call_id":"c1","content":"ok"}
		{"role":"tool","tool_call_id":"c2","name":"read_file","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}
		{"role":"assistant","content":"<think>fine</think>\nAll pass.","tool_calls":null}`,
		want: `
		message harness prompt "be good"
		message human "run the tests"
		message harness notice "<environment_context>x</environment_context>"
		reasoning "let me see"
		message assistant "Running."
		tool_call c1 bash shell "go test ./..."
		tool_call c2 read_file read broken
		tool_result c1 unknown "ok"
		tool_result c2 unknown "a\nb"
		reasoning "fine"
		message assistant "All pass."`,
	},
	{
		name: "ends that harnesses write into the text",
		in: `
		{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{}"}},{"id":"b","function":{"name":"bash","arguments":"{}"}},{"id":"c","function":{"name":"bash","arguments":"{}"}},{"id":"d","function":{"name":"bash","arguments":"{}"}},{"id":"e","function":{"name":"bash","arguments":"{}"}},{"id":"f","function":{"name":"bash","arguments":"{}"}},{"id":"g","function":{"name":"bash","arguments":"{}"}},{"id":"h","function":{"name":"bash","arguments":"{}"}},{"id":"i","function":{"name":"bash","arguments":"{}"}},{"id":"j","function":{"name":"bash","arguments":"{}"}},{"id":"k","function":{"name":"bash","arguments":"{}"}},{"id":"l","function":{"name":"bash","arguments":"{}"}},{"id":"m","function":{"name":"bash","arguments":"{}"}}]}
		{"role":"tool","tool_call_id":"a","content":"Exit code 143\nCommand timed out after 2m 0s\nPASS"}
		{"role":"tool","tool_call_id":"b","content":"Exit code: 124\nWall time: 10.0 seconds\nOutput:\ncommand timed out after 10000 milliseconds\nPASS"}
		{"role":"tool","tool_call_id":"c","content":"x\n[The command completed with exit code 2.]\n[Current working directory: /w]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 2]"}
		{"role":"tool","tool_call_id":"d","content":"x\n[The command has no new output after 30 seconds. You may wait longer to see additional output by sending empty command ''.]"}
		{"role":"tool","tool_call_id":"e","content":"<returncode>1</returncode>\n<output>\nx\n</output>"}
		{"role":"tool","tool_call_id":"f","content":"partial\n\nCommand timed out after 30 seconds"}
		{"role":"tool","tool_call_id":"g","content":"{\"stdout\":\"ok\",\"exit_code\":143}"}
		{"role":"tool","tool_call_id":"h","content":"{\"output\":\"boo\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.1}}"}
		{"role":"tool","tool_call_id":"i","content":"Command executed in terminal  within working directory '/w'. Exit code: 0\nOutput:\nok"}
		{"role":"tool","tool_call_id":"j","content":"it printed: Exit code 1\nand the words Command timed out after 5 seconds, then went on"}
		{"role":"tool","tool_call_id":"k","content":"<exception>An error occurred while executing the command: Command 'x' timed out after 60 seconds</exception>\n<returncode>-1</returncode>\n<output>\n</output>"}
		{"role":"tool","tool_call_id":"l","content":"The user denied this operation."}
		{"role":"tool","tool_call_id":"m","content":"Chunk ID: ab\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"}`,
		want: `
		tool_call a bash shell
		tool_call b bash shell
		tool_call c bash shell
		tool_call d bash shell
		tool_call e bash shell
		tool_call f bash shell
		tool_call g bash shell
		tool_call h bash shell
		tool_call i bash shell
		tool_call j bash shell
		tool_call k bash shell
		tool_call l bash shell
		tool_call m bash shell
		tool_result a timeout 143 SIGTERM limit=2m0s (text) output=Exit code 143, Command timed out after 2m 0s- "Exit code 143\nCommand timed out after 2m 0s\nPASS"
		tool_result b timeout 124 limit=10s (text) output=Exit code: 124, command timed out after 10000 milliseconds- "Exit code: 124\nWall time: 10.0 seconds\nOutput:\ncommand timed out after 10000 milliseconds\nPASS"
		tool_result c nonzero 2 (text) output=[Command finished with exit code 2]- "x\n[The command completed with exit code 2.]\n[Current working directory: /w]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 2]"
		tool_result d still-running limit=30s (text) partial "x\n[The command has no new output after 30 seconds. You may wait longer to see additional output by sending empty command ''.]"
		tool_result e nonzero 1 (text) output=<returncode>1</returncode>- "<returncode>1</returncode>\n<output>\nx\n</output>"
		tool_result f timeout limit=30s (text) output=Command timed out after 30 seconds- "partial\n\nCommand timed out after 30 seconds"
		tool_result g signalled 143 SIGTERM (field) exit_code=143- "{\"stdout\":\"ok\",\"exit_code\":143}"
		tool_result h nonzero 1 (field) exit_code=1- "{\"output\":\"boo\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.1}}"
		tool_result i ok 0 (text) output=Command executed in terminal  within working directory '/w'. Exit code: 0+ "Command executed in terminal  within working directory '/w'. Exit code: 0\nOutput:\nok"
		tool_result j unknown "it printed: Exit code 1\nand the words Command timed out after 5 seconds, then went on"
		tool_result k timeout limit=1m0s (text) output=timed out after 60 seconds- "<exception>An error occurred while executing the command: Command 'x' timed out after 60 seconds</exception>\n<returncode>-1</returncode>\n<output>\n</output>"
		tool_result l denied (text) not-run output=The user denied this operation.- "The user denied this operation."
		tool_result m still-running (text) job=7 partial "Chunk ID: ab\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"`,
	},
	{
		name: "one session a line, the calls of the older API, an empty call",
		in: `
		{"session_id":"s1","messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},{"role":"function","name":"ls","content":"x"}],"reasoning_content":"afterthought","model":"m1"}
		{"session_id":"s2","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{}]}]}
		{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"r"}]}`,
		want: `
		session id=s1 model=m1
		message human "a"
		tool_call #1 ls search
		tool_result #1 unknown "x"
		reasoning "afterthought"
		session id=s2 start
		message human "a"
		message assistant "b"
		session start
		message human "q"
		message assistant "r"`,
	},
	{
		name: "a request log tells only what is new, and what was sent",
		in: `
		{"type":"request","model":"deepseek-x","messages":[{"role":"user","content":"a"}],"response":{"id":"r1","model":"deepseek-x","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"b","reasoning_content":"because"}}],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":64}}}
		{"type":"request","model":"deepseek-x","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"because"},{"role":"user","content":"c"}],"response":{"choices":[{"finish_reason":"length","message":{"role":"assistant","content":"d"}}],"usage":{"prompt_tokens":150,"completion_tokens":7,"completion_tokens_details":{"reasoning_tokens":3}}}}`,
		want: `
		session model=deepseek-x
		message human "a"
		request 1 messages, 0 bytes of reasoning
		session model=deepseek-x
		reasoning "because"
		message assistant "b"
		usage context=100 cached=64 out=7 total=0
		message human "c"
		request 3 messages, 7 bytes of reasoning
		message assistant "d"
		usage context=150 cached=0 out=7 total=0
		turn_end response`,
	},
	{
		name: "requests and responses on lines of their own, outputs under the user's name",
		in: `
		{"type":"request","messages":[{"role":"user","content":"a"}]}
		{"type":"response","message":{"role":"assistant","content":"b","tool_calls":[{"id":"c1","function":{"name":"bash","arguments":"{}"}}]}}
		{"type":"request","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"c1","function":{"name":"bash","arguments":"{}"}}]},{"role":"user","content":"OBSERVATION:\nboo\nCommand exited with code 2"}]}
		{"role":"user","content":"<returncode>0</returncode>"}`,
		want: `
		session
		message human "a"
		request 1 messages, 0 bytes of reasoning
		message assistant "b"
		tool_call c1 bash shell
		tool_result c1 nonzero 2 (text) output=Command exited with code 2- "OBSERVATION:\nboo\nCommand exited with code 2"
		request 3 messages, 0 bytes of reasoning
		message harness notice "<returncode>0</returncode>"`,
	},
	{
		name: "request and response side by side, and another session",
		in: `
		{"request":{"model":"m","messages":[{"role":"user","content":"a"}]},"response":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"b"}}]}}
		{"request":{"model":"m","messages":[{"role":"user","content":"other"}]},"response":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"x"}}]}}`,
		want: `
		session
		message human "a"
		request 1 messages, 0 bytes of reasoning
		message assistant "b"
		session start
		message human "other"
		request 1 messages, 0 bytes of reasoning
		message assistant "x"
		turn_end response`,
	},
	{
		name: "Gemini's parts, and the trailer of its shell",
		in: `
		[{"role":"user","parts":[{"text":"fix it"}]},{"role":"model","parts":[{"text":"thinking","thought":true},{"functionCall":{"id":"g1","name":"run_shell_command","args":{"command":"npm test"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"g1","name":"run_shell_command","response":{"output":"Output: boo\nExit Code: 1\nProcess Group PGID: 9"}}}]},{"role":"model","parts":[{"functionCall":{"name":"run_shell_command","args":{"command":"npm test"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"run_shell_command","response":{"output":"Output: ok\nProcess Group PGID: 9"}}}]},{"role":"model","parts":[{"text":"Fixed."}]}]`,
		want: `
		session
		message human "fix it"
		reasoning "thinking"
		tool_call g1 run_shell_command shell "npm test"
		tool_result g1 nonzero 1 (text) output=Exit Code: 1- "Output: boo\nExit Code: 1\nProcess Group PGID: 9"
		tool_call #1 run_shell_command shell "npm test"
		tool_result #1 ok (inferred) "Output: ok\nProcess Group PGID: 9"
		message assistant "Fixed."`,
	},
	{
		name: "calls in OpenHands' markup",
		in: `
		{"messages":[{"role":"system","content":"call like <function=name>"},{"role":"user","content":"go"},{"role":"assistant","content":"Run it.\n<function=execute_bash>\n<parameter=command>make test</parameter>\n</function>"},{"role":"user","content":"EXECUTION RESULT of [execute_bash]:\nFAIL\n[The command completed with exit code 2.]"},{"role":"assistant","content":"<function=str_replace_editor>\n<parameter=command>view</parameter>\n<parameter=path>/w/a.go</parameter>"},{"role":"user","content":"EXECUTION RESULT of [str_replace_editor]:\nx"},{"role":"assistant","content":"<function=finish>\n<parameter=message>All done.</parameter>\n</function>"}]}`,
		want: `
		session
		message harness prompt "call like <function=name>"
		message human "go"
		message assistant "Run it."
		tool_call #1 execute_bash shell "make test"
		tool_result #1 nonzero 2 (text) output=[The command completed with exit code 2.]- "FAIL\n[The command completed with exit code 2.]"
		tool_call #2 str_replace_editor read path=/w/a.go
		tool_result #2 unknown "x"
		tool_call #3 finish finish
		message assistant final "All done."`,
	},
	{
		name: "a summary under the user's name, a finish call",
		in: `
		{"role":"user","content":"This session is being continued from a previous conversation that ran out of context. Tests pass."}
		{"role":"assistant","content":"","tool_calls":[{"id":"f","function":{"name":"attempt_completion","arguments":"{\"result\":\"Everything works.\"}"}}]}
		{"surprise":1}`,
		want: `
		compaction
		message assistant summary "This session is being continued from a previous conversation that ran out of context. Tests pass."
		tool_call f attempt_completion finish
		message assistant final "Everything works."
		unknown`,
	},
}

func TestChat(t *testing.T) { checkFacts(t, chatFormat, chatFacts) }

func TestChatDocument(t *testing.T) {
	checkFacts(t, chatFormat, []fact{{
		name: "a printed document: the response behind the messages",
		in: "{\n \"messages\": [\n  {\"role\": \"user\", \"content\": \"a\"},\n  {\"role\": \"assistant\", \"content\": \"b\", \"reasoning_content\": \"why\"}\n ],\n" +
			" \"tools\": [],\n \"response\": {\"model\": \"m\", \"choices\": [{\"message\": {\"role\": \"assistant\", \"content\": \"c\"}}]}\n}\n",
		want: `
		session
		message human "a"
		reasoning "why"
		message assistant "b"
		request 2 messages, 3 bytes of reasoning
		session model=m
		message assistant "c"`,
	}})
}

var anthropicFacts = []fact{
	{
		name: "messages of Claude Code's tools: the flag is its word",
		in: `
		{"id":"m1","type":"message","role":"assistant","model":"x","content":[{"type":"thinking","thinking":"hm","signature":"sig"}],"stop_reason":null,"usage":{"input_tokens":3,"cache_read_input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":5}}
		{"id":"m1","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"Testing."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make test","timeout":1000}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","id":"t3","name":"Read","input":{"file_path":"/a"}},{"type":"tool_use","id":"t4","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use"}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Exit code 1\nFAIL","is_error":true},{"type":"tool_result","tool_use_id":"t2","content":"a","is_error":false},{"type":"tool_result","tool_use_id":"t3","content":"1\tx"},{"type":"tool_result","tool_use_id":"t4","content":"b"}]}
		{"role":"user","content":[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"and now?"}]}`,
		want: `
		session model=x
		reasoning signature=sig "hm"
		usage context=110 cached=100 out=5 total=0
		message assistant "Testing."
		tool_call t1 Bash shell "make test" timeout=1s
		tool_call t2 Bash shell "ls"
		tool_call t3 Read read path=/a
		tool_call t4 Bash shell "ls"
		tool_result t1 nonzero 1 (text) is_error=true- result text=Exit code 1- "Exit code 1\nFAIL"
		tool_result t2 ok (field) is_error=false+ "a"
		tool_result t3 ok (inferred) "1\tx"
		tool_result t4 unknown "b"
		message harness notice "<system-reminder>x</system-reminder>"
		message human "and now?"`,
	},
	{
		name: "another harness: no word, no end",
		in: `
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"run_command","input":{"command":"make"}},{"type":"tool_use","id":"t2","name":"write_file","input":{"path":"a","content":"b"}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"PASS"}],"is_error":false},{"type":"tool_result","tool_use_id":"t2","content":"saved","is_error":false}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":"boo","is_error":true}]}`,
		want: `
		tool_call t1 run_command shell "make"
		tool_call t2 write_file edit path=a
		tool_result t1 unknown is_error=false+ "PASS"
		tool_result t2 ok (field) is_error=false+ "saved"
		tool_result t9 nonzero (field) is_error=true- "boo"`,
	},
	{
		name: "a request body with the whole history",
		in: `
		{"model":"claude-x","max_tokens":100,"system":"s","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"four","signature":"sig"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}]}`,
		want: `
		session model=claude-x
		message human "a"
		reasoning signature=sig "four"
		tool_call t1 Bash shell "ls"
		tool_result t1 unknown "x"
		request 3 messages, 4 bytes of reasoning`,
	},
}

func TestAnthropic(t *testing.T) { checkFacts(t, anthropicFormat, anthropicFacts) }

func TestSniffChat(t *testing.T) {
	checkSniff(t, chatFacts, "chat", len(chatFacts))
	checkSniff(t, anthropicFacts, "anthropic", len(anthropicFacts))
}

func FuzzChat(f *testing.F) { fuzzAdapter(f, chatFormat, append(chatFacts, anthropicFacts...)) }

var rooFacts = []fact{{
	name: "calls in XML, results under a line that names them",
	in: `
	[{"role":"user","ts":1759500124114,"content":[{"type":"text","text":"<task>\nfix it\n</task>"},{"type":"text","text":"<environment_details>\nx"}]},{"role":"assistant","ts":1759500134309,"content":[{"type":"text","text":"<thinking>hm</thinking>\nRunning.\n\n<execute_command>\n<command>npm test</command>\n</execute_command>"}]},{"role":"user","ts":1759500134367,"content":[{"type":"text","text":"[execute_command for 'npm test'] Result:"},{"type":"text","text":"Command executed in terminal  within working directory '/w'. Exit code: 1\nOutput:\nboo"},{"type":"text","text":"<environment_details>\nx"}]},{"role":"assistant","ts":1759500134368,"content":[{"type":"text","text":"<update_todo_list>\n<todos>\n[x] test\n[-] fix\n[ ] ship\n</todos>\n</update_todo_list>"}]},{"role":"user","ts":1759500134369,"content":[{"type":"text","text":"[update_todo_list] Result:"},{"type":"text","text":"Todo list updated successfully."},{"type":"text","text":"Tool [write_to_file] was not executed because a tool has already been used"}]},{"role":"assistant","ts":1759500134370,"content":[{"type":"text","text":"<attempt_completion>\n<result>\nAll fixed.\n</result>\n</attempt_completion>"}]},{"role":"user","ts":1759500134371,"isSummary":true,"content":[{"type":"text","text":"so far"}]}]`,
	want: `
	message human "<task>\nfix it\n</task>"
	message harness notice "<environment_details>\nx"
	reasoning "hm"
	message assistant "Running."
	tool_call #1 execute_command shell "npm test"
	tool_result #1 nonzero 1 (text) output=Command executed in terminal  within working directory '/w'. Exit code: 1- "Command executed in terminal  within working directory '/w'. Exit code: 1\nOutput:\nboo"
	message harness notice "<environment_details>\nx"
	tool_call #2 update_todo_list plan [{test completed} {fix in_progress} {ship pending}]
	tool_result #2 unknown "Todo list updated successfully."
	message harness notice "Tool [write_to_file] was not executed because a tool has already been used"
	tool_call #3 attempt_completion finish
	message assistant final "All fixed."
	compaction
	message assistant summary "so far"`,
}}

var rooDecisions = []fact{{
	name: "the human's answer comes with words",
	in: `
	[{"role":"assistant","ts":1759500134309,"content":[{"type":"text","text":"<execute_command>\n<command>ls</command>\n</execute_command>"}]},{"role":"user","ts":1759500134367,"content":[{"type":"text","text":"[execute_command for 'ls'] Result:"},{"type":"text","text":"The user approved this operation and provided the following context:\n<feedback>\nfine\n</feedback>"},{"type":"text","text":"[execute_command for 'ls'] Result:"},{"type":"text","text":"Command executed in terminal  within working directory '/w'. Exit code: 0\nOutput:\na"}]},{"role":"assistant","ts":1759500134310,"content":[{"type":"text","text":"<execute_command>\n<command>rm -r x</command>\n</execute_command>"}]},{"role":"user","ts":1759500134367,"content":[{"type":"text","text":"[execute_command for 'rm -r x'] Result:"},{"type":"text","text":"The user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>"}]}]`,
	want: `
	tool_call #1 execute_command shell "ls"
	decision approved #1 by human
	message human "fine"
	tool_result #1 ok 0 (text) output=Command executed in terminal  within working directory '/w'. Exit code: 0+ "Command executed in terminal  within working directory '/w'. Exit code: 0\nOutput:\na"
	tool_call #2 execute_command shell "rm -r x"
	decision denied #2 by human
	tool_result #2 denied (text) not-run output=The user denied this operation and provided the following feedback:- "The user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>"
	message human "no"`,
}}

func TestRoo(t *testing.T) {
	checkFacts(t, rooFormat, append(rooFacts, rooDecisions...))
	checkSniff(t, rooFacts, "roo", 1)
}
func FuzzRoo(f *testing.F) { fuzzAdapter(f, rooFormat, rooFacts) }
