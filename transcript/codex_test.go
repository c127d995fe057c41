package transcript

import (
	"strings"
	"testing"
)

var codexFacts = []fact{
	{
		name: "session, policy, words told twice",
		in: `
		{"timestamp":"2026-05-01T10:00:00.000Z","type":"session_meta","payload":{"id":"s1","cwd":"/w","cli_version":"0.140.0","source":"cli"}}
		{"timestamp":"2026-05-01T10:00:00.001Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t1","model_context_window":1000}}
		{"timestamp":"2026-05-01T10:00:00.002Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"be good"}]}}
		{"timestamp":"2026-05-01T10:00:00.003Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /w"},{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
		{"timestamp":"2026-05-01T10:00:00.004Z","type":"turn_context","payload":{"turn_id":"t1","cwd":"/w","approval_policy":"never","sandbox_policy":{"type":"read-only"},"model":"m"}}
		{"timestamp":"2026-05-01T10:00:00.005Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]}}
		{"timestamp":"2026-05-01T10:00:00.006Z","type":"event_msg","payload":{"type":"user_message","message":"do it","images":[]}}
		{"timestamp":"2026-05-01T10:00:01.000Z","type":"event_msg","payload":{"type":"agent_message","message":"done","phase":"final_answer"}}
		{"timestamp":"2026-05-01T10:00:01.001Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}],"phase":"final_answer"}}
		{"timestamp":"2026-05-01T10:00:01.002Z","type":"event_msg","payload":{"type":"task_complete","turn_id":"t1","last_agent_message":"done"}}`,
		want: `
		session id=s1 dir=/w
		session window=1000
		message harness prompt "be good"
		message harness notice "# AGENTS.md instructions for /w\n<environment_context>x</environment_context>"
		session model=m dir=/w policy="never, read-only" auto=true
		message human "do it"
		message assistant final "done"
		turn_end completed`,
	},
	{
		name: "the item first, the same words again in a later turn, last words of their own",
		in: `
		{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}
		{"type":"event_msg","payload":{"type":"agent_message","message":"ok"}}
		{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}
		{"type":"event_msg","payload":{"type":"agent_message","message":"ok"}}
		{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":"that is all"}}`,
		want: `
		message assistant "ok"
		message assistant "ok"
		message assistant final "that is all"
		turn_end completed`,
	},
	{
		name: "unified exec: running, typed into, exited",
		in: `
		{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"make test\",\"workdir\":\"/w\",\"sandbox_permissions\":\"require_escalated\"}","call_id":"c1"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Chunk ID: ab\nWall time: 10.0 seconds\nProcess running with session ID 42\nOriginal token count: 0\nOutput:\nProcess exited with code 7\n"}}
		{"type":"response_item","payload":{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":42,\"chars\":\"\"}","call_id":"c2"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Chunk ID: ac\nWall time: 5.0 seconds\nProcess exited with code 2\nOutput:\nFAIL\n"}}`,
		want: `
		tool_call c1 exec_command shell "make test" dir=/w escalated
		tool_result c1 still-running (text) job=42 partial "Chunk ID: ab\nWall time: 10.0 seconds\nProcess running with session ID 42\nOriginal token count: 0\nOutput:\nProcess exited with code 7\n"
		tool_call c2 write_stdin input job=42
		tool_result c2 nonzero 2 (text) job=42 output=Process exited with code 2- "Chunk ID: ac\nWall time: 5.0 seconds\nProcess exited with code 2\nOutput:\nFAIL\n"`,
	},
	{
		name: "Ctrl-C typed into a session stops it on purpose; a lost session says nothing about it",
		in: `
		{"type":"response_item","payload":{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":7,\"chars\":\"\\u0003\"}","call_id":"c1"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Wall time: 0.1 seconds\nProcess exited with code 130\nOutput:\n^C"}}
		{"type":"response_item","payload":{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":8}","call_id":"c2"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"write_stdin failed: Unknown process id 8"}}`,
		want: `
		tool_call c1 write_stdin input job=7 input="\x03"
		tool_result c1 stopped-on-purpose 130 SIGINT (text) job=7 output=Process exited with code 130- "Wall time: 0.1 seconds\nProcess exited with code 130\nOutput:\n^C"
		tool_call c2 write_stdin input job=8
		tool_result c2 nonzero (text) output=write_stdin failed: Unknown process id 8- "write_stdin failed: Unknown process id 8"`,
	},
	{
		name: "a timeout is 124 with a limit in sight; 124, 137 and 143 alone are not",
		in: `
		{"type":"response_item","payload":{"type":"function_call","name":"shell_command","arguments":"{\"command\":\"x\",\"timeout_ms\":10000}","call_id":"c1"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Exit code: 124\nWall time: 10.0 seconds\nTotal output lines: 3\nOutput:\ncommand timed out after 10000 milliseconds\n3 passed"}}
		{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","exit_code":124,"status":"failed","aggregated_output":"3 passed"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Exit code: 124\nWall time: 1 seconds\nOutput:\n"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":"Exit code: 143\nWall time: 1 seconds\nOutput:\n"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c4","output":"Exit code: 0\nWall time: 1 seconds\nOutput:\ncommand timed out after 5 ms"}}`,
		want: `
		tool_call c1 shell_command shell "x" timeout=10s
		tool_result c1 timeout 124 limit=10s (text) output=Exit code: 124, command timed out after 10000 milliseconds- "Exit code: 124\nWall time: 10.0 seconds\nTotal output lines: 3\nOutput:\ncommand timed out after 10000 milliseconds\n3 passed"
		tool_result c1 timeout 124 limit=10s (text) again exit_code=124- status=failed- "3 passed"
		tool_result c2 nonzero 124 (text) output=Exit code: 124- "Exit code: 124\nWall time: 1 seconds\nOutput:\n"
		tool_result c3 signalled 143 SIGTERM (text) output=Exit code: 143- "Exit code: 143\nWall time: 1 seconds\nOutput:\n"
		tool_result c4 ok 0 (text) output=Exit code: 0+ "Exit code: 0\nWall time: 1 seconds\nOutput:\ncommand timed out after 5 ms"`,
	},
	{
		name: "JSON outputs, whole and cut in the middle",
		in: `
		{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c1","status":"completed","action":{"type":"exec","command":["go","test"],"timeout_ms":1000,"working_directory":"/w"}}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"ok\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.2}}"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"{\"output\":\"command timed out after 10000 milliseconds\\nx\",\"metadata\":{\"exit_code\":124,\"duration_seconds\":10.0}}"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":"{\"output\":\"a…9 tokens truncated…\"b\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.2}}"}}`,
		want: `
		tool_call c1 local_shell shell ["go" "test"] dir=/w timeout=1s
		tool_result c1 ok 0 (field) metadata.exit_code=0+ "ok\n"
		tool_result c2 timeout 124 limit=10s (field) metadata.exit_code=124- output=command timed out after 10000 milliseconds- "command timed out after 10000 milliseconds\nx"
		tool_result c3 nonzero 1 (field) metadata.exit_code=1- "{\"output\":\"a…9 tokens truncated…\"b\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.2}}"`,
	},
	{
		name: "the typed end: before the output, beside it, of a command that went on, of the user's own",
		in: `
		{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"a\"}","call_id":"c1"}}
		{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","exit_code":1,"status":"failed","aggregated_output":"x"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Wall time: 1 seconds\nProcess exited with code 0\nOutput:\nx"}}
		{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"b\"}","call_id":"c2"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Wall time: 1 seconds\nProcess running with session ID 5\nOutput:\n"}}
		{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c2","exit_code":0,"status":"completed","aggregated_output":"y"}}
		{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"u1","source":"user_shell","command":["bash","-lc","ls"],"exit_code":0,"status":"completed"}}`,
		want: `
		tool_call c1 exec_command shell "a"
		tool_result c1 nonzero 1 (field) again exit_code=1- status=failed- "x"
		tool_result c1 ok 0 (text) output=Process exited with code 0+ exit_code=1- status=failed- "Wall time: 1 seconds\nProcess exited with code 0\nOutput:\nx"
		tool_call c2 exec_command shell "b"
		tool_result c2 still-running (text) job=5 partial "Wall time: 1 seconds\nProcess running with session ID 5\nOutput:\n"
		job 5 ended ok 0 (field)
		tool_call u1 user_shell shell ["bash" "-lc" "ls"]
		tool_result u1 ok 0 (field) exit_code=0+ status=completed+`,
	},
	{
		name: "interrupted by the user, and the turn with it",
		in: `
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"aborted by user after 7.3s"}}
		{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","exit_code":-1,"status":"failed"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Wall time: 3.2 seconds\naborted by user"}}
		{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<turn_aborted>\nThe user interrupted.\n</turn_aborted>"}]}}
		{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}`,
		want: `
		tool_result c1 interrupted (text) interrupted-by-user output=aborted by user after 7.3s- "aborted by user after 7.3s"
		tool_result c1 interrupted (text) again exit_code=-1- status=failed-
		tool_result c2 interrupted (text) interrupted-by-user output=aborted by user- "Wall time: 3.2 seconds\naborted by user"
		message harness notice "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"
		turn_end interrupted bad`,
	},
	{
		name: "refused: by whom is unknown, by the policy, by a hook; a review that ran late is no refusal",
		in: `
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"exec command rejected by user"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"` + "`rm` rejected: policy forbids commands starting with `rm`" + `"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":"Command blocked by PreToolUse hook: no"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c4","output":"The automatic permission approval review did not finish before its deadline. Do not assume."}}
		{"type":"event_msg","payload":{"type":"guardian_assessment","id":"g1","status":"timed_out"}}`,
		want: `
		tool_result c1 denied (text) not-run output=exec command rejected by user- "exec command rejected by user"
		decision denied c1 by unknown
		tool_result c2 denied (text) not-run output=` + "`rm` rejected: policy forbids commands starting with `rm`- \"`rm` rejected: policy forbids commands starting with `rm`\"" + `
		decision denied c2 by policy
		tool_result c3 denied (text) not-run output=Command blocked by PreToolUse hook: no- "Command blocked by PreToolUse hook: no"
		decision denied c3 by hook
		tool_result c4 not-started (text) not-run "The automatic permission approval review did not finish before its deadline. Do not assume."
		decision expired c4 by default
		decision expired g1 by default`,
	},
	{
		name: "patches: applied, told twice, not matching",
		in: `
		{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"*** Begin Patch\n*** Update File: a/b.go\n@@\n"}}
		{"type":"event_msg","payload":{"type":"patch_apply_end","call_id":"c1","stdout":"Success.","stderr":"","success":true,"status":"completed"}}
		{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a/b.go\n"}}
		{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c2","output":"apply_patch verification failed: Failed to find expected lines"}}`,
		want: `
		tool_call c1 apply_patch edit path=a/b.go
		tool_result c1 ok (field) again success=true+ "Success.\n"
		tool_result c1 ok 0 (text) output=Exit code: 0+ success=true+ "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a/b.go\n"
		tool_result c2 nonzero (text) output=apply_patch verification failed: Failed to find expected lines- "apply_patch verification failed: Failed to find expected lines"`,
	},
	{
		name: "MCP: the event knows how it went, the output does not say",
		in: `
		{"type":"response_item","payload":{"type":"function_call","name":"ask","namespace":"mcp__wiki","arguments":"{}","call_id":"c1"}}
		{"type":"event_msg","payload":{"type":"mcp_tool_call_end","call_id":"c1","result":{"Ok":{"content":[{"type":"text","text":"no"}],"isError":true}}}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Wall time: 1.0 seconds\nOutput:\nno"}}
		{"type":"response_item","payload":{"type":"function_call","name":"wiki__ask","arguments":"{\"a\":","call_id":"c2"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Wall time: 1.0 seconds\nOutput:\nyes"}}`,
		want: `
		tool_call c1 ask external
		tool_result c1 nonzero (field) again isError=true- "no"
		tool_result c1 nonzero (field) isError=true- "Wall time: 1.0 seconds\nOutput:\nno"
		tool_call c2 wiki__ask external broken
		tool_result c2 unknown "Wall time: 1.0 seconds\nOutput:\nyes"`,
	},
	{
		name: "code mode: a script that ended well says nothing about its commands",
		in: `
		{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":"c1","input":"const r = await tools.exec_command({\n  cmd: \"go test\", workdir: \"/w\"\n});"}}
		{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"x"}]}}
		{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":"c2","input":"text(1)"}}
		{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n"}]}}
		{"type":"response_item","payload":{"type":"function_call","name":"wait","call_id":"c3","arguments":"{\"cell_id\":\"3\"}"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":[{"type":"input_text","text":"Warning: truncated output (original token count: 9)\nTotal output lines: 2\n\nScript failed\nWall time 0.1 seconds\nOutput:\n"}]}}`,
		want: `
		tool_call c1 exec shell "go test"
		tool_result c1 unknown "Script completed\nWall time 0.1 seconds\nOutput:\n\nx"
		tool_call c2 exec other
		tool_result c2 still-running (text) job=cell 3 partial "Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n"
		tool_call c3 wait poll job=cell 3
		tool_result c3 nonzero (text) job=cell 3 output=Script failed- "Warning: truncated output (original token count: 9)\nTotal output lines: 2\n\nScript failed\nWall time 0.1 seconds\nOutput:\n"`,
	},
	{
		name: "compaction: readable, opaque, told twice",
		in: `
		{"type":"compacted","payload":{"message":"we did a","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}]}}
		{"type":"event_msg","payload":{"type":"context_compacted"}}
		{"type":"compacted","payload":{"message":"","replacement_history":[{"type":"compaction","encrypted_content":"zz"}]}}
		{"type":"event_msg","payload":{"type":"context_compacted"}}
		{"type":"event_msg","payload":{"type":"context_compacted"}}`,
		want: `
		compaction
		message assistant summary "we did a"
		compaction opaque
		compaction opaque`,
	},
	{
		name: "tokens: the last request and the running total; a tick tells nothing; reasoning keeps its signature",
		in: `
		{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"total_tokens":950},"last_token_usage":{"input_tokens":300,"cached_input_tokens":200,"output_tokens":50},"model_context_window":1000}}}
		{"type":"event_msg","payload":{"type":"token_count","info":null}}
		{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"total_tokens":950},"last_token_usage":{"input_tokens":300}}}}
		{"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"gA"}}
		{"type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}}
		{"type":"event_msg","payload":{"type":"agent_reasoning","text":"hm"}}`,
		want: `
		session window=1000
		usage context=300 cached=200 out=50 total=900
		reasoning signature=gA hollow
		reasoning "hm"`,
	},
	{
		name: "a fork copies its parent's history up to the first turn of its own",
		in: `
		{"timestamp":"2026-05-01T10:00:00.000Z","type":"session_meta","payload":{"id":"019f5000-0000-7000-8000-000000000001","forked_from_id":"019f4000-0000-7000-8000-000000000001"}}
		{"timestamp":"2026-05-01T10:00:00.000Z","type":"session_meta","payload":{"id":"019f4000-0000-7000-8000-000000000001"}}
		{"timestamp":"2026-05-01T10:00:00.001Z","type":"turn_context","payload":{"turn_id":"019f4000-0000-7000-8000-000000000002","model":"m","approval_policy":"on-request"}}
		{"timestamp":"2026-05-01T10:00:00.002Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"old"}]}}
		{"timestamp":"2026-05-01T10:00:00.003Z","type":"event_msg","payload":{"type":"task_started","turn_id":"019f5000-0000-7000-8000-000000000002"}}
		{"timestamp":"2026-05-01T10:00:00.004Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"new"}]}}`,
		want: `
		session id=019f5000-0000-7000-8000-000000000001 fork=019f4000-0000-7000-8000-000000000001
		session copied model=m policy="on-request" auto=false
		message copied assistant "old"
		message assistant "new"`,
	},
	{
		name: "paginated history; a subagent's orders come from its parent",
		in: `
		{"ordinal":1,"type":"session_meta","payload":{"id":"s2","history_mode":"paginated","source":{"subagent":{"thread_spawn":{"parent_thread_id":"s1"}}}}}
		{"ordinal":2,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"look"}]}}}
		{"ordinal":3,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"look"}]}}
		{"ordinal":4,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"seen"}]}}
		{"ordinal":5,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"seen"}]}}}
		{"ordinal":6,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c1","exit_code":0,"status":"completed"}}}`,
		want: `
		session id=s2
		message peer "look"
		message assistant "seen"
		tool_result c1 ok 0 (field) again exit_code=0+ status=completed+`,
	},
	{
		name: "questions: answered, and left without an answer",
		in: `
		{"type":"response_item","payload":{"type":"function_call","name":"request_user_input","arguments":"{}","call_id":"c1"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"answers\":{\"q\":{\"answers\":[\"yes\"]}}}"}}
		{"type":"response_item","payload":{"type":"function_call","name":"request_user_input","arguments":"{}","call_id":"c2"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"{\"answers\":{\"q\":{\"answers\":[]}}}"}}`,
		want: `
		tool_call c1 request_user_input ask
		tool_result c1 unknown "{\"answers\":{\"q\":{\"answers\":[\"yes\"]}}}"
		decision answered c1 by human
		tool_call c2 request_user_input ask
		tool_result c2 unknown "{\"answers\":{\"q\":{\"answers\":[]}}}"
		decision expired c2 by default`,
	},
	{
		name: "bare items of 2025, and flattened ones",
		in: `
		{"id":"s1","timestamp":"2025-08-01T10:00:00.000Z","instructions":null}
		{"record_type":"state"}
		{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}
		{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c1"}
		{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"a\",\"metadata\":{\"exit_code\":137}}"}
		{"timestamp":"2025-09-01T10:00:00.000Z","type":"message","role":"assistant","content":[{"type":"output_text","text":"yo"}]}
		{"type":"novelty"}`,
		want: `
		session id=s1
		message human "hi"
		tool_call c1 shell shell ["ls"]
		tool_result c1 signalled 137 SIGKILL (field) metadata.exit_code=137- "a"
		message assistant "yo"
		unknown`,
	},
}

func TestCodex(t *testing.T)   { checkFacts(t, codexFormat, codexFacts) }
func FuzzCodex(f *testing.F)   { fuzzAdapter(f, codexFormat, codexFacts) }
func TestCodexIO(t *testing.T) { checkFacts(t, codexExecFormat, codexExecFacts) }
func FuzzCodexExec(f *testing.F) {
	fuzzAdapter(f, codexExecFormat, codexExecFacts)
}

// The oldest era is one document, on one line or on many.
func TestCodexDocument(t *testing.T) {
	doc := `{"session":{"timestamp":"2025-05-01T10:00:00.000Z","id":"s1","instructions":""},"items":[
	{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},
	{"type":"local_shell_call","id":"c1","call_id":"c1","action":{"type":"exec","command":["ls"]}},
	{"type":"local_shell_call_output","call_id":"c1","output":"{\"output\":\"a\",\"metadata\":{\"exit_code\":1}}"}]}`
	want := `session id=s1
message human "hi"
tool_call c1 local_shell shell ["ls"]
tool_result c1 nonzero 1 (field) metadata.exit_code=1- "a"`
	for _, in := range []string{doc, strings.ReplaceAll(doc, "\n", "")} {
		if name := sniffed(in); name != "codex-json" {
			t.Errorf("taken for %q", name)
		}
		if got := strings.Join(factLines(eventsOf(t, codexOldFormat, in)), "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

var codexExecFacts = []fact{
	{
		name: "commands: ok, failed, killed at a limit unseen, refused, never ended",
		in: `
		{"type":"thread.started","thread_id":"t1"}
		{"type":"turn.started"}
		{"type":"item.started","item":{"id":"item_0","type":"command_execution","command":"bash -lc 'npm test'","aggregated_output":"","exit_code":null,"status":"in_progress"}}
		{"type":"item.completed","item":{"id":"item_0","type":"command_execution","command":"bash -lc 'npm test'","aggregated_output":"x","exit_code":124,"status":"failed"}}
		{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"rm x","aggregated_output":"","exit_code":-1,"status":"declined"}}
		{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"serve","aggregated_output":"up","exit_code":null,"status":"in_progress"}}
		{"type":"item.started","item":{"id":"item_3","type":"command_execution","command":"sleep 9","aggregated_output":"","exit_code":null,"status":"in_progress"}}
		{"type":"item.completed","item":{"id":"item_4","type":"reasoning","text":"hm"}}
		{"type":"item.completed","item":{"id":"item_5","type":"agent_message","text":"done"}}
		{"type":"turn.completed","usage":{"input_tokens":900,"cached_input_tokens":800,"output_tokens":5}}`,
		want: `
		session id=t1
		tool_call item_0 command_execution shell "bash -lc 'npm test'"
		tool_result item_0 nonzero 124 (field) exit_code=124- status=failed- "x"
		tool_call item_1 command_execution shell "rm x"
		tool_result item_1 denied (field) not-run exit_code=-1- status=declined-
		decision denied item_1 by unknown
		tool_call item_2 command_execution shell "serve"
		tool_result item_2 still-running (field) "up"
		tool_call item_3 command_execution shell "sleep 9"
		reasoning "hm"
		message assistant "done"
		usage context=0 cached=800 out=5 total=900
		turn_end completed`,
	},
	{
		name: "status and code that disagree; other items; a turn that failed",
		in: `
		{"type":"item.completed","item":{"id":"i0","type":"command_execution","command":"a","aggregated_output":"","exit_code":1,"status":"completed"}}
		{"type":"item.completed","item":{"id":"i1","type":"file_change","changes":[{"path":"a.go","kind":"update"}],"status":"failed"}}
		{"type":"item.started","item":{"id":"i2","type":"mcp_tool_call","server":"s","tool":"t","arguments":{},"status":"in_progress"}}
		{"type":"item.completed","item":{"id":"i2","type":"mcp_tool_call","server":"s","tool":"t","arguments":{},"error":{"message":"gone"},"status":"failed"}}
		{"type":"item.completed","item":{"id":"i3","type":"todo_list","items":[{"text":"run tests","completed":true}]}}
		{"type":"item.completed","item":{"id":"i4","item_type":"assistant_message","text":"hi"}}
		WARNING: something on stderr
		{"type":"item.completed","item":{"id":"i5","type":"error","message":"slow"}}
		{"type":"turn.failed","error":{"message":"429"}}`,
		want: `
		tool_call i0 command_execution shell "a"
		tool_result i0 nonzero 1 (field) exit_code=1- status=completed+
		tool_call i1 file_change edit path=a.go
		tool_result i1 nonzero (field) status=failed-
		tool_call i2 s.t external
		tool_result i2 nonzero (field) status=failed- error.message=gone-
		tool_call i3 todo_list plan server [{run tests completed}]
		message assistant "hi"
		fault not-json
		status api_error slow
		status api_error 429
		turn_end error bad`,
	},
	{
		name: "the older stream",
		in: `
		{"model":"m","workdir":"/w","approval":"never","sandbox":"read-only"}
		{"prompt":"do it"}
		{"id":"0","msg":{"type":"task_started","model_context_window":100}}
		{"id":"0","msg":{"type":"agent_reasoning","text":"hm"}}
		{"id":"0","msg":{"type":"exec_command_begin","call_id":"c1","command":["bash","-lc","make"],"cwd":"/w"}}
		{"id":"0","msg":{"type":"exec_command_end","call_id":"c1","stdout":"","stderr":"","exit_code":2,"duration":{"secs":1,"nanos":5},"aggregated_output":"err"}}
		{"id":"0","msg":{"type":"exec_approval_request","call_id":"c2","command":["rm"],"reason":"why"}}
		{"id":"0","msg":{"type":"agent_message","message":"bad"}}
		{"id":"0","msg":{"type":"agent_message","message":"bad"}}
		{"id":"0","msg":{"type":"task_complete","last_agent_message":"bad"}}`,
		want: `
		session model=m dir=/w policy="never" auto=true
		message human "do it"
		session window=100
		reasoning "hm"
		tool_call c1 exec_command shell ["bash" "-lc" "make"] dir=/w
		tool_result c1 nonzero 2 (field) exit_code=2- "err"
		decision requested c2 by unknown
		message assistant "bad"
		message assistant "bad"
		turn_end completed`,
	},
}

func TestSniffCodex(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"rollout", `{"timestamp":"x","type":"session_meta","payload":{"id":"a"}}`, "codex"},
		{"resumed in the middle", `{"timestamp":"x","type":"event_msg","payload":{"type":"token_count"}}`, "codex"},
		{"a giant first record", `{"timestamp":"x","type":"compacted","payload":{"message":"` + strings.Repeat("a", 3<<20) + `"}}`, "codex"},
		{"bare", `{"id":"a","timestamp":"2025-08-01","instructions":null}` + "\n" + `{"record_type":"state"}`, "codex"},
		{"exec", "Reading prompt from stdin...\n" + `{"type":"thread.started","thread_id":"a"}`, "codex-exec"},
		{"old exec", `{"prompt":"a"}` + "\n" + `{"id":"0","msg":{"type":"task_started"}}`, "codex-exec"},
		{"copilot", `{"type":"session.start","data":{"sessionId":"a","producer":"copilot-agent"},"id":"e","timestamp":"t","parentId":null}`, "copilot-cli"},
		{"copilot, head lost", `{"type":"user.message","data":{"content":"a"},"id":"e","timestamp":"t","parentId":"d"}`, "copilot-cli"},
	} {
		if got := sniffed(c.in + "\n"); got != c.want {
			t.Errorf("%s: taken for %q, want %q", c.name, got, c.want)
		}
	}
	for _, in := range []string{`{"type":"message","role":"user","content":"a"}`, `{"type":"item.foo"}`, `{"type":"session.start","data":{}}`} {
		if got := sniffed(in + "\n"); strings.HasPrefix(got, "co") {
			t.Errorf("%s: taken for %q", in, got)
		}
	}
}
