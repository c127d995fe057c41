package ledger

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Toolset are tools that were declared outside of the log. It is filled once
// and then only read, by several sessions at once.
type Toolset struct {
	Names   map[string]bool
	schemas map[string]*Schema
	bare    map[string]string // names as their servers know them; "" when two servers have one
}

// Add declares tools. Of two with one name the first counts.
func (t *Toolset) Add(tools []transcript.ToolSchema) {
	if t.Names == nil {
		t.Names, t.schemas, t.bare = map[string]bool{}, map[string]*Schema{}, map[string]string{}
	}
	for _, tool := range tools {
		name := strings.Clone(tool.Name)
		if t.Names[name] {
			continue
		}
		t.Names[name] = true
		if c := newSchema(tool.Schema); c != nil {
			t.schemas[name] = c
		}
		bare := BareTool(name)
		if _, twice := t.bare[bare]; twice {
			name = ""
		}
		t.bare[bare] = name
	}
}

// Has reports whether a tool is declared, under its own name or the one that
// its server knows it by.
func (t *Toolset) Has(tool string) bool {
	_, known := t.bare[BareTool(tool)]
	return known || t.Names[tool]
}

// Server reports whether any tool of the server is declared that a tool's name
// names: then its list is known.
func (t *Toolset) Server(tool string) bool {
	i := strings.LastIndex(tool, "__")
	if i <= 0 {
		return false
	}
	for name := range t.Names {
		if strings.HasPrefix(name, tool[:i+2]) {
			return true
		}
	}
	return false
}

func (t *Toolset) schema(tool string) *Schema {
	if c := t.schemas[tool]; c != nil {
		return c
	}
	return t.schemas[t.bare[BareTool(tool)]]
}

// BareTool is the name by which an outside system knows its tool:
// mcp__mail__send_email and mail.send_email are both send_email.
func BareTool(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 && i+2 < len(tool) {
		tool = tool[i+2:]
	}
	if i := strings.LastIndexAny(tool, ".:/"); i >= 0 && i+1 < len(tool) {
		tool = tool[i+1:]
	}
	return tool
}
