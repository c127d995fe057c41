package transcript

import "strconv"

// Names of the vocabulary that the model itself does not spell.
var (
	originNames = [...]string{"observed", "synthesized", "copied", "inferred"}
	roleNames   = [...]string{"prose", "prompt", "summary", "notes", "notice", "todo", "report"}
	jobNames    = [...]string{"unknown", "started", "running", "ended", "killed", "lost"}
	cancelNames = [...]string{"", "requested", "accepted", "refused", "told"}
	actionNames = [...]string{"", "entered", "checked", "started", "effect", "settled", "aborted", "rejected"}
)

var kindByName = func() map[string]Kind {
	m := make(map[string]Kind, kinds)
	for k, name := range kindNames {
		m[name] = Kind(k)
	}
	return m
}()

// AppendEvent writes e as one line of the vocabulary of docs/events.md,
// without the line break. Reading it back gives an equal event that still
// points at the original place; only the JSON values themselves (Value,
// RequestMessage.Value) are gone, and a text of several parts is one. Damage in
// a text is copied with it, so a reader finds it a second time.
func AppendEvent(dst []byte, e *Event) []byte {
	w := writer{b: append(dst, '{'), empty: true}
	name := e.Kind.String()
	w.force("event", name)
	w.envelope(e)
	if e.Type != name {
		w.force("type", e.Type)
	}
	if e.Actor != defaultActor(e.Kind) || e.Kind == Message {
		w.force("actor", e.Actor.String())
	}
	w.str("stopped", e.Stopped)
	w.body(e)
	if e.Kind == Message {
		w.string("text", e.Text)
	} else {
		w.text("text", e.Text)
	}
	w.at(e)
	return append(w.b, '}')
}

func (w *writer) envelope(e *Event) {
	w.time("time", e.Time)
	w.str("agent", e.Agent)
	if e.Origin != Observed {
		w.str("origin", originNames[e.Origin])
	}
	w.str("record", e.Pos.ID)
	w.str("parent", e.Parent)
	w.str("msg", e.MsgID)
}

func (w *writer) at(e *Event) {
	pointer := e.Pos.Pointer
	if e.Value.Exists() {
		pointer = e.Value.Pointer()
	}
	w.open("at", '{')
	w.int("line", int64(e.Pos.Line))
	w.int("offset", e.Pos.Offset)
	w.int("length", e.Pos.Length)
	w.str("pointer", pointer)
	w.close('}')
}

func (w *writer) body(e *Event) {
	switch e.Kind {
	case Message:
		if e.Role != Prose {
			w.str("role", roleNames[e.Role])
		}
		w.str("about", e.About)
		w.flag("final", e.Final)
	case Unknown:
		w.keys(e)
	}
	for _, write := range []func(*Event){
		w.call, w.result, w.job, w.steps, w.compaction, w.usage, w.session, w.small, w.request, w.fault,
	} {
		write(e)
	}
}

// keys tells of a record that no adapter knew what it was made of.
func (w *writer) keys(e *Event) {
	var keys []string
	if e.Foreign != nil {
		keys = e.Foreign.Keys
	}
	for key := range e.Value.Members() {
		keys = append(keys, key)
	}
	w.strs("keys", keys)
}

func (w *writer) call(e *Event) {
	c := e.Call
	if c == nil {
		return
	}
	w.str("id", c.ID)
	w.str("tool", c.Tool)
	if c.Args.Exists() || c.Act != defaultAct(c.Tool, c.Command != "" || len(c.Argv) > 0) {
		w.str("act", c.Act.String())
	}
	w.str("command", c.Command)
	w.strs("argv", c.Argv)
	w.str("dir", c.Dir)
	w.str("path", c.Path)
	w.bool("limited", c.Limited)
	w.int("offset", int64(c.Offset))
	w.bool("background", c.Background)
	w.millis("timeout_ms", c.Timeout)
	w.str("job", c.JobID)
	w.str("input", c.Input)
	if len(c.Todos) > 0 {
		w.open("todos", '[')
		for _, t := range c.Todos {
			w.open("", '{')
			w.force("text", t.Text)
			w.str("status", t.Status)
			w.close('}')
		}
		w.close(']')
	}
	w.str("old", c.Old)
	w.str("new", c.New)
	w.bool("escalated", c.Escalated)
	w.bool("server", c.Server)
	w.bool("free", c.Free)
	w.str("broken", c.Broken)
	w.raw("args", c.Args)
}

func (w *writer) result(e *Event) {
	r := e.Result
	if r == nil {
		return
	}
	w.str("id", r.CallID)
	w.str("tool", r.Tool)
	w.termination(r.Term)
	w.flag("error", r.Error)
	w.open("told", '[')
	for _, t := range r.Told {
		w.open("", '{')
		w.force("field", t.Field)
		w.force("value", t.Value)
		w.flag("good", t.Good)
		w.close('}')
	}
	w.close(']')
	w.str("job", r.JobID)
	w.bool("partial", r.Partial)
	w.bool("repeats", r.Repeats)
	w.flag("must_rerun", r.MustRerun)
	w.strs("markers", r.Markers)
	w.bool("bare", r.Bare)
	w.bool("interrupted", r.Interrupted)
	w.bool("not_run", r.NotRun)
	w.bool("contract", r.Contract)
	w.millis("duration_ms", r.Duration)
	w.millis("away_ms", r.AwayTimeout)
	if r.AnsweredBy != ByUnknown {
		w.str("answered_by", r.AnsweredBy.String())
	}
	w.bool("answers_empty", r.AnswersEmpty)
	if r.FullKnown {
		w.string("full", r.Full)
	}
}

func (w *writer) termination(t Termination) {
	if t == (Termination{}) {
		return
	}
	w.open("termination", '{')
	w.force("kind", t.Kind.String())
	if t.HasCode {
		w.key("exit_code")
		w.b = strconv.AppendInt(w.b, int64(t.Code), 10)
	}
	w.str("signal_name", t.Signal)
	w.bool("timed_out", t.TimedOut)
	w.millis("limit_ms", t.Limit)
	if t.Source != FromField {
		w.force("source", sourceNames[t.Source])
	}
	w.force("quote", t.Quote)
	w.str("benign", t.Benign)
	w.close('}')
}

func (w *writer) job(e *Event) {
	j := e.Job
	if j == nil {
		return
	}
	w.str("id", j.ID)
	w.str("call", j.CallID)
	if j.State != JobUnknown {
		w.str("state", jobNames[j.State])
	}
	w.termination(j.Term)
	w.str("summary", j.Summary)
	w.text("output", j.Output)
}

func (w *writer) steps(e *Event) {
	if d := e.Decision; d != nil {
		w.force("verb", d.Verb.String())
		w.str("id", d.ID)
		w.str("call", d.CallID)
		w.str("subject", d.Subject)
		if d.By != ByUnknown {
			w.str("by", d.By.String())
		}
		w.time("expires_at", d.Expires)
		w.millis("waited_ms", d.Waited)
		w.str("reason", d.Reason)
	}
	if c := e.Cancel; c != nil {
		w.force("verb", cancelNames[c.Verb])
		w.str("id", c.ID)
		w.str("target", c.Target)
		w.str("reason", c.Reason)
		w.str("by", c.By.String())
	}
	if a := e.Action; a != nil {
		w.force("verb", actionNames[a.Verb])
		w.str("id", a.ID)
		w.str("approval", a.Approval)
		w.str("reason", a.Reason)
	}
}

func (w *writer) compaction(e *Event) {
	c := e.Compaction
	if c == nil {
		return
	}
	w.str("trigger", c.Trigger)
	w.int("pre_tokens", c.PreTokens)
	w.int("post_tokens", c.PostTokens)
	w.bool("micro", c.Micro)
	w.bool("opaque", c.Opaque)
	w.bool("begin", c.Begin)
	w.str("failed", c.Failed)
	w.strs("dropped", c.Dropped)
	w.millis("duration_ms", c.Duration)
}

func (w *writer) usage(e *Event) {
	u := e.Usage
	if u == nil {
		return
	}
	w.int("context", u.Context)
	w.int("output", u.Output)
	w.int("reasoning", u.Reasoning)
	w.int("cached", u.Cached)
	w.int("cumulative", u.Cumulative)
	w.int("window", u.Window)
	w.str("model", u.Model)
}

func (w *writer) session(e *Event) {
	s := e.Session
	if s == nil {
		return
	}
	w.str("id", s.ID)
	w.bool("start", s.Start)
	w.str("model", s.Model)
	w.int("window", s.Window)
	w.str("dir", s.Dir)
	w.str("version", s.Version)
	w.str("policy", s.Policy)
	w.flag("auto", s.Auto)
	w.strs("tools", s.Tools)
	w.schemas(s.Schemas)
	w.str("fork", s.Fork)
}

func (w *writer) schemas(all []ToolSchema) {
	if len(all) == 0 {
		return
	}
	w.open("schemas", '{')
	for _, t := range all {
		w.key("")
		w.b = append(appendString(w.b, t.Name), ':')
		if !t.Schema.Exists() {
			w.b = append(w.b, "null"...)
			continue
		}
		w.empty = true // the value follows its key, not another member
		w.raw("", t.Schema)
	}
	w.close('}')
}

// small are the kinds with few fields.
func (w *writer) small(e *Event) {
	if q := e.Queue; q != nil {
		w.str("verb", q.Verb)
		w.str("id", q.ID)
		hash := ""
		if q.Hash != 0 {
			hash = strconv.FormatUint(q.Hash, 16)
		}
		w.force("hash", hash)
	}
	if s := e.Status; s != nil {
		w.str("name", s.Name)
		w.int("code", int64(s.Code))
		w.str("error", s.Error)
	}
	if t := e.Turn; t != nil {
		w.str("reason", t.Reason)
		w.bool("session", t.Session)
		w.bool("bad", t.Bad)
	}
	if r := e.Reasoning; r != nil {
		w.str("signature", r.Signature)
		w.bool("hollow", r.Hollow)
		w.bool("redacted", r.Redacted)
	}
	if f := e.Foreign; f != nil && e.Kind == Foreign {
		w.strs("keys", f.Keys)
		w.strs("tried", f.Tried)
		w.int("faults", int64(f.Faults))
	}
}

func (w *writer) request(e *Event) {
	r := e.Request
	if r == nil {
		return
	}
	w.str("provider", r.Provider)
	w.str("model", r.Model)
	w.open("messages", '[')
	for _, m := range r.Messages {
		w.open("", '{')
		w.force("role", m.Role)
		w.int("reasoning", int64(m.Reasoning))
		w.bool("calls", m.Calls)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) fault(e *Event) {
	if f := e.Fault; f != nil {
		w.open("fault", '{')
		w.force("kind", f.Kind.String())
		w.int("at", int64(f.At))
		w.str("expected", f.Expected)
		w.bool("glued", f.Glued)
		w.str("head", f.Head)
		w.close('}')
	}
	w.strs("flaws", e.Flaws.Names())
}
