package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// gradeColumns is the width of the longest grade.
const gradeColumns = len(finding.Terminated)

// chain draws the evidence as a light tree: line, grade, what it shows.
func (t *text) chain(x *finding.Finding) {
	steps, left := t.steps(x.Evidence)
	digits := 1
	for _, e := range x.Evidence {
		digits = max(digits, len(strconv.Itoa(e.Line)))
	}
	for i := range steps {
		if left > 0 && i == stepsShown/2 {
			t.buf.WriteString("  " + t.paint.rule.Sprint("│ ") + t.paint.dim.Sprint(fmt.Sprintf("… %s (-v)", plural(left, "more step"))) + "\n")
		}
		t.step(&steps[i], x, digits, i == len(steps)-1)
	}
}

// steps picks the steps to print: all of them, or the first and the last few.
func (t *text) steps(all []finding.Evidence) (picked []finding.Evidence, left int) {
	if t.Verbose || len(all) <= stepsShown+1 {
		return all, 0
	}
	half := stepsShown / 2
	picked = append(picked, all[:half]...)
	return append(picked, all[len(all)-half:]...), len(all) - 2*half
}

func (t *text) step(e *finding.Evidence, x *finding.Finding, digits int, last bool) {
	head, stem := "│", "│"
	if last {
		head, stem = "└", " "
	}
	prefix := fmt.Sprintf("line %*d  ", digits, e.Line)
	if e.Line == 0 {
		prefix = fmt.Sprintf("file %*s  ", digits, "")
	}
	room := t.Width - 4 - len(prefix) - gradeColumns - 2
	indent := len(prefix) + gradeColumns + 2
	body := t.stepBody(e, x, room)
	if room < 24 { // too narrow for a third column
		indent = 2
		body = append([]painted{{t.paint.plain, ""}}, t.stepBody(e, x, t.Width-4-indent)...)
	}
	if len(body) == 0 {
		body = []painted{{t.paint.plain, ""}}
	}
	grade := string(e.Grade)
	pad := strings.Repeat(" ", max(0, gradeColumns-len(grade)))
	t.buf.WriteString(strings.TrimRight("  "+t.paint.rule.Sprint(head)+" "+t.paint.dim.Sprint(prefix)+t.paint.grade(e.Grade).Sprint(Escape(grade))+pad+"  "+body[0].String(), " ") + "\n")
	for _, p := range body[1:] {
		t.buf.WriteString("  " + t.paint.rule.Sprint(stem) + " " + strings.Repeat(" ", indent) + p.String() + "\n")
	}
}

// painted is a line with its colour.
type painted struct {
	painter
	line string
}

func (p painted) String() string { return p.Sprint(p.line) }

// stepBody is a step's note and quote. The claim itself was quoted above and
// is not quoted again.
func (t *text) stepBody(e *finding.Evidence, x *finding.Finding, room int) []painted {
	note := Escape(e.Note)
	var body []painted
	for _, l := range wrap(note, room) {
		body = append(body, painted{t.paint.plain, l})
	}
	if e.Quote == "" || e.Quote == x.Quote {
		return body
	}
	if quote := "“" + shown(e.Quote, room) + "”"; note != "" && len(body) == 1 && columnsOf(note)+2+columnsOf(quote) <= room {
		body[0] = painted{t.paint.plain, body[0].line + "  " + t.paint.quote.Sprint(quote)}
		return body
	}
	n := 2
	if t.Verbose {
		n = 12
	}
	for _, l := range clipLines("“"+shown(e.Quote, 4000)+"”", room, n) {
		body = append(body, painted{t.paint.quote, l})
	}
	return body
}
