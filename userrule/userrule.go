// Package userrule makes rules out of conditions that users write in their
// configuration: ordinary rules.Rule values, without a line of Go. A condition
// reads a flat, documented set of fields, costs little whatever it says, and
// holds only when it holds whatever the facts are that the log leaves out.
package userrule

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/rules"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A Spec is a rule as its user wrote it.
type Spec struct {
	ID      string
	Level   finding.Level
	On      string // what it looks at: call, claim, message or decision
	When    string // the condition
	Message string // with {{field}}
	Title   string // "": the message
	Why     string
	Fix     string
}

// A Problem is what is wrong with one field of a Spec.
type Problem struct {
	Field  string // as it is called in the configuration: id, on, when, message
	Line   int    // When: the place in the condition, from 1; 0 for the field as a whole
	Column int
	Text   string
}

func (p *Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s: %s (condition %d:%d)", p.Field, p.Text, p.Line, p.Column)
	}
	return p.Field + ": " + p.Text
}

var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// New makes the rule. What is wrong with the spec is a *Problem.
func New(s Spec) (*rules.Rule, error) {
	if !kebab.MatchString(s.ID) {
		return nil, &Problem{Field: "id", Text: fmt.Sprintf("%q is no rule id: use small letters, digits and single hyphens, as in no-force-push", s.ID)}
	}
	if rules.ByID(s.ID) != nil {
		return nil, &Problem{Field: "id", Text: fmt.Sprintf("%q is a rule of the catalogue already", s.ID)}
	}
	subject, ok := subjects[s.On]
	if !ok {
		return nil, &Problem{Field: "on", Text: fmt.Sprintf("%q: use call, claim, message or decision", s.On)}
	}
	cond, err := compile(s.When, subject.fields)
	if err != nil {
		return nil, err
	}
	words, err := parseTemplate(s.Message, subject.fields)
	if err != nil {
		return nil, err
	}
	return &rules.Rule{
		ID: s.ID, Title: strings.TrimSuffix(cmp.Or(s.Title, plainWords(s.Message)), "."),
		Why:    cmp.Or(s.Why, "The configuration of this project asks for it: "+strings.Join(strings.Fields(s.When), " ")+"."),
		Fix:    cmp.Or(s.Fix, "See the rule in the project's configuration."),
		Silent: "Where the condition does not certainly hold: a fact that the log leaves out speaks neither for it nor against it. History that is told again.",
		Group:  rules.User, Level: s.Level, Precision: finding.Medium, Wants: subject.wants,
		New: func(rules.Settings) rules.Checker { return &checker{subject: subject, cond: cond, words: words} },
	}, nil
}

// checker judges one session by one condition.
type checker struct {
	subject *subject
	cond    *condition
	words   template
	broken  bool // the condition went wrong at run time; told once
}

func (c *checker) Observe(s *ledger.Session, e *transcript.Event, emit rules.Emit) {
	if c.subject.observe == nil {
		return
	}
	for _, it := range c.subject.observe(s, e) {
		c.judge(it, emit)
	}
}

// Finish judges calls: only now are their ends known.
func (c *checker) Finish(s *ledger.Session, emit rules.Emit) {
	if c.subject.finish == nil {
		return
	}
	for _, it := range c.subject.finish(s) {
		c.judge(it, emit)
	}
}

// item is one thing that a condition is asked about.
type item struct {
	at       ledger.Ref
	quote    string
	key      string
	evidence []finding.Evidence
	fields   map[string]any
}

func (c *checker) judge(it item, emit rules.Emit) {
	if c.broken {
		return
	}
	holds, err := c.cond.holds(it.fields)
	switch {
	case err != nil:
		c.broken = true
		emit(rules.Hit{At: it.at, Level: finding.Note, Key: "broken", Message: "the condition cannot be evaluated from here on: " + oneLine(err.Error(), 200)})
	case holds:
		emit(rules.Hit{At: it.at, Message: c.words.fill(it.fields), Quote: it.quote, Evidence: it.evidence, Key: it.key})
	}
}

func oneLine(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		return transcript.Clip(s, most) + "..."
	}
	return s
}
