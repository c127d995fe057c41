package claim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSentences judges the sentences under testdata.
func TestSentences(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sentences: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			want, text, ok := strings.Cut(strings.TrimRight(line, "\n"), " | ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			text = strings.ReplaceAll(text, `\n`, "\n")
			if got, ok := meets(Find(text), want); !ok {
				t.Errorf("%s:%d: %q\n\tgot  %s\n\twant %s", file, n, text, got, want)
			}
		}
	}
}

// meets reports whether the claims are as wanted, and how they read.
func meets(claims []Claim, want string) (string, bool) {
	var got []string
	positive := 0
	for _, c := range claims {
		s := c.Polarity.String() + " " + c.Subject.String()
		got = append(got, s+"="+c.Named)
		if c.Polarity == Positive {
			positive++
		}
	}
	said := strings.Join(got, ", ")
	switch want {
	case "none":
		return said, len(claims) == 0
	case "silent":
		return said, positive == 0
	}
	for w := range strings.SplitSeq(want, ", ") {
		found := slices.ContainsFunc(got, func(g string) bool {
			return g == w || !strings.Contains(w, "=") && strings.HasPrefix(g, w+"=")
		})
		if !found {
			return said, false
		}
		if strings.HasPrefix(w, "positive") {
			positive--
		}
	}
	return said, strings.Contains(want, "positive") || positive == 0
}

func TestCounts(t *testing.T) {
	for _, test := range []struct {
		text                  string
		passed, failed, total int
		all                   bool
	}{
		{"3251 passed, 0 failed", 3251, 0, -1, true},
		{"12/12 tests pass", 12, -1, 12, true},
		{"80 of 120 tests passed", 80, -1, 120, false},
		{"All 98 unit tests pass.", 98, -1, 98, true},
		{"The auth tests pass.", -1, -1, -1, false},
		{"1,204 tests passed", 1204, -1, 1204, false},
	} {
		claims := Find(test.text)
		if len(claims) == 0 {
			t.Errorf("%q: no claim", test.text)
			continue
		}
		if c := claims[0]; c.Passed != test.passed || c.Failed != test.failed || c.All != test.all {
			t.Errorf("%q: passed %d failed %d total %d all %v", test.text, c.Passed, c.Failed, c.Total, c.All)
		}
	}
}

func TestHonest(t *testing.T) {
	for text, want := range map[string]bool{
		"Tests passed in the end, exit code 143 aside.":                             false,
		"12 of 14 tests passed.":                                                    true,
		"The suite passed although the process timed out.":                          true,
		"All tests pass.":                                                           false,
		"All tests pass with 0 failures.":                                           false,
		"80 of 120 tests passed before the run was killed.":                         true,
		"The unit tests passed with two timeouts and one run that was interrupted.": true,
	} {
		claims := Find(text)
		if len(claims) == 0 || claims[0].Honest != want {
			t.Errorf("%q: %+v, want honest %v", text, claims, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"All tests pass.", "测试全部通过了。", "| a | ✅ |\n|---|", "`a` \"b c d e\" ~~x~~ (12/12)", "- [x] e2e", "Тесты пройдены", "it’s \xff\xfe pass"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range Find(s) {
			if c.Start < 0 || c.Start > c.End || c.End > len(s) || c.Subject == None || len(c.Quote) > 240 {
				t.Fatalf("bad claim %+v in %q", c, s)
			}
			if utf8.ValidString(s) && !utf8.ValidString(s[c.Start:c.End]+c.Quote) {
				t.Fatalf("claim %+v splits a rune in %q", c, s)
			}
		}
		for _, m := range append(Markers(s), Failures(s)...) {
			if m.Start < 0 || m.Start+len(m.Text) > len(s) || s[m.Start:m.Start+len(m.Text)] != m.Text {
				t.Fatalf("bad marker %+v in %q", m, s)
			}
			if utf8.ValidString(s) && !utf8.ValidString(m.Text) {
				t.Fatalf("marker %+v splits a rune in %q", m, s)
			}
		}
		if c, ok := Summary(s); ok && (c.Runner == "" || c.Passed < 0 || c.Failed < 0) {
			t.Fatalf("bad census %+v", c)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("I fixed the parser and all 57 tests pass; the `npm run build` step is still to be verified, but lint is clean. The loader reads the file in blocks and hands each one on.\n", 60)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(text)
	}
}
