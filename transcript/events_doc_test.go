package transcript

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// blocks are the lines of all fenced blocks of a language in docs/events.md.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	doc, err := os.ReadFile("../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	inside := false
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "```"+language:
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside:
			lines = append(lines, line)
		}
	}
	return lines
}

func eventSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../docs/events.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func fitsSchema(t *testing.T, schema *jsonschema.Schema, line []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		t.Errorf("%s\n%v", line, err)
	}
}

// Every example of the documentation fits the schema, and so does what it is
// normalised to.
func TestDocumentedEvents(t *testing.T) {
	schema := eventSchema(t)
	lines := blocks(t, "jsonl")
	for _, line := range lines {
		fitsSchema(t, schema, []byte(line))
	}
	for _, e := range eventsOf(t, nil, strings.Join(lines, "\n")) {
		if e.Kind != Fault {
			fitsSchema(t, schema, AppendEvent(nil, &e))
		}
	}
}

// Every example of a structured record is understood.
func TestDocumentedRecords(t *testing.T) {
	schema := eventSchema(t)
	lines := blocks(t, "json")
	got := eventsOf(t, nil, strings.Join(lines, "\n"))
	if len(got) < len(lines) {
		t.Fatalf("%d lines, %d events", len(lines), len(got))
	}
	for _, e := range got {
		if e.Kind == Unknown || e.Kind == Other {
			t.Errorf("line %d is not understood: %s", e.Pos.Line, lines[e.Pos.Line-1])
		}
		fitsSchema(t, schema, AppendEvent(nil, &e))
	}
}

// The schema names every field that is written, and every field has an
// example.
func TestEverythingIsDocumented(t *testing.T) {
	schema := eventSchema(t)
	r := random{rand.New(rand.NewPCG(3, 4))}
	for i := range 1000 {
		e := r.event(Kind(i % int(kinds)))
		e.Pos.Line, e.Pos.Offset, e.Pos.Length = 1, 2, 3
		if d := e.Decision; d != nil && d.Verb == NoDecision || e.Cancel != nil && e.Cancel.Verb == NoCancel || e.Action != nil && e.Action.Verb == NoAction {
			continue
		}
		fitsSchema(t, schema, AppendEvent(nil, &e))
	}
	var doc struct {
		Properties map[string]json.RawMessage
		Defs       map[string]struct {
			Properties map[string]json.RawMessage
		} `json:"$defs"`
	}
	raw, err := os.ReadFile("../docs/events.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	shown := map[string][]string{}
	for _, line := range blocks(t, "jsonl") {
		var v map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		event := strings.Trim(string(v["event"]), `"`)
		for key, val := range v {
			shown[event] = append(shown[event], key)
			shown["any"] = append(shown["any"], key)
			if key == "termination" {
				var inner map[string]json.RawMessage
				_ = json.Unmarshal(val, &inner)
				for key := range inner {
					shown["termination"] = append(shown["termination"], key)
				}
			}
		}
	}
	for name, def := range doc.Defs {
		for key := range def.Properties {
			if !slices.Contains(shown[name], key) {
				t.Errorf("%s: no example shows %q", name, key)
			}
		}
	}
	for key := range doc.Properties {
		if !slices.Contains(shown["any"], key) {
			t.Errorf("no example shows %q", key)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := eventSchema(t)
	for _, line := range []string{
		`{"event":"message","actor":"human"}`,
		`{"event":"decision","id":"a1"}`,
		`{"event":"decision","verb":"maybe"}`,
		`{"event":"tool_call","id":"c1","cmd":"ls"}`,
		`{"event":"tool_result","termination":{"kind":"fine"}}`,
		`{"event":"shout","text":"a"}`,
		`{"text":"a"}`,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(v) == nil {
			t.Errorf("not refused: %s", line)
		}
	}
}
