package ledger

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestStems holds the search against the plain one, on texts made of the
// stems' own pieces so that near misses are many.
func TestStems(t *testing.T) {
	words := []string{"lided", "runcat", "mitted", "persisted-output"}
	set := NewStems(words...)
	pieces := []string{"li", "ded", "run", "cat", "mit", "ted", "t", "d", "persisted-", "output", " ", "lide", "runca"}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20000 {
		var b strings.Builder
		for range r.IntN(7) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text, want := b.String(), false
		for _, w := range words {
			want = want || strings.Contains(text, w)
		}
		if got := HoldsStem(text, set); got != want {
			t.Fatalf("HoldsStem(%q) = %v, want %v", text, got, want)
		}
		if want {
			found++
		}
	}
	if found < 100 || found > 19000 {
		t.Fatalf("%d of 20000 texts hold a stem: the test shows nothing", found)
	}
}
