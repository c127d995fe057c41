package config_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/transcript-lint/transcript-lint/config"
	"github.com/transcript-lint/transcript-lint/userrule"
)

var update = flag.Bool("update", false, "write the tables of fields into docs/config.md")

const page = "../docs/config.md"

func fieldTable(on string) string {
	var b strings.Builder
	for _, f := range userrule.Fields(on) {
		may := ""
		if f.MayBeUnknown {
			may = "; may be unknown"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s%s |\n", f.Name, f.Type(), f.Doc, may)
	}
	return b.String()
}

// TestFieldTables wants every field of a condition in the documentation.
func TestFieldTables(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, on := range userrule.Subjects() {
		re := regexp.MustCompile("(?s)(### `on: " + on + "`\n\n\\| field \\| type \\| meaning \\|\n\\| --- \\| --- \\| --- \\|\n).*?(\n#|$)")
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			m := re.FindStringSubmatch(s)
			return m[1] + fieldTable(on) + m[2]
		})
	}
	switch {
	case *update:
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	case text != string(data):
		t.Error("docs/config.md is stale: go test ./config -run TestFieldTables -update")
	}
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../docs/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// TestExamples reads every example of the documentation and the template, as
// they are and with their commented parts, and holds them against the schema.
func TestExamples(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	commented := regexp.MustCompile(`(?m)(: (\[\]|\{\})\n)((?:#  .*\n)+)`).ReplaceAllStringFunc(config.Template, func(s string) string {
		s = strings.NewReplacer(": []\n", ":\n", ": {}\n", ":\n").Replace(s)
		return strings.ReplaceAll(s, "\n#", "\n")
	})
	examples := []string{config.Template, commented}
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		examples = append(examples, m[1])
	}
	if len(examples) < 4 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		c, err := config.Parse("example.yaml", []byte(e))
		if err != nil {
			t.Errorf("%v\n%s", err, e)
			continue
		}
		if strings.Contains(e, "- id:") && !strings.Contains(e, "#  - id:") && len(c.UserRules()) == 0 {
			t.Errorf("no user rules in\n%s", e)
		}
		if err := fits(t, schema(t), e); err != nil {
			t.Errorf("%v\n%s", err, e)
		}
	}
}

// TestSchemaRefuses wants the schema to be as strict as the reader.
func TestSchemaRefuses(t *testing.T) {
	for _, bad := range []string{
		"colour: never", "fail-on: sometimes", "rules: {json-cut: {lvl: note}}", "rules: {json-cut: {level: loud}}", "rules: {json-cut: note}",
		"overrides: [{rules: {}}]", "exclude: fixtures", "user-rules: [{id: a, on: call, when: masked}]",
		"user-rules: [{id: A B, on: call, when: masked, message: m}]", "user-rules: [{id: a, on: event, when: masked, message: m}]",
	} {
		if fits(t, schema(t), bad) == nil {
			t.Errorf("the schema takes %s", bad)
		}
		if _, err := config.Parse("bad.yaml", []byte(bad)); err == nil {
			t.Errorf("the reader takes %s", bad)
		}
	}
}
