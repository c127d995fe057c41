package transcript

import "testing"

// handsRun is a command in version 0, and what came back.
func handsRun(extras string) string {
	return `{"id":4,"source":"agent","action":"run","args":{"command":"make","is_input":"false","thought":"","confirmation_state":"confirmed"},"timeout":120}
	{"id":5,"source":"agent","cause":4,"observation":"run","content":"out","extras":` + extras + `}`
}

// handsTerminal is a command in version 1, and what came back.
func handsTerminal(observation string) string {
	return `{"kind":"ActionEvent","id":"a1","source":"agent","tool_name":"terminal","tool_call_id":"c1","tool_call":{"id":"c1","name":"terminal","arguments":"{}"},"action":{"kind":"TerminalAction","command":"make","is_input":false,"timeout":30.0}}
	{"kind":"ObservationEvent","id":"o1","source":"environment","tool_name":"terminal","tool_call_id":"c1","action_id":"a1","observation":{"kind":"TerminalObservation","content":[{"type":"text","text":"out"}],` + observation + `}}`
}

const (
	handsRan      = "tool_call 4 run shell \"make\" timeout=2m0s\n\ttool_result 4 "
	terminalRan   = "tool_call c1 terminal shell \"make\" timeout=30s\n\ttool_result c1 "
	handsMore     = `{"id":6,"source":"agent","action":"run","args":{"command":"","is_input":true}}` + "\n"
	handsResponse = `"tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"t1","model_response":{"id":"r1","model":"m1","usage":{"prompt_tokens":90,"completion_tokens":7}}},"llm_metrics":{"accumulated_token_usage":{"prompt_tokens":500,"context_window":1000}}`
)

var openHandsFacts = []fact{
	{
		"ok", handsRun(`{"metadata":{"exit_code":0,"suffix":"\n[The command completed with exit code 0.]"}}`),
		handsRan + `ok 0 (field) exit_code=0+ suffix=The command completed with exit code 0+ "out"`,
	},
	{
		"killed", handsRun(`{"metadata":{"exit_code":143,"suffix":"\n[The command completed with exit code 143.]"}},"success":false`),
		handsRan + `signalled 143 SIGTERM (field) exit_code=143- suffix=The command completed with exit code 143- success=false- "out"`,
	},
	{"success beside a code", handsRun(`{"metadata":{"exit_code":2,"suffix":""}},"success":true`), handsRan + `nonzero 2 (field) exit_code=2- success=true+ "out"`},
	{
		"soft limit", handsRun(`{"metadata":{"exit_code":-1,"suffix":"\n[The command has no new output after 10 seconds. You may wait longer]"}},"success":false`),
		handsRan + `still-running limit=10s (text) job=4 partial "out"`,
	},
	{
		"code not known", handsRun(`{"metadata":{"exit_code":-1,"suffix":"\n[The command completed but the exit code could not be determined. Terminal output may have corrupted the PS1 metadata markers.]"}}`),
		handsRan + `unknown (text) "out"`,
	},
	{"minus one, no words", handsRun(`{"metadata":{"exit_code":-1}}`), handsRan + `unknown "out"`},
	{"old logs", handsRun(`{"command_id":1,"exit_code":1}`), handsRan + `nonzero 1 (field) exit_code=1- "out"`},
	{
		"the agent's own interrupt", handsRun(`{"metadata":{"exit_code":130,"suffix":"\n[The command completed with exit code 130. CTRL+C was sent.]"}}`),
		handsRan + `stopped-on-purpose 130 SIGINT (text) exit_code=130- suffix=The command completed with exit code 130. CTRL+C was sent- "out"`,
	},
	{
		"a job to its end", handsRun(`{"metadata":{"exit_code":-1,"suffix":"[The command has no new output after 10 seconds. x]"}}`) + "\n" + handsMore +
			`{"id":7,"source":"agent","cause":6,"observation":"run","content":"all","extras":{"metadata":{"exit_code":1,"suffix":"\n[The command completed with exit code 1.]"}}}`,
		handsRan + `still-running limit=10s (text) job=4 partial "out"
		tool_call 6 run poll job=4
		tool_result 6 nonzero 1 (field) job=4 exit_code=1- suffix=The command completed with exit code 1- "all"`,
	},
	{
		"another command meanwhile", handsRun(`{"metadata":{"exit_code":-1,"suffix":"\n[Your command \"ls\" is NOT executed. The previous command is still running - x]"}}`),
		handsRan + `not-started (text) not-run "out"`,
	},
	{
		"error", `{"id":1,"source":"agent","action":"edit","args":{"path":"/a","thought":"fix it"}}
	{"id":2,"source":"agent","cause":1,"observation":"error","content":"no match","extras":{}}`,
		`message assistant "fix it"
		tool_call 1 edit edit path=/a
		tool_result 1 nonzero (field) "no match"`,
	},
	{"edit", `{"id":1,"source":"agent","action":"edit","args":{"path":"/a"}}
	{"id":2,"source":"agent","cause":1,"observation":"edit","content":"done","extras":{}}`, "tool_call 1 edit edit path=/a\ntool_result 1 ok (inferred) \"done\""},
	{"error without a call", `{"id":2,"source":"agent","observation":"error","content":"bad parameter","extras":{}}`, `message harness notice "bad parameter"`},
	{
		"refused", `{"id":1,"source":"agent","action":"run","args":{"command":"rm x","confirmation_state":"awaiting_confirmation"}}
	{"id":2,"source":"user","cause":1,"observation":"user_rejected","content":"Action rejected","extras":{}}`,
		`tool_call 1 run shell "rm x"
		decision requested 1 by unknown
		tool_result 1 denied (field) not-run "Action rejected"
		decision denied 1 by human`,
	},
	{
		"states", `{"id":1,"source":"environment","observation":"agent_state_changed","content":"","extras":{"agent_state":"awaiting_user_confirmation"}}
	{"id":2,"source":"environment","observation":"agent_state_changed","content":"","extras":{"agent_state":"user_confirmed"}}
	{"id":3,"source":"user","action":"change_agent_state","args":{"agent_state":"stopped"}}
	{"id":4,"source":"environment","observation":"agent_state_changed","content":"","extras":{"agent_state":"stopped"}}
	{"id":5,"source":"environment","observation":"agent_state_changed","content":"","extras":{"agent_state":"finished"}}`,
		`decision requested  by unknown
		decision approved  by human
		cancel
		turn_end interrupted bad
		turn_end completed`,
	},
	{
		"tokens once a response", `{"id":1,"source":"agent","action":"run","args":{"command":"a"},` + handsResponse + `}
	{"id":2,"source":"agent","action":"run","args":{"command":"b"},` + handsResponse + `}`,
		`tool_call 1 execute_bash shell "a"
		session model=m1
		usage context=90 cached=0 out=7 total=500
		tool_call 2 execute_bash shell "b"`,
	},
	{
		"messages", `{"id":0,"source":"agent","action":"system","args":{"content":"be good"}}
	{"id":1,"source":"user","action":"message","args":{"content":"fix it"}}
	{"id":2,"source":"agent","action":"message","args":{"content":"ok"}}
	{"id":3,"source":"user","action":"message","args":{"content":"Please continue working on the task on whatever approach you think is suitable."}}`,
		`message harness prompt "be good"
		message human "fix it"
		message assistant "ok"
		message harness notice "Please continue working on the task on whatever approach you think is suitable."`,
	},
	{
		"finish", `{"id":9,"source":"agent","action":"finish","args":{"final_thought":"all done","task_completed":"true"}}`,
		`tool_call 9 finish finish
		message assistant final "all done"
		turn_end completed`,
	},
	{
		"condensation", `{"id":60,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":5,"forgotten_events_end_id":40,"summary":"so far"}}`,
		`compaction
		message assistant summary "so far"`,
	},
	{
		"output.jsonl", `{"instance_id":"i1","history":[{"id":4,"source":"agent","action":"run","args":{"command":"ls"}}],"error":null}
	{"instance_id":"i2","history":[{"id":4,"source":"agent","action":"run","args":{"command":"ls"}},{"id":5,"source":"agent","cause":4,"observation":"run","content":"","extras":{"exit_code":0}}],"error":"RuntimeError: Agent reached maximum iteration"}`,
		`session id=i1
		tool_call 4 run shell "ls"
		session id=i2 start
		tool_call 2:4 run shell "ls"
		tool_result 2:4 ok 0 (field) exit_code=0+
		turn_end RuntimeError: Agent reached maximum iteration bad session`,
	},
	{"array", `[{"id":1,"source":"user","action":"message","args":{"content":"hi"}}]`, `message human "hi"`},

	{
		"v1 ok", handsTerminal(`"is_error":false,"exit_code":0,"timeout":false,"metadata":{"exit_code":0,"suffix":"\n[The command completed with exit code 0.]"}`),
		terminalRan + `ok 0 (field) exit_code=0+ suffix=The command completed with exit code 0+ "out"`,
	},
	{
		"v1 hard limit", handsTerminal(`"is_error":false,"exit_code":-1,"timeout":false,"metadata":{"exit_code":-1,"suffix":"\n[The command timed out after 30.0 seconds. You may wait longer]"}`),
		terminalRan + `timeout limit=30s (text) job=c1 suffix=The command timed out after 30.0 seconds- timeout=false+ "out"`,
	},
	{
		"v1 soft limit", handsTerminal(`"is_error":false,"exit_code":-1,"timeout":false,"metadata":{"exit_code":-1,"suffix":"\n[The command has no new output after 30.0 seconds. x]"}`),
		terminalRan + `still-running limit=30s (text) job=c1 partial "out"`,
	},
	{"v1 flag", handsTerminal(`"is_error":false,"exit_code":-1,"timeout":true,"metadata":{"exit_code":-1}`), terminalRan + `timeout (text) job=c1 timeout=true- "out"`},
	{"v1 terminal fault", handsTerminal(`"is_error":true,"exit_code":null,"metadata":{}`), terminalRan + `nonzero (field) is_error=true- "out"`},
	{
		"v1 suffix joined to the text", `{"kind":"ActionEvent","id":"a1","source":"agent","tool_name":"terminal","tool_call_id":"c1","action":{"command":"make"}}
	{"kind":"ObservationEvent","id":"o1","source":"environment","tool_name":"terminal","tool_call_id":"c1","observation":{"content":[{"type":"text","text":"x\n[The command timed out after 5 seconds. y]"}],"exit_code":-1}}`,
		`tool_call c1 terminal shell "make"
		tool_result c1 timeout limit=5s (text) job=c1 suffix=The command timed out after 5 seconds- "x\n[The command timed out after 5 seconds. y]"`,
	},
	{
		"v1 refused by a hook", `{"kind":"UserRejectObservation","id":"j1","source":"hook","tool_name":"terminal","tool_call_id":"c2","action_id":"a2","rejection_reason":"no","rejection_source":"hook"}`,
		`tool_result c2 denied (field) not-run "no"
		decision denied c2 by hook`,
	},
	{
		"v1 restart", `{"kind":"AgentErrorEvent","id":"e1","source":"agent","tool_name":"terminal","tool_call_id":"c1","error":"A restart occurred while this tool was in progress. This may indicate a fatal memory error."}`,
		`tool_result c1 interrupted (text) "A restart occurred while this tool was in progress. This may indicate a fatal memory error."`,
	},
	{
		"v1 never run", `{"kind":"ActionEvent","id":"a1","source":"agent","thought":[],"tool_name":"terminal","tool_call_id":"c1","tool_call":{"id":"c1","name":"terminal","arguments":"{\"command\":\"ma"},"action":null}
	{"kind":"AgentErrorEvent","id":"e1","source":"agent","tool_name":"terminal","tool_call_id":"c1","error":"Error validating args {} for tool 'terminal'"}`,
		`tool_call c1 terminal shell broken
		tool_result c1 not-started (field) not-run "Error validating args {} for tool 'terminal'"`,
	},
	{
		"v1 reasoning", `{"kind":"ActionEvent","id":"a1","source":"agent","thought":[{"type":"text","text":"run"}],"reasoning_content":"hm","thinking_blocks":[],"tool_name":"task_tracker","tool_call_id":"c1","action":{"command":"plan","task_list":[{"title":"run e2e","status":"done"}]}}`,
		`reasoning "hm"
		message assistant "run"
		tool_call c1 task_tracker plan [{run e2e done}]`,
	},
	{
		"v1 signed thinking", `{"kind":"MessageEvent","id":"m","source":"agent","llm_message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"sig"}]}}`,
		`reasoning signature=sig "hm"
		message assistant "ok"`,
	},
	{
		"v1 view", `{"kind":"ActionEvent","id":"a1","source":"agent","tool_name":"file_editor","tool_call_id":"c1","action":{"command":"view","path":"/a"}}
	{"kind":"ObservationEvent","id":"o","source":"environment","tool_name":"file_editor","tool_call_id":"c1","observation":{"content":[{"type":"text","text":"1 x"}],"is_error":true}}`,
		`tool_call c1 file_editor read path=/a
		tool_result c1 nonzero (field) is_error=true- "1 x"`,
	},
	{
		"v1 condensation", `{"kind":"Condensation","id":"k1","source":"environment","forgotten_event_ids":["a1","o1"],"summary":null}
	{"kind":"Condensation","id":"k2","source":"environment","forgotten_event_ids":["a1"],"summary":"so far"}
	{"kind":"CondensationRequest","id":"k3","source":"environment"}`,
		`compaction opaque
		compaction
		message assistant summary "so far"
		compaction begin`,
	},
	{
		"v1 states", `{"kind":"ConversationStateUpdateEvent","id":"s","source":"environment","key":"execution_status","value":"waiting_for_confirmation"}
	{"kind":"PauseEvent","id":"p","source":"user"}
	{"kind":"ConversationStateUpdateEvent","id":"s","source":"environment","key":"stats","value":{"usage_to_metrics":{"agent":{"accumulated_token_usage":{"prompt_tokens":900,"per_turn_token":300,"context_window":1000}}}}}`,
		`decision requested  by unknown
		turn_end interrupted bad
		usage context=300 cached=0 out=0 total=900`,
	},
	{"v1 unknown", `{"kind":"FrobEvent","id":"s","source":"environment"}`, `unknown`},
	{"unknown action", `{"id":1,"source":"agent","action":"frob","args":{}}`, `unknown`},
}

func TestOpenHands(t *testing.T) { checkFacts(t, openHandsFormat, openHandsFacts) }
func FuzzOpenHands(f *testing.F) { fuzzAdapter(f, openHandsFormat, openHandsFacts) }

func TestSniffOpenHands(t *testing.T) {
	for in, want := range map[string]string{
		`{"kind":"MessageEvent","id":"m","source":"user","llm_message":{}}`:                                           "openhands",
		`{"id":1,"source":"user","action":"message","args":{"content":"x"}}`:                                          "openhands",
		`[{"id":1,"source":"user","action":"message","args":{"content":"x"}}]`:                                        "openhands",
		`{"instance_id":"i","history":[{"id":1,"source":"user","action":"message","args":{"content":"x"}}]}`:          "openhands",
		"{\n\"instance_id\":\"i\",\n\"history\":[{\"id\":1,\"source\":\"user\",\"action\":\"message\",\"args\":{}}]}": "openhands",
		`{"kind":"Pod","source":"x"}`: "",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
