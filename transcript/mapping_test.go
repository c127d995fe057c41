package transcript

import (
	"strings"
	"testing"
)

var acme = Mapping{
	Name: "acme",
	Records: []MappedRecord{
		{
			When: map[string]string{"kind": "start"}, Set: map[string]any{"event": "tool_call", "tool": "shell"},
			Take: map[string]string{"id": "step", "command": "run.line", "time": "at"},
		},
		{
			When: map[string]string{"kind": "end", "run.rc": "*"}, Set: map[string]any{"event": "tool_result"},
			Take: map[string]string{"id": "step", "text": "run.out.0", "termination.exit_code": "run.rc", "termination.timed_out": "run.late"},
		},
		{When: map[string]string{"kind": "say"}, Set: map[string]any{"event": "message"}, Take: map[string]string{"actor": "who", "text": "words"}},
	},
}

func TestMapping(t *testing.T) {
	f, err := NewMappedFormat(acme)
	if err != nil {
		t.Fatal(err)
	}
	log := `{"kind":"say","who":"human","words":"test it"}
{"kind":"start","step":7,"at":"2026-05-04T01:00:00Z","run":{"line":"go test ./..."}}
{"kind":"end","step":7,"run":{"rc":143,"late":true,"out":["PASS one"]}}
{"kind":"end","step":8}
{"kind":"beat"}
`
	events := eventsOf(t, f, log)
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Kind.String())
	}
	if got, want := strings.Join(kinds, " "), "message tool_call tool_result unknown unknown"; got != want {
		t.Fatalf("kinds: got %s, want %s", got, want)
	}
	if c := events[1].Call; c.Command != "go test ./..." || c.Act != Shell || c.ID != "7" {
		t.Errorf("call: %+v", c)
	}
	if r := events[2].Result; r.Term.Kind != TermTimeout || r.Term.Code != 143 || r.CallID != "7" {
		t.Errorf("result: %+v", r)
	}
	if p := events[2].Pos; p.Line != 3 {
		t.Errorf("position: %+v", p)
	}
}

func TestMappingErrors(t *testing.T) {
	for _, m := range []Mapping{
		{},
		{Name: "empty"},
		{Name: "mute", Records: []MappedRecord{{When: map[string]string{"a": "b"}}}},
	} {
		if _, err := NewMappedFormat(m); err == nil {
			t.Errorf("%+v: no error", m)
		}
	}
}
