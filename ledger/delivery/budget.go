package delivery

import (
	"cmp"
	"slices"
)

// Length is the size of one result.
type Length struct {
	Chars, Bytes int
	Marked       bool // a marker states that it was cut
}

// LengthOf measures a result.
func LengthOf(text string) Length {
	_, marked := endMarker(text)
	return Length{Chars: runes(text), Bytes: len(text), Marked: marked}
}

// Budget is a length at which results end again and again.
type Budget struct {
	Limit  int
	Unit   Unit
	Count  int  // results of exactly this length
	Marked bool // all of them say so
}

const (
	budgetFrom  = 256 // shorter results are equal by chance, or by nature
	budgetCount = 3
)

// InferBudget finds the budget that results were cut to: a length that at
// least three of them share and that none exceeds. A round number or a power
// of two may also be exceeded, by results of other tools with other budgets.
func InferBudget(lengths []Length) (Budget, bool) {
	var best Budget
	for _, unit := range []Unit{Chars, Bytes} {
		size := func(l Length) int { return l.Chars }
		if unit == Bytes {
			size = func(l Length) int { return l.Bytes }
		}
		if b := mode(lengths, unit, size); b.Count > best.Count || b.Count == best.Count && round(b.Limit) && !round(best.Limit) {
			best = b
		}
	}
	return best, best.Count >= budgetCount
}

// mode is the length that most results share, of those that can be a budget.
func mode(lengths []Length, unit Unit, size func(Length) int) Budget {
	sorted := slices.Clone(lengths)
	slices.SortFunc(sorted, func(a, b Length) int { return cmp.Compare(size(a), size(b)) })
	var best Budget
	for i := 0; i < len(sorted); {
		b := Budget{Limit: size(sorted[i]), Unit: unit, Marked: true}
		for ; i < len(sorted) && size(sorted[i]) == b.Limit; i++ {
			b.Count++
			b.Marked = b.Marked && sorted[i].Marked
		}
		fits := i == len(sorted) || round(b.Limit)
		if fits && b.Limit >= budgetFrom && b.Count >= budgetCount && b.Count >= best.Count {
			best = b
		}
	}
	return best
}

// round reports whether people choose such a number as a budget: one or two
// digits and zeros, or a multiple of 1,024; with or without the three dots.
func round(n int) bool {
	for _, n := range []int{n, n - len("...")} {
		if n >= 500 && (n%1024 == 0 || n%500 == 0) {
			return true
		}
	}
	return false
}
