package command

import "strings"

// bypassEnv are environment variables that switch checks off.
var bypassEnv = map[string]string{
	"HUSKY": "0", "SKIP": "*", "HUSKY_SKIP_HOOKS": "*", "PRE_COMMIT_ALLOW_NO_CONFIG": "*", "LEFTHOOK": "0", "SKIP_TESTS": "*", "SKIP_CHECKS": "*",
	"SKIP_LINT": "*", "OVERCOMMIT_DISABLE": "1", "GIT_HOOKS_DISABLED": "*", "SKIP_HOOKS": "*",
}

// noteEnv notes checks that are switched off by an environment variable.
func (l *Line) noteEnv(env []string) {
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		want, ok := bypassEnv[name]
		if ok && value != "" && (want == "*" && value != "0" && value != "false" || want == value) {
			l.bypass(e)
		}
	}
}

func (l *Line) bypass(as string) {
	for _, b := range l.Bypass {
		if b == as {
			return
		}
	}
	if as != "" {
		l.Bypass = append(l.Bypass, as)
	}
}

// noteFlags notes checks that a step gets round by a flag.
func (l *Line) noteFlags(s *Step) {
	switch s.Name {
	case "git":
		l.noteGit(s)
	case "export":
		l.noteEnv(s.Args)
	case "mvn", "gradle", "sbt":
		for i, a := range s.Args {
			switch {
			case strings.HasPrefix(a, "-DskipTests"), strings.HasPrefix(a, "-Dmaven.test.skip"), strings.HasPrefix(a, "-DskipITs"):
				if !strings.HasSuffix(a, "=false") {
					l.bypass(a)
				}
			case a == "-x" && i+1 < len(s.Args) && (s.Args[i+1] == "test" || s.Args[i+1] == "check" || s.Args[i+1] == "lint"):
				l.bypass(a + " " + s.Args[i+1])
			}
		}
	case "npm", "yarn", "pnpm":
		if s.Class == Publish && hasFlag(s.Args, "ignore-scripts", "no-git-checks") {
			l.bypass(firstFlag(s.Args, "--ignore-scripts", "--no-git-checks"))
		}
	case "cargo":
		if s.Class == Publish && hasFlag(s.Args, "no-verify") {
			l.bypass("--no-verify")
		}
	case "gh":
		if len(s.Args) > 1 && s.Args[1] == "merge" && hasFlag(s.Args, "admin") {
			l.bypass("--admin")
		}
	}
}

func (l *Line) noteGit(s *Step) {
	a := actionOf(s)
	for i, arg := range s.Args {
		if arg == "-c" && i+1 < len(s.Args) && strings.HasPrefix(strings.ToLower(s.Args[i+1]), "core.hookspath=") {
			l.bypass(s.Args[i+1])
		}
	}
	if a.n == 0 {
		return
	}
	switch a.words[0] {
	case "commit", "push", "merge", "rebase", "am", "cherry-pick":
	default:
		return
	}
	rest := s.Args[a.after[0]:]
	for i, arg := range rest {
		switch {
		case i > 0 && flags("m message F file C c author date").has(rest[i-1]) && strings.HasPrefix(rest[i-1], "-"):
		case arg == "--no-verify", arg == "-n" && a.words[0] == "commit", arg == "-nm" && a.words[0] == "commit":
			l.bypass(arg)
		case a.words[0] == "push" && (arg == "--force" || arg == "-f"):
			l.bypass(arg)
		}
	}
}

func firstFlag(args []string, names ...string) string {
	for _, a := range args {
		for _, n := range names {
			if a == n {
				return a
			}
		}
	}
	return ""
}
