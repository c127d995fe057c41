package delivery

// Length is the size of one result.
type Length struct {
	Chars, Bytes int
	Marked       bool // a marker states that it was cut
}

// Budget is a length at which results end again and again.
type Budget struct {
	Limit  int
	Unit   Unit
	Count  int  // results of exactly this length
	Marked bool // all of them say so
}

// LengthOf measures a result.
func LengthOf(text string) Length { return Length{} }

// InferBudget finds the budget that results were silently cut to.
func InferBudget(lengths []Length) (Budget, bool) { return Budget{}, false }
