package main

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// jsonCutInPlace cuts a JSON result of the log by position.
var jsonCutInPlace = &mutator{
	name: "JSON cut at a budget", rules: []string{"json-cut"}, lawful: []string{"silent-cut", "field-starvation", "stuck-loop"}, most: 3,
	places: func(s *session) []place {
		var out []place
		for _, c := range s.led.Calls {
			if s.whole[c] == 0 || c.Act == transcript.Read || s.led.Abandoned(c) || c.Origin != transcript.Observed {
				continue
			}
			out = append(out, func(d *draft) (plant, bool) { return plant{}, s.spell.reprint(d, c, d.cut) })
		}
		return out
	},
}

// cut takes the end, or the middle, out of a text, in one of the ways in which
// harnesses do.
func (d *draft) cut(text string) string {
	start := strings.IndexAny(text, "{[")
	if start < 0 {
		return text
	}
	budget := max(start+200, len(text)*(3+d.rnd.IntN(6))/10)
	for budget < len(text)-1 && (text[budget-1] == '\n' || text[budget-1] == ' ' || text[budget]&0xC0 == 0x80) {
		budget++
	}
	head := text[:budget]
	switch d.rnd.IntN(4) {
	case 0:
		return head
	case 1:
		return head + "\n... [output truncated]"
	case 2:
		return head + fmt.Sprintf("\n\n[%d characters truncated]", len(text)-budget)
	}
	tail := text[len(text)-min(80, len(text)-budget):]
	return head + fmt.Sprintf("\n\n... [%d characters truncated] ...\n\n", len(text)-budget) + strings.ToValidUTF8(tail, "")
}

// jsonCutInserted adds a call whose JSON result was cut; in the twin it came
// whole.
var jsonCutInserted = &mutator{
	name: "JSON call, cut", rules: []string{"json-cut"}, lawful: []string{"silent-cut", "field-starvation"}, most: 2,
	places: func(s *session) []place {
		return inserted(s, func(d *draft, after *ledger.Call, sound bool) bool {
			text := rows(14 + d.rnd.IntN(30))
			if !sound {
				text = d.cut(text)
			}
			return s.spell.run(d, d.old[after.Result.Line], "curl -s https://api.example.org/v1/orders", ending{text: text}) != nil
		})
	},
}

func rows(n int) string {
	list := strings.TrimSuffix(sprintLines(`{"id":%d,"customer":"c-100","status":"shipped","total":41.5,"lines":[{"sku":"a-1","count":2}]},`, n), ",")
	return `{"page":1,"orders":[` + list + `],"next":null}`
}

// inserted plants records at a seeded place twice: sound for the twin, and
// with the fault.
func inserted(s *session, put func(d *draft, after *ledger.Call, sound bool) bool) []place {
	var out []place
	for _, c := range insertion(s) {
		out = append(out, func(d *draft) (plant, bool) {
			twin := s.draft(d.rnd)
			if !put(twin, c, true) || !put(d, c, false) {
				return plant{}, false
			}
			return plant{twin: twin.bytes()}, true
		})
	}
	return out
}
