package report

import "strings"

// markdownEscape makes text say in Markdown what it says: no markup, HTML,
// link, table cell, mention or reference of its own.
func markdownEscape(s string) string { return markdownReplacer.Replace(s) }

var markdownReplacer = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `~`, `\~`, `|`, `\|`, `[`, `\[`, `]`, `\]`, `!`, `\!`,
	`<`, "&lt;", `>`, "&gt;", `&`, "&amp;", `#`, `\#`, "@", "&#64;", "://", "&#58;//", "$", "&#36;",
)
