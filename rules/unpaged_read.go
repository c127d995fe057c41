package rules

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var unpagedRead = &Rule{
	ID:    "unpaged-read",
	Title: "A read or a search without a limit returned more than anybody reads",
	Why:   "The whole file or result list goes into the context and stays there, and the budget cuts it somewhere. A page would have done.",
	Fix:   "Pass a limit and an offset, search first, or count before listing.",
	Silent: "Calls with a limit, an offset or a range; tools that are never seen with such a parameter and have none by custom; results that were cut to a budget by the harness. " +
		"One finding a session and tool.",
	Group:     Delivery,
	Level:     finding.Note,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolResult, transcript.ToolCall),
	Options: []Option{
		{Name: "bytes", Doc: "bytes that a read may return", Default: 64 << 10},
		{Name: "results", Doc: "lines that a search may return", Default: 250},
		{Name: "paths", Doc: "paths that a listing may return", Default: 500},
	},
	New: func(o Settings) Checker {
		return &unpaged{bytes: o.Int("bytes"), results: o.Int("results"), paths: o.Int("paths"), pages: map[string]bool{}, found: map[string]*heap{}}
	},
}

type unpaged struct {
	bytes, results, paths int
	pages                 map[string]bool // tools that were called with a limit
	found                 map[string]*heap
	order                 []string
}

// heap is the biggest result of a tool and how many there were.
type heap struct {
	call  *ledger.Call
	lines int
	bytes int
	n     int
}

func (k *unpaged) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	c := s.Call
	if e.Origin == transcript.Copied || c == nil || c.Act != transcript.Read && c.Act != transcript.Search {
		return
	}
	if c.Limited {
		k.pages[c.Tool] = true
	}
	if e.Kind != transcript.ToolResult || c.Result == nil || c.Limited || c.Result.Cut != nil || c.Result.Term.Bad() {
		return
	}
	if e.Text.Size() <= k.bytes && (c.Act == transcript.Read || e.Text.Size() < 2*k.results) {
		return
	}
	text := e.Words()
	lines := 0
	if c.Act == transcript.Search {
		lines = strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
	}
	if len(text) <= k.bytes && (lines <= k.results || lines <= k.paths && onlyPaths(e.Text.Head(2000))) {
		return
	}
	h := k.found[c.Tool]
	if h == nil {
		h = &heap{}
		k.found[c.Tool] = h
		k.order = append(k.order, c.Tool)
	}
	h.n++
	if h.call == nil || len(text) > h.bytes {
		h.call, h.lines, h.bytes = c, lines, len(text)
	}
}

func (k *unpaged) Finish(_ *ledger.Session, emit Emit) {
	for _, tool := range k.order {
		h := k.found[tool]
		if !k.pages[tool] && !pagesByCustom[tool] {
			continue
		}
		size := fmt.Sprintf("%d KiB", h.bytes>>10)
		if h.lines > 0 {
			size = plural(h.lines, "line") + ", " + size
		}
		emit(Hit{
			At:       h.call.Result.Ref,
			Message:  fmt.Sprintf("%s without a limit returned %s in one result (%s of this tool over the budget)", what(h.call), size, plural(h.n, "result")),
			Evidence: []finding.Evidence{at(h.call.Ref, finding.Recorded, h.call.Path, "the call, with no limit, offset or range"), at(h.call.Result.Ref, finding.Observed, "", "what it returned")},
			Key:      tool,
		})
	}
}

// pagesByCustom are tools that are known to take a limit, whether or not this
// session ever gave one.
var pagesByCustom = map[string]bool{"Read": true, "Grep": true, "read_file": true, "read": true, "grep": true, "view": true}

func what(c *ledger.Call) string {
	if c.Path != "" {
		return c.Tool + " of " + transcript.Clip(c.Path, 80)
	}
	return c.Tool
}

// onlyPaths reports whether a list holds paths and nothing else.
func onlyPaths(head string) bool {
	for i := 0; i < len(head); i++ {
		if head[i] == ' ' || head[i] == ':' || head[i] == '\t' {
			return false
		}
	}
	return true
}
