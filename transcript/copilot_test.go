package transcript

import "testing"

var copilotFacts = []fact{
	{
		name: "a session: prompts, words, a call told twice, a code against success",
		in: `
		{"type":"session.start","data":{"sessionId":"s","producer":"copilot-agent","copilotVersion":"1.0","selectedModel":"m","context":{"cwd":"/w"}},"id":"e1","timestamp":"2026-05-01T10:00:00.000Z","parentId":null}
		{"type":"system.message","data":{"role":"system","content":"be good"},"id":"e2","timestamp":"2026-05-01T10:00:00.001Z","parentId":"e1"}
		{"type":"user.message","data":{"content":"do it","transformedContent":"<current_datetime>x</current_datetime> do it"},"id":"e3","timestamp":"2026-05-01T10:00:00.002Z","parentId":"e2"}
		{"type":"user.message","data":{"content":"","transformedContent":"<system_reminder>tools</system_reminder>","source":"system"},"id":"e4","timestamp":"2026-05-01T10:00:00.003Z","parentId":"e3"}
		{"type":"assistant.message","data":{"messageId":"m1","content":"testing","phase":"commentary","reasoningText":"hm","encryptedContent":"zz","outputTokens":7,"toolRequests":[{"toolCallId":"c1","name":"bash","arguments":{"command":"go test","initial_wait":60},"type":"function"}]},"id":"e5","timestamp":"2026-05-01T10:00:01.000Z","parentId":"e4"}
		{"type":"tool.execution_start","data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"go test"}},"id":"e6","timestamp":"2026-05-01T10:00:02.000Z","parentId":"e5"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"FAIL\n<shellId: 0 completed with exit code 1>"},"toolTelemetry":{"metrics":{"exit_code":1}}},"id":"e7","timestamp":"2026-05-01T10:00:03.000Z","parentId":"e6"}
		{"type":"assistant.message","data":{"messageId":"m2","content":"done","phase":"final_answer","toolRequests":[]},"id":"e8","timestamp":"2026-05-01T10:00:04.000Z","parentId":"e7"}
		{"type":"session.shutdown","data":{"shutdownType":"routine"},"id":"e9","timestamp":"2026-05-01T10:00:05.000Z","parentId":"e8"}`,
		want: `
		session id=s model=m dir=/w
		message harness prompt "be good"
		message human "do it"
		message harness notice "<system_reminder>tools</system_reminder>"
		reasoning signature=zz "hm"
		message assistant "testing"
		tool_call c1 bash shell "go test" timeout=1m0s
		usage context=0 cached=0 out=7 total=0
		tool_result c1 nonzero 1 (field) success=true? toolTelemetry.metrics.exit_code=1- "FAIL\n<shellId: 0 completed with exit code 1>"
		message assistant final "done"
		turn_end routine session`,
	},
	{
		name: "shells: ended, still running, polled, stopped, news of the end",
		in: `
		{"type":"tool.execution_start","data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"a","shellId":"x"}},"id":"1"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"ok\n<exited with exit code 0>"}},"id":"2"}
		{"type":"tool.execution_start","data":{"toolCallId":"c2","toolName":"bash","arguments":{"command":"b"}},"id":"3"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c2","success":true,"result":{"content":"..\n<command with shellId: 7 is still running after 30 seconds. The command is still running. Use read_bash to wait.>"},"toolTelemetry":{"properties":{"is_timeout":"true"}}},"id":"4"}
		{"type":"tool.execution_start","data":{"toolCallId":"c3","toolName":"read_bash","arguments":{"shellId":"7","delay":2}},"id":"5"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c3","success":true,"result":{"content":"x\n<shellId: 7 completed with exit code 143>"}},"id":"6"}
		{"type":"tool.execution_start","data":{"toolCallId":"c4","toolName":"stop_bash","arguments":{"shellId":"8"}},"id":"7"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c4","success":true,"result":{"content":"<command with id: 8 stopped>"}},"id":"8"}
		{"type":"system.notification","data":{"content":"Shell command (shellId: 9) has completed","kind":{"type":"shell_completed","shellId":"9","exitCode":3}},"id":"9"}
		{"type":"tool.execution_start","data":{"toolCallId":"c5","toolName":"bash","arguments":{"command":"c","mode":"async"}},"id":"10"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c5","success":true,"result":{"content":"no trailer"}},"id":"11"}`,
		want: `
		tool_call c1 bash shell "a"
		tool_result c1 ok 0 (text) success=true? result=<exited with exit code 0>+ "ok\n<exited with exit code 0>"
		tool_call c2 bash shell "b"
		tool_result c2 still-running limit=30s (text) job=7 partial success=true? "..\n<command with shellId: 7 is still running after 30 seconds. The command is still running. Use read_bash to wait.>"
		tool_call c3 read_bash poll job=7
		tool_result c3 signalled 143 SIGTERM (text) job=7 success=true? result=<shellId: 7 completed with exit code 143>- "x\n<shellId: 7 completed with exit code 143>"
		tool_call c4 stop_bash kill job=8
		tool_result c4 ok (text) job=8 success=true? "<command with id: 8 stopped>"
		job 9 ended nonzero 3 (field)
		tool_call c5 bash shell "c" background
		tool_result c5 unknown success=true? "no trailer"`,
	},
	{
		name: "typed codes win and disagree; the words in the middle mean nothing; failures",
		in: `
		{"type":"tool.execution_start","data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"a"}},"id":"1"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"shellExecution":{"exitCode":143},"result":{"content":"<exited with exit code 0>","contents":[{"type":"shell_exit","exitCode":143}]}},"id":"2"}
		{"type":"tool.execution_start","data":{"toolCallId":"c2","toolName":"bash","arguments":{"command":"b"}},"id":"3"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c2","success":true,"result":{"content":"<exited with exit code 0>\nmore"}},"id":"4"}
		{"type":"tool.execution_start","data":{"toolCallId":"c3","toolName":"view","arguments":{"path":"/a","view_range":[1,2]}},"id":"5"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c3","success":false,"error":{"message":"gone","code":"failure"}},"id":"6"}
		{"type":"tool.execution_start","data":{"toolCallId":"c4","toolName":"apply_patch","arguments":"*** Begin Patch\n*** Add File: a.go\n"},"id":"7"}
		{"type":"tool.execution_complete","data":{"toolCallId":"c4","success":false,"error":{"message":"no","code":"denied"}},"id":"8"}
		{"type":"abort","data":{"reason":"user_initiated"},"id":"9"}`,
		want: `
		tool_call c1 bash shell "a"
		tool_result c1 signalled 143 SIGTERM (field) success=true? shellExecution.exitCode=143- result=<exited with exit code 0>+ "<exited with exit code 0>"
		tool_call c2 bash shell "b"
		tool_result c2 unknown success=true? "<exited with exit code 0>\nmore"
		tool_call c3 view read path=/a
		tool_result c3 nonzero (field) success=false- "gone"
		tool_call c4 apply_patch edit path=a.go
		tool_result c4 denied (field) not-run success=false- "no"
		turn_end user_initiated bad`,
	},
	{
		name: "permissions and questions",
		in: `
		{"type":"permission.requested","data":{"requestId":"p1","permissionRequest":{"kind":"write","toolCallId":"c1"}},"id":"1"}
		{"type":"permission.completed","data":{"requestId":"p1","result":{"kind":"approved"}},"id":"2"}
		{"type":"permission.completed","data":{"requestId":"p2","result":{"kind":"denied-interactively-by-user"}},"id":"3"}
		{"type":"permission.completed","data":{"requestId":"p3","result":{"kind":"denied-by-rules"}},"id":"4"}
		{"type":"permission.completed","data":{"requestId":"p4","result":{"kind":"denied-by-permission-request-hook"}},"id":"5"}
		{"type":"permission.completed","data":{"requestId":"p5","result":{"kind":"cancelled","reason":"x"}},"id":"6"}
		{"type":"user_input.requested","data":{"requestId":"q1","question":"which"},"id":"7"}
		{"type":"user_input.completed","data":{"requestId":"q1","answer":"a"},"id":"8"}
		{"type":"user_input.completed","data":{"requestId":"q2"},"id":"9"}
		{"type":"exit_plan_mode.completed","data":{"requestId":"q3","approved":true},"id":"10"}
		{"type":"session.permissions_changed","data":{"allowAllPermissions":true},"id":"11"}`,
		want: `
		decision requested p1 by unknown
		decision approved p1 by unknown
		decision denied p2 by human
		decision denied p3 by policy
		decision denied p4 by hook
		decision withdrawn p5 by unknown
		decision requested q1 by unknown
		decision answered q1 by human
		decision expired q2 by unknown
		decision approved q3 by human
		session policy="allowAllPermissions" auto=true`,
	},
	{
		name: "the window: counts, compaction, truncation; subagents; what nobody knows",
		in: `
		{"type":"session.usage_info","data":{"currentTokens":90,"tokenLimit":100},"id":"1"}
		{"type":"session.compaction_start","data":{"currentTokens":95},"id":"2"}
		{"type":"session.compaction_complete","data":{"success":true,"preCompactionTokens":95,"postCompactionTokens":10,"summaryContent":"we did a"},"id":"3"}
		{"type":"session.compaction_complete","data":{"success":false,"error":"boom"},"id":"4"}
		{"type":"session.truncation","data":{"tokenLimit":100,"preTruncationTokensInMessages":99,"postTruncationTokensInMessages":50,"messagesRemovedDuringTruncation":3},"id":"5"}
		{"type":"assistant.usage","data":{"inputTokens":80,"cacheReadTokens":60,"outputTokens":5},"id":"6"}
		{"type":"assistant.message","data":{"messageId":"m","content":"sub","parentToolCallId":"c9"},"id":"7"}
		{"type":"session.error","data":{"errorType":"query","message":"bad","statusCode":400},"id":"8"}
		{"type":"session.task_complete","data":{"success":false,"summary":"half","reason":"limit"},"id":"9"}
		{"type":"novelty.here","data":{},"id":"10"}`,
		want: `
		session window=100
		usage context=90 cached=0 out=0 total=0
		compaction 95>0 begin
		compaction 95>10
		message assistant summary "we did a"
		compaction failed=boom
		compaction 99>50 opaque
		usage context=80 cached=60 out=5 total=0
		message agent=c9 assistant "sub"
		status api_error 400 bad
		message assistant final "half"
		turn_end limit bad
		unknown`,
	},
}

func TestCopilot(t *testing.T) { checkFacts(t, copilotFormat, copilotFacts) }
func FuzzCopilot(f *testing.F) { fuzzAdapter(f, copilotFormat, copilotFacts) }
