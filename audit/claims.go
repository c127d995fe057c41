package audit

import (
	"cmp"
	"fmt"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/report"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Claims holds every claim of success of an input's sessions against the runs
// before it. text, when there is any, is held against the end of each session:
// the body of a pull request, say.
func Claims(in Input, o Options, text string) (report.Proof, error) {
	proof := report.Proof{Path: in.Path}
	err := sessionsOf(in, o, func(s *ledger.Session) {
		last := lastWords(s)
		for _, c := range s.Claims {
			if c.Polarity == claim.Positive && !c.Copied {
				proof.Claims = append(proof.Claims, claimRow(s, c, c.Step == last))
			}
		}
		for _, c := range s.ClaimsIn(text) {
			if c.Polarity == claim.Positive {
				row := claimRow(s, c, true)
				row.Where, row.Line = "text", 0
				proof.Claims = append(proof.Claims, row)
			}
		}
	})
	return proof, err
}

// lastWords is the step of the newest prose claim of the main thread when
// nothing was done after it: the session's last word.
func lastWords(s *ledger.Session) int {
	w, ok := s.Spoken("")
	if !ok || w.Actor != transcript.Assistant {
		return 0
	}
	return w.Step
}

func claimRow(s *ledger.Session, c *ledger.Claim, final bool) report.ClaimRow {
	v := s.Judge(c)
	row := report.ClaimRow{
		Line: c.Line, Where: c.Where.String(), Subject: c.Subject.String(), Quote: c.Quote, Standing: v.Standing.String(), Why: v.Why,
		Final: final, Contradicted: v.Standing == ledger.Contradicted && !c.Honest,
	}
	if v.Run != nil {
		row.RunLine, row.Run = v.Run.Ref.Line, v.Run.Command
		if row.Run == "" {
			row.Run = v.Run.Tool
		}
		if v.Run.Result != nil {
			row.EndLine, row.End = v.Run.Result.End.Line, ending(v.Run.Term())
		}
	}
	if v.Edit != nil {
		row.EditLine, row.Edit = v.Edit.Ref.Line, v.Edit.Path
	}
	return row
}

func ending(t transcript.Termination) string {
	s := t.Kind.String()
	if t.HasCode {
		s += fmt.Sprintf(", exit %d", t.Code)
	}
	return s
}

// Reruns lists the checks that must be run again at the end of an input's
// sessions.
func Reruns(in Input, o Options) ([]report.Rerun, error) {
	var list []report.Rerun
	err := sessionsOf(in, o, func(s *ledger.Session) {
		for _, r := range s.OpenReruns() {
			row := report.Rerun{Path: in.Path, Line: r.Ref.Line, Command: r.Command, Dir: cmp.Or(r.Dir, r.Check.Dir, s.Dir), End: ending(r.Term())}
			if _, why := r.Outcome(); why != "" {
				row.End += "; " + why
			}
			if r.Result != nil {
				row.EndLine = r.Result.End.Line
			}
			for _, c := range s.Claims {
				if c.Polarity == claim.Positive && !c.Honest && s.Judge(c).Run == r.Call && s.Judge(c).Standing == ledger.Contradicted {
					row.Claimed = append(row.Claimed, c.Line)
				}
			}
			list = append(list, row)
		}
	})
	return list, err
}

// sessionsOf keeps the ledger of each session of an input, without rules, and
// hands it over when it is complete.
func sessionsOf(in Input, o Options, done func(*ledger.Session)) error {
	var s *ledger.Session
	err := readKnown(in, o, func(format string) transcript.Emit {
		s = ledger.New(in.Path, format)
		return func(e *transcript.Event) {
			if e.Kind == transcript.Session && e.Session != nil && e.Session.Start {
				done(s)
				s = ledger.New(in.Path, format)
			}
			s.Observe(e)
			for _, c := range s.Fresh {
				s.Judge(c) // now, by what was known when it was said
			}
		}
	})
	if s != nil {
		done(s)
	}
	return err
}
