package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// NewJUnit writes JUnit XML: a test suite a file, a test case a finding.
// Errors and warnings are failures; notes are skipped tests, which show and
// fail nothing. What could not be read is an error.
func NewJUnit(w io.Writer) Writer { return &junit{out: w} }

type junit struct {
	out io.Writer
	buf bytes.Buffer
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	File    string       `xml:"file,attr,omitempty"`
	Line    int          `xml:"line,attr,omitempty"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (j *junit) Begin(Run) error {
	j.buf.WriteString(xml.Header + `<testsuites name="transcript-lint">` + "\n")
	return j.flush()
}

func (j *junit) File(f File) error {
	return j.suite(Escape(f.Path), f.Findings, f.Notices)
}

func (j *junit) End(t Totals) error {
	if len(t.Notices) > 0 {
		if err := j.suite("transcript-lint", nil, t.Notices); err != nil {
			return err
		}
	}
	j.buf.WriteString("</testsuites>\n")
	return j.flush()
}

func (j *junit) suite(name string, findings []finding.Finding, notices []finding.Notice) error {
	s := junitSuite{Name: name}
	for i := range findings {
		s.add(junitCaseOf(name, &findings[i]))
	}
	for _, n := range notices {
		res := &junitResult{Type: Escape(n.ID), Message: shown(n.Message, maxText)}
		c := junitCase{Name: Escape(n.ID), Class: name, File: Escape(n.File), Line: n.Line}
		if n.Level == finding.Error {
			c.Error = res
		} else {
			c.Skipped = res
		}
		s.add(c)
	}
	if len(s.Cases) == 0 {
		s.add(junitCase{Name: "nothing found", Class: name, File: name})
	}
	out, err := xml.MarshalIndent(s, "", " ")
	if err != nil {
		panic(err) // a struct of strings and numbers
	}
	j.buf.Write(append(out, '\n'))
	return j.flush()
}

// add counts a case and keeps it.
func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitCaseOf(file string, x *finding.Finding) junitCase {
	c := junitCase{Name: fmt.Sprintf("%s (line %d)", Escape(x.Rule), x.Line), Class: file, File: file, Line: x.Line}
	res := &junitResult{Type: Escape(x.Rule), Message: shown(x.Message, maxText), Text: strings.TrimSpace(annotation(x))}
	if x.Level >= finding.Warning {
		c.Failure = res
	} else {
		c.Skipped = res
	}
	return c
}

func (j *junit) flush() error {
	_, err := j.out.Write(j.buf.Bytes())
	j.buf.Reset()
	return err
}
