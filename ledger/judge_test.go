package ledger_test

import (
	"strings"
	"testing"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// keep reads a log into a ledger, judging claims as they are made. Its buffers
// are overwritten between records, so that a kept view shows.
func keep(t *testing.T, log string) *ledger.Session {
	t.Helper()
	r := transcript.NewReader(strings.NewReader(log), jsonl.Options{Buffer: 16, Poison: true}, transcript.FormatByName("events"))
	s := ledger.New("test", "events")
	if err := r.Read(func(e *transcript.Event) {
		s.Observe(e)
		for _, c := range s.Fresh {
			s.Judge(c)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	ask     = `{"event":"message","actor":"human","text":"go on"}` + "\n"
	allPass = `{"event":"message","actor":"assistant","text":"All tests pass."}` + "\n"
)

func ran(id, command, termination, text string) string {
	return `{"event":"tool_call","id":"` + id + `","tool":"shell","command":"` + command + `"}` + "\n" +
		`{"event":"tool_result","id":"` + id + `","text":"` + text + `","termination":` + termination + `}` + "\n"
}

const (
	okEnd      = `{"kind":"ok","exit_code":0}`
	failedEnd  = `{"kind":"nonzero","exit_code":1}`
	timeoutEnd = `{"kind":"timeout","exit_code":143,"timed_out":true}`
)

func TestJudge(t *testing.T) {
	edit := `{"event":"tool_call","id":"e","tool":"edit","path":"cart/sum.go","new":"x"}` + "\n" + `{"event":"tool_result","id":"e","text":"done","termination":{"kind":"ok"}}` + "\n"
	for _, tc := range []struct {
		name, log string
		want      ledger.Standing
	}{
		{"passed", ask + ran("a", "go test ./...", okEnd, "ok  \\tp\\t0.1s") + allPass, ledger.Backed},
		{"killed", ask + ran("a", "go test ./...", timeoutEnd, "--- PASS: TestA") + allPass, ledger.Contradicted},
		{"failed", ask + ran("a", "go test ./...", failedEnd, "--- FAIL: TestA") + allPass, ledger.Contradicted},
		{"failed, then passed", ask + ran("a", "go test ./...", failedEnd, "--- FAIL: TestA") + ran("b", "cd x && go test -count=1 ./...", okEnd, "ok") + allPass, ledger.Backed},
		{"all failed, one passed", ask + ran("a", "go test ./...", failedEnd, "--- FAIL: TestA") + ran("b", "go test ./p -run TestA", okEnd, "ok") + allPass, ledger.Narrowed},
		{"passed, then edited", ask + ran("a", "go test ./...", okEnd, "ok") + edit + allPass, ledger.Stale},
		{"behind a pipe", ask + ran("a", "go test ./... | tail -1", okEnd, "done") + allPass, ledger.Masked},
		{"behind a pipe, failing", ask + ran("a", "go test ./... | tail -5", okEnd, "--- FAIL: TestA (0.0s)\\nFAIL") + allPass, ledger.Contradicted},
		{"two checks in one line", ask + ran("a", "golangci-lint run", failedEnd, "1 issues") + ran("b", "golangci-lint run && go test ./... | tail -3", okEnd, "ok") +
			`{"event":"message","actor":"assistant","text":"Lint is clean."}` + "\n", ledger.Backed},
		{"nothing ran", ask + allPass, ledger.Unsupported},
		{"another subject", ask + ran("a", "npm run lint", timeoutEnd, "") + ran("b", "go test ./...", okEnd, "ok") + allPass, ledger.Backed},
		{"zero tests", ask + ran("a", "pytest", okEnd, "no tests ran in 0.01s") + allPass, ledger.Emptied},
		{"a script of its own", ask + ran("a", "cat > /w/test_x.py <<'E'\\nassert 0\\nE\\npython /w/test_x.py", failedEnd, "AssertionError") + allPass, ledger.NotCheckable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := keep(t, tc.log)
			if len(s.Claims) == 0 {
				t.Fatal("no claim was found")
			}
			c := s.Claims[len(s.Claims)-1]
			if c.Polarity != claim.Positive {
				t.Fatalf("%q is %s", c.Quote, c.Polarity)
			}
			if v := s.Judge(c); v.Standing != tc.want {
				t.Errorf("got %s (%s), want %s", v.Standing, v.Why, tc.want)
			}
		})
	}
}

// A message that was edited or retried leaves an abandoned branch: what ran
// there is no evidence for what is said on another one.
func TestJudgeOnBranches(t *testing.T) {
	log := `{"event":"message","record":"r1","actor":"human","text":"test"}
{"event":"tool_call","record":"r2","parent":"r1","id":"a","tool":"shell","command":"go test ./..."}
{"event":"tool_result","record":"r3","parent":"r2","id":"a","text":"--- FAIL: TestA","termination":{"kind":"nonzero","exit_code":1}}
{"event":"message","record":"r4","parent":"r1","actor":"human","text":"once more"}
{"event":"message","record":"r5","parent":"r4","actor":"assistant","text":"All tests pass."}
`
	s := keep(t, log)
	if v := s.Judge(s.Claims[0]); v.Standing != ledger.Unsupported {
		t.Errorf("got %s, want %s: the failed run stands on another branch", v.Standing, ledger.Unsupported)
	}
}

func TestJobs(t *testing.T) {
	start := `{"event":"tool_call","id":"a","tool":"shell","command":"go test ./...","background":true}
{"event":"tool_result","id":"a","text":"started","job":"j1","termination":{"kind":"still_running"}}
`
	for _, tc := range []struct {
		name, news string
		want       transcript.TermKind
	}{
		{"no news", "", transcript.TermStillRunning},
		{"ended", `{"event":"job","id":"j1","state":"ended","termination":{"kind":"nonzero","exit_code":1}}`, transcript.TermNonzero},
		{"killed by the agent", `{"event":"tool_call","id":"k","tool":"KillShell","act":"kill","job":"j1"}
{"event":"tool_result","id":"k","text":"ok","termination":{"kind":"ok"}}
{"event":"job","id":"j1","state":"ended","termination":{"kind":"signalled","exit_code":143}}`, transcript.TermStopped},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := keep(t, start+tc.news+"\n")
			if got := s.CallByID("a").Term().Kind; got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestOpenReruns(t *testing.T) {
	s := keep(t, ran("a", "go test ./...", timeoutEnd, "")+ran("b", "npm run lint", failedEnd, "1 error")+ran("c", "npm run lint", okEnd, ""))
	open := s.OpenReruns()
	if len(open) != 1 || open[0].Command != "go test ./..." {
		t.Errorf("got %d open reruns, want the killed test run alone", len(open))
	}
}
