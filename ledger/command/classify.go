package command

import (
	"slices"
	"strings"
)

// wrapperOf finds the table entry for a program that runs the rest of its
// arguments, nil when it is a command of its own.
func wrapperOf(program string, rest []string) *wrapper {
	entries := wrappers[program]
	if program == "command" && len(rest) > 0 && (rest[0] == "-v" || rest[0] == "-V") {
		return nil
	}
	for i := range entries {
		n := &entries[i]
		if len(rest) >= len(n.sub) && slices.Equal(rest[:len(n.sub)], n.sub) {
			return n
		}
	}
	return nil
}

// action splits arguments into the words that name an action and the place
// after them, stepping over the program's global flags.
type action struct {
	words [3]string
	after [3]int // index in Args behind each word
	n     int
	dir   string
}

func actionOf(s *Step) action {
	var a action
	g := globals[s.Name]
	for i := 0; i < len(s.Args) && a.n < len(a.words); i++ {
		arg := s.Args[i]
		if strings.HasPrefix(arg, "+") && a.n == 0 { // cargo +nightly
			continue
		}
		if !strings.HasPrefix(arg, "-") {
			a.words[a.n], a.after[a.n] = arg, i+1
			a.n++
			continue
		}
		if !flags(g.values).has(arg) {
			continue
		}
		value := ""
		if _, v, ok := strings.Cut(arg, "="); ok {
			value = v
		} else if i+1 < len(s.Args) && !bareJobs(arg, s.Args[i+1]) {
			i++
			value = s.Args[i]
		}
		if flags(g.dirs).has(arg) {
			a.dir = value
		}
	}
	return a
}

// lookup finds the entry with the most action words for a program.
func lookup[T any](table map[string]T, program string, a *action) (entry T, words int, ok bool) {
	var buf [96]byte
	key := append(buf[:0], program...)
	entry, ok = table[string(key)]
	for i := range a.n {
		key = append(append(key, ' '), a.words[i]...)
		if len(key) > 80 {
			break
		}
		if e, found := table[string(key)]; found {
			entry, words, ok = e, i+1, true
		}
	}
	return entry, words, ok
}

func specOf(s *Step) *spec {
	a := actionOf(s)
	sp, _, ok := lookup(specs, s.Name, &a)
	if !ok {
		return nil
	}
	return &sp
}

// classify fills in what a step is.
func classify(s *Step) {
	s.Key = s.Name
	if readScript(s) || readRunner(s) || readManage(s) {
		return
	}
	a := actionOf(s)
	if a.dir != "" {
		s.Dir = joinDir(s.Dir, a.dir)
	}
	sp, words, ok := lookup(specs, s.Name, &a)
	if !ok {
		plainKey(s)
		return
	}
	s.Class = sp.class
	s.family = s.Name
	rest := s.Args
	if words > 0 {
		rest = s.Args[a.after[words-1]:]
		s.family = s.Name + " " + strings.Join(a.words[:words], " ")
		if before := s.Args[:a.after[words-1]]; len(before) > words {
			readFlags(s, &sp, before)
		}
	}
	if sp.family != "" {
		s.family = sp.family
	}
	s.LongRunning = s.LongRunning || sp.server
	special(s)
	if !s.Class.Check() && sp.args != argsTasks {
		readPlain(s, &sp)
		return
	}
	if sp.args == argsTasks {
		readTasks(s, &sp, rest)
	} else {
		readCheck(s, &sp, rest)
	}
	s.NoRun = s.NoRun || sp.inert
	s.finishKey()
}

func plainKey(s *Step) {
	if s.family == "" {
		s.family = s.Name
	}
	s.Key = strings.TrimSpace(s.Name + " " + strings.Join(s.Args, " "))
	if len(s.Args) == 1 && isHelp(s.Args[0]) {
		s.NoRun = true
	}
	if s.timed && s.Class == Other && s.limit > 0 && s.limit <= briefLimit {
		s.LongRunning = true // timeout 5 ./server: it was to be ended
	}
}

// readPlain reads a command that checks nothing.
func readPlain(s *Step, sp *spec) {
	plainKey(s)
	for _, a := range s.Args {
		if a == "--" {
			break
		}
		if !strings.HasPrefix(a, "-") {
			continue
		}
		if sp.long != "" && flags(sp.long).has(a) || a == "--watch" {
			s.LongRunning = true
		}
		if isHelp(a) || a == "--dry-run" || sp.norun != "" && flags(sp.norun).has(a) {
			s.NoRun = true
		}
	}
	switch {
	case s.Name == "tail" && len(s.Args) > 0 && strings.HasPrefix(s.Args[0], "-f"):
		s.LongRunning = true
	case s.Name == "node" && slices.ContainsFunc(s.Args, func(a string) bool { return a == "--test" || strings.HasPrefix(a, "--test=") }):
		s.Class, s.Scope = Test, ScopeUnknown
		s.family = "node --test"
		readCheck(s, &spec{args: argsPaths, narrow: "test-name-pattern test-only", values: "test-reporter import require r loader experimental-loader test-concurrency test-timeout"}, s.Args)
		s.finishKey()
	case s.Name == "docker" && s.Class == Server && hasFlag(s.Args, "d", "detach"), s.Name == "docker-compose" && s.Class == Server && hasFlag(s.Args, "d", "detach"):
		s.LongRunning = false
	case s.Name == "cmake" && hasFlag(s.Args, "build"):
		s.Class, s.Scope = Build, ScopeWhole
		if t := flagValue(s.Args, "target", "t"); t != "" {
			s.Selector, s.Scope = "--target "+t, ScopePart
			s.Class = taskClass(t, Build)
		}
		s.family = "cmake --build"
		s.finishKey()
	case s.Name == "sed" && len(s.Args) > 0 && strings.HasPrefix(s.Args[0], "-i"):
		s.Class = Other
	}
}

// special mends what the tables cannot say.
func special(s *Step) {
	switch s.Name {
	case "go", "gotestsum":
		if s.Class == Test && emptyRun(flagValue(s.Args, "run")) {
			s.NoRun = true // benchmarks or nothing: no test can have run
		}
	case "black", "gofmt", "gofumpt", "prettier":
		if hasFlag(s.Args, "check", "c", "l", "list-different", "d") {
			s.Class = Lint
		}
	case "tsc":
		if !hasFlag(s.Args, "noEmit") && hasFlag(s.Args, "outDir", "b", "build") {
			s.Class = Build
		}
	}
}

func emptyRun(run string) bool {
	switch run {
	case "^$", "NONE", "^NONE$", "XXX", "^XXX$", "xxx", "NoSuchTest":
		return true
	}
	return false
}

func isHelp(a string) bool {
	return a == "--help" || a == "-h" || a == "--version" || a == "-V" || a == "help"
}

// hasFlag reports whether a flag stands among arguments, with or without a value.
func hasFlag(args []string, names ...string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		if !strings.HasPrefix(a, "-") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// flagValue is the value of a flag: --name v or --name=v.
func flagValue(args []string, names ...string) string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !slices.Contains(names, name) {
			continue
		}
		if ok {
			return value
		}
		if i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// readCheck reads the arguments of a check: what narrows it, what it is pointed
// at, what keeps it from checking anything.
func readCheck(s *Step, sp *spec, args []string) {
	targets := readFlags(s, sp, args)
	for _, t := range targets {
		if sp.args == argsNone || sp.args == argsPaths && (t == "." || t == "./") {
			continue
		}
		s.Targets = append(s.Targets, strings.TrimPrefix(t, "./"))
	}
	if sp.args == argsGo {
		goTargets(s, targets)
	}
	switch {
	case s.Selector != "":
		s.Scope = ScopePart
	case sp.args == argsUnknown:
		s.Scope = ScopeUnknown
	case len(s.Targets) == 0 || everything(s.Targets):
		s.Scope = ScopeWhole
	default:
		s.Scope = ScopePart
	}
}

func goTargets(s *Step, targets []string) {
	s.Targets = targets
	if len(targets) == 0 && s.family == "golangci-lint run" {
		return // it looks at everything by itself
	}
	if len(targets) == 0 {
		s.Targets = []string{"."}
	}
}

// everything reports whether targets are the whole of the directory.
func everything(targets []string) bool {
	for _, t := range targets {
		switch t {
		case "./...", "...", "all", "//...", "", "./", "**":
			return true
		}
	}
	return false
}

// readFlags sorts the flags of a check and returns the words between them.
func readFlags(s *Step, sp *spec, args []string) (words []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			continue
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			words = append(words, a)
			continue
		}
		value, own := "", false
		if _, v, ok := strings.Cut(a, "="); ok {
			value, own = v, true
		}
		take := func() {
			if !own && i+1 < len(args) && !bareJobs(a, args[i+1]) {
				i++
				value = args[i]
			}
		}
		if own && value == "false" {
			continue
		}
		switch {
		case isHelp(a) && a != "-h" || flags(sp.norun).has(a):
			s.NoRun = true
		case flags(sp.long).has(a) && value != "false":
			s.LongRunning = true
		case flags(sp.narrow).has(a):
			take()
			s.narrowed(a, value)
		case flags(sp.only).has(a):
			s.narrowed(a, "")
		case flags(sp.config).has(a):
			take()
			s.config += " " + longName(trimFlag(a)) + "=" + value
		case flags(sp.values).has(a):
			take()
		case len(a) > 2 && a[1] != '-' && attached(s.family) && flags(sp.narrow).has(a[:2]): // -kfoo
			s.narrowed(a, "")
		}
	}
	return words
}

// attached reports whether a tool takes -kfoo for -k foo, so that such a word
// must not be passed over.
func attached(family string) bool {
	return family == "pytest" || family == "ctest" || family == "tox" || family == "nox"
}

// bareJobs reports whether a -j stands without its number: make -j test.
func bareJobs(flag, next string) bool {
	return flag == "-j" && (next == "" || next[0] < '0' || next[0] > '9')
}

func trimFlag(a string) string {
	a, _, _ = strings.Cut(strings.TrimLeft(a, "-"), "=")
	return a
}

// longName spells out the short forms of flags that stand in keys.
func longName(flag string) string {
	switch flag {
	case "p":
		return "project"
	case "c":
		return "config"
	case "F":
		return "features"
	}
	return flag
}

// narrowed notes a flag that leaves something out, unless it leaves nothing out.
func (s *Step) narrowed(flag, value string) {
	name := trimFlag(flag)
	if name == "run" && (value == "." || value == ".*" || value == "") {
		return
	}
	if name == "bench" {
		return // benchmarks come on top of the tests
	}
	if s.Selector != "" {
		s.Selector += " "
	}
	s.Selector += "-" + name
	if value != "" {
		s.Selector += " " + value
	}
}

// finishKey makes the equivalence key.
func (s *Step) finishKey() {
	targets := slices.Clone(s.Targets)
	slices.Sort(targets)
	var b strings.Builder
	b.WriteString(s.family)
	b.WriteString(s.config)
	if !(s.Scope == ScopeWhole && everything(targets) || len(targets) == 0) {
		b.WriteByte(' ')
		b.WriteString(strings.Join(targets, " "))
	} else if s.family == "go test" || s.family == "go vet" || s.family == "go build" {
		b.WriteString(" ./...")
	}
	if s.Selector != "" {
		b.WriteByte(' ')
		b.WriteString(s.Selector)
	}
	s.Key = b.String()
}

// quiet reports whether a step hardly ever fails, so that a failure of its line
// is not put down to it.
func (s *Step) quiet() bool {
	if s.scenery() || s.Class == Inspect {
		return true
	}
	switch s.Name {
	case "git":
		return len(s.Args) > 0 && flags("status log add show branch rev-parse remote").has(s.Args[0])
	case "mkdir", "touch", "rm", "cp", "chmod", "ln", "trap", "read", "sleep", "wait":
		return true
	}
	return false
}

// scenery reports whether a step only sets the stage for others.
func (s *Step) scenery() bool {
	switch s.Name {
	case "cd", "echo", "printf", "true", ":", "set", "export", "source", ".", "pushd", "popd", "exit", "return", "unset", "local", "declare",
		"readonly", "typeset", "shopt", "trap", "ulimit", "umask", "alias", "tail", "head", "tee", "eval", "false", "clear", "read", "shift", "break", "continue":
		return true
	}
	return false
}
