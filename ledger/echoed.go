package ledger

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/claim"
)

// spells reports whether the command line itself holds the closing count that
// its output shows: `echo "12 passed in 0.3s"` counts nothing, wherever it
// stands in the line and whichever program prints it.
func (c *Call) spells(output string) bool {
	if c.Line == nil {
		return false
	}
	if c.Line.Echoes {
		return true
	}
	if !prints(c.Command) {
		return false
	}
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if len(line) < 6 || !strings.Contains(c.Command, line) {
			continue
		}
		if _, ok := claim.Summary(line); ok {
			return true
		}
	}
	return false
}

// prints reports whether a command line holds words that print words.
func prints(command string) bool {
	for _, w := range []string{"echo ", "printf ", "print(", "console.log(", "write(", "<<"} {
		if strings.Contains(command, w) {
			return true
		}
	}
	return false
}
