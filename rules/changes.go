package rules

import (
	"path"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A change is what a call does to one file, as far as its words spell it: the
// text that it replaces, or that the file goes. Its strings are views.
type change struct {
	path     string
	old, new string
	gone     bool // the file is deleted
}

// changesIn reads the changes that a call spells: an edit with its old and its
// new text, a patch, `sed -i s/a/b/ file`, `npm pkg set`, `rm file`. Files that
// are written whole spell no old text and are left out.
func changesIn(c *ledger.Call, i *transcript.CallInfo) []change {
	switch c.Act {
	case transcript.Edit:
		if i.Old != "" {
			return []change{{path: c.Path, old: i.Old, new: i.New}}
		}
		if i.Free {
			return patched(i.Args.Str())
		}
	case transcript.Shell:
		if strings.Contains(i.Command, "*** Begin Patch") {
			return patched(i.Command)
		}
		return shellChanges(c.Line)
	}
	return nil
}

// patched reads a patch in the apply_patch language, a change a file. Lines that
// stay count on both sides.
func patched(text string) []change {
	var out []change
	var old, new strings.Builder
	flush := func() {
		if n := len(out); n > 0 {
			out[n-1].old, out[n-1].new = old.String(), new.String()
		}
		old.Reset()
		new.Reset()
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if verb, file, ok := strings.Cut(line, " File: "); ok && strings.HasPrefix(verb, "*** ") {
			flush()
			out = append(out, change{path: strings.TrimSpace(file), gone: verb == "*** Delete"})
			continue
		}
		if line == "" || len(out) == 0 || strings.HasPrefix(line, "***") {
			continue
		}
		switch line[0] {
		case '-':
			old.WriteString(line[1:] + "\n")
		case '+':
			new.WriteString(line[1:] + "\n")
		case ' ':
			old.WriteString(line[1:] + "\n")
			new.WriteString(line[1:] + "\n")
		}
	}
	flush()
	return out
}

func shellChanges(l *command.Line) []change {
	if l == nil {
		return nil
	}
	var out []change
	for i := range l.Steps {
		s := &l.Steps[i]
		switch {
		case s.Name == "rm", s.Name == "git" && len(s.Args) > 1 && s.Args[0] == "rm":
			for _, a := range s.Args {
				if !strings.HasPrefix(a, "-") && path.Ext(a) != "" {
					out = append(out, change{path: a, gone: true})
				}
			}
		case s.Name == "sed" && len(s.Args) > 2 && strings.HasPrefix(s.Args[0], "-i"):
			if old, now, ok := substitution(s.Args[len(s.Args)-2]); ok {
				out = append(out, change{path: s.Args[len(s.Args)-1], old: old, new: now})
			}
		case s.Name == "npm" && len(s.Args) == 3 && s.Args[0] == "pkg" && s.Args[1] == "set":
			if script, ok := strings.CutPrefix(s.Args[2], "scripts."); ok {
				name, value, _ := strings.Cut(script, "=")
				out = append(out, change{path: "package.json", old: `"` + name + `": "what was there"`, new: `"` + name + `": "` + value + `"`})
			}
		}
	}
	return out
}

// substitution reads s/a/b/ with any delimiter, when nothing in it is escaped.
func substitution(script string) (old, now string, ok bool) {
	if len(script) < 4 || script[0] != 's' || strings.Contains(script, `\`) {
		return "", "", false
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || parts[0] == "" {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// linesOnlyIn are the lines of a, without their margins, that b does not have.
func linesOnlyIn(a, b string) []string {
	has := map[string]bool{}
	for line := range strings.Lines(b) {
		has[strings.TrimSpace(line)] = true
	}
	var out []string
	for line := range strings.Lines(a) {
		if line = strings.TrimSpace(line); line != "" && !has[line] && len(line) < 400 && len(out) < 400 {
			out = append(out, line)
		}
	}
	return out
}
