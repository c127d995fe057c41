package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// observation reads what came back from an action, in version 0.
func (h *hands) observation(v jsonl.Value) {
	switch name := v.Get("observation").Str(); name {
	case "agent_state_changed":
		h.state(v, v.At("extras", "agent_state").Str())
		return
	case "recall", "null", "success", "download", "loop_detection", "condense", "message":
		h.send(Other, v, nil)
		return
	}
	cause := idText(v.Get("cause"))
	if cause == "" {
		h.say(v.Get("content"), Harness, Notice, TextView(v.Get("content")))
		return
	}
	call := h.answer(h.ids+cause, "")
	r := &ResultInfo{CallID: call.id, Tool: cmp.Or(call.tool, v.At("tool_call_metadata", "function_name").Str()), Error: Unset}
	text := textOfBlocks(v.Get("content"))
	switch name := v.Get("observation").Str(); name {
	case "run":
		h.runEnd(r, v.Get("extras"), text)
		if ok, has := v.Get("success").Bool(); has && r.Term.HasCode {
			r.Told = append(r.Told, Told{Field: "success", Value: strconv.FormatBool(ok), Good: FlagOf(ok)})
		}
	case "error":
		r.Error = True
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "observation: error"}
	case "user_rejected":
		h.rejected(r, "user")
	case "mcp":
		mcpEnd(r, text)
	case "run_ipython":
	default:
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error observation"}
	}
	h.give(v, r, text)
	h.refusal(v, r, text, ByHuman)
}

// rejected marks a call that was not allowed to run.
func (h *hands) rejected(r *ResultInfo, by string) {
	r.NotRun = true
	r.Term = Termination{Kind: TermDenied, Source: FromField, Quote: "rejected by " + by}
}

func (h *hands) refusal(v jsonl.Value, r *ResultInfo, text Text, by Decider) {
	if r.Term.Kind == TermDenied {
		h.send(Decision, v, func(e *Event) {
			e.Decision = &DecisionInfo{Verb: Denied, CallID: r.CallID, By: by, Reason: Keep(firstLine(text.Head(120)), 120)}
		})
	}
}

// mcpEnd reads a result of the MCP, which is stored as JSON in the content.
func mcpEnd(r *ResultInfo, text Text) {
	var doc jsonl.Doc
	if text.Size() > 1<<20 {
		return
	}
	if v, err := jsonl.ParseString(text.String(), &doc); err == nil {
		if failed, ok := v.Get("isError").Bool(); ok {
			r.byFlag(!failed, "isError: "+strconv.FormatBool(failed))
		}
	}
}

// handsSuffixes are what the terminal writes behind an output: the only place
// that tells a limit from a code that is not known.
var (
	handsDone  = regexp.MustCompile(`^\s*\[The command completed with exit code (-?\d+)\.( CTRL\+C was sent\.)?\]`)
	handsRuns  = regexp.MustCompile(`^\s*\[The command has no new output after ([\d.]+) seconds\.`)
	handsLate  = regexp.MustCompile(`^\s*\[The command timed out after ([\d.]+) seconds\.`)
	handsNot   = regexp.MustCompile(`^\s*\[Your command "[\s\S]*" is NOT executed\.`)
	handsBlind = regexp.MustCompile(`^\s*\[The command completed but the exit code could not be determined`)
)

// runEnd decides how a command ended: o holds metadata, or in old logs the
// exit code itself.
func (h *hands) runEnd(r *ResultInfo, o jsonl.Value, text Text) {
	meta := o.Get("metadata")
	code, hasCode := firstExisting(meta, "exit_code").Int()
	if !hasCode {
		code, hasCode = o.Get("exit_code").Int()
	}
	suffix := meta.Get("suffix").Head(headWindow)
	if suffix == "" {
		suffix = lastNote(text.Tail(tailWindow + headWindow))
	}
	if hasCode && code >= 0 {
		r.byCode(int(code), "exit_code")
	}
	h.bySuffix(r, suffix)
	if late, ok := o.Get("timeout").Bool(); ok && (late || r.Term.Kind == TermTimeout) {
		r.Told = append(r.Told, Told{Field: "timeout", Value: strconv.FormatBool(late), Good: FlagOf(!late)})
		if late {
			r.Term = r.Term.withTimeout(r.Term.Limit, cmp.Or(r.Term.Quote, "timeout: true"))
		}
	}
	if r.Term.Kind == TermUnknown && hasCode {
		r.Term.Quote = "exit_code: " + strconv.FormatInt(code, 10) // not known, or still running
	}
	h.follow(r)
}

// lastNote is the note of the terminal in the text, where an export joined
// them.
func lastNote(tail string) string {
	for _, begin := range []string{"\n[The command ", "\n[Your command "} {
		if i := strings.LastIndex(tail, begin); i >= 0 {
			return tail[i:]
		}
	}
	return ""
}

func (h *hands) bySuffix(r *ResultInfo, suffix string) {
	quote := func(m []string) string { return Keep(strings.Trim(m[0], "\n []."), 120) }
	switch {
	case handsDone.MatchString(suffix):
		m := handsDone.FindStringSubmatch(suffix)
		code, _ := strconv.Atoi(m[1])
		t := OfCode(code)
		switch {
		case code < 0:
			t = Termination{}
		case m[2] != "": // the agent itself sent it
			t.Kind = TermStopped
		}
		t.Source, t.Quote = FromText, quote(m)
		if r.Term.HasCode && r.Term.Code == code && m[2] == "" {
			t.Source = FromField
		}
		if code >= 0 {
			r.Told = append(r.Told, Told{Field: "suffix", Value: t.Quote, Good: FlagOf(code == 0)})
		}
		r.Term = t
	case handsRuns.MatchString(suffix):
		m := handsRuns.FindStringSubmatch(suffix)
		r.Partial = true
		r.Term = Termination{Kind: TermStillRunning, Limit: parseSpan(m[1] + "s"), Source: FromText, Quote: quote(m)}
	case handsLate.MatchString(suffix):
		m := handsLate.FindStringSubmatch(suffix)
		r.Term = r.Term.withTimeout(parseSpan(m[1]+"s"), quote(m))
		r.Told = append(r.Told, Told{Field: "suffix", Value: r.Term.Quote, Good: False})
	case handsNot.MatchString(suffix):
		r.NotRun = true
		r.Term = Termination{Kind: TermNotStarted, Source: FromText, Quote: "is NOT executed"}
	case handsBlind.MatchString(suffix):
		r.Term = Termination{Source: FromText, Quote: "the exit code could not be determined"}
	}
}

// follow keeps the command that still runs in the terminal: inputs and polls
// are about it, and the next end is its own.
func (h *hands) follow(r *ResultInfo) {
	switch r.Term.Kind {
	case TermStillRunning, TermTimeout: // the limit only ends the wait, not the command
		if h.running == "" {
			h.running = strings.Clone(r.CallID)
		} else {
			r.Term.Kind, r.Partial = TermStillRunning, true
		}
		r.JobID = h.running
	case TermNotStarted:
	default:
		r.JobID, h.running = h.running, ""
	}
}

// state is a change of the agent's state: the end of a turn, or a wait for the
// human.
func (h *hands) state(v jsonl.Value, state string) {
	turn := func(reason string, bad bool) {
		h.send(TurnEnd, v, func(e *Event) { e.Turn = &TurnInfo{Reason: reason, Bad: bad} })
	}
	decide := func(verb DecisionVerb, by Decider) {
		h.send(Decision, v, func(e *Event) { e.Decision = &DecisionInfo{Verb: verb, By: by, CallID: h.waiting()} })
	}
	switch state {
	case "finished":
		turn("completed", false)
	case "awaiting_user_input":
		turn("awaiting_user_input", false)
	case "error", "stuck", "rejected":
		turn(state, true)
	case "stopped", "paused":
		turn("interrupted", true)
	case "awaiting_user_confirmation", "waiting_for_confirmation":
		decide(Requested, ByUnknown)
	case "user_confirmed":
		decide(Approved, ByHuman)
	case "user_rejected":
		decide(Denied, ByHuman)
	default:
		h.send(Status, v, func(e *Event) { e.Status = &StatusInfo{Name: Keep(state, 40)} })
	}
}

// waiting is the call that a change of state is about.
func (h *hands) waiting() string {
	if len(h.open) == 0 {
		return ""
	}
	return h.open[len(h.open)-1].id
}

// parseSeconds reads a limit given in seconds.
func parseSeconds(v jsonl.Value) time.Duration {
	secs, ok := v.Float()
	if !ok || secs <= 0 || secs > 1e7 {
		return 0
	}
	return time.Duration(secs * float64(time.Second))
}
