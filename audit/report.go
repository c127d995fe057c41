package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/report"
	"github.com/transcript-lint/transcript-lint/rules"
)

// ReportOptions say what becomes of a run's results.
type ReportOptions struct {
	Writer   report.Writer
	Version  string
	Root     string
	FailOn   finding.Level // findings at or above it make the exit code 1
	ExitZero bool
	Each     func() // called after each input, for a progress display
}

// Report audits the inputs and hands every result to the writer, in order. The
// error is the writer's.
func Report(ctx context.Context, inputs []Input, o Options, ro ReportOptions) (report.Totals, error) {
	t := tally{failOn: ro.FailOn, lacking: map[string]int{}, formats: map[string]*report.FormatCount{}}
	if err := ro.Writer.Begin(report.Run{Version: ro.Version, Root: ro.Root, Rules: Metadata(o.Rules)}); err != nil {
		return t.Totals, err
	}
	for res := range Run(ctx, inputs, o) {
		t.add(&res)
		if err := ro.Writer.File(fileOf(&res)); err != nil {
			return t.Totals, err
		}
		if ro.Each != nil {
			ro.Each()
		}
	}
	if err := ctx.Err(); err != nil {
		return t.Totals, fmt.Errorf("stopped before the end: %w", err)
	}
	t.close(ro.ExitZero)
	return t.Totals, ro.Writer.End(t.Totals)
}

// tally adds results up.
type tally struct {
	report.Totals
	failOn  finding.Level
	fails   bool
	trouble bool
	lacking map[string]int
	formats map[string]*report.FormatCount
}

func (t *tally) add(res *Result) {
	t.Files++
	t.Sessions += res.Sessions
	t.Bytes += res.Stats.Bytes
	t.trouble = t.trouble || res.Err != nil
	for _, f := range res.Findings {
		switch f.Level {
		case finding.Error:
			t.Errors++
		case finding.Warning:
			t.Warnings++
		case finding.Note:
			t.Notes++
		}
		t.fails = t.fails || f.Level >= t.failOn
	}
	for key, sessions := range res.Lacking {
		t.lacking[key] += len(sessions)
	}
	t.format(res)
}

func (t *tally) format(res *Result) {
	f := t.formats[res.Format]
	if f == nil {
		f = &report.FormatCount{Name: res.Format}
		t.formats[res.Format] = f
	}
	f.Files++
	f.Sessions += res.Sessions
	f.Bytes += res.Stats.Bytes
	f.Records += int64(res.Stats.Records)
	f.Events += res.Events
	f.Unknown += res.Unknown
	f.Faults += int64(res.Stats.FaultCount())
}

func (t *tally) close(exitZero bool) {
	switch {
	case t.trouble:
		t.ExitCode = 2
	case t.fails && !exitZero:
		t.ExitCode = 1
	}
	for key, n := range t.lacking {
		id, why, _ := strings.Cut(key, "\x00")
		t.NotChecked = append(t.NotChecked, report.NotChecked{Rule: id, Because: why, Sessions: n})
	}
	for _, f := range t.formats {
		t.Formats = append(t.Formats, *f)
	}
	slices.SortFunc(t.Formats, func(a, b report.FormatCount) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(t.NotChecked, func(a, b report.NotChecked) int {
		return strings.Compare(a.Rule+"\x00"+a.Because, b.Rule+"\x00"+b.Because)
	})
}

func fileOf(res *Result) report.File {
	f := report.File{Path: res.Path, Format: res.Format, Sessions: res.Sessions, Findings: res.Findings, Notices: res.Notices}
	if res.Err != nil {
		f.Notices = append(f.Notices, finding.Notice{Level: finding.Error, ID: "unreadable-input", File: res.Path, Message: res.Err.Error()})
	}
	s := res.Stats
	f.Stats = &report.FileStats{Bytes: s.Bytes, Records: int64(s.Records), Events: res.Events, Unknown: res.Unknown, Faults: int64(s.FaultCount())}
	return f
}

// Metadata is what reporters print of the rules that run.
func Metadata(sel []Selected) []finding.Rule {
	if sel == nil {
		sel = Catalogue()
	}
	out := make([]finding.Rule, len(sel))
	for i, s := range sel {
		r := s.Rule
		out[i] = finding.Rule{ID: r.ID, Title: r.Title, Why: r.Why, Fix: r.Fix, Group: string(r.Group), Level: r.Level, Precision: r.Precision, Help: rules.Markdown(r)}
	}
	return out
}

// Arrival adds up, over all inputs, which fields of the tools' JSON reached
// the model. Inputs that cannot be read are returned as errors.
func Arrival(ctx context.Context, inputs []Input, o Options) (*delivery.Table, []error) {
	o.Rules, o.RulesFor = []Selected{}, nil
	var sum delivery.Table
	var troubles []error
	for res := range Run(ctx, inputs, o) {
		sum.Merge(res.Arrival)
		if res.Err != nil {
			troubles = append(troubles, res.Err)
		}
	}
	return &sum, troubles
}
