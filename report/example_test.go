package report_test

import (
	"fmt"
	"os"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/report"
)

func ExampleEscape() {
	fmt.Println(report.Escape("done\r\n::error::\x1b[31mnot\u202e really 汉字"))
	// Output: done\r\n::error::\x1b[31mnot\u202e really 汉字
}

func ExampleNewText() {
	w := report.NewText(os.Stdout, report.TextOptions{Width: 70})
	_ = w.Begin(report.Run{})
	_ = w.File(report.File{Path: "session.jsonl", Format: "claude-code", Sessions: 1, Findings: []finding.Finding{{
		Rule: "false-confirmation", Level: finding.Error, Span: finding.Span{Line: 4},
		Message: "Tests claimed as successful, but go test ./... was killed after 2 min",
		Quote:   "All tests pass.",
		Evidence: []finding.Evidence{
			{Span: finding.Span{Line: 3}, Grade: finding.Observed, Note: "three PASS lines scrolled by"},
			{Span: finding.Span{Line: 3}, Grade: finding.Terminated, Note: "killed at its limit", Quote: "Exit code 143"},
			{Span: finding.Span{Line: 4}, Grade: finding.Claimed, Note: "by the assistant", Quote: "All tests pass."},
		},
		Fix: "Run again to a successful end: go test ./...",
	}}})
	_ = w.End(report.Totals{Files: 1, Sessions: 1, Bytes: 2310, Errors: 1, ExitCode: 1})
	// Output:
	// ── session.jsonl · claude-code
	//
	// ✖ error  false-confirmation  session.jsonl:4
	//   Tests claimed as successful, but go test ./... was killed after 2
	//   min
	//   “All tests pass.”
	//   │ line 3  observed    three PASS lines scrolled by
	//   │ line 3  terminated  killed at its limit  “Exit code 143”
	//   └ line 4  claimed     by the assistant
	//   fix: Run again to a successful end: go test ./...
	//
	// 1 error in 1 of 1 session (2.3 kB)
	// more: transcript-lint explain false-confirmation
}
