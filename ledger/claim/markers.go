package claim

import "strings"

// maxMarkers bounds what Markers and Failures return.
const maxMarkers = 20

// Markers returns up to 20 success-like markers in a tool's output, in order.
func Markers(text string) []Marker {
	return scanLines(text, successMarker)
}

// Failures returns up to 20 failure lines of well-known runners in an output.
func Failures(text string) []Marker {
	return scanLines(text, failureMarker)
}

// scanLines asks find for a marker in each line: its range, or -1.
func scanLines(text string, find func(string) (int, int)) []Marker {
	var out []Marker
	for pos := 0; pos < len(text) && len(out) < maxMarkers; {
		end := lineEnd(text, pos)
		line := strings.TrimRight(clip(text[pos:end], 4096), " \t\r")
		if a, b := find(line); a >= 0 && b > a {
			out = append(out, Marker{Text: clip(line[a:b], 160), Start: pos + a})
		}
		pos = end + 1
	}
	return out
}

// successWords are looked for anywhere in a line.
var successWords = []string{
	"Apply complete!", "BUILD SUCCESSFUL", "BUILD SUCCESS", "Build succeeded", "Compiled successfully", "test result: ok", "All tests passed",
	"All checks passed", "all tests passed", "Successfully installed", "successfully deployed", "Deployment complete", "Migrations complete", "deployment successful",
	"✓", "✔", "✅", "成功", "已确认", "通过", "確認済", "합격", "통과", "erfolgreich", "успешно", "Test Files  ", "0 failed", "0 failures", "No issues found", "Success: no issues found",
}

// successMarker finds a success-like marker in a line.
func successMarker(line string) (int, int) {
	t := strings.TrimLeft(line, " \t")
	off := len(line) - len(t)
	switch {
	case strings.HasPrefix(t, "PASS"), strings.HasPrefix(t, "--- PASS"), strings.HasPrefix(t, "ok  \t"), t == "OK", t == "ok",
		strings.HasPrefix(t, "OK ("), strings.HasPrefix(t, "ok ") && len(t) > 3 && t[3]-'0' < 10, strings.HasSuffix(t, " PASSED"), strings.HasSuffix(t, "... ok"), strings.HasSuffix(t, " PASS"):
		return off, len(line)
	}
	if n, at := countBeforeWord(line, "passed"); n > 0 {
		return at, len(line)
	}
	if n, at := countBeforeWord(line, "passing"); n > 0 {
		return at, len(line)
	}
	for _, w := range successWords {
		if i := strings.Index(line, w); i >= 0 && !strings.HasPrefix(w, "Test Files") && !denied(line[:i], w) {
			return i, min(len(line), runeEnd(line, i+max(len(w), 80)))
		}
	}
	return -1, -1
}

// denied reports a negator right before a marker: 未通过, 不成功, "not".
func denied(before, w string) bool {
	return hasAnySuffix(before, "未", "不", "没有", "没", "尚未", "nicht ", "не ", "not ", "No ") || w == "通过" && !hasAnySuffix(before, "测试", "全部", "已", "检查", "验证", "均", "用例", "编译", ": ", "：")
}

func hasAnySuffix(s string, list ...string) bool {
	for _, x := range list {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// runeEnd moves i back to a rune boundary of s.
func runeEnd(s string, i int) int { return len(clip(s, min(max(i, 0), len(s)))) }

// failurePrefixes open a failure line of a runner, after blanks.
var failurePrefixes = []string{
	"--- FAIL", "FAIL\t", "FAILED ", "npm ERR!", "npm error", "Traceback (most recent call last)", "make: *** ", "make[1]: *** ", "make[2]: *** ", "panic: ", "[ERROR] ", "FAILURE: Build failed",
	"error: could not compile", "error: test failed", "error: aborting due to", "error: Recipe ", "not ok ", "Error: Process completed with exit code", "fatal error: ", "ERROR collecting", "test result: FAILED",
	"ERR_PNPM_", " ELIFECYCLE", "ELIFECYCLE", "error Command failed with exit code", "error: script ", "FAILURES!", "Build FAILED", "Segmentation fault", "FATAL ERROR:", "AssertionError", "E   ", "thread '",
}

// failureWords mark a failure line anywhere.
var failureWords = []string{"BUILD FAILURE", "BUILD FAILED", "error TS", "Tests failed", "test(s) failed", ": error: ", "Command failed with exit code", "Killed: 9", "exited with code 1", "Failed to compile", "Compilation failed"}

// failureMarker finds a runner's failure in a line.
func failureMarker(line string) (int, int) {
	t := strings.TrimLeft(line, " \t")
	off := len(line) - len(t)
	for _, p := range failurePrefixes {
		if strings.HasPrefix(t, p) && !isProseAfter(p, t[len(p):]) {
			return off, len(line)
		}
	}
	switch {
	case t == "FAIL", strings.HasPrefix(t, "FAIL ") && len(t) > 5, strings.HasPrefix(t, "error[E"), strings.HasSuffix(t, " FAILED") && !strings.Contains(t, "PASSED"), strings.HasSuffix(t, "... FAILED"):
		return off, len(line)
	}
	for _, w := range failureWords {
		if i := strings.Index(line, w); i >= 0 && (w != "error TS" || i+8 < len(line) && line[i+8]-'0' < 10) {
			return i, len(line)
		}
	}
	for _, w := range [...]string{"failed", "failures", "failing"} {
		if n, at := countBeforeWord(line, w); n > 0 && runnerLine(line) {
			return at, len(line)
		}
	}
	for _, w := range [...]string{"Failures: ", "Errors: "} {
		if i := strings.Index(line, w); i >= 0 && leading(line[i+len(w):]) > 0 && strings.Contains(line, "Tests") {
			return i, len(line)
		}
	}
	return -1, -1
}

// isProseAfter lets lines pass that only look like a failure line.
func isProseAfter(prefix, rest string) bool {
	switch prefix {
	case "thread '":
		return !strings.Contains(rest, "panicked at")
	case "E   ":
		return !strings.Contains(rest, "Error") && !strings.HasPrefix(strings.TrimSpace(rest), "assert")
	case "FAILED ":
		return !strings.ContainsAny(rest, ":/(.")
	case "not ok ":
		return rest == "" || rest[0]-'0' >= 10 || strings.Contains(rest, "# TODO") || strings.Contains(rest, "# SKIP")
	}
	return false
}

// runnerLine reports a line that a runner could have closed with, and not prose.
func runnerLine(line string) bool {
	return len(line) < 200 && !strings.ContainsAny(line, "`\"{}") && !strings.Contains(line, "xfailed") || strings.HasPrefix(strings.TrimSpace(line), "=")
}

// countBeforeWord reads "12 passed": the number and where it starts, or -1.
func countBeforeWord(line, w string) (int, int) {
	for from := 0; ; {
		i := strings.Index(line[from:], w)
		if i < 0 {
			return -1, -1
		}
		i += from
		from = i + len(w)
		if from < len(line) && isWordByte(line[from]) {
			continue
		}
		if n, at := numberBefore(line, i); at >= 0 {
			return n, at
		}
	}
}

// numberBefore reads the number that ends just before i, one blank between;
// "12 tests failed" and "1 test suites failed" count too.
func numberBefore(line string, i int) (int, int) {
	j := i
	for j > 0 && line[j-1] == ' ' {
		j--
	}
	for _, w := range [...]string{"tests", "test", "example", "examples"} {
		if strings.HasSuffix(line[:j], " "+w) {
			j -= len(w) + 1
		}
	}
	k := j
	for k > 0 && line[k-1]-'0' < 10 {
		k--
	}
	if k == j || j == i || k > 0 && (line[k-1] == '.' || isWordByte(line[k-1])) {
		return -1, -1
	}
	return leading(line[k:]), k
}

// leading reads the number at the start of s, 0 when there is none.
func leading(s string) int {
	n := 0
	for i := 0; i < len(s) && s[i]-'0' < 10 && n < 1e8; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
