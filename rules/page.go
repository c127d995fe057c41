package rules

import (
	"fmt"
	"strings"
)

// Markdown is a rule's page without its examples: what SARIF viewers show
// beside a finding.
func Markdown(r *Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n\n**What to do:** %s\n\n**Stays silent:** %s\n", r.Title, r.Why, r.Fix, r.Silent)
	if len(r.Options) > 0 {
		b.WriteString("\n| option | default | meaning |\n|---|---|---|\n")
		for _, o := range r.Options {
			fmt.Fprintf(&b, "| `%s` | `%v` | %s |\n", o.Name, o.Default, o.Doc)
		}
	}
	return b.String()
}
