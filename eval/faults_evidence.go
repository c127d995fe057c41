package main

import (
	"fmt"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// timeoutUnderClaim kills the run that a true claim rests on, half-way, and
// leaves the claim.
var timeoutUnderClaim = &mutator{
	name: "timeout under a claim", rules: []string{"false-confirmation"}, lawful: restsOnRun, most: 3,
	places: func(s *session) []place {
		return claimPlaces(s, func(ledger.Run) bool { return true }, func(r ledger.Run) ending {
			return ending{kind: endTimeout, text: partial(r)}
		})
	},
}

// failureUnderClaim makes the same run fail and leaves the claim. Behind a
// pipe the failure shows in the output only.
var failureUnderClaim = &mutator{
	name: "failure under a claim", rules: []string{"false-confirmation", "masked-failure"}, lawful: restsOnRun, most: 3,
	places: func(s *session) []place {
		return claimPlaces(s, sureToTell, func(r ledger.Run) ending {
			if r.Line.MaskOf(r.Check) != command.MaskNone {
				return ending{text: failing(r)}
			}
			return ending{kind: endNonzero, code: 1, text: failing(r)}
		})
	},
}

// sureToTell reports whether a failing run can be told from the log: by a
// runner's count, or by an exit code that can only be this step's.
func sureToTell(r ledger.Run) bool {
	if r.Check.Class == command.Test {
		return len(r.Line.Checks()) == 1
	}
	return r.Line.Sole(r.Check) && r.Line.MaskOf(r.Check) == command.MaskNone
}

// claimPlaces finds runs with a claim behind them that nothing but this run
// shows: no other run of that kind, no subagent, no second count stands in
// between, and it is the same turn or the next.
func claimPlaces(s *session, fits func(ledger.Run) bool, end func(ledger.Run) ending) []place {
	var out []place
	taken := map[*ledger.Call]bool{}
	for _, b := range s.backed {
		if taken[b.run.Call] || !onlyEvidence(s, b) || !fits(*b.run) {
			continue
		}
		taken[b.run.Call] = true
		out = append(out, func(d *draft) (plant, bool) {
			d.old[b.claim.Line].planted = true
			return plant{}, s.spell.retell(d, b.run.Call, end(*b.run))
		})
	}
	return out
}

func onlyEvidence(s *session, b backing) bool {
	r := b.run
	if r.Agent != "" || r.Result == nil || r.Result.Term.Kind != transcript.TermOK || b.claim.Turn-r.Turn > 1 || r.Background || r.Check.LongRunning || r.Check.NoRun {
		return false
	}
	for _, c := range s.between(r.Step, b.claim.Step) {
		if c.Act == transcript.Subagent || c.Result != nil && c.Result.HasCensus || c.Act == transcript.Poll || runsAny(c, b.claim.Subject) {
			return false
		}
	}
	return true
}

// runsAny reports whether a call runs anything that could show the subject.
func runsAny(c *ledger.Call, subject claim.Subject) bool {
	if c.Line == nil {
		return false
	}
	for i := range c.Line.Steps {
		for _, class := range ledger.Classes(subject) {
			if c.Line.Steps[i].Class == class {
				return true
			}
		}
	}
	return false
}

// partial is what a run had printed when it was killed: success so far, and no
// closing count.
func partial(r ledger.Run) string {
	if r.Check.Class == command.Test {
		return "starting the suite\ntests/test_parse.py .......... PASS\ntests/test_store.py ....... PASS\ntests/test_http.py ..."
	}
	return "step 1 of 4 ok\nstep 2 of 4 ok\nstep 3 of 4 ..."
}

// failing is what a runner prints when one case fails.
func failing(r ledger.Run) string {
	cmd := strings.ToLower(r.Command)
	switch {
	case r.Check.Class != command.Test:
		return "error: src/store.ts(41,7): type 'string' is not assignable to type 'number'\nfound 1 error"
	case strings.Contains(cmd, "go test"):
		return "--- FAIL: TestStore (0.01s)\n    store_test.go:41: got 3, want 4\nFAIL\nFAIL\texample.org/app/store\t0.104s\nFAIL"
	case strings.Contains(cmd, "cargo"):
		return "test store::keeps ... FAILED\n\nfailures:\n    store::keeps\n\ntest result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s"
	case strings.Contains(cmd, "pytest") || strings.Contains(cmd, "python"):
		return "FAILED tests/test_store.py::test_keeps - assert 3 == 4\n========================= 1 failed, 11 passed in 2.10s ========================="
	}
	return " FAIL  src/store.test.ts > keeps\nAssertionError: expected 3 to be 4\n\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 11 passed (12)"
}

// rerunStripped takes the passing rerun of a failed check out of the log and
// leaves the claim that it was made for.
var rerunStripped = &mutator{
	name: "rerun stripped", rules: []string{"false-confirmation", "masked-failure"}, lawful: append([]string{"file-never-touched"}, restsOnRun...), most: 2,
	places: func(s *session) []place {
		var out []place
		for _, b := range s.backed {
			failed := failedBefore(s, b)
			if failed == nil || !onlyEvidence(s, b) || b.claim.Turn-failed.Turn > 1 || len(b.run.Line.Checks()) != 1 {
				continue
			}
			out = append(out, func(d *draft) (plant, bool) {
				d.old[b.claim.Line].planted = true
				d.old[failed.Result.Line].planted = true
				return plant{}, s.spell.drop(d, b.run.Call)
			})
		}
		return out
	},
}

// failedBefore is the failed run that only this passing one made good.
func failedBefore(s *session, b backing) *ledger.Run {
	runs := s.led.Runs(b.run.Check.Class)
	for i := len(runs) - 1; i > 0; i-- {
		if runs[i].Call != b.run.Call {
			continue
		}
		prev := runs[i-1]
		outcome, _ := prev.Outcome()
		if outcome != ledger.OutcomeFailed || prev.Agent != "" || prev.Call == b.run.Call || prev.Origin != transcript.Observed || command.Relate(prev.Check, b.run.Check) != command.Same {
			return nil
		}
		for _, c := range s.between(prev.Step, b.run.Step) {
			if c.Act == transcript.Subagent || c.Result != nil && c.Result.HasCensus {
				return nil
			}
		}
		return prev
	}
	return nil
}

// toldBoth tells a call both as a success and as killed.
var toldBoth = &mutator{
	name: "success and exit 143", rules: []string{"status-contradiction"}, lawful: restsOnRun, most: 2,
	places: func(s *session) []place {
		var out []place
		for _, c := range shellCalls(s) {
			out = append(out, func(d *draft) (plant, bool) {
				return plant{}, s.spell.retell(d, c, ending{kind: endBoth, text: "first lines of the output"})
			})
		}
		return out
	},
}

// shellCalls are finished commands of the main thread that ended ok and are
// neither polled nor run in the background.
func shellCalls(s *session) []*ledger.Call {
	var out []*ledger.Call
	for _, c := range s.led.Calls {
		if c.Act == transcript.Shell && c.Agent == "" && c.Origin == transcript.Observed && !c.Background && c.ID != "" && c.Line != nil && c.Term().Kind == transcript.TermOK &&
			c.Result.End.Line == c.Result.Line && !s.led.Abandoned(c) && c.Class() != command.Wait && c.Class() != command.Kill {
			out = append(out, c)
		}
	}
	return out
}

// checks are the shell calls that run one check and nothing else of note.
func checks(s *session) []*ledger.Call {
	var out []*ledger.Call
	for _, c := range shellCalls(s) {
		if list := c.Line.Checks(); len(list) == 1 && list[0].Class == command.Test && !list[0].LongRunning && !list[0].NoRun && c.Line.MaskOf(list[0]) == command.MaskNone {
			out = append(out, c)
		}
	}
	return out
}

// mergedOnKilledRun kills the suite and publishes right after it.
var mergedOnKilledRun = &mutator{
	name: "published on a killed run", rules: []string{"unverified-side-effect"}, lawful: append([]string{"denied-by-other-means"}, restsOnRun...),
	places: func(s *session) []place {
		var out []place
		for _, c := range checks(s) {
			out = append(out, func(d *draft) (plant, bool) {
				r := ledger.Run{Call: c, Check: c.Line.Checks()[0]}
				if !s.spell.retell(d, c, ending{kind: endTimeout, text: partial(r)}) {
					return plant{}, false
				}
				publish := s.spell.run(d, d.old[c.Result.Line], "npm publish --access public", ending{text: "+ store@2.1.0"})
				return plant{}, publish != nil
			})
		}
		return out
	},
}

// failedDeedClaimed adds a push that is rejected and the words that it went
// through; in the twin it did.
var failedDeedClaimed = &mutator{
	name: "rejected push claimed", rules: []string{"side-effect-never-happened"}, lawful: []string{"unverified-side-effect", "denied-by-other-means", "false-confirmation"},
	places: func(s *session) []place {
		return inserted(s, func(d *draft, after *ledger.Call, sound bool) bool {
			end := ending{kind: endNonzero, code: 1, text: "To git.example.org:app/store.git\n ! [rejected]        topic -> topic (fetch first)\nerror: failed to push some refs to 'git.example.org:app/store.git'"}
			if sound {
				end = ending{text: "To git.example.org:app/store.git\n   3f2a1b0..9c8d7e6  topic -> topic"}
			}
			pushed := s.spell.run(d, d.old[after.Result.Line], "git push origin topic", end)
			return len(pushed) > 0 && s.spell.say(d, pushed[len(pushed)-1], "I pushed the commit to the topic branch.") != nil
		})
	},
}

// resultSwallowed takes a call's result out of the middle of the log.
var resultSwallowed = &mutator{
	name: "result swallowed", rules: []string{"call-without-result"}, lawful: lostRecord,
	places: func(s *session) []place {
		var out []place
		calls := shellCalls(s)
		for i, c := range calls {
			if i+3 > len(calls) {
				break // the last ones may be open for good reasons
			}
			out = append(out, func(d *draft) (plant, bool) { return plant{}, s.spell.swallow(d, c) })
		}
		return out
	},
}

// insertion is a seeded place of the main thread for records that the mutator
// brings along: behind the result of a finished command.
func insertion(s *session) []*ledger.Call {
	var out []*ledger.Call
	for _, c := range shellCalls(s) {
		if !sharesMessage(s, c) {
			out = append(out, c)
		}
	}
	return out
}

// sharesMessage reports whether another call is open when this one's result
// comes: nothing may be put between the two.
func sharesMessage(s *session, c *ledger.Call) bool {
	for _, k := range s.led.Calls {
		if k != c && k.Agent == "" && k.Step < c.Result.Step && (k.Result == nil || k.Result.Step > c.Result.Step) && k.Step > c.Step-40 {
			return true
		}
		if k != c && k.MsgID != "" && k.MsgID == c.MsgID {
			return true
		}
	}
	return false
}

func sprintLines(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}
