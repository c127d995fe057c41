package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
