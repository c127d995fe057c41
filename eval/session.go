package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// A session is one log that faults are planted in, with the facts by which a
// place for them is found.
type session struct {
	name  string
	spell speller
	lines [][]byte

	led      *ledger.Session
	backed   []backing            // claims that a run backs
	whole    map[*ledger.Call]int // calls whose result is one whole JSON document, with its size
	thoughts []thought
	prose    []int // lines of the assistant's words on the main thread
	human    string
	findings []finding.Finding
}

// backing is a claim that the ledger holds to be true, and the run that shows
// it.
type backing struct {
	claim *ledger.Claim
	run   *ledger.Run
}

// thought is a piece of reasoning that is long enough to be known again.
type thought struct {
	line int
	turn int
}

const (
	shortestJSON    = 900 // bytes of a document that is worth cutting
	shortestThought = 240
)

// readSession reads a log whose format can be written as well; nil when it is
// of another format.
func readSession(name string, data []byte) (*session, error) {
	s := &session{name: name, whole: map[*ledger.Call]int{}}
	r := reader(data)
	if r.Format() == nil {
		return nil, nil
	}
	if s.spell = spellers[r.Format().Name]; s.spell == nil {
		return nil, nil
	}
	s.lines = bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	s.led = ledger.New(name, r.Format().Name)
	if err := r.Read(s.observe); err != nil {
		return nil, err
	}
	s.findings = lint(name, data)
	return s, nil
}

func reader(data []byte) *transcript.Reader {
	return transcript.NewReader(bytes.NewReader(data), jsonl.Options{}, nil)
}

// lint is what the whole catalogue says of a log. A rule that panics is a
// finding of its own: it must not end the measurement.
func lint(name string, data []byte) (found []finding.Finding) {
	defer func() {
		if r := recover(); r != nil {
			found = []finding.Finding{{Rule: "panic", Level: finding.Error, Message: fmt.Sprint(r)}}
		}
	}()
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return audit.One(audit.Input{Path: name, Open: open}, audit.Options{}).Findings
}

func (s *session) observe(e *transcript.Event) {
	s.led.Observe(e)
	switch e.Kind {
	case transcript.Message:
		s.heard(e)
	case transcript.ToolResult:
		if c := s.led.Call; c != nil && e.Origin == transcript.Observed {
			if scan := delivery.ScanJSON(e.Text.String()); scan.Shape == delivery.Whole && e.Text.Size() >= shortestJSON && !s.led.AskedForPart(c) {
				s.whole[c] = e.Text.Size()
			}
		}
	case transcript.Reasoning:
		if e.Agent == "" && e.Origin == transcript.Observed && e.Text.Size() >= shortestThought {
			s.thoughts = append(s.thoughts, thought{e.Pos.Line, s.led.Turn})
		}
	}
	for _, c := range s.led.Fresh {
		s.judge(c)
	}
}

func (s *session) heard(e *transcript.Event) {
	switch {
	case e.Origin != transcript.Observed || e.Agent != "":
	case e.Actor == transcript.Human:
		s.human += strings.ToLower(e.Text.Head(4096)) + "\n"
	case e.Actor == transcript.Assistant && e.Role == transcript.Prose:
		s.prose = append(s.prose, e.Pos.Line)
	}
}

// judge keeps a claim whose truth is plain: asserted outright, shown by a run
// that ended ok.
func (s *session) judge(c *ledger.Claim) {
	if c.Polarity != claim.Positive || c.Honest || c.Copied || c.Failed > 0 || c.Agent != "" || c.Where != ledger.InProse {
		return
	}
	switch c.Subject {
	case claim.Tests, claim.Build, claim.Lint, claim.TypeCheck:
	default:
		return
	}
	v := s.led.Judge(c)
	if v.Run == nil || v.Check == nil || v.Run.Origin != transcript.Observed || v.Standing != ledger.Backed && v.Standing != ledger.Stale {
		return
	}
	s.backed = append(s.backed, backing{c, &ledger.Run{Call: v.Run, Check: v.Check}})
}

// begins reports whether the log shows the session from its beginning, and the
// human had spoken before a call: only then is it known what they did not say.
func (s *session) begins(c *ledger.Call) bool {
	for _, parent := range []string{"parentUuid", "parent"} {
		if str(s.lines[0], parent) != "" {
			return false
		}
	}
	for _, k := range s.led.Calls {
		if k.Turn == 0 || k.Origin == transcript.Copied {
			return false
		}
	}
	for _, b := range s.led.Compactions {
		if b.Step < c.Step {
			return false
		}
	}
	return s.led.Fork == "" && c.Turn > 0
}

// between are the calls of the session that stand between two steps.
func (s *session) between(from, to int) []*ledger.Call {
	var out []*ledger.Call
	for _, c := range s.led.Calls {
		if c.Step > from && c.Step < to {
			out = append(out, c)
		}
	}
	return out
}

// readFile reads a session file, and its twin in the generic form.
func readFile(path, name string) ([]*session, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []*session
	s, err := readSession(name, data)
	if s != nil {
		out = append(out, s)
	}
	if err != nil || s != nil && s.led.Format == "events" {
		return out, err
	}
	if generic := normalize(data); generic != nil {
		s, err := readSession(name+" as events", generic)
		if s != nil && err == nil {
			out = append(out, s)
		}
		return out, err
	}
	return out, nil
}

// normalize writes a log in the vocabulary of docs/events.md, without the
// places in the file that it was read from: findings then point at the text
// that is judged. Nil when no format fits.
func normalize(data []byte) []byte {
	r := reader(data)
	if r.Format() == nil {
		return nil
	}
	var out []byte
	err := r.Read(func(e *transcript.Event) {
		switch e.Kind {
		case transcript.Fault, transcript.Other, transcript.Unknown, transcript.Foreign:
			return
		}
		from := len(out)
		out = transcript.AppendEvent(out, e)
		if i := bytes.LastIndex(out[from:], []byte(`,"at":{`)); i >= 0 {
			out = append(out[:from+i], '}')
		}
		out = append(out, '\n')
	})
	if err != nil {
		return nil
	}
	return out
}
