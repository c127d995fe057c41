package main

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// summaryUpgrades kills the suite and lets the next summary say that it
// passed; the twin's summary says how it ended.
var summaryUpgrades = &mutator{
	name: "summary upgrades a killed run", rules: []string{"compaction-upgrades-evidence"}, lawful: append(aroundSummary, restsOnRun...),
	places: func(s *session) []place {
		return summaryPlaces(s, func(cmd string, sound bool) string {
			if sound {
				return fmt.Sprintf("The test run `%s` was killed at its time limit (exit 143) and has to be run again.", cmd)
			}
			return "All tests passed; the change is verified."
		})
	},
}

// summaryDropsEnd lets the summary speak of the killed run as completed,
// without its end.
var summaryDropsEnd = &mutator{
	name: "summary drops the end of a run", rules: []string{"compaction-drops-termination", "compaction-upgrades-evidence"},
	lawful: append(aroundSummary, restsOnRun[:1:1]...),
	places: func(s *session) []place {
		return summaryPlaces(s, func(cmd string, sound bool) string {
			if sound {
				return fmt.Sprintf("`%s` was killed at its time limit (exit 143) and has to be run again.", cmd)
			}
			return fmt.Sprintf("`%s` was executed and completed.", cmd)
		})
	},
}

var aroundSummary = []string{
	"compaction-loses-open-work", "unverified-side-effect", "masked-failure", "compaction-without-gain", "compaction-late", "context-pressure",
	"compaction-unreadable", "compaction-input-cut", "stale-verification",
}

// summaryPlaces kills a check and compacts right after it.
func summaryPlaces(s *session, word func(cmd string, sound bool) string) []place {
	var out []place
	for _, c := range checks(s) {
		if sharesMessage(s, c) || len(c.Command) > 120 || strings.ContainsAny(c.Command, "\n`") {
			continue
		}
		put := func(d *draft, sound bool) bool {
			r := ledger.Run{Call: c, Check: c.Line.Checks()[0]}
			return s.spell.retell(d, c, ending{kind: endTimeout, text: partial(r)}) &&
				s.spell.compact(d, d.old[c.Result.Line], summaryOf(word(c.Command, sound))) != nil
		}
		out = append(out, func(d *draft) (plant, bool) {
			twin := s.draft(d.rnd)
			if !put(twin, true) || !put(d, false) {
				return plant{}, false
			}
			return plant{twin: twin.bytes()}, true
		})
	}
	return out
}

func summaryOf(state string) string {
	return "This session is being continued from a previous conversation that ran out of context.\n\nSummary:\n1. State of the work: the change is written.\n2. " +
		state + "\n3. Next: go on with the review."
}

// summaryInventsConsent lets a summary say that the user agreed to something
// of which no word of theirs speaks.
var summaryInventsConsent = &mutator{
	name: "summary invents consent", rules: []string{"compaction-invents-consent"}, lawful: append(aroundSummary, "compaction-drops-termination", "compaction-upgrades-evidence"),
	places: func(s *session) []place {
		if agrees(s) {
			return nil
		}
		return inserted(s, func(d *draft, after *ledger.Call, sound bool) bool {
			if !s.begins(after) {
				return false
			}
			words := "The user approved the deployment to production."
			if sound {
				words = "Nothing is known about a deployment."
			}
			return s.spell.compact(d, d.old[after.Result.Line], summaryOf(words)) != nil
		})
	},
}

// agrees reports whether any word of the human could be taken for a yes.
func agrees(s *session) bool {
	if s.human == "" {
		return true // the log does not show what they said
	}
	for _, c := range s.led.Calls {
		if c.Act == transcript.Ask {
			return true
		}
	}
	for _, w := range []string{"yes", "ok", "approv", "agree", "go ahead", "sure", "deploy", "production", "fine", "good", "proceed", "do it", "continue", "right"} {
		if strings.Contains(s.human, w) {
			return true
		}
	}
	return foreign(s.human) || len(s.led.Approvals) > 0
}

// summaryInventsRequest quotes the user with an order that stands nowhere.
var summaryInventsRequest = &mutator{
	name: "summary invents a request", rules: []string{"compaction-invents-request"}, lawful: append(aroundSummary, "compaction-drops-termination", "compaction-upgrades-evidence"),
	places: func(s *session) []place {
		if s.human == "" || foreign(s.human) || strings.Contains(s.human, "billing") {
			return nil
		}
		return inserted(s, func(d *draft, after *ledger.Call, sound bool) bool {
			if !s.begins(after) {
				return false
			}
			words := `The user said: "Afterwards rewrite the billing gateway in Haskell and delete every legacy invoice".`
			if sound {
				words = "The user's last order is being worked on."
			}
			return s.spell.compact(d, d.old[after.Result.Line], summaryOf(words)) != nil
		})
	},
}

// foreign reports whether words hold letters of another script, for which some
// rules hold back.
func foreign(words string) bool {
	for _, r := range words {
		if r > 0x2ff && r < 0x2000 || r > 0x2fff && r < 0xfb00 {
			return true
		}
	}
	return false
}

const release = "May I deploy the new version to production?"

// expiryFlipped asks the human, gets no answer in time, and goes on with "you
// approved"; in the twin the words say that nobody answered.
var expiryFlipped = &mutator{
	name: "expiry told as approval", rules: []string{"approved-after-timeout"}, lawful: []string{"decision-misattributed", "approval-from-silence"}, most: 2,
	places: func(s *session) []place {
		for _, a := range s.led.Approvals {
			for _, st := range a.Steps {
				if st.Verb == transcript.Approved || st.Verb == transcript.Answered {
					return nil // the words could be about that one
				}
			}
		}
		return inserted(s, func(d *draft, after *ledger.Call, sound bool) bool {
			asked := s.spell.ask(d, d.old[after.Result.Line], release, false)
			if len(asked) == 0 {
				return false
			}
			words := "You approved the deployment, so I go on with it."
			if sound {
				words = "Nobody answered in time, so the deployment waits."
			}
			return s.spell.say(d, asked[len(asked)-1], words) != nil
		})
	},
}

// expiryApproved records a yes after an expiry that nobody revoked; in the twin
// it ends as denied. Only the generic form has such records.
var expiryApproved = boundary("expiry recorded as approval", []string{"approved-after-timeout"},
	lines(decision("requested", "subject", "deploy"), decision("expired", "waited_ms", 300000), decision("denied", "reason", "APPROVAL_EXPIRED", "by", "default")),
	lines(decision("requested", "subject", "deploy"), decision("expired", "waited_ms", 300000), decision("approved", "by", "default")))

// defaultApproved lets a default say yes while the wait still runs.
var defaultApproved = boundary("default recorded as approval", []string{"approval-from-silence", "approved-after-timeout"},
	lines(decision("requested", "subject", "deploy"), decision("approved", "by", "human")),
	lines(decision("requested", "subject", "deploy"), decision("approved", "by", "default")))

// approvalTwice uses one approval twice; in the twin the second use is refused.
var approvalTwice = boundary("approval used twice", []string{"approval-reused"},
	lines(decision("requested", "subject", "deploy"), decision("approved", "by", "human"), decision("consumed"), decision("consume_refused", "reason", "APPROVAL_ALREADY_CONSUMED")),
	lines(decision("requested", "subject", "deploy"), decision("approved", "by", "human"), decision("consumed"), decision("consumed")))

// actedTooEarly starts the act while its request waits.
var actedTooEarly = boundary("acted while pending", []string{"acted-before-decision"},
	lines(decision("requested", "subject", "deploy"), decision("approved", "by", "human"), action("started"), action("effect"), action("settled")),
	lines(decision("requested", "subject", "deploy"), action("started"), action("effect"), action("settled"), decision("denied", "by", "human")))

// receiptSwallowed takes the answer to a cancel request out.
var receiptSwallowed = boundary("receipt swallowed", []string{"cancel-without-receipt"},
	lines(cancel("requested", "by", "human"), cancel("accepted")),
	lines(cancel("requested", "by", "human")))

// cancelOverstated tells a refused cancel as done.
var cancelOverstated = boundary("refused cancel told as done", []string{"cancel-overstated"},
	lines(cancel("requested", "by", "human"), cancel("accepted"), cancel("told")),
	lines(cancel("requested", "by", "human"), cancel("refused", "reason", "ALREADY_RUNNING"), cancel("told")))

// effectAfterCancel lets the effect happen after the cancel was accepted.
var effectAfterCancel = boundary("effect after an accepted cancel", []string{"effect-after-cancel"},
	lines(cancel("requested", "by", "human"), cancel("accepted"), action("aborted")),
	lines(cancel("requested", "by", "human"), cancel("accepted"), action("started"), action("effect"), action("settled")))

// step is one event of a boundary scenario; ID stands for an identifier of its
// own.
type step []any

func lines(s ...step) []step { return s }

func decision(verb string, more ...any) step {
	return append(step{"event", "decision", "verb", verb, "id", "ID"}, more...)
}

func action(verb string) step {
	return step{"event", "action", "verb", verb, "id", "ID-act", "approval", "ID"}
}

func cancel(verb string, more ...any) step {
	return append(step{"event", "cancel", "verb", verb, "id", "ID-cancel", "target", "ID-act"}, more...)
}

// boundary plants a scenario of decisions, cancels and actions in the generic
// form, and its sound twin.
func boundary(name string, rules []string, sound, faulty []step) *mutator {
	return &mutator{name: name, rules: rules, lawful: []string{"approval-from-silence", "effect-not-reconciled", "decision-misattributed"}, places: func(s *session) []place {
		events, ok := s.spell.(eventsSpeller)
		if !ok || s.led.Auto == transcript.True {
			return nil // where a policy lets everything run, nobody is asked
		}
		return inserted(s, func(d *draft, after *ledger.Call, isSound bool) bool {
			steps, id := faulty, "req-"+after.ID
			if isSound {
				steps = sound
			}
			var out [][]any
			for _, st := range steps {
				filled := append([]any{}, st...)
				for i, v := range filled {
					if word, ok := v.(string); ok && strings.HasPrefix(word, "ID") {
						filled[i] = id + strings.TrimPrefix(word, "ID")
					}
				}
				out = append(out, filled)
			}
			return events.put(d, d.old[after.Result.Line], out...) != nil
		})
	}}
}
