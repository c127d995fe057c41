package ledger

import (
	"math/rand/v2"
	"testing"
)

// TestFilter: what was added is always known, and few others are, as full as
// the ledger lets it get.
func TestFilter(t *testing.T) {
	var f Filter
	r := rand.New(rand.NewPCG(5, 6))
	if f.Has(r.Uint64()) {
		t.Error("an empty filter knows something")
	}
	added := make([]uint64, mostWords)
	for i := range added {
		added[i] = r.Uint64()
		f.Add(added[i])
	}
	for _, h := range added {
		if !f.Has(h) || f.Add(h) {
			t.Fatalf("%x was added and is not known", h)
		}
	}
	wrong := 0
	for range 100_000 {
		if f.Has(r.Uint64()) {
			wrong++
		}
	}
	if wrong > 500 {
		t.Errorf("%d of 100,000 strangers are taken for known", wrong)
	}
}
