package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func (c *copilot) tool(name string, d jsonl.Value) {
	switch name {
	case "execution_start":
		c.call(d, d.Get("toolName").Str(), d.Get("arguments"), "")
	case "execution_complete":
		c.result(d)
	case "user_requested":
		c.send(ToolCall, d, func(e *Event) {
			e.Actor = Human
			e.Call = &CallInfo{ID: d.Get("toolCallId").Str(), Tool: d.Get("toolName").Str(), Act: actOf(d.Get("toolName").Str()), Args: d.Get("arguments")}
			fillCall(e.Call, e.Call.Args)
		})
	case "execution_partial_result", "execution_progress":
		c.send(Status, d, func(e *Event) { e.Status = &StatusInfo{Name: "progress"} })
	default:
		c.send(Other, d, nil)
	}
}

func (c *copilot) result(d jsonl.Value) {
	id := d.Get("toolCallId").Str()
	call := c.calls[id]
	delete(c.calls, id)
	r := &ResultInfo{CallID: id, Tool: cmp.Or(call.tool, d.Get("toolName").Str())}
	text := textOfBlocks(d.At("result", "content"))
	if text.Empty() {
		text = textOfBlocks(d.Get("result"))
	}
	failure := d.At("error", "message")
	if text.Empty() {
		text = TextView(failure)
	}
	copilotEnd(r, call, d, text)
	if full := d.At("result", "detailedContent"); full.RawLen() > text.Size() {
		r.Full, r.FullKnown = TextView(full), true
	}
	c.send(ToolResult, d, func(e *Event) { e.Actor, e.Text, e.Result = Tool, text, r })
}

var (
	copilotExit    = regexp.MustCompile(`<(?:shellId: (\S+) completed|exited) with exit code (-?\d+)>\s*$`)
	copilotRuns    = regexp.MustCompile(`<command with (?:shellId|sessionId|id): (\S+) is still running after ([\d.]+) seconds?\.[^<>]*>\s*$`)
	copilotStarted = regexp.MustCompile(`<command started in (?:detached )?background with (?:shellId|sessionId|id): ([^\s>]+?)[.>]`)
	copilotStopped = regexp.MustCompile(`<command with (?:shellId|sessionId|id): (\S+) stopped>\s*$`)
)

// copilotEnd decides how a call ended: typed codes first, then the trailer
// that the shell tools write.
func copilotEnd(r *ResultInfo, call copilotCall, d jsonl.Value, text Text) {
	runs := call.act == Shell || call.act == Poll || call.act == Input || call.act == Kill
	ok, known := d.Get("success").Bool()
	if known {
		r.Error = FlagOf(!ok)
		r.Told = append(r.Told, Told{Field: "success", Value: strconv.FormatBool(ok), Good: FlagOf(ok)})
	}
	if known && ok && runs {
		// Of a shell it says that the tool worked, whatever the command's exit
		// code: it stands beside every non-zero one.
		r.Error, r.Told[len(r.Told)-1].Good = Unset, Unset
	}
	tail := text.Tail(headWindow)
	if runs && copilotJob(r, call, tail) {
		return
	}
	copilotCodes(r, d)
	if m := copilotExit.FindStringSubmatch(tail); runs && m != nil {
		if call.act != Shell {
			r.JobID = cmp.Or(m[1], call.job)
		}
		code, err := strconv.Atoi(m[2])
		switch {
		case err != nil:
		case r.Term.Kind == TermUnknown:
			r.Term = OfCode(code)
			r.Term.Source, r.Term.Quote = FromText, Keep(strings.TrimSpace(m[0]), 120)
			r.Told = append(r.Told, Told{Field: "result", Value: r.Term.Quote, Good: FlagOf(code == 0)})
		case r.Term.Code != code:
			r.Told = append(r.Told, Told{Field: "result", Value: Keep(strings.TrimSpace(m[0]), 120), Good: FlagOf(code == 0)})
		}
	}
	switch {
	case r.Term.Kind != TermUnknown, !known:
	case !ok:
		copilotFailure(r, d)
	case !runs:
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "success: true"}
	}
}

// copilotCodes reads every place that may hold a typed exit code. They are one
// fact as long as they agree.
func copilotCodes(r *ResultInfo, d jsonl.Value) {
	take := func(v jsonl.Value, field string) {
		code, ok := v.Int()
		if !ok || r.Term.HasCode && r.Term.Code == int(code) {
			return
		}
		first := r.Term
		r.byCode(int(code), field)
		if first.Kind != TermUnknown {
			r.Term = first
		}
	}
	take(d.At("shellExecution", "exitCode"), "shellExecution.exitCode")
	for _, b := range d.At("result", "contents").Elems() {
		if b.Get("type").Str() == "shell_exit" {
			take(b.Get("exitCode"), "shell_exit.exitCode")
		}
	}
	take(d.At("toolTelemetry", "metrics", "exit_code"), "toolTelemetry.metrics.exit_code")
}

// copilotJob recognises commands that go on, and shells that were stopped.
func copilotJob(r *ResultInfo, call copilotCall, tail string) bool {
	if m := copilotRuns.FindStringSubmatch(tail); m != nil {
		secs, _ := strconv.ParseFloat(m[2], 64)
		r.JobID, r.Partial = m[1], true
		r.Term = Termination{Kind: TermStillRunning, Limit: time.Duration(secs * float64(time.Second)), Source: FromText, Quote: Keep(m[0], 120)}
		return true
	}
	if m := copilotStarted.FindStringSubmatch(tail); m != nil {
		r.JobID = m[1]
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: Keep(m[0], 120)}
		return true
	}
	if m := copilotStopped.FindStringSubmatch(tail); m != nil && call.act == Kill {
		r.JobID = m[1]
		r.Term = Termination{Kind: TermOK, Source: FromText, Quote: Keep(strings.TrimSpace(m[0]), 120)}
		return true
	}
	return false
}

// copilotFailure names a failure by its code: a refusal never ran.
func copilotFailure(r *ResultInfo, d jsonl.Value) {
	code := d.At("error", "code").Str()
	kind := TermNonzero
	switch code {
	case "denied", "rejected", "permission_denied":
		kind, r.NotRun = TermDenied, true
	case "timeout":
		kind = TermTimeout
	case "cancelled", "canceled", "aborted", "interrupted":
		kind = TermInterrupted
	}
	quote := "success: false"
	if code != "" {
		quote += ", error.code: " + Keep(code, 40)
	}
	r.Term = Termination{Kind: kind, TimedOut: kind == TermTimeout, Source: FromField, Quote: quote}
}

// decision reads the steps of an approval, or of a question.
func (c *copilot) decision(typ string, d jsonl.Value) {
	family, step, _ := strings.Cut(typ, ".")
	id := d.Get("requestId").Str()
	call := cmp.Or(d.Get("toolCallId").Str(), d.At("permissionRequest", "toolCallId").Str(), c.asked[id])
	info := &DecisionInfo{ID: id, CallID: call, Subject: copilotSubject(family, d)}
	switch step {
	case "requested":
		info.Verb = Requested
		if c.asked == nil {
			c.asked = map[string]string{}
		}
		c.asked[strings.Clone(id)] = strings.Clone(call)
	case "completed":
		delete(c.asked, id)
		switch family {
		case "permission":
			copilotVerdict(info, d.Get("result"))
		default:
			copilotAnswer(info, d)
		}
	case "carriedForward":
		info.Verb, info.By, info.Reason = Approved, ByPolicy, "carried forward"
	}
	if info.Verb == NoDecision {
		c.send(Other, d, nil)
		return
	}
	c.send(Decision, d, func(e *Event) { e.Decision = info })
}

func copilotSubject(family string, d jsonl.Value) string {
	switch family {
	case "permission":
		return d.At("permissionRequest", "kind").Str()
	case "exit_plan_mode":
		return "plan"
	}
	return "question"
}

// copilotVerdict reads who decided what from the kind of the result.
func copilotVerdict(info *DecisionInfo, result jsonl.Value) {
	kind := result.Get("kind").Str()
	info.Reason = cmp.Or(result.Get("reason").Head(120), kind)
	switch {
	case kind == "approved", kind == "approved-for-session", kind == "approved-for-location":
		info.Verb = Approved // by whom is not said: a person, or a flag
		switch result.Get("decisionSource").Str() {
		case "user", "human", "interactive":
			info.By = ByHuman
		case "rule", "policy", "config", "auto":
			info.By = ByPolicy
		}
	case kind == "cancelled":
		info.Verb = Withdrawn
	case kind == "denied-interactively-by-user":
		info.Verb, info.By = Denied, ByHuman
	case kind == "denied-by-permission-request-hook":
		info.Verb, info.By = Denied, ByHook
	case strings.HasPrefix(kind, "denied-"):
		info.Verb, info.By = Denied, ByPolicy
	}
}

// copilotAnswer reads the end of a question: one without an answer had none.
func copilotAnswer(info *DecisionInfo, d jsonl.Value) {
	approved, known := d.Get("approved").Bool()
	action := d.Get("action").Str()
	switch {
	case known && approved:
		info.Verb, info.By = Approved, ByHuman
	case known:
		info.Verb, info.By = Denied, ByHuman
	case action == "decline":
		info.Verb, info.By = Denied, ByHuman
	case action == "cancel":
		info.Verb = Withdrawn
	case d.Get("answer").RawLen() > 0, action == "accept":
		info.Verb, info.By = Answered, ByHuman
	default:
		info.Verb, info.Reason = Expired, "no answer"
	}
}

// system reads the harness's own words: the system prompt, and news of jobs.
func (c *copilot) system(name string, d jsonl.Value) {
	text := d.Get("content")
	kind := d.Get("kind")
	switch {
	case name == "message":
		c.send(Message, text, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Prompt, TextView(text) })
	case name != "notification":
		c.send(Other, d, nil)
	case strings.HasPrefix(kind.Get("type").Str(), "shell_") && kind.Get("shellId").Exists():
		job := &JobInfo{ID: idText(kind.Get("shellId")), State: JobEnded, Summary: text.Head(240)}
		if code, ok := kind.Get("exitCode").Int(); ok {
			job.Term = OfCode(int(code))
			job.Term.Source, job.Term.Quote = FromField, "exitCode: "+strconv.FormatInt(code, 10)
		}
		c.send(Job, d, func(e *Event) { e.Actor, e.Job = Harness, job })
	default:
		c.send(Message, text, func(e *Event) { e.Actor, e.Role, e.Text = Harness, Notice, TextView(text) })
	}
}
