package transcript

import "testing"

var sweFacts = []fact{{
	name: "steps, timeouts by words, a success-looking status around an abnormal stop",
	in: `
	{"environment":"swe_main","trajectory":[{"action":"create a.py","observation":"[File: a.py]","thought":"Make a file.","response":"Make a file.","state":"{}"},{"action":"python a.py\n","observation":"\nEXECUTION TIMED OUT","thought":"Run it.","execution_time":30.5},{"action":"make test","observation":"The command 'make test' was cancelled because it took more than 30 seconds. Try another","thought":"Test.","query":[{"role":"user","content":"go"},{"role":"assistant","content":"x","thinking_blocks":[]}]},{"action":"ls","observation":"a.py","thought":""},{"action":"exit_cost","observation":"Exited (autosubmitted)","thought":"Exit due to cost limit"}],"history":[{"role":"system","content":"be good","agent":"primary"},{"role":"user","content":"demo","is_demo":true},{"role":"user","content":"fix the bug"},{"role":"assistant","content":"Make a file."}],"info":{"exit_status":"submitted (exit_cost)","model_stats":{"tokens_sent":900,"api_calls":4}}}
	{"environment":"swe_main","trajectory":[{"action":"submit","observation":"","thought":"Done."}],"history":[],"info":{"exit_status":"submitted"}}`,
	want: `
	message assistant "Make a file."
	tool_call #1 create edit path=a.py
	tool_result #1 unknown "[File: a.py]"
	message assistant "Run it."
	tool_call #2 bash shell "python a.py"
	tool_result #2 timeout (text) output=EXECUTION TIMED OUT- "\nEXECUTION TIMED OUT"
	request 2 messages, 0 bytes of reasoning
	message assistant "Test."
	tool_call #3 bash shell "make test"
	tool_result #3 timeout limit=30s (text) output=The command 'make test' was cancelled because it took more than 30 seconds. Try another- "The command 'make test' was cancelled because it took more than 30 seconds. Try another"
	tool_call #4 bash shell "ls"
	tool_result #4 unknown "a.py"
	status exit_cost
	message copied harness prompt "be good"
	message copied human "fix the bug"
	usage context=0 cached=0 out=0 total=900
	turn_end submitted (exit_cost) bad session
	session start
	message assistant "Done."
	tool_call #5 submit finish
	tool_result #5 unknown
	turn_end submitted session`,
}}

func TestSWEAgent(t *testing.T) {
	checkFacts(t, sweAgentFormat, sweFacts)
	checkSniff(t, sweFacts, "swe-agent", 1)
}
func FuzzSWEAgent(f *testing.F) { fuzzAdapter(f, sweAgentFormat, sweFacts) }

var miniFacts = []fact{{
	name: "the two meanings of -1, signals, the submission",
	in: `
	{"info":{"exit_status":"Submitted","mini_version":"2.2.7","config":{"environment":{"timeout":60,"cwd":"/testbed"},"model":{"model_name":"m1"}}},"messages":[{"role":"system","content":"be good"},{"role":"user","content":"fix it"},{"role":"assistant","content":"Look.","tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}},{"id":"b","function":{"name":"bash","arguments":"{\"command\":\"x\"}"}},{"id":"c","function":{"name":"bash","arguments":"{\"command\":\"y\"}"}},{"id":"d","function":{"name":"bash","arguments":"{\"command\":\"z\"}"}}],"extra":{"actions":[],"timestamp":1776066176.6,"response":{"usage":{"prompt_tokens":50,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":20}}}}},{"role":"tool","tool_call_id":"a","content":"<exception>...timed out after 60 seconds</exception>","extra":{"returncode":-1,"raw_output":"","exception_info":"An error occurred while executing the command: Command 'make' timed out after 60 seconds","exception_type":"TimeoutExpired"}},{"role":"tool","tool_call_id":"b","content":"","extra":{"returncode":-1,"raw_output":"","exception_info":"action was not executed"}},{"role":"tool","tool_call_id":"c","content":"","extra":{"returncode":-15,"raw_output":"ab"}},{"role":"tool","tool_call_id":"d","content":"<returncode>1</returncode>","extra":{"returncode":1,"raw_output":"boo"}},{"role":"assistant","content":"Submit.","tool_calls":[{"id":"e","function":{"name":"bash","arguments":"{\"command\":\"echo COMPLETE\"}"}}]},{"role":"exit","content":"diff","extra":{"exit_status":"Submitted","submission":"diff"}}],"trajectory_format":"mini-swe-agent-1.1"}`,
	want: `
	session model=m1 dir=/testbed
	message harness prompt "be good"
	message human "fix it"
	message assistant "Look."
	tool_call a bash shell "make"
	tool_call b bash shell "x"
	tool_call c bash shell "y"
	tool_call d bash shell "z"
	usage context=50 cached=20 out=5 total=0
	tool_result a timeout limit=1m0s (field) output=timed out after 60 seconds- extra.returncode=-1- "<exception>...timed out after 60 seconds</exception>"
	tool_result b not-started (field) not-run output=action was not executed- extra.returncode=-1-
	tool_result c signalled SIGTERM (field) extra.returncode=-15-
	tool_result d nonzero 1 (field) extra.returncode=1- "<returncode>1</returncode>"
	message assistant "Submit."
	tool_call e bash shell "echo COMPLETE"
	tool_result e ok (field)
	turn_end Submitted session`,
}, {
	name: "version 1: commands in the text; a run that was stopped",
	in: `
	{"info":{"exit_status":"LimitsExceeded","mini_version":"1.9"},"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"Look.\n` + "```bash\\nls\\n```" + `"},{"role":"user","content":"<returncode>0</returncode>\n<output>\na\n</output>"},{"role":"user","content":"Interrupted by user: stop","extra":{"interrupt_type":"UserInterruption"}}],"trajectory_format":"mini-swe-agent-1"}`,
	want: `
	session
	message human "go"
	message assistant "Look.\n` + "`" + `` + "`" + `` + "`" + `bash\nls\n` + "`" + `` + "`" + `` + "`" + `"
	tool_call #1 bash shell "ls"
	tool_result #1 ok 0 (text) output=<returncode>0</returncode>+ "<returncode>0</returncode>\n<output>\na\n</output>"
	turn_end interrupted bad
	message human "Interrupted by user: stop"
	turn_end LimitsExceeded bad session`,
}}

func TestMini(t *testing.T) {
	checkFacts(t, miniFormat, miniFacts)
	checkSniff(t, miniFacts, "mini-swe-agent", 2)
}
func FuzzMini(f *testing.F) { fuzzAdapter(f, miniFormat, miniFacts) }

var smolFacts = []fact{{
	name: "runs",
	in: `
	{"model_id":"m","agent_action_type":"code","question":"q","answer":"42","intermediate_steps":[{"role":"system","content":[{"type":"text","text":"be good"}]},{"role":"user","content":[{"type":"text","text":"New task:\nq"}]},{"role":"assistant","content":[{"type":"text","text":"42"}]},{"role":"tool-response","content":[{"type":"text","text":"Error:\nError in code parsing:\nno code"}]},{"role":"assistant","content":[{"type":"text","text":"Thought: compute\n<code>\nprint('all pass')\n</code>"}]},{"role":"tool-call","content":[{"type":"text","text":"Calling tools:\n[{'id': 'call_2', 'type': 'function', 'function': {'name': 'python_interpreter', 'arguments': \"print(42)\"}}]"}]},{"role":"tool-response","content":[{"type":"text","text":"Observation:\nExecution logs:\n42"}]},{"role":"tool-call","content":[{"type":"text","text":"Calling tools:\n[{'id': 'call_3', 'type': 'function', 'function': {'name': 'python_interpreter', 'arguments': 'loop()'}}]"}]},{"role":"tool-response","content":[{"type":"text","text":"Error:\nCode execution exceeded the maximum execution time of 30 seconds"}]}],"start_time":1753384487.6,"token_counts":{"input_tokens":1382}}
	{"model_id":"m","agent_action_type":"code","question":"q","answer":"Error in generating model output:\nno key","intermediate_steps":[],"token_counts":{"input":0}}`,
	want: `
	session model=m
	message harness prompt "be good"
	message human "New task:\nq"
	message assistant "42"
	message harness notice "Error:\nError in code parsing:\nno code"
	message assistant "Thought: compute"
	tool_call call_2 python_interpreter other
	tool_result call_2 ok (inferred) "Observation:\nExecution logs:\n42"
	tool_call call_3 python_interpreter other
	tool_result call_3 timeout limit=30s (text) output=Code execution exceeded the maximum execution time of 30 seconds- "Error:\nCode execution exceeded the maximum execution time of 30 seconds"
	message assistant final "42"
	usage context=0 cached=0 out=0 total=1382
	turn_end completed session
	session start model=m
	status api_error Error in generating model output:
	turn_end error bad session`,
}, {
	name: "steps",
	in: `
	{"task":"q"}
	{"step_number":1,"timing":{"start_time":1753384487.0},"model_output":"Thought: run\n<code>run()</code>","code_action":"run()","tool_calls":[{"id":"call_1","type":"function","function":{"name":"python_interpreter","arguments":"run()"}}],"observations":"Execution logs:\n","error":{"type":"AgentExecutionError","message":"Code execution exceeded the maximum execution time of 30 seconds"},"token_usage":{"input_tokens":9,"output_tokens":1},"is_final_answer":false}
	{"step_number":2,"timing":{},"model_output":"","code_action":"final_answer(1)","tool_calls":[],"observations":"ok","error":null,"action_output":"It is 1.","is_final_answer":true}`,
	want: `
	message human "q"
	session
	message assistant "Thought: run"
	tool_call call_1 python_interpreter other
	tool_result call_1 timeout limit=30s (field) error.type=AgentExecutionError- "Execution logs:\n"
	usage context=9 cached=0 out=1 total=0
	tool_call #1 python_interpreter other
	tool_result #1 ok (inferred) "ok"
	message assistant final "It is 1."`,
}}

func TestSmolagents(t *testing.T) {
	checkFacts(t, smolagentsFormat, smolFacts)
	checkSniff(t, smolFacts, "smolagents", 2)
}
func FuzzSmolagents(f *testing.F) { fuzzAdapter(f, smolagentsFormat, smolFacts) }

var atifFacts = []fact{{
	name: "steps, copied context, calls whose results are left out",
	in: `
	{"schema_version":"ATIF-v1.5","session_id":"s1","agent":{"name":"a","version":"1","model_name":"m1"},"steps":[{"step_id":1,"timestamp":"2025-01-15T10:00:00Z","source":"user","message":"old","is_copied_context":true},{"step_id":2,"source":"user","message":"fix it"},{"step_id":3,"source":"agent","message":"Testing","reasoning_content":"hm","tool_calls":[{"tool_call_id":"c1","function_name":"bash","arguments":{"command":"make"}}],"observation":{"results":[{"source_call_id":"c1","content":"boo\nCommand exited with code 2"}]},"metrics":{"prompt_tokens":1000,"completion_tokens":50,"cached_tokens":200}},{"step_id":4,"source":"agent","message":"","tool_calls":[{"tool_call_id":"c2","function_name":"Edit","arguments":{"file_path":"/a"}}]},{"step_id":5,"source":"agent","message":"Done."}],"final_metrics":{"total_prompt_tokens":2500}}`,
	want: `
	session id=s1
	session model=m1
	session
	message copied human "old"
	message human "fix it"
	reasoning "hm"
	message assistant "Testing"
	tool_call c1 bash shell "make"
	tool_result c1 nonzero 2 (text) output=Command exited with code 2- "boo\nCommand exited with code 2"
	usage context=1000 cached=200 out=50 total=0
	tool_call c2 Edit edit path=/a server
	message assistant "Done."
	usage context=0 cached=0 out=0 total=2500`,
}}

func TestATIF(t *testing.T) {
	checkFacts(t, atifFormat, atifFacts)
	checkSniff(t, atifFacts, "atif", 1)
}
func FuzzATIF(f *testing.F) { fuzzAdapter(f, atifFormat, atifFacts) }

var benchFacts = []fact{{
	name: "requests, answers, ends of runs",
	in: `
	{"index":9,"error":null,"output":{"index":9,"status":"completed","history":[{"role":"user","content":"You are..."},{"role":"agent","content":"` + "```tool_code\\nGET http://h/x\\n```" + `"},{"role":"user","content":"Here is the response from the GET request:\n{}"},{"role":"agent","content":"POST http://h/y\n{}"},{"role":"user","content":"POST request accepted and executed successfully. Please call FINISH"},{"role":"agent","content":"FINISH([1])"}]},"time":{"timestamp":1737158137875}}
	{"index":8,"error":null,"output":{"index":8,"status":"task limit reached","history":[{"role":"user","content":"You are..."},{"role":"agent","content":"Think: list\n\nAct: bash\n\n` + "```bash\\nls\\n```" + `"},{"role":"user","content":"The output of the OS:\n\na"}]}}
	{"index":7,"error":"context","info":"","output":null}`,
	want: `
	session id=9
	message harness prompt "You are..."
	tool_call #1 GET external
	tool_result #1 ok (text) output=Here is the response from the GET request:+ "Here is the response from the GET request:\n{}"
	tool_call #2 POST external
	tool_result #2 ok (text) output=POST request accepted and executed successfully. Please call FINISH+ "POST request accepted and executed successfully. Please call FINISH"
	message assistant final "FINISH([1])"
	turn_end completed session
	session id=8 start
	message harness prompt "You are..."
	message assistant "Think: list"
	tool_call #3 bash shell "ls"
	tool_result #3 unknown "The output of the OS:\n\na"
	turn_end task limit reached bad session`,
}}

func TestAgentbench(t *testing.T) {
	checkFacts(t, agentbenchFormat, benchFacts)
	checkSniff(t, benchFacts, "agentbench", 1)
}
func FuzzAgentbench(f *testing.F) { fuzzAdapter(f, agentbenchFormat, benchFacts) }

var agentvFacts = []fact{{
	name: "messages of runs",
	in: `
	{"schema_version":"agentv.transcript.v1","test_id":"t1","message_index":0,"role":"user","content":"a","source":{"session_id":"s","timestamp":"2026-07-04T03:57:30.528Z"}}
	{"schema_version":"agentv.transcript.v1","test_id":"t1","message_index":1,"role":"assistant","content":"b","tool_calls":[{"tool":"bash","input":{"command":"ls"},"output":"x"}],"source":{"session_id":"s"}}
	{"schema_version":"agentv.transcript.v1","test_id":"t2","message_index":0,"role":"user","content":"a","source":{"session_id":"s"}}`,
	want: `
	session id=s/t1
	message human "a"
	message assistant "b"
	tool_call #1 bash shell "ls"
	tool_result #1 unknown "x"
	session id=s/t2 start
	message human "a"`,
}}

func TestAgentv(t *testing.T) {
	checkFacts(t, agentvFormat, agentvFacts)
	checkSniff(t, agentvFacts, "agentv", 1)
}
func FuzzAgentv(f *testing.F) { fuzzAdapter(f, agentvFormat, agentvFacts) }

var deepseekFacts = []fact{{
	name: "a session: inbox, turns, calls told twice, results, compaction",
	in: `
	{"type":"session","version":0,"id":"s1","createdAt":1783950000000,"cwd":"/w","parentSession":"s0"}
	{"type":"agent/inbox/spliced","seq":0,"time":1785498583746,"data":{"target":"next-turn","start":0,"inserted":[{"content":[{"type":"text","text":"go"}],"source":{"kind":"user"},"role":"user","id":"q1"}]}}
	{"type":"turn/start","seq":1,"time":1785498583746,"data":{"turn":1}}
	{"type":"agent/inbox/spliced","seq":2,"time":1785498583746,"data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}}
	{"type":"user/message","seq":3,"time":1785498583746,"data":{"content":[{"type":"text","text":"go"}],"source":{"kind":"user"},"role":"user","id":"q1"}}
	{"type":"user/message","seq":4,"time":1785498583746,"data":{"content":[{"type":"text","text":"context"}],"source":{"kind":"runtime"},"role":"user","id":"q2"}}
	{"type":"request/header","seq":5,"time":1785498583746,"data":{"header":{"config":{"provider":"p","model":"m1"},"system":"be good","tools":[]}}}
	{"type":"request/context","seq":6,"time":1785498583746,"data":{"provider":"p","model":"m1","contextWindow":128000}}
	{"type":"assistant/chunk","seq":7,"time":1785498583746,"data":{"chunk":{"type":"block-start"}}}
	{"type":"assistant/message","seq":8,"time":1785498583746,"data":{"message":{"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"Testing."},{"type":"tool-call","id":"c1","name":"bash","arguments":"{\"command\":\"make\"}"}],"id":"m"},"usage":{"inputTokens":24,"outputTokens":6,"cacheReadTokens":100}}}
	{"type":"tool/call","seq":9,"time":1785498583746,"data":{"callId":"c1","name":"bash","arguments":"{\"command\":\"make\"}"}}
	{"type":"tool/result","seq":10,"time":1785498583746,"data":{"message":{"content":[{"type":"tool-result","toolCallId":"c1","content":[{"type":"text","text":"ok"}],"isError":false}],"role":"user"}}}
	{"type":"tool/code-dispatch-start","seq":11,"time":1785498583746,"data":{"subCallId":"c1:1","name":"read","arguments":{"path":"a"}}}
	{"type":"tool/code-dispatch","seq":12,"time":1785498583746,"data":{"subCallId":"c1:1","name":"read","isError":true,"content":[{"type":"text","text":"no such file"}]}}
	{"type":"compaction/start","seq":13,"time":1785498583746,"data":{}}
	{"type":"compaction/summary","seq":14,"time":1785498583746,"data":{"summary":[{"type":"text","text":"so far"}]}}
	{"type":"compaction/end","seq":15,"time":1785498583746,"data":{}}
	{"type":"turn/end","seq":16,"time":1785498583746,"data":{"turn":1,"reason":{"kind":"aborted"}}}`,
	want: `
	session id=s1
	session dir=/w fork=s0
	queue enqueue q1
	queue dequeue q1
	message human "go"
	message harness notice "context"
	session model=m1
	message harness prompt "be good"
	session window=128000
	reasoning "hm"
	message assistant "Testing."
	tool_call c1 bash shell "make"
	usage context=124 cached=100 out=6 total=0
	tool_result c1 unknown is_error=false+ "ok"
	tool_call c1:1 read read path=a
	tool_result c1:1 nonzero (field) is_error=true- "no such file"
	compaction begin
	compaction
	message assistant summary "so far"
	turn_end aborted bad`,
}, {
	name: "the same in envelopes, a failed compaction, a child's words, and what nobody knows",
	in: `
	{"type":"session_event","sessionId":"s9","event":{"type":"compaction/start","seq":1,"time":0,"data":{}}}
	{"type":"session_event","sessionId":"s9","event":{"type":"compaction/end","seq":2,"time":0,"data":{"error":{"message":"overflow"}}}}
	{"type":"result","sessionId":"s9","output":"Done.","usage":{"inputTokens":44}}
	{"type":"surprise"}`,
	want: `
	session id=s9
	compaction begin
	compaction failed=overflow
	message assistant final "Done."
	turn_end completed session
	unknown`,
}, {
	name: "a subagent's session: its user is the parent",
	in: `
	{"type":"session","version":0,"id":"s2","createdAt":1783950000000,"cwd":"/w","parentSession":"s1","origin":"subagent"}
	{"type":"user/message","seq":3,"time":1785498583746,"data":{"content":[{"type":"text","text":"go"}],"source":{"kind":"user"},"id":"q1"}}`,
	want: `
	session id=s2
	session dir=/w
	message peer "go"`,
}}

func TestDeepseek(t *testing.T) {
	checkFacts(t, deepseekFormat, deepseekFacts)
	checkSniff(t, deepseekFacts, "deepseek-harness", 3)
}
func FuzzDeepseek(f *testing.F) { fuzzAdapter(f, deepseekFormat, deepseekFacts) }

var kimiFacts = []fact{{
	name: "a session: origins, approvals, ends by flag and words, compaction",
	in: `
	{"type":"metadata","protocol_version":"1.4","created_at":1785612803281}
	{"type":"config.update","cwd":"/w","modelAlias":"m1","systemPrompt":"be good","time":1785612803281}
	{"type":"turn.prompt","input":[{"type":"text","text":"go"}],"origin":{"kind":"user"},"time":1785612812819}
	{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"go"}],"toolCalls":[],"origin":{"kind":"user"}},"time":1785612812820}
	{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>x"}],"origin":{"kind":"injection","variant":"plan_mode"}},"time":1785612812820}
	{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"u1","part":{"type":"think","think":"hm"}},"time":1785612812821}
	{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"u2","part":{"type":"text","text":"Testing."}},"time":1785612812821}
	{"type":"permission.record_approval_result","turnId":3,"toolCallId":"B0","toolName":"Bash","action":"Running: make","result":{"decision":"approved","scope":"session"},"time":1785612812822}
	{"type":"context.append_loop_event","event":{"type":"tool.call","uuid":"B0","toolCallId":"B0","name":"Bash","args":{"command":"make"}},"time":1785612812823}
	{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"B0","result":{"output":"boo\nCommand failed with exit code: 2.","isError":true}},"time":1785612812824}
	{"type":"context.append_loop_event","event":{"type":"tool.call","uuid":"B1","toolCallId":"B1","name":"Bash","args":{"command":"make e2e"}},"time":1785612812823}
	{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"B1","result":{"output":"PASS\nCommand killed by timeout (60s)","isError":true}},"time":1785612812824}
	{"type":"context.append_loop_event","event":{"type":"tool.call","uuid":"B2","toolCallId":"B2","name":"Bash","args":{"command":"ls"}},"time":1785612812823}
	{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"B2","result":{"output":"a"}},"time":1785612812824}
	{"type":"context.append_loop_event","event":{"type":"step.end","uuid":"u3","usage":{"inputOther":9,"output":4,"inputCacheRead":100,"inputCacheCreation":1},"finishReason":"end_turn"},"time":1785612812825}
	{"type":"usage.record","model":"m1","usage":{"inputOther":9},"time":1785612812825}
	{"type":"full_compaction.begin","source":"manual","time":1785612812826}
	{"type":"context.apply_compaction","summary":"so far","tokensBefore":15912,"tokensAfter":654,"time":1785612812827}
	{"type":"full_compaction.complete","time":1785612812828}
	{"type":"surprise"}`,
	want: `
	session
	session model=m1 dir=/w
	message harness prompt "be good"
	message human "go"
	message harness notice "<system-reminder>x"
	reasoning "hm"
	message assistant "Testing."
	decision approved B0 by unknown
	tool_call B0 Bash shell "make"
	tool_result B0 nonzero 2 (text) is_error=true- output=Command failed with exit code: 2.- "boo\nCommand failed with exit code: 2."
	tool_call B1 Bash shell "make e2e"
	tool_result B1 timeout limit=1m0s (text) output=Command killed by timeout (60s)- "PASS\nCommand killed by timeout (60s)"
	tool_call B2 Bash shell "ls"
	tool_result B2 ok (inferred) "a"
	usage context=110 cached=100 out=4 total=0
	compaction begin
	compaction 15912>654
	message assistant summary "so far"
	unknown`,
}}

func TestKimi(t *testing.T) {
	checkFacts(t, kimiFormat, kimiFacts)
	checkSniff(t, kimiFacts, "kimi", 1)
}
func FuzzKimi(f *testing.F) { fuzzAdapter(f, kimiFormat, kimiFacts) }
