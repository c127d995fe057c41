package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/rules"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// mostTools bounds a file of tool declarations, in bytes.
const mostTools = 32 << 20

// toolsHelp says what such a file may hold.
const toolsHelp = "give the `tools` of a request to Anthropic, OpenAI or Gemini, or the answer to MCP's tools/list, as one JSON document"

// LoadTools reads declarations of tools from files. Errors name file and line,
// and what to do.
func LoadTools(paths []string) (*ledger.Toolset, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	set := &ledger.Toolset{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(f, mostTools+1))
		f.Close()
		if err != nil {
			return nil, err
		}
		if err := addTools(set, path, data); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// addTools reads one document.
func addTools(set *ledger.Toolset, path string, data []byte) error {
	if len(data) > mostTools {
		return fmt.Errorf("%s: larger than %d MiB, which no list of tools is", path, mostTools>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	line := func(offset int) int { return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n")) }
	var d jsonl.Doc
	v, err := jsonl.Parse(data, &d)
	var syntax *jsonl.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: not JSON: expected %s; %s", path, line(syntax.At), syntax.Expected, toolsHelp)
	}
	tools, err := transcript.Declared(v)
	var wrong *transcript.DeclarationError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s:%d: %w; %s", path, line(wrong.At.Offset()), wrong, toolsHelp)
	}
	if len(tools) == 0 {
		return fmt.Errorf("%s:1: the list of tools is empty; %s", path, toolsHelp)
	}
	set.Add(tools)
	return nil
}

// ForCase are the options under which a case of a rule runs: that rule alone,
// and what the case brings along beside its log.
func ForCase(r *rules.Rule, c *rules.Case) (Options, error) {
	o := Options{Rules: []Selected{{Rule: r, Level: r.Level, Settings: r.Defaults()}}, Repo: c.Repo}
	if c.Tools == "" {
		return o, nil
	}
	o.Tools = &ledger.Toolset{}
	return o, addTools(o.Tools, c.Name, []byte(c.Tools))
}
