package catalogue

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/rules"
)

var update = flag.Bool("update", false, "write docs/rules.md")

//go:generate go test . -run TestDocument -update

// TestDocument holds docs/rules.md to what the rules say now.
func TestDocument(t *testing.T) {
	var b bytes.Buffer
	if err := Document(&b); err != nil {
		t.Fatal(err)
	}
	const path = "../docs/rules.md"
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(old), b.String()); diff != "" {
		t.Errorf("docs/rules.md is stale; run go generate ./catalogue\n%s", diff)
	}
}

// TestExplain prints every rule's page at a narrow and a wide terminal.
func TestExplain(t *testing.T) {
	for _, r := range rules.All {
		for _, width := range []int{40, 120} {
			var b bytes.Buffer
			if err := Explain(&b, r, width); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
			if !bytes.Contains(b.Bytes(), []byte(r.Title)) {
				t.Errorf("%s: the page lacks the title", r.ID)
			}
		}
	}
}
