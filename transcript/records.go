package transcript

import (
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Structured records of harnesses and of compaction, in every obvious spelling
// (snake_case, camelCase, kebab-case):
//
//	{tool, status, termination: {kind, exit_code, signal_name, timed_out,
//	 duration_ms}, must_rerun, observed_markers, stdout_tail, notes}
//	{tool, command | argv, exit_code, timed_out, success, signal, stdout, stderr}
//
// alone, in an array, or in {"records": [...]}. Each is a ToolCall and a
// ToolResult with Contract set; its notes are a Message of their own. A record
// about a call that stands in the same file is a second word about its result.

// structured reads a record that is not in the vocabulary of events.
func (d *events) structured(v jsonl.Value) {
	switch v.Kind() {
	case jsonl.Array:
		for _, item := range v.Elems() {
			d.record(item)
		}
		return
	case jsonl.Object:
	default:
		d.emit(&Event{Kind: Unknown, Pos: posOf(d.rec, ""), Value: v, Type: v.Kind().String()})
		return
	}
	r := readRecord(v)
	switch {
	case r.list.Exists():
		d.wrapper(v, &r)
	case r.isTool() && !r.isStep():
		d.toolRecord(v, &r)
	case d.step(v, &r):
	case d.spoken(v, &r):
	default:
		e := d.stamped(v, &r)
		e.Kind = Unknown
		if otherRecords[r.word] {
			e.Kind = Other
		}
		d.emit(&e)
	}
}

// otherRecords are records that harness logs hold besides, with nothing that
// is judged.
var otherRecords = map[string]bool{"metadata": true, "meta": true, "header": true, "debug": true, "trace": true, "log": true, "info": true, "metric": true}

// record holds the fields of a structured record that say what it is.
type record struct {
	word                                                        string // normalised type
	typ, time, agent, id, callID, tool, name, role              jsonl.Value
	command, argv, dir, stdout, stderr, text, notes, list, args jsonl.Value
	markers                                                     []string
	hasMarkers                                                  bool
	facts
}

func readRecord(v jsonl.Value) (r record) {
	r.facts.read(v)
	for key, m := range v.Members() {
		switch normalName(key) {
		case "type", "event", "event_type", "kind", "record_type":
			if m.Kind() == jsonl.String && (!r.typ.Exists() || key == "event") {
				r.typ, r.word = m, normalName(m.Str())
			}
		case "time", "timestamp", "ts", "at", "created_at", "t", "date", "finished_at", "ended_at":
			if !r.time.Exists() {
				r.time = m
			}
		case "agent", "agent_id":
			r.agent = m
		case "id":
			r.id = m
		case "call_id", "call", "tool_call_id", "tool_use_id", "invocation_id":
			r.callID = m
		case "tool", "tool_name":
			r.tool = m
		case "name":
			r.name = m
		case "role":
			r.role = m
		case "argv":
			r.argv = m
		case "command", "cmd", "command_line":
			r.command = m
		case "cwd", "dir", "workdir", "working_directory", "working_dir":
			r.dir = m
		case "args", "arguments", "input", "parameters":
			r.args = m
		case "stdout", "stdout_tail", "stdout_tail_observed", "output", "output_tail", "result", "stdout_observed":
			r.stdout = m
		case "stderr", "stderr_tail", "stderr_tail_observed", "stderr_observed":
			r.stderr = m
		case "text", "content", "message", "body":
			r.text = m
		case "notes", "note", "conclusion", "summary":
			r.notes = m
		case "observed_markers", "success_like_markers_observed", "success_like_markers", "markers":
			r.markers, r.hasMarkers = stringsOf(m), true
		case "records", "observations":
			if m.Index(0).Kind() == jsonl.Object {
				r.list = m
			}
		case "tool_results", "tools", "tool_records", "compacted_records", "results":
			if first := readRecord(m.Index(0)); first.isTool() {
				r.list = m
			}
		}
	}
	return r
}

// callWords are the types of records that tell of a call alone, unless they
// hold a word on its end.
var callWords = map[string]bool{"tool_call": true, "tool_use": true, "call": true, "tool_started": true, "tool_start": true, "tool_requested": true}

// ends reports whether the record tells of the call's end.
func (r *record) ends() bool {
	return r.hasTermination || r.process || r.rerun != Unset || r.hasMarkers || r.stdout.Exists()
}

// isTool reports whether the record is about an action of a tool: it names one
// and says something of its run, or it is in the shape of the contract.
func (r *record) isTool() bool {
	if callWords[r.word] {
		return r.tool.Exists() || r.name.Exists() || r.command.Exists() || r.argv.Exists()
	}
	switch r.word {
	case "tool_result", "tool_output", "tool_finished", "tool_end", "tool_completed", "tool_record", "tool_observation":
		return true
	}
	named := r.tool.Kind() == jsonl.String || r.argv.Kind() == jsonl.Array || r.command.Exists()
	if r.hasTermination {
		return named || r.rerun != Unset || r.hasMarkers || r.status != "" || r.callID.Exists() || r.id.Exists()
	}
	return named && (r.ends() || r.stderr.Exists() || r.status != "" || len(r.told) > 0)
}

// isStep reports whether the type says that the record is a step of an
// approval, a cancel or an action, whatever tool it names.
func (r *record) isStep() bool {
	switch s := (stepRecord{}); s.split(r.word) {
	case noTopic:
		return false
	case ofAction, ofEffect:
		return !r.process && !r.hasTermination
	}
	return true
}

// stamped is an event with what the record says of time and place.
func (d *events) stamped(v jsonl.Value, r *record) Event {
	return Event{Pos: posOf(d.rec, idText(r.id)), Time: clockOf(r.time), Agent: r.agent.Str(), Type: r.typ.Str(), Value: v}
}

func (d *events) wrapper(v jsonl.Value, r *record) {
	compacted := strings.HasPrefix(r.word, "compact")
	if compacted {
		e := d.stamped(v, r)
		e.Kind, e.Compaction = Compaction, &CompactionInfo{Trigger: v.Get("trigger").Str(), PreTokens: intAt(v, "pre_tokens"), PostTokens: intAt(v, "post_tokens")}
		d.emit(&e)
	}
	for _, item := range r.list.Elems() {
		d.record(item)
	}
	if words := r.notes; words.Kind() == jsonl.String {
		e := d.stamped(words, r)
		e.Kind, e.Actor, e.Role, e.Text = Message, Assistant, Summary, TextView(words)
		d.emit(&e)
	}
}

func (d *events) toolRecord(v jsonl.Value, r *record) {
	id := firstOf(idText(r.callID), idText(r.id))
	if id == "" {
		id = "record-" + strconv.Itoa(d.rec.Line) + v.Pointer()
	}
	call := d.recordCall(r, id)
	if !d.noted(id, wasCalled) {
		e := d.stamped(v, r)
		e.Kind, e.Actor, e.Call = ToolCall, Assistant, call
		d.note(id, wasCalled)
		d.emit(&e)
	}
	if callWords[r.word] && !r.ends() {
		return
	}
	e := d.stamped(v, r)
	e.Kind, e.Actor = ToolResult, Tool
	for _, out := range []jsonl.Value{r.stdout, r.stderr} {
		e.Text.Add(out)
	}
	if !r.stdout.Exists() && !r.stderr.Exists() {
		e.Text.Add(r.text)
	}
	e.Result = &ResultInfo{
		CallID: id, Tool: call.Tool, Contract: true, Told: r.told, Term: r.termination(), Error: r.failed, MustRerun: r.rerun, Markers: r.markers,
		Bare: !r.process && (call.Act == Shell || r.rerun != Unset || r.hasMarkers), Duration: r.duration, Repeats: d.noted(id, hasEnded),
	}
	e.Result.NotRun = e.Result.Term.Kind == TermDenied || e.Result.Term.Kind == TermNotStarted
	d.note(id, hasEnded)
	d.emit(&e)
	if call.Act == Ask {
		d.asked(v, r, id, e.Result.Term)
	}
	if r.notes.Kind() == jsonl.String {
		n := d.stamped(r.notes, r)
		n.Kind, n.Actor, n.Role, n.About, n.Text = Message, Assistant, Notes, id, TextView(r.notes)
		d.emit(&n)
	}
}

// asked emits what became of a question to the human: nobody answered, or the
// record says what was decided.
func (d *events) asked(v jsonl.Value, r *record, id string, t Termination) {
	s := readStep(v, r)
	s.topic, s.op, s.id, s.call = ofApproval, "", "", id
	if t.Kind == TermTimeout {
		s.op = "timeout"
	}
	d.decisionStep(v, r, &s)
}

// recordCall is the call that a record is about. Where the tool is a program
// (argv[0] of the run), the program is all that is known of the command.
func (d *events) recordCall(r *record, id string) *CallInfo {
	c := &CallInfo{ID: id, Tool: firstOf(r.tool.Str(), r.name.Str()), Args: r.args, Dir: r.dir.Str()}
	c.Act = defaultAct(c.Tool, r.command.Exists() || r.argv.Exists())
	if c.Act == NoAct && c.Tool != "" && (r.process || r.hasTermination) {
		c.Act, c.Command = Shell, c.Tool
	}
	fillCall(c, r.args)
	switch {
	case r.argv.Kind() == jsonl.Array:
		c.Argv, c.Command = stringsOf(r.argv), ""
	case r.command.Kind() == jsonl.Array:
		c.Argv, c.Command = stringsOf(r.command), ""
	case r.command.Kind() == jsonl.String:
		c.Command = r.command.Str()
	}
	return c
}

// facts are the typed facts about how a call ended, as told by the fields of a
// record and of its "termination".
type facts struct {
	told           []Told
	kind           TermKind
	kindWord       string
	status         string
	code           int
	signal         string
	timedOut       bool
	failed         Flag // an error flag
	success        Flag
	rerun          Flag
	duration       time.Duration
	limit          time.Duration
	hasCode        bool
	process        bool // a fact about the process itself: kind, code, signal or time limit
	hasTermination bool
}

func (f *facts) tell(field, value string, good Flag) {
	f.told = append(f.told, Told{Field: field, Value: Keep(value, 120), Good: good})
}

// read takes the facts among the members of an object. null says nothing.
func (f *facts) read(v jsonl.Value) {
	for key, m := range v.Members() {
		if m.Kind() != jsonl.Null {
			f.field(normalName(key), m)
		}
	}
}

func (f *facts) field(name string, v jsonl.Value) {
	switch name {
	case "termination", "terminated", "exit_status", "end":
		switch {
		case v.Kind() == jsonl.Object && !f.hasTermination:
			f.hasTermination = true
			f.read(v)
		case v.Kind() == jsonl.String:
			f.setKind(v.Str())
		case name == "exit_status":
			f.setCode(v)
		}
	case "kind":
		if f.hasTermination {
			f.setKind(v.Str())
		}
	case "termination_kind", "term_kind", "exit_kind":
		f.setKind(v.Str())
	case "status", "outcome":
		f.setStatus(v.Str())
	case "exit_code", "return_code", "returncode", "rc":
		f.setCode(v)
	case "signal_name", "signal", "term_signal", "killed_by":
		f.setSignal(v)
	case "timed_out", "is_timeout", "timedout":
		if b, ok := v.Bool(); ok {
			f.process, f.timedOut = true, b
			f.tell("timed_out", strconv.FormatBool(b), falseIf(b))
		}
	case "timeout":
		if b, ok := v.Bool(); ok {
			f.process, f.timedOut = true, b
			f.tell("timeout", strconv.FormatBool(b), falseIf(b))
		}
	case "success", "succeeded", "ok", "confirmed", "verified", "is_error", "error", "must_rerun":
		f.flag(name, v)
	case "duration_ms", "elapsed_ms":
		f.duration = millis(v)
	case "duration_s", "duration_sec", "duration_seconds", "elapsed_s":
		f.duration = 1000 * millis(v)
	case "limit_ms", "timeout_ms":
		f.limit = millis(v)
	case "limit_s", "timeout_s", "timeout_sec", "timeout_seconds":
		f.limit = 1000 * millis(v)
	}
}

func falseIf(b bool) Flag {
	if b {
		return False
	}
	return Unset
}

func (f *facts) setKind(word string) {
	if word == "" {
		return
	}
	k, known := ParseTermKind(word)
	good := Unset
	switch k {
	case TermOK:
		if good = True; vague[normalName(word)] {
			good, k = Unset, TermUnknown
		}
	case TermNonzero, TermTimeout, TermSignalled, TermInterrupted, TermDenied, TermNotStarted:
		good = False
	}
	f.kind, f.kindWord = k, word
	f.process = f.process || known && normalName(word) != "unknown"
	f.tell("kind", word, good)
}

// vague words say that a call is over, not how it ended.
var vague = map[string]bool{"completed": true, "complete": true, "exited": true, "finished": true, "done": true, "ended": true}

func (f *facts) setStatus(word string) {
	if word == "" {
		return
	}
	f.status = word
	good := Unset
	switch k := statusKind(word); k {
	case TermOK:
		good = True
	case TermNonzero, TermTimeout, TermSignalled, TermInterrupted, TermDenied, TermNotStarted:
		good = False
	}
	f.tell("status", word, good)
}

// statusKind is the end that a status word tells. Incomplete is neither: it is
// known not to be a success, and no more.
func statusKind(word string) TermKind {
	word = normalName(word)
	if vague[word] {
		return TermUnknown
	}
	switch word {
	case "failed_or_incomplete", "incomplete", "failed_incomplete", "unfinished":
		return TermNonzero
	case "passed", "pass":
		return TermOK
	}
	k, _ := ParseTermKind(word)
	return k
}

func (f *facts) setCode(v jsonl.Value) {
	n, ok := v.Int()
	if s := v.Str(); s != "" {
		var err error
		n, err = strconv.ParseInt(s, 10, 32)
		ok = err == nil
	}
	if ok {
		f.code, f.hasCode, f.process = int(n), true, true
		f.tell("exit_code", strconv.FormatInt(n, 10), FlagOf(n == 0))
	}
}

func (f *facts) setSignal(v jsonl.Value) {
	s := v.Str()
	if n, ok := v.Int(); ok && n > 0 {
		if s = signalName(int(n)); s == "" {
			s = "signal " + strconv.FormatInt(n, 10)
		}
	}
	if s != "" {
		f.signal, f.process = s, true
		f.tell("signal_name", s, False)
	}
}

func (f *facts) flag(name string, v jsonl.Value) {
	b, ok := v.Bool()
	value := strconv.FormatBool(b)
	if s := v.Str(); name == "error" && s != "" {
		b, ok, value = true, true, s
	}
	if !ok {
		return
	}
	good := FlagOf(b)
	switch name {
	case "success", "succeeded", "ok":
		f.success = good
	case "confirmed", "verified":
		if !b {
			good = Unset
		}
	case "is_error", "error":
		f.failed, good = FlagOf(b), FlagOf(!b)
	case "must_rerun":
		f.rerun, good = FlagOf(b), FlagOf(!b)
	}
	f.tell(name, value, good)
}

// termination decides between the facts. Where they disagree the worse one
// counts, and the disagreement stays visible in what was told.
func (f *facts) termination() Termination {
	t := Termination{Code: f.code, HasCode: f.hasCode, Signal: f.signal, TimedOut: f.timedOut, Source: FromField}
	byCode := OfCode(f.code)
	if sig := signalName(-f.code); f.hasCode && f.code < -1 && sig != "" {
		byCode.Kind, byCode.Signal = TermSignalled, sig // as Python tells a signal
	}
	status := statusKind(f.status)
	switch {
	case f.timedOut, f.kind == TermTimeout, f.kind == TermUnknown && status == TermTimeout, f.hitLimit():
		t.Kind, t.TimedOut, t.Limit = TermTimeout, f.timedOut, f.limit
	case f.kind > TermTimeout:
		t.Kind = f.kind
	case f.signal != "":
		t.Kind = TermSignalled
	case f.kind == TermUnknown && status > TermTimeout:
		t.Kind = status
	case f.hasCode && f.code != 0:
		t.Kind = byCode.Kind
	case f.kind == TermNonzero, status == TermNonzero, f.success == False, f.failed == True:
		t.Kind = TermNonzero
	case f.kind == TermOK, f.hasCode, f.success == True, status == TermOK:
		t.Kind = TermOK
	default:
		return Termination{}
	}
	if t.Signal == "" && (t.Kind == TermSignalled || t.Kind == TermTimeout) {
		t.Signal = byCode.Signal
	}
	t.Quote = f.quote()
	return t
}

// hitLimit reports whether the code of a kill stands beside a limit that the
// run reached.
func (f *facts) hitLimit() bool {
	return f.hasCode && (f.code == 124 || f.code == 137 || f.code == 143) && f.limit > 0 && f.duration >= f.limit
}

func (f *facts) quote() string {
	parts := make([]string, 0, len(f.told))
	for _, t := range f.told {
		parts = append(parts, t.Field+": "+t.Value)
	}
	return Keep(strings.Join(parts, ", "), 120)
}
