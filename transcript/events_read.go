package transcript

import (
	"math"
	"strconv"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

var eventReaders = [kinds]func(*events, *Event, jsonl.Value){
	Unknown: func(_ *events, e *Event, v jsonl.Value) { e.Foreign = &ForeignInfo{Keys: stringsAt(v, "keys")} },
	Fault:   readFault,
	Session: readSession,
	Message: readMessage,
	Reasoning: func(_ *events, e *Event, v jsonl.Value) {
		e.Reasoning = &ReasoningInfo{Signature: v.Get("signature").Str(), Hollow: boolAt(v, "hollow"), Redacted: boolAt(v, "redacted")}
	},
	ToolCall:   readCall,
	ToolResult: readResult,
	Job:        readJob,
	Decision:   readDecision,
	Cancel:     readCancel,
	Action:     readAction,
	Compaction: readCompaction,
	Usage:      readUsage,
	Queue:      readQueue,
	Status: func(_ *events, e *Event, v jsonl.Value) {
		e.Status = &StatusInfo{Name: v.Get("name").Str(), Code: int(intAt(v, "code")), Error: v.Get("error").Str()}
	},
	TurnEnd: func(_ *events, e *Event, v jsonl.Value) {
		e.Turn = &TurnInfo{Reason: v.Get("reason").Str(), Session: boolAt(v, "session"), Bad: boolAt(v, "bad")}
	},
	Request: readRequest,
	Foreign: func(_ *events, e *Event, v jsonl.Value) {
		e.Foreign = &ForeignInfo{Keys: stringsAt(v, "keys"), Tried: stringsAt(v, "tried"), Faults: int(intAt(v, "faults"))}
	},
}

func readFault(_ *events, e *Event, v jsonl.Value) {
	for _, name := range v.Get("flaws").Elems() {
		for f := jsonl.FlawSet(1); f != 0; f <<= 1 {
			if f.String() == name.Str() {
				e.Flaws |= f
			}
		}
	}
	f := v.Get("fault")
	if f.Kind() != jsonl.Object {
		return
	}
	e.Fault = &jsonl.Fault{
		At: int(intAt(f, "at")), Expected: Keep(f.Get("expected").Str(), 1<<10), Glued: boolAt(f, "glued"), Head: Keep(f.Get("head").Str(), jsonl.HeadBytes),
	}
	for k := jsonl.NotJSON; k <= jsonl.Encoding; k++ {
		if k.String() == f.Get("kind").Str() {
			e.Fault.Kind = k
		}
	}
}

func readSession(_ *events, e *Event, v jsonl.Value) {
	e.Session = &SessionInfo{
		ID: v.Get("id").Str(), Start: boolAt(v, "start"), Model: v.Get("model").Str(), Window: intAt(v, "window"), Dir: v.Get("dir").Str(),
		Version: v.Get("version").Str(), Policy: v.Get("policy").Str(), Auto: flagAt(v, "auto"), Tools: stringsAt(v, "tools"), Fork: v.Get("fork").Str(),
	}
	for name, schema := range v.Get("schemas").Members() {
		e.Session.Schemas = append(e.Session.Schemas, ToolSchema{name, schema})
	}
}

func readMessage(_ *events, e *Event, v jsonl.Value) {
	e.Role = nameIn(roleNames[:], v.Get("role").Str(), Prose)
	e.About, e.Final, e.Stopped = v.Get("about").Str(), flagAt(v, "final"), v.Get("stopped").Str()
	if text := v.Get("text"); text.Exists() && e.Value.Exists() {
		e.Value = text
	}
}

func readCall(d *events, e *Event, v jsonl.Value) {
	c := &CallInfo{ID: idText(v.Get("id")), Tool: v.Get("tool").Str(), Args: v.Get("args")}
	e.Call, e.Stopped = c, v.Get("stopped").Str()
	act := v.Get("act")
	if act.Exists() {
		c.Act = nameIn(actNames[:], act.Str(), NoAct)
	} else {
		c.Act = defaultAct(c.Tool, v.Get("command").Exists() || v.Get("argv").Exists())
		fillCall(c, c.Args) // without "act" the customary names of arguments are read
	}
	for key, v := range v.Members() {
		switch key {
		case "free":
			c.Free, _ = v.Bool()
		case "broken":
			c.Broken = v.Str()
		case "command":
			c.Command = v.Str()
		case "argv":
			c.Argv = stringsOf(v)
		case "dir":
			c.Dir = v.Str()
		case "path":
			c.Path = v.Str()
		case "limited":
			c.Limited, _ = v.Bool()
		case "offset":
			n, _ := v.Int()
			c.Offset = int(n)
		case "background":
			c.Background, _ = v.Bool()
		case "timeout_ms":
			c.Timeout = millis(v)
		case "job":
			c.JobID = idText(v)
		case "input":
			c.Input = v.Str()
		case "todos":
			c.Todos = nil
			fillTodos(c, v)
		case "old":
			c.Old = v.Str()
		case "new":
			c.New = v.Str()
		case "escalated":
			c.Escalated, _ = v.Bool()
		case "server":
			c.Server, _ = v.Bool()
		}
	}
	d.note(c.ID, wasCalled)
}

// defaultAct is what a call does when the record does not say.
func defaultAct(tool string, command bool) Act {
	act := actOf(tool)
	if act == NoAct && command {
		act = Shell
	}
	return act
}

func readResult(d *events, e *Event, v jsonl.Value) {
	r := &ResultInfo{
		CallID: idText(v.Get("id")), Tool: v.Get("tool").Str(), Error: flagAt(v, "error"), JobID: idText(v.Get("job")), Partial: boolAt(v, "partial"),
		Repeats: boolAt(v, "repeats"), MustRerun: flagAt(v, "must_rerun"), Markers: stringsAt(v, "markers"), Bare: boolAt(v, "bare"),
		Interrupted: boolAt(v, "interrupted"), NotRun: boolAt(v, "not_run"), Contract: boolAt(v, "contract"), Duration: millis(v.Get("duration_ms")),
		AwayTimeout: millis(v.Get("away_ms")), AnsweredBy: nameIn(deciderNames[:], v.Get("answered_by").Str(), ByUnknown), AnswersEmpty: boolAt(v, "answers_empty"),
	}
	e.Result = r
	if full := v.Get("full"); full.Kind() == jsonl.String {
		r.Full, r.FullKnown = TextView(full), true
	}
	r.Term = readTermination(v.Get("termination"))
	if r.Duration == 0 {
		r.Duration = millis(v.At("termination", "duration_ms"))
	}
	if told := v.Get("told"); told.Kind() == jsonl.Array {
		for _, t := range told.Elems() {
			r.Told = append(r.Told, Told{Field: t.Get("field").Str(), Value: t.Get("value").Str(), Good: flagAt(t, "good")})
		}
	} else {
		var f facts
		f.read(v)
		r.Told = f.told
		if !v.Get("termination").Exists() {
			r.Term = f.termination()
		}
	}
	d.note(r.CallID, hasEnded)
}

// readTermination reads a "termination" object. What is written is taken as a
// typed field unless "source" says otherwise; the kind may be left to the
// other fields.
func readTermination(v jsonl.Value) Termination {
	if v.Kind() != jsonl.Object {
		return Termination{}
	}
	f := facts{hasTermination: true}
	f.read(v)
	t := f.termination()
	if k := v.Get("kind"); k.Kind() == jsonl.String {
		t.Kind = termByName(k.Str(), t.Kind)
	}
	if c, ok := v.Get("exit_code").Int(); ok {
		t.Code, t.HasCode = int(c), true
	}
	t.Limit, t.Benign = millis(v.Get("limit_ms")), v.Get("benign").Str()
	if quote := v.Get("quote"); quote.Exists() { // written out in full: nothing is to be concluded
		t.Quote, t.TimedOut, t.Signal = quote.Str(), boolAt(v, "timed_out"), v.Get("signal_name").Str()
	}
	t.Source = FromField
	if s := v.Get("source"); s.Exists() {
		t.Source = nameIn(sourceNames[:], s.Str(), NoSource)
	}
	return t
}

// termByName reads the kind of a termination; a word that names none leaves
// it to the other fields.
func termByName(s string, rest TermKind) TermKind {
	for k, name := range termNames {
		if name == s {
			return TermKind(k)
		}
	}
	if k, ok := ParseTermKind(s); ok && k != TermUnknown {
		return k
	}
	return rest
}

func readJob(_ *events, e *Event, v jsonl.Value) {
	e.Job = &JobInfo{
		ID: idText(v.Get("id")), CallID: idText(v.Get("call")), State: nameIn(jobNames[:], v.Get("state").Str(), JobUnknown),
		Term: readTermination(v.Get("termination")), Summary: v.Get("summary").Str(),
	}
	if out := v.Get("output"); out.Kind() == jsonl.String {
		e.Job.Output = TextView(out)
	}
}

func readDecision(_ *events, e *Event, v jsonl.Value) {
	e.Decision = &DecisionInfo{
		Verb: nameIn(decisionNames[:], v.Get("verb").Str(), NoDecision), ID: idText(v.Get("id")), CallID: idText(v.Get("call")), Subject: v.Get("subject").Str(),
		By: nameIn(deciderNames[:], v.Get("by").Str(), ByUnknown), Expires: clockOf(v.Get("expires_at")), Waited: millis(v.Get("waited_ms")),
		Reason: v.Get("reason").Str(),
	}
}

func readCancel(_ *events, e *Event, v jsonl.Value) {
	e.Cancel = &CancelInfo{
		Verb: nameIn(cancelNames[:], v.Get("verb").Str(), NoCancel), ID: idText(v.Get("id")), Target: idText(v.Get("target")), Reason: v.Get("reason").Str(),
		By: nameIn(actorNames[:], v.Get("by").Str(), Nobody),
	}
}

func readAction(_ *events, e *Event, v jsonl.Value) {
	e.Action = &ActionInfo{
		Verb: nameIn(actionNames[:], v.Get("verb").Str(), NoAction), ID: idText(v.Get("id")), Approval: idText(v.Get("approval")), Reason: v.Get("reason").Str(),
	}
}

func readCompaction(_ *events, e *Event, v jsonl.Value) {
	e.Compaction = &CompactionInfo{
		Trigger: v.Get("trigger").Str(), PreTokens: intAt(v, "pre_tokens"), PostTokens: intAt(v, "post_tokens"), Micro: boolAt(v, "micro"),
		Opaque: boolAt(v, "opaque"), Begin: boolAt(v, "begin"), Failed: v.Get("failed").Str(), Dropped: stringsAt(v, "dropped"),
		Duration: millis(v.Get("duration_ms")),
	}
}

func readUsage(_ *events, e *Event, v jsonl.Value) {
	e.Usage = &UsageInfo{
		Context: intAt(v, "context"), Output: intAt(v, "output"), Reasoning: intAt(v, "reasoning"), Cached: intAt(v, "cached"),
		Cumulative: intAt(v, "cumulative"), Window: intAt(v, "window"), Model: v.Get("model").Str(),
	}
}

func readQueue(_ *events, e *Event, v jsonl.Value) {
	q := &QueueInfo{Verb: v.Get("verb").Str(), ID: idText(v.Get("id"))}
	if h := v.Get("hash"); h.Exists() {
		q.Hash, _ = strconv.ParseUint(h.Str(), 16, 64)
	} else if text := v.Get("text"); text.Kind() == jsonl.String {
		q.Hash = hashOf(text.Raw())
	}
	e.Queue = q
}

func readRequest(_ *events, e *Event, v jsonl.Value) {
	r := &RequestInfo{Provider: v.Get("provider").Str(), Model: v.Get("model").Str()}
	for _, m := range v.Get("messages").Elems() {
		msg := RequestMessage{Role: m.Get("role").Str(), Reasoning: int(intAt(m, "reasoning")), Calls: boolAt(m, "calls"), Value: m}
		if msg.Reasoning == 0 {
			msg.Reasoning = m.Get("reasoning").RawLen() // the thoughts themselves
		}
		r.Messages = append(r.Messages, msg)
	}
	e.Request = r
}

// nameIn finds a name in a table of names, whose index is the value.
func nameIn[T ~uint8](names []string, s string, otherwise T) T {
	if s == "" {
		return otherwise
	}
	for i, name := range names {
		if name == s {
			return T(i)
		}
	}
	return otherwise
}

func intAt(v jsonl.Value, key string) int64 {
	n, _ := v.Get(key).Int()
	return n
}

func boolAt(v jsonl.Value, key string) bool {
	b, _ := v.Get(key).Bool()
	return b
}

func stringsAt(v jsonl.Value, key string) []string { return stringsOf(v.Get(key)) }

func stringsOf(v jsonl.Value) []string {
	var ss []string
	for _, s := range v.Elems() {
		ss = append(ss, idText(s))
	}
	return ss
}

// millis reads a number of milliseconds, fractions included.
func millis(v jsonl.Value) time.Duration {
	f, ok := v.Float()
	if !ok || math.Abs(f) > 1e12 {
		return 0
	}
	return time.Duration(math.Round(f * 1e6))
}

// clockOf reads a time, or the seconds of a clock that starts at zero.
func clockOf(v jsonl.Value) time.Time {
	t := parseTime(v)
	if f, ok := v.Float(); ok && t.IsZero() && f >= 0 && f < 1e8 {
		t = time.UnixMilli(int64(math.Round(f * 1000))).UTC()
	}
	return t
}
