package userrule

import (
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/rules"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Field is one name that a condition may use.
type Field struct {
	Name string
	Doc  string
	// MayBeUnknown is set for facts that a log can leave out.
	MayBeUnknown bool
	zero         any
}

// Type names the field's type as the documentation does.
func (f Field) Type() string {
	switch f.zero.(type) {
	case int:
		return "number"
	case bool:
		return "boolean"
	case []string:
		return "list of strings"
	}
	return "string"
}

// subject is one kind of thing that conditions are about.
type subject struct {
	fields  []Field
	wants   transcript.KindSet
	observe func(*ledger.Session, *transcript.Event) []item // nil: finish
	finish  func(*ledger.Session) []item
}

var subjects = map[string]*subject{
	"call":     {fields: callFields, finish: calls},
	"claim":    {fields: claimFields, observe: claims, wants: transcript.Kinds(transcript.Message, transcript.ToolCall, transcript.ToolResult, transcript.Compaction)},
	"message":  {fields: messageFields, observe: message, wants: transcript.Kinds(transcript.Message)},
	"decision": {fields: decisionFields, observe: decision, wants: transcript.Kinds(transcript.Decision)},
}

// Subjects are the values of `on`, in the order of the documentation.
func Subjects() []string { return []string{"call", "claim", "message", "decision"} }

// Fields are the names that a condition on a subject may use.
func Fields(on string) []Field {
	if s := subjects[on]; s != nil {
		return s.fields
	}
	return nil
}

func str(name, doc string) Field   { return Field{Name: name, Doc: doc, zero: ""} }
func num(name, doc string) Field   { return Field{Name: name, Doc: doc, zero: 0} }
func truth(name, doc string) Field { return Field{Name: name, Doc: doc, zero: false} }
func maybe(f Field) Field          { f.MayBeUnknown = true; return f }
func list(name, doc string) Field  { return Field{Name: name, Doc: doc, zero: []string(nil)} }
func orUnknown(v any, ok bool) any { return pick(ok, v, any(unknown{})) }
func fact(f transcript.Flag) any   { return orUnknown(f == transcript.True, f != transcript.Unset) }

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

var (
	agentField = str("agent", "id of the subagent in whose thread it stands; empty for the main thread")
	turnField  = num("turn", "how many messages of the human came before")
)

var callFields = []Field{
	str("tool", "the agent's own name for the tool"),
	str("act", "what the call does, as in `events.md`: `shell`, `read`, `edit`, `search`, `fetch`, `subagent`, `plan`, `ask`, ..."),
	str("command", "the command line, its first 2,048 bytes; empty when there is none"),
	str("class", "what the command line is run for: `test`, `build`, `lint`, `typecheck`, `format`, `deploy`, `vcs`, `infra`, `install`, `migrate`, `publish`, ..., `other`"),
	list("effects", "what the command line does that cannot be taken back: `push`, `merge`, `tag`, `release`, `deploy`, `apply`, `destroy`, `migrate`, `delete`, ..."),
	str("path", "the file that is read or changed; empty when none is named"),
	str("dir", "working directory; empty when not said"),
	maybe(num("exit_code", "the exit code")),
	truth("exit_code_known", "the log says the exit code"),
	str("termination", "how it ended: `ok`, `nonzero`, `timeout`, `signalled`, `interrupted`, `stopped-on-purpose`, `denied`, `not-started`, `still-running`, or `unknown`"),
	maybe(truth("timed_out", "it ended at a time limit")),
	maybe(truth("error", "the harness marks the result as an error")),
	truth("masked", "the exit code is not that of the command it is run for: a pipe, `|| true`, a later command"),
	truth("has_result", "something came back"),
	maybe(num("duration_ms", "how long it ran, as measured or by the records' times")),
	maybe(num("limit_ms", "the time limit that was asked for")),
	maybe(num("size", "bytes of output that reached the model")),
	truth("background", "asked to run in the background"),
	truth("escalated", "asked to run outside the sandbox"),
	agentField, turnField,
}

// calls are the calls of a session that is over.
func calls(s *ledger.Session) []item {
	var out []item
	for _, c := range s.Calls {
		if c.Origin == transcript.Copied {
			continue
		}
		out = append(out, item{at: c.Ref, quote: pick(c.Command != "", c.Command, c.Tool), key: c.ID, evidence: chain(c), fields: callValues(c)})
	}
	return out
}

func callValues(c *ledger.Call) map[string]any {
	v := map[string]any{
		"tool": c.Tool, "act": c.Act.String(), "command": c.Command, "class": c.Class().String(), "effects": effects(c), "path": c.Path, "dir": c.Dir,
		"masked": masked(c), "has_result": c.Result != nil, "background": c.Background, "escalated": c.Escalated, "agent": c.Agent, "turn": c.Turn,
		"limit_ms": orUnknown(int(c.Limit.Milliseconds()), c.Limit > 0),
	}
	t := c.Term()
	v["termination"] = t.Kind.String()
	v["exit_code"], v["exit_code_known"] = orUnknown(t.Code, t.HasCode), t.HasCode
	v["timed_out"] = orUnknown(t.Kind == transcript.TermTimeout || t.TimedOut, t.Kind != transcript.TermUnknown && t.Kind != transcript.TermStillRunning || t.TimedOut)
	v["error"], v["duration_ms"], v["size"] = any(unknown{}), any(unknown{}), any(unknown{})
	if r := c.Result; r != nil {
		ran := r.Ran
		if ran == 0 {
			ran = ledger.Elapsed(c.Ref, r.End)
		}
		v["error"], v["size"], v["duration_ms"] = fact(r.Error), r.Size, orUnknown(int(ran.Milliseconds()), ran > 0)
	}
	return v
}

func effects(c *ledger.Call) []string {
	if c.Line == nil {
		return nil
	}
	var out []string
	for _, e := range c.Line.Irreversible {
		out = append(out, e.Kind.String())
	}
	return out
}

func masked(c *ledger.Call) bool {
	return c.Line != nil && c.Line.Main != nil && c.Line.MaskOf(c.Line.Main) != command.MaskNone
}

// chain shows a call and its end.
func chain(c *ledger.Call) []finding.Evidence {
	what := c.Tool
	if what == "" {
		what = c.Act.String()
	}
	steps := []finding.Evidence{{Span: rules.Span(c.Ref), Grade: finding.Recorded, Quote: oneLine(c.Command, 240), Note: oneLine(what, 80) + " is called"}}
	if c.Result == nil {
		return steps
	}
	t := c.Result.Term
	note := "it ended: " + t.Kind.String()
	if t.HasCode {
		note += ", exit code " + strconv.Itoa(t.Code)
	}
	return append(steps, finding.Evidence{Span: rules.Span(c.Result.End), Grade: finding.Terminated, Quote: t.Quote, Note: note})
}

var claimFields = []Field{
	str("subject", "what it is about: `tests`, `build`, `lint`, `typecheck`, `deploy`, `infra`, `migration`, `push`, `commit`, `merge`, `pull-request`, `publish`, `send`, `install`, `server`, `verified`, `consent`, `stopped`, `ran`, `file`"),
	str("polarity", "`positive`, `negative`, `hedged`, `planned`, `conditional`, `partial`, `question`, `retracted`, `historical`; only `positive` asserts"),
	str("quote", "the words, at most 240 bytes"),
	str("standing", "how it stands to the evidence: `backed`, `stale`, `contradicted`, `narrowed`, `empty`, `masked`, `unfinished`, `unsupported`, `not checkable`"),
	str("where", "`message`, `summary`, `notes`, `todo`, `subagent report`"),
	truth("all", "says all, everything, the full suite"),
	truth("honest", "the same words name a failure or a gap as well"),
	str("named", "the thing named; empty when general"),
	maybe(num("passed", "the number of passed tests in the words")),
	maybe(num("failed", "the number of failed tests in the words")),
	maybe(num("total", "the number of all tests in the words")),
	str("command", "the command that decides; empty when none does"),
	str("lang", "language of the words: `en`, `zh`, `ja`, `de`, `fr`, `es`, `pt`, `ru`, `ko`"),
	agentField, turnField,
}

// claims are the claims of an event.
func claims(s *ledger.Session, _ *transcript.Event) []item {
	var out []item
	for _, c := range s.Fresh {
		if c.Copied {
			continue
		}
		v := s.Judge(c)
		it := item{at: c.Ref, quote: c.Quote, key: c.Subject.String() + "/" + c.Quote, fields: map[string]any{
			"subject": c.Subject.String(), "polarity": c.Polarity.String(), "quote": c.Quote, "standing": v.Standing.String(), "where": c.Where.String(),
			"all": c.All, "honest": c.Honest, "named": c.Named, "passed": orUnknown(c.Passed, c.Passed >= 0), "failed": orUnknown(c.Failed, c.Failed >= 0),
			"total": orUnknown(c.Total, c.Total >= 0), "command": "", "lang": c.Lang, "agent": c.Agent, "turn": c.Turn,
		}}
		if v.Run != nil {
			it.fields["command"] = v.Run.Command
			it.evidence = chain(v.Run)
		}
		it.evidence = append(it.evidence, finding.Evidence{Span: rules.Span(c.Ref), Grade: finding.Claimed, Quote: c.Quote, Note: c.Subject.String() + " claimed in a " + c.Where.String()})
		out = append(out, it)
	}
	return out
}

var messageFields = []Field{
	str("actor", "`human`, `assistant`, `tool`, `harness`, `peer`; empty when nobody is named"),
	str("role", "`prose`, `prompt`, `summary`, `notes`, `notice`, `todo`, `report`"),
	str("text", "the words, their first 8,192 bytes"),
	num("size", "bytes of the words"),
	maybe(truth("final", "the harness marks it as the last word of a turn")),
	str("stopped", "why the model stopped: `end_turn`, `length`, `tool_use`; empty when not said"),
	agentField, turnField,
}

// keepText bounds how much of a message a condition sees.
const keepText = 8 << 10

var roleNames = map[transcript.MessageRole]string{
	transcript.Prose: "prose", transcript.Prompt: "prompt", transcript.Summary: "summary", transcript.Notes: "notes",
	transcript.Notice: "notice", transcript.Todo: "todo", transcript.Report: "report",
}

func message(s *ledger.Session, e *transcript.Event) []item {
	if e.Origin == transcript.Copied {
		return nil
	}
	text := transcript.Keep(e.Text.Head(keepText), keepText)
	return []item{{at: s.Ref(e), quote: text, key: oneLine(text, 200), fields: map[string]any{
		"actor": e.Actor.String(), "role": roleNames[e.Role], "text": text, "size": e.Text.Size(), "final": fact(e.Final),
		"stopped": strings.Clone(e.Stopped), "agent": strings.Clone(e.Agent), "turn": s.Turn,
	}}}
}

var decisionFields = []Field{
	str("verb", "`requested`, `approved`, `denied`, `expired`, `escalated`, `withdrawn`, `consumed`, `consume_refused`, `delivered`, `not_delivered`, `approve_refused`, `answered`"),
	str("by", "who decided: `human`, `policy`, `hook`, `default` (the clock ran out), or `unknown`"),
	str("subject", "what it is about, in the log's words"),
	str("reason", "code or words"),
	str("tool", "the tool of the call that waits for it; empty when the log names none"),
	str("command", "the command line of that call"),
	maybe(num("waited_ms", "how long the wait took")),
	agentField, turnField,
}

func decision(s *ledger.Session, e *transcript.Event) []item {
	if e.Origin == transcript.Copied || s.Approval == nil {
		return nil
	}
	d := e.Decision
	fields := map[string]any{
		"verb": d.Verb.String(), "by": d.By.String(), "subject": s.Approval.Subject, "reason": transcript.Keep(d.Reason, 240), "tool": "", "command": "",
		"waited_ms": orUnknown(int(d.Waited.Milliseconds()), d.Waited > 0), "agent": strings.Clone(e.Agent), "turn": s.Turn,
	}
	if c := s.Call; c != nil {
		fields["tool"], fields["command"] = c.Tool, c.Command
	}
	ref := s.Ref(e)
	proof := finding.Evidence{Span: rules.Span(ref), Grade: finding.Recorded, Quote: s.Approval.Subject, Note: "the approval is " + d.Verb.String()}
	return []item{{at: ref, quote: s.Approval.Subject, key: s.Approval.ID + "/" + s.Approval.CallID + "/" + d.Verb.String(), evidence: []finding.Evidence{proof}, fields: fields}}
}
