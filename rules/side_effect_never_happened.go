package rules

import (
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var sideEffectNeverHappened = &Rule{
	ID:    "side-effect-never-happened",
	Title: "A commit, push, merge, pull request, publication, deployment or message is claimed, and nothing did it",
	Why: "Either the command that was to do it ended badly and nothing did it since, or no call that could have done it is seen in this log. " +
		"Others go on from work that is not where they think it is.",
	Fix: "Look at the real state (`git log`, `git status`, the pull request, the environment), and do it or take the claim back.",
	Silent: "Sessions that were resumed, forked or compacted before the claim, or that begin in the middle; sessions in which a subagent, an outside tool, " +
		"a script or any command that names the deed was at work; hooks and harnesses that commit by themselves are recognised only when they leave a record; " +
		"summaries, plan items, quotes, and what somebody else did; commits that had nothing to commit; commands whose exit code is hidden. " +
		"A command that ended badly is an error; what is only not seen is concluded from absence, and a warning.",
	Group:     Evidence,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     claimKinds,
	New:       func(Settings) Checker { return &undone{told: map[string]bool{}} },
}

type undone struct {
	silent
	told map[string]bool
}

// A deed is how a subject shows in command lines.
type deed struct {
	effects []command.EffectKind
	git     string   // the git command that does it
	words   []string // any of them in a command may mean it: then nothing is said
}

var deeds = map[claim.Subject]deed{
	claim.Commit:      {git: "commit", words: []string{"commit", "merge", "rebase", "cherry-pick", "revert", "git am", "stash", "jj ", "hg ", "svn ", "gt ", "sl "}},
	claim.Push:        {effects: []command.EffectKind{command.EffectPush}, git: "push", words: []string{"push", "gh ", "glab", "hub ", "gt ", "jj ", "deploy", "sync", "upload", "publish"}},
	claim.Merge:       {effects: []command.EffectKind{command.EffectMerge}, git: "merge", words: []string{"merge", "commit", "pull", "rebase", "gh ", "glab", "cherry-pick"}},
	claim.PullRequest: {effects: []command.EffectKind{command.EffectPullRequest}, words: []string{"pr ", "gh ", "glab", "hub ", "pull", "push", "api.github", "az repos", "curl"}},
	claim.Publish:     {effects: []command.EffectKind{command.EffectRelease}, words: []string{"publish", "release", "push", "upload", "gh ", "deploy", "curl"}},
	claim.Deploy:      {effects: []command.EffectKind{command.EffectDeploy, command.EffectApply}, words: []string{"deploy", "push", "apply", "release", "up ", "docker", "kubectl", "ssh", "rsync", "scp", "restart", "aws", "gcloud", "az ", "curl", "publish"}},
	claim.Send:        {effects: []command.EffectKind{command.EffectSend}, words: []string{"send", "mail", "curl", "gh ", "glab", "post", "http", "notify", "message", "slack", "comment", "reply", "api"}},
}

func (u *undone) Observe(s *ledger.Session, _ *transcript.Event, emit Emit) {
	for _, c := range s.Fresh {
		d, ok := deeds[c.Subject]
		if !ok || !asserts(c) || c.Where != ledger.InProse || c.Agent != "" {
			continue
		}
		h, ok := d.failed(s, c)
		if !ok {
			h, ok = d.unseen(s, c)
		}
		if !ok || u.told[h.Key] {
			continue
		}
		u.told[h.Key] = true
		h.At, h.Quote = c.Ref, c.Quote
		h.Evidence = append(h.Evidence, at(c.Ref, finding.Claimed, c.Quote, "%s claimed in a %s", c.Subject, c.Where))
		emit(h)
	}
}

// failed finds the newest command that was to do it, when it ended badly and
// nothing that may have done it came since.
func (d deed) failed(s *ledger.Session, c *ledger.Claim) (Hit, bool) {
	if d.done(s, c) {
		return Hit{}, false
	}
	for i := len(s.Calls) - 1; i >= 0; i-- {
		k := s.Calls[i]
		if k.Step >= c.Step {
			continue
		}
		step := d.step(k)
		if step == nil {
			if d.may(k) {
				return Hit{}, false
			}
			continue
		}
		if k.Turn != c.Turn || k.Origin == transcript.Copied || s.Abandoned(k) || !endedBadly(k, step) {
			return Hit{}, false
		}
		return Hit{
			Message:  c.Subject.String() + " claimed as done, but " + name(k) + " ended " + ended(k.Term()) + " and nothing did it since in this log",
			Evidence: evidenceOfEnd(k),
			Key:      k.ID + "/" + c.Subject.String(),
		}, true
	}
	return Hit{}, false
}

// done reports whether a call of the same turn did the deed: of two that were
// made side by side, one may fail.
func (d deed) done(s *ledger.Session, c *ledger.Claim) bool {
	for _, k := range s.Calls {
		if k.Turn == c.Turn && k.Step < c.Step && d.step(k) != nil && k.Term().Kind == transcript.TermOK {
			return true
		}
	}
	return false
}

// endedBadly reports whether the end of the line says that the step did not
// happen: it is the line's last word, or the line never got as far.
func endedBadly(k *ledger.Call, step *command.Step) bool {
	if k.Result == nil || k.Line.MaskOf(step) != command.MaskNone || alreadyDone(k) {
		return false
	}
	switch t := k.Term(); t.Kind {
	case transcript.TermDenied, transcript.TermNotStarted:
		return true
	case transcript.TermNonzero:
		return t.Benign == "" && step == &k.Line.Steps[len(k.Line.Steps)-1]
	}
	return false
}

// unseen reports whether nothing in a whole log could have done it.
func (d deed) unseen(s *ledger.Session, c *ledger.Claim) (Hit, bool) {
	if !s.Whole(c.Step) || !acted(s, c.Step) || c.Subject == claim.Merge && !ofBranches(c.Quote) {
		return Hit{}, false
	}
	for _, k := range s.Calls {
		if k.Step < c.Step && (d.step(k) != nil || d.may(k)) {
			return Hit{}, false
		}
	}
	return Hit{
		Message:  c.Subject.String() + " claimed as done, but no call that could have done it is seen in this log",
		Inferred: true,
		Level:    finding.Warning,
		Key:      c.Subject.String(),
	}, true
}

// ofBranches reports whether a merge is one of branches: functions, tests and
// files are merged too.
func ofBranches(words string) bool { return branches.MatchString(words) }

var branches = regexp.MustCompile(`(?i)\b(branch|pull request|pr|main|master|upstream)\b|#\d|origin/`)

// acted reports whether the log keeps calls at all.
func acted(s *ledger.Session, before int) bool {
	for _, k := range s.Calls {
		if k.Step < before && k.Line != nil && k.Result != nil {
			return true
		}
	}
	return false
}

// step is the step of the call that does the deed, nil when none plainly does.
func (d deed) step(k *ledger.Call) *command.Step {
	if k.Line == nil {
		return nil
	}
	if d.git != "" {
		for i := range k.Line.Steps {
			if s := &k.Line.Steps[i]; s.Name == "git" && !s.NoRun && gitAction(s) == d.git {
				return s
			}
		}
	}
	for _, e := range k.Line.Irreversible {
		for _, kind := range d.effects {
			if e.Kind == kind {
				return stepOf(k.Line, e.Text)
			}
		}
	}
	return nil
}

// stepOf finds the step that an effect belongs to.
func stepOf(l *command.Line, text string) *command.Step {
	for i := range l.Steps {
		s := &l.Steps[i]
		if strings.HasPrefix(text, strings.Join(append([]string{s.Name}, s.Args...), " ")) {
			return s
		}
	}
	return l.Main
}

func gitAction(s *command.Step) string {
	for i := 0; i < len(s.Args); i++ {
		switch a := s.Args[i]; {
		case a == "-C" || a == "-c":
			i++
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return ""
}

// may reports whether a call could have done the deed without saying so.
func (d deed) may(k *ledger.Call) bool {
	switch k.Act {
	case transcript.Subagent, transcript.External, transcript.NoAct, transcript.Input, transcript.Finish:
		return true
	case transcript.Shell:
	default:
		return false
	}
	if k.Line == nil || !k.Line.ParseOK || len(k.Command) > 1500 {
		return true
	}
	low := strings.ToLower(k.Command) + " "
	for _, w := range d.words {
		if strings.Contains(low, w) {
			return true
		}
	}
	for i := range k.Line.Steps {
		if opaque(&k.Line.Steps[i]) {
			return true
		}
	}
	return false
}

// opaque reports whether a step runs what the line does not show: a script, a
// task of a task runner, code given to an interpreter, another machine.
func opaque(s *command.Step) bool {
	if s.Class == command.Interpreter {
		return true
	}
	switch s.Name {
	case "make", "just", "task", "npm", "pnpm", "yarn", "bun", "npx", "bunx", "bash", "sh", "zsh", "source", ".", "ssh", "docker", "xargs", "eval", "claude", "codex", "gemini", "aider":
		return !s.Class.Check() && s.Class != command.Install && s.Class != command.Format
	}
	return s.Class == command.Other && !plain[s.Name]
}

// plain programs do nothing but what their names say.
var plain = map[string]bool{
	"cd": true, "ls": true, "cat": true, "echo": true, "printf": true, "pwd": true, "mkdir": true, "touch": true, "cp": true, "mv": true, "head": true, "tail": true,
	"wc": true, "sort": true, "uniq": true, "cut": true, "tr": true, "sed": true, "awk": true, "true": true, "false": true, "test": true, "[": true, "export": true,
	"env": true, "date": true, "which": true, "chmod": true, "diff": true, "tree": true, "du": true, "df": true, "ps": true, "basename": true, "dirname": true, "tee": true, "sleep": true, "set": true,
}

// alreadyDone reports whether the refusal says that there was nothing left to
// do: then what is claimed may well be so.
func alreadyDone(c *ledger.Call) bool {
	for _, out := range []string{c.Result.Head, c.Result.Tail} {
		if containsAny(out, "nothing to commit", "nothing added to commit", "no changes added", "already up to date", "up-to-date", "already exists", "already merged") {
			return true
		}
	}
	return false
}
