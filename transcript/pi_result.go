package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func (p *pi) toolResult(m jsonl.Value) {
	call := p.answer(m.Get("toolCallId").Str(), m.Get("toolName").Str())
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(m.Get("toolName").Str(), call.tool), Error: flagAt(m, "isError")}
	if call.act == NoAct {
		call.act = actOf(r.Tool)
	}
	text := textOfBlocks(m.Get("content"))
	details := m.Get("details")
	piEnd(r, call.act, text, details)
	p.give(m, r, text)
	if details.Get("status").Str() == "approval-pending" {
		p.send(Decision, details, func(e *Event) {
			e.Decision = &DecisionInfo{
				Verb: Requested, ID: details.Get("approvalId").Str(), CallID: r.CallID, Subject: details.Get("command").Head(200),
				Expires: parseTime(details.Get("expiresAtMs")),
			}
		})
	}
}

var (
	piEnded   = regexp.MustCompile(`(?:^|\n)\(?Command (?:exited with code (-?\d+)|aborted by signal (\w+)|(aborted)|timed out after ([\d.]+) seconds)\)?\.?\s*$`)
	piRunning = regexp.MustCompile(`Command still running \(session ([\w-]+), pid [^)]+\)`)
	piPolled  = regexp.MustCompile(`(?:^|\n)(?:Process exited with (?:code (-?\d+)|signal (\w+))|(Process still running))\.\s*$`)
)

// piEnd decides how a call ended: typed details first, then the words at the
// end of an error, then the flag.
func piEnd(r *ResultInfo, act Act, text Text, details jsonl.Value) {
	if r.Error != Unset {
		r.Told = append(r.Told, Told{Field: "isError", Value: strconv.FormatBool(r.Error == True), Good: FlagOf(r.Error == False)})
	}
	defer func() {
		if r.Error == False && r.Term.Kind != TermOK {
			r.Told[0].Good = Unset // OpenClaw: the tool went well, which says nothing about the command
		}
	}()
	head := text.Head(headWindow)
	switch {
	case piDetails(r, act, details):
	case notRun(r, head), strings.HasPrefix(head, "Tool execution was blocked") && r.Error == True:
		if r.Term.Kind == TermUnknown {
			r.NotRun = true
			r.byText(Termination{Kind: TermDenied, Source: FromText, Quote: "Tool execution was blocked"})
		}
	case (act == Shell || act == Poll) && piWords(r, act, text):
	case act == Poll:
	case r.Error == True:
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "isError: true"}
	case r.Error == False:
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "isError: false"}
	}
}

// piDetails reads what OpenClaw's exec and process tools keep beside the text.
func piDetails(r *ResultInfo, act Act, d jsonl.Value) bool {
	if act != Shell && act != Poll && act != Kill {
		return false
	}
	r.JobID = Keep(d.Get("sessionId").Str(), 80)
	status := d.Get("status").Str()
	code, hasCode := d.Get("exitCode").Int()
	switch {
	case status == "running":
		r.Partial = true
		r.Term = Termination{Kind: TermStillRunning, Source: FromField, Quote: "status: running"}
	case status == "approval-pending":
		r.NotRun = true
		r.Term = Termination{Kind: TermNotStarted, Source: FromField, Quote: "status: approval-pending"}
	case hasCode:
		r.byCode(int(code), "exitCode")
	default:
		return false
	}
	return true
}

// piWords reads the line that the harness puts at the end of a text. Without
// the error flag only OpenClaw writes one, in brackets.
func piWords(r *ResultInfo, act Act, text Text) bool {
	tail := text.Tail(tailWindow)
	if m := piRunning.FindStringSubmatch(tail); m != nil {
		r.JobID, r.Partial = Keep(m[1], 80), true
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: Keep(m[0], 120)}
		return true
	}
	m := piEnded.FindStringSubmatch(tail)
	if m == nil || r.Error != True && !strings.HasSuffix(strings.TrimSpace(m[0]), ")") {
		if m = piPolled.FindStringSubmatch(tail); m == nil || act != Poll {
			return false
		}
		m = []string{m[0], m[1], m[2], "", "", m[3]}
	}
	quote := Keep(strings.Trim(m[0], "\n ()"), 120)
	switch {
	case m[1] != "":
		code, _ := strconv.Atoi(m[1])
		t := OfCode(code)
		t.Source, t.Quote = FromText, quote
		r.byText(t)
	case m[2] != "":
		r.byText(Termination{Kind: TermSignalled, Signal: Keep(m[2], 20), Source: FromText, Quote: quote})
	case m[3] != "":
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: quote})
	case m[4] != "":
		r.byText(Termination{Source: FromText}.withTimeout(parseSpan(m[4]+"s"), quote))
	default:
		r.Partial = true
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: quote}
	}
	return true
}
