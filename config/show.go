package config

import (
	_ "embed"
	"fmt"
	"io"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/rules"
)

// Template is what `config init` writes: every key, explained.
//
//go:embed template.yaml
var Template string

// Show prints what is in force as YAML: where it comes from, and every rule
// with its level and options. What the conditions of the user's own rules are
// stands in their file.
func (c *Config) Show(w io.Writer) error {
	shown := yaml.MapSlice{
		{Key: "fail-on", Value: c.failOn()},
		{Key: "exclude", Value: append([]string{}, c.exclude...)},
		{Key: "rules", Value: shownRules(c.base)},
	}
	var overrides []yaml.MapSlice
	for _, o := range c.overrides {
		overrides = append(overrides, yaml.MapSlice{{Key: "paths", Value: o.paths}, {Key: "rules", Value: shownChanges(o.changes)}})
	}
	if len(overrides) > 0 {
		shown = append(shown, yaml.MapItem{Key: "overrides", Value: overrides})
	}
	data, err := yaml.Marshal(shown)
	if err != nil {
		return err
	}
	source := c.Path
	if source == "" {
		source = "no configuration: the defaults"
	}
	_, err = fmt.Fprintf(w, "# %s\n%s", source, data)
	return err
}

func (c *Config) failOn() string {
	if c.FailOn == "" {
		return finding.Error.String()
	}
	return c.FailOn
}

func shownRules(sel []audit.Selected) yaml.MapSlice {
	if sel == nil {
		sel = audit.Catalogue()
	}
	var out yaml.MapSlice
	for _, s := range sel {
		row := yaml.MapSlice{{Key: "level", Value: s.Level.String()}}
		if len(s.Rule.Options) > 0 {
			row = append(row, yaml.MapItem{Key: "options", Value: shownOptions(s.Rule, s.Settings)})
		}
		out = append(out, yaml.MapItem{Key: s.Rule.ID, Value: row})
	}
	return out
}

func shownOptions(r *rules.Rule, set map[string]any) yaml.MapSlice {
	var out yaml.MapSlice
	for _, o := range r.Options {
		if v, ok := set[o.Name]; ok {
			out = append(out, yaml.MapItem{Key: o.Name, Value: v})
		}
	}
	return out
}

func shownChanges(changes []change) yaml.MapSlice {
	var out yaml.MapSlice
	for _, ch := range changes {
		row := yaml.MapSlice{}
		if ch.level != nil {
			row = append(row, yaml.MapItem{Key: "level", Value: ch.level.String()})
		}
		if len(ch.options) > 0 {
			row = append(row, yaml.MapItem{Key: "options", Value: shownOptions(rules.ByID(ch.id), ch.options)})
		}
		out = append(out, yaml.MapItem{Key: ch.id, Value: row})
	}
	return out
}

// UserRules are the rules of the user's own.
func (c *Config) UserRules() []*rules.Rule {
	var out []*rules.Rule
	for _, s := range c.base {
		if s.Rule.Group == rules.User {
			out = append(out, s.Rule)
		}
	}
	return slices.Clip(out)
}
