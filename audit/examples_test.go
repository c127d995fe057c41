package audit_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/transcript"
)

func exampleInputs(t *testing.T) []audit.Input {
	t.Helper()
	inputs, err := audit.Source{Args: []string{sessions}}.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	return inputs
}

// TestEveryFormatHasASession wants an example session for each format, found
// by its content.
func TestEveryFormatHasASession(t *testing.T) {
	seen := map[string]int{}
	for _, in := range exampleInputs(t) {
		res := audit.One(in, audit.Options{})
		if res.Format == "" {
			t.Errorf("%s: not recognised", in.Path)
		}
		if res.Unknown > 0 {
			t.Errorf("%s: %d records that the adapter does not know", in.Path, res.Unknown)
		}
		seen[res.Format]++
	}
	for _, f := range transcript.Formats {
		if seen[f.Name] == 0 {
			t.Errorf("%s: no session under testdata/sessions is recognised as it", f.Name)
		}
	}
}

// TestSessionsInParallel wants the same from one worker and from four.
func TestSessionsInParallel(t *testing.T) {
	inputs := exampleInputs(t)
	run := func(jobs int) (all []string) {
		for res := range audit.Run(context.Background(), inputs, audit.Options{Jobs: jobs}) {
			all = append(all, describe(res)+fmt.Sprint(prints(res)))
		}
		return all
	}
	if diff := cmp.Diff(run(1), run(4)); diff != "" {
		t.Errorf("-j 1 and -j 4 differ (-one +four)\n%s", diff)
	}
}

// TestSessionsCompressed wants the same from a gzip copy: only columns, which
// need the file itself, are left out.
func TestSessionsCompressed(t *testing.T) {
	for _, in := range exampleInputs(t) {
		if strings.HasSuffix(in.Path, ".gz") || strings.HasSuffix(in.Path, ".zst") {
			continue
		}
		packed := audit.Input{Path: in.Path, Open: func() (io.ReadCloser, error) { return pack(in) }}
		plain, zipped := audit.One(in, audit.Options{}), audit.One(packed, audit.Options{})
		if plain.Format != zipped.Format || plain.Events != zipped.Events {
			t.Errorf("%s: %s with %d events, compressed %s with %d", in.Path, plain.Format, plain.Events, zipped.Format, zipped.Events)
		}
		if diff := cmp.Diff(prints(plain), prints(zipped)); diff != "" {
			t.Errorf("%s (-plain +gzip)\n%s", in.Path, diff)
		}
	}
}

// pack is an input's content, compressed once more.
func pack(in audit.Input) (io.ReadCloser, error) {
	src, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.Copy(z, src); err != nil {
		return nil, err
	}
	return io.NopCloser(&b), z.Close()
}

// prints is what the findings of a result are, with their identities.
func prints(res audit.Result) []string {
	var out []string
	for _, f := range res.Findings {
		out = append(out, fmt.Sprintf("%d %s %s %s: %s", f.Line, f.Fingerprint, f.Level, f.Rule, f.Message))
	}
	return out
}
