// Package transcriptlint holds the test of the layout: which package may know
// which. See ARCHITECTURE.md.
package transcriptlint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/transcript-lint/transcript-lint"

// layers lists, for each package, the packages of the module that it may
// import. What is not listed here is not allowed.
var layers = map[string][]string{
	"finding":             {},
	"jsonl":               {},
	"transcript":          {"jsonl"},
	"ledger/claim":        {},
	"ledger/command":      {},
	"ledger/delivery":     {},
	"ledger":              {"transcript", "jsonl", "ledger/claim", "ledger/command", "ledger/delivery"},
	"repo":                {"transcript"},
	"rules":               {"finding", "ledger", "ledger/claim", "ledger/command", "ledger/delivery", "transcript", "jsonl"},
	"report":              {"finding", "ledger/delivery"},
	"audit":               {"finding", "jsonl", "ledger", "ledger/claim", "ledger/delivery", "report", "rules", "transcript"},
	"catalogue":           {"audit", "report", "rules"},
	"eval":                {"audit", "finding", "jsonl", "ledger", "ledger/claim", "ledger/command", "ledger/delivery", "rules", "transcript"},
	"userrule":            {"finding", "ledger", "ledger/command", "rules", "transcript"},
	"config":              {"audit", "finding", "rules", "userrule"},
	"cmd/transcript-lint": {"audit", "catalogue", "config", "finding", "repo", "report", "rules", "transcript"},
}

// outside lists the third-party packages that only some packages may use.
var outside = map[string][]string{
	"github.com/spf13/cobra":          {"cmd/transcript-lint"},
	"github.com/fatih/color":          {"report"},
	"github.com/bmatcuk/doublestar":   {"audit", "config"},
	"github.com/klauspost/compress":   {"jsonl"},
	"mvdan.cc/sh":                     {"ledger/command"},
	"github.com/tidwall/gjson":        {"ledger/delivery", "ledger", "transcript", "audit", "eval"},
	"github.com/goccy/go-yaml":        {"audit", "config"},
	"github.com/expr-lang/expr":       {"userrule"},
	"github.com/rogpeppe/go-internal": {"rules"},
}

func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(file))
		allowed, known := layers[pkg]
		if !known {
			t.Errorf("%s: package %s has no place in the layout", file, pkg)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if in, ok := strings.CutPrefix(name, module+"/"); ok && !slices.Contains(allowed, in) {
				t.Errorf("%s: %s may not import %s", file, pkg, in)
			}
			for prefix, users := range outside {
				if strings.HasPrefix(name, prefix) && !slices.Contains(users, pkg) {
					t.Errorf("%s: %s may not import %s", file, pkg, name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
