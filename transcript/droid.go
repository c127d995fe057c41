package transcript

import (
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Factory Droid: session files, Anthropic messages in an envelope of their
// own, a tree by parentId.
//
//	record              event                        termination from
//	session_start       Session
//	message             as any Anthropic message     text: "Error: Command failed (exit code: N)" at the beginning,
//	                                                 "[Process exited with code N]" at the end; is_error
//	compaction_state    Compaction, Message(summary)
//	todo_state          Other
//
// A failed command begins with an error line; the output of one that ended
// with exit code 0 stands alone, so that its success is inferred.
var droidFormat = &Format{
	Name:  "factory-droid",
	Title: "Factory Droid session",
	Sniff: sniffDroid,
	New:   func() Decoder { return &droid{} },
}

func sniffDroid(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		switch typ := v.Get("type").Str(); {
		case typ == "session_start" && v.Get("id").Exists() && (v.Get("owner").Exists() || v.Get("sessionTitle").Exists()):
			return 95
		case typ == "session_start" && v.Get("cwd").Exists(), typ == "compaction_state" && v.Get("timestamp").Exists():
			score = max(score, 80)
		case typ == "message" && v.At("message", "role").Exists() && v.Get("timestamp").Exists() && v.Get("id").Exists():
			score = max(score, 25)
			for _, b := range v.At("message", "content").Elems() {
				if kind := b.Get("type").Str(); kind == "tool_use" || kind == "tool_result" {
					score = max(score, 60)
				}
			}
		}
	}
	return score
}

type droid struct{ talk }

// Flush has nothing to add: nothing is held back.
func (d *droid) Flush(Emit) {}

// Decode reads one record.
func (d *droid) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	d.begin(rec, emit)
	d.base.Type, d.base.Time = root.Get("type").Str(), parseTime(root.Get("timestamp"))
	switch d.base.Type {
	case "session_start":
		d.send(Session, root, func(e *Event) {
			e.Session = &SessionInfo{ID: root.Get("id").Str(), Dir: root.Get("cwd").Str(), Version: idText(root.Get("version"))}
		})
	case "message":
		d.base.Pos.ID, d.base.Parent = root.Get("id").Str(), root.Get("parentId").Str()
		d.line(root.Get("message"))
	case "compaction_state":
		summary := firstExisting(root, "summaryText", "summary")
		d.send(Compaction, root, func(e *Event) { e.Compaction = &CompactionInfo{Opaque: summary.RawLen() == 0} })
		if summary.RawLen() > 0 {
			d.say(summary, Assistant, Summary, TextView(summary))
		}
	case "todo_state", "session_end", "session_settings":
		d.send(Other, root, nil)
	default:
		d.emit(unknownEvent(rec, d.base.Type))
	}
}

func (d *droid) line(m jsonl.Value) {
	d.names(m.Get("model"), m)
	d.msgID, d.stop = d.base.Pos.ID, m.Get("stop_reason").Str()
	content := m.Get("content")
	switch m.Get("role").Str() {
	case "user":
		if content.Kind() == jsonl.String {
			d.userText(content)
		}
		for _, b := range content.Elems() {
			d.userBlock(b)
		}
	case "assistant":
		d.assistant(m, content)
	case "system":
		d.system(content)
	default:
		d.emit(unknownEvent(d.rec, "message "+m.Get("role").Str()))
	}
}

func (d *droid) userBlock(b jsonl.Value) {
	switch b.Get("type").Str() {
	case "text":
		d.userText(b.Get("text"))
	case "tool_result":
		text := textOfBlocks(b.Get("content"))
		call := d.answer(b.Get("tool_use_id").Str(), "")
		r := &ResultInfo{CallID: call.id, Tool: call.tool, Error: flagAt(b, "is_error")}
		droidEnd(r, call.act, text)
		d.give(b, r, text)
	default:
		d.send(Other, b, nil)
	}
}

// userText splits the reminders off that stand in front of the human's words.
func (d *droid) userText(v jsonl.Value) {
	if !strings.HasPrefix(v.Head(40), "<system-reminder>") {
		d.words(v)
		return
	}
	s := v.Str()
	cut := strings.LastIndex(s, "</system-reminder>")
	rest := ""
	if cut >= 0 {
		cut += len("</system-reminder>")
		rest = strings.TrimSpace(s[cut:])
	} else {
		cut = len(s)
	}
	d.say(v, Harness, Notice, TextOf(s[:cut]))
	if rest != "" {
		d.say(v, Human, Prose, TextOf(rest))
	}
}

var (
	droidFailed = regexp.MustCompile(`^Error: Command failed \(exit code: (-?\d+)\)`)
	droidExited = regexp.MustCompile(`(?:^|\n)\[Process exited with code (-?\d+)\]\s*$`)
)

func droidEnd(r *ResultInfo, act Act, text Text) {
	head := text.Head(headWindow)
	if act == Shell {
		m := droidFailed.FindStringSubmatch(head)
		if m == nil {
			m = droidExited.FindStringSubmatch(text.Tail(tailWindow))
		}
		if m != nil {
			if r.Error == True {
				r.Told = append(r.Told, Told{Field: "is_error", Value: "true", Good: False})
			}
			r.byDigits(m)
			return
		}
	}
	genericEnd(r, act, text)
	if r.Term.Kind == TermUnknown && r.Error != True && !strings.HasPrefix(head, "Error:") && (act == Shell || act == Edit || act == Read) {
		r.Term = Termination{Kind: TermOK, Source: FromAbsence, Quote: "no error line"}
	}
}
