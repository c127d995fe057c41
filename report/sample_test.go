package report

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/transcript-lint/transcript-lint/finding"
)

// at is a place in a sample log.
func at(line int, pointer string) finding.Span {
	return finding.Span{Line: line, Offset: int64(line) * 1000, Length: 512, Column: 201, EndCol: 236, Pointer: pointer, ID: "u" + strconv.Itoa(line)}
}

func step(line int, g finding.Grade, note, quote string) finding.Evidence {
	return finding.Evidence{Span: at(line, "/message/content/0/text"), Grade: g, Note: note, Quote: quote}
}

const whyConfirm = "What the log shows is at most an observation: the newest run of that check was killed, failed or never ended. Whoever acts on the claim merges, deploys or stops looking."

// falseConfirmation is the finding that the tool exists for.
func falseConfirmation() finding.Finding {
	return finding.Finding{
		Rule: "false-confirmation", Level: finding.Error, File: "logs/a.jsonl", Session: "0d9b5a4e-5c9f-4b0e-9a51-8a8d4f3c2b1a",
		Span:    at(1412, "/message/content/0/text"),
		Message: "Tests claimed as successful, but Bash (go test ./...) ended timed out, exit 143, and nothing equivalent ended ok since",
		Quote:   "All tests pass. I will open the pull request now.",
		Evidence: []finding.Evidence{
			step(1398, finding.Recorded, "the call", "go test ./..."),
			step(1399, finding.Observed, "80 PASS lines scrolled by before the end", "--- PASS: TestOne (0.00s)\n--- PASS: TestTwo (0.01s)\n--- PASS: TestThree (0.00s)\n--- PASS: TestFour (0.02s)\n--- PASS: TestFive (0.02s)\n--- PASS: TestSix (0.02s)"),
			step(1399, finding.Terminated, "the harness killed it at its limit of 2 min", "Exit code 143\nCommand timed out after 2m 0s"),
			step(1412, finding.Claimed, "tests claimed in a message", "All tests pass. I will open the pull request now."),
		},
		Why: whyConfirm, Fix: "Run again to a successful end, or take the claim back: go test ./...",
		Fingerprint: "0123456789abcdef:1",
	}
}

func approvedAfterTimeout() finding.Finding {
	return finding.Finding{
		Rule: "approved-after-timeout", Level: finding.Error, File: "logs/中文.jsonl", Session: "s2", Span: at(77, "/result"),
		Message: "人工等待已超时，之后的记录却写着“已批准”，而日志里没有任何更晚的人工决定；这一行足够长，必须在两列宽的字符之间换行",
		Quote:   "用户已确认，继续部署到生产环境。",
		Evidence: []finding.Evidence{
			step(70, finding.Recorded, "approval requested, expires in 60 s", ""),
			step(75, finding.Terminated, "wait expired without an answer", `{"status":"expired"}`),
			step(77, finding.Claimed, "批准", "用户已确认，继续部署到生产环境。"),
		},
		Why: "Silence was turned into consent.", Fix: "Ask again.", Fingerprint: "1123456789abcdef:1",
	}
}

func longChain() finding.Finding {
	f := finding.Finding{
		Rule: "stuck-loop", Level: finding.Warning, File: "logs/中文.jsonl", Session: "s3", Span: at(99, "/message/content/1"), Inferred: true,
		Message: "The same call with the same outcome 12 times, with no edit or new input between",
		Fix:     "Change something before trying again.", Fingerprint: "2123456789abcdef:1",
	}
	for i := range 12 {
		f.Evidence = append(f.Evidence, step(88+i, finding.Terminated, "exit 1 again", "npm ERR! missing script: build"))
	}
	return f
}

func marker(i int) finding.Finding {
	return finding.Finding{
		Rule: "success-marker-in-killed-output", Level: finding.Note, File: "logs/a.jsonl", Session: "s" + strconv.Itoa(i), Span: at(100*i, "/toolUseResult/stdout"),
		Message:     "a killed output contains 3 success-like markers, and nobody promoted them",
		Quote:       "PASS",
		Fingerprint: "3123456789abcdef:" + strconv.Itoa(i),
	}
}

// hostile is a finding whose every text attacks its reader.
func hostile() finding.Finding {
	evil := "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \u202egnp.exe\u2066 zero\u200bwidth \u009b2J\x7f\r\n::error file=a::pwned ##[add-mask]x </style><script>alert(1)</script> | a | `code` ```fence``` [a](http://x) {0} %0A \xff\xfe é 汉字"
	return finding.Finding{
		Rule: "malformed-line", Level: finding.Warning, File: "::error::evil\n|%2e `x` 汉.jsonl", Session: evil, Span: at(3, "/a~1b/\u202ex"),
		Message: "::error::pwned at the start " + evil, Quote: evil + strings.Repeat("0123456789", 1000),
		Evidence: []finding.Evidence{
			{Span: at(2, ""), Grade: finding.Observed, Note: evil, Quote: evil},
			{Span: finding.Span{}, Grade: finding.Recorded, Note: "::warning::a step without a place", Quote: strings.Repeat("x", 10_000)},
		},
		Why: evil, Fix: "::stop-commands::" + evil, Fingerprint: "4123456789abcdef:1",
	}
}

var sampleRules = []finding.Rule{
	{ID: "false-confirmation", Title: "Success is claimed for a command that did not end well", Why: whyConfirm, Fix: "Run the command again.", Group: "evidence", Level: finding.Error, Precision: finding.High, Help: "**Success is claimed**\n\nfor a command that did not end well.\n"},
	{ID: "success-marker-in-killed-output", Title: "A killed output contains success markers", Why: "The near miss.", Fix: "Rerun.", Group: "evidence", Level: finding.Note, Precision: finding.Medium, Help: "# page\n"},
	{ID: "approved-after-timeout", Title: "An expired wait is recorded as approved", Why: "Silence is no consent.", Fix: "Ask again.", Group: "approval", Level: finding.Error, Precision: finding.VeryHigh, Help: "# page\n"},
	{ID: "stuck-loop", Title: "The same call with the same outcome again and again", Why: "Nothing changes.", Fix: "Change something.", Group: "progress", Level: finding.Warning, Precision: finding.High, Help: "# page\n"},
	{ID: "malformed-line", Title: "A line is not JSON", Why: strings.Repeat("Long reasons are cut. ", 80), Fix: "Find the writer.", Group: "input", Level: finding.Error, Precision: finding.VeryHigh, Help: "# page\n"},
	{ID: "switched-off", Title: "Never fires", Why: "No reason.", Fix: "Nothing.", Group: "input", Level: finding.None, Precision: finding.Low, Help: "# page\n"},
}

// sample hands a run with every shape of finding to a writer.
func sample(t testing.TB, w Writer) {
	t.Helper()
	a := File{Path: "logs/a.jsonl", Format: "claude-code", Sessions: 1, Stats: &FileStats{Bytes: 1_234_567, Records: 4321, Events: 8642, Unknown: 3, Faults: 1}}
	a.Findings = append(a.Findings, falseConfirmation())
	for i := range 6 {
		a.Findings = append(a.Findings, marker(i+1))
	}
	files := []File{
		a,
		{Path: "logs/clean.jsonl", Format: "codex", Sessions: 1, Stats: &FileStats{Bytes: 10, Records: 1, Events: 1}},
		{Path: "logs/中文.jsonl", Format: "generic", Sessions: 2, Findings: []finding.Finding{approvedAfterTimeout(), longChain()}},
		{Path: hostile().File, Findings: []finding.Finding{hostile()}},
		{Path: "logs/gone.jsonl", Notices: []finding.Notice{{Level: finding.Error, ID: "unreadable-input", File: "logs/gone.jsonl", Message: "open logs/gone.jsonl: permission denied"}}},
	}
	totals := Totals{
		Files: len(files), Sessions: 40, Bytes: 134_000_000, Errors: 2, Warnings: 2, Notes: 6, ExitCode: 2,
		Notices:    []finding.Notice{{Level: finding.Warning, ID: "long-line", File: "logs/a.jsonl", Line: 9, Message: "line of 80 MB skipped\n::error::x"}},
		NotChecked: []NotChecked{{"args-against-schema", "no tool schema is recorded (--tools FILE gives one)", 38}},
	}
	play(t, w, Run{Version: "1.2.3", Rules: sampleRules}, files, totals)
}

// play calls a writer as audit does.
func play(t testing.TB, w Writer, r Run, files []File, totals Totals) {
	t.Helper()
	if err := w.Begin(r); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := w.File(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(totals); err != nil {
		t.Fatal(err)
	}
}

// TestShow prints the sample for somebody to look at: SHOW=80 go test -run Show.
func TestShow(t *testing.T) {
	width, err := strconv.Atoi(os.Getenv("SHOW"))
	if err != nil {
		t.Skip("SHOW is not a width")
	}
	sample(t, NewText(os.Stdout, TextOptions{Width: width, Color: os.Getenv("COLOR") != "", Verbose: os.Getenv("V") != "", Stats: os.Getenv("S") != ""}))
}
