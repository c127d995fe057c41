package transcript

import (
	"strings"
	"testing"
)

// geminiRun is a message with one shell call and its result.
func geminiRun(status, response string) string {
	return `{"id":"m2","timestamp":"2026-04-29T21:39:35Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"run_shell_command","args":{"command":"make"},"status":"` +
		status + `","result":[{"functionResponse":{"id":"c1","name":"run_shell_command","response":{` + response + `}}}]}]}`
}

const geminiRan = "tool_call c1 run_shell_command shell \"make\"\n\ttool_result c1 "

var geminiFacts = []fact{
	{"header", `{"sessionId":"s","projectHash":"h","startTime":"2026-04-29T21:39:22Z","lastUpdated":"x","kind":"main"}`, `session id=s`},
	{"document", "{\n\"sessionId\": \"s\",\n\"projectHash\": \"h\",\n\"messages\": [{\"id\":\"1\",\"type\":\"user\",\"content\":\"hi\"}]\n}", "session id=s\nmessage human \"hi\""},
	{
		"answer", `{"id":"m","type":"gemini","content":"ok","thoughts":[{"subject":"Plan","description":"look first"}],"tokens":{"input":100,"output":8,"cached":40,"thoughts":3,"tool":0,"total":111},"model":"g3"}`,
		`session model=g3
		reasoning "Plan\nlook first"
		message assistant "ok"
		usage context=100 cached=40 out=8 total=0`,
	},
	{
		"old form, ok", geminiRun("success", `"output":"Command: make\nDirectory: (root)\nOutput: done\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 9"`),
		geminiRan + `ok 0 (text) status=success? output=Exit Code: 0+ "Command: make\nDirectory: (root)\nOutput: done\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 9"`,
	},
	{"new form, ok", geminiRun("success", `"output":"Output: done\nProcess Group PGID: 9"`), geminiRan + `ok (inferred) status=success? "Output: done\nProcess Group PGID: 9"`},
	{
		"failed with status success", geminiRun("success", `"output":"Output: FAIL\nExit Code: 2\nProcess Group PGID: 9"`),
		geminiRan + `nonzero 2 (text) status=success? output=Exit Code: 2- "Output: FAIL\nExit Code: 2\nProcess Group PGID: 9"`,
	},
	{"killed", geminiRun("success", `"output":"Output: x\nSignal: 15\nProcess Group PGID: 9"`), geminiRan + `signalled SIGTERM (text) status=success? output=Signal: 15- "Output: x\nSignal: 15\nProcess Group PGID: 9"`},
	{
		"timeout with status success", geminiRun("success", `"output":"Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. Below is the output before it was cancelled:\nx"`),
		geminiRan + `timeout limit=5m0s (text) status=success? output=Command was automatically cancelled because it exceeded the timeout of 5.0 minutes- "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. Below is the output before it was cancelled:\nx"`,
	},
	{
		"broken off", geminiRun("cancelled", `"error":"[Operation Cancelled] Reason: User cancelled the operation."`),
		geminiRan + `interrupted (text) interrupted-by-user status=cancelled- "[Operation Cancelled] Reason: User cancelled the operation."`,
	},
	{
		"denied", geminiRun("cancelled", `"error":"[Operation Cancelled] Reason: User denied execution."`),
		geminiRan + `denied (text) not-run status=cancelled- "[Operation Cancelled] Reason: User denied execution."
		decision denied c1 by human`,
	},
	{
		"denied by policy", geminiRun("error", `"error":"Tool execution denied by policy."`),
		geminiRan + `denied (text) not-run status=error- "Tool execution denied by policy."
		decision denied c1 by policy`,
	},
	{
		"background", geminiRun("success", `"output":"Command moved to background (PID: 77). Output hidden. Press Ctrl+B to view."`),
		geminiRan + `still-running (text) job=77 status=success? "Command moved to background (PID: 77). Output hidden. Press Ctrl+B to view."`,
	},
	{"tool failed", geminiRun("error", `"error":"spawn ENOENT"`), geminiRan + `nonzero (field) status=error- "spawn ENOENT"`},
	{
		"printed by the command", geminiRun("success", `"output":"Output: Exit Code: 3\nnot the end\nProcess Group PGID: 9"`),
		geminiRan + `ok (inferred) status=success? "Output: Exit Code: 3\nnot the end\nProcess Group PGID: 9"`,
	},
	{
		"cut", geminiRun("success", `"output":"Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /f\na\n... [9 characters omitted] ...\nb\nExit Code: 1"`),
		geminiRan + `nonzero 1 (text) status=success? output=Exit Code: 1- "Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /f\na\n... [9 characters omitted] ...\nb\nExit Code: 1"`,
	},
	{
		"edit", `{"id":"m","type":"gemini","content":"","toolCalls":[{"id":"e","name":"replace","args":{"file_path":"/a"},"status":"success","result":[{"functionResponse":{"id":"e","response":{"output":"done"}}}]}]}`,
		"tool_call e replace edit path=/a\ntool_result e ok (field) status=success+ \"done\"",
	},
	{
		"written again", `{"id":"m2","type":"gemini","content":"look"}
	` + strings.Replace(geminiRun("success", `"output":"Output: x\nExit Code: 1"`), `"content":""`, `"content":"look"`, 1) + `
	` + strings.Replace(geminiRun("success", `"output":"<tool_output_masked>"`), `"content":""`, `"content":"look"`, 1),
		`message assistant "look"
		` + geminiRan + `nonzero 1 (text) status=success? output=Exit Code: 1- "Output: x\nExit Code: 1"`,
	},
	{
		"checkpoint with a snapshot", `{"id":"u","type":"user","content":"old"}
	{"$set":{"messages":[{"id":"u9","type":"user","content":[{"text":"<state_snapshot>so far"}]},{"id":"u","type":"user","content":"old"}]}}`,
		`message human "old"
		compaction
		message assistant summary "<state_snapshot>so far"`,
	},
	{
		"result sent again", geminiRun("success", `"output":"Output: x\nExit Code: 1"`) + `
	{"id":"u2","type":"user","content":[{"functionResponse":{"id":"c1","name":"run_shell_command","response":{"output":"Output: x\nExit Code: 1"}}}]}`,
		geminiRan + `nonzero 1 (text) status=success? output=Exit Code: 1- "Output: x\nExit Code: 1"
		tool_result c1 nonzero 1 (text) again output=Exit Code: 1- "Output: x\nExit Code: 1"`,
	},
	{"injected", `{"id":"u","type":"user","content":[{"text":"<session_context>\nToday"}]}`, `message harness notice "<session_context>\nToday"`},
	{
		"asides", `{"id":"i","type":"info","content":"Request cancelled."}
	{"id":"w","type":"error","content":"API Error: 429 slow"}
	{"$rewindTo":"i"}
	{"$set":{"lastUpdated":"x"}}`,
		`turn_end interrupted bad
		status error 429 API Error: 429 slow "API Error: 429 slow"
		status rewind`,
	},
	{"unknown", `{"id":"x","type":"frob"}`, `unknown`},
}

var geminiStreamFacts = []fact{
	{"init", `{"type":"init","timestamp":"2026-04-29T21:39:22Z","session_id":"s","model":"g3"}`, `session id=s model=g3`},
	{
		"deltas", `{"type":"message","role":"user","content":"hi"}
	{"type":"message","role":"assistant","content":"hel","delta":true}
	{"type":"message","role":"assistant","content":"lo","delta":true}
	{"type":"tool_use","tool_name":"run_shell_command","tool_id":"c1","parameters":{"command":"make"}}
	{"type":"tool_result","tool_id":"c1","status":"success","output":"x\nCommand exited with code: 2"}
	{"type":"message","role":"assistant","content":"bye","delta":true}`,
		`message human "hi"
		message assistant "hello"
		tool_call c1 run_shell_command shell "make"
		tool_result c1 nonzero 2 (text) status=success? output=Exit Code: 2- "x\nCommand exited with code: 2"
		message assistant "bye"`,
	},
	{
		"success is no evidence", `{"type":"tool_use","tool_name":"run_shell_command","tool_id":"c1","parameters":{"command":"make"}}
	{"type":"tool_result","tool_id":"c1","status":"success","output":"all good"}`,
		"tool_call c1 run_shell_command shell \"make\"\ntool_result c1 unknown status=success? \"all good\"",
	},
	{
		"cancelled, printed as success", `{"type":"tool_result","tool_id":"c1","status":"success","output":"[Operation Cancelled] User cancelled tool execution."}`,
		`tool_result c1 interrupted (text) interrupted-by-user status=success? "[Operation Cancelled] User cancelled tool execution."`,
	},
	{"error", `{"type":"tool_result","tool_id":"c1","status":"error","error":{"type":"x","message":"bad"}}`, `tool_result c1 nonzero (field) status=error- "bad"`},
	{"end", `{"type":"result","status":"error","error":{"message":"x"},"stats":{"total_tokens":9,"input_tokens":7}}`, "usage context=0 cached=0 out=0 total=7\nturn_end error bad session"},
	{"unknown", `{"type":"frob"}`, `unknown`},
}

const qwenEnvelope = `"uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-04-29T21:39:22Z"`

// qwenResult is a shell result as Qwen Code stores it.
func qwenResult(response, typed string) string {
	return `{` + qwenEnvelope + `,"type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"run_shell_command","response":{` + response + `}}}]},"toolCallResult":{` + typed + `}}`
}

var qwenFacts = []fact{
	{
		"answer", `{` + qwenEnvelope + `,"type":"assistant","model":"q","contextWindowSize":1000,"message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"ok"},{"functionCall":{"id":"c1","name":"run_shell_command","args":{"command":"make","is_background":false}}}]},"usageMetadata":{"promptTokenCount":90,"candidatesTokenCount":5,"cachedContentTokenCount":10}}`,
		`session id=s
		session model=q
		session window=1000
		reasoning "hm"
		message assistant "ok"
		tool_call c1 run_shell_command shell "make"
		usage context=90 cached=10 out=5 total=0`,
	},
	{
		"exit code", qwenResult(`"output":"Command: make\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 9"`, `"callId":"c1","status":"success"`),
		`session id=s
		tool_result c1 nonzero 2 (text) status=success? output=Exit Code: 2- "Command: make\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 9"`,
	},
	{
		"timeout in words", qwenResult(`"output":"Command timed out after 120000ms before it could complete. Below is the output before it timed out:\nx"`, `"callId":"c1","status":"success"`),
		`session id=s
		tool_result c1 timeout limit=2m0s (text) status=success? output=Command timed out after 120000ms- "Command timed out after 120000ms before it could complete. Below is the output before it timed out:\nx"`,
	},
	{
		"timeout as a type", qwenResult(`"error":"It took too long."`, `"callId":"c1","status":"error","errorType":"EXECUTION_TIMEOUT"`),
		`session id=s
		tool_result c1 timeout (field) status=error- "It took too long."`,
	},
	{
		"background", qwenResult(`"output":"Background shell started with id bg_0a1b2c3d."`, `"callId":"c1","status":"success"`),
		`session id=s
		tool_result c1 still-running (text) job=bg_0a1b2c3d status=success? "Background shell started with id bg_0a1b2c3d."`,
	},
	{
		"compression", `{` + qwenEnvelope + `,"type":"system","subtype":"chat_compression","systemPayload":{"info":{"originalTokenCount":900,"newTokenCount":100,"compressionStatus":1},"compressedHistory":[{"role":"user","parts":[{"text":"<state_snapshot>x"}]}]}}`,
		`session id=s
		compaction 900>100
		message assistant summary "<state_snapshot>x"`,
	},
	{
		"compression that failed", `{` + qwenEnvelope + `,"type":"system","subtype":"chat_compression","systemPayload":{"info":{"originalTokenCount":900,"newTokenCount":950,"compressionStatus":2},"compressedHistory":[]}}`,
		`session id=s
		compaction 900>950 failed=compressionStatus 2`,
	},
	{"mode", `{` + qwenEnvelope + `,"type":"system","subtype":"session_approval_mode","systemPayload":{"mode":"yolo"}}`, "session id=s\nsession policy=\"yolo\" auto=true"},
	{"notification", `{` + qwenEnvelope + `,"type":"user","subtype":"notification","message":{"role":"user","parts":[{"text":"job done"}]}}`, "session id=s\nmessage harness notice \"job done\""},
	{
		"human in a fork", `{` + qwenEnvelope + `,"type":"user","forkedFrom":{"sessionId":"s0","messageUuid":"u1"},"message":{"role":"user","parts":[{"text":"hi"}]}}`,
		"session id=s fork=s0\nmessage copied human \"hi\"",
	},
	{"unknown", `{` + qwenEnvelope + `,"type":"frob"}`, "session id=s\nunknown"},
}

func TestGemini(t *testing.T)       { checkFacts(t, geminiFormat, geminiFacts) }
func TestGeminiStream(t *testing.T) { checkFacts(t, geminiStreamFormat, geminiStreamFacts) }
func TestQwen(t *testing.T)         { checkFacts(t, qwenFormat, qwenFacts) }
func FuzzGemini(f *testing.F)       { fuzzAdapter(f, geminiFormat, geminiFacts) }
func FuzzGeminiStream(f *testing.F) { fuzzAdapter(f, geminiStreamFormat, geminiStreamFacts) }
func FuzzQwen(f *testing.F)         { fuzzAdapter(f, qwenFormat, qwenFacts) }

func TestSniffGemini(t *testing.T) {
	for in, want := range map[string]string{
		geminiFacts[0].in:       "gemini-cli",
		geminiFacts[1].in:       "gemini-cli",
		geminiFacts[2].in:       "gemini-cli",
		`{"$rewindTo":"x"}`:     "gemini-cli",
		geminiStreamFacts[0].in: "gemini-stream-json",
		qwenFacts[0].in:         "qwen-code",
		qwenFacts[1].in:         "qwen-code",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

// What follows a rewind hangs on the message before the one that was dropped.
func TestGeminiRewind(t *testing.T) {
	events := decodeAll(t, geminiFormat, `{"id":"a","type":"user","content":"1"}
	{"id":"b","type":"gemini","content":"2"}
	{"$rewindTo":"b"}
	{"id":"c","type":"user","content":"3"}`)
	if last := events[len(events)-1]; last.Pos.ID != "c" || last.Parent != "a" {
		t.Errorf("%s hangs on %q", last.Pos.ID, last.Parent)
	}
}
