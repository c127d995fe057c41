package rules

import (
	"strconv"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var falseConfirmation = &Rule{
	ID:    "false-confirmation",
	Title: "Success is claimed for a command that did not end well",
	Why: "What the log shows is at most an observation: the newest run of that check was killed, failed or never ended. " +
		"Whoever acts on the claim merges, deploys or stops looking.",
	Fix: "Run the command again to a successful end, or take the claim back.",
	Silent: "Negated, hedged, planned, conditional and quoted words; claims that name the failure themselves; a rerun that ended ok in between; " +
		"servers, watchers and `timeout N server` that were meant to be killed; benign exit codes (grep 1, diff 1); runs whose complete closing " +
		"count shows no failure before the process hung; work handed to a subagent in between.",
	Group:     Evidence,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall),
	New:       func(Settings) Checker { return &confirmations{} },
}

// confirmations gathers the contradicted claims of a session by the run that
// contradicts them, so that one bad run repeated ten times is one finding.
type confirmations struct {
	hits []*confirmation
}

type confirmation struct {
	first   *ledger.Claim
	verdict ledger.Verdict
	again   []*ledger.Claim
}

func (k *confirmations) Observe(s *ledger.Session, _ *transcript.Event, _ Emit) {
	for _, c := range s.Fresh {
		if !asserts(c) {
			continue
		}
		if v := s.Judge(c); v.Standing == ledger.Contradicted {
			k.add(c, v)
		}
	}
}

// asserts reports whether a claim says outright that something succeeded, and
// hides nothing.
func asserts(c *ledger.Claim) bool {
	if c.Polarity != claim.Positive || c.Copied || c.Honest {
		return false
	}
	return c.Failed <= 0 && (c.Total < 0 || c.Passed < 0 || c.Passed == c.Total)
}

func (k *confirmations) add(c *ledger.Claim, v ledger.Verdict) {
	if c.Where == ledger.InTodo && v.Outcome != ledger.OutcomeUnfinished {
		return // "run the tests" is done even when they fail
	}
	for _, h := range k.hits {
		if h.verdict.Run == v.Run {
			h.again = append(h.again, c)
			return
		}
	}
	k.hits = append(k.hits, &confirmation{first: c, verdict: v})
}

func (k *confirmations) Finish(_ *ledger.Session, emit Emit) {
	for _, h := range k.hits {
		if h.cameTrue() {
			continue
		}
		emit(h.hit())
	}
}

// cameTrue reports whether a run that was still going when it was spoken of
// ended ok afterwards: said too early, but not wrong.
func (h *confirmation) cameTrue() bool {
	run := ledger.Run{Call: h.verdict.Run, Check: h.verdict.Check}
	if run.Check == nil || h.verdict.Run.Result.End.Step < h.first.Step {
		return false
	}
	outcome, _ := run.Outcome()
	return outcome == ledger.OutcomePassed
}

func (h *confirmation) hit() Hit {
	c, run := h.first, h.verdict.Run
	chain := evidenceOfEnd(run)
	if h.verdict.Why != "" {
		chain[len(chain)-1].Note += "; " + h.verdict.Why
	}
	chain = append(chain, at(c.Ref, finding.Claimed, c.Quote, "%s claimed in a %s", c.Subject, c.Where))
	for i, again := range h.again {
		if i == 3 {
			break
		}
		chain = append(chain, at(again.Ref, finding.Claimed, again.Quote, "claimed again in a %s", again.Where))
	}
	fix := ""
	if run.Command != "" {
		fix = "Run again to a successful end, or take the claim back: " + transcript.Clip(oneLine(run.Command), 160)
	}
	return Hit{
		At:       c.Ref,
		Message:  subjectOf(c) + " claimed as successful, but " + nameOfRun(run) + " " + howItEnded(h.verdict) + " and nothing equivalent ended ok since",
		Quote:    c.Quote,
		Evidence: chain,
		Fix:      fix,
		Key:      run.ID + "/" + strconv.Itoa(int(c.Subject)),
	}
}

// howItEnded words the end of the run that contradicts: behind a mask it is
// the output that tells.
func howItEnded(v ledger.Verdict) string {
	t := v.Run.Term()
	switch {
	case v.Outcome == ledger.OutcomeFailed && t.Kind == transcript.TermOK:
		return "reports failure in its output (its exit code is hidden)"
	case t.Kind == transcript.TermStillRunning:
		return "was still running"
	case t.Kind == transcript.TermUnknown:
		return "must be run again"
	}
	return "ended " + ended(t)
}

func subjectOf(c *ledger.Claim) string {
	if c.Named != "" {
		return c.Subject.String() + " (" + transcript.Clip(oneLine(c.Named), 40) + ")"
	}
	return c.Subject.String()
}

func nameOfRun(c *ledger.Call) string {
	if c.Command == "" && c.Tool == "" {
		return "the run"
	}
	return name(c)
}
