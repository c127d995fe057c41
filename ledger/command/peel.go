package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// command keeps one simple command: it takes the wrappers off and, when what is
// left is a shell with a script, reads that script instead.
func (w *walker) command(args, env []string, text, stdin string, up *frame, sh *shell) {
	p := peeler{args: args, env: env}
	p.peel()
	if script, ok := p.script(stdin); ok && w.nested < maxNested {
		own := shell{dir: joinDir(sh.dir, p.dir), errexit: p.errexit, pipefail: p.pipefail}
		w.line.noteEnv(p.env)
		from := len(w.line.Steps)
		w.script(script, up, own)
		for i := from; i < len(w.line.Steps); i++ {
			p.stamp(&w.line.Steps[i])
		}
		if len(w.line.Steps) > from {
			return
		}
	}
	if len(p.args) == 0 {
		return
	}
	s := Step{Name: programName(p.args[0]), Args: p.args[1:], Env: p.env, Dir: p.dir}
	p.stamp(&s)
	if strings.Contains(p.args[0], "/") && specOf(&s) == nil {
		s.Name = p.args[0] // a script of the project: ./run_tests.sh
	}
	w.add(s, up, sh, text)
}

// programName drops the directory and the extension of a program.
func programName(s string) string {
	switch strings.ToLower(strings.Trim(s, `"${}`)) {
	case "python", "python3", "py":
		return "python" // $PYTHON
	}
	last := s[strings.LastIndexAny(s, `/\`)+1:]
	if strings.ContainsAny(last, "$`") {
		return s
	}
	s = last
	for _, ext := range [...]string{".exe", ".cmd", ".bat"} {
		s = strings.TrimSuffix(s, ext)
	}
	for _, p := range [...]string{"python", "pip"} { // python3.12
		if rest, ok := strings.CutPrefix(s, p); ok && strings.Trim(rest, "0123456789.") == "" {
			return p
		}
	}
	if alias := aliases[s]; alias != "" {
		return alias
	}
	return s
}

// peeler takes wrappers off an argument vector.
type peeler struct {
	args, env []string
	dir       string
	timed     bool
	limit     time.Duration
	workspace string
	fed       bool // xargs, parallel: its arguments come from a pipe
	watched   bool // watch, nodemon: runs until killed
	errexit   bool
	pipefail  bool
}

// stamp marks a step with what its wrappers said.
func (p *peeler) stamp(s *Step) {
	if p.timed {
		s.timed, s.limit = true, p.limit
	}
	s.LongRunning = s.LongRunning || p.watched
	s.fed = s.fed || p.fed
	if p.workspace != "" && s.Selector == "" {
		s.Selector = "-workspace " + p.workspace
	}
}

func (p *peeler) peel() {
	for range 16 {
		if len(p.args) == 0 || !p.one() {
			return
		}
	}
}

// one takes one wrapper off and reports whether there was one.
func (p *peeler) one() bool {
	first := programName(p.args[0])
	if isAssignment(p.args[0]) {
		p.env = append(slices.Clip(p.env), p.args[0])
		p.args = p.args[1:]
		return true
	}
	switch first {
	case "python":
		return p.module()
	case "npm", "pnpm", "yarn":
		p.reorder(first)
	case "node":
		if len(p.args) > 1 && strings.Contains(p.args[1], "node_modules/") { // node node_modules/jest/bin/jest.js
			name, _, _ := strings.Cut(base(p.args[1]), ".")
			if _, known := specs[name]; known {
				p.args = append([]string{name}, p.args[2:]...)
				return true
			}
		}
	case "go":
		if p.goRun() {
			return true
		}
	}
	if n := wrapperOf(first, p.args[1:]); n != nil {
		p.fed = p.fed || first == "xargs" || first == "parallel"
		return p.unwrap(n)
	}
	return p.bin(first)
}

// unwrap takes off a wrapper of the table. A wrapper with nothing in it is a
// command of its own.
func (p *peeler) unwrap(n *wrapper) bool {
	rest := p.args[1+len(n.sub):]
	positional := n.positional
	for len(rest) > 0 {
		a := rest[0]
		switch {
		case a == "--":
			rest = rest[1:]
			if n.dashes {
				return p.inner(n, rest)
			}
			continue
		case strings.HasPrefix(a, "-") && a != "-":
			if n.script != "" && flags(n.script).has(a) && len(rest) > 1 {
				return p.inner(n, append([]string{"sh", "-c"}, rest[1]))
			}
			skip := 1
			if n.takes(a) {
				skip = 2
				p.directory(n, a, rest)
			}
			rest = rest[min(skip, len(rest)):]
			continue
		case n.dashes && slices.Contains(rest, "--"):
			rest = rest[slices.Index(rest, "--"):]
			continue
		case positional > 0:
			positional--
			if n.duration {
				p.timed = true
				p.limit = duration(a)
			}
			rest = rest[1:]
			continue
		case n.assigns && isAssignment(a):
			p.env = append(slices.Clip(p.env), a)
			rest = rest[1:]
			continue
		}
		return p.inner(n, rest)
	}
	return false
}

func (p *peeler) inner(n *wrapper, rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	if n.joined {
		rest = []string{"sh", "-c", strings.Join(rest, " ")}
	}
	p.watched = p.watched || n.watches
	p.args = rest
	return true
}

func (p *peeler) directory(n *wrapper, flag string, rest []string) {
	if len(rest) > 1 && n.dir != "" && flags(n.dir).has(flag) {
		p.dir = rest[1]
	}
}

// takes reports whether a flag of the wrapper has its value in the next word.
func (n *wrapper) takes(flag string) bool {
	return !strings.Contains(flag, "=") && flags(n.values).has(flag)
}

// module unwraps python -m pytest; other uses of python stay.
func (p *peeler) module() bool {
	for i, a := range p.args[1:] {
		if a == "-m" && i+2 < len(p.args) {
			name := p.args[i+2]
			if known := modules[name]; known != "" {
				p.args = append([]string{known}, p.args[i+3:]...)
				return true
			}
			return false
		}
		if !strings.HasPrefix(a, "-") {
			return false
		}
	}
	return false
}

// reorder moves the flags of a package manager out of the way of its exec:
// pnpm --filter api exec jest.
func (p *peeler) reorder(manager string) {
	s := Step{Name: manager, Args: p.args[1:]}
	a := actionOf(&s)
	if a.n < 2 || a.after[0] < 2 || a.words[0] != "exec" && a.words[0] != "dlx" && a.words[0] != "x" {
		return
	}
	before := s.Args[:a.after[0]-1]
	p.workspace = flagValue(before, "filter", "F", "w", "workspace")
	if a.dir != "" {
		p.dir = joinDir(p.dir, a.dir)
	}
	p.args = append([]string{manager}, s.Args[a.after[0]-1:]...)
}

// goRun unwraps go run example.com/cmd/tool@v1, if the tool is a known one.
func (p *peeler) goRun() bool {
	if len(p.args) < 3 || p.args[1] != "run" {
		return false
	}
	pkg, _, ok := strings.Cut(p.args[2], "@")
	if _, known := specs[base(pkg)]; !ok || !known {
		return false
	}
	p.args = append([]string{base(pkg)}, p.args[3:]...)
	return true
}

// bin unwraps the package managers that run a program by its bare name: yarn
// jest, bun run vitest.
func (p *peeler) bin(first string) bool {
	var at int
	switch first {
	case "yarn", "pnpm", "bun":
		at = 1
		if len(p.args) > 2 && p.args[1] == "run" {
			at = 2
		}
	default:
		return false
	}
	if at < len(p.args) && flags(jsBins).has(p.args[at]) {
		p.args = p.args[at:]
		return true
	}
	return false
}

// script is the script that a shell is given to run, if the command is one.
func (p *peeler) script(stdin string) (string, bool) {
	if len(p.args) == 0 {
		return "", false
	}
	switch programName(p.args[0]) {
	case "eval":
		return strings.Join(p.args[1:], " "), len(p.args) > 1
	case "powershell", "pwsh":
		for i, a := range p.args {
			if strings.EqualFold(a, "-command") || strings.EqualFold(a, "-c") {
				return strings.Join(p.args[i+1:], " "), i+1 < len(p.args)
			}
		}
	case "cmd":
		if len(p.args) > 2 && strings.EqualFold(p.args[1], "/c") {
			return strings.Join(p.args[2:], " "), true
		}
	case "bash", "sh", "zsh", "dash", "ksh", "ash", "fish":
		return p.shellScript(stdin)
	}
	return "", false
}

func (p *peeler) shellScript(stdin string) (string, bool) {
	for i := 1; i < len(p.args); i++ {
		a := p.args[i]
		switch {
		case a == "-o" || a == "+o":
			if i+1 < len(p.args) {
				p.pipefail = p.pipefail || p.args[i+1] == "pipefail"
				p.errexit = p.errexit || p.args[i+1] == "errexit"
			}
			i++
		case strings.HasPrefix(a, "--"):
		case strings.HasPrefix(a, "-") && len(a) > 1:
			p.errexit = p.errexit || strings.Contains(a, "e")
			if strings.HasSuffix(a, "c") || strings.Contains(a, "c") && !strings.HasSuffix(a, "o") {
				if i+1 < len(p.args) {
					return p.args[i+1], true
				}
				return "", false
			}
			if strings.HasSuffix(a, "o") && i+1 < len(p.args) {
				p.pipefail = p.pipefail || p.args[i+1] == "pipefail"
				i++
				if strings.Contains(a, "c") && i+1 < len(p.args) {
					return p.args[i+1], true
				}
			}
			if a == "-s" {
				return stdin, stdin != ""
			}
			if a == "-n" {
				return "", false
			}
		default:
			if i == 1 || strings.HasPrefix(p.args[i-1], "-") {
				p.file(i)
			}
			return "", false
		}
	}
	return stdin, stdin != ""
}

// file turns "bash run_tests.sh x" into the script as a program of its own.
func (p *peeler) file(i int) {
	for _, a := range p.args[1:i] {
		if strings.HasPrefix(a, "-") && strings.Contains(a, "n") && !strings.HasPrefix(a, "--") {
			return // bash -n only looks at the grammar
		}
	}
	p.args = p.args[i:]
	if !strings.Contains(p.args[0], "/") {
		p.args = append([]string{"./" + p.args[0]}, p.args[1:]...)
	}
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// duration reads the limit of timeout(1): 90, 1.5, 10m, 2h.
func duration(s string) time.Duration {
	unit := time.Second
	if s == "" {
		return 0
	}
	switch s[len(s)-1] {
	case 's':
		s = s[:len(s)-1]
	case 'm':
		s, unit = s[:len(s)-1], time.Minute
	case 'h':
		s, unit = s[:len(s)-1], time.Hour
	case 'd':
		s, unit = s[:len(s)-1], 24*time.Hour
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 || n > 1e6 {
		return 0
	}
	return time.Duration(n * float64(unit))
}

// lenient reads a line that is no shell: it cuts at the operators that stand
// outside of quotes and takes the first words. What it finds is never trusted
// with an exit code.
func (w *walker) lenient(src string, up *frame, sh *shell) {
	if i := strings.Index(src, "<<"); i > 0 { // a here-document that never ends
		if nl := strings.IndexByte(src[i:], '\n'); nl > 0 {
			src = src[:i+nl]
		}
	}
	for _, words := range splitCommands(src) {
		if len(words) > 0 {
			f := &frame{up: up, kind: besideUnparsed}
			w.command(words, nil, clip(strings.Join(words, " "), maxText), "", f, sh)
		}
	}
}

// splitCommands cuts a text into commands and words with the simplest of rules.
func splitCommands(src string) [][]string {
	var commands [][]string
	var words []string
	var word strings.Builder
	var quote byte
	started := false
	flush := func(end bool) {
		if started {
			words = append(words, word.String())
			word.Reset()
			started = false
		}
		if end {
			commands = append(commands, words)
			words = nil
		}
	}
	for i := 0; i < len(src) && len(commands) < maxSteps; i++ {
		c := src[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, started = c, true
		case c == '\\' && i+1 < len(src) && src[i+1] != ' ':
			word.WriteByte(c)
			started = true
		case c == ' ' || c == '\t' || c == '\r':
			flush(false)
		case c == '\n' || c == ';' || c == '|' || c == '&':
			flush(true)
		default:
			word.WriteByte(c)
			started = true
		}
	}
	flush(true)
	return commands
}

// base is the last element of a path, for program and script names.
func base(s string) string { return path.Base(strings.ReplaceAll(s, `\`, "/")) }
