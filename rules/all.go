package rules

// All is the catalogue, in the order in which rules are listed, documented and
// numbered in SARIF. A new rule is one file, its cases, and one line here.
var All = []*Rule{
	// evidence
	falseConfirmation,
	successMarkerInKilledOutput,
	statusContradiction,
	// delivery
	jsonCut,
	fieldStarvation,
	// approval
	approvedAfterTimeout,
	// context
	staleReasoningReplay,
	// progress
	callWithoutResult,
	// input
	malformedLine,
	tornTail,
	invalidText,
	unknownFormat,
}
