package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/rules"
	"github.com/transcript-lint/transcript-lint/userrule"
)

// document is the file as it is written.
type document struct {
	Rules       ruleMap        `yaml:"rules"`
	Exclude     []text         `yaml:"exclude"`
	FailOn      text           `yaml:"fail-on"`
	Overrides   []overrideNode `yaml:"overrides"`
	UserRules   []userRuleNode `yaml:"user-rules"`
	SideEffects []text         `yaml:"side-effects"`
}

type overrideNode struct {
	Paths []text  `yaml:"paths"`
	Rules ruleMap `yaml:"rules"`
}

type userRuleNode struct {
	ID      text `yaml:"id"`
	Level   text `yaml:"level"`
	On      text `yaml:"on"`
	When    text `yaml:"when"`
	Message text `yaml:"message"`
	Title   text `yaml:"title"`
	Why     text `yaml:"why"`
	Fix     text `yaml:"fix"`
}

// text is a string that knows where it stands.
type text struct {
	string
	at   *token.Token
	body *token.Token // of a block (| or >): its first line
}

// UnmarshalYAML implements yaml.NodeUnmarshaler.
func (t *text) UnmarshalYAML(n ast.Node) error {
	t.at = n.GetToken()
	if block, ok := n.(*ast.LiteralNode); ok {
		t.string, t.body = block.Value.Value, block.Value.GetToken()
		return nil
	}
	var s string
	if err := yaml.NodeToValue(n, &s); err != nil {
		return &yaml.SyntaxError{Message: "a string is wanted here", Token: t.at}
	}
	t.string = s
	return nil
}

// ruleMap is a mapping from rule ids, in the order in which they are written.
type ruleMap []ruleNode

type ruleNode struct {
	id      text
	Level   text      `yaml:"level"`
	Options optionMap `yaml:"options"`
}

// UnmarshalYAML implements yaml.NodeUnmarshaler.
func (m *ruleMap) UnmarshalYAML(n ast.Node) error {
	return eachPair(n, func(key text, value ast.Node) error {
		r := ruleNode{id: key}
		if value.Type() != ast.MappingType && value.Type() != ast.MappingValueType {
			return &yaml.SyntaxError{Message: "write level and options of the rule as a mapping: {level: warning}", Token: value.GetToken()}
		}
		if err := yaml.NodeToValue(value, &r, yaml.Strict()); err != nil {
			return err
		}
		*m = append(*m, r)
		return nil
	})
}

type optionMap []optionNode

type optionNode struct {
	name  text
	value any
}

// UnmarshalYAML implements yaml.NodeUnmarshaler.
func (m *optionMap) UnmarshalYAML(n ast.Node) error {
	return eachPair(n, func(key text, value ast.Node) error {
		o := optionNode{name: key}
		if err := yaml.NodeToValue(value, &o.value); err != nil {
			return err
		}
		o.value = plain(o.value)
		*m = append(*m, o)
		return nil
	})
}

func eachPair(n ast.Node, visit func(key text, value ast.Node) error) error {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	case *ast.NullNode:
	default:
		return &yaml.SyntaxError{Message: "a mapping is wanted here", Token: n.GetToken()}
	}
	for _, p := range pairs {
		if err := visit(text{string: p.Key.GetToken().Value, at: p.Key.GetToken()}, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// plain turns what YAML makes of a value into the types of settings.
func plain(v any) any {
	switch v := v.(type) {
	case uint64:
		return int(v)
	case int64:
		return int(v)
	case []any:
		list := make([]string, len(v))
		for i := range v {
			list[i] = fmt.Sprint(v[i])
		}
		return list
	}
	return v
}

// Parse reads a configuration from memory. name is what errors call it.
func Parse(name string, data []byte) (*Config, error) {
	p := &reader{file: name, config: &Config{Path: name, base: audit.Catalogue()}}
	var doc document
	if err := yaml.UnmarshalWithOptions(data, &doc, yaml.Strict()); err != nil {
		return nil, p.syntax(err)
	}
	for _, step := range []func(*document) error{p.userRules, p.rules, p.sideEffects, p.globs, p.failOn, p.overrides} {
		if err := step(&doc); err != nil {
			return nil, err
		}
	}
	return p.config, nil
}

// reader turns a document into a Config, and mistakes into errors with places.
type reader struct {
	file   string
	config *Config
}

// syntax takes the place out of an error of the YAML package.
func (p *reader) syntax(err error) error {
	var y yaml.Error
	if !errors.As(err, &y) || y.GetToken() == nil {
		return &Error{File: p.file, Text: err.Error()}
	}
	e := p.at(y.GetToken(), y.GetMessage())
	if _, excerpt, ok := strings.Cut(y.FormatError(false, true), "\n"); ok {
		e.Excerpt = excerpt
	}
	return e
}

func (p *reader) at(t *token.Token, text string) *Error {
	e := &Error{File: p.file, Text: text}
	if t != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	return e
}

func (p *reader) rules(doc *document) error {
	changes, err := p.changes(doc.Rules)
	if err != nil {
		return err
	}
	for _, ch := range changes {
		if err := ch.apply(p.config.base); err != nil {
			return &Error{File: p.file, Text: err.Error()}
		}
	}
	return nil
}

// changes reads a mapping of rules and tries it on a copy, so that whatever is
// wrong is told where it stands.
func (p *reader) changes(m ruleMap) ([]change, error) {
	trial := copied(p.config.base)
	var out []change
	for _, r := range m {
		ch := change{id: r.id.string, options: map[string]any{}}
		if err := ch.apply(trial); err != nil {
			return nil, p.at(r.id.at, err.Error())
		}
		if r.Level.at != nil {
			level, err := finding.ParseLevel(r.Level.string)
			if err != nil {
				return nil, p.at(r.Level.at, err.Error())
			}
			ch.level = &level
		}
		for _, o := range r.Options {
			one := change{id: ch.id, options: map[string]any{o.name.string: p.fitting(ch.id, o)}}
			if err := one.apply(trial); err != nil {
				return nil, p.at(o.name.at, err.Error())
			}
			ch.options[o.name.string] = one.options[o.name.string]
		}
		out = append(out, ch)
	}
	return out, nil
}

// fitting turns a list that YAML could not give a type, an empty one, into
// what the option takes.
func (p *reader) fitting(id string, o optionNode) any {
	if o.value != nil {
		return o.value
	}
	for _, s := range p.config.base {
		if s.Rule.ID == id {
			if opt := s.Rule.Option(o.name.string); opt != nil {
				return opt.Default
			}
		}
	}
	return o.value
}

// sideEffects is a shorter way to write an option of unverified-side-effect.
func (p *reader) sideEffects(doc *document) error {
	if len(doc.SideEffects) == 0 {
		return nil
	}
	const id = "unverified-side-effect"
	var patterns []string
	for _, s := range p.config.base {
		if s.Rule.ID == id {
			patterns = slices.Clone(s.Settings.Strings("patterns"))
		}
	}
	for _, t := range doc.SideEffects {
		patterns = append(patterns, t.string)
		ch := change{id: id, options: map[string]any{"patterns": patterns}}
		if err := ch.apply(p.config.base); err != nil {
			return p.at(t.at, err.Error())
		}
	}
	return nil
}

func (p *reader) globs(doc *document) error {
	var err error
	p.config.exclude, err = p.globList(doc.Exclude)
	return err
}

func (p *reader) globList(list []text) ([]string, error) {
	var out []string
	for _, t := range list {
		if t.string == "" || !doublestar.ValidatePattern(t.string) {
			return nil, p.at(t.at, fmt.Sprintf("%q is no valid glob", t.string))
		}
		out = append(out, t.string)
	}
	return out, nil
}

func (p *reader) failOn(doc *document) error {
	if doc.FailOn.at == nil {
		return nil
	}
	switch doc.FailOn.string {
	case "error", "warning", "note", "never":
		p.config.FailOn = doc.FailOn.string
		return nil
	}
	return p.at(doc.FailOn.at, fmt.Sprintf("fail-on %q: use error, warning, note or never", doc.FailOn.string))
}

func (p *reader) overrides(doc *document) error {
	for _, o := range doc.Overrides {
		paths, err := p.globList(o.Paths)
		if err != nil {
			return err
		}
		changes, err := p.changes(o.Rules)
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return &Error{File: p.file, Text: "overrides: an entry without paths is for nothing"}
		}
		p.config.overrides = append(p.config.overrides, override{paths: paths, changes: changes})
	}
	return nil
}

func (p *reader) userRules(doc *document) error {
	for _, n := range doc.UserRules {
		r, err := p.userRule(n)
		if err != nil {
			return err
		}
		for _, s := range p.config.base {
			if s.Rule.ID == r.ID {
				return p.at(n.ID.at, fmt.Sprintf("two rules are called %q", r.ID))
			}
		}
		p.config.base = append(p.config.base, audit.Selected{Rule: r, Level: r.Level, Settings: r.Defaults()})
	}
	return nil
}

func (p *reader) userRule(n userRuleNode) (*rules.Rule, error) {
	level := finding.Warning
	if n.Level.at != nil {
		var err error
		if level, err = finding.ParseLevel(n.Level.string); err != nil {
			return nil, p.at(n.Level.at, err.Error())
		}
	}
	r, err := userrule.New(userrule.Spec{
		ID: n.ID.string, Level: level, On: n.On.string, When: n.When.string, Message: n.Message.string,
		Title: n.Title.string, Why: n.Why.string, Fix: n.Fix.string,
	})
	var problem *userrule.Problem
	if errors.As(err, &problem) {
		return nil, p.problem(n, problem)
	}
	return r, err
}

// problem finds the place of a mistake in a user's rule: the field, and inside
// a condition the very spot.
func (p *reader) problem(n userRuleNode, bad *userrule.Problem) error {
	field := map[string]text{"id": n.ID, "on": n.On, "when": n.When, "message": n.Message}[bad.Field]
	for _, other := range []text{n.ID, n.When, n.Message, n.On} {
		if field.at == nil {
			field.at = other.at // the field is missing: point into its rule
		}
	}
	e := p.at(field.at, bad.Error())
	if n.ID.string != "" {
		e.Text = fmt.Sprintf("rule %s: %s", n.ID.string, e.Text)
	}
	if bad.Line > 0 {
		e.Line, e.Column = field.spot(bad.Line, bad.Column)
		line := strings.Split(field.string, "\n")[bad.Line-1]
		e.Excerpt = "  | " + strings.ReplaceAll(line, "\t", " ") + "\n  | " + strings.Repeat(".", bad.Column-1) + "^"
	}
	return e
}

// spot is where a place inside the text stands in the file. Escapes in quotes
// and folded lines are not followed: there it is the text's own beginning.
func (t text) spot(line, column int) (fileLine, fileColumn int) {
	at := t.at.Position
	switch {
	case t.body != nil && strings.HasPrefix(t.at.Value, "|"):
		indent := len(t.body.Origin) - len(strings.TrimLeft(t.body.Origin, " "))
		return at.Line + line, indent + column
	case line > 1 || t.body != nil:
		return at.Line, at.Column
	case t.at.Type == token.SingleQuoteType || t.at.Type == token.DoubleQuoteType:
		if strings.Contains(t.at.Origin, `\`) || strings.Contains(t.at.Origin, "''") {
			return at.Line, at.Column
		}
		return at.Line, at.Column + column
	}
	return at.Line, at.Column + column - 1
}
