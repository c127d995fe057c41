package report

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// relative makes a path relative to root, slash-separated and cleaned. It
// reports false, and an absolute path if it can, for what lies outside.
func relative(root, p string) (string, bool) {
	name := filepath.FromSlash(p)
	if root != "" {
		absRoot, err1 := filepath.Abs(root)
		abs, err2 := filepath.Abs(name)
		if err1 != nil || err2 != nil {
			return path.Clean(p), false
		}
		rel, err := filepath.Rel(absRoot, abs)
		if err != nil || !filepath.IsLocal(rel) {
			return filepath.ToSlash(abs), false
		}
		return filepath.ToSlash(rel), true
	}
	if filepath.IsLocal(name) {
		return path.Clean(p), true
	}
	if abs, err := filepath.Abs(name); err == nil {
		return filepath.ToSlash(abs), false
	}
	return path.Clean(p), false
}

// percentEncode writes a slash-separated path as the path of a URI. A colon is
// encoded too: in a first segment it would end a scheme.
func percentEncode(p string) string {
	const safe = "-._~/!$&'()*+,;=@"
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(safe, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
