package audit_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
)

// TestNormalizeKeepsFindings audits the events that normalize writes and wants
// the findings of the log itself: on the example sessions, and on real ones
// when they lie beside the repository.
func TestNormalizeKeepsFindings(t *testing.T) {
	args := []string{sessions}
	if _, err := os.Stat("../../shared/corpus"); err == nil && !testing.Short() {
		args = append(args, "../../shared/corpus")
	}
	inputs, err := audit.Source{Args: args}.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		var b bytes.Buffer
		if err := audit.Normalize(&b, in, audit.Options{}); err != nil {
			continue // not recognised
		}
		again := audit.Input{Path: in.Path, Open: func() (io.ReadCloser, error) { return io.NopCloser(&b), nil }}
		want := said(audit.One(in, audit.Options{}))
		got := said(audit.One(again, audit.Options{}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-log +normalised)\n%s", in.Path, diff)
		}
	}
}

// said is what the rules say of a log. Damage of the container is not carried
// over: what could not be read is not in the events, or stands there mended.
func said(res audit.Result) []string {
	var out []string
	for _, f := range res.Findings {
		if damage(f) {
			continue
		}
		out = append(out, fmt.Sprintf("%d %s %s: %s", f.Line, f.Level, f.Rule, f.Message))
	}
	return out
}

func damage(f finding.Finding) bool {
	return f.Rule == "malformed-line" || f.Rule == "torn-tail" || f.Rule == "invalid-text" || f.Rule == "unknown-format"
}
