package transcript

import (
	"cmp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// speakers are the roles, and the types that stand for one.
var speakers = map[string]Actor{
	"user": Human, "human": Human, "user_message": Human, "human_message": Human,
	"assistant": Assistant, "model": Assistant, "ai": Assistant, "agent": Assistant, "assistant_message": Assistant, "agent_message": Assistant, "final_answer": Assistant,
	"system": Harness, "developer": Harness, "harness": Harness, "notice": Harness, "system_message": Harness,
	"peer": Peer,
}

// spoken reads the other records of a harness log: messages, compactions, the
// session's beginning and end, signs of life.
func (d *events) spoken(v jsonl.Value, r *record) bool {
	e := d.stamped(v, r)
	switch r.word {
	case "compaction", "compact", "compacted", "context_compacted", "compaction_completed":
		e.Kind, e.Compaction = Compaction, &CompactionInfo{Trigger: v.Get("trigger").Str()}
		d.emit(&e)
		d.summary(e, r.notes)
		return true
	case "session", "session_start", "session_started", "session_meta":
		e.Kind, e.Session = Session, &SessionInfo{ID: idText(r.id), Model: v.Get("model").Str(), Dir: r.dir.Str(), Version: v.Get("version").Str()}
	case "session_end", "session_ended", "session_finished", "turn_end", "turn_ended", "run_finished":
		e.Kind = TurnEnd
		e.Turn = &TurnInfo{Reason: cmp.Or(v.Get("reason").Str(), r.status), Session: !strings.HasPrefix(r.word, "turn")}
		e.Turn.Bad = statusKind(e.Turn.Reason) > TermOK
	case "heartbeat", "progress", "retry", "ping":
		e.Kind, e.Actor, e.Status = Status, Harness, &StatusInfo{Name: r.word}
	default:
		return d.said(e, v, r)
	}
	d.emit(&e)
	return true
}

func (d *events) said(e Event, v jsonl.Value, r *record) bool {
	who := speakers[normalName(cmp.Or(r.role.Str(), r.text.Get("role").Str(), v.Get("actor").Str()))]
	if who == Nobody {
		who = speakers[r.word]
	}
	text := textOfBlocks(r.text)
	if r.role.Str() == "tool" && r.callID.Exists() {
		e.Kind, e.Actor, e.Text = ToolResult, Tool, text
		e.Result = &ResultInfo{CallID: idText(r.callID), Told: r.told, Term: r.termination(), Error: r.failed}
		d.note(e.Result.CallID, hasEnded)
		d.emit(&e)
		return true
	}
	if who == Nobody || text.Parts() == 0 {
		return false
	}
	e.Kind, e.Actor, e.Text = Message, who, text
	if who == Harness {
		e.Role = Notice
		if r.role.Str() == "system" || r.role.Str() == "developer" {
			e.Role = Prompt
		}
	}
	if who == Human && injected(text.Head(headWindow)) {
		e.Actor, e.Role = Harness, Notice
	}
	e.Value = text.First()
	d.emit(&e)
	return true
}

// wholeRecord is a record that was printed over several lines and therefore
// comes in pieces: its members are gathered until the document ends.
type wholeRecord struct {
	pos     Pos
	members []byte // `,"key":value` each
	list    string // key of the array that is open
	listed  bool   // an array of records was read in passing
	tooBig  bool
}

// wholeLimit is the most that is gathered of one record.
const wholeLimit = 4 << 20

func (d *events) piece(rec *jsonl.Record) {
	if rec.First {
		d.flushWhole()
	}
	key, rest, deep := strings.Cut(rec.Path[1:], "/")
	switch {
	case !deep && isIndex(key), deep && rec.Root.Kind() == jsonl.Object && isIndex(rest):
		d.whole.listed = deep
		d.record(rec.Root) // an element of a document that is, or holds, a list
		return
	case len(d.whole.members)+int(rec.Length) > wholeLimit:
		d.whole.tooBig = true
		return
	}
	d.gather(key, deep, rec)
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (d *events) gather(key string, deep bool, rec *jsonl.Record) {
	w := &d.whole
	if len(w.members) == 0 {
		w.pos = posOf(rec, "")
		w.pos.Pointer = ""
	}
	same := deep && w.list == key
	if w.list != "" && !same {
		w.members, w.list = append(w.members, ']'), ""
	}
	w.members = append(w.members, ',')
	if !same {
		w.members = append(appendString(w.members, strings.NewReplacer("~1", "/", "~0", "~").Replace(key)), ':')
		if deep {
			w.members, w.list = append(w.members, '['), strings.Clone(key)
		}
	}
	w.members = append(w.members, rec.Root.Raw()...)
}

func (d *events) flushWhole() {
	w := d.whole
	d.whole = wholeRecord{}
	if len(w.members) == 0 {
		return
	}
	w.members[0] = '{'
	if w.list != "" {
		w.members = append(w.members, ']')
	}
	var doc jsonl.Doc
	v, err := jsonl.Parse(append(w.members, '}'), &doc)
	if err != nil || w.tooBig {
		return
	}
	emit, rec := d.emit, d.rec
	d.rec = &jsonl.Record{Line: w.pos.Line, Offset: w.pos.Offset, Length: w.pos.Length, Root: v}
	d.emit = func(e *Event) {
		// The JSON stands elsewhere: only the way to it is kept.
		e.Pos.Pointer, e.Value = e.Value.Pointer(), jsonl.Value{}
		emit(e)
	}
	if w.listed {
		r := readRecord(v)
		d.wrapper(v, &r)
	} else {
		d.record(v)
	}
	d.emit, d.rec = emit, rec
}

// sniffEvents looks for the vocabulary's own events, and for records in the
// shape of the contract. What merely could be one stays below the formats that
// know their files.
func sniffEvents(head []jsonl.Probe) int {
	score, steps := 0, 0
	for _, p := range head {
		found := sniffRecord(p.Root, 0)
		if found == onlyStep {
			steps++
		}
		score = max(score, found)
		if p.Partial && hasKeys(p.Keys, "event") && (hasKeys(p.Keys, "text") || hasKeys(p.Keys, "args")) {
			score = max(score, 31)
		}
	}
	if score == onlyStep && 2*steps < len(head) {
		return 0 // every harness has approvals
	}
	if keys := documentKeys(head); score == 0 && hasKeys(keys, "termination") {
		score = 58
	}
	return score
}

// documentKeys are the keys of a record that comes in pieces.
func documentKeys(head []jsonl.Probe) []string {
	var keys []string
	for _, p := range head {
		if key, _, _ := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/"); key != "" && !isIndex(key) && !hasKeys(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func sniffRecord(v jsonl.Value, depth int) int {
	if v.Kind() == jsonl.Array && depth == 0 {
		return sniffRecord(v.Index(0), 1)
	}
	if v.Kind() != jsonl.Object {
		return 0
	}
	if k, ok := kindByName[v.Get("event").Str()]; ok && (v.Get("verb").Exists() || k != Decision && k != Cancel && k != Action) {
		return sniffEvent(v, k)
	}
	r := readRecord(v)
	switch {
	case r.list.Exists() && depth == 0:
		return sniffRecord(r.list.Index(0), 1)
	case r.hasTermination && (r.rerun != Unset || r.hasMarkers):
		return 65 // the contract, word for word
	case r.hasTermination && r.isTool():
		return 50
	case r.rerun != Unset && r.isTool():
		return 50
	case r.isTool() && r.process && (r.tool.Exists() || r.argv.Exists()):
		return 40
	}
	s := readStep(v, &r)
	if r.typ.Kind() == jsonl.String && s.topic != noTopic && (decisionWords[s.op] != NoDecision || cancelWords[s.op] != NoCancel || len(s.states) > 0) {
		d := events{rec: &jsonl.Record{}, emit: func(*Event) {}}
		if d.step(v, &r) {
			return onlyStep
		}
	}
	return 0
}

// onlyStep is the score of a record about an approval, a cancel or an action.
const onlyStep = 30

// sniffEvent judges a record whose event is a word of the vocabulary by the
// fields that belong to it.
func sniffEvent(v jsonl.Value, k Kind) int {
	has := func(keys ...string) bool {
		for _, key := range keys {
			if !v.Get(key).Exists() {
				return false
			}
		}
		return true
	}
	switch k {
	case Message:
		if has("actor", "text") {
			return 90
		}
	case ToolCall:
		if has("tool") || has("command") {
			return 80
		}
	case ToolResult:
		if has("termination") || has("id", "text") {
			return 80
		}
	case Decision, Cancel, Action:
		return 90 // they have a verb
	default:
		if has("at") {
			return 90
		}
		return 45
	}
	return 20
}
