package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func (g *geminiTalk) called(v jsonl.Value, id, tool string, args jsonl.Value, msg string) {
	call := &CallInfo{ID: id, Tool: tool, Act: actOf(tool), Args: args}
	fillCall(call, args)
	g.makeCall(v, call, func(e *Event) { e.MsgID = msg })
}

// response reads a functionResponse that stands by itself. One that was told
// before is sent a second time by a resumed session.
func (g *geminiTalk) response(f jsonl.Value, status string, at jsonl.Value) {
	g.responseOf(f.Get("id").Str(), f, status, at)
}

func (g *geminiTalk) responseOf(id string, f jsonl.Value, status string, at jsonl.Value) {
	if !at.Exists() {
		at = f
	}
	resp := f.Get("response")
	text := textOfBlocks(firstExisting(resp, "output", "content", "llmContent"))
	if text.Empty() {
		text = textOfBlocks(resp.Get("error"))
	}
	if text.Empty() {
		text = textOfBlocks(at.Get("resultDisplay"))
	}
	if g.given == nil {
		g.given = map[uint64]bool{}
	}
	key := hashOf([]byte(id))
	again := id != "" && g.given[key]
	g.given[key] = true
	call := g.answer(id, f.Get("name").Str())
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, f.Get("name").Str()), Repeats: again}
	if call.act == NoAct {
		call.act = actOf(r.Tool)
	}
	geminiEnd(r, call.act, status, resp.Get("error").Head(headWindow), text)
	g.give(at, r, text)
	if r.Term.Kind == TermDenied && !again {
		g.send(Decision, at, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, By: ByHuman, Reason: Keep(r.Term.Quote, 120)}
			if strings.Contains(r.Term.Quote, "policy") {
				e.Decision.By = ByPolicy
			}
		})
	}
}

var (
	geminiFoot   = regexp.MustCompile(`(?:^|\n)(?:Exit Code: (-?\d+|\(none\))\n?)?(?:Signal: ([^\n]*)\n?)?(?:Background PIDs: [^\n]*\n?)?(?:Process Group PGID: [^\n]*\n?)?(?:</[\w-]+>\s*)*$`)
	geminiLate   = regexp.MustCompile(`^Command was automatically cancelled because it exceeded the timeout of ([\d.]+) minutes`)
	geminiBehind = regexp.MustCompile(`^(?:Command moved to background \(PID: (\d+)\)|Background shell started[^\n]{0,80}?\b(bg_\w+))`)
	geminiShown  = regexp.MustCompile(`(?:^|\n)Command (?:exited with code: (-?\d+)|terminated by signal: (\w+))\s*$`)
	geminiHead   = regexp.MustCompile(`^(?:<[\w-]+>\s*)?(?:Command: |Output: )`)
)

// geminiEnd decides how a call ended. failed holds the words of an error that
// the tool returned.
func geminiEnd(r *ResultInfo, act Act, status, failed string, text Text) {
	head := text.Head(headWindow)
	switch status {
	case "error", "cancelled":
		r.Error = True
		r.Told = append(r.Told, Told{Field: "status", Value: Keep(status, 20), Good: False})
	case "success":
		r.Error = False
		r.Told = append(r.Told, Told{Field: "status", Value: "success", Good: FlagOf(true)})
		if act == Shell {
			r.Told[0].Good = Unset // it covers every exit code
		}
	}
	switch {
	case geminiRefused(r, cmp.Or(failed, head), status):
	case (act == Shell || act == Poll) && geminiShell(r, head, text, status):
	case failed != "" || status == "error":
		r.Error = True
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "error: " + Keep(firstLine(cmp.Or(failed, head)), 100)}
	case status == "success" && act != Shell:
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "status: success"}
	}
}

// geminiRefused recognises calls that were denied or cancelled.
func geminiRefused(r *ResultInfo, words, status string) bool {
	line := firstLine(words)
	var kind TermKind
	switch {
	case strings.HasPrefix(line, "[Operation Cancelled] Reason: User denied execution"), strings.Contains(line, "User did not allow tool call"),
		strings.HasPrefix(line, "Tool execution denied by policy"), strings.Contains(line, "denied by policy"),
		strings.HasPrefix(line, "User cancelled the plan approval dialog"):
		kind, r.NotRun = TermDenied, true
	case strings.HasPrefix(line, "Command was cancelled by user before it could start"):
		kind, r.NotRun = TermNotStarted, true
	case strings.HasPrefix(line, "[Operation Cancelled]"), strings.HasPrefix(line, "Command was cancelled by user"), status == "cancelled":
		kind, r.Interrupted = TermInterrupted, true
	default:
		return false
	}
	r.Term = Termination{Kind: kind, Source: FromText, Quote: Keep(cmp.Or(line, "status: cancelled"), 120)}
	if line == "" {
		r.Term.Source = FromField
	}
	return true
}

// geminiShell reads what the shell tool writes around an output.
func geminiShell(r *ResultInfo, head string, text Text, status string) bool {
	if m := geminiLate.FindStringSubmatch(head); m != nil {
		mins, _ := strconv.ParseFloat(m[1], 64)
		r.byText(Termination{Source: FromText}.withTimeout(time.Duration(mins*float64(time.Minute)), m[0]))
		return true
	}
	if limit, quote, ok := timeoutAt(head); ok {
		r.byText(Termination{Source: FromText}.withTimeout(limit, quote))
		return true
	}
	if strings.HasPrefix(head, "Command timed out.") {
		r.byText(Termination{Source: FromText}.withTimeout(0, "Command timed out."))
		return true
	}
	if m := geminiBehind.FindStringSubmatch(head); m != nil {
		r.JobID = Keep(cmp.Or(m[1], m[2]), 40)
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: Keep(m[0], 120)}
		return true
	}
	tail := strings.TrimRight(text.Tail(tailWindow), "\n ")
	if m := geminiShown.FindStringSubmatch(tail); m != nil && !geminiHead.MatchString(head) {
		return geminiCode(r, m[1], m[2])
	}
	m := geminiFoot.FindStringSubmatch(tail)
	if m != nil && geminiCode(r, m[1], m[2]) {
		return true
	}
	// The newer form writes neither for exit code 0.
	if status == "success" && geminiHead.MatchString(head) {
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no Exit Code line"}
		return true
	}
	return false
}

// geminiCode takes the exit code and the signal that the last lines name.
func geminiCode(r *ResultInfo, code, signal string) bool {
	signal = strings.TrimSpace(signal)
	if signal != "" && signal != "0" && signal != "(none)" {
		t := Termination{Kind: TermSignalled, Source: FromText, Quote: "Signal: " + Keep(signal, 20)}
		if n, err := strconv.Atoi(signal); err == nil {
			t.Signal = signalName(n)
		} else {
			t.Signal = Keep(signal, 20)
		}
		r.byText(t)
		return true
	}
	n, err := strconv.Atoi(code)
	if err != nil {
		return false
	}
	t := OfCode(n)
	t.Source, t.Quote = FromText, "Exit Code: "+strconv.Itoa(n)
	r.byText(t)
	return true
}
