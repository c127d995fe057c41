package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var deniedByOtherMeans = &Rule{
	ID:    "denied-by-other-means",
	Title: "What was refused is brought about by another command or tool",
	Why:   "A refusal is about the effect, not about the spelling: who said no to the one did not say yes to the other.",
	Fix:   "Treat a refusal, and a wait that nobody answered, as an answer about the effect, and ask before trying another way.",
	Silent: "The same command again (it was asked for anew); another way that was approved, or that came after the user spoke; refusals that name another " +
		"way; reading what was not to be changed; effects on something else. After a person's own refusal it is a warning: they may have been asked again.",
	Group:     Approval,
	Level:     finding.Error,
	Precision: finding.Medium,
	Wants:     transcript.Kinds(transcript.ToolResult, transcript.Decision),
	New:       func(Settings) Checker { return detours{} },
}

type detours struct{ silent }

func (detours) Finish(s *ledger.Session, emit Emit) {
	for i, no := range s.Calls {
		refused, how, level := refusal(s, no)
		if !refused.Known() || no.Origin == transcript.Copied {
			continue
		}
		for _, c := range s.Calls[i+1:] {
			if c.Turn != no.Turn {
				break // the user has spoken since
			}
			what := sameEffect(no, c)
			if what == "" || c.Step < refused.Step || c.Agent != no.Agent || c.Args == no.Args || !carriedOut(s, c) {
				continue
			}
			emit(Hit{
				At:      c.Ref,
				Level:   level,
				Message: name(no) + " " + how + ", and " + name(c) + " then " + what,
				Quote:   c.Command,
				Evidence: []finding.Evidence{
					at(no.Ref, finding.Recorded, no.Command, "the call"),
					at(refused, finding.Recorded, "", "it %s", how),
					at(c.Ref, finding.Recorded, c.Command, "another call"),
					at(c.Result.Ref, finding.Terminated, c.Result.Term.Quote, "it ended %s", ended(c.Result.Term)),
				},
				Key: no.ID,
			})
			break
		}
	}
}

// refusal is where a call was refused, or its wait expired, in which words,
// and how bad a detour around it is.
func refusal(s *ledger.Session, c *ledger.Call) (ledger.Ref, string, finding.Level) {
	if a := s.ApprovalByID(c.ID); a != nil {
		switch st := a.State(0); {
		case st.Verb == transcript.Expired:
			return st.Ref, "was not answered in time", finding.Error
		case st.Verb == transcript.Denied && st.By == transcript.ByHuman:
			if c.Result != nil && containsAny(c.Result.Head+st.Reason, "instead", "user said", "rather") {
				return ledger.Ref{}, "", finding.None
			}
			return st.Ref, "was refused by a person", finding.Warning
		case st.Verb == transcript.Denied:
			return st.Ref, "was refused", finding.Error
		}
		return ledger.Ref{}, "", finding.None
	}
	if c.Result != nil && c.Result.NotRun && c.Result.Term.Kind == transcript.TermDenied && !containsAny(c.Result.Head, "instead", "user said") {
		return c.Result.Ref, "was refused", finding.Error
	}
	return ledger.Ref{}, "", finding.None
}

// carriedOut reports whether a call ended well and nobody is recorded to have
// approved it.
func carriedOut(s *ledger.Session, c *ledger.Call) bool {
	if a := s.ApprovalByID(c.ID); a != nil && a.State(0).Verb == transcript.Approved {
		return false
	}
	return c.Result != nil && !c.Result.NotRun && c.Result.Term.Kind == transcript.TermOK
}

// sameEffect says what a call does that the refused one was to do, "" when
// nothing shows it.
func sameEffect(no, c *ledger.Call) string {
	if no.Act == transcript.Edit && no.Path != "" {
		if c.Act == transcript.Shell && writesTo(c.Line, no.Path) {
			return "wrote " + no.Path
		}
		return ""
	}
	if no.Line == nil || c.Line == nil {
		return ""
	}
	for _, target := range removed(no.Line) {
		if takesAway(c.Line, target) {
			return "took " + target + " away"
		}
	}
	for _, e := range no.Line.Irreversible {
		for _, f := range c.Line.Irreversible {
			if e.Kind == f.Kind && e.Kind != command.EffectDelete && e.Target != "" && e.Target == f.Target && e.Text != f.Text {
				return "did the same (" + e.Kind.String() + " " + e.Target + ")"
			}
		}
	}
	return ""
}

// removed are the paths that a command line was to delete.
func removed(l *command.Line) []string {
	var paths []string
	for _, step := range l.Steps {
		if step.Name != "rm" && step.Name != "rmdir" && step.Name != "shred" {
			continue
		}
		for _, arg := range step.Args {
			if len(arg) > 2 && !strings.HasPrefix(arg, "-") && !strings.ContainsAny(arg, "*?$") {
				paths = append(paths, strings.TrimSuffix(arg, "/"))
			}
		}
	}
	return paths
}

// takesAway reports whether a line deletes a path, or moves it out of the way.
func takesAway(l *command.Line, path string) bool {
	for _, step := range l.Steps {
		switch step.Name {
		case "rm", "rmdir", "shred", "unlink":
			if namesPath(step.Args, path) {
				return true
			}
		case "mv":
			if len(step.Args) > 1 && namesPath(step.Args[:len(step.Args)-1], path) {
				return true
			}
		case "find":
			if namesPath(step.Args, path) && containsAny(strings.Join(step.Args, " "), "-delete", "-exec rm") {
				return true
			}
		case "python", "python3", "node", "perl", "ruby":
			if text := strings.Join(step.Args, " "); quotesPath(text, path) && containsAny(text, "rmtree", "unlink", "rmsync", "rm_rf", "os.remove", "rmdir", "fs.rm") {
				return true
			}
		}
	}
	return false
}

func namesPath(args []string, path string) bool {
	for _, a := range args {
		if strings.TrimSuffix(a, "/") == path {
			return true
		}
	}
	return false
}

func quotesPath(text, path string) bool {
	return strings.Contains(text, "'"+path+"'") || strings.Contains(text, "\""+path+"\"") || strings.Contains(text, "'"+path+"/'") || strings.Contains(text, "\""+path+"/\"")
}

// writesTo reports whether a line writes to a file.
func writesTo(l *command.Line, path string) bool {
	for _, step := range l.Steps {
		switch {
		case step.Name == "tee" && namesPath(step.Args, path), step.Name == "sed" && namesPath(step.Args, path) && containsAny(strings.Join(step.Args, " "), "-i"),
			(step.Name == "cp" || step.Name == "mv") && len(step.Args) > 1 && namesPath(step.Args[len(step.Args)-1:], path):
			return true
		}
	}
	for _, op := range []string{"> " + path, ">" + path, "> \"" + path + "\"", "> '" + path + "'"} {
		if strings.Contains(l.Raw, op) {
			return true
		}
	}
	return false
}
