package command

// BenignExit reports whether a non-zero exit code of the line is no failure,
// and why. It speaks only of steps whose exit code can be the line's, and not
// at all when another of them may have failed instead.
func BenignExit(l *Line, code int) (bool, string) {
	if l == nil || code == 0 {
		return false, ""
	}
	if code == 141 && l.pipes {
		return true, "a filter closed the pipe (SIGPIPE)"
	}
	why := ""
	for i := range l.Steps {
		s := &l.Steps[i]
		if !s.decide {
			continue
		}
		reason := s.benign(code)
		switch {
		case reason != "":
			why = reason
		case s.quiet():
		default:
			return false, ""
		}
	}
	return why != "", why
}

// benign is why an exit code of this step is no failure, "" when it is one.
func (s *Step) benign(code int) string {
	switch code {
	case 124, 137, 143, 130, 144:
		return s.ended()
	case 1:
		if why := oneIsAnswer[s.Name]; why != "" {
			return why
		}
	}
	for _, b := range benignCodes {
		if b.code == code && b.name == s.Name && (b.flag == "" || mentions(s.Args, b.flag)) {
			return b.why
		}
	}
	return ""
}

// ended explains a kill of something that never ends by itself.
func (s *Step) ended() string {
	switch {
	case !s.LongRunning:
		return ""
	case s.timed:
		return "timeout ended it on purpose: it does not end by itself"
	default:
		return "it does not end by itself: being killed is its normal end"
	}
}

// oneIsAnswer are the programs whose exit code 1 is an answer.
var oneIsAnswer = map[string]string{
	"grep": "no match", "rg": "no match", "ag": "no match", "ack": "no match", "findstr": "no match",
	"diff": "the files differ", "cmp": "the files differ", "comm": "the files differ",
	"test": "the condition is false", "[": "the condition is false", "[[": "the condition is false",
	"pgrep": "no such process", "pkill": "no such process", "killall": "no such process", "kill": "no such process",
	"which": "no such program", "command": "no such program", "type": "no such program", "where": "no such program", "hash": "no such program", "whereis": "no such program",
	"lsof": "nothing open", "find": "a directory could not be read", "ls": "the path is not there", "fd": "no match", "expr": "the value is null", "ping": "no answer", "nc": "no answer",
	"false": "it is what false does",
}

// benignCodes are other codes that are answers, some only with a flag.
var benignCodes = []struct {
	name string
	code int
	flag string
	why  string
}{
	{"git", 1, "diff", "there are differences"},
	{"git", 1, "grep", "no match"},
	{"git", 1, "check-ignore", "not ignored"},
	{"git", 1, "merge-base", "no ancestor"},
	{"git", 1, "config", "not set"},
	{"git", 1, "rev-parse", "no such revision"},
	{"git", 128, "rev-parse", "no such revision"},
	{"git", 1, "show-ref", "no such reference"},
	{"git", 2, "ls-remote", "no such reference"},
	{"pytest", 5, "", "no tests were collected"},
	{"ls", 2, "", "the path is not there"},
	{"curl", 22, "", "the server answered with an error status: a probe"},
	{"curl", 7, "", "nothing listens there: a probe"},
	{"curl", 28, "", "no answer in time: a probe"},
	{"wget", 8, "", "the server answered with an error status: a probe"},
	{"systemctl", 3, "", "the unit is not active"},
	{"systemctl", 4, "", "no such unit"},
	{"terraform", 2, "-detailed-exitcode", "the plan has changes"},
	{"gh", 8, "checks", "checks are pending"},
	{"gh", 1, "checks", "a check failed or there are none"},
	{"kubectl", 1, "diff", "there are differences"},
	{"pg_isready", 2, "", "no answer"},
	{"pg_isready", 1, "", "the server rejects connections"},
	{"jq", 1, "-e", "the value is null or false"},
	{"jq", 4, "-e", "there is no value"},
	{"npm", 1, "outdated", "there are outdated packages"},
	{"npm", 1, "audit", "there are advisories"},
	{"npm", 1, "ls", "the tree has problems"},
	{"dpkg", 1, "", "not installed"},
	{"pip", 1, "show", "not installed"},
	{"dig", 9, "", "no answer"},
	{"nc", 1, "", "nothing listens there"},
}

// mentions reports whether one of the arguments is a word.
func mentions(args []string, word string) bool {
	for _, a := range args {
		if a == word || len(a) > len(word) && a[:len(word)] == word && a[len(word)] == '=' {
			return true
		}
	}
	return false
}
