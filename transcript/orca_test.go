package transcript

import "testing"

var orcaFacts = []fact{
	{
		name: "session, human and injected words, policy",
		in: `
		{"type":"session.meta","schema_version":1,"session_id":"s1","cwd":"/w","provider":"deepseek","model":"m1","created_at":"2026-08-01T10:00:00Z","forked":false,"approval_mode":"suggest"}
		{"type":"conversation.message","message":{"role":"system","content":"be good"}}
		{"type":"conversation.message","message":{"role":"system","content":"[Plan reminder] update it"}}
		{"type":"conversation.message","message":{"role":"user","content":"make it so"}}
		{"type":"conversation.message","message":{"role":"user","content":"<system-reminder>x</system-reminder>"}}`,
		want: `
		session id=s1 model=m1 dir=/w policy="suggest" auto=false
		message harness prompt "be good"
		message harness notice "[Plan reminder] update it"
		message human "make it so"
		message harness notice "<system-reminder>x</system-reminder>"`,
	},
	{
		name: "a timeout is a failure whose error says so",
		in: `
		{"type":"conversation.message","message":{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c1","function_name":"bash","arguments":"{\"command\":\"make e2e\"}"}]}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"c1","content":"ERROR: shell command timed out after 60s: PASS","status":"failed","error":"shell command timed out after 60s: PASS","exit_code":137,"kind":"runtime_error","invocation_started":"yes"}}`,
		want: `
		reasoning "hm"
		tool_call c1 bash shell "make e2e"
		tool_result c1 timeout 137 SIGKILL limit=1m0s (field) status=failed- kind=runtime_error- exit_code=137- "ERROR: shell command timed out after 60s: PASS"`,
	},
	{
		name: "ends by status, kind and code",
		in: `
		{"type":"conversation.message","message":{"role":"assistant","tool_calls":[{"id":"a","function_name":"bash","arguments":"{\"command\":\"true\"}"},{"id":"b","function_name":"bash","arguments":"{\"command\":\"false\"}"},{"id":"c","function_name":"bash","arguments":"{}"},{"id":"d","function_name":"bash","arguments":"{}"},{"id":"e","function_name":"bash","arguments":"{}"},{"id":"f","function_name":"bash","arguments":"{}"},{"id":"g","function_name":"bash","arguments":"{}"},{"id":"h","function_name":"read_file","arguments":"{\"path\":\"a.go\",\"offset\":9}"}]}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"a","content":"ok","status":"completed","kind":"success","exit_code":0}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"b","content":"no","status":"failed","kind":"runtime_error","exit_code":2}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"c","content":"ERROR: permission request denied","status":"denied","kind":"permission_denied"}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"d","content":"ERROR: turn interrupted","status":"cancelled","kind":"cancelled","exit_code":130}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"e","content":"ERROR: Tool invocation was not started because the turn ended","status":"cancelled","kind":"cancelled","invocation_started":"no"}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"f","content":"ERROR: unknown","status":"indeterminate","kind":"indeterminate","terminal_source":"compatibility_repair"}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"g","content":"x","status":"completed","kind":"success","exit_code":143}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"h","content":"9: x"}}`,
		want: `
		tool_call a bash shell "true"
		tool_call b bash shell "false"
		tool_call c bash shell
		tool_call d bash shell
		tool_call e bash shell
		tool_call f bash shell
		tool_call g bash shell
		tool_call h read_file read path=a.go
		tool_result a ok 0 (field) status=completed+ kind=success+ exit_code=0+ "ok"
		tool_result b nonzero 2 (field) status=failed- kind=runtime_error- exit_code=2- "no"
		tool_result c denied (field) not-run status=denied- kind=permission_denied- "ERROR: permission request denied"
		tool_result d interrupted 130 SIGINT (field) interrupted-by-user status=cancelled- kind=cancelled- exit_code=130- "ERROR: turn interrupted"
		tool_result e not-started (field) not-run status=cancelled- kind=cancelled- "ERROR: Tool invocation was not started because the turn ended"
		tool_result f unknown (field) status=indeterminate? kind=indeterminate? "ERROR: unknown"
		tool_result g signalled 143 SIGTERM (field) status=completed+ kind=success+ exit_code=143- "x"
		tool_result h unknown "9: x"`,
	},
	{
		name: "an assistant turn that only the event tells, and one that both tell",
		in: `
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":1,"timestamp_ms":1780000000000,"type":"model.response.completed","payload":{"identity":{},"assistant_content":"Looking.","assistant_reasoning":"why","tool_calls":[{"id":"c1","function_name":"bash","arguments":"{\"command\":\"ls\"}"}]}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":2,"timestamp_ms":1780000000001,"type":"tool.call.requested","payload":{"id":"c1","name":"bash","action":"shell","target":"ls","raw_arguments":"{\"command\":\"ls\"}"}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":3,"timestamp_ms":1780000000002,"type":"tool.call.completed","payload":{"id":"c1","name":"bash","status":"completed","output":"a\nb","error":null,"exit_code":0,"truncated":false,"kind":"success"}}}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"c1","content":"a\nb","status":"completed","kind":"success","exit_code":0}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":4,"timestamp_ms":1780000000003,"type":"model.response.completed","payload":{"assistant_content":"Two files.","assistant_reasoning":null,"tool_calls":[]}}}
		{"type":"conversation.message","message":{"role":"assistant","content":"Two files."}}
		{"type":"conversation.message","message":{"role":"assistant","content":"Two files."}}`,
		want: `
		reasoning "why"
		message assistant "Looking."
		tool_call c1 bash shell "ls"
		tool_result c1 ok 0 (field) status=completed+ kind=success+ exit_code=0+ "a\nb"
		tool_result c1 ok 0 (field) again status=completed+ kind=success+ exit_code=0+ "a\nb"
		message assistant "Two files."
		message assistant "Two files."`,
	},
	{
		name: "approvals",
		in: `
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":1,"timestamp_ms":1780000000000,"type":"approval.requested","payload":{"id":"p1","action":"shell","description":"run make","tool":"bash"}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":2,"timestamp_ms":1780000009000,"type":"approval.resolved","payload":{"id":"p1","decision":"allow","reason":"user approved"}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":3,"timestamp_ms":1780000009000,"type":"approval.resolved","payload":{"id":"p2","decision":"deny","reason":"interactive confirmation unavailable in jsonl mode"}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":4,"timestamp_ms":1780000009000,"type":"approval.resolved","payload":{"id":"p3","decision":"deny","reason":"ACP interaction response timed out"}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":5,"timestamp_ms":1780000009000,"type":"approval.resolved","payload":{"id":"p4","decision":"allow","reason":"rule: bash(ls)"}}}`,
		want: `
		decision requested p1 by unknown
		decision approved p1 by human
		decision denied p2 by default
		decision expired p3 by default
		decision approved p4 by policy`,
	},
	{
		name: "usage is a running total, and a baseline begins it anew",
		in: `
		{"type":"session.usage","input_tokens":877257,"output_tokens":20902,"cache_tokens":824576}
		{"type":"session.usage","input_tokens":977257,"output_tokens":21000,"cache_tokens":900000}
		{"type":"session.usage_baseline","input_tokens":0}
		{"type":"session.usage","input_tokens":1200,"output_tokens":80,"cache_tokens":900}`,
		want: `
		usage context=0 cached=0 out=0 total=877257
		usage context=100000 cached=0 out=0 total=977257
		usage context=1200 cached=0 out=0 total=1200`,
	},
	{
		name: "compaction: one event for its two records, the summary, thinned results",
		in: `
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":1,"timestamp_ms":1780000000000,"type":"context.compaction.started","payload":{"reason":"soft","before_messages":80}}}
		{"type":"event.semantic","event":{"version":"1","run_id":"r","seq":2,"timestamp_ms":1780000000001,"type":"context.compacted","payload":{"reason":"soft","strategy":"summary","before_messages":80,"after_messages":12}}}
		{"type":"context.summary","summarized_at":"2026-08-01T10:09:01Z","before_messages":80,"after_messages":12,"summary":"all is well"}
		{"type":"conversation.message","message":{"role":"tool","tool_call_id":"c9","content":"[tool output micro-compact]\noriginal_bytes: 9000\nhead:\na\n\ntail:\nz"}}
		{"type":"session.checkpoint","resumable":true}
		{"type":"session.completed","status":"cancelled","completed_at":"2026-08-01T10:10:00Z"}`,
		want: `
		compaction begin
		compaction
		message assistant summary "all is well"
		compaction
		tool_result c9 unknown "[tool output micro-compact]\noriginal_bytes: 9000\nhead:\na\n\ntail:\nz"
		turn_end checkpoint
		turn_end cancelled bad session`,
	},
	{
		name: "records that nobody knows",
		in: `
		{"type":"runtime.goal","x":1}
		{"type":"surprise","x":1}`,
		want: `
		unknown`,
	},
}

func TestOrca(t *testing.T) { checkFacts(t, orcaFormat, orcaFacts) }

var orcaEventFacts = []fact{
	{
		name: "server events: what is told whole counts, not its deltas",
		in: `
		{"event":"turn_started","id":1,"turn":1,"turnId":"t","task":{}}
		{"event":"item_started","id":1,"item":{"id":"i1","type":"agent_message","text":""},"threadId":"th","turnId":"t"}
		{"event":"item_message_delta","id":1,"itemId":"i1","delta":"Do"}
		{"event":"message_delta","id":1,"text":"Do"}
		{"event":"item_completed","id":1,"item":{"id":"i1","type":"agent_message","text":"Done."},"threadId":"th","turnId":"t"}
		{"event":"item_completed","id":1,"item":{"id":"i2","type":"reasoning","content":"","summary":"I think"},"threadId":"th","turnId":"t"}
		{"event":"tool_requested","id":1,"tool":"bash","target":"make test"}
		{"event":"permission_request","id":1,"requestId":7,"threadId":"th","turnId":"t","reason":"shell","command":"make test"}
		{"event":"permission_resolved","id":1,"requestId":7,"decision":"allow","scope":"once"}
		{"event":"tool_completed","id":1,"toolCallId":"x","tool":"bash","status":"failed","output":"boo","exitCode":1,"kind":"runtime_error"}
		{"event":"turn_completed","id":1,"status":"success"}`,
		want: `
		message assistant "Done."
		reasoning "I think"
		tool_call #1 bash shell "make test"
		decision requested 7 by unknown
		decision approved 7 by unknown
		tool_result #1 nonzero 1 (field) status=failed- kind=runtime_error- exit_code=1- "boo"
		turn_end success`,
	},
	{
		name: "the stream of a run",
		in: `
		{"version":"1","run_id":"r","seq":0,"timestamp_ms":1780000000000,"type":"session.started","payload":{"cwd":"/w","approval_mode":"full-auto","provider":"deepseek"}}
		{"version":"1","run_id":"r","seq":1,"timestamp_ms":1780000000000,"type":"turn.started","payload":{"turn_id":"t","turn":1,"prompt":"go"}}
		{"version":"1","run_id":"r","seq":2,"timestamp_ms":1780000000000,"type":"assistant.message.delta","payload":{"text":"H"}}
		{"version":"1","run_id":"r","seq":3,"timestamp_ms":1780000000000,"type":"model.response.completed","payload":{"assistant_content":"Hi.","tool_calls":[]}}
		{"version":"1","run_id":"r","seq":4,"timestamp_ms":1780000000000,"type":"session.completed","payload":{"status":"approval_required"}}`,
		want: `
		session dir=/w policy="full-auto" auto=true
		message human "go"
		message assistant "Hi."
		turn_end approval_required bad session`,
	},
}

func TestOrcaEvents(t *testing.T) { checkFacts(t, orcaEventsFormat, orcaEventFacts) }

func TestSniffOrca(t *testing.T) {
	checkSniff(t, orcaFacts, "orca-session", 7)
	checkSniff(t, orcaEventFacts, "orca-events", len(orcaEventFacts))
}

func FuzzOrca(f *testing.F) { fuzzAdapter(f, orcaFormat, append(orcaFacts, orcaEventFacts...)) }
