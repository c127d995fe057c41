// Package rules holds the catalogue: one file a rule, with its metadata, its
// prose and its check, and its cases in testdata/<rule-id>. A rule sees the
// ledger and the events; it knows no log format and no output.
package rules

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Group sorts the rules by what they watch.
type Group string

// The groups, in the order in which they are listed.
const (
	Evidence   Group = "evidence"
	ToolUse    Group = "tooluse"
	Delivery   Group = "delivery"
	Compaction Group = "compaction"
	Approval   Group = "approval"
	Cancel     Group = "cancel"
	Context    Group = "context"
	Progress   Group = "progress"
	Input      Group = "input"
	User       Group = "user" // rules of the configuration; none of the catalogue
)

// A Rule is one thing that can be wrong with a log. Everything that is said
// about it anywhere (explain, docs, SARIF) comes from here.
type Rule struct {
	ID    string // kebab-case, stable for ever
	Title string // one line, no period
	Why   string // why it matters, one or two sentences
	Fix   string // what to do about a finding, one or two sentences
	// Silent says, as prose, what the rule leaves alone on purpose, and where
	// it differs from the catalogue.
	Silent    string
	Group     Group
	Level     finding.Level
	Precision finding.Precision
	Wants     transcript.KindSet // the events that Observe is called for
	Options   []Option
	New       func(Settings) Checker
	// Lacks says why the rule could not judge this session: the data that it
	// needs is not in the log. Empty means that it could. Nil: it always can.
	Lacks func(*ledger.Session) string
}

// A Checker judges one session. It keeps its own state and nothing else: no
// I/O, no clock, no randomness.
type Checker interface {
	Observe(*ledger.Session, *transcript.Event, Emit)
	Finish(*ledger.Session, Emit)
}

// Emit takes one finding of a rule.
type Emit func(Hit)

// A Hit is a finding as a rule words it; audit adds what all findings share.
type Hit struct {
	At       ledger.Ref
	Message  string // what is wrong, with the numbers, one line
	Quote    string // the claim or the faulty value, raw
	Evidence []finding.Evidence
	Level    finding.Level // None: the rule's own
	Fix      string        // "": the rule's own
	Inferred bool
	Key      string // identity of the finding beside its record: never a line number
}

// Option is one documented setting of a rule.
type Option struct {
	Name    string
	Doc     string
	Default any                   // int, float64, string, []string or bool
	Check   func(value any) error // what else a value has to be; nil: nothing
}

// Option finds an option by its name, nil when there is none.
func (r *Rule) Option(name string) *Option {
	for i := range r.Options {
		if r.Options[i].Name == name {
			return &r.Options[i]
		}
	}
	return nil
}

// Settings are a rule's options with their values.
type Settings map[string]any

// Int reads a whole number.
func (s Settings) Int(name string) int {
	n, _ := s[name].(int)
	return n
}

// Float reads a number.
func (s Settings) Float(name string) float64 {
	f, _ := s[name].(float64)
	return f
}

// Strings reads a list.
func (s Settings) Strings(name string) []string {
	l, _ := s[name].([]string)
	return l
}

// Defaults are the settings that nobody changed.
func (r *Rule) Defaults() Settings {
	s := Settings{}
	for _, o := range r.Options {
		s[o.Name] = o.Default
	}
	return s
}

// ByID finds a rule of the catalogue.
func ByID(id string) *Rule {
	for _, r := range All {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// silent is the half of a Checker that most rules do not need.
type silent struct{}

func (silent) Observe(*ledger.Session, *transcript.Event, Emit) {}
func (silent) Finish(*ledger.Session, Emit)                     {}

// at makes a step of an evidence chain.
func at(ref ledger.Ref, grade finding.Grade, quote, format string, args ...any) finding.Evidence {
	return finding.Evidence{Span: Span(ref), Grade: grade, Note: fmt.Sprintf(format, args...), Quote: clip(quote)}
}

// Span turns a reference into a place.
func Span(ref ledger.Ref) finding.Span {
	return finding.Span{Line: ref.Line, Offset: ref.Offset, Length: ref.Length, From: ref.From, To: ref.To, Pointer: ref.Pointer, ID: ref.ID}
}

const quoteLimit = 240

func clip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= quoteLimit {
		return s
	}
	return transcript.Clip(s, quoteLimit-3) + "..."
}

// ended words how a call ended, so that it completes "ended": "at its time
// limit of 2m0s (exit code 143)".
func ended(t transcript.Termination) string {
	code := ""
	if t.HasCode {
		code = fmt.Sprintf(" (exit code %d)", t.Code)
	}
	switch t.Kind {
	case transcript.TermOK:
		return "ok"
	case transcript.TermNonzero:
		if t.HasCode {
			return fmt.Sprintf("with exit code %d", t.Code)
		}
		return "with an error"
	case transcript.TermTimeout:
		if t.Limit > 0 {
			return "at its time limit of " + t.Limit.String() + code
		}
		return "at its time limit" + code
	case transcript.TermSignalled:
		if t.Signal != "" {
			return "by " + t.Signal + code
		}
		return "by a signal" + code
	case transcript.TermInterrupted:
		return "by an interruption" + code
	case transcript.TermStopped:
		return "by a stop on purpose" + code
	case transcript.TermDenied:
		return "before it ran: it was denied"
	case transcript.TermNotStarted:
		return "before it ran"
	case transcript.TermStillRunning:
		return "not yet: it is still running"
	}
	return "in a way that this log does not say"
}

// plural words a count: "1 line", "3 lines".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// isAre is the verb of a count.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// name is how a call is spoken of: its command, or its tool.
func name(c *ledger.Call) string {
	if c.Command != "" {
		return "`" + transcript.Clip(oneLine(c.Command), 100) + "`"
	}
	return c.Tool
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// evidenceOfEnd is the step that shows how a call ended, preceded by the call.
func evidenceOfEnd(c *ledger.Call) []finding.Evidence {
	chain := []finding.Evidence{at(c.Ref, finding.Recorded, c.Command, "%s is started", called(c))}
	if c.Result == nil {
		return chain
	}
	if len(c.Result.Markers) > 0 && c.Result.Term.Unfinished() {
		chain = append(chain, at(c.Result.Ref, finding.Observed, c.Result.Markers[len(c.Result.Markers)-1].Text,
			"success-like output (%s) before the end", plural(len(c.Result.Markers), "marker")))
	}
	grade := finding.Terminated
	quote := c.Result.Term.Quote
	if len(c.Result.Failures) > 0 && c.Result.Term.Kind != transcript.TermTimeout {
		quote = c.Result.Failures[0].Text
	}
	return append(chain, at(c.Result.End, grade, quote, "it ended %s", ended(c.Result.Term)))
}

func called(c *ledger.Call) string {
	if c.Line != nil && c.Line.Main != nil {
		return c.Line.Main.Class.String() + " command"
	}
	return c.Tool
}
