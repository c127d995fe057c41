package audit

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// Selection says which rules run, at which level and with which settings, in
// the words of the command line.
type Selection struct {
	Base     []Selected // what it starts from; nil: Catalogue()
	Enable   []string
	Disable  []string
	Only     []string
	Severity []string // rule=level
	Set      []string // rule.option=value
}

// Rules applies the selection to the catalogue. Names that are not in it are
// errors.
func (s Selection) Rules() ([]Selected, error) {
	sel := s.base()
	find := func(id string) (*Selected, error) {
		for i := range sel {
			if sel[i].Rule.ID == id {
				return &sel[i], nil
			}
		}
		return nil, fmt.Errorf("there is no rule %q (`transcript-lint rules` lists them)", id)
	}
	if err := s.switches(sel, find); err != nil {
		return nil, err
	}
	if err := s.levels(find); err != nil {
		return nil, err
	}
	if err := s.settings(find); err != nil {
		return nil, err
	}
	on := sel[:0]
	for _, r := range sel {
		if r.Level != finding.None {
			on = append(on, r)
		}
	}
	return on, nil
}

// base is a copy of what the selection starts from.
func (s Selection) base() []Selected {
	if s.Base == nil {
		return Catalogue()
	}
	sel := slices.Clone(s.Base)
	for i := range sel {
		sel[i].Settings = maps.Clone(sel[i].Settings)
	}
	return sel
}

type lookup func(id string) (*Selected, error)

func (s Selection) switches(sel []Selected, find lookup) error {
	if len(s.Only) > 0 {
		for i := range sel {
			if !slices.Contains(s.Only, sel[i].Rule.ID) {
				sel[i].Level = finding.None
			}
		}
	}
	for _, id := range slices.Concat(s.Only, s.Enable) {
		r, err := find(id)
		if err != nil {
			return err
		}
		if r.Level == finding.None {
			r.Level = max(r.Rule.Level, finding.Note)
		}
	}
	for _, id := range s.Disable {
		r, err := find(id)
		if err != nil {
			return err
		}
		r.Level = finding.None
	}
	return nil
}

func (s Selection) levels(find lookup) error {
	for _, spec := range s.Severity {
		id, name, ok := strings.Cut(spec, "=")
		if !ok {
			return fmt.Errorf("--severity %q: write RULE=LEVEL", spec)
		}
		r, err := find(id)
		if err != nil {
			return err
		}
		if r.Level, err = finding.ParseLevel(name); err != nil {
			return fmt.Errorf("--severity %q: %w", spec, err)
		}
	}
	return nil
}

func (s Selection) settings(find lookup) error {
	for _, spec := range s.Set {
		key, value, ok := strings.Cut(spec, "=")
		id, option, dotted := strings.Cut(key, ".")
		if !ok || !dotted {
			return fmt.Errorf("--set %q: write RULE.OPTION=VALUE", spec)
		}
		r, err := find(id)
		if err != nil {
			return err
		}
		if err := r.set(option, value); err != nil {
			return fmt.Errorf("--set %q: %w", spec, err)
		}
	}
	return nil
}

// set changes one setting as the command line words it.
func (r *Selected) set(option, value string) error {
	o := r.Rule.Option(option)
	if o == nil {
		return fmt.Errorf("rule %s has no option %q", r.Rule.ID, option)
	}
	v, err := parseAs(o.Default, value)
	if err != nil {
		return err
	}
	return r.Assign(option, v)
}

// Assign changes one setting, which keeps the type of its default.
func (r *Selected) Assign(option string, value any) error {
	o := r.Rule.Option(option)
	if o == nil {
		return fmt.Errorf("rule %s has no option %q", r.Rule.ID, option)
	}
	if n, ok := value.(int); ok {
		if _, wants := o.Default.(float64); wants {
			value = float64(n)
		}
	}
	if reflect.TypeOf(value) != reflect.TypeOf(o.Default) {
		return fmt.Errorf("option %s of rule %s takes %s", option, r.Rule.ID, kindOf(o.Default))
	}
	if o.Check != nil {
		if err := o.Check(value); err != nil {
			return fmt.Errorf("option %s of rule %s: %w", option, r.Rule.ID, err)
		}
	}
	r.Settings[option] = value
	return nil
}

// kindOf words the type of a setting.
func kindOf(v any) string {
	switch v.(type) {
	case int:
		return "a whole number"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []string:
		return "a list of strings"
	}
	return "a string"
}

func parseAs(like any, value string) (any, error) {
	switch like.(type) {
	case int:
		return strconv.Atoi(value)
	case float64:
		return strconv.ParseFloat(value, 64)
	case bool:
		return strconv.ParseBool(value)
	case []string:
		return strings.Split(value, ","), nil
	}
	return value, nil
}
