package ledger

import (
	"path"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// noteMade remembers the scripts that the session writes itself: an agent's own
// test_fix.py is neither the project's test suite nor a rerun of it.
func (s *Session) noteMade(c *Call) {
	if c.Act == transcript.Edit && c.Path != "" {
		s.made[path.Base(c.Path)] = true
	}
	rest := c.Command
	for {
		_, after, ok := strings.Cut(rest, ">")
		if !ok {
			return
		}
		rest = after
		name, _, _ := strings.Cut(strings.TrimLeft(after, "> "), " ")
		name, _, _ = strings.Cut(name, "\n")
		if path.Ext(name) != "" && len(name) < 200 {
			s.made[path.Base(strings.Trim(name, `"'`))] = true
		}
	}
}

// scratch reports whether a run is of a script or program of which nobody can
// say what it covers and that this very session wrote, or that lies in /tmp.
func (s *Session) scratch(r *Run) bool {
	if r.Check.Scope != command.ScopeUnknown {
		return false
	}
	if strings.Contains(r.Command, "/tmp/"+r.Check.Name) {
		return true
	}
	for _, t := range r.Check.Targets {
		if s.made[path.Base(t)] || strings.HasPrefix(t, "/tmp/") {
			return true
		}
	}
	for _, a := range r.Check.Args {
		if s.made[path.Base(a)] {
			return true
		}
	}
	return s.made[path.Base(r.Check.Name)]
}
