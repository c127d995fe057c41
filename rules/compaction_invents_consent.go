package rules

import (
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var compactionInventsConsent = &Rule{
	ID:    "compaction-invents-consent",
	Title: "A summary says that the user agreed, and nobody did",
	Why: "What is written as the user's consent is acted on as such, and after the boundary nothing is left to look it up in. Notifications " +
		"of the harness have been turned into a yes in this way.",
	Fix: "Ask the user again before acting on it, and quote the user's own words in summaries.",
	Silent: "Consent that any word of the user could carry: a yes to anything, an answered question, an approval by a human, a first order that names the " +
		"very thing; logs that do not begin at the beginning; words in other scripts. An unanswered question outweighs an earlier yes.",
	Group:     Compaction,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.Message, transcript.ToolCall, transcript.Decision),
	New:       func(Settings) Checker { return &inventedConsent{} },
	Lacks:     noHistory,
}

// inventedConsent remembers the newest question that was put to the human.
type inventedConsent struct {
	silent
	asked ledger.Ref
	words string
}

func (k *inventedConsent) Observe(s *ledger.Session, e *transcript.Event, emit Emit) {
	switch {
	case e.Origin == transcript.Copied:
	case s.Summary != nil:
		k.judge(s, emit)
	case e.Kind == transcript.Message && e.Actor == transcript.Assistant && e.Agent == "":
		if tail := strings.TrimSpace(e.Text.Tail(400)); strings.HasSuffix(tail, "?") || strings.HasSuffix(tail, "？") {
			k.asked, k.words = s.Ref(e), strings.Clone(strings.ToLower(tail))
		}
	case e.Kind == transcript.ToolCall && e.Call.Act == transcript.Ask:
		k.asked, k.words = s.Ref(e), strings.ToLower(transcript.Keep(string(e.Call.Args.Raw()), 1000))
	case e.Kind == transcript.Decision && e.Decision.Verb == transcript.Requested:
		k.asked, k.words = s.Ref(e), strings.ToLower(transcript.Keep(e.Decision.Subject, 400))
	}
}

func (k *inventedConsent) judge(s *ledger.Session, emit Emit) {
	if !s.Summary.Whole {
		return
	}
	for _, c := range s.Fresh {
		if c.Subject != claim.Consent || !asserts(c) {
			continue
		}
		about := contentWords(c.Quote)
		open := k.open(s, about)
		if !open && (s.Affirmed.Known() && s.Turn > 1 || answered(s) || k.ordered(s, about)) {
			continue
		}
		chain := []finding.Evidence{}
		msg := "the summary says that the user agreed, but no message or decision of theirs in this log says so"
		if open {
			chain = append(chain, at(k.asked, finding.Recorded, k.words, "asked here; no answer is seen before the compaction"))
			msg = "the summary says that the user agreed, but the question was never answered in this log"
		}
		if s.Human.Known() {
			chain = append(chain, at(s.Human, finding.Recorded, "", "the user's newest message before it"))
		}
		emit(Hit{
			At: c.Ref, Message: msg, Quote: c.Quote,
			Evidence: append(chain, at(c.Ref, finding.Claimed, c.Quote, "consent is claimed in the summary")),
			Key:      "consent/" + strings.Join(about, "-"),
		})
		return
	}
}

// open reports whether the claim is about a question that nobody answered.
func (k *inventedConsent) open(s *ledger.Session, about []string) bool {
	if !k.asked.Known() || s.Human.Step > k.asked.Step || humanAnswered(s, k.asked.Step) {
		return false
	}
	return overlap(about, k.words) >= 0.5
}

// ordered reports whether the human's own words name what was agreed to.
func (k *inventedConsent) ordered(s *ledger.Session, about []string) bool {
	if _, _, known := s.Shares(strings.Join(append(about, "a", "b"), " ")); !known {
		return true // other scripts, or more words than are kept
	}
	n := 0
	for _, w := range about {
		if s.Said(w) {
			n++
		}
	}
	return 2*n >= len(about) && n > 0
}

// answered reports whether a human decided or answered anything so far.
func answered(s *ledger.Session) bool { return humanAnswered(s, 0) }

func humanAnswered(s *ledger.Session, step int) bool {
	for _, a := range s.Approvals {
		for _, d := range a.Steps {
			if d.Step > step && (d.Verb == transcript.Approved || d.Verb == transcript.Answered || d.Verb == transcript.Delivered) && d.By != transcript.ByDefault {
				return true
			}
		}
	}
	for _, c := range s.Calls {
		if c.Act != transcript.Ask || c.Result == nil || c.Result.Step <= step || c.Result.Term.Kind != transcript.TermOK && c.Result.Term.Kind != transcript.TermUnknown {
			continue
		}
		if a := s.ApprovalByID(c.ID); a != nil {
			if _, expired := a.Step(transcript.Expired, 0); expired {
				continue
			}
		}
		return true
	}
	return false
}
