package delivery

// Table adds up what arrived of each tool's JSON.
type Table struct{}

// Row is one field of one tool's results.
type Row struct {
	Tool, Field        string
	Calls              int // calls whose result was JSON
	Produced           int // calls that produced the field, or should have
	Whole, Part, Lost  int // of those: arrived whole, in part, not at all
	Rate               float64
	Low, High          float64 // bounds of the rate: its 95 % Wilson interval when estimated
	How                string  // "exact" or "estimated"
	Basis              int     // estimated: the uncut results that the expectation rests on
	Rows, RowsExpected int     // rows of an array field that arrived, of how many
}

// Add counts a delivered result.
func (t *Table) Add(tool string, s Scan) {}

// AddExact counts a result of which the full text is known too.
func (t *Table) AddExact(tool string, full, delivered Scan) {}

// Merge adds another table.
func (t *Table) Merge(o *Table) {}

// Rows lists the fields, worst arrival first.
func (t *Table) Rows() []Row { return nil }
