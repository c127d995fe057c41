package report

import (
	"bytes"
	"container/heap"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/finding"
)

// SARIFOptions say what goes into a SARIF log.
type SARIFOptions struct {
	// MaxResults keeps the most severe results, 0 all. GitHub refuses a run of
	// more than 25,000 and shows 5,000.
	MaxResults int
	Snippets   bool   // quote the faulty value in each region
	Category   string // tells several runs over one commit apart
}

// home is where the tool and its rules are described.
const home = "https://github.com/transcript-lint/transcript-lint"

const (
	sarifHead   = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{` + "\n"
	sarifBaseID = "%SRCROOT%"
	sarifBases  = `"originalUriBaseIds":{"%SRCROOT%":{"description":{"text":"The directory that the paths of the logs start from."}}}`
)

// sarifNotices describes the notices that transcript-lint knows to give.
var sarifNotices = []sarifDescriptor{
	described("unreadable-input", "An input could not be read to its end.", "Check that the file exists, may be read and is not cut."),
	described("not-checked", "A rule lacked its data in some sessions; its silence there proves nothing.", "Give the tool what the message names."),
	described("results-capped", "Less severe results were left out to keep to the limit.", "Raise --max-results, or audit fewer files a run."),
}

func described(id, what, help string) sarifDescriptor {
	return sarifDescriptor{id, pascal(id), sarifText{Text: what}, sarifText{Text: what}, sarifText{Text: help}}
}

// NewSARIF writes a SARIF 2.1.0 log with one run, one result a line. Memory is
// constant unless MaxResults makes it hold that many results back.
func NewSARIF(w io.Writer, o SARIFOptions) Writer {
	return &sarif{out: w, SARIFOptions: o, index: map[string]int{}}
}

type sarif struct {
	SARIFOptions
	out      io.Writer
	run      Run
	index    map[string]int // of each rule
	buf      bytes.Buffer
	written  int
	seen     int
	kept     resultHeap
	notes    []sarifNotification
	path     string        // the path asked for last
	artifact sarifArtifact // and what became of it
}

func (s *sarif) Begin(r Run) error {
	s.run = r
	driver := sarifDriver{
		Name: "transcript-lint", FullName: strings.TrimSpace("transcript-lint " + shown(r.Version, 100)), Version: "0.0.0-dev", InformationURI: home,
		Rules: make([]sarifRule, len(r.Rules)), Notifications: sarifNotices,
	}
	if v := strings.TrimPrefix(r.Version, "v"); semver.MatchString(v) {
		driver.Version, driver.SemanticVersion = v, v
	}
	for i := range r.Rules {
		s.index[r.Rules[i].ID] = i
		driver.Rules[i] = sarifRuleOf(&r.Rules[i])
	}
	s.buf.WriteString(sarifHead + `"tool":`)
	s.json(sarifTool{driver})
	if s.Category != "" {
		s.buf.WriteString(",\n" + `"automationDetails":`)
		s.json(map[string]string{"id": category(s.Category)})
	}
	s.buf.WriteString(",\n" + `"columnKind":"utf16CodeUnits",` + "\n" + sarifBases + ",\n" + `"results":[`)
	return s.flush()
}

var semver = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// category ends with the slash that GitHub cuts a run's number off at.
func category(s string) string {
	if s = shown(s, 254); s[len(s)-1] != '/' {
		s += "/"
	}
	return s
}

func (s *sarif) File(f File) error {
	for i := range f.Findings {
		if err := s.result(f.Path, &f.Findings[i]); err != nil {
			return err
		}
	}
	for _, n := range f.Notices {
		s.notice(n)
	}
	return nil
}

// result writes a finding, or keeps it when only the worst are wanted.
func (s *sarif) result(path string, x *finding.Finding) error {
	s.seen++
	if s.MaxResults <= 0 {
		s.separate()
		s.json(s.resultOf(path, x))
		return s.flush()
	}
	if len(s.kept) == s.MaxResults {
		if x.Level <= s.kept[0].level {
			return nil
		}
		heap.Pop(&s.kept)
	}
	heap.Push(&s.kept, keptResult{x.Level, s.seen, marshal(s.resultOf(path, x))})
	return nil
}

func (s *sarif) separate() {
	if s.written++; s.written > 1 {
		s.buf.WriteByte(',')
	}
	s.buf.WriteByte('\n')
}

// keptResult is a result that waits for the end of the run.
type keptResult struct {
	level finding.Level
	seq   int
	line  []byte
}

// resultHeap has the mildest, then the latest result on top.
type resultHeap []keptResult

func (h resultHeap) Len() int { return len(h) }

func (h resultHeap) Less(i, j int) bool {
	if h[i].level != h[j].level {
		return h[i].level < h[j].level
	}
	return h[i].seq > h[j].seq
}

func (h resultHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements [heap.Interface].
func (h *resultHeap) Push(x any) { *h = append(*h, x.(keptResult)) }

// Pop implements [heap.Interface].
func (h *resultHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = keptResult{}
	*h = (*h)[:last]
	return x
}

func (s *sarif) End(t Totals) error {
	slices.SortFunc(s.kept, func(a, b keptResult) int { return a.seq - b.seq })
	for _, k := range s.kept {
		s.separate()
		s.buf.Write(k.line)
		if err := s.flush(); err != nil {
			return err
		}
	}
	if left := s.seen - s.written; left > 0 {
		s.notice(finding.Notice{Level: finding.Warning, ID: "results-capped", Message: fmt.Sprintf("%s left out, the least severe of %d", plural(left, "result"), s.seen)})
	}
	for _, n := range t.Notices {
		s.notice(n)
	}
	for _, n := range t.NotChecked {
		s.unchecked(n)
	}
	s.buf.WriteString("\n],\n" + `"invocations":[`)
	s.json(s.invocation(t))
	s.buf.WriteString("],\n" + `"properties":`)
	s.json(map[string]int64{"files": int64(t.Files), "sessions": int64(t.Sessions), "bytes": t.Bytes, "errors": int64(t.Errors), "warnings": int64(t.Warnings), "notes": int64(t.Notes)})
	s.buf.WriteString("\n}]}\n")
	return s.flush()
}

func (s *sarif) invocation(t Totals) sarifInvocation {
	inv := sarifInvocation{
		CommandLine: shown(s.run.CommandLine, 4096), Successful: t.ExitCode < 2, ExitCode: t.ExitCode, Notifications: s.notes,
		ExitText: "Audited; nothing found at the failing level.",
	}
	switch {
	case t.ExitCode == 1:
		inv.ExitText = "Audited; findings at or above the failing level."
	case t.ExitCode > 1:
		inv.ExitText = "Some inputs could not be audited."
	}
	if !s.run.Start.IsZero() {
		inv.StartTime = s.run.Start.UTC().Format(time.RFC3339)
	}
	return inv
}

// maxNotifications bounds what is kept of notices until the end.
const maxNotifications = 10_000

func (s *sarif) notice(n finding.Notice) {
	if len(s.notes) >= maxNotifications {
		return
	}
	out := sarifNotification{Descriptor: descriptor(n.ID), Level: n.Level.String(), Message: sarifText{Text: sentence(sarifEscape(shown(n.Message, maxText)))}}
	if n.File != "" {
		loc := sarifLocation{Physical: s.physical(n.File, finding.Span{Line: n.Line}, "")}
		out.Locations = []sarifLocation{loc}
	}
	s.notes = append(s.notes, out)
}

func (s *sarif) unchecked(n NotChecked) {
	out := sarifNotification{Descriptor: descriptor("not-checked"), Level: "note", Message: sarifText{Text: sentence(sarifEscape(shown(n.String(), maxText)))}}
	if i, ok := s.index[n.Rule]; ok {
		out.Rule = &sarifRef{ID: n.Rule, Index: &i}
	}
	s.notes = append(s.notes, out)
}

func descriptor(id string) sarifRef {
	for i, d := range sarifNotices {
		if d.ID == id {
			return sarifRef{ID: id, Index: &i}
		}
	}
	return sarifRef{ID: shown(id, maxID)}
}

func (s *sarif) json(v any) { s.buf.Write(marshal(v)) }

// marshal writes one of our own structs, which cannot fail.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a struct of strings and numbers
	}
	return b
}

func (s *sarif) flush() error {
	_, err := s.out.Write(s.buf.Bytes())
	s.buf.Reset()
	return err
}
