package claim

import "strings"

// Summary returns the closing count of the test run in an output, if it has
// one. Runners that close once per package or target are summed; of runners
// that close once, the last closing line counts.
func Summary(text string) (Census, bool) {
	var b census
	for pos := 0; pos < len(text); {
		end := lineEnd(text, pos)
		b.line(plain(strings.TrimSpace(clip(text[pos:end], 2048))))
		pos = end + 1
	}
	return b.done()
}

// census gathers what the lines of an output count.
type census struct {
	c    Census
	seen bool
	ran  int    // unittest: "Ran 5 tests"
	bun  Census // its lines so far, until "Ran 5 tests across 2 files"
}

// plain drops ANSI colours.
func plain(line string) string {
	if !strings.Contains(line, "\x1b[") {
		return line
	}
	var sb strings.Builder
	for {
		i := strings.Index(line, "\x1b[")
		if i < 0 {
			break
		}
		sb.WriteString(line[:i])
		line = line[i+2:]
		m := strings.IndexByte(line, 'm')
		if m < 0 || m > 12 {
			continue
		}
		line = line[m+1:]
	}
	sb.WriteString(line)
	return strings.TrimSpace(sb.String())
}

// line reads one line. The order is from the most to the least distinctive.
func (b *census) line(l string) {
	if l == "" {
		return
	}
	for _, read := range lineReaders {
		if read(b, l) {
			b.seen = true
			return
		}
	}
}

var lineReaders = []func(*census, string) bool{
	(*census).empty, (*census).cargo, (*census).maven, (*census).goTest, (*census).jest, (*census).pytest,
	(*census).rspec, (*census).unittest, (*census).phpunit, (*census).dotnet, (*census).gradle, (*census).tapLine, (*census).mocha, (*census).bunTest,
}

// set replaces the counts by those of a later closing line.
func (b *census) set(runner string, c Census) bool {
	c.Runner, c.Complete = runner, true
	if c.Total == 0 {
		c.Total = c.Passed + c.Failed + c.Skipped + c.Errors
	}
	c.Empty = c.Total == 0
	b.c = c
	return true
}

// sum adds the counts of one more package or target.
func (b *census) sum(runner string, c Census) bool {
	if b.c.Runner == runner {
		c.Passed += b.c.Passed
		c.Failed += b.c.Failed
		c.Skipped += b.c.Skipped
		c.Errors += b.c.Errors
	}
	c.Total, c.Several = 0, true
	return b.set(runner, c)
}

// emptyLines are how runners say that nothing ran.
var emptyLines = []struct{ text, runner string }{
	{"no tests ran", "pytest"},
	{"collected 0 items", "pytest"},
	{"No tests found", "jest"},
	{"No test files found", "vitest"},
	{"No tests were executed", "maven"},
	{"No tests executed", "phpunit"},
	{"no test is available", "dotnet"},
	{"No test is available", "dotnet"},
	{"no tests to run", "go"},
	{"Ran 0 tests", "unittest"},
	{"0 tests collected", "pytest"},
	{"No tests to run", "maven"},
}

func (b *census) empty(l string) bool {
	for _, e := range emptyLines {
		if !strings.Contains(l, e.text) || len(l) > 160 || e.runner == "pytest" && strings.Contains(l, "passed") {
			continue
		}
		if b.c.Total == 0 && (e.runner != "go" || !b.seen) {
			b.c = Census{Runner: e.runner, Complete: true, Empty: true}
		}
		return true
	}
	return false
}

// cargo reads "test result: ok. 5 passed; 0 failed; 1 ignored; ...".
func (b *census) cargo(l string) bool {
	if !strings.HasPrefix(l, "test result: ") {
		return false
	}
	return b.sum("cargo", Census{Passed: num(l, "passed"), Failed: num(l, "failed"), Skipped: num(l, "ignored")})
}

// maven reads "Tests run: 10, Failures: 1, Errors: 0, Skipped: 0". Lines with a
// time belong to one class, the closing line has none.
func (b *census) maven(l string) bool {
	i := strings.Index(l, "Tests run: ")
	if i < 0 {
		return false
	}
	if strings.Contains(l, "Time elapsed") {
		return false
	}
	total, fail, errs, skip := after(l, "Tests run: "), after(l, "Failures: "), after(l, "Errors: "), after(l, "Skipped: ")
	return b.set("junit", Census{Total: total, Failed: fail, Errors: errs, Skipped: skip, Passed: max(0, total-fail-errs-skip)})
}

// goTest sums "ok", "FAIL" and "--- PASS" lines; without -v it counts packages.
func (b *census) goTest(l string) bool {
	switch {
	case strings.HasPrefix(l, "ok  \t"), strings.HasPrefix(l, "ok  ") && strings.HasSuffix(l, "s"), strings.HasPrefix(l, "ok ") && strings.HasSuffix(l, "(cached)"):
		if strings.Contains(l, "[no tests to run]") {
			return false
		}
		return b.sum("go", Census{Passed: 1})
	case strings.HasPrefix(l, "FAIL\t"), strings.HasPrefix(l, "FAIL  ") && b.c.Runner == "go":
		return b.sum("go", Census{Failed: 1})
	}
	return false
}

// jest reads "Tests: 1 failed, 5 passed, 6 total" and vitest's
// "Tests  1 failed | 5 passed (6)".
func (b *census) jest(l string) bool {
	rest, ok := strings.CutPrefix(l, "Tests")
	if !ok || rest == "" || rest[0] != ':' && rest[0] != ' ' || !strings.Contains(rest, "passed") && !strings.Contains(rest, "failed") && !strings.Contains(rest, "skipped") {
		return false
	}
	c := Census{Passed: num(rest, "passed"), Failed: num(rest, "failed"), Skipped: num(rest, "skipped") + num(rest, "todo"), Total: num(rest, "total")}
	if rest[0] == ':' && c.Total > 0 {
		return b.set("jest", c)
	}
	i := strings.LastIndexByte(rest, '(')
	if i < 0 || rest[0] == ':' {
		return false
	}
	c.Total = leading(rest[i+1:])
	return c.Total > 0 && b.set("vitest", c)
}

// pytest reads "=== 3 failed, 12 passed in 1.2s ===", with or without the bars.
func (b *census) pytest(l string) bool {
	t := strings.Trim(l, "= ")
	i := strings.LastIndex(t, " in ")
	if i < 0 || i+4 >= len(t) || t[i+4]-'0' >= 10 || t[0]-'0' >= 10 || strings.Contains(t[:i], "test result") {
		return false
	}
	t = t[:i]
	p, f, e := num(t, "passed"), num(t, "failed"), num(t, "errors")+num(t, "error")
	s := num(t, "skipped") + num(t, "xfailed") + num(t, "deselected")
	if p+f+e+s == 0 {
		return false
	}
	c := Census{Passed: p + num(t, "xpassed"), Failed: f, Errors: e, Skipped: s}
	b.set("pytest", c)
	b.c.Empty = p+f+e == 0
	return true
}

// rspec reads "10 examples, 0 failures, 1 pending".
func (b *census) rspec(l string) bool {
	if !strings.Contains(l, " example") || !strings.Contains(l, " failure") || l[0]-'0' >= 10 {
		return false
	}
	total := num(l, "examples") + num(l, "example")
	fail, skip := num(l, "failures")+num(l, "failure"), num(l, "pending")
	return b.set("rspec", Census{Total: total, Failed: fail, Skipped: skip, Passed: max(0, total-fail-skip)})
}

// unittest reads "Ran 5 tests in 0.1s" and the verdict below it.
func (b *census) unittest(l string) bool {
	switch {
	case strings.HasPrefix(l, "Ran ") && strings.Contains(l, " test") && strings.Contains(l, " in "):
		b.ran = leading(l[4:])
		return false
	case b.ran > 0 && (l == "OK" || strings.HasPrefix(l, "OK (")):
		s := after(l, "skipped=")
		return b.set("unittest", Census{Total: b.ran, Skipped: s, Passed: max(0, b.ran-s)})
	case b.ran > 0 && strings.HasPrefix(l, "FAILED ("):
		f, e, s := after(l, "failures="), after(l, "errors="), after(l, "skipped=")
		return b.set("unittest", Census{Total: b.ran, Failed: f, Errors: e, Skipped: s, Passed: max(0, b.ran-f-e-s)})
	}
	return false
}

// phpunit reads "OK (5 tests, 9 assertions)" and "Tests: 5, Assertions: 9, Failures: 1."
func (b *census) phpunit(l string) bool {
	if strings.HasPrefix(l, "OK (") && strings.Contains(l, "assertion") {
		n := leading(l[4:])
		return b.set("phpunit", Census{Total: n, Passed: n})
	}
	if !strings.HasPrefix(l, "Tests: ") || !strings.Contains(l, "Assertions: ") {
		return false
	}
	total, f, e, s := after(l, "Tests: "), after(l, "Failures: "), after(l, "Errors: "), after(l, "Skipped: ")
	return b.set("phpunit", Census{Total: total, Failed: f, Errors: e, Skipped: s, Passed: max(0, total-f-e-s)})
}

// dotnet reads "Passed!  - Failed: 0, Passed: 12, Skipped: 0, Total: 12" and the
// older "Total tests: 12".
func (b *census) dotnet(l string) bool {
	if !strings.HasPrefix(l, "Passed!") && !strings.HasPrefix(l, "Failed!") {
		return false
	}
	l = squeeze(l)
	return b.sum("dotnet", Census{Failed: after(l, "Failed: "), Passed: after(l, "Passed: "), Skipped: after(l, "Skipped: ")})
}

// squeeze makes runs of blanks one blank.
func squeeze(l string) string { return strings.Join(strings.Fields(l), " ") }

// gradle reads "10 tests completed, 2 failed".
func (b *census) gradle(l string) bool {
	if !strings.Contains(l, "tests completed") && !strings.Contains(l, "test completed") || l[0]-'0' >= 10 {
		return false
	}
	total, f, s := leading(l), num(l, "failed"), num(l, "skipped")
	return b.set("gradle", Census{Total: total, Failed: f, Skipped: s, Passed: max(0, total-f-s)})
}

// tapLine reads the closing comments of TAP: "# tests 5", "# pass 4", "# fail 1",
// and node's "ℹ pass 4".
func (b *census) tapLine(l string) bool {
	l = strings.TrimPrefix(strings.TrimPrefix(l, "ℹ "), "# ")
	name, rest, ok := strings.Cut(l, " ")
	if !ok || rest == "" || strings.Trim(strings.TrimSpace(rest), "0123456789") != "" {
		return false
	}
	n := leading(strings.TrimSpace(rest))
	switch name {
	case "tests":
		return b.set("tap", Census{Total: n, Passed: 0, Failed: 0})
	case "pass", "fail", "skipped":
		if b.c.Runner != "tap" {
			return false
		}
		switch name {
		case "pass":
			b.c.Passed = n
		case "fail":
			b.c.Failed = n
		default:
			b.c.Skipped = n
		}
		return true
	}
	return false
}

// mocha reads "12 passing (3s)", then "1 failing" and "2 pending".
func (b *census) mocha(l string) bool {
	l = strings.TrimLeft(l, "✓✔ ")
	if l == "" || l[0]-'0' >= 10 {
		return false
	}
	name := strings.TrimLeft(l, "0123456789")
	n := leading(l)
	switch {
	case strings.HasPrefix(name, " passing"):
		return b.set("mocha", Census{Passed: n})
	case b.c.Runner != "mocha":
		return false
	case name == " failing":
		b.c.Failed, b.c.Total, b.c.Empty = n, b.c.Total+n, false
	case name == " pending":
		b.c.Skipped, b.c.Total = n, b.c.Total+n
	default:
		return false
	}
	return true
}

// bunTest reads bun's " 5 pass", " 0 fail", and "Ran 5 tests across 2 files."
// that closes them; several packages are summed.
func (b *census) bunTest(l string) bool {
	if strings.HasPrefix(l, "Ran ") && strings.Contains(l, " across ") && leading(l[4:]) > 0 {
		c := b.bun
		b.bun = Census{}
		if b.c.Runner == "bun" {
			return b.sum("bun", c)
		}
		return c.Passed+c.Failed+c.Skipped+c.Errors > 0 && b.set("bun", c)
	}
	name := strings.TrimLeft(l, "0123456789")
	if len(name) == len(l) {
		return false
	}
	switch name {
	case " pass":
		b.bun.Passed = leading(l)
	case " fail":
		b.bun.Failed = leading(l)
	case " skip", " todo":
		b.bun.Skipped += leading(l)
	case " error", " errors":
		b.bun.Errors = leading(l)
	}
	return false
}

// done returns the census.
func (b *census) done() (Census, bool) {
	if b.seen && b.c.Passed+b.c.Failed+b.c.Errors == 0 && b.c.Runner != "" {
		b.c.Empty = true
	}
	return b.c, b.c.Runner != ""
}

// num reads the number before a word: num("3 failed, 12 passed", "passed") = 12.
func num(l, w string) int {
	n, _ := countBeforeWord(l, w)
	return max(0, n)
}

// after reads the number behind a label.
func after(l, label string) int {
	i := strings.Index(l, label)
	if i < 0 {
		return 0
	}
	return leading(strings.TrimLeft(l[i+len(label):], " "))
}
