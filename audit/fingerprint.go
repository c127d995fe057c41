package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// fingerprint names each finding by its content: rule, session, the record's
// own identity, the place inside it, and the rule's key. Line numbers and
// paths stay out, so that an inserted, removed or compacted line, or a moved
// file, does not make an old finding new.
func fingerprint(fs []finding.Finding) {
	seen := map[string]int{}
	for i := range fs {
		id := identity(&fs[i])
		seen[id]++
		fs[i].Fingerprint = fmt.Sprintf("%s:%d", id, seen[id])
	}
}

func identity(f *finding.Finding) string {
	h := sha256.New()
	record := f.ID
	if record == "" {
		record = f.Quote
	}
	for _, part := range []string{"tl1", f.Rule, f.Session, record, steady(f.Pointer), f.Key} {
		_, _ = io.WriteString(h, part)
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// steady takes the positions out of a pointer: they shift when records of a
// document come or go.
func steady(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, p := range parts {
		if strings.Trim(p, "0123456789") == "" {
			parts[i] = ""
		}
	}
	return strings.Join(parts, "/")
}
