package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/transcript-lint/transcript-lint/ledger"
)

// codexSpeller writes Codex rollouts in their envelope
// {"timestamp","type","payload"}.
type codexSpeller struct{}

var (
	codexExit   = regexp.MustCompile(`(?m)^(Process exited with code|Exit code:) 0$`)
	codexOutput = regexp.MustCompile(`(?s)^(.*?\nOutput:\n)(.*)$`)
)

// result finds the record of a call's output, when it ended in that record.
func (codexSpeller) result(d *draft, c *ledger.Call) *line {
	if c.Result == nil || c.ID == "" {
		return nil
	}
	l := d.old[c.Result.Line]
	if str(l.text, "payload.call_id") != c.ID || !strings.HasSuffix(str(l.text, "payload.type"), "_output") {
		return nil
	}
	return l
}

func (p codexSpeller) retell(d *draft, c *ledger.Call, e ending) bool {
	l := p.result(d, c)
	if l == nil || c.Result.End.Line != c.Result.Line {
		return false
	}
	out := gjson.GetBytes(l.text, "payload.output")
	m := codexOutput.FindStringSubmatch(out.Str)
	if m == nil || !codexExit.MatchString(m[1]) {
		return false
	}
	if e.kind == endBoth {
		text := codexExit.ReplaceAllString(m[1], "$1 143") + codexText(e)
		l.text = set(l.text, "payload.output", object("content", text, "success", true))
	} else {
		header := codexExit.ReplaceAllString(m[1], fmt.Sprintf("$1 %d", codexCode(e)))
		l.text = set(l.text, "payload.output", header+codexText(e))
	}
	l.planted = true
	for _, k := range d.lines { // the same end as the events tell it
		if str(k.text, "payload.call_id") == c.ID && str(k.text, "payload.type") == "exec_command_end" {
			k.text = set(k.text, "payload.exit_code", codexCode(e))
			k.text = set(k.text, "payload.aggregated_output", codexText(e))
		}
	}
	return true
}

func codexCode(e ending) int {
	switch e.kind {
	case endTimeout:
		return 124
	case endBoth:
		return 143
	}
	return e.code
}

func codexText(e ending) string {
	if e.kind == endTimeout || e.kind == endBoth {
		return fmt.Sprintf("command timed out after %d milliseconds\n%s", killedAfter*1000, e.text)
	}
	return e.text
}

func (p codexSpeller) reprint(d *draft, c *ledger.Call, change func(string) string) bool {
	l := p.result(d, c)
	if l == nil {
		return false
	}
	out := gjson.GetBytes(l.text, "payload.output")
	if out.Type != gjson.String {
		return false
	}
	if m := codexOutput.FindStringSubmatch(out.Str); m != nil {
		l.text = set(l.text, "payload.output", m[1]+change(m[2]))
	} else {
		l.text = set(l.text, "payload.output", change(out.Str))
	}
	l.planted = true
	return true
}

func (p codexSpeller) drop(d *draft, c *ledger.Call) bool {
	if p.result(d, c) == nil {
		return false
	}
	for _, l := range append([]*line(nil), d.lines...) {
		if str(l.text, "payload.call_id") == c.ID {
			d.remove(l)
		}
	}
	return true
}

func (p codexSpeller) swallow(d *draft, c *ledger.Call) bool {
	if p.result(d, c) == nil {
		return false
	}
	for _, l := range append([]*line(nil), d.lines...) {
		if str(l.text, "payload.call_id") == c.ID && d.old[c.Ref.Line] != l {
			d.remove(l)
		}
	}
	d.old[c.Ref.Line].planted = true
	return true
}

// put adds records with the time of the line before them.
func (codexSpeller) put(d *draft, after *line, payloads ...raw) []*line {
	texts := make([][]byte, len(payloads))
	for i, p := range payloads {
		typ := "response_item"
		if strings.HasPrefix(string(p), `{"message":`) {
			typ = "compacted"
		}
		texts[i] = []byte(object("timestamp", str(after.text, "timestamp"), "type", typ, "payload", p))
	}
	return d.insert(after, texts...)
}

func (p codexSpeller) say(d *draft, after *line, text string) []*line {
	return p.put(d, after, object("type", "message", "role", "assistant", "content", list(object("type", "output_text", "text", text))))
}

func (p codexSpeller) call(d *draft, after *line, tool, args, output string) []*line {
	id := d.id("call_")
	return p.put(
		d, after,
		object("type", "function_call", "name", tool, "arguments", args, "call_id", id),
		object("type", "function_call_output", "call_id", id, "output", output),
	)
}

func (p codexSpeller) run(d *draft, after *line, command string, e ending) []*line {
	out := fmt.Sprintf("Chunk ID: %06x\nWall time: 1.5000 seconds\nProcess exited with code %d\nOriginal token count: 40\nOutput:\n%s",
		d.rnd.Uint32N(1<<24), codexCode(e), codexText(e))
	return p.call(d, after, "exec_command", string(object("cmd", command, "yield_time_ms", 10000)), out)
}

func (p codexSpeller) ask(d *draft, after *line, question string, answered bool) []*line {
	answers := object("release", object("answers", list()))
	if answered {
		answers = object("release", object("answers", raw(`["Yes"]`)))
	}
	args := object("questions", list(object("id", "release", "header", "Release", "question", question)))
	return p.call(d, after, "request_user_input", string(args), string(object("answers", answers)))
}

func (p codexSpeller) compact(d *draft, after *line, summary string) []*line {
	return p.put(d, after, object("message", summary))
}

func (p codexSpeller) rethink(d *draft, from, after *line) []*line {
	payload := gjson.GetBytes(from.text, "payload")
	if payload.Get("type").Str != "reasoning" {
		return nil
	}
	from.planted = true
	return p.put(d, after, raw(payload.Raw))
}

func (p codexSpeller) again(d *draft, c *ledger.Call, after *line) []*line {
	res := p.result(d, c)
	if res == nil || str(d.old[c.Ref.Line].text, "payload.call_id") != c.ID {
		return nil
	}
	id := d.id("call_")
	call := set([]byte(gjson.GetBytes(d.old[c.Ref.Line].text, "payload").Raw), "call_id", id)
	if gjson.GetBytes(call, "id").Exists() {
		call = set(call, "id", d.id("fc_"))
	}
	return p.put(d, after, raw(call), raw(set([]byte(gjson.GetBytes(res.text, "payload").Raw), "call_id", id)))
}
