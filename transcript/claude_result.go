package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// toolResult reads one tool_result block and its structured mirror.
func (c *claude) toolResult(h claudeHead, b jsonl.Value) {
	id := b.Get("tool_use_id").Str()
	tool := c.tools[id]
	delete(c.tools, id)
	text := textOfBlocks(b.Get("content"))
	r := &ResultInfo{CallID: id, Tool: tool, Error: flagAt(b, "is_error")}
	claudeEnd(r, actOf(tool), text, h.mirror)
	c.send(ToolResult, b, func(e *Event) {
		e.Actor, e.Text, e.Result = Tool, text, r
		if stdout := h.mirror.Get("stdout"); stdout.RawLen() > text.Size() {
			r.Full, r.FullKnown = TextView(stdout), true
		}
	})
	c.answered(r, h.mirror, text, b)
}

var (
	claudeRejected = "The user doesn't want to proceed with this tool use."
	claudeMoved    = regexp.MustCompile(`^Command did not complete within its (\d+)s timeout and was moved to the background \(ID: ([\w-]+)\)`)
	claudeStarted  = regexp.MustCompile(`^Command (?:running in background with ID: |was manually backgrounded by user with ID: |was moved to the background \(ID: )([\w-]+)`)
	claudeAway     = regexp.MustCompile(`^No response after (\d+)s`)
)

// claudeEnd decides how the call ended: typed fields of the mirror first, then
// the harness's words at the beginning of the text.
func claudeEnd(r *ResultInfo, act Act, text Text, mirror jsonl.Value) {
	head := text.Head(headWindow)
	if r.Error != Unset {
		r.Told = append(r.Told, Told{Field: "is_error", Value: strconv.FormatBool(r.Error == True), Good: FlagOf(r.Error == False)})
	}
	switch {
	case claudeRefusal(r, head):
	case claudeBackground(r, head, mirror):
	case act == Shell:
		claudeShellEnd(r, head, mirror)
	case act == Poll:
		claudePollEnd(r, text, mirror)
	case act == Kill:
		claudeKillEnd(r, head, mirror)
	case r.Error == True:
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: Keep(firstLine(head), 120)}
	default:
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error flag"}
	}
}

// claudeRefusal recognises calls that were refused, or broken off, by a human
// or by a rule.
func claudeRefusal(r *ResultInfo, head string) bool {
	var kind TermKind
	switch {
	case strings.HasPrefix(head, claudeRejected), strings.HasPrefix(head, "The user doesn't want to take this action right now"):
		kind = TermDenied
	case strings.HasPrefix(head, "Permission to use "), strings.HasPrefix(head, "Permission for this action"),
		strings.HasPrefix(head, "Claude requested permissions to"), strings.HasPrefix(head, "Denied by PermissionRequest hook"):
		kind = TermDenied
	case strings.HasPrefix(head, "[Request interrupted by user"):
		kind, r.Interrupted = TermInterrupted, true
	case strings.HasPrefix(head, "<tool_use_error>Cancelled: parallel tool call"), strings.HasPrefix(head, "<tool_use_error>Sibling tool call errored"):
		kind = TermNotStarted
	default:
		return false
	}
	r.NotRun = kind != TermInterrupted
	r.Term = Termination{Kind: kind, Source: FromText, Quote: Keep(firstLine(head), 120)}
	return true
}

func claudeBackground(r *ResultInfo, head string, mirror jsonl.Value) bool {
	if m := claudeMoved.FindStringSubmatch(head); m != nil {
		secs, _ := strconv.Atoi(m[1])
		r.JobID = m[2]
		r.Term = Termination{Kind: TermStillRunning, Limit: time.Duration(secs) * time.Second, Source: FromText, Quote: Keep(m[0], 160)}
		return true
	}
	if m := claudeStarted.FindStringSubmatch(head); m != nil {
		r.JobID = m[1]
		r.Term = Termination{Kind: TermStillRunning, Source: FromText, Quote: Keep(m[0], 120)}
		return true
	}
	if id := mirror.Get("backgroundTaskId").Str(); id != "" {
		r.JobID = id
		r.Term = Termination{Kind: TermStillRunning, Source: FromField, Quote: "backgroundTaskId"}
		return true
	}
	return false
}

func claudeShellEnd(r *ResultInfo, head string, mirror jsonl.Value) {
	if interrupted, _ := mirror.Get("interrupted").Bool(); interrupted {
		r.Interrupted = true
		r.Told = append(r.Told, Told{Field: "interrupted", Value: "true", Good: False})
		r.Term = Termination{Kind: TermInterrupted, Source: FromField, Quote: "interrupted: true"}
		return
	}
	if ms, ok := mirror.Get("timedOutAfterMs").Int(); ok && ms > 0 {
		r.Term = Termination{Source: FromField}.withTimeout(time.Duration(ms)*time.Millisecond, "timedOutAfterMs: "+strconv.FormatInt(ms, 10))
		r.Told = append(r.Told, Told{Field: "timedOutAfterMs", Value: strconv.FormatInt(ms, 10), Good: False})
		return
	}
	term, _, ok := exitHeader(head)
	// Only an error result begins with the harness's header; the same words in
	// a success are what the command printed.
	if ok && (r.Error == True || (r.Error == Unset && mirror.Kind() == jsonl.String)) || ok && term.TimedOut {
		r.Term = term
		r.Told = append(r.Told, Told{Field: "result text", Value: term.Quote, Good: FlagOf(term.Kind == TermOK)})
		return
	}
	switch {
	case r.Error == True:
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Quote: "is_error: true"}
	case mirror.Get("returnCodeInterpretation").Str() != "":
		why := Keep(mirror.Get("returnCodeInterpretation").Str(), 80)
		r.Term = Termination{Kind: TermNonzero, Source: FromField, Benign: why, Quote: "returnCodeInterpretation: " + why}
	case r.Error == False || mirror.Kind() == jsonl.Object:
		r.Term = Termination{Kind: TermOK, Source: FromField, Quote: "is_error: false"}
	default:
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error flag"}
	}
}

// claudePollEnd reads TaskOutput, BashOutput and their older names: news about
// a job, in tags or in a typed mirror.
func claudePollEnd(r *ResultInfo, text Text, mirror jsonl.Value) {
	head := text.Head(600)
	task := mirror.Get("task")
	if !task.Exists() {
		task = mirror
	}
	status := task.Get("status").Str()
	if status == "" {
		status = tagIn(head, "status")
	}
	r.JobID = cmp.Or(task.Get("task_id").Str(), task.Get("shellId").Str(), tagIn(head, "task_id"))
	code, hasCode := task.Get("exitCode").Int()
	if !hasCode {
		if n, err := strconv.Atoi(tagIn(head, "exit_code")); err == nil {
			code, hasCode = int64(n), true
		}
	}
	r.Term = jobTerm(status, int(code), hasCode)
	r.Partial = r.Term.Kind == TermStillRunning
}

// jobTerm is how a background job ended by its status word and code.
func jobTerm(status string, code int, hasCode bool) Termination {
	var t Termination
	switch status {
	case "running", "pending", "not_ready":
		t.Kind = TermStillRunning
	case "killed", "stopped":
		t.Kind = TermStopped
	case "failed":
		t.Kind = TermNonzero
	case "completed":
		t.Kind = TermOK
	}
	if hasCode && t.Kind != TermStillRunning && t.Kind != TermStopped {
		t = OfCode(code)
	}
	if t.Kind != TermUnknown {
		t.Source, t.Quote = FromField, "status: "+Keep(status, 40)
		if hasCode {
			t.Quote += ", exit code " + strconv.Itoa(code)
		}
	}
	return t
}

func claudeKillEnd(r *ResultInfo, head string, mirror jsonl.Value) {
	r.JobID = cmp.Or(mirror.Get("task_id").Str(), mirror.Get("shell_id").Str())
	r.Term = Termination{Kind: TermOK, Source: FromAbsence}
	if r.Error == True || strings.Contains(head, "No task found with ID") || strings.Contains(head, "No shell found") {
		r.Term = Termination{Kind: TermNonzero, Source: FromText, Quote: Keep(firstLine(head), 120)}
	}
}

// answered emits the human's side of a question: an answer, a refusal, or the
// end of a wait that nobody answered.
func (c *claude) answered(r *ResultInfo, mirror jsonl.Value, text Text, at jsonl.Value) {
	d := &DecisionInfo{CallID: r.CallID}
	head := text.Head(120)
	switch {
	case strings.HasPrefix(head, claudeRejected):
		d.Verb, d.By = Denied, ByHuman
	case r.Term.Kind == TermDenied:
		d.Verb, d.By = Denied, ByPolicy
	case r.Tool == "ExitPlanMode" && strings.HasPrefix(head, "User has approved your plan"):
		d.Verb, d.By, d.Subject = Approved, ByHuman, "plan"
	case actOf(r.Tool) == Ask && r.Error != True:
		d.Verb, d.By, d.Subject = Answered, ByHuman, "question"
		if m := claudeAway.FindStringSubmatch(head); m != nil {
			secs, _ := strconv.Atoi(m[1])
			d.Verb, d.By, d.Waited = Expired, ByDefault, time.Duration(secs)*time.Second
		} else if ms, ok := mirror.Get("afkTimeoutMs").Int(); ok && mirror.Get("answers").Len() == 0 {
			d.Verb, d.By, d.Waited = Expired, ByDefault, time.Duration(ms)*time.Millisecond
		}
	default:
		return
	}
	d.Reason = Keep(firstLine(head), 120)
	c.send(Decision, at, func(e *Event) { e.Decision = d })
}

var notifiedCode = regexp.MustCompile(`(?:\(exit code |with exit code )(-?\d+)`)

// notification reads a <task-notification>: the end of a background job, under
// whatever record it was carried.
func (c *claude) notification(s string, at jsonl.Value) {
	summary := tagIn(s, "summary")
	code, hasCode := 0, false
	if m := notifiedCode.FindStringSubmatch(summary); m != nil {
		n, err := strconv.Atoi(m[1])
		code, hasCode = n, err == nil
	}
	job := &JobInfo{ID: tagIn(s, "task-id"), CallID: tagIn(s, "tool-use-id"), Summary: Keep(summary, 240)}
	job.Term = jobTerm(tagIn(s, "status"), code, hasCode)
	switch {
	case job.Term.Kind == TermStopped:
		job.State = JobKilled
	case strings.Contains(summary, "No completion record was found"):
		job.State = JobLost
	case job.Term.Kind == TermUnknown:
		job.State = JobRunning
	default:
		job.State = JobEnded
	}
	c.send(Job, at, func(e *Event) { e.Job, e.Actor = job, Harness })
}

func (c *claude) taskNotification() {
	r := c.rec.Root
	job := &JobInfo{ID: r.Get("task_id").Str(), CallID: r.Get("tool_use_id").Str(), Summary: Keep(r.Get("summary").Str(), 240), State: JobEnded}
	job.Term = jobTerm(r.Get("status").Str(), 0, false)
	if m := notifiedCode.FindStringSubmatch(job.Summary); m != nil {
		code, _ := strconv.Atoi(m[1])
		job.Term = jobTerm(r.Get("status").Str(), code, true)
	}
	if job.Term.Kind == TermStopped {
		job.State = JobKilled
	}
	c.send(Job, r, func(e *Event) { e.Job, e.Actor = job, Harness })
}

// tagIn is the text of the first <tag>...</tag> in s, trimmed.
func tagIn(s, tag string) string {
	_, rest, ok := strings.Cut(s, "<"+tag+">")
	if !ok {
		return ""
	}
	inner, _, ok := strings.Cut(rest, "</"+tag+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(inner)
}
