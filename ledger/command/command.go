// Package command reads the shell command lines that agents ran and says what
// they are: a test run or a build, of everything or of a part, whose exit code
// the line really reports, and what it does to the world that cannot be undone.
//
// It never executes or expands anything. When a line does not say plainly what
// it is, the answer is Other, ScopeUnknown or Different: a linter that guesses
// is not read twice.
package command

import (
	"time"
)

// Class is what kind of work a command does.
type Class uint8

// The classes.
const (
	Other       Class = iota // nothing that a rule asks about
	Test                     // go test, pytest, npm test
	Build                    // go build, make, npm run build
	Lint                     // eslint, go vet, ruff check
	TypeCheck                // tsc --noEmit, mypy
	Format                   // gofmt, prettier
	Deploy                   // vercel deploy, flyctl deploy
	VCS                      // git, gh, hg
	Infra                    // terraform, kubectl, helm
	Server                   // a dev server, a watcher, docker compose up
	Search                   // grep, rg, find
	Inspect                  // cat, ls, head, jq
	Install                  // npm ci, pip install
	Migrate                  // alembic upgrade, prisma migrate deploy
	Publish                  // npm publish, docker push
	Wait                     // sleep, wait, gh run watch
	Kill                     // kill, pkill, docker stop
	Probe                    // which, test, curl, systemctl is-active
	Interpreter              // python x.py, node x.js
	Remove                   // rm, rmdir, git clean
)

var classNames = [...]string{
	"other", "test", "build", "lint", "typecheck", "format", "deploy", "vcs", "infra", "server", "search", "inspect",
	"install", "migrate", "publish", "wait", "kill", "probe", "interpreter", "remove",
}

func (c Class) String() string { return name(classNames[:], int(c)) }

// Check reports whether the class is one whose success an agent may claim:
// tests, builds, linters, type checkers.
func (c Class) Check() bool { return c >= Test && c <= TypeCheck }

// Scope is how much of its subject a check covers.
type Scope uint8

// The scopes.
const (
	ScopeUnknown Scope = iota
	ScopeWhole         // everything there is in its directory
	ScopePart          // a package, a file, a case
)

var scopeNames = [...]string{"unknown", "whole", "part"}

func (s Scope) String() string { return name(scopeNames[:], int(s)) }

// Mask is why the exit code of a line is not the exit code of its main step.
type Mask uint8

// The masks.
const (
	MaskNone         Mask = iota
	MaskPipe              // | tail, without pipefail
	MaskOrTrue            // || true, || echo failed
	MaskSemicolon         // ; echo done
	MaskBackground        // &
	MaskNegated           // !
	MaskSetPlusE          // set +e, and something after it
	MaskSubstitution      // echo "$(go test ./...)"
	MaskCondition         // if go test; then ...; while ! make; do
	MaskLoop              // for p in ...; do go test $p; done: only the last round counts
	MaskUnparsed          // the line could not be parsed
)

var maskNames = [...]string{
	"none", "a pipe", "an || fallback", "a later command", "the background", "a negation", "set +e", "a command substitution",
	"a condition", "a loop", "a line that could not be parsed",
}

// String names the mask so that it completes "the exit code is hidden by".
func (m Mask) String() string { return name(maskNames[:], int(m)) }

// A Line is one command line as it was given to a shell tool.
type Line struct {
	Raw            string        // the line, clipped to 2 KiB
	Steps          []Step        // the simple commands in order, wrappers peeled off
	Main           *Step         // what the line was run for, one of Steps; nil without any
	Masked         Mask          // why the line's exit code is not Main's
	Discards       bool          // not all of Main's output can be seen in the result
	Filter         string        // what took the output away: "tail -5", "> /dev/null"
	Echoes         bool          // the line only prints words of its own
	Timeout        time.Duration // the limit that a timeout(1) around Main sets; 0 without or unreadable
	TimeoutWrapper bool          // Main runs under timeout(1)
	Irreversible   []Effect      // what cannot be taken back
	Bypass         []string      // checks that are got round, as spelled: --no-verify, || true
	PrintsExit     bool          // the line prints $? or PIPESTATUS of Main: the result text holds its code
	ParseOK        bool          // false: the shell grammar was not understood, words were read leniently

	pipes bool // a pipe stands somewhere in the line
}

// A Step is one simple command.
type Step struct {
	Name        string   // the program, without its directory and wrappers: "go", "pytest", "npm"
	Args        []string // arguments without their quotes; what is not literal stays as written
	Env         []string // NAME=value before the program
	Dir         string   // the directory that a cd before it, git -C or npm --prefix set; "" for the caller's
	Class       Class
	Key         string   // what is checked, without the flags that do not change it
	Scope       Scope    // how much of it
	Targets     []string // packages, files, scripts
	Selector    string   // the narrowing part as written: "-run TestX", "-k login"
	NoRun       bool     // --collect-only, --help, --dry-run: proves nothing
	LongRunning bool     // a server, a watcher, sleep: being killed is its normal end

	family string        // what the key begins with: steps of different families are never compared
	config string        // flags that change what is checked without narrowing it: -tags=integration
	mask   Mask          // why the line's exit code is not this step's
	decide bool          // a failure of this step can be the line's exit code
	fed    bool          // its arguments come out of a pipe
	timed  bool          // it runs under timeout(1)
	limit  time.Duration // of that timeout
	from   *frame        // where it stands in the line
	text   string        // the command as written, clipped
}

// EffectKind is a way to change the world for good.
type EffectKind uint8

// The kinds of effects. EffectNone is no effect.
const (
	EffectNone EffectKind = iota
	EffectPush
	EffectMerge
	EffectTag
	EffectRelease // a release, or a package in a registry
	EffectDeploy
	EffectApply // terraform apply, kubectl apply, helm upgrade
	EffectDestroy
	EffectMigrate
	EffectDelete // files outside of the work tree, rows of a database
	EffectPay
	EffectSend
	EffectPullRequest // a pull or merge request is opened
)

var effectNames = [...]string{
	"none", "push", "merge", "tag", "release", "deploy", "apply", "destroy", "migrate", "delete", "pay", "send", "pull-request",
}

func (k EffectKind) String() string { return name(effectNames[:], int(k)) }

// An Effect is something that a line does and that cannot be taken back.
type Effect struct {
	Kind      EffectKind
	Text      string // the command as run: "git push origin main"
	Target    string // branch, package, environment; "" when the command does not name one
	Protected bool   // a shared branch or production; also when the target is unspecified
	Force     bool   // --force, -f, --auto-approve
}

// Relation says how one run stands to an earlier one.
type Relation uint8

// The relations. They are read as "b is ... than a".
const (
	Different Relation = iota
	Same
	Wider    // covers all that the earlier run did, and more
	Narrower // covers a part of it
)

var relationNames = [...]string{"different", "same", "wider", "narrower"}

func (r Relation) String() string { return name(relationNames[:], int(r)) }

// Checks are the steps that check something and were really run, in order.
func (l *Line) Checks() []*Step {
	var checks []*Step
	for i := range l.Steps {
		if s := &l.Steps[i]; s.Class.Check() && !s.NoRun {
			checks = append(checks, s)
		}
	}
	return checks
}

// MaskOf is why the line's exit code is not that of one of its steps.
func (l *Line) MaskOf(s *Step) Mask { return s.mask }

// Sole reports whether a non-zero exit code of the line can only be that of s,
// leaving aside steps that hardly ever fail (cd, echo, export).
func (l *Line) Sole(s *Step) bool {
	if s == nil || !s.decide {
		return false
	}
	for i := range l.Steps {
		if o := &l.Steps[i]; o != s && o.decide && !o.quiet() {
			return false
		}
	}
	return true
}

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid"
}
