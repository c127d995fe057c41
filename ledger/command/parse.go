package command

import (
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds on the work that one line may cause.
const (
	maxRaw    = 2 << 10  // bytes of Line.Raw
	maxSource = 64 << 10 // bytes that are parsed
	maxSteps  = 256      // steps that are kept
	maxNested = 4        // bash -c inside bash -c
	maxText   = 200      // bytes of a command's text in messages
)

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// Parse reads one command line. It never fails: a line that is no shell is read
// leniently, with ParseOK false.
func Parse(line string) *Line {
	l := &Line{Raw: clip(line, maxRaw), ParseOK: true}
	w := walker{line: l}
	w.script(clip(line, maxSource), nil, shell{})
	w.finish()
	return l
}

// ParseArgv reads a command that was given as an argument vector, be it a
// program with its arguments or a shell with a script: ["bash", "-lc", "..."].
func ParseArgv(argv []string) *Line {
	l := &Line{Raw: clip(strings.Join(argv, " "), maxRaw), ParseOK: true}
	w := walker{line: l}
	if len(argv) == 1 && strings.ContainsAny(argv[0], " \t\n") {
		w.script(clip(argv[0], maxSource), nil, shell{})
	} else if len(argv) > 0 {
		args := make([]string, len(argv))
		for i := range argv {
			args[i] = clip(argv[i], maxSource)
		}
		w.command(args, nil, clip(l.Raw, maxText), "", nil, &shell{})
	}
	w.finish()
	return l
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if r, size := utf8.DecodeLastRuneInString(s); r == utf8.RuneError && size == 1 {
		s = s[:len(s)-1]
	}
	return s
}

// shell is what earlier commands changed about the shell that runs the next one.
type shell struct {
	errexit  bool // set -e
	tolerant bool // set +e was said
	pipefail bool // set -o pipefail
	dir      string
	branch   string // the branch that a git checkout or switch before went to
}

// walker collects the steps of a line from its syntax tree.
type walker struct {
	line   *Line
	src    string
	nested int
}

// script reads a whole shell script whose steps stand below a frame.
func (w *walker) script(src string, up *frame, sh shell) {
	if w.nested > maxNested {
		return
	}
	w.nested++
	outer := w.src
	w.src = src
	defer func() { w.nested--; w.src = outer }()

	file, err := parseShell(src)
	if err != nil {
		w.line.ParseOK = false
		w.lenient(src, up, &sh)
		return
	}
	w.list(file.Stmts, up, &sh)
}

// deep are openings whose nesting makes the parser look ahead again and again.
var deep = strings.Repeat("(", 64)

var errDeep = errors.New("nested too deeply")

func parseShell(src string) (*syntax.File, error) {
	if strings.Contains(src, deep) {
		return nil, errDeep
	}
	p := parsers.Get().(*syntax.Parser)
	defer parsers.Put(p)
	return p.Parse(strings.NewReader(src), "")
}

func (w *walker) list(stmts []*syntax.Stmt, up *frame, sh *shell) {
	for i, st := range stmts {
		if len(w.line.Steps) >= maxSteps {
			return
		}
		f := &frame{up: up, kind: inList, stmts: stmts, index: i, src: w.src, sh: *sh}
		w.stmt(st, f, sh)
	}
}

func (w *walker) stmt(st *syntax.Stmt, up *frame, sh *shell) {
	if st == nil || len(w.line.Steps) >= maxSteps {
		return
	}
	if len(st.Redirs) > 0 {
		up = &frame{up: up, kind: inRedirect, redirs: st.Redirs, src: w.src}
	}
	if st.Negated {
		up = &frame{up: up, kind: inNegation}
	}
	if st.Background || st.Coprocess || st.Disown {
		up = &frame{up: up, kind: inBackground}
		own := *sh
		sh = &own
	}
	w.cmd(st, up, sh)
}

// cmd goes into one command. Compound commands put a frame around what is in
// them, so that each step knows later what stands between it and the exit code.
func (w *walker) cmd(st *syntax.Stmt, up *frame, sh *shell) {
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(c, st, up, sh)
	case *syntax.BinaryCmd:
		w.binary(c, up, sh)
	case *syntax.Subshell:
		own := *sh
		w.list(c.Stmts, &frame{up: up, kind: inSubshell}, &own)
	case *syntax.Block:
		w.list(c.Stmts, up, sh)
	case *syntax.TimeClause:
		w.stmt(c.Stmt, up, sh)
	case *syntax.CoprocClause:
		w.stmt(c.Stmt, &frame{up: up, kind: inBackground}, sh)
	case *syntax.IfClause:
		w.branches(c, up, sh)
	case *syntax.WhileClause:
		w.list(c.Cond, &frame{up: up, kind: inCondition}, sh)
		w.list(c.Do, &frame{up: up, kind: inLoop}, sh)
	case *syntax.ForClause:
		w.loopWords(c, up, sh)
		w.list(c.Do, &frame{up: up, kind: inLoop}, sh)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			w.list(item.Stmts, &frame{up: up, kind: inBranch}, sh)
		}
	case *syntax.FuncDecl:
		own := *sh
		w.stmt(c.Body, &frame{up: up, kind: inFunction}, &own)
	case *syntax.TestClause:
		w.add(Step{Name: "[["}, up, sh, w.text(c))
	case *syntax.DeclClause:
		w.declare(c, up, sh)
	}
}

func (w *walker) binary(c *syntax.BinaryCmd, up *frame, sh *shell) {
	left, right := &frame{up: up, binary: c, src: w.src, sh: *sh}, &frame{up: up, binary: c, src: w.src, sh: *sh}
	switch c.Op {
	case syntax.AndStmt:
		left.kind, right.kind = leftOfAnd, rightOfAnd
	case syntax.OrStmt:
		left.kind, right.kind = leftOfOr, rightOfOr
	default:
		w.line.pipes = true
		left.kind, right.kind = leftOfPipe, rightOfPipe
		own, other := *sh, *sh // each side runs in a shell of its own
		w.stmt(c.X, left, &own)
		w.stmt(c.Y, right, &other)
		return
	}
	w.stmt(c.X, left, sh)
	w.stmt(c.Y, right, sh)
}

func (w *walker) branches(c *syntax.IfClause, up *frame, sh *shell) {
	for ; c != nil; c = c.Else {
		w.list(c.Cond, &frame{up: up, kind: inCondition, alternative: c.Else, src: w.src}, sh)
		w.list(c.Then, &frame{up: up, kind: inBranch}, sh)
	}
}

func (w *walker) loopWords(c *syntax.ForClause, up *frame, sh *shell) {
	if it, ok := c.Loop.(*syntax.WordIter); ok {
		for _, word := range it.Items {
			w.substitutions(word.Parts, up, sh, false)
		}
	}
}

func (w *walker) declare(c *syntax.DeclClause, up *frame, sh *shell) {
	s := Step{Name: c.Variant.Value}
	for _, a := range c.Args {
		if a.Value != nil {
			w.substitutions(a.Value.Parts, up, sh, false)
		}
		s.Args = append(s.Args, w.assign(a))
	}
	w.add(s, up, sh, w.text(c))
}

func (w *walker) assign(a *syntax.Assign) string {
	var b strings.Builder
	if a.Name != nil {
		b.WriteString(a.Name.Value)
		if !a.Naked {
			b.WriteByte('=')
		}
	}
	if a.Value != nil {
		b.WriteString(w.word(a.Value))
	}
	return b.String()
}

func (w *walker) call(c *syntax.CallExpr, st *syntax.Stmt, up *frame, sh *shell) {
	var env []string
	for _, a := range c.Assigns {
		env = append(env, w.assign(a))
		if a.Value != nil {
			w.substitutions(a.Value.Parts, up, sh, len(c.Args) == 0)
		}
	}
	if len(c.Args) == 0 {
		w.line.noteEnv(env)
		return
	}
	args := make([]string, len(c.Args))
	for i, word := range c.Args {
		args[i] = w.word(word)
		w.substitutions(word.Parts, up, sh, false)
	}
	w.command(args, env, w.text(c), w.stdin(st), up, sh)
}

// stdin is the script that a here-document or here-string feeds to a command.
func (w *walker) stdin(st *syntax.Stmt) string {
	for _, r := range st.Redirs {
		switch {
		case r.Hdoc != nil:
			return w.word(r.Hdoc)
		case r.Op == syntax.WordHdoc && r.Word != nil:
			return w.word(r.Word)
		}
	}
	return ""
}

// substitutions walks the commands inside $(...), `...` and <(...). Those of a
// bare assignment pass their exit code on.
func (w *walker) substitutions(parts []syntax.WordPart, up *frame, sh *shell, bare bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.DblQuoted:
			w.substitutions(p.Parts, up, sh, bare)
		case *syntax.CmdSubst:
			own := *sh
			w.list(p.Stmts, &frame{up: up, kind: inSubstitution, bare: bare}, &own)
		case *syntax.ProcSubst:
			own := *sh
			w.list(p.Stmts, &frame{up: up, kind: inSubstitution}, &own)
		}
	}
}

// add keeps one step, classified.
func (w *walker) add(s Step, up *frame, sh *shell, text string) {
	if len(w.line.Steps) >= maxSteps {
		return
	}
	s.from, s.text = up, text
	if s.Dir == "" {
		s.Dir = sh.dir
	} else {
		s.Dir = joinDir(sh.dir, s.Dir)
	}
	classify(&s)
	w.remember(&s, sh)
	w.line.Steps = append(w.line.Steps, s)
}

// remember notes what a step changes for the steps after it.
func (w *walker) remember(s *Step, sh *shell) {
	switch s.Name {
	case "cd", "pushd":
		sh.dir = joinDir(sh.dir, cdTarget(s.Args))
	case "set":
		sh.set(s.Args)
	case "git":
		if e, ok := effectOf(s, sh.branch); ok {
			w.line.Irreversible = append(w.line.Irreversible, e)
		}
		if b := switchesTo(s); b != "" {
			sh.branch = b
		}
		return
	}
	if e, ok := effectOf(s, sh.branch); ok {
		w.line.Irreversible = append(w.line.Irreversible, e)
	}
}

// set follows set -e, set -euo pipefail, set +e.
func (sh *shell) set(args []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' && a[0] != '+' {
			continue
		}
		on := a[0] == '-'
		if strings.Contains(a[1:], "e") && !strings.HasPrefix(a, "--") {
			sh.errexit, sh.tolerant = on, !on
		}
		if strings.HasSuffix(a, "o") && i+1 < len(args) {
			i++
			switch args[i] {
			case "pipefail":
				sh.pipefail = on
			case "errexit":
				sh.errexit, sh.tolerant = on, !on
			}
		}
	}
}

func cdTarget(args []string) string {
	for _, a := range args {
		if a != "--" && (a == "-" || !strings.HasPrefix(a, "-")) {
			return a
		}
	}
	return "~"
}

func joinDir(base, dir string) string {
	if dir == "" || dir == "." || dir == "./" {
		return base
	}
	if base == "" || strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~") || strings.HasPrefix(dir, "$") || dir == "-" {
		return strings.TrimSuffix(dir, "/")
	}
	return path.Join(base, dir)
}

// word is a shell word without its quotes. Expansions stay as written.
func (w *walker) word(word *syntax.Word) string {
	if len(word.Parts) == 1 {
		return w.part(word.Parts[0], false)
	}
	var b strings.Builder
	for _, p := range word.Parts {
		b.WriteString(w.part(p, false))
	}
	return b.String()
}

func (w *walker) part(part syntax.WordPart, quoted bool) string {
	switch p := part.(type) {
	case *syntax.Lit:
		return unescape(p.Value, quoted)
	case *syntax.SglQuoted:
		return p.Value
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			return w.part(p.Parts[0], true)
		}
		var b strings.Builder
		for _, q := range p.Parts {
			b.WriteString(w.part(q, true))
		}
		return b.String()
	default:
		return w.text(part)
	}
}

// windowsPath reports whether a literal is a path in Windows' spelling, which
// is what its author meant even where a POSIX shell would drop the backslashes.
func windowsPath(s string) bool {
	return strings.HasPrefix(s, `.\`) || len(s) > 3 && s[1] == ':' && s[2] == '\\' && s[3] != ' '
}

// unescape takes the backslashes out of a literal.
func unescape(s string, quoted bool) string {
	if !strings.Contains(s, `\`) || windowsPath(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// text is a node as written.
func (w *walker) text(n syntax.Node) string {
	return source(w.src, n)
}

func source(src string, n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(src) {
		return ""
	}
	return src[from:to]
}

// finish draws the conclusions that need all steps.
func (w *walker) finish() {
	l := w.line
	for i := range l.Steps {
		s := &l.Steps[i]
		s.mask, s.decide = s.from.exit()
		if s.Name == "cat" && s.from.writes() {
			s.Class = Other // cat > file <<EOF makes a file
		}
		s.text = clip(strings.TrimSpace(s.text), maxText)
		l.noteEnv(s.Env)
		l.noteFlags(s)
	}
	l.Main = mainStep(l.Steps)
	l.Echoes = onlyEchoes(l.Steps)
	if l.Main != nil {
		l.Masked = l.Main.mask
		l.Timeout, l.TimeoutWrapper = l.Main.limit, l.Main.timed
		l.output()
		if l.Main.Class.Check() && l.Masked == MaskOrTrue {
			l.bypass(l.Main.from.fallback())
		}
	}
	for i := range l.Steps {
		l.Steps[i].from = nil // the syntax tree is not kept
	}
}

// mainStep is what the line was run for: its last check, else its last action
// on the world, else its last command that is more than scenery.
func mainStep(steps []Step) *Step {
	ranks := []func(*Step) bool{
		func(s *Step) bool { return s.Class.Check() && !s.NoRun },
		func(s *Step) bool { return acts(s.Class) && !s.NoRun },
		func(s *Step) bool { return s.Class.Check() || acts(s.Class) },
		func(s *Step) bool { return !s.scenery() && !s.within() },
		func(s *Step) bool { return !s.scenery() },
		func(*Step) bool { return true },
	}
	for _, rank := range ranks {
		for i := range slices.Backward(steps) {
			if rank(&steps[i]) {
				return &steps[i]
			}
		}
	}
	return nil
}

func acts(c Class) bool {
	switch c {
	case Deploy, Infra, Migrate, Publish:
		return true
	}
	return false
}

// within reports whether a step only serves another one: it stands in a
// substitution, or filters what comes out of a pipe.
func (s *Step) within() bool {
	for f := s.from; f != nil; f = f.up {
		if f.kind == inSubstitution || f.kind == rightOfPipe && !s.fed {
			return true
		}
	}
	return false
}

func onlyEchoes(steps []Step) bool {
	for i := range steps {
		switch steps[i].Name {
		case "true", ":", "sleep", "cd", "set":
		case "echo", "printf":
			for _, a := range steps[i].Args {
				if strings.ContainsAny(a, "$`") {
					return false
				}
			}
		default:
			return false
		}
	}
	return len(steps) > 0
}
