package rules

// All is the catalogue, in the order in which rules are listed, documented and
// numbered in SARIF. A new rule is one file, its cases, and one line here.
var All = []*Rule{
	// evidence
	falseConfirmation,
	successMarkerInKilledOutput,
	maskedFailure,
	emptyVerification,
	unverifiedSideEffect,
	statusContradiction,
	terminationMissing,
	unsupportedClaim,
	staleVerification,
	commandNeverRun,
	sideEffectNeverHappened,
	fileNeverTouched,
	numberFromNowhere,
	resultDiscarded,
	testWeakened,
	checkDisabled,
	// delivery
	jsonCut,
	fieldStarvation,
	// compaction
	compactionDropsTermination,
	compactionUpgradesEvidence,
	compactionInventsConsent,
	compactionLosesOpenWork,
	compactionInventsRequest,
	compactionUnreadable,
	compactionInputCut,
	compactionLate,
	compactionSilent,
	compactionWithoutGain,
	// approval
	approvedAfterTimeout,
	approvalFromSilence,
	actedBeforeDecision,
	approvalReused,
	lateDecisionDelivered,
	decisionMisattributed,
	forgedTurn,
	deniedByOtherMeans,
	// cancel
	cancelOverstated,
	effectAfterCancel,
	cancelWithoutReceipt,
	effectNotReconciled,
	interruptionToldAsRejection,
	// context
	staleReasoningReplay,
	contextPressure,
	staleToolOutput,
	windowNearlyEmptyButCut,
	// progress
	stuckLoop,
	silentWait,
	lostWakeup,
	poisonedSession,
	callWithoutResult,
	resultWithoutCall,
	endsMidFlight,
	backgroundJobLost,
	backgroundFalseCompletion,
	// input
	malformedLine,
	tornTail,
	invalidText,
	duplicateRecord,
	clockSkew,
	unknownFormat,
}
