package rules

import (
	"regexp"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var unverifiedSideEffect = &Rule{
	ID:    "unverified-side-effect",
	Title: "Something that cannot be taken back starts while a check is open",
	Why: "The newest run of that check was killed, failed or never ended, and nothing equivalent ended ok since. " +
		"What is merged, released or applied now rests on it.",
	Fix: "Run the open check to a successful end first.",
	Silent: "Pushes to branches of one's own, pull requests, deletions and messages; rehearsals; anything after the human spoke since the check ended, " +
		"who may have told it to go on; checks that the same line runs first; runs that the agent stopped itself; " +
		"calls that were refused; linters; failures that the agent named since (warning).",
	Group:     Evidence,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall, transcript.Message),
	Options: []Option{{
		Name: "patterns", Default: []string{}, Check: expressions,
		Doc: "regular expressions over command lines and tool names: what one of them matches cannot be taken back either (`side-effects` in the configuration)",
	}},
	New: func(set Settings) Checker { return &unverified{patterns: compiled(set.Strings("patterns"))} },
}

// expressions checks a setting that is a list of regular expressions.
func expressions(value any) error {
	for _, p := range value.([]string) {
		if _, err := regexp.Compile(p); err != nil {
			return err
		}
	}
	return nil
}

// compiled reads regular expressions that were checked before.
func compiled(patterns []string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, p := range patterns {
		if re, err := regexp.Compile(p); err == nil {
			out = append(out, re)
		}
	}
	return out
}

type unverified struct {
	patterns []*regexp.Regexp // of the user's own
	begun    []begunEffect
	admitted int // step of the newest words that name a failure
}

// begunEffect waits for the end of the log: its call may have been refused.
type begunEffect struct {
	call *ledger.Call
	hit  Hit
}

func (u *unverified) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if e.Kind == transcript.Message {
		for _, c := range s.Fresh {
			if c.Honest || !asserts(c) {
				u.admitted = c.Step
			}
		}
		return
	}
	c := s.Call
	if e.Origin == transcript.Copied || c == nil {
		return
	}
	if effect := u.effect(c); effect != nil {
		if r := openCheck(s, c); r != nil {
			u.begun = append(u.begun, u.hit(c, effect, r))
		}
	}
}

// effect is the first thing that a call does and that rests on checks: one
// that the command line shows, or one that the user described.
func (u *unverified) effect(c *ledger.Call) *command.Effect {
	if c.Line != nil {
		for i := range c.Line.Irreversible {
			if effect := &c.Line.Irreversible[i]; restsOnChecks(effect) {
				return effect
			}
		}
	}
	for _, re := range u.patterns {
		switch {
		case c.Command != "" && re.MatchString(c.Command):
			return &command.Effect{Text: c.Command}
		case re.MatchString(c.Tool):
			return &command.Effect{Text: c.Tool}
		}
	}
	return nil
}

// restsOnChecks reports whether an effect puts work into the world that the
// checks of a work tree are about.
func restsOnChecks(e *command.Effect) bool {
	switch e.Kind {
	case command.EffectMerge, command.EffectRelease:
		return true
	case command.EffectPush, command.EffectDeploy, command.EffectApply, command.EffectMigrate:
		return e.Protected
	}
	return false
}

// openCheck is the newest check of this thread that is open when the call is
// made, and that neither the human nor the line itself answers for.
func openCheck(s *ledger.Session, c *ledger.Call) *ledger.Run {
	open := s.OpenReruns()
	for i := len(open) - 1; i >= 0; i-- {
		r := open[i]
		if r.Check.Class == command.Lint || r.Agent != c.Agent || s.Human.Step > r.Step || r.Call == c || rechecks(c.Line, r.Check) || s.KilledBefore(r.Call) {
			continue
		}
		return r
	}
	return nil
}

// rechecks reports whether the line runs the check itself.
func rechecks(l *command.Line, check *command.Step) bool {
	if l == nil {
		return false
	}
	for i := range l.Steps {
		if rel := command.Relate(check, &l.Steps[i]); rel == command.Same || rel == command.Wider {
			return true
		}
	}
	return false
}

// Finish reports what was not refused, once a check and kind of effect.
func (u *unverified) Finish(_ *ledger.Session, emit Emit) {
	told := map[string]bool{}
	for _, b := range u.begun {
		if told[b.hit.Key] || b.call.Result != nil && b.call.Result.NotRun {
			continue
		}
		told[b.hit.Key] = true
		emit(b.hit)
	}
}

func (u *unverified) hit(c *ledger.Call, effect *command.Effect, r *ledger.Run) begunEffect {
	level := finding.None
	if u.admitted > r.Step {
		level = finding.Warning
	}
	kind := "action"
	if effect.Kind != command.EffectNone {
		kind = effect.Kind.String()
	}
	outcome, _ := r.Outcome()
	v := ledger.Verdict{Run: r.Call, Check: r.Check, Outcome: outcome}
	return begunEffect{c, Hit{
		At:       c.Ref,
		Message:  "`" + transcript.Clip(oneLine(effect.Text), 80) + "` starts although " + name(r.Call) + " " + howItEnded(v) + " and nothing equivalent ended ok since",
		Quote:    c.Command,
		Evidence: append(evidenceOfEnd(r.Call), at(c.Ref, finding.Recorded, effect.Text, "%s starts", kind)),
		Level:    level,
		Fix:      "Run it to a successful end first: " + transcript.Clip(oneLine(r.Command), 160),
		Key:      r.ID + "/" + kind,
	}}
}
