package main

// mutators are the kinds of faults, in the order of the report.
var mutators = []*mutator{
	// evidence
	timeoutUnderClaim, failureUnderClaim, rerunStripped, toldBoth, mergedOnKilledRun, failedDeedClaimed, resultSwallowed,
	// delivery
	jsonCutInPlace, jsonCutInserted,
	// compaction
	summaryUpgrades, summaryDropsEnd, summaryInventsConsent, summaryInventsRequest,
	// human decisions and cancellation
	expiryFlipped, expiryApproved, defaultApproved, approvalTwice, actedTooEarly, receiptSwallowed, cancelOverstated, effectAfterCancel,
	// context and progress
	reasoningCopied, callLooped, historyRefused,
	// input
	linesGlued, lineCutAndGlued, nulBytes, tailTorn,
}

// restsOnRun are rules that a run which suddenly did not end well may wake
// elsewhere in the session: later claims, side effects and summaries rest on it
// as well.
var restsOnRun = []string{
	"false-confirmation", "unverified-side-effect", "compaction-upgrades-evidence", "compaction-drops-termination", "compaction-loses-open-work",
	"masked-failure", "error-ignored", "test-weakened", "side-effect-never-happened", "unsupported-claim", "empty-verification", "number-from-nowhere",
	"success-marker-in-killed-output", "error-reused", "command-never-run", "background-false-completion",
}

// lostRecord are rules that speak when a record cannot be read: its call, its
// result, its words are gone.
var lostRecord = append([]string{
	"call-without-result", "result-without-call", "ends-mid-flight", "background-job-lost", "lost-wakeup", "silent-wait", "file-never-touched",
	"cancel-without-receipt", "stale-verification", "compaction-invents-request", "compaction-invents-consent", "invalid-text", "json-cut", "denied-by-other-means",
	"context-pressure", "approval-from-silence", "stuck-loop", "duplicate-record", "clock-skew", "acted-before-decision",
}, restsOnRun...)
