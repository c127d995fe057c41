package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/rules"
)

// runCases is set (a): each rule over its own case files, finding by finding.
func runCases() (tallies, int, error) {
	t, n := tallies{}, 0
	for _, r := range rules.All {
		cases, err := r.Cases()
		if err != nil {
			return nil, 0, err
		}
		for _, c := range cases {
			n++
			wanted := map[string]int{}
			for _, line := range c.Want {
				wanted[line]++
			}
			count := t.of(r.ID)
			for _, line := range says(r, &c) {
				if wanted[line]--; wanted[line] >= 0 {
					count.right++
				} else {
					count.wrong++
				}
			}
			for _, left := range wanted {
				count.missed += max(0, left)
			}
		}
	}
	return t, n, nil
}

// says is what one rule says of a log, a line a finding, as the cases spell
// it.
func says(r *rules.Rule, c *rules.Case) []string {
	in := audit.Input{Path: "case", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.Log)), nil }}
	o, err := audit.ForCase(r, c)
	if err != nil {
		return []string{err.Error()}
	}
	res := audit.One(in, o)
	var out []string
	for _, f := range res.Findings {
		out = append(out, fmt.Sprintf("%d: %s: %s", f.Line, f.Level, f.Message))
	}
	return out
}
