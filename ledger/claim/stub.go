package claim

// Find returns the claims in a text of prose, in order.
func Find(text string) []Claim { return nil }

// Markers returns up to 20 success-like markers in a tool's output, in order.
func Markers(text string) []Marker { return nil }

// Failures returns up to 20 failure lines of well-known runners in an output.
func Failures(text string) []Marker { return nil }

// Summary returns the closing count of the test run in an output, if it has one.
func Summary(text string) (Census, bool) { return Census{}, false }
