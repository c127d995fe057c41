package report

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/transcript-lint/transcript-lint/finding"
)

// validate holds a document against a schema file.
func validate(t *testing.T, schema string, doc []byte) {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatalf("not JSON: %v\n%s", err, doc)
	}
	if err := compiled.Validate(v); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
}

const sarifSchema = "testdata/sarif-2.1.0.schema.json"

func TestSARIFSchema(t *testing.T) {
	for _, o := range []SARIFOptions{{}, {Snippets: true, Category: "nightly"}, {MaxResults: 3}} {
		var b bytes.Buffer
		sample(t, NewSARIF(&b, o))
		validate(t, sarifSchema, b.Bytes())
		if path := os.Getenv("SARIF_OUT"); path != "" && o.Snippets {
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// logOf writes a run and reads it back.
func logOf(t *testing.T, o SARIFOptions, r Run, files []File, totals Totals) (out struct {
	Runs []struct {
		Results     []sarifResult
		Invocations []sarifInvocation
	}
},
) {
	t.Helper()
	var b bytes.Buffer
	play(t, NewSARIF(&b, o), r, files, totals)
	validate(t, sarifSchema, b.Bytes())
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSARIFClean(t *testing.T) {
	var b bytes.Buffer
	play(t, NewSARIF(&b, SARIFOptions{}), Run{Version: "(devel)", CommandLine: "transcript-lint x", Start: time.Unix(0, 0)}, nil, Totals{})
	validate(t, sarifSchema, b.Bytes())
	if out := b.String(); !strings.Contains(out, `"results":[
]`) || strings.Contains(out, "semanticVersion") || !strings.Contains(out, `"startTimeUtc":"1970-01-01T00:00:00Z"`) {
		t.Error(out)
	}
}

// TestSARIFMax keeps the worst, in the order of the input, and says so.
func TestSARIFMax(t *testing.T) {
	f := File{Path: "a.jsonl"}
	for i, l := range []finding.Level{1, 3, 2, 1, 2, 3, 2} {
		x := marker(i + 1)
		x.Level = l
		f.Findings = append(f.Findings, x)
	}
	run := logOf(t, SARIFOptions{MaxResults: 4}, Run{Rules: sampleRules}, []File{f}, Totals{}).Runs[0]
	var lines []int
	for _, r := range run.Results {
		lines = append(lines, r.Locations[0].Physical.Region.StartLine)
	}
	if len(lines) != 4 || lines[0] != 200 || lines[1] != 300 || lines[2] != 500 || lines[3] != 600 {
		t.Errorf("kept %v", lines)
	}
	if n := run.Invocations[0].Notifications; len(n) != 1 || n[0].Descriptor.ID != "results-capped" || !strings.HasPrefix(n[0].Message.Text, "3 results left out") {
		t.Errorf("%+v", n)
	}
}

// TestSARIFLimits holds one huge finding and rule to GitHub's limits.
func TestSARIFLimits(t *testing.T) {
	x := falseConfirmation()
	x.Message, x.Quote, x.Fix = strings.Repeat("m", 10_000), strings.Repeat("q", 10_000), strings.Repeat("f", 10_000)
	for i := range 5000 {
		x.Evidence = append(x.Evidence, step(i+1, finding.Observed, "n", "q"))
	}
	rule := sampleRules[0]
	rule.Title, rule.Why = strings.Repeat("t", 5000), strings.Repeat("w", 5000)
	var b bytes.Buffer
	play(t, NewSARIF(&b, SARIFOptions{}), Run{Rules: []finding.Rule{rule}}, []File{{Path: "a.jsonl", Findings: []finding.Finding{x}}}, Totals{})
	validate(t, sarifSchema, b.Bytes())
	if full := sarifRuleOf(&rule); b.Len() > 200_000 || utf8.RuneCountInString(full.Short.Text) > 1024 || utf8.RuneCountInString(full.Full.Text) > 1024 {
		t.Errorf("%d bytes", b.Len())
	}
	res := logOf(t, SARIFOptions{}, Run{}, []File{{Path: "a.jsonl", Findings: []finding.Finding{x}}}, Totals{}).Runs[0].Results[0]
	if len(res.Related) > 1000 || len(res.CodeFlows[0].ThreadFlows[0].Locations) > 1000 || res.RuleIndex != nil {
		t.Errorf("%d related", len(res.Related))
	}
}

func TestURI(t *testing.T) {
	for _, c := range []struct{ root, path, uri, base string }{
		{"", "logs/a.jsonl", "logs/a.jsonl", sarifBaseID},
		{"", "./logs//a b.jsonl", "logs/a%20b.jsonl", sarifBaseID},
		{"", "c:/x", "c%3A/x", sarifBaseID},
		{"", "50%/汉.jsonl", "50%25/%E6%B1%89.jsonl", sarifBaseID},
		{"", "\xff?#", "%FF%3F%23", sarifBaseID},
		{"", "/abs/a.jsonl", "file:///abs/a.jsonl", ""},
		{"/abs", "/abs/d/a.jsonl", "d/a.jsonl", sarifBaseID},
		{"/abs", "/other/a.jsonl", "file:///other/a.jsonl", ""},
		{"..", "a.jsonl", "report/a.jsonl", sarifBaseID},
		{".", "<stdin>", "%3Cstdin%3E", sarifBaseID},
	} {
		if got := artifactOf(c.root, c.path); got.URI != c.uri || got.BaseID != c.base {
			t.Errorf("%q from %q: %+v, want %s", c.path, c.root, got, c.uri)
		}
	}
}

// TestSARIFMessage keeps text from posing as links and placeholders.
func TestSARIFMessage(t *testing.T) {
	for in, want := range map[string]string{
		"a[1] is {}":   "a[1] is {}",
		"see [x](1)":   `see \[x\](1)`,
		"say {0} {12}": "say {{0}} {{12}}",
	} {
		if got := sarifEscape(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// BenchmarkSARIF writes 100,000 results a round; what it holds must not grow.
func BenchmarkSARIF(b *testing.B) {
	x := falseConfirmation()
	for b.Loop() {
		w := NewSARIF(io.Discard, SARIFOptions{})
		if err := w.Begin(Run{Rules: sampleRules}); err != nil {
			b.Fatal(err)
		}
		for range 1000 {
			f := File{Path: "logs/a.jsonl", Findings: make([]finding.Finding, 100)}
			for i := range f.Findings {
				f.Findings[i] = x
			}
			if err := w.File(f); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.End(Totals{}); err != nil {
			b.Fatal(err)
		}
		if held := w.(*sarif).buf.Cap(); held > 1<<20 {
			b.Fatalf("%d bytes held", held)
		}
	}
}

// TestSARIFOddShapes writes findings that lack what most have.
func TestSARIFOddShapes(t *testing.T) {
	files := []File{
		{Path: "/abs/x.jsonl", Findings: []finding.Finding{{Rule: "unknown-rule", Level: finding.Error, Message: "file as a whole"}}},
		{Path: "../up.jsonl", Findings: []finding.Finding{{Rule: "stuck-loop", Level: finding.Note, Span: finding.Span{Line: 1, Column: 5}, Message: ""}}},
		{Path: "-", Findings: []finding.Finding{{
			Rule: "malformed-line", Level: finding.None, Span: finding.Span{Line: 2, Column: 5, EndCol: 5, Length: 3}, Message: "empty region",
			Evidence: []finding.Evidence{{Span: finding.Span{Line: 1}}},
		}}},
	}
	var b bytes.Buffer
	totals := Totals{Files: 3, ExitCode: 1, NotChecked: []NotChecked{{Rule: "stuck-loop"}}, Notices: []finding.Notice{{Level: finding.Note, ID: "other"}}}
	play(t, NewSARIF(&b, SARIFOptions{}), Run{Rules: sampleRules}, files, totals)
	validate(t, sarifSchema, b.Bytes())
	if path := os.Getenv("SARIF_ODD"); path != "" {
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
