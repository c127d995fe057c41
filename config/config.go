// Package config reads .transcript-lint.yaml: which rules run at which level
// and with which options, what is left out, and rules of the user's own. It is
// strict: what it does not know is an error with its file, line and column.
package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
)

// A Config is a configuration that was read and found sound. The zero value
// is the configuration of those who have none.
type Config struct {
	Path   string // where it was read from, "" for none
	FailOn string // "" when not said

	dir       string           // globs are relative to it
	exclude   []string         // globs
	base      []audit.Selected // the catalogue and the user's rules, at the levels set
	overrides []override
}

// override changes rules for some inputs.
type override struct {
	paths   []string
	changes []change
}

// change is what the configuration says of one rule.
type change struct {
	id      string
	level   *finding.Level
	options map[string]any
}

// Error is what is wrong with a configuration, and where.
type Error struct {
	File    string
	Line    int // 0: the file as a whole
	Column  int
	Text    string
	Excerpt string // the lines around it, with a mark
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Excerpt != "" {
		return where + ": " + e.Text + "\n" + strings.TrimRight(e.Excerpt, "\n")
	}
	return where + ": " + e.Text
}

// Names of a configuration, in the order in which they are looked for.
var Names = []string{".transcript-lint.yaml", ".transcript-lint.yml"}

// Env is the environment variable that names a configuration.
const Env = "TRANSCRIPT_LINT_CONFIG"

// Find is the path of the configuration that applies in dir: the environment's,
// the nearest from dir up to the root of its repository, the user's own, or ""
// for none.
func Find(dir string) (string, error) {
	if named := os.Getenv(Env); named != "" {
		return named, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for _, d := range upward(dir) {
		for _, name := range Names {
			if p := filepath.Join(d, name); isFile(p) {
				return p, nil
			}
		}
	}
	if home, err := os.UserConfigDir(); err == nil {
		if p := filepath.Join(home, "transcript-lint", "config.yaml"); isFile(p) {
			return p, nil
		}
	}
	return "", nil
}

// upward lists the directories from dir to the root of its repository; outside
// of any repository dir alone.
func upward(dir string) []string {
	var dirs []string
	for d := dir; ; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return dirs
		}
		if d == filepath.Dir(d) {
			return []string{dir}
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Load reads a configuration.
func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, &Error{File: path, Text: err.Error()}
	}
	c, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	c.dir, err = filepath.Abs(filepath.Dir(path))
	if home, herr := os.UserConfigDir(); herr == nil && filepath.Dir(c.dir) == home {
		c.dir = "" // the user's own speaks of no directory in particular
	}
	return c, err
}

// Excluded reports whether an input is left out.
func (c *Config) Excluded(path string) bool { return c.matches(c.exclude, path) }

// matches holds a path against globs: as it was named, and relative to the
// configuration. A glob without a slash means the file's name.
func (c *Config) matches(globs []string, path string) bool {
	names := []string{strings.TrimPrefix(filepath.ToSlash(path), "./")}
	if abs, err := filepath.Abs(path); err == nil && c.dir != "" {
		if rel, err := filepath.Rel(c.dir, abs); err == nil && !strings.HasPrefix(rel, "..") {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	for _, glob := range globs {
		if !strings.Contains(glob, "/") {
			glob = "**/" + glob
		}
		for _, name := range names {
			if ok, _ := doublestar.Match(strings.TrimPrefix(glob, "./"), name); ok {
				return true
			}
		}
	}
	return false
}

// Rules applies the command line to the configuration: all rules that may run,
// and those of one input, which is nil when no input differs.
func (c *Config) Rules(flags audit.Selection) (all []audit.Selected, forPath func(string) []audit.Selected, err error) {
	flags.Base = c.base
	if all, err = flags.Rules(); err != nil || len(c.overrides) == 0 {
		return all, nil, err
	}
	p := &perPath{config: c, flags: flags, known: map[string][]audit.Selected{}}
	everything := slices.Clone(all)
	for i := range c.overrides {
		for _, s := range p.with([]int{i}) {
			if !slices.ContainsFunc(everything, func(o audit.Selected) bool { return o.Rule == s.Rule }) {
				everything = append(everything, s)
			}
		}
	}
	return everything, p.of, nil
}

// perPath works out the rules of inputs, once for each set of overrides that
// meet.
type perPath struct {
	config *Config
	flags  audit.Selection
	mu     sync.Mutex
	known  map[string][]audit.Selected
}

func (p *perPath) of(path string) []audit.Selected {
	var met []int
	for i, o := range p.config.overrides {
		if p.config.matches(o.paths, path) {
			met = append(met, i)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := fmt.Sprint(met)
	if _, ok := p.known[key]; !ok {
		p.known[key] = p.with(met)
	}
	return p.known[key]
}

// with selects with some of the overrides, later ones over earlier ones, and
// the command line over all. Names and values were checked when they were read.
func (p *perPath) with(met []int) []audit.Selected {
	base := copied(p.config.base)
	for _, i := range met {
		for _, ch := range p.config.overrides[i].changes {
			_ = ch.apply(base)
		}
	}
	flags := p.flags
	flags.Base = base
	sel, _ := flags.Rules()
	if sel == nil {
		sel = []audit.Selected{}
	}
	return sel
}

func copied(sel []audit.Selected) []audit.Selected {
	out := slices.Clone(sel)
	for i := range out {
		out[i].Settings = maps.Clone(out[i].Settings)
	}
	return out
}

// apply changes the rule in the selection that the change is about.
func (ch change) apply(sel []audit.Selected) error {
	i := slices.IndexFunc(sel, func(s audit.Selected) bool { return s.Rule.ID == ch.id })
	if i < 0 {
		return fmt.Errorf("there is no rule %q (`transcript-lint rules` lists them)", ch.id)
	}
	if ch.level != nil {
		sel[i].Level = *ch.level
	}
	for name, value := range ch.options {
		if err := sel[i].Assign(name, value); err != nil {
			return err
		}
	}
	return nil
}
