package ledger

// A Filter remembers hashes in 256 KiB (a Bloom filter with two bits a hash).
// Where it errs, it errs towards "was seen": one of a thousand when it holds
// 64,000. The zero Filter is empty.
type Filter struct {
	bits []uint64
}

const filterBits = 1 << 21

func filterPlaces(h uint64) (a, b uint64) { return h % filterBits, (h >> 32) % filterBits }

// Add takes in a hash and reports whether it was new.
func (f *Filter) Add(h uint64) bool {
	if f.bits == nil {
		f.bits = make([]uint64, filterBits/64)
	}
	a, b := filterPlaces(h)
	known := f.bits[a/64]>>(a%64)&1 == 1 && f.bits[b/64]>>(b%64)&1 == 1
	f.bits[a/64] |= 1 << (a % 64)
	f.bits[b/64] |= 1 << (b % 64)
	return !known
}

// Has reports whether a hash was taken in.
func (f *Filter) Has(h uint64) bool {
	if f.bits == nil {
		return false
	}
	a, b := filterPlaces(h)
	return f.bits[a/64]>>(a%64)&1 == 1 && f.bits[b/64]>>(b%64)&1 == 1
}
