package transcript

import (
	"cmp"
	"strconv"
	"strings"

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
	id := cmp.Or(idText(r.callID), idText(r.id))
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
	r.heard(e.Text.Head(headWindow))
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
	c := &CallInfo{ID: id, Tool: cmp.Or(r.tool.Str(), r.name.Str()), Args: r.args, Dir: r.dir.Str()}
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
