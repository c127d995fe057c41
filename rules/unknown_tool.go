package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var unknownTool = &Rule{
	ID:    "unknown-tool",
	Title: "A call names a tool that was never declared",
	Why:   "The model made the tool up, or works with another tool set than the harness: the call fails, or something else than meant runs.",
	Fix:   "Answer such calls with the list of the tools there are; check that prompts and tool sets fit together.",
	Silent: "Logs that declare no tools, when --tools gives none; calls that ended ok or ran, so that the tool exists after all; tools of subagents and of outside systems, which are declared elsewhere; " +
		"tool sets that grow during the session; other spellings of a declared name.",
	Group:     ToolUse,
	Level:     finding.Warning,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall),
	New:       func(Settings) Checker { return &unknownTools{} },
	Lacks: func(s *ledger.Session) string {
		if len(s.Tools) == 0 && s.Given == nil && s.Saw(transcript.ToolCall) {
			return "the log declares no tools, and none are given (--tools)"
		}
		return ""
	},
}

type unknownTools struct {
	found []*ledger.Call
}

func (k *unknownTools) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	c := s.Call
	if len(s.Tools) == 0 && s.Given == nil || c == nil || c.Tool == "" || e.Origin == transcript.Copied || c.Agent != "" || c.Server || declared(s, c.Tool) {
		return
	}
	k.found = append(k.found, c)
}

// declared looks a name up as it stands, and without what harnesses put
// around it.
func declared(s *ledger.Session, tool string) bool {
	given := s.Given != nil && s.Given.Has(tool)
	if s.Tools[tool] || given || strings.HasPrefix(tool, "mcp__") && (s.Given == nil || !s.Given.Server(tool)) {
		return true
	}
	low := plainName(tool)
	for name := range s.Tools {
		if plainName(name) == low {
			return true
		}
	}
	if s.Given != nil {
		for name := range s.Given.Names {
			if plainName(name) == low {
				return true
			}
		}
	}
	return false
}

// everyTool are the names that the log declares, and those given from outside.
func everyTool(s *ledger.Session) map[string]bool {
	all := maps.Clone(s.Tools)
	if s.Given == nil {
		return all
	}
	if all == nil {
		return s.Given.Names
	}
	maps.Copy(all, s.Given.Names)
	return all
}

func plainName(tool string) string {
	if i := strings.LastIndexAny(tool, ".:/"); i >= 0 && i+1 < len(tool) {
		tool = tool[i+1:]
	}
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(tool))
}

func (k *unknownTools) Finish(s *ledger.Session, emit Emit) {
	told := map[string]bool{}
	by := "the log declares"
	if s.Given != nil {
		by = "are declared"
	}
	for _, c := range k.found {
		if told[c.Tool] || c.Result == nil || !refusedOrFailed(c) || declared(s, c.Tool) || s.Abandoned(c) {
			continue
		}
		told[c.Tool] = true
		emit(Hit{
			At:      c.Ref,
			Message: fmt.Sprintf("%s is called, but it is none of the %s that %s", c.Tool, plural(len(everyTool(s)), "tool"), by),
			Quote:   c.Tool,
			Evidence: []finding.Evidence{
				at(c.Ref, finding.Recorded, c.Tool, "the call"),
				at(c.Result.Ref, finding.Terminated, c.Result.Head, "its result; declared are %s", some(everyTool(s))),
			},
			Key: c.Tool,
		})
	}
}

func refusedOrFailed(c *ledger.Call) bool {
	return refused(c) || c.Result.Error == transcript.True && !ranAtAll(c)
}

// some lists a few names, in order.
func some(tools map[string]bool) string {
	names := make([]string, 0, len(tools))
	for n := range tools {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(names) > 8 {
		names = append(names[:8], "...")
	}
	return strings.Join(names, ", ")
}
