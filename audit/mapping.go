package audit

import (
	"fmt"
	"os"

	"github.com/goccy/go-yaml"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// LoadMapping reads the description of an in-house log format. Unknown keys are
// errors, with line and column.
func LoadMapping(path string) (*transcript.Format, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m transcript.Mapping
	if err := yaml.UnmarshalWithOptions(data, &m, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := transcript.NewMappedFormat(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
