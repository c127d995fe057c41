package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// frameKind is a place in the syntax tree that stands between a step and the
// exit code of its line.
type frameKind uint8

const (
	inList frameKind = iota
	inRedirect
	inNegation
	inBackground
	inSubshell
	inCondition
	inBranch
	inLoop
	inFunction
	inSubstitution
	leftOfAnd
	rightOfAnd
	leftOfOr
	rightOfOr
	leftOfPipe
	rightOfPipe
	besideUnparsed // a neighbour in a line that could not be parsed
)

// A frame is one such place; a step has a chain of them, innermost first.
type frame struct {
	up          *frame
	kind        frameKind
	src         string
	sh          shell // the shell's state when the frame was entered
	stmts       []*syntax.Stmt
	index       int // in stmts
	binary      *syntax.BinaryCmd
	redirs      []*syntax.Redirect
	alternative *syntax.IfClause
	bare        bool // of inSubstitution: x=$(cmd)
}

// passage is how the exit code of a step fares on its way up.
type passage struct {
	mask     Mask
	decide   bool // a failure can still be the line's exit code
	surfaced bool // a failure ends the shell at once: || exit 1, set -e
	exempt   bool // set -e does not look at it: left of &&
}

// exit follows a step's exit code to the end of the line: what hides it, and
// whether a failure of the step can be the exit code of the line at all.
func (f *frame) exit() (Mask, bool) {
	p := passage{decide: true}
	for ; f != nil; f = f.up {
		f.pass(&p)
	}
	return p.mask, p.decide
}

func (p *passage) hide(m Mask, decide bool) {
	if p.mask == MaskNone {
		p.mask = m
	}
	p.decide = p.decide && decide
}

func (f *frame) pass(p *passage) {
	switch f.kind {
	case inNegation:
		p.hide(MaskNegated, false)
	case inBackground:
		p.surfaced = false
		p.hide(MaskBackground, false)
	case inSubshell:
		p.surfaced, p.exempt = false, false
	case inSubstitution:
		p.surfaced, p.exempt = false, false
		if !f.bare {
			p.hide(MaskSubstitution, false)
		}
	case inCondition:
		if !p.surfaced && (f.alternative == nil || !failsList(f.alternative.Then)) {
			p.hide(MaskCondition, false)
		}
		p.exempt = true
	case inBranch, inFunction:
		p.hide(MaskCondition, true)
	case inLoop:
		if !p.surfaced {
			p.hide(MaskLoop, true)
		}
	case leftOfAnd:
		p.exempt = true
	case leftOfOr:
		f.passOr(p)
	case rightOfOr:
		p.hide(MaskCondition, true)
	case leftOfPipe:
		p.surfaced = false
		if !f.sh.pipefail {
			p.hide(MaskPipe, false)
		}
	case rightOfPipe:
		p.surfaced = false
	case inList:
		f.passList(p)
	case besideUnparsed:
		p.hide(MaskUnparsed, true)
	}
}

func (f *frame) passOr(p *passage) {
	if p.surfaced {
		return
	}
	if fails(f.binary.Y) {
		p.surfaced = true
		return
	}
	p.hide(MaskOrTrue, false)
}

// passList decides what the statements after a step do to its exit code.
func (f *frame) passList(p *passage) {
	rest := f.stmts[f.index+1:]
	switch {
	case p.surfaced:
		return
	case len(rest) == 0:
		p.exempt = false // the code of the last statement is the list's
		return
	case f.sh.errexit && !p.exempt && p.mask == MaskNone:
		p.surfaced = true
		return
	case f.handsOn(rest, p.mask):
		if p.mask == MaskPipe || p.mask == MaskBackground {
			p.mask, p.decide = MaskNone, true
		}
		p.surfaced = true
		return
	}
	p.exempt = false
	if f.sh.tolerant {
		p.hide(MaskSetPlusE, false)
	} else {
		p.hide(MaskSemicolon, false)
	}
}

// handsOn reports whether the statements after a step take its exit code and
// end with it: exit $?, rc=${PIPESTATUS[0]}; ...; exit $rc, wait $!.
func (f *frame) handsOn(rest []*syntax.Stmt, mask Mask) bool {
	next, last := source(f.src, rest[0]), source(f.src, rest[len(rest)-1])
	if mask == MaskBackground {
		return strings.HasPrefix(last, "wait ") && (strings.Contains(last, "$!") || strings.Contains(last, "$"))
	}
	reads := strings.Contains(strings.ToUpper(next), "PIPESTATUS") || mask == MaskNone && strings.Contains(next, "$?")
	if !reads || mask != MaskNone && mask != MaskPipe {
		return false
	}
	if len(rest) == 1 {
		return endsWithCode(last)
	}
	name, _, ok := strings.Cut(next, "=")
	return ok && syntax.ValidName(name) && endsWithCode(last) && strings.Contains(last, "$") && strings.Contains(last, name)
}

// endsWithCode reports whether a statement turns a value into an exit code.
func endsWithCode(stmt string) bool {
	for _, p := range []string{"exit ", "return ", "(exit ", "( exit ", "test ", "[ ", "[[ ", "((", "if "} {
		if strings.HasPrefix(stmt, p) {
			return !strings.Contains(stmt, "||") && (p != "if " || strings.Contains(stmt, "exit"))
		}
	}
	return false
}

// fails reports whether a statement always ends in failure: exit 1, false,
// { echo broken; exit 1; }.
func fails(st *syntax.Stmt) bool {
	if st == nil || st.Background || st.Negated {
		return false
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return false
		}
		switch c.Args[0].Lit() {
		case "exit", "return":
			return len(c.Args) < 2 || c.Args[1].Lit() != "0"
		case "false":
			return true
		}
	case *syntax.Block:
		return failsList(c.Stmts)
	case *syntax.Subshell:
		return failsList(c.Stmts)
	}
	return false
}

func failsList(stmts []*syntax.Stmt) bool {
	return len(stmts) > 0 && fails(stmts[len(stmts)-1])
}

// fallback is the || part that swallows a failure, as written.
func (f *frame) fallback() string {
	for ; f != nil; f = f.up {
		if f.kind == leftOfOr {
			return clip("|| "+source(f.src, f.binary.Y), maxText)
		}
	}
	return ""
}

// output finds out whether the result can show what Main printed, and whether
// the line prints Main's exit code.
func (l *Line) output() {
	piped := false
	for f := l.Main.from; f != nil; f = f.up {
		switch f.kind {
		case inRedirect:
			for _, r := range f.redirs {
				l.redirected(r, f.src)
			}
		case leftOfPipe:
			piped = piped || !f.sh.pipefail
			if filter := source(f.src, f.binary.Y); hides(f.binary.Y) {
				l.filtered(filter)
			}
		case inSubstitution:
			if f.bare && !l.shownLater("$") {
				l.filtered("$(...)")
			}
		case inList:
			if f.index+1 < len(f.stmts) {
				next := source(f.src, f.stmts[f.index+1])
				prints := strings.Contains(next, "echo") || strings.Contains(next, "printf") || strings.Contains(next, "=$")
				l.PrintsExit = l.PrintsExit || prints && (strings.Contains(next, "PIPESTATUS") || !piped && strings.Contains(next, "$?"))
			}
		}
	}
}

func (l *Line) filtered(by string) {
	l.Discards = true
	if l.Filter != "" {
		l.Filter += " | "
	}
	l.Filter = clip(l.Filter+by, maxText)
}

// redirected looks at one redirection of Main's standard output.
func (l *Line) redirected(r *syntax.Redirect, src string) {
	if r.Word == nil || r.N != nil && r.N.Value != "1" {
		return
	}
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
	default:
		return
	}
	file := strings.Trim(source(src, r.Word), `"'`)
	switch reader := l.readerOf(file); {
	case file == "/dev/stderr" || file == "/dev/tty" || file == "/dev/stdout":
	case reader == nil:
		l.filtered("> " + file)
	case reader.Name != "cat":
		l.filtered(reader.text)
	}
}

// writes reports whether the standard output right at a step goes to a file.
func (f *frame) writes() bool {
	if f == nil || f.kind != inRedirect {
		return false
	}
	for _, r := range f.redirs {
		if r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrClob {
			return r.N == nil || r.N.Value == "1"
		}
	}
	return false
}

// readerOf is the step that shows a file which Main wrote.
func (l *Line) readerOf(file string) *Step {
	for i := range l.Steps {
		s := &l.Steps[i]
		if s.Class != Inspect && s.Class != Search {
			continue
		}
		for _, a := range s.Args {
			if a == file {
				return s
			}
		}
	}
	return nil
}

// shownLater reports whether an echo or printf prints something with a mark.
func (l *Line) shownLater(mark string) bool {
	for i := range l.Steps {
		if s := &l.Steps[i]; s.Name == "echo" || s.Name == "printf" {
			for _, a := range s.Args {
				if strings.Contains(a, mark) && a != "$?" {
					return true
				}
			}
		}
	}
	return false
}

// hides reports whether a filter lets only a part of its input through.
func hides(st *syntax.Stmt) bool {
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok {
		return hides(b.X) || hides(b.Y)
	}
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return true
	}
	switch c.Args[0].Lit() {
	case "cat", "ts", "nl", "fold", "less", "more", "column", "expand", "sort":
		return len(st.Redirs) > 0 && st.Redirs[0].N == nil
	case "tee":
		return len(st.Redirs) > 0 && st.Redirs[0].N == nil
	case "sed":
		for _, a := range c.Args[1:] {
			if strings.HasPrefix(a.Lit(), "-n") {
				return true
			}
		}
		return false
	}
	return true
}
