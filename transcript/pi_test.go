package transcript

import "testing"

const piHead = `{"type":"session","version":3,"id":"s1","timestamp":"2026-03-01T10:00:00Z","cwd":"/w"}`

// piRun is a bash call and what came back.
func piRun(result string) string {
	return `{"type":"message","id":"a1","parentId":"u1","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"make","timeout":30}}],"stopReason":"toolUse"}}
	{"type":"message","id":"b1","parentId":"a1","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash",` + result + `}}`
}

const piRan = `tool_call c1 bash shell "make" timeout=30s
	tool_result c1 `

var piFacts = []fact{
	{"header", piHead, `session id=s1 dir=/w`},
	{"human", `{"type":"message","id":"u1","message":{"role":"user","content":[{"type":"text","text":"go on"},{"type":"image","data":""}]}}`, `message human "go on"`},
	{
		"gateway event", `{"type":"message","id":"u1","message":{"role":"user","content":"System: [2026-03-01] Exec finished (gateway id=1, session=x, code 0)"}}`,
		`message harness notice "System: [2026-03-01] Exec finished (gateway id=1, session=x, code 0)"`,
	},
	{"reminder", `{"type":"message","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>\nx"}]}}`, `message harness notice "<system-reminder>\nx"`},
	{"custom message", `{"type":"custom_message","id":"k","customType":"x","content":"note","display":true}`, `message harness notice "note"`},
	{
		"answer", `{"type":"message","id":"a1","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"sig"},{"type":"text","text":"ok"}],"model":"m1","usage":{"input":10,"output":5,"cacheRead":100,"cacheWrite":7},"stopReason":"stop"}}`,
		`session model=m1
		reasoning signature=sig "hm"
		message assistant "ok"
		usage context=117 cached=100 out=5 total=0`,
	},
	{"hollow thinking", `{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"sig"}]}}`, `reasoning signature=sig hollow`},
	{"aborted", `{"type":"message","message":{"role":"assistant","content":[],"usage":{"input":0,"output":0},"stopReason":"aborted","errorMessage":"Request was aborted."}}`, `turn_end interrupted bad`},
	{
		"provider error", `{"type":"message","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"429 slow down"}}`,
		`status api_error 429 429 slow down
		turn_end error bad`,
	},
	{"ok", piRun(`"content":[{"type":"text","text":"done"}],"isError":false`), piRan + `ok (field) isError=false+ "done"`},
	{
		"exit code", piRun(`"content":[{"type":"text","text":"FAIL\n\nCommand exited with code 2"}],"isError":true`),
		piRan + `nonzero 2 (text) isError=true- output=Command exited with code 2- "FAIL\n\nCommand exited with code 2"`,
	},
	{"killed", piRun(`"content":"Command exited with code 143","isError":true`), piRan + `signalled 143 SIGTERM (text) isError=true- output=Command exited with code 143- "Command exited with code 143"`},
	{
		"timeout", piRun(`"content":"part\n\nCommand timed out after 30 seconds","isError":true`),
		piRan + `timeout limit=30s (text) isError=true- output=Command timed out after 30 seconds- "part\n\nCommand timed out after 30 seconds"`,
	},
	{"broken off", piRun(`"content":"Command aborted","isError":true`), piRan + `interrupted (text) interrupted-by-user isError=true- output=Command aborted- "Command aborted"`},
	{"printed by the command", piRun(`"content":"log:\nCommand exited with code 2","isError":false`), piRan + `ok (field) isError=false+ "log:\nCommand exited with code 2"`},
	{"no flag, no words", piRun(`"content":"x"`), piRan + `unknown "x"`},
	{
		"skipped", piRun(`"content":"Skipped due to queued user message.","isError":true`),
		piRan + `not-started (text) not-run isError=true- output=Skipped due to queued user message.- "Skipped due to queued user message."`,
	},
	{"blocked", piRun(`"content":"Tool execution was blocked","isError":true`), piRan + `denied (text) not-run isError=true- output=Tool execution was blocked- "Tool execution was blocked"`},
	{
		"cut at the front", piRun(`"content":"b\n\n[Showing lines 2-2 of 2. Full output: /tmp/x.log]","isError":false,"details":{"truncation":{"truncated":true}}`),
		piRan + `ok (field) isError=false+ "b\n\n[Showing lines 2-2 of 2. Full output: /tmp/x.log]"`,
	},
	{"typed code", piRun(`"content":"x","isError":false,"details":{"status":"completed","exitCode":7}`), piRan + `nonzero 7 (field) isError=false? exitCode=7- "x"`},
	{"code in brackets", piRun(`"content":"x\n\n(Command exited with code 7)","isError":false`), piRan + `nonzero 7 (text) isError=false? output=Command exited with code 7- "x\n\n(Command exited with code 7)"`},
	{
		"still running", piRun(`"content":"Command still running (session calm-fox, pid 9). Use process for follow-up.","isError":false`),
		piRan + `still-running (text) job=calm-fox partial isError=false? "Command still running (session calm-fox, pid 9). Use process for follow-up."`,
	},
	{
		"approval", piRun(`"content":"Approval required","details":{"status":"approval-pending","approvalId":"p1","expiresAtMs":1772359300000,"command":"make"}`),
		piRan + `not-started (field) not-run "Approval required"
		decision requested p1 by unknown`,
	},
	{
		"polled to the end", `{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c2","name":"process","arguments":{"action":"poll","sessionId":"calm-fox","timeout":120000}}]}}
	{"type":"message","message":{"role":"toolResult","toolCallId":"c2","toolName":"process","content":"ok\n\nProcess exited with code 1.","isError":false}}`,
		`tool_call c2 process poll job=calm-fox
		tool_result c2 nonzero 1 (text) isError=false? output=Process exited with code 1.- "ok\n\nProcess exited with code 1."`,
	},
	{"not found", `{"type":"message","message":{"role":"toolResult","toolCallId":"c3","toolName":"read","content":"ENOENT","isError":true}}`, `tool_result c3 nonzero (field) isError=true- "ENOENT"`},
	{
		"typed by the human", `{"type":"message","message":{"role":"bashExecution","command":"ls","output":"a","exitCode":0,"cancelled":false,"truncated":false}}`,
		`tool_call #1 bash shell "ls"
		tool_result #1 ok 0 (field) exitCode=0+ "a"`,
	},
	{
		"compaction", `{"type":"compaction","id":"k","parentId":"b1","summary":"so far","firstKeptEntryId":"b1","tokensBefore":183000}`,
		`compaction 183000>0
		message assistant summary "so far"`,
	},
	{"branch", `{"type":"branch_summary","id":"k","parentId":"b1","fromId":"x","summary":"tried"}`, `message assistant summary "tried"`},
	{"model", `{"type":"model_change","id":"m","provider":"p","modelId":"m2"}`, `session model=m2`},
	{"unknown", `{"type":"frob"}`, `unknown`},
}

func TestPi(t *testing.T) { checkFacts(t, piFormat, piFacts) }
func FuzzPi(f *testing.F) { fuzzAdapter(f, piFormat, piFacts) }

func TestSniffPi(t *testing.T) {
	for in, want := range map[string]string{
		piHead: "pi",
		`{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[],"isError":false}}`: "pi",
		`{"type":"session","id":"x"}`: "",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

// Records of a tree carry their parents.
func TestPiTree(t *testing.T) {
	e := decodeAll(t, piFormat, `{"type":"message","id":"u1","parentId":"r","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"x"}}`)[0]
	if e.Parent != "r" || e.Pos.ID != "u1" || e.Time.IsZero() {
		t.Errorf("parent %q, id %q, time %s", e.Parent, e.Pos.ID, e.Time)
	}
}
