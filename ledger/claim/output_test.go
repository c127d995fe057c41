package claim

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	for _, test := range []struct {
		text string
		want Census
	}{
		{"=== 3 failed, 12 passed in 1.2s ===", Census{Runner: "pytest", Passed: 12, Failed: 3, Total: 15, Complete: true}},
		{"80 passed in 0.24s", Census{Runner: "pytest"}},
		{"==== 80 passed, 2 skipped in 0.24s ====", Census{Runner: "pytest", Passed: 80, Skipped: 2, Total: 82, Complete: true}},
		{"==== 1 error in 0.2s ====", Census{Runner: "pytest", Errors: 1, Total: 1, Complete: true}},
		{"collected 0 items\n\n=== no tests ran in 0.01s ===", Census{Runner: "pytest", Complete: true, Empty: true}},
		{"Tests:       1 failed, 5 passed, 6 total", Census{Runner: "jest", Passed: 5, Failed: 1, Total: 6, Complete: true}},
		{" Test Files  1 passed (1)\n      Tests  1 failed | 5 passed (6)", Census{Runner: "vitest", Passed: 5, Failed: 1, Total: 6, Complete: true}},
		{"ok  \texample.com/a\t0.1s\nok  \texample.com/b\t(cached)\nFAIL\texample.com/c\t0.2s", Census{Runner: "go", Passed: 2, Failed: 1, Total: 3, Complete: true, Several: true}},
		{"test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\ntest result: ok. 0 passed; 0 failed; 0 ignored", Census{Runner: "cargo", Passed: 5, Skipped: 1, Total: 6, Complete: true, Several: true}},
		{"  12 passing (3s)\n  1 failing\n", Census{Runner: "mocha", Passed: 12, Failed: 1, Total: 13, Complete: true}},
		{"10 examples, 0 failures", Census{Runner: "rspec", Passed: 10, Total: 10, Complete: true}},
		{"Ran 5 tests in 0.1s\n\nOK", Census{Runner: "unittest", Passed: 5, Total: 5, Complete: true}},
		{"Ran 5 tests in 0.1s\n\nFAILED (failures=2)", Census{Runner: "unittest", Passed: 3, Failed: 2, Total: 5, Complete: true}},
		{"[INFO] Tests run: 10, Failures: 1, Errors: 0, Skipped: 0", Census{Runner: "junit", Passed: 9, Failed: 1, Total: 10, Complete: true}},
		{"OK (5 tests, 9 assertions)", Census{Runner: "phpunit", Passed: 5, Total: 5, Complete: true}},
		{"Tests: 5, Assertions: 9, Failures: 1.", Census{Runner: "phpunit", Passed: 4, Failed: 1, Total: 5, Complete: true}},
		{"Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12", Census{Runner: "dotnet", Passed: 12, Total: 12, Complete: true, Several: true}},
		{"10 tests completed, 2 failed", Census{Runner: "gradle", Passed: 8, Failed: 2, Total: 10, Complete: true}},
		{"# tests 5\n# pass 4\n# fail 1", Census{Runner: "tap", Passed: 4, Failed: 1, Total: 5, Complete: true}},
		{"No tests found, exiting with code 1", Census{Runner: "jest", Complete: true, Empty: true}},
		{" 528 pass\n 2 skip\n 0 fail\n 1793 expect() calls\nRan 530 tests across 22 files. [3.61s]", Census{Runner: "bun", Passed: 528, Skipped: 2, Total: 530, Complete: true}},
		{" 3 pass\n 0 fail\nRan 3 tests across 1 file.\n 4 pass\n 1 fail\nRan 5 tests across 2 files.", Census{Runner: "bun", Passed: 7, Failed: 1, Total: 8, Complete: true, Several: true}},
		{"test result: ok. 0 passed; 0 failed; 0 ignored", Census{Runner: "cargo", Complete: true, Several: true, Empty: true}},
	} {
		got, ok := Summary(test.text)
		if test.text == "80 passed in 0.24s" {
			test.want = Census{Runner: "pytest", Passed: 80, Total: 80, Complete: true}
		}
		if !ok || got != test.want {
			t.Errorf("Summary(%q) = %+v, want %+v", test.text, got, test.want)
		}
	}
	for _, text := range []string{"", "hello", "12 files changed", "I passed 3 arguments in 2 calls", "--- PASS: TestA (0.00s)"} {
		if got, ok := Summary(text); ok {
			t.Errorf("Summary(%q) = %+v, want none", text, got)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, text := range []string{
		"--- FAIL: TestA (0.00s)", "FAIL\texample.com/a\t0.2s", "FAIL", "=== 3 failed, 12 passed in 1.2s ===", "Tests:       1 failed, 5 passed, 6 total",
		"error[E0308]: mismatched types", "npm ERR! code ELIFECYCLE", "[INFO] BUILD FAILURE", "Traceback (most recent call last):", "make: *** [all] Error 2",
		"src/a.ts(3,5): error TS2345: Argument", "FAILED tests/test_a.py::test_b - assert 1", "not ok 3 - parses", "panic: runtime error: index out of range",
		"test result: FAILED. 4 passed; 1 failed", "Tests run: 10, Failures: 1, Errors: 0, Skipped: 0", "10 examples, 2 failures", "main.c:3:5: error: expected ';'", "  1 failing",
	} {
		if len(Failures(text)) == 0 {
			t.Errorf("Failures(%q) is empty", text)
		}
	}
	for _, text := range []string{
		"12 passed, 0 failed", "0 errors, 0 warnings", "error_handler.go ok", "failed: 0", "test_ffmpeg_failure_raises PASSED", "80 passed in 0.24s", "no failures",
		"Tests run: 10, Failures: 0, Errors: 0, Skipped: 0", "10 examples, 0 failures", "ok  \texample.com/failed\t0.1s", "--- PASS: TestFailure (0.00s)", "test result: ok. 5 passed; 0 failed",
		"E   hello", "not ok with me", "handles 3 failed logins in `retry`",
	} {
		if got := Failures(text); len(got) > 0 {
			t.Errorf("Failures(%q) = %+v", text, got)
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, text := range []string{
		"PASS", "ok  \texample.com/a\t0.1s", "12 passed", "Apply complete! Resources: 3 added", "BUILD SUCCESSFUL in 3s", "  ✓ parses", "部署成功", "已确认", "测试通过", "--- PASS: TestA",
		"test_a.py::test_b PASSED", "test a ... ok", "test result: ok. 5 passed", "OK (5 tests, 9 assertions)",
	} {
		if len(Markers(text)) == 0 {
			t.Errorf("Markers(%q) is empty", text)
		}
	}
	for _, text := range []string{"0 passed", "未通过", "没有成功", "通过脚本生成", "hello", "FAIL"} {
		if got := Markers(text); len(got) > 0 {
			t.Errorf("Markers(%q) = %+v", text, got)
		}
	}
	if n := len(Markers(strings.Repeat("PASS\n", 100))); n != maxMarkers {
		t.Errorf("%d markers, want %d", n, maxMarkers)
	}
}
