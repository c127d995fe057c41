package rules

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/transcript-lint/transcript-lint/ledger"
)

// testdata holds the cases of every rule: they are its tests, its examples in
// `explain`, and its examples in the documentation. Written once.
//
//go:embed testdata
var testdata embed.FS

// A Case is a tiny log and what the rule must say about it, and nothing else.
type Case struct {
	Name  string      // file name without its ending
	Fires bool        // by its name: fires-... or silent-...
	Text  string      // what the case shows, one or two sentences
	Log   string      // the log
	Repo  ledger.Repo // the repository that it is held against, nil for none
	Tools string      // the tools that are declared outside of it, as JSON; "" for none
	Want  []string
}

// Cases reads the cases of a rule, those that fire first, in the order of
// their names.
func (r *Rule) Cases() ([]Case, error) {
	dir := path.Join("testdata", r.ID)
	entries, err := testdata.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("rule %s has no cases: %w", r.ID, err)
	}
	var cases []Case
	for _, e := range entries {
		data, err := testdata.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		c, err := parseCase(strings.TrimSuffix(e.Name(), ".txtar"), data)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", dir, e.Name(), err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func parseCase(name string, data []byte) (Case, error) {
	c := Case{Name: name, Fires: strings.HasPrefix(name, "fires-")}
	if !c.Fires && !strings.HasPrefix(name, "silent-") {
		return c, fmt.Errorf("the name of a case begins with fires- or silent-")
	}
	a := txtar.Parse(data)
	c.Text = strings.TrimSpace(string(a.Comment))
	for _, f := range a.Files {
		switch f.Name {
		case "log":
			c.Log = string(f.Data)
		case "log without a newline at the end":
			c.Log = strings.TrimSuffix(string(f.Data), "\n")
		case "repo":
			r, err := parseRepo(string(f.Data))
			if err != nil {
				return c, err
			}
			c.Repo = r
		case "tools":
			c.Tools = string(f.Data)
		case "want":
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line != "" {
					c.Want = append(c.Want, line)
				}
			}
		default:
			return c, fmt.Errorf("unknown section %q: a case has log, want, and perhaps repo or tools", f.Name)
		}
	}
	switch {
	case c.Text == "":
		return c, fmt.Errorf("no sentence that says what the case shows")
	case c.Log == "":
		return c, fmt.Errorf("no log")
	case c.Fires != (len(c.Want) > 0):
		return c, fmt.Errorf("a firing case wants findings, a silent one none")
	}
	return c, nil
}
