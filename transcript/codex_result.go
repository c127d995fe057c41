package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// codexEnd is what an event told about a call before its output came.
type codexEnd struct {
	term Termination
	told []Told
}

// output reads what the model got back from a call.
func (c *codex) output(p jsonl.Value) {
	id := cmp.Or(p.Get("call_id").Str(), p.Get("id").Str())
	call := c.calls[id]
	delete(c.calls, id)
	r := &ResultInfo{CallID: id, Tool: call.tool}
	out := p.Get("output")
	text := c.outputText(r, out)
	d := codexEndOf(r, call, text)
	switch status := p.Get("status").Str(); {
	case r.Term.Kind != TermUnknown:
	case p.Get("type").Str() == "tool_search_output" && status == "completed":
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "status: completed"}
	case call.act == Read && out.Index(0).Get("type").Str() == "input_image":
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "an image"}
	}
	c.chain(r, call)
	c.merge(r)
	if d != nil && d.Verb == Denied {
		r.NotRun = true
	}
	c.send(ToolResult, p, func(e *Event) { e.Actor, e.Text, e.Result = Tool, text, r })
	if d == nil && actOf(call.tool) == Ask {
		d = c.answered(out)
	}
	if d != nil {
		d.CallID = id
		c.send(Decision, p, func(e *Event) { e.Decision = d })
	}
}

// outputText finds the text of an output, which is a string, a string that
// holds JSON with its metadata, a list of blocks, or an object.
func (c *codex) outputText(r *ResultInfo, out jsonl.Value) Text {
	if ok, known := out.Get("success").Bool(); known {
		r.Error = FlagOf(!ok)
		r.Told = append(r.Told, Told{Field: "success", Value: strconv.FormatBool(ok), Good: FlagOf(ok)})
	}
	if out.Kind() != jsonl.String || !strings.HasPrefix(out.Head(12), `{"`) {
		return textOfBlocks(out)
	}
	in, err := jsonl.ParseString(out.Str(), &c.inner)
	switch {
	case err != nil:
		c.cutMetadata(r, out)
	case in.Get("metadata").Kind() == jsonl.Object && in.Get("output").Kind() == jsonl.String:
		if code, ok := in.At("metadata", "exit_code").Int(); ok {
			r.byCode(int(code), "metadata.exit_code")
		}
		if secs, ok := in.At("metadata", "duration_seconds").Float(); ok {
			r.Duration = time.Duration(secs * float64(time.Second))
		}
		return TextOf(in.Get("output").Str())
	case in.Get("isError").Kind() == jsonl.Bool && in.Get("content").Kind() == jsonl.Array:
		bad, _ := in.Get("isError").Bool()
		r.byFlag(!bad, "isError: "+strconv.FormatBool(bad))
		return TextOf(textOfBlocks(in.Get("content")).String())
	}
	return TextView(out)
}

var codexMetadata = regexp.MustCompile(`"metadata":\{"exit_code":(-?\d+)[^{}]*\}\}$`)

// cutMetadata reads the code at the end of JSON that was cut in the middle.
func (c *codex) cutMetadata(r *ResultInfo, out jsonl.Value) {
	if m := codexMetadata.FindStringSubmatch(out.Tail(tailWindow)); m != nil && strings.HasPrefix(out.Head(12), `{"output":`) {
		if code, err := strconv.Atoi(m[1]); err == nil {
			r.byCode(code, "metadata.exit_code")
		}
	}
}

// byCode takes a typed exit code.
func (r *ResultInfo) byCode(code int, field string) {
	r.Term = OfCode(code)
	r.Term.Source, r.Term.Quote = FromField, field+": "+strconv.Itoa(code)
	r.Told = append(r.Told, Told{Field: field, Value: strconv.Itoa(code), Good: FlagOf(code == 0)})
}

// byFlag takes a typed word on success.
func (r *ResultInfo) byFlag(good bool, quote string) {
	kind := TermNonzero
	if good {
		kind = TermOK
	}
	field, value, _ := strings.Cut(quote, ": ")
	r.Error = FlagOf(!good)
	r.Term = Termination{Kind: kind, Source: FromField, Quote: quote}
	r.Told = append(r.Told, Told{Field: field, Value: value, Good: FlagOf(good)})
}

var (
	codexCut     = regexp.MustCompile(`^(?:Warning: truncated output \(original token count: \d+\)\n)?(?:Total output lines: \d+\n\n)?`)
	codexExited  = regexp.MustCompile(`(?m)^Process exited with code (-?\d+)$`)
	codexRuns    = regexp.MustCompile(`(?m)^Process running with session ID (\d+)$`)
	codexWall    = regexp.MustCompile(`(?m)^Wall time:? ([\d.]+) seconds$`)
	codexAborted = regexp.MustCompile(`^(?:Wall time: [\d.]+ seconds\n)?aborted(?: by user(?: after [\d.]+s)?)?\s*$`)
	codexScript  = regexp.MustCompile(`^Script (completed|failed|running with cell ID (\w+))\n`)
)

// codexHeader is the part of an output in which the harness speaks: up to the
// line "Output:". There is none when the text begins in another way.
func codexHeader(text Text) (header, rest string) {
	head := text.Head(headWindow)
	if strings.HasPrefix(head, "Command: ") {
		head = text.Head(8 << 10)
	}
	head = head[len(codexCut.FindString(head)):]
	for _, p := range []string{"Chunk ID: ", "Command: ", "Wall time", "Exit code: ", "Script "} {
		if strings.HasPrefix(head, p) {
			header, rest, _ = strings.Cut(head, "\nOutput:\n")
			return header + "\n", rest
		}
	}
	return "", head
}

// codexEndOf decides how a call ended by its text, and who decided when it was
// refused.
func codexEndOf(r *ResultInfo, call codexCall, text Text) *DecisionInfo {
	header, rest := codexHeader(text)
	if m := codexWall.FindStringSubmatch(header); m != nil {
		secs, _ := strconv.ParseFloat(m[1], 64)
		r.Duration = time.Duration(secs * float64(time.Second))
	}
	if header == "" {
		return codexPlainEnd(r, call, rest)
	}
	if m := codexScript.FindStringSubmatch(header); m != nil {
		codexScriptEnd(r, call, m[1], m[2])
		return nil
	}
	if m := codexRuns.FindStringSubmatch(header); m != nil {
		r.JobID, r.Partial = m[1], true
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: strings.Clone(m[0])}
		return nil
	}
	t, ok := codexCode(header)
	switch {
	case ok:
		if limit, quote, late := timeoutAt(rest); late && t.Code != 0 {
			t = t.withTimeout(limit, t.Quote+", "+quote)
		}
		r.byText(t)
	case codexAborted.MatchString(header):
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: "aborted by user"})
	}
	return nil
}

func codexCode(header string) (Termination, bool) {
	m := codexExited.FindStringSubmatch(header)
	if m == nil {
		m = exitHead.FindStringSubmatch(header)
	}
	if m == nil {
		return Termination{}, false
	}
	code, err := strconv.Atoi(m[1])
	if err != nil {
		return Termination{}, false
	}
	t := OfCode(code)
	t.Source, t.Quote = FromText, Keep(m[0], 120)
	return t, true
}

// byText takes an end that the text tells.
func (r *ResultInfo) byText(t Termination) {
	r.Term = t
	r.Told = append(r.Told, Told{Field: "output", Value: t.Quote, Good: FlagOf(t.Kind == TermOK)})
}

// codexScriptEnd reads the end of a script in code mode. Commands that ran
// inside it have their own ends, which only the script may print: they stay
// unknown.
func codexScriptEnd(r *ResultInfo, call codexCall, how, cell string) {
	quote := "Script " + how
	switch {
	case cell != "":
		r.JobID, r.Partial = codexCell(cell), true
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: quote}
	case how == "failed":
		r.byText(Termination{Kind: TermNonzero, Source: FromText, Quote: quote})
	case !call.code && call.act != Poll:
		r.byText(Termination{Kind: TermOK, Source: FromText, Quote: quote})
	default:
		r.Term = Termination{Quote: quote}
	}
}

// codexWords are outputs that are the harness's own sentences. by is set where
// they tell of a refusal.
var codexWords = []struct {
	prefix  string
	kind    TermKind
	refused bool
	by      Decider
}{
	{"exec command rejected by user", TermDenied, true, ByUnknown}, // also when nobody could be asked
	{"patch rejected by user", TermDenied, true, ByUnknown},
	{"rejected by user", TermDenied, true, ByUnknown},
	{"user rejected MCP tool call", TermDenied, true, ByUnknown},
	{"approval required by policy, but AskForApproval is set to Never", TermDenied, true, ByPolicy},
	{"approval policy is ", TermDenied, true, ByPolicy},
	{"patch rejected: ", TermDenied, true, ByPolicy},
	{"This action was rejected due to unacceptable risk", TermDenied, true, ByPolicy},
	{"Command blocked by PreToolUse hook", TermDenied, true, ByHook},
	{"unsupported call: ", TermNotStarted, false, ByUnknown},
	{"unsupported custom tool call: ", TermNotStarted, false, ByUnknown},
	{"failed to parse function arguments", TermNotStarted, false, ByUnknown},
	{"exec_command failed", TermNotStarted, false, ByUnknown},
	{"apply_patch verification failed", TermNonzero, false, ByUnknown},
	{"write_stdin failed", TermNonzero, false, ByUnknown},
	{"execution error", TermNonzero, false, ByUnknown},
	{"failed in sandbox", TermNonzero, false, ByUnknown},
	{"tool call error", TermNonzero, false, ByUnknown},
	{"Success. Updated the following files:", TermOK, false, ByUnknown},
	{"Plan updated", TermOK, false, ByUnknown},
}

const codexReviewLate = "The automatic permission approval review did not finish before its deadline."

func codexPlainEnd(r *ResultInfo, call codexCall, head string) *DecisionInfo {
	limit, quote, late := timeoutAt(head)
	switch {
	case late && r.Term.Kind != TermOK:
		r.byText(r.Term.withTimeout(limit, quote))
		return nil
	case r.Term.Kind != TermUnknown:
		return nil // a typed code says it; the words are the program's own
	case codexAborted.MatchString(head):
		r.Interrupted = true
		r.byText(Termination{Kind: TermInterrupted, Source: FromText, Quote: Keep(head, 120)})
		return nil
	case strings.HasPrefix(head, "js execution timed out"):
		r.byText(Termination{Kind: TermTimeout, TimedOut: true, Source: FromText, Quote: Keep(firstLine(head), 120)})
		return nil
	case strings.HasPrefix(head, codexReviewLate):
		r.NotRun = true
		r.Term = Termination{Kind: TermNotStarted, Source: FromText, Quote: Keep(firstLine(head), 120)}
		return &DecisionInfo{Verb: Expired, By: ByDefault, Reason: codexReviewLate}
	case strings.HasPrefix(head, "`") && strings.Contains(firstLine(head), "` rejected: "):
		r.byText(Termination{Kind: TermDenied, Source: FromText, Quote: Keep(firstLine(head), 120)})
		return &DecisionInfo{Verb: Denied, By: ByPolicy, Reason: Keep(firstLine(head), 120)}
	}
	for _, w := range codexWords {
		if !strings.HasPrefix(head, w.prefix) || w.kind == TermOK && call.act == Shell {
			continue
		}
		quote := Keep(firstLine(head), 120)
		r.NotRun = w.kind == TermNotStarted
		r.byText(Termination{Kind: w.kind, Source: FromText, Quote: quote})
		if w.refused {
			return &DecisionInfo{Verb: Denied, By: w.by, Reason: quote}
		}
	}
	return nil
}

// chain follows commands that outlive their call: later calls that type into
// the session, or look at the cell, tell how they go on.
func (c *codex) chain(r *ResultInfo, call codexCall) {
	asks := call.act == Input || call.act == Poll || call.act == Kill
	switch {
	case r.Term.Kind == TermStillRunning && !asks:
		if c.running == nil {
			c.running = map[string]string{}
		}
		c.running[strings.Clone(r.CallID)] = strings.Clone(r.JobID)
	case asks && r.JobID == "" && (r.Term.HasCode || call.act != Input):
		r.JobID = call.job // "write_stdin failed" tells nothing about the session
	}
	if call.act == Input && c.ctrlC[call.job] && (r.Term.Kind == TermNonzero || r.Term.Kind == TermSignalled) && r.Term.HasCode {
		r.Term.Kind = TermStopped
	}
	if k := r.Term.Kind; k == TermTimeout || k == TermInterrupted {
		if c.special == nil {
			c.special = map[string]Termination{}
		}
		c.special[strings.Clone(r.CallID)] = r.Term
	}
}

// merge adds what an event told before the output came.
func (c *codex) merge(r *ResultInfo) {
	end, ok := c.ended[r.CallID]
	if !ok {
		return
	}
	delete(c.ended, r.CallID)
	r.Told = append(r.Told, end.told...)
	if r.Term.Kind == TermUnknown {
		r.Term = end.term
	}
}

// answered reads the answers to a question: an empty list is no answer.
func (c *codex) answered(out jsonl.Value) *DecisionInfo {
	in, err := jsonl.ParseString(out.Str(), &c.inner)
	if err != nil || in.Get("answers").Kind() != jsonl.Object {
		return nil
	}
	for _, a := range in.Get("answers").Members() {
		if a.Get("answers").Len() > 0 {
			return &DecisionInfo{Verb: Answered, By: ByHuman, Subject: "question"}
		}
	}
	return &DecisionInfo{Verb: Expired, By: ByDefault, Subject: "question", Reason: "no answers"}
}
