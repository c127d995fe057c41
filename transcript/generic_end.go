package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Logs in a provider's message format do not say which harness wrote them,
// and none of them has a field for how a command ended: only the harness's own
// words tell, at the place where each harness puts them.
//
//	at the beginning                               at the end
//	Exit code N (Claude)                           [The command completed with exit code N.] (OpenHands)
//	Exit code: N / Wall time (Codex)               [Command finished with exit code N]
//	Process exited with code N                     Command exited with code N (Pi)
//	<returncode>N</returncode> (mini-swe)          Command failed with exit code: N. (Kimi)
//	Command executed in terminal ... Exit code: N  EXECUTION TIMED OUT (SWE-agent)
//	Command timed out after ...                    Command timed out after ...
//	{"output":...,"metadata":{"exit_code":N}}
var (
	headCode = regexp.MustCompile(`^(?:<returncode>(-?\d+)</returncode>|Command executed in terminal [^\n]{0,300}\. Exit code: (-?\d+)\n|` +
		`Process exited with code (-?\d+)(?:\n|$))`)
	tailCode = regexp.MustCompile(`(?:^|\n)(?:\[The command completed with exit code (-?\d+)\.(?: CTRL\+C was sent\.)?\]|` +
		`\[Command finished with exit code (-?\d+)\]|\[?Command exited with code (-?\d+)\]?|Command failed with exit code: (-?\d+)\.)\s*$`)
	handsNote = regexp.MustCompile(`(?:^|\n)\[(?:Current working directory|Python interpreter|Command finished with exit code): ?[^\n]*\]\s*$`)
	tailLate  = regexp.MustCompile(`(?:^|\n)(?:Command timed out after ([\d.]+) ?(ms|milliseconds|seconds|s)\.?|EXECUTION TIMED OUT[^\n]*|` +
		`\[The command timed out after ([\d.]+) seconds\.[^\n]*\]|[^\n]* was cancelled because it took more than (\d+) seconds[^\n]*)\s*$`)
	tailRuns = regexp.MustCompile(`(?:^|\n)\[The command has no new output after ([\d.]+) seconds\.[^\n]*\]\s*$`)
	tailHalt = regexp.MustCompile(`(?:^|\n)(?:Command aborted|Command was aborted before completion)\s*$`)
)

// notRunWords are the sentences with which harnesses say that a call did not
// run at all.
var notRunWords = []struct {
	prefix, also string
	kind         TermKind
}{
	{"The user denied this operation", "", TermDenied},
	{`{"status":"denied"`, "", TermDenied},
	{"User denied permission", "", TermDenied},
	{"User rejected the tool call", "", TermDenied},
	{"Action rejected: ", "", TermDenied},
	{"permission request denied", "", TermDenied},
	{"exec command rejected by user", "", TermDenied},
	{"Commands not executed. The user rejected", "", TermDenied},
	{"Skipped due to queued user message", "", TermNotStarted},
	{"Tool [", "was not executed because", TermNotStarted},
	{"Your bash command contained syntax errors and was NOT executed", "", TermNotStarted},
	{"[Your command ", "is NOT executed", TermNotStarted},
	{"action was not executed", "", TermNotStarted},
	{"Tool invocation was not started because", "", TermNotStarted},
}

// genericEnd decides how a call ended in a log that names no harness: by the
// words of the harnesses that are known, else by the error flag, else not at
// all.
func genericEnd(r *ResultInfo, act Act, text Text) {
	head := text.Head(headWindow)
	if r.Error != Unset {
		r.Told = append(r.Told, Told{Field: "is_error", Value: strconv.FormatBool(r.Error == True), Good: FlagOf(r.Error == False)})
	}
	switch {
	case claudeRefusal(r, head), brokenOff(head) && geminiRefused(r, head, ""), notRun(r, head):
	case mayRun(act) && (startedInBackground(r, head) || typedOutput(r, act, text) || wordedEnd(r, text, head)):
	case r.Error == True:
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "is_error: true"}
	case r.Error == False && !mayRun(act):
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "is_error: false"}
	}
}

// brokenOff recognises the beginnings with which Gemini CLI tells of a refusal.
func brokenOff(head string) bool {
	return strings.HasPrefix(head, "[Operation Cancelled]") || strings.HasPrefix(head, "Command was cancelled by user")
}

// mayRun reports whether a process may stand behind an act.
func mayRun(a Act) bool {
	return a == Shell || a == NoAct || a == Poll || a == Input || a == External
}

func notRun(r *ResultInfo, head string) bool {
	line := firstLine(head)
	for _, w := range notRunWords {
		if !strings.HasPrefix(line, w.prefix) || !strings.Contains(line, w.also) {
			continue
		}
		r.NotRun = true
		r.byText(Termination{Kind: w.kind, Source: FromText, Quote: Keep(line, 120)})
		return true
	}
	return false
}

func startedInBackground(r *ResultInfo, head string) bool {
	return claudeBackground(r, head, jsonl.Value{})
}

// wordedEnd reads the words at the beginning of an output, then those at its
// end.
func wordedEnd(r *ResultInfo, text Text, head string) bool {
	if header, _ := codexHeader(text); header != "" && (strings.Contains(header, "Wall time") || strings.Contains(header, "Chunk ID")) {
		codexEndOf(r, codexCall{act: Shell}, text)
		return r.Term.Kind != TermUnknown
	}
	if t, rest, ok := exitHeader(head); ok && (t.TimedOut || rest == "" || strings.HasPrefix(head[len(t.Quote):], "\n")) {
		r.byText(t)
		return true
	}
	if m := headCode.FindStringSubmatch(head); m != nil {
		return r.byDigits(m)
	}
	if strings.HasPrefix(head, "Output: ") || strings.HasPrefix(head, "Command: ") {
		return geminiOutput(r, head, text)
	}
	if strings.HasPrefix(head, "<exception>") {
		return miniException(r, text.Tail(tailWindow+headWindow))
	}
	return tailEnd(r, text)
}

func tailEnd(r *ResultInfo, text Text) bool {
	tail := strings.TrimRight(text.Tail(tailWindow+headWindow), "\n ")
	for i := 0; i < 3; i++ { // the notes of OpenHands stand behind the end
		if m := tailCode.FindStringSubmatch(tail); m != nil {
			return r.byDigits(m)
		}
		cut := handsNote.FindStringIndex(tail)
		if cut == nil {
			break
		}
		tail = tail[:cut[0]]
	}
	if m := tailLate.FindStringSubmatch(tail); m != nil {
		unit := "s"
		if strings.HasPrefix(m[2], "m") {
			unit = "ms"
		}
		limit := parseSpan(cmp.Or(m[1], m[3], m[4]) + unit)
		r.byText(Termination{Source: FromText}.withTimeout(limit, strings.TrimSpace(m[0])))
		return true
	}
	if m := tailRuns.FindStringSubmatch(tail); m != nil {
		r.Partial = true
		r.Term = Termination{Kind: TermStillRunning, Limit: parseSpan(m[1] + "s"), Source: FromText, Quote: Keep(strings.TrimSpace(m[0]), 120)}
		return true
	}
	if tailHalt.MatchString(tail) {
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: "Command aborted"})
		return true
	}
	return false
}

// geminiOutput reads the lines that Gemini CLI and Qwen Code write around an
// output. Where they end with the process group, an absent code means success.
func geminiOutput(r *ResultInfo, head string, text Text) bool {
	status := ""
	if strings.Contains(text.Tail(tailWindow), "\nProcess Group PGID: ") {
		status = "success"
	}
	return geminiShell(r, head, text, status)
}

// byDigits takes the exit code that a pattern found in one of its groups.
func (r *ResultInfo) byDigits(m []string) bool {
	code, err := strconv.Atoi(cmp.Or(m[1:]...))
	if err != nil {
		return false
	}
	t := OfCode(code)
	if code == -1 { // OpenHands: still running, or never known
		t = Termination{}
	}
	t.Source, t.Quote = FromText, Keep(strings.TrimSpace(firstLine(strings.TrimLeft(m[0], "\n"))), 120)
	r.byText(t)
	return true
}

// typedOutput reads an output that is JSON with an exit code in it. A command
// may print such JSON too, so the code needs an output beside it.
func typedOutput(r *ResultInfo, act Act, text Text) bool {
	if text.Size() > 1<<20 || !strings.HasPrefix(strings.TrimLeft(text.Head(8), " \n"), "{") {
		return false
	}
	var doc jsonl.Doc
	v, err := jsonl.ParseString(text.String(), &doc)
	if err != nil || v.Kind() != jsonl.Object {
		return false
	}
	output, has := outputShape(v)
	if !output || !has && act != Shell {
		return false
	}
	codeFields(r, v)
	codeFields(r, v.Get("metadata"))
	return r.Term.Kind != TermUnknown
}

func outputShape(v jsonl.Value) (output, code bool) {
	for key := range v.Members() {
		switch key {
		case "stdout", "stderr", "output", "output_head", "combined_output":
			output = true
		case "exit_code", "exitCode", "returncode", "return_code", "timed_out", "timedOut", "metadata":
			code = true
		}
	}
	return output, code
}

// codeFields takes the typed facts about an end that an object holds.
func codeFields(r *ResultInfo, v jsonl.Value) {
	late := false
	for key, f := range v.Members() {
		switch key {
		case "exit_code", "exitCode", "returncode", "return_code":
			if code, ok := f.Int(); ok && code != -1 {
				r.byCode(int(code), Keep(key, 40))
			}
		case "timed_out", "timedOut", "timeout":
			if b, ok := f.Bool(); ok && b {
				late = true
				r.Told = append(r.Told, Told{Field: Keep(key, 40), Value: "true", Good: False})
			}
		case "exception_info":
			if f.RawLen() > 0 {
				miniException(r, f.Tail(tailWindow))
			}
		case "success":
			if b, ok := f.Bool(); ok {
				r.Told = append(r.Told, Told{Field: "success", Value: strconv.FormatBool(b), Good: FlagOf(b)})
			}
		}
	}
	if late {
		r.Term = r.Term.withTimeout(r.Term.Limit, "timed_out: true")
	}
}

var miniLate = regexp.MustCompile(`timed out after (\d+(?:\.\d+)?) seconds`)

// miniException reads what mini-swe-agent writes when a command could not be
// run to its end: a limit, an exception, or a command that never ran.
func miniException(r *ResultInfo, words string) bool {
	switch m := miniLate.FindStringSubmatch(words); {
	case m != nil:
		r.byText(Termination{Source: FromText}.withTimeout(parseSpan(m[1]+"s"), m[0]))
	case strings.Contains(words, "action was not executed"):
		r.NotRun = true
		r.byText(Termination{Kind: TermNotStarted, Source: FromText, Quote: "action was not executed"})
	case strings.Contains(words, "Interrupted by user"), strings.Contains(words, "KeyboardInterrupt"):
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: "Interrupted by user"})
	default:
		r.byText(Termination{Kind: TermNonzero, Source: FromText, Quote: Keep(firstLine(words), 120)})
	}
	return true
}
