// Package audit drives one input after another through the house: lines,
// events, facts, findings. It knows inputs, workers, order and limits, and
// nothing of how a finding is printed.
package audit

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/rules"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Options say how inputs are read and judged. The zero value reads everything
// with all rules at their own levels.
type Options struct {
	Format  *transcript.Format // nil: found by content
	MaxLine int                // bytes; 0: the reader's default
	Rules   []Selected         // nil: the whole catalogue
	// RulesFor are the rules of one input where they depend on its path; nil:
	// Rules. Rules then holds every rule that may run, for reporters.
	RulesFor func(path string) []Selected
	Repo     ledger.Repo     // ground truth outside of the logs; nil: none is asked
	Tools    *ledger.Toolset // tools declared outside of the logs; nil: none
	Jobs     int             // files at once; 0: one a processor
	Tweak    func(*jsonl.Options)
}

// Selected is a rule that is to run, with its level and settings.
type Selected struct {
	Rule     *rules.Rule
	Level    finding.Level
	Settings rules.Settings
}

// Catalogue selects every rule at its own level.
func Catalogue() []Selected {
	sel := make([]Selected, len(rules.All))
	for i, r := range rules.All {
		sel[i] = Selected{Rule: r, Level: r.Level, Settings: r.Defaults()}
	}
	return sel
}

// Result is everything that is known of one input afterwards.
type Result struct {
	Path     string
	Format   string // "" when nothing recognised it
	Sessions int
	Findings []finding.Finding
	Notices  []finding.Notice
	Stats    jsonl.Stats
	Events   int64
	Unknown  int64            // records that no branch of the adapter knew
	Arrival  *delivery.Table  // what of the tools' JSON reached the model
	Lacking  map[string][]int // not judged: rule id and reason, joined by a NUL, to the sessions' ordinals
	Err      error            // the input could not be read (to its end)
}

// Input is one thing to read.
type Input struct {
	Path string
	Open func() (io.ReadCloser, error)
}

// reader prepares to read an opened input as the options say.
func (o Options) reader(src io.Reader) *transcript.Reader {
	lines := jsonl.Options{MaxLine: o.MaxLine}
	if o.Tweak != nil {
		o.Tweak(&lines)
	}
	return transcript.NewReader(src, lines, o.Format)
}

// readKnown reads an input whose format is known or found, for those who take
// events without judging them. start is told the format before the first event.
func readKnown(in Input, o Options, start func(format string) transcript.Emit) error {
	src, err := in.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	r := o.reader(src)
	if r.Format() == nil {
		return fmt.Errorf("%s: no adapter recognises it; name its format with --input-format", in.Path)
	}
	if err := r.Read(start(r.Format().Name)); err != nil {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	return nil
}

// One audits one input. Content never makes it fail; Result.Err is an I/O
// error.
func One(in Input, o Options) Result {
	res := Result{Path: in.Path, Arrival: &delivery.Table{}}
	src, err := in.Open()
	if err != nil {
		res.Err = err
		return res
	}
	defer src.Close()
	switch {
	case o.RulesFor != nil:
		o.Rules = o.RulesFor(in.Path)
	case o.Rules == nil:
		o.Rules = Catalogue()
	}
	r := o.reader(src)
	b := &bench{res: &res, rules: o.Rules, repo: o.Repo, tools: o.Tools}
	if f := r.Format(); f != nil {
		res.Format = f.Name
	}
	b.begin()
	if err := r.Read(b.observe); err != nil {
		res.Err = fmt.Errorf("%s: %w", in.Path, err)
	}
	b.end()
	res.Stats = r.Stats()
	finish(&res, o.Rules)
	locate(src, res.Stats.Compression != "", res.Findings)
	return res
}

// bench is where the events of one input meet the rules, session by session.
type bench struct {
	res      *Result
	rules    []Selected
	repo     ledger.Repo
	tools    *ledger.Toolset
	session  *ledger.Session
	checkers []rules.Checker
	emits    []rules.Emit
	wants    [64][]int // by kind: the rules that want it
}

func (b *bench) begin() {
	b.session = ledger.New(b.res.Path, b.res.Format)
	b.session.Arrival, b.session.Repo, b.session.Given = b.res.Arrival, b.repo, b.tools
	b.checkers = b.checkers[:0]
	if b.emits == nil {
		for i, sel := range b.rules {
			b.emits = append(b.emits, b.emit(sel))
			for k := range b.wants {
				if sel.Rule.Wants.Has(transcript.Kind(k)) {
					b.wants[k] = append(b.wants[k], i)
				}
			}
		}
	}
	for _, sel := range b.rules {
		b.checkers = append(b.checkers, sel.Rule.New(sel.Settings))
	}
	b.res.Sessions++
}

func (b *bench) observe(e *transcript.Event) {
	if e.Kind == transcript.Session && e.Session != nil && e.Session.Start {
		b.end()
		b.begin()
	}
	b.res.Events++
	if e.Kind == transcript.Unknown {
		b.res.Unknown++
	}
	b.session.Observe(e)
	for _, i := range b.wants[e.Kind] {
		b.checkers[i].Observe(b.session, e, b.emits[i])
	}
}

func (b *bench) end() {
	for i, c := range b.checkers {
		c.Finish(b.session, b.emits[i])
		if lacks := b.rules[i].Rule.Lacks; lacks != nil {
			if why := lacks(b.session); why != "" {
				b.lacking(b.rules[i].Rule.ID, why)
			}
		}
	}
}

func (b *bench) lacking(id, why string) {
	if b.res.Lacking == nil {
		b.res.Lacking = map[string][]int{}
	}
	key := id + "\x00" + why
	b.res.Lacking[key] = append(b.res.Lacking[key], b.res.Sessions)
}

// emit completes a rule's hits with what all findings share.
func (b *bench) emit(sel Selected) rules.Emit {
	return func(h rules.Hit) {
		f := finding.Finding{
			Rule: sel.Rule.ID, Level: sel.Level, File: b.res.Path, Session: b.session.ID, Span: rules.Span(h.At),
			Message: h.Message, Quote: clip(h.Quote), Evidence: h.Evidence, Why: sel.Rule.Why, Fix: h.Fix, Inferred: h.Inferred, Key: h.Key,
		}
		if f.Fix == "" {
			f.Fix = sel.Rule.Fix
		}
		if h.Level != finding.None && sel.Level == sel.Rule.Level {
			f.Level = h.Level // a level that the user set wins over the case's own
		}
		b.res.Findings = append(b.res.Findings, f)
	}
}

const quoteLimit = 480

func clip(s string) string {
	if len(s) <= quoteLimit {
		return s
	}
	return transcript.Clip(s, quoteLimit) + "..."
}

// finish orders the findings and gives them their fingerprints.
func finish(res *Result, sel []Selected) {
	order := map[string]int{}
	for i, s := range sel {
		order[s.Rule.ID] = i
	}
	slices.SortStableFunc(res.Findings, func(a, b finding.Finding) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Line, b.Line), cmp.Compare(order[a.Rule], order[b.Rule]))
	})
	fingerprint(res.Findings)
}
