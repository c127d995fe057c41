package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Codex rollouts, in every era: one JSON document {"session","items"}, bare
// items one a line, flattened items with a timestamp, and the envelope
// {"timestamp","type","payload"} since September 2025.
//
//	record                                event                     termination from
//	session_meta, turn_context            Session (id, model, policy)
//	response_item/message                 Message: assistant, human, or notice for what the harness writes as "user"
//	response_item/reasoning               Reasoning
//	response_item/function_call, custom_tool_call, local_shell_call,
//	    tool_search_call, web_search_call ToolCall
//	response_item/*_output                ToolResult (Decision)     text: "Exit code: N", "Process exited with code N", "Process running with
//	                                                                session ID N", "aborted by user"; JSON: metadata.exit_code (codex_result.go)
//	event_msg/exec_command_end, patch_apply_end, mcp_tool_call_end
//	                                      ToolResult (repeats), Job exit_code, status, success, result (codex_events.go)
//	event_msg/agent_message, user_message Message, unless its response_item was told
//	event_msg/token_count                 Usage
//	event_msg/task_complete, turn_aborted TurnEnd
//	event_msg/guardian_assessment         Decision
//	compacted, context_compacted          Compaction, Message(summary)
//
// Whether a tool succeeded is not stored with its output: what no text or
// event tells stays unknown. Records that a fork copied from its parent are
// Copied up to the first turn of its own.
var codexFormat = &Format{
	Name:  "codex",
	Title: "Codex rollout",
	Sniff: sniffCodex,
	New:   func() Decoder { return &codex{} },
}

// codexOldFormat is the oldest era: a document, read in pieces.
var codexOldFormat = &Format{
	Name:   "codex-json",
	Title:  "Codex rollout, one JSON document",
	Sniff:  sniffCodexOld,
	Pieces: true,
	New:    func() Decoder { return &codex{} },
}

var codexRecords = map[string]bool{
	"session_meta": true, "response_item": true, "event_msg": true, "turn_context": true, "compacted": true, "world_state": true,
}

var codexItems = map[string]bool{
	"message": true, "reasoning": true, "function_call": true, "function_call_output": true, "local_shell_call": true, "local_shell_call_output": true,
	"custom_tool_call": true, "custom_tool_call_output": true,
}

func sniffCodex(head []jsonl.Probe) int {
	score, dated := 0, false
	for _, p := range head {
		v := p.Root
		typ := v.Get("type").Str()
		switch {
		case p.Path != "":
			return 0
		case isCodexRecord(p, typ):
			return 95
		case v.Get("record_type").Str() == "state" || isCodexHeader(v):
			score = max(score, 80)
		case codexItems[typ] && v.Get("timestamp").Exists() && !v.Get("message").Exists() && (typ != "message" || v.Get("role").Exists()):
			dated = true
			score = max(score, 50)
		case typ == "local_shell_call" || typ == "custom_tool_call":
			score = max(score, 55)
		}
	}
	if dated && score > 50 {
		score = 85
	}
	return score
}

// isCodexRecord recognises the envelope of the present era. Items and events
// have a type of their own in it.
func isCodexRecord(p jsonl.Probe, typ string) bool {
	payload := p.Root.Get("payload")
	switch {
	case !codexRecords[typ]:
		return false
	case payload.Kind() != jsonl.Object:
		return p.Partial && hasKeys(p.Keys, "payload")
	case typ == "response_item" || typ == "event_msg":
		kind := payload.Get("type").Str()
		return kind != "" && (kind != "message" || payload.Get("role").Exists())
	}
	return true
}

// isCodexHeader recognises the first line of the bare era.
func isCodexHeader(v jsonl.Value) bool {
	return !v.Get("type").Exists() && v.Get("id").Kind() == jsonl.String && v.Get("timestamp").Kind() == jsonl.String && v.Get("instructions").Exists()
}

func sniffCodexOld(head []jsonl.Probe) int {
	for _, p := range head {
		session := p.Root
		if p.Path == "" {
			if !p.Root.Get("items").Exists() {
				return 0
			}
			session = p.Root.Get("session")
		} else if p.Path != "/session" {
			continue
		}
		if session.Get("id").Exists() && session.Get("timestamp").Exists() {
			return 90
		}
	}
	return 0
}

// codex decodes rollouts, and the events of the older `exec --json`.
type codex struct {
	live bool // `exec --json`: events are all there is, none repeats an item

	id, model, policy string
	window            int64
	peer              bool // a subagent's file: role "user" is the agent that started it
	records           int
	fork              codexFork

	calls     map[string]codexCall   // by call id, until the output came
	ended     map[string]codexEnd    // ends that were told before the output
	special   map[string]Termination // timeouts and interruptions, which typed fields do not tell
	running   map[string]string      // call id -> session of a command that goes on
	ctrlC     map[string]bool        // sessions that the agent typed Ctrl-C into
	twins     map[uint64]int         // words told by one of two records: >0 by the event, <0 by the item
	last      uint64                 // the newest words of the assistant
	compacted bool                   // the event that repeats a compacted record is to come
	total     int64                  // newest running total of tokens

	args, inner jsonl.Doc
	emit        Emit
	rec         *jsonl.Record
	base        Event
}

// codexCall is what is remembered of an open call.
type codexCall struct {
	tool string
	act  Act
	job  string
	code bool // code mode: the command ran inside a script
}

// codexFork tells a forked file's copied prefix from its own records.
type codexFork struct {
	on    bool
	start time.Time // when the copy was written
}

func (c *codex) Flush(Emit) {}

func (c *codex) Decode(rec *jsonl.Record, emit Emit) {
	root := rec.Root
	c.emit, c.rec = emit, rec
	if root.Kind() != jsonl.Object {
		c.base = Event{Pos: posOf(rec, "")}
		if rec.Path != "" {
			c.send(Other, root, nil)
			return
		}
		emit(unknownEvent(rec, "not an object"))
		return
	}
	typ, payload := root.Get("type").Str(), root.Get("payload")
	c.base = Event{Pos: posOf(rec, ""), Time: parseTime(root.Get("timestamp")), Type: typ}
	c.copying(typ, payload)
	if c.fork.on {
		c.base.Origin = Copied
	}
	c.records++
	if payload.Kind() == jsonl.Object {
		c.envelope(typ, payload)
		return
	}
	c.bare(typ, root)
}

// bare reads the eras without an envelope.
func (c *codex) bare(typ string, root jsonl.Value) {
	switch {
	case c.rec.Path == "/session", typ == "" && isCodexHeader(root):
		c.meta(root)
	case root.Get("record_type").Exists(), strings.HasPrefix(c.rec.Path, "/") && !strings.HasPrefix(c.rec.Path, "/items/"):
		c.send(Other, root, nil)
	case typ == "event_msg", typ == "response_item", typ == "compacted":
		c.send(Unknown, root, nil) // an envelope that lost its payload
	default:
		c.item(root)
	}
}

func (c *codex) envelope(typ string, p jsonl.Value) {
	if sub := p.Get("type").Str(); sub != "" {
		c.base.Type = typ + "/" + sub
	}
	switch typ {
	case "session_meta":
		c.meta(p)
	case "response_item":
		c.item(p)
	case "event_msg":
		c.event(p)
	case "turn_context":
		c.turnContext(p)
	case "compacted":
		c.compaction(p)
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata", "session_state", "security_risk_score", "realtime_item",
		"token_usage_record", "ghost_snapshot":
		c.send(Other, p, nil)
	default:
		c.send(Unknown, p, nil)
	}
}

func (c *codex) send(k Kind, v jsonl.Value, fill func(*Event)) {
	e := c.base
	e.Kind, e.Value = k, v
	if fill != nil {
		fill(&e)
	}
	c.emit(&e)
}

// copying looks for the end of a copied prefix. A fork writes its parent's
// records again with the time of the fork; its own begin with a turn whose id,
// which counts up with time, is younger than the session's.
func (c *codex) copying(typ string, p jsonl.Value) {
	if !c.fork.on || typ == "session_meta" {
		return
	}
	if at := c.base.Time; !at.IsZero() && !c.fork.start.IsZero() && at.Sub(c.fork.start) > 5*time.Second {
		c.fork.on = false
		return
	}
	sub := p.Get("type").Str()
	if typ != "turn_context" && sub != "task_started" && sub != "turn_started" {
		return
	}
	turn := p.Get("turn_id").Str()
	if len(turn) == 36 && len(c.id) == 36 && turn[14] == '7' && c.id[14] == '7' {
		c.fork.on = turn < c.id
		return
	}
	if begun := parseTime(p.Get("started_at")); !begun.IsZero() && !c.fork.start.IsZero() {
		c.fork.on = begun.Before(c.fork.start.Add(-2 * time.Second))
	}
}

// meta reads the head of a session. A further head of the same session is a
// resume; one of another session directly below the first begins a copy of it.
func (c *codex) meta(m jsonl.Value) {
	id := m.Get("id").Str()
	parent := m.Get("forked_from_id").Str()
	switch {
	case c.id == "":
		c.id = strings.Clone(id)
		c.fork = codexFork{on: parent != "", start: c.base.Time}
		c.peer = m.At("source", "subagent").Exists()
	case id != c.id && c.records == 2:
		c.fork = codexFork{on: true, start: c.base.Time}
		fallthrough
	case c.fork.on:
		c.base.Origin = Copied
		c.send(Other, m, nil)
		return
	}
	c.send(Session, m, func(e *Event) {
		e.Session = &SessionInfo{ID: id, Start: id != c.id, Dir: m.Get("cwd").Str(), Version: m.Get("cli_version").Str(), Fork: parent}
	})
	c.id = strings.Clone(id)
}

// turnContext tells the model and the policy of a turn: told on when they
// change.
func (c *codex) turnContext(p jsonl.Value) {
	model, policy := p.Get("model").Str(), codexPolicy(p)
	if model == c.model && policy == c.policy {
		c.send(Other, p, nil)
		return
	}
	c.model, c.policy = strings.Clone(model), strings.Clone(policy)
	c.send(Session, p, func(e *Event) {
		e.Session = &SessionInfo{Model: model, Policy: policy, Dir: p.Get("cwd").Str(), Auto: codexAuto(p.Get("approval_policy").Str(), p.Get("approvals_reviewer").Str())}
	})
}

func codexPolicy(p jsonl.Value) string {
	policy := p.Get("approval_policy").Str()
	if p.Get("approval_policy").Kind() == jsonl.Object {
		policy = "granular"
	}
	if box := cmp.Or(p.At("sandbox_policy", "type").Str(), p.At("sandbox_policy", "mode").Str()); box != "" {
		policy += ", " + box
	}
	return policy
}

// codexAuto: "never" asks nobody, and a reviewer that is a model is nobody.
func codexAuto(policy, reviewer string) Flag {
	switch policy {
	case "never":
		return True
	case "untrusted", "on-failure", "on-request", "unless-trusted":
		return FlagOf(reviewer != "" && reviewer != "user")
	}
	return Unset
}

// compaction reads a compacted record: the boundary, and the summary where it
// can be read. The history that replaces the old one is told again.
func (c *codex) compaction(p jsonl.Value) {
	c.compacted = true
	summary := p.Get("message")
	for _, item := range p.Get("replacement_history").Elems() {
		text := item.Get("content").Index(0).Get("text")
		if summary.RawLen() == 0 && strings.HasPrefix(text.Head(80), codexSummary) {
			summary = text
		}
	}
	readable := summary.RawLen() > 0
	c.send(Compaction, p, func(e *Event) { e.Compaction = &CompactionInfo{Opaque: !readable} })
	if readable {
		c.send(Message, summary, func(e *Event) { e.Actor, e.Role, e.Text = Assistant, Summary, TextView(summary) })
	}
	if h := p.Get("replacement_history"); h.Exists() {
		c.send(Other, h, func(e *Event) { e.Origin = Copied })
	}
}

// codexSummary begins the summaries that the model itself wrote.
const codexSummary = "Another language model started to solve this problem"
