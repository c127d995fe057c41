package command

import (
	"slices"
	"strings"
)

// scriptRunners are the package managers whose "run NAME" runs a script of the
// project, and whose test and start are short for it.
var scriptRunners = map[string]bool{"npm": true, "pnpm": true, "yarn": true, "bun": true, "cnpm": true}

// ownActions are what yarn, pnpm and bun do themselves, so that the word is no
// script of the project.
const ownActions = "install add remove up upgrade update i ci init create dlx exec x why info list ls outdated publish pack link unlink config cache" +
	" audit workspace workspaces plugin set version login logout whoami store prune rebuild import patch licenses dedupe npm node env bin root import pm global constraints uninstall view help setup --version"

// readRunner reads npm test, yarn build, pnpm --filter x run lint and so on.
func readRunner(s *Step) bool {
	if !scriptRunners[s.Name] {
		return false
	}
	a := actionOf(s)
	if s.Name == "bun" && hasFlag(s.Args[:min(1, len(s.Args))], "e", "eval", "p", "print") {
		return false
	}
	at := 0
	for at < a.n && (flags("recursive multi").has(a.words[at]) && s.Name == "pnpm") {
		at++
	}
	workspace := ""
	if s.Name == "yarn" && a.n > 2 && a.words[0] == "workspace" {
		workspace, at = a.words[1], 2
	}
	if at >= a.n {
		if s.Name == "yarn" && a.n == 0 && !(len(s.Args) > 0 && isHelp(s.Args[0])) {
			s.Class = Install // yarn alone installs
			plainKey(s)
			return true
		}
		return false
	}
	run := a.words[at] == "run" || a.words[at] == "run-script" || a.words[at] == "rum"
	if run {
		at++
		if at >= a.n {
			s.NoRun = true // "npm run" lists the scripts
			plainKey(s)
			return true
		}
	} else if !runsByName(s.Name, a.words[at]) {
		return false
	}
	script := a.words[at]
	if s.Name == "bun" && strings.ContainsAny(script, "./") {
		return readProgram(s, script, s.Args[a.after[at]:], Interpreter)
	}
	readNamed(s, "script", script, s.Args[a.after[at]:])
	if a.dir != "" {
		s.Dir = joinDir(s.Dir, a.dir)
	}
	if workspace == "" {
		workspace = flagValue(s.Args[:a.after[at]], workspaceFlags(s.Name)...)
		if workspace == "" && s.Name == "npm" {
			workspace = flagValue(untilDashes(s.Args), "w", "workspace")
		}
	}
	if workspace != "" && s.Class.Check() {
		s.narrowed("workspace", workspace)
		s.Scope = ScopePart
		s.finishKey()
	}
	return true
}

// workspaceFlags name the workspace that a script is run in. pnpm's -w has no
// value: it is the root.
func workspaceFlags(manager string) []string {
	if manager == "pnpm" {
		return []string{"filter", "F"}
	}
	return []string{"filter", "F", "w", "workspace"}
}

// untilDashes are the arguments before a "--".
func untilDashes(args []string) []string {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i]
	}
	return args
}

func runsByName(manager, word string) bool {
	switch manager {
	case "npm", "cnpm":
		return word == "test" || word == "t" || word == "tst" || word == "start" || word == "stop" || word == "restart"
	case "bun":
		return word != "test" && word != "build" && word != "run" && !flags(ownActions).has(word) && taskClass(word, Other) != Other
	}
	return !flags(ownActions).has(word)
}

// scriptArgs reads what is passed on to a script; it may be of any runner.
var scriptArgs = spec{args: argsPaths, narrow: jestNarrow + " testNamePattern k", only: jestOnly, values: jestValues, norun: "listTests list help collect-only dry-run", long: "watch watchAll"}

// readNamed reads a task that is known by its name alone.
func readNamed(s *Step, family, task string, args []string) {
	if task == "t" || task == "tst" {
		task = "test"
	}
	s.Class = taskClass(task, Other)
	s.family = family + " " + task
	if s.Class == Server {
		s.LongRunning = true
	}
	if !s.Class.Check() && s.Class != Format {
		plainKey(s)
		s.Key = strings.TrimSpace(s.family + " " + strings.Join(args, " "))
		return
	}
	if taskWatches(task) {
		s.LongRunning = true
	}
	readCheck(s, &scriptArgs, args)
	if narrowTask(task) || s.Scope == ScopeWhole && !plainTask(task) {
		s.Scope = ScopeUnknown
	}
	s.finishKey()
}

// plainTask reports whether a task's name promises the whole of its kind.
func plainTask(task string) bool {
	switch task {
	case "test", "tests", "build", "lint", "typecheck", "type-check", "check-types", "check", "test:all", "test-all", "tests:all", "all", "build:all":
		return true
	}
	return false
}

// narrowTask reports whether a task's name says that it is a part: test:unit.
func narrowTask(task string) bool {
	return strings.ContainsAny(task, ":-_/") && !plainTask(task)
}

func taskWatches(task string) bool {
	return strings.Contains(task, "watch") || strings.HasSuffix(task, ":dev") || strings.HasSuffix(task, ":ui")
}

// taskWords give the class of a task by the words of its name. The first word
// that is listed decides; test-like words anywhere win over build-like ones.
var taskWords = map[string]Class{
	"test": Test, "tests": Test, "testing": Test, "unit": Test, "e2e": Test, "spec": Test, "specs": Test, "pytest": Test, "jest": Test, "vitest": Test,
	"integrationtest": Test, "check-test": Test, "unittest": Test, "unittests": Test, "coverage": Test, "cov": Test, "cypress": Test, "playwright": Test, "verify": Test,
	"build": Build, "compile": Build, "bundle": Build, "dist": Build, "assemble": Build, "bin": Build, "binary": Build, "rebuild": Build,
	"lint": Lint, "eslint": Lint, "check": Lint, "ruff": Lint, "vet": Lint, "clippy": Lint, "quality": Lint, "stylelint": Lint, "linter": Lint, "linting": Lint, "validate": Lint, "precommit": Lint, "oxlint": Lint,
	"typecheck": TypeCheck, "types": TypeCheck, "tsc": TypeCheck, "mypy": TypeCheck, "pyright": TypeCheck, "typescript": TypeCheck,
	"format": Format, "fmt": Format, "prettier": Format,
	"dev": Server, "start": Server, "serve": Server, "server": Server, "preview": Server, "watch": Server, "storybook": Server,
	"deploy": Deploy, "publish": Publish, "release": Publish, "migrate": Migrate, "migration": Migrate,
	"clean": Remove, "install": Install, "deps": Install, "setup": Install, "bootstrap": Install,
}

// exact are task names that their words would misplace.
var exactTasks = map[string]Class{
	"type-check": TypeCheck, "check-types": TypeCheck, "check:types": TypeCheck, "types:check": TypeCheck, "type:check": TypeCheck, "lint:types": TypeCheck,
	"format:check": Lint, "check-format": Lint, "fmt:check": Lint, "fmt-check": Lint, "format-check": Lint, "prettier:check": Lint, "db:migrate": Migrate, "db:push": Migrate,
	"lint:fix": Lint, "check:fix": Lint, "check-all": Lint, "test:watch": Test, "clean:build": Remove, "build-storybook": Build, "build:storybook": Build, "docker-build": Build,
	"build:watch": Build, "verify": Test, "ci": Test, "db:test:prepare": Migrate, "db:setup": Migrate, "db:seed": Other, "prebuild": Build, "pretest": Other, "clean-test": Remove, "test-deps": Install, "install-test": Other,
	"test-server": Server, "test:server": Server, "release:dry": Other,
}

// taskClass is the class of a task by its name, or what it is otherwise.
func taskClass(task string, otherwise Class) Class {
	task = strings.ToLower(task)
	if c, ok := exactTasks[task]; ok {
		return c
	}
	best := otherwise
	for word := range strings.FieldsFuncSeq(task, func(r rune) bool { return strings.ContainsRune(":-_./@ ", r) }) {
		c, ok := taskWords[word]
		if !ok {
			continue
		}
		switch {
		case c == Remove || c == Install:
			if best == otherwise {
				return c
			}
		case c == Test:
			return Test
		case best == otherwise:
			best = c
		}
	}
	return best
}

// readTasks reads build tools whose words are names of tasks: make test,
// gradle :app:test, mvn verify.
func readTasks(s *Step, sp *spec, args []string) {
	own := *sp
	own.narrow, own.only = taskNarrow[s.Name], ""
	own.values += " " + taskValues[s.Name]
	var tasks []string
	for _, w := range readFlags(s, &own, args) {
		if isAssignment(w) {
			s.config += " " + w
			continue
		}
		tasks = append(tasks, w)
	}
	otherwise := sp.class
	if len(tasks) == 0 {
		s.Class, s.Scope = otherwise, ScopeUnknown
		if s.Name == "make" || s.Name == "ninja" {
			s.Scope = ScopeWhole
		}
		return
	}
	s.Class = strongest(s.Name, tasks, otherwise)
	s.Scope = ScopeUnknown
	tasks = withoutClean(tasks)
	switch {
	case s.Selector != "":
		s.Scope = ScopePart
	case len(tasks) == 1 && plainTask(strings.ToLower(tasks[0])) || s.Name == "mvn" && len(tasks) > 0:
		s.Scope = ScopeWhole
	case strings.Contains(tasks[0], ":") && s.Name == "gradle":
		s.Scope = ScopePart
	}
	if s.Class == Server {
		s.LongRunning = true
	}
	s.Targets = tasks
	if s.Scope == ScopeWhole {
		s.family += " " + strings.Join(s.Targets, " ")
		s.Targets = nil
	}
}

func withoutClean(tasks []string) []string {
	kept := slices.DeleteFunc(slices.Clone(tasks), func(t string) bool { return t == "clean" })
	if len(kept) == 0 {
		return tasks
	}
	return kept
}

// taskNarrow are the flags that narrow the tests of a build tool.
var taskNarrow = map[string]string{
	"gradle": "tests x exclude-task", "mvn": "Dtest Dit.test pl projects rf DskipTests", "xcodebuild": "only-testing skip-testing", "nx": "projects p", "turbo": "filter F", "bazel": "test_filter", "sbt": "",
	"rake": "", "lerna": "scope ignore",
}

var taskValues = map[string]string{
	"gradle": "p project-dir b c I init-script g console max-workers", "mvn": "f file P s T gs l", "xcodebuild": "scheme project workspace destination configuration sdk derivedDataPath resultBundlePath", "turbo": "concurrency cwd",
	"nx": "t target targets parallel", "mise": "C cd", "lerna": "concurrency", "make": "C f j", "just": "f d", "task": "d t", "rake": "f", "invoke": "c",
}

// strongest is the class of several tasks together: tests before builds.
func strongest(tool string, tasks []string, otherwise Class) Class {
	best := Other
	for _, t := range tasks {
		c := toolTask(tool, t)
		if c == Test {
			return Test
		}
		if c != Other && (best == Other || best == Remove || best == Install) {
			best = c
		}
	}
	if best == Other && (tool == "make" || tool == "ninja" || tool == "gradle" || tool == "mvn") {
		if tool == "make" && len(tasks) > 0 && !buildsByName(tasks[0]) {
			return Other
		}
		return otherwise
	}
	return best
}

// buildsByName reports whether a make target looks like a file or a product.
func buildsByName(target string) bool {
	return target == "all" || strings.ContainsAny(target, "./") || strings.HasPrefix(target, "-")
}

// toolTask is the class of one task in the words of its tool.
func toolTask(tool, task string) Class {
	last := task[strings.LastIndexByte(task, ':')+1:]
	switch tool {
	case "mvn":
		switch last {
		case "test", "verify", "integration-test":
			return Test
		case "install", "package", "compile", "test-compile":
			return Build
		case "deploy":
			return Publish
		case "run":
			return Server
		}
		if strings.Contains(task, "checkstyle") || strings.Contains(task, "spotless") || strings.Contains(task, "spotbugs") {
			return Lint
		}
		return Other
	case "gradle":
		lower := strings.ToLower(last)
		switch {
		case lower == "check" || strings.HasPrefix(lower, "test") || strings.HasSuffix(lower, "test") || strings.HasSuffix(lower, "tests"):
			return Test
		case lower == "bootrun" || lower == "run":
			return Server
		case strings.HasPrefix(lower, "publish"):
			return Publish
		case strings.HasPrefix(lower, "compile") || strings.HasPrefix(lower, "assemble") || strings.HasPrefix(lower, "build") || strings.HasPrefix(lower, "bundle") || strings.HasSuffix(lower, "jar"):
			return Build
		case strings.HasPrefix(lower, "lint") || strings.HasPrefix(lower, "ktlint") || lower == "detekt" || strings.HasPrefix(lower, "spotless"):
			return Lint
		case lower == "clean":
			return Remove
		}
		return Other
	case "make", "ninja":
		if last == "check" {
			return Test
		}
	case "sbt":
		last, _, _ = strings.Cut(task, " ")
		if strings.HasPrefix(strings.ToLower(last[strings.LastIndexByte(last, '/')+1:]), "test") {
			return Test
		}
	case "rails", "rake":
		switch {
		case strings.HasPrefix(task, "db:migrate") || task == "db:rollback" || task == "db:reset" || task == "db:drop":
			return Migrate
		case task == "spec" || task == "test":
			return Test
		case task == "s" || task == "server":
			return Server
		}
	case "zig":
		if task == "test" {
			return Test
		}
		return Build
	}
	return taskClass(task, Other)
}

// readManage reads Django's and Laravel's own scripts.
func readManage(s *Step) bool {
	rest := s.Args
	switch {
	case s.Name == "python" && len(rest) > 1 && base(rest[0]) == "manage.py":
		rest = rest[1:]
	case base(s.Name) == "manage.py" || s.Name == "django-admin":
	case s.Name == "php" && len(rest) > 1 && base(rest[0]) == "artisan":
		s.Name, s.Args = "artisan", rest[1:]
		return false
	default:
		return false
	}
	if len(rest) == 0 {
		return false
	}
	s.family = "manage.py " + rest[0]
	switch rest[0] {
	case "test":
		s.Class = Test
		readCheck(s, &spec{args: argsPaths, narrow: "tag exclude-tag k", values: "settings v verbosity parallel p t"}, rest[1:])
		s.finishKey()
		return true
	case "migrate":
		s.Class = Migrate
		s.NoRun = hasFlag(rest, "plan", "check", "help")
	case "runserver":
		s.Class, s.LongRunning = Server, true
	case "check":
		s.Class, s.Scope = Lint, ScopeWhole
	}
	s.Key = s.family + " " + strings.Join(rest[1:], " ")
	return true
}

// readScript reads a program that is a file of the project: ./run_tests.sh,
// python scripts/test_api.py, node e2e.js.
func readScript(s *Step) bool {
	if strings.Contains(s.Name, "/") || strings.HasSuffix(s.Name, ".sh") || strings.HasSuffix(s.Name, ".py") {
		if base(s.Name) == "manage.py" {
			return false
		}
		return readProgram(s, s.Name, s.Args, Other)
	}
	switch s.Name {
	case "python", "node", "ruby", "perl", "php", "tsx", "ts-node", "bun", "deno", "Rscript", "lua":
	default:
		return false
	}
	at := 0
	if (s.Name == "deno" || s.Name == "bun" || s.Name == "tsx") && len(s.Args) > 0 && (s.Args[0] == "run" || s.Args[0] == "watch") {
		s.LongRunning = s.Args[0] == "watch"
		at = 1
	}
	for ; at < len(s.Args); at++ {
		a := s.Args[at]
		switch {
		case a == "--check" || a == "-c" && s.Name == "node":
			s.NoRun = true // only the grammar is looked at
		case a == "-c" || a == "-e" || a == "-m" || a == "-p" || a == "-" || strings.HasPrefix(a, "--test") || a == "-S" || a == "--eval":
			return false
		case a == "-r" || a == "--require" || a == "--import" || a == "-W" || a == "-X" || a == "--loader" || a == "-I":
			at++
		case strings.HasPrefix(a, "-"):
		case strings.Contains(a, ".") || strings.Contains(a, "/"):
			if base(a) == "manage.py" || base(a) == "artisan" {
				return false
			}
			return readProgram(s, a, s.Args[at+1:], Interpreter)
		default:
			return false
		}
	}
	return false
}

// testByName reports whether a file name has a word of tests in it.
func testByName(stem string) bool {
	return anyWord(stem, []string{"test", "tests", "e2e", "spec", "specs", "pytest", "unittest", "unittests", "testing", "runtests", "runtest", "testsuite"})
}

// readProgram classes a script by its name. What such a script covers, nobody
// can say.
func readProgram(s *Step, file string, args []string, otherwise Class) bool {
	name := base(file)
	stem := name
	if i := strings.IndexByte(name, '.'); i > 0 {
		stem = name[:i]
		if strings.Contains(name, ".test.") || strings.Contains(name, ".spec.") {
			stem = "test"
		}
	}
	c := taskClass(stem, otherwise)
	if c == otherwise && testByName(stem) {
		c = Test
	}
	switch c {
	case Test:
		if !testByName(stem) {
			c = otherwise
		}
	case Remove, Install, Server, Format, Migrate, Publish, Lint:
		if otherwise == Interpreter && c != Server && c != Migrate && c != Publish && c != Lint {
			c = otherwise
		}
	}
	s.Class = c
	s.family = strings.TrimPrefix(file, "./")
	s.Targets = []string{file}
	s.Key = strings.TrimSpace(s.family + " " + strings.Join(args, " "))
	s.LongRunning = s.LongRunning || c == Server
	if len(args) > 0 && hasFlag(args, "help", "h", "version", "dry-run", "list", "collect-only") {
		s.NoRun = true
	}
	if (c == Other || c == Interpreter) && s.timed && s.limit > 0 && s.limit <= briefLimit {
		s.LongRunning = true
	}
	return true
}
