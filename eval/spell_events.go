package main

import (
	"github.com/tidwall/gjson"

	"github.com/transcript-lint/transcript-lint/ledger"
)

// eventsSpeller writes the vocabulary of docs/events.md.
type eventsSpeller struct{}

func (eventsSpeller) result(d *draft, c *ledger.Call) *line {
	if c.Result == nil || c.ID == "" {
		return nil
	}
	l := d.old[c.Result.Line]
	if str(l.text, "event") != "tool_result" || str(l.text, "id") != c.ID || gjson.GetBytes(l.text, "job").Exists() {
		return nil
	}
	return l
}

func (p eventsSpeller) retell(d *draft, c *ledger.Call, e ending) bool {
	l := p.result(d, c)
	if l == nil || c.Result.End.Line != c.Result.Line {
		return false
	}
	members := []any{"event", "tool_result"}
	for _, key := range []string{"time", "record", "parent", "msg"} {
		if v := gjson.GetBytes(l.text, key); v.Exists() {
			members = append(members, key, raw(v.Raw))
		}
	}
	l.text = []byte(object(append(members, append([]any{"id", c.ID, "text", e.text}, eventsEnd(e)...)...)...))
	l.planted = true
	for _, k := range append([]*line(nil), d.lines...) { // what was told of the result a second time
		if k != l && str(k.text, "event") == "tool_result" && str(k.text, "id") == c.ID {
			d.remove(k)
		}
	}
	return true
}

func eventsEnd(e ending) []any {
	switch e.kind {
	case endTimeout:
		return []any{"termination", object("kind", "timeout", "exit_code", 143, "signal_name", "SIGTERM", "timed_out", true, "limit_ms", killedAfter*1000)}
	case endNonzero:
		return []any{"exit_code", e.code}
	case endBoth:
		told := list(object("field", "success", "value", "true", "good", true), object("field", "exit_code", "value", "143", "good", false))
		return []any{"told", told, "termination", object("kind", "signalled", "exit_code", 143)}
	}
	return []any{"exit_code", 0}
}

func (p eventsSpeller) reprint(d *draft, c *ledger.Call, change func(string) string) bool {
	l := p.result(d, c)
	if l == nil || !gjson.GetBytes(l.text, "text").Exists() {
		return false
	}
	l.text = set(l.text, "text", change(str(l.text, "text")))
	l.planted = true
	return true
}

func (p eventsSpeller) drop(d *draft, c *ledger.Call) bool {
	if p.result(d, c) == nil {
		return false
	}
	p.without(d, c, func(string) bool { return true })
	return true
}

func (p eventsSpeller) swallow(d *draft, c *ledger.Call) bool {
	if p.result(d, c) == nil {
		return false
	}
	p.without(d, c, func(event string) bool { return event == "tool_result" })
	d.old[c.Ref.Line].planted = true
	return true
}

// without takes the events of a call out, and mends the tree when there is
// one.
func (eventsSpeller) without(d *draft, c *ledger.Call, which func(string) bool) {
	for _, l := range append([]*line(nil), d.lines...) {
		event := str(l.text, "event")
		if (event != "tool_call" && event != "tool_result" || str(l.text, "id") != c.ID) && (event != "decision" || str(l.text, "call") != c.ID) || !which(event) {
			continue
		}
		record, parent := str(l.text, "record"), gjson.GetBytes(l.text, "parent")
		d.remove(l)
		for _, k := range d.lines {
			if record != "" && parent.Exists() && str(k.text, "parent") == record {
				k.text = set(k.text, "parent", raw(parent.Raw))
			}
		}
	}
}

// put adds events with the time of the line before them; in a tree they stand
// where that line stands.
func (eventsSpeller) put(d *draft, after *line, events ...[]any) []*line {
	texts := make([][]byte, len(events))
	for i, members := range events {
		full := append([]any{}, members[:2]...)
		if v := gjson.GetBytes(after.text, "time"); v.Exists() {
			full = append(full, "time", raw(v.Raw))
		}
		if v := gjson.GetBytes(after.text, "record"); v.Exists() {
			full = append(full, "record", raw(v.Raw))
			if v := gjson.GetBytes(after.text, "parent"); v.Exists() {
				full = append(full, "parent", raw(v.Raw))
			}
		}
		texts[i] = []byte(object(append(full, members[2:]...)...))
	}
	return d.insert(after, texts...)
}

func (p eventsSpeller) say(d *draft, after *line, text string) []*line {
	return p.put(d, after, []any{"event", "message", "actor", "assistant", "text", text})
}

func (p eventsSpeller) run(d *draft, after *line, command string, e ending) []*line {
	id := d.id("call-")
	return p.put(
		d, after,
		[]any{"event", "tool_call", "id", id, "tool", "shell", "command", command},
		append([]any{"event", "tool_result", "id", id, "text", e.text}, eventsEnd(e)...),
	)
}

func (p eventsSpeller) ask(d *draft, after *line, question string, answered bool) []*line {
	id := d.id("wait-")
	end := []any{"event", "decision", "verb", "expired", "id", id, "waited_ms", 60000}
	if answered {
		end = []any{"event", "decision", "verb", "approved", "id", id, "by", "human", "waited_ms", 8000}
	}
	return p.put(d, after, []any{"event", "decision", "verb", "requested", "id", id, "subject", question}, end)
}

func (p eventsSpeller) compact(d *draft, after *line, summary string) []*line {
	return p.put(
		d, after,
		[]any{"event", "compaction", "trigger", "auto", "pre_tokens", 168000},
		[]any{"event", "message", "actor", "assistant", "role", "summary", "text", summary},
	)
}

func (p eventsSpeller) rethink(d *draft, from, after *line) []*line {
	if str(from.text, "event") != "reasoning" {
		return nil
	}
	from.planted = true
	members := []any{"event", "reasoning", "msg", d.id("msg-"), "text", str(from.text, "text")}
	if v := str(from.text, "signature"); v != "" {
		members = append(members, "signature", v)
	}
	return p.put(d, after, members)
}

func (p eventsSpeller) again(d *draft, c *ledger.Call, after *line) []*line {
	res := p.result(d, c)
	if res == nil || str(d.old[c.Ref.Line].text, "id") != c.ID {
		return nil
	}
	id := d.id("call-")
	call := set(d.old[c.Ref.Line].text, "id", id)
	call = set(call, "msg", d.id("msg-"))
	return d.insert(after, call, set(res.text, "id", id))
}
