package ledger

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Claim is a sentence of the log that says how something went.
type Claim struct {
	Ref
	claim.Claim
	Where Where
	About *Call // Notes: the call that the words are about
	Agent string
	Turn  int
	// Honest is set when the same text also names a failure, a timeout or a
	// gap of the same subject: it does not hide it.
	Honest bool
	Copied bool // told again in a copied prefix or history
	node   int32

	verdict *Verdict // the first one that was asked for
}

// Where is the kind of place in which a claim stands.
type Where uint8

// The places of claims.
const (
	InProse Where = iota
	InSummary
	InNotes
	InTodo
	InCommit
	InReport
)

var whereNames = [...]string{"message", "summary", "notes", "todo", "commit message", "subagent report"}

func (w Where) String() string { return whereNames[w] }

func (s *Session) observeMessage(e *transcript.Event) {
	switch {
	case e.Actor == transcript.Human:
		s.humanSpoke(e)
		if e.Origin == transcript.Copied {
			return
		}
		s.Turn++
		s.Human = s.Ref(e)
	case e.Actor == transcript.Harness && e.Role == transcript.Notice:
		s.human.add(e.Text.Head(8 << 10)) // orders typed as commands reach the log as notices
		return
	case e.Actor != transcript.Assistant:
		return
	default:
		if e.Role == transcript.Summary && e.Origin != transcript.Copied {
			s.observeSummary(e)
		}
		if discloses(e.Text) {
			s.disclosed[strings.Clone(e.Agent)] = s.step
		}
		s.Fresh = s.claimsIn(e)
		s.Claims = append(s.Claims, s.Fresh...)
	}
	s.words[strings.Clone(e.Agent)] = Spoken{Ref: s.Ref(e), Actor: e.Actor, Text: strings.Clone(lastBytes(e.Text.Tail(keepTail), keepTail))}
}

// Spoken is the newest prose of a thread.
func (s *Session) Spoken(agent string) (Spoken, bool) {
	w, ok := s.words[agent]
	return w, ok
}

// discloses reports whether words tell a failure as one that is not theirs: it
// stood before, or belongs to something else. Whoever says so hides nothing.
func discloses(t transcript.Text) bool {
	return HoldsStem(strings.ToLower(t.Head(16<<10)), disclosing)
}

var disclosing = NewStems("pre-existing", "preexisting", "already failing", "already broken", "already failed before", "known failure", "known to fail",
	"unrelated to my", "unrelated to our", "unrelated to this", "fails on main", "failing on main", "same failures on main")

func (s *Session) claimsIn(e *transcript.Event) []*Claim {
	found := claim.Find(e.Words())
	if len(found) == 0 {
		return nil
	}
	ref := s.Ref(e)
	about := s.calls[e.About]
	var out []*Claim
	for _, f := range found {
		c := &Claim{
			Ref: ref, Claim: f, Where: whereOf(e.Role), About: about, Agent: strings.Clone(e.Agent), Turn: s.Turn, node: s.tree.at(),
			Copied: e.Origin == transcript.Copied,
		}
		c.Quote, c.Named, c.Lang = strings.Clone(f.Quote), strings.Clone(f.Named), f.Lang
		c.Honest = f.Honest || admits(found, f.Subject)
		out = append(out, c)
	}
	return out
}

// admits reports whether the same text also says that the subject failed, was
// not finished, or was not checked.
func admits(found []claim.Claim, subject claim.Subject) bool {
	for _, f := range found {
		if f.Subject != subject && f.Subject != claim.Verified {
			continue
		}
		if f.Honest || f.Polarity == claim.Negative || f.Polarity == claim.Partial || f.Polarity == claim.Retracted {
			return true
		}
	}
	return false
}

func whereOf(r transcript.MessageRole) Where {
	switch r {
	case transcript.Summary:
		return InSummary
	case transcript.Notes:
		return InNotes
	case transcript.Todo:
		return InTodo
	case transcript.Report:
		return InReport
	}
	return InProse
}

// ticked turns newly ticked plan items into claims.
func (s *Session) ticked(e *transcript.Event, todos []transcript.TodoItem) {
	for _, t := range todos {
		if !t.Done() {
			continue
		}
		subject, ok := todoSubject(t.Text)
		if !ok || s.hasTicked(t.Text, e.Agent) {
			continue
		}
		c := &Claim{Ref: s.Ref(e), Where: InTodo, Agent: strings.Clone(e.Agent), Turn: s.Turn, node: s.tree.at(), Copied: e.Origin == transcript.Copied}
		c.Claim = claim.Claim{Subject: subject, Polarity: claim.Positive, Quote: transcript.Keep(t.Text, keepQuote), Passed: -1, Failed: -1, Total: -1, Lang: "en"}
		s.Claims = append(s.Claims, c)
		s.Fresh = append(s.Fresh, c)
	}
}

func (s *Session) hasTicked(text, agent string) bool {
	text = transcript.Clip(text, keepQuote)
	for _, c := range s.Claims {
		if c.Where == InTodo && c.Quote == text && c.Agent == agent {
			return true
		}
	}
	return false
}

// todoSubject reads what a ticked plan item says was done: only items that
// run a check are of interest, and only when the item is about nothing else.
func todoSubject(text string) (claim.Subject, bool) {
	low := strings.ToLower(transcript.Clip(text, 120))
	first, rest, _ := strings.Cut(low, " ")
	switch first {
	case "run", "rerun", "re-run", "execute", "verify", "running", "verifying":
	default:
		return claim.None, false
	}
	for _, w := range []string{"test", "e2e", "spec"} {
		if strings.Contains(rest, w) {
			return claim.Tests, true
		}
	}
	switch {
	case strings.Contains(rest, "lint"):
		return claim.Lint, true
	case strings.Contains(rest, "build"):
		return claim.Build, true
	}
	return claim.None, false
}

// Classes are the kinds of command that could show a subject; none for
// subjects that commands do not show.
func Classes(subject claim.Subject) []command.Class {
	switch subject {
	case claim.Tests:
		return []command.Class{command.Test}
	case claim.Build:
		return []command.Class{command.Build}
	case claim.Lint:
		return []command.Class{command.Lint, command.Format} // a fixer that ended ok left it clean
	case claim.TypeCheck:
		return []command.Class{command.TypeCheck}
	case claim.Deploy:
		return []command.Class{command.Deploy}
	case claim.Infra:
		return []command.Class{command.Infra}
	case claim.Migration:
		return []command.Class{command.Migrate}
	case claim.Install:
		return []command.Class{command.Install}
	case claim.Verified:
		return []command.Class{command.Test, command.Build, command.Lint, command.TypeCheck, command.Infra, command.Deploy, command.Migrate}
	}
	return nil
}

// ClaimsIn holds a text that is not part of the log against the end of the
// session.
func (s *Session) ClaimsIn(text string) []*Claim {
	s.step++
	var out []*Claim
	found := claim.Find(text)
	for _, f := range found {
		c := &Claim{Claim: f, Turn: s.Turn, node: noNode, Honest: f.Honest || admits(found, f.Subject)}
		c.Step = s.step
		out = append(out, c)
	}
	return out
}
