package transcript

import "testing"

// cursorRun is a call without an id and what came back.
func cursorRun(result string) string {
	return `{"role":"assistant","message":{"content":[{"type":"text","text":"go"},{"type":"tool_use","name":"Shell","input":{"command":"make"}}]}}
	{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1",` + result + `}]}}`
}

const cursorRan = "message assistant \"go\"\n\ttool_call #1 Shell shell \"make\"\n\ttool_result #1 "

var cursorFacts = []fact{
	{"query", `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nfix it\n</user_query>"}]}}`, `message human "<user_query>\nfix it\n</user_query>"`},
	{
		"context in front", `{"role":"user","message":{"content":[{"type":"text","text":"<git_status>clean</git_status><user_query>fix</user_query>"}]}}`,
		`message harness notice "<git_status>clean</git_status>"
		message human "<user_query>fix</user_query>"`,
	},
	{"context alone", `{"role":"user","message":{"content":[{"type":"text","text":"<git_status>clean"}]}}`, `message harness notice "<git_status>clean"`},
	{"nothing says how it ended", cursorRun(`"content":[{"type":"text","text":"ok"}]`), cursorRan + `unknown "ok"`},
	{"exit code", cursorRun(`"content":"Exit code: 2\n\nx"`), cursorRan + `nonzero 2 (text) output=Exit code: 2- "Exit code: 2\n\nx"`},
	{"taken out", `{"role":"assistant","message":{"content":[{"type":"text","text":"[REDACTED]"}]}}`, `reasoning`},
	{"thinking", `{"role":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"}]}}`, `reasoning "hm"`},
	{
		"other blocks", `{"role":"assistant","model":"m","message":{"content":[{"type":"tool_call","name":"read_file","input":{"path":"a.log"}},{"type":"custom","text":"shown"}]}}
	{"role":"user","message":{"content":[{"type":"tool-result","name":"read_file","content":"x"}]},"metadata":{"toolResultStatus":"success"}}`,
		`session model=m
		tool_call #1 read_file read path=a.log
		message assistant "shown"
		tool_result #1 ok (field) is_error=false+ "x"`,
	},
	{"unknown", `{"role":"frob","message":{"content":"x"}}`, `unknown`},
}

// cursorCall is a call of the stream and its end.
func cursorCall(result string) string {
	return `{"type":"tool_call","subtype":"started","call_id":"c1","tool_call":{"shellToolCall":{"args":{"command":"make"}}},"session_id":"s"}
	{"type":"tool_call","subtype":"completed","call_id":"c1","tool_call":{"shellToolCall":{"args":{"command":"make"},"result":` + result + `}},"session_id":"s"}`
}

const cursorCalled = "tool_call c1 shell shell \"make\"\n\ttool_result c1 "

var cursorStreamFacts = []fact{
	{"init", `{"type":"system","subtype":"init","cwd":"/w","session_id":"s","model":"m","permissionMode":"default"}`, `session id=s model=m dir=/w policy="default" auto=false`},
	{"ok", cursorCall(`{"success":{"exitCode":0,"stdout":"x","stderr":""}}`), cursorCalled + `ok 0 (field) result=success? exitCode=0+ "x\n"`},
	{"failed", cursorCall(`{"failure":{"exitCode":2,"stdout":"x","stderr":"y"}}`), cursorCalled + `nonzero 2 (field) result=failure- exitCode=2- "x\ny"`},
	{"timeout", cursorCall(`{"timeout":{"timeoutMs":5000}}`), cursorCalled + `timeout limit=5s (field) result=timeout-`},
	{"refused", cursorCall(`{"rejected":{"command":"make","reason":"no"}}`), cursorCalled + "denied (field) not-run result=rejected- \"no\"\n\tdecision denied c1 by unknown"},
	{"end", `{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}`, "message assistant final \"done\"\nturn_end success session"},
	{"unknown", `{"type":"frob"}`, `unknown`},
}

const droidStart = `{"type":"session_start","id":"s","title":"t","owner":"me","cwd":"/w"}`

// droidRun is a command and what came back.
func droidRun(result string) string {
	return `{"type":"message","id":"m1","parentId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Execute","input":{"command":"make"}}]}}
	{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1",` + result + `}]}}`
}

const droidRan = "tool_call c1 Execute shell \"make\"\n\ttool_result c1 "

var droidFacts = []fact{
	{"start", droidStart, `session id=s dir=/w`},
	{"failed", droidRun(`"content":"Error: Command failed (exit code: 1)\nx"`), droidRan + `nonzero 1 (text) output=Error: Command failed (exit code: 1)- "Error: Command failed (exit code: 1)\nx"`},
	{"ended", droidRun(`"content":"x\n\n[Process exited with code 0]","is_error":false`), droidRan + `ok 0 (text) output=[Process exited with code 0]+ "x\n\n[Process exited with code 0]"`},
	{"ok", droidRun(`"content":"x\n"`), droidRan + `ok (inferred) "x\n"`},
	{
		"timeout", droidRun(`"content":"Error: Command timed out after 60 seconds","is_error":true`),
		droidRan + `timeout limit=1m0s (text) is_error=true- output=Error: Command timed out after 60 seconds- "Error: Command timed out after 60 seconds"`,
	},
	{"other error", droidRun(`"content":"Error: no shell"`), droidRan + `unknown "Error: no shell"`},
	{
		"reminder in front", `{"type":"message","id":"m1","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>\nx\n</system-reminder>\n\nDo it"}]}}`,
		`message harness notice "<system-reminder>\nx\n</system-reminder>"
		message human "Do it"`,
	},
	{"compaction", `{"type":"compaction_state","id":"k","timestamp":"2026-01-01T00:00:01Z","summaryText":"so far"}`, "compaction\nmessage assistant summary \"so far\""},
	{"unknown", `{"type":"frob"}`, `unknown`},
}

func TestCursor(t *testing.T)       { checkFacts(t, cursorFormat, cursorFacts) }
func TestCursorStream(t *testing.T) { checkFacts(t, cursorStreamFormat, cursorStreamFacts) }
func TestDroid(t *testing.T)        { checkFacts(t, droidFormat, droidFacts) }
func FuzzCursor(f *testing.F)       { fuzzAdapter(f, cursorFormat, cursorFacts) }
func FuzzCursorStream(f *testing.F) { fuzzAdapter(f, cursorStreamFormat, cursorStreamFacts) }
func FuzzDroid(f *testing.F)        { fuzzAdapter(f, droidFormat, droidFacts) }

func TestSniffCursorAndDroid(t *testing.T) {
	for in, want := range map[string]string{
		cursorFacts[0].in: "cursor",
		cursorFacts[3].in: "cursor",
		cursorStreamFacts[0].in + "\n" + cursorStreamFacts[1].in: "cursor-stream-json",
		cursorStreamFacts[0].in:                                  "claude-stream-json",
		droidStart:                                               "factory-droid",
		droidFacts[1].in:                                         "factory-droid",
		`{"role":"user","content":"x"}`:                          "chat",
	} {
		if got := sniffed(in); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
