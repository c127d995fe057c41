package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/transcript-lint/transcript-lint/finding"
)

// open opens a format as the command does.
func open(t testing.TB, format string, w io.Writer) Writer {
	t.Helper()
	rw, err := New(format, w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rw
}

// commandLine is what GitHub's runner obeys: "::" after blanks, "##[" anywhere.
var commandLine = regexp.MustCompile(`(?m)^\s*::|##\[`)

// TestHarmless holds every format to what no output may contain: controls,
// bidi overrides, invisible characters, bytes that are no UTF-8, and commands.
func TestHarmless(t *testing.T) {
	for _, format := range Names() {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			sample(t, open(t, format, &b))
			out := b.String()
			if !utf8.ValidString(out) {
				t.Error("not UTF-8")
			}
			for i, r := range out {
				if r != '\n' && !isPlain(r) {
					t.Fatalf("%U at %d in %q", r, i, out[max(0, i-40):i+10])
				}
			}
			if format == "github" {
				checkCommands(t, out)
			} else if at := commandLine.FindStringIndex(out); at != nil {
				t.Errorf("a runner would obey %q", out[at[0]:min(len(out), at[0]+60)])
			}
		})
	}
}

// checkCommands sees that each line of the github format is a command of ours.
func checkCommands(t *testing.T, out string) {
	t.Helper()
	ours := regexp.MustCompile(`^(::(error|warning|notice) [^:\n]*::[^\n]*|transcript-lint: .*)$`)
	for line := range strings.Lines(out) {
		if line = strings.TrimSuffix(line, "\n"); !ours.MatchString(line) || strings.Contains(line, "##[") {
			t.Errorf("not a command of ours: %q", line)
		}
	}
}

// TestColumns sees that text keeps to its width, but for names that a terminal
// links and that must not be broken.
func TestColumns(t *testing.T) {
	for _, width := range []int{40, 41, 60, 79, 80, 100, 120} {
		var b bytes.Buffer
		sample(t, NewText(&b, TextOptions{Width: width, Verbose: width%2 == 0}))
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if n := columnsOf(line); n > width && !strings.Contains(line, ".jsonl") && !strings.Contains(line, "transcript-lint explain") {
				t.Errorf("%d columns, not %d: %s", n, width, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("blanks at the end: %q", line)
			}
		}
	}
}

// TestColor sees that colour changes nothing but colour, and is a writer's own.
func TestColor(t *testing.T) {
	var plain, painted bytes.Buffer
	on := NewText(&painted, TextOptions{Color: true})
	sample(t, NewText(&plain, TextOptions{}))
	sample(t, on)
	if stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(painted.String(), ""); stripped != plain.String() {
		t.Error("colour changed the text")
	}
	if plain.String() == painted.String() {
		t.Error("no colour")
	}
}

// brokenPipe accepts n writes.
type brokenPipe struct{ n int }

func (p *brokenPipe) Write(b []byte) (int, error) {
	if p.n--; p.n < 0 {
		return 0, syscall.EPIPE
	}
	return len(b), nil
}

func TestErrorsArePassedOn(t *testing.T) {
	for _, format := range Names() {
		w := Multi{open(t, format, &brokenPipe{})}
		err := w.Begin(Run{Rules: sampleRules})
		if err == nil {
			err = w.File(File{Path: "a", Findings: []finding.Finding{falseConfirmation()}})
		}
		if err == nil {
			err = w.End(Totals{})
		}
		if !errors.Is(err, syscall.EPIPE) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := New("yaml", io.Discard, Options{}); err == nil || !strings.Contains(err.Error(), "text, sarif, jsonl") {
		t.Errorf("got %v", err)
	}
}

func TestJSONLSchema(t *testing.T) {
	var b bytes.Buffer
	sample(t, NewJSONL(&b))
	n := 0
	for line := range bytes.Lines(b.Bytes()) {
		validate(t, "schema/finding.schema.json", line)
		n++
	}
	if n != 10+3+1 {
		t.Errorf("%d lines", n)
	}
	var first struct{ Quote string }
	line := b.Bytes()[bytes.Index(b.Bytes(), []byte(`{"schemaVersion":1,"type":"finding","rule":"malformed-line"`)):]
	if err := json.NewDecoder(bytes.NewReader(line)).Decode(&first); err != nil {
		t.Fatal(err)
	}
	if want := visible(hostile().Quote); first.Quote != want {
		t.Errorf("the quote did not survive: %q", first.Quote[:80])
	}
}

func TestJUnitIsXML(t *testing.T) {
	var b bytes.Buffer
	sample(t, NewJUnit(&b))
	d := xml.NewDecoder(&b)
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestGitLabFingerprints(t *testing.T) {
	var b bytes.Buffer
	w := NewGitLab(&b)
	x := falseConfirmation()
	play(t, w, Run{}, []File{{Path: "a.jsonl", Findings: []finding.Finding{x}}, {Path: "b.jsonl", Findings: []finding.Finding{x}}}, Totals{})
	var issues []gitLabIssue
	if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
		t.Fatal(err)
	}
	if len(issues) != 2 || issues[0].Fingerprint == issues[1].Fingerprint {
		t.Errorf("the same finding in two files must be two: %+v", issues)
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	var b bytes.Buffer
	files := make([]File, 3000)
	for i := range files {
		files[i] = File{Path: "a.jsonl", Findings: []finding.Finding{falseConfirmation()}}
	}
	play(t, NewMarkdown(&b), Run{}, files, Totals{})
	if b.Len() > 1<<20 || !strings.Contains(b.String(), "left out for length") {
		t.Errorf("%d bytes", b.Len())
	}
}

func TestGitHubCounts(t *testing.T) {
	var b bytes.Buffer
	f := File{Path: "a.jsonl"}
	for i := range 13 {
		f.Findings = append(f.Findings, marker(i+1))
	}
	play(t, NewGitHub(&b), Run{}, []File{f}, Totals{Notes: 13})
	if n := strings.Count(b.String(), "::notice "); n != 10 || !strings.Contains(b.String(), "3 more findings not shown") {
		t.Errorf("%d notices:\n%s", n, b.String())
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"plain, 汉字, é, 🙂, ⚠\ufe0f": "plain, 汉字, é, 🙂, ⚠\ufe0f",
		"a\r\n\tb":                 `a\r\n\tb`,
		"\x1b[31m\x07\x00\x7f":     `\x1b[31m\x07\x00\x7f`,
		"\u0085\u009b2J":           `\x85\x9b2J`,
		"\u202e\u2066\u200b\ufeff": `\u202e\u2066\u200b\ufeff`,
		"\u00ad\u2028\u3164":       `\xad\u2028\u3164`,
		"\U000e0041\U000e0100":     `\U000e0041\U000e0100`,
		"a\xff\xc3":                `a\xff\xc3`,
		"\ufffd":                   "\ufffd",
		"##[error]x ###[y":         `#\x23[error]x ##\x23[y`,
		`C:\new`:                   `C:\new`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"汉字汉字", 3, "汉字…"}, {"", 3, ""}, {"ab", 1, "…"}, {"\xff\xff\xff", 2, "\xff…"}} {
		if got := cut(c.in, c.n); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 12_345: "12 kB", 999_499: "999 kB", 999_500: "1.0 MB", 134_000_000: "134 MB", 2_500_000_000: "2.5 GB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("a long 汉字 sentence、with :: words ::error:: in it", 10)
	f.Add("\u0301\u0301\u0301 x", 2)
	f.Fuzz(func(t *testing.T, s string, cols int) {
		cols = 2 + int(uint(cols)%200)
		s = Escape(s)
		lines := wrap(s, cols)
		for _, l := range lines {
			if columnsOf(l) > cols {
				t.Errorf("%q is wider than %d", l, cols)
			}
			if strings.HasPrefix(strings.TrimSpace(l), "::") && cols > 3 {
				t.Errorf("%q starts with a command", l)
			}
		}
		bare := strings.NewReplacer(" ", "", `\`, "").Replace
		if got := bare(strings.Join(lines, "")); got != bare(s) {
			t.Errorf("%q became %q", s, lines)
		}
	})
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[0m##[x\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := Escape(s)
		for _, r := range out {
			if !isPlain(r) {
				t.Errorf("%U came through in %q", r, out)
			}
		}
		if !utf8.ValidString(out) || strings.Contains(out, "##[") || Escape(out) != out {
			t.Errorf("%q became %q", s, out)
		}
	})
}
