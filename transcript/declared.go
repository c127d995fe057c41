package transcript

import (
	"cmp"
	"fmt"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Declared reads a declaration of tools as providers and servers spell it: a
// list of tools, or an object that holds one as `tools` or `functions` (a
// request to Anthropic, OpenAI or Gemini, the answer to MCP's tools/list). The
// error names the place in v by a JSON pointer; what was read before it is
// returned as well.
func Declared(v jsonl.Value) ([]ToolSchema, error) {
	list := v
	for range 2 { // {"result": {"tools": [...]}}
		if list.Kind() == jsonl.Object {
			list = firstExisting(list, "tools", "functions", "functionDeclarations", "function_declarations", "result")
		}
	}
	if list.Kind() != jsonl.Array {
		return nil, &DeclarationError{At: v, Text: "no list of tools"}
	}
	var all []ToolSchema
	for _, t := range list.Elems() {
		if more := firstExisting(t, "functionDeclarations", "function_declarations"); more.Kind() == jsonl.Array {
			inner, err := Declared(more)
			if all = append(all, inner...); err != nil {
				return all, err
			}
			continue
		}
		tool, err := declaredTool(t)
		if err != nil {
			return all, err
		}
		all = append(all, tool)
	}
	return all, nil
}

// declaredTool reads one tool: {name, input_schema | inputSchema | parameters},
// or the same within `function`. Tools that a provider brings along have no
// schema of their own.
func declaredTool(t jsonl.Value) (ToolSchema, error) {
	if f := t.Get("function"); f.Kind() == jsonl.Object {
		t = f
	}
	name := cmp.Or(t.Get("name").Str(), t.Get("type").Str())
	if name == "" {
		return ToolSchema{}, &DeclarationError{At: t, Text: "a tool without a name"}
	}
	schema := firstExisting(t, "input_schema", "inputSchema", "parameters", "parametersJsonSchema")
	if schema.Exists() && schema.Kind() != jsonl.Object && schema.Kind() != jsonl.Null {
		return ToolSchema{}, &DeclarationError{At: schema, Text: "the schema of " + Clip(name, 80) + " is no object"}
	}
	return ToolSchema{Name: name, Schema: schema}, nil
}

// DeclarationError is what is wrong with a declaration of tools.
type DeclarationError struct {
	At   jsonl.Value
	Text string
}

func (e *DeclarationError) Error() string { return fmt.Sprintf("%s at %q", e.Text, e.At.Pointer()) }
