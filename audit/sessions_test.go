package audit_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/jsonl"
)

var update = flag.Bool("update", false, "write what is found into testdata/sessions/expected.txt")

const sessions = "../testdata/sessions"

// TestSessions audits every example session with the whole catalogue and
// compares formats and findings with expected.txt. Each runs again with
// buffers of sixteen bytes that are overwritten between records.
func TestSessions(t *testing.T) {
	inputs, err := audit.Source{Args: []string{sessions}}.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, in := range inputs {
		got := describe(audit.One(in, audit.Options{}))
		tiny := describe(audit.One(in, audit.Options{Tweak: func(o *jsonl.Options) { o.Buffer, o.Poison = 16, true }}))
		if diff := cmp.Diff(got, tiny); diff != "" {
			t.Errorf("%s: a view was kept past its record (-buffered +sixteen bytes)\n%s", in.Path, diff)
		}
		b.WriteString(got)
	}
	path := filepath.Join(sessions, "expected.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("go test ./audit -run TestSessions -update writes it (-want +got)\n%s", diff)
	}
}

func describe(res audit.Result) string {
	name := strings.TrimPrefix(res.Path, filepath.ToSlash(sessions)+"/")
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %d unknown)\n", name, res.Format, res.Unknown)
	if res.Err != nil {
		fmt.Fprintf(&b, "  %v\n", res.Err)
	}
	for _, f := range res.Findings {
		fmt.Fprintf(&b, "  %d:%d %s %s: %s\n", f.Line, f.Column, f.Level, f.Rule, f.Message)
	}
	return b.String()
}
