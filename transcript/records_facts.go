package transcript

import (
	"strconv"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// facts are the typed facts about how a call ended, as told by the fields of a
// record and of its "termination".
type facts struct {
	told           []Told
	kind           TermKind
	kindWord       string
	status         string
	code           int
	signal         string
	timedOut       bool
	failed         Flag // an error flag
	success        Flag
	rerun          Flag
	duration       time.Duration
	limit          time.Duration
	hasCode        bool
	process        bool // a fact about the process itself: kind, code, signal or time limit
	hasTermination bool
}

func (f *facts) tell(field, value string, good Flag) {
	f.told = append(f.told, Told{Field: field, Value: Keep(value, 120), Good: good})
}

// read takes the facts among the members of an object. null says nothing.
func (f *facts) read(v jsonl.Value) {
	for key, m := range v.Members() {
		if m.Kind() != jsonl.Null {
			f.field(normalName(key), m)
		}
	}
}

func (f *facts) field(name string, v jsonl.Value) {
	switch name {
	case "termination", "terminated", "exit_status", "end":
		switch {
		case v.Kind() == jsonl.Object && !f.hasTermination:
			f.hasTermination = true
			f.read(v)
		case v.Kind() == jsonl.String:
			f.setKind(v.Str())
		case name == "exit_status":
			f.setCode(v)
		}
	case "kind":
		if f.hasTermination {
			f.setKind(v.Str())
		}
	case "termination_kind", "term_kind", "exit_kind":
		f.setKind(v.Str())
	case "status", "outcome":
		f.setStatus(v.Str())
	case "exit_code", "return_code", "returncode", "rc":
		f.setCode(v)
	case "signal_name", "signal", "term_signal", "killed_by":
		f.setSignal(v)
	case "timed_out", "is_timeout", "timedout":
		if b, ok := v.Bool(); ok {
			f.process, f.timedOut = true, b
			f.tell("timed_out", strconv.FormatBool(b), falseIf(b))
		}
	case "timeout":
		if b, ok := v.Bool(); ok {
			f.process, f.timedOut = true, b
			f.tell("timeout", strconv.FormatBool(b), falseIf(b))
		}
	case "success", "succeeded", "ok", "confirmed", "verified", "is_error", "error", "must_rerun":
		f.flag(name, v)
	case "duration_ms", "elapsed_ms":
		f.duration = millis(v)
	case "duration_s", "duration_sec", "duration_seconds", "elapsed_s":
		f.duration = 1000 * millis(v)
	case "limit_ms", "timeout_ms":
		f.limit = millis(v)
	case "limit_s", "timeout_s", "timeout_sec", "timeout_seconds":
		f.limit = 1000 * millis(v)
	}
}

func falseIf(b bool) Flag {
	if b {
		return False
	}
	return Unset
}

func (f *facts) setKind(word string) {
	if word == "" {
		return
	}
	k, known := ParseTermKind(word)
	good := Unset
	switch k {
	case TermOK:
		if good = True; vague[normalName(word)] {
			good, k = Unset, TermUnknown
		}
	case TermNonzero, TermTimeout, TermSignalled, TermInterrupted, TermDenied, TermNotStarted:
		good = False
	}
	f.kind, f.kindWord = k, word
	f.process = f.process || known && normalName(word) != "unknown"
	f.tell("kind", word, good)
}

// vague words say that a call is over, not how it ended.
var vague = map[string]bool{"completed": true, "complete": true, "exited": true, "finished": true, "done": true, "ended": true}

func (f *facts) setStatus(word string) {
	if word == "" {
		return
	}
	f.status = word
	good := Unset
	switch k := statusKind(word); k {
	case TermOK:
		good = True
	case TermNonzero, TermTimeout, TermSignalled, TermInterrupted, TermDenied, TermNotStarted:
		good = False
	}
	f.tell("status", word, good)
}

// statusKind is the end that a status word tells. Incomplete is neither: it is
// known not to be a success, and no more.
func statusKind(word string) TermKind {
	word = normalName(word)
	if vague[word] {
		return TermUnknown
	}
	switch word {
	case "failed_or_incomplete", "incomplete", "failed_incomplete", "unfinished":
		return TermNonzero
	case "passed", "pass":
		return TermOK
	}
	k, _ := ParseTermKind(word)
	return k
}

func (f *facts) setCode(v jsonl.Value) {
	n, ok := v.Int()
	if s := v.Str(); s != "" {
		var err error
		n, err = strconv.ParseInt(s, 10, 32)
		ok = err == nil
	}
	if ok {
		f.code, f.hasCode, f.process = int(n), true, true
		f.tell("exit_code", strconv.FormatInt(n, 10), FlagOf(n == 0))
	}
}

func (f *facts) setSignal(v jsonl.Value) {
	s := v.Str()
	if n, ok := v.Int(); ok && n > 0 {
		if s = signalName(int(n)); s == "" {
			s = "signal " + strconv.FormatInt(n, 10)
		}
	}
	if s != "" {
		f.signal, f.process = s, true
		f.tell("signal_name", s, False)
	}
}

func (f *facts) flag(name string, v jsonl.Value) {
	b, ok := v.Bool()
	value := strconv.FormatBool(b)
	if s := v.Str(); name == "error" && s != "" {
		b, ok, value = true, true, s
	}
	if !ok {
		return
	}
	good := FlagOf(b)
	switch name {
	case "success", "succeeded", "ok":
		f.success = good
	case "confirmed", "verified":
		if !b {
			good = Unset
		}
	case "is_error", "error":
		f.failed, good = FlagOf(b), FlagOf(!b)
	case "must_rerun":
		f.rerun, good = FlagOf(b), FlagOf(!b)
	}
	f.tell(name, value, good)
}

// termination decides between the facts. Where they disagree the worse one
// counts, and the disagreement stays visible in what was told.
func (f *facts) termination() Termination {
	t := Termination{Code: f.code, HasCode: f.hasCode, Signal: f.signal, TimedOut: f.timedOut, Source: FromField}
	byCode := OfCode(f.code)
	if sig := signalName(-f.code); f.hasCode && f.code < -1 && sig != "" {
		byCode.Kind, byCode.Signal = TermSignalled, sig // as Python tells a signal
	}
	status := statusKind(f.status)
	switch {
	case f.timedOut, f.kind == TermTimeout, f.kind == TermUnknown && status == TermTimeout, f.hitLimit():
		t.Kind, t.TimedOut, t.Limit = TermTimeout, f.timedOut, f.limit
	case f.kind > TermTimeout:
		t.Kind = f.kind
	case f.signal != "":
		t.Kind = TermSignalled
	case f.kind == TermUnknown && status > TermTimeout:
		t.Kind = status
	case f.hasCode && f.code != 0:
		t.Kind = byCode.Kind
	case f.kind == TermNonzero, status == TermNonzero, f.success == False, f.failed == True:
		t.Kind = TermNonzero
	case f.kind == TermOK, f.hasCode, f.success == True, status == TermOK:
		t.Kind = TermOK
	default:
		return Termination{}
	}
	if t.Signal == "" && (t.Kind == TermSignalled || t.Kind == TermTimeout) {
		t.Signal = byCode.Signal
	}
	t.Quote = f.quote()
	return t
}

// heard takes what the harness wrote in front of the output of a run that
// failed: a limit that ended it, whatever the flag for that says.
func (f *facts) heard(head string) {
	if !f.hasCode || f.code == 0 || f.timedOut {
		return
	}
	limit, quote, ok := timeoutAt(head)
	if !ok {
		return
	}
	for i, t := range f.told {
		if (t.Field == "timeout" || t.Field == "timed_out") && t.Value == "false" {
			f.told[i].Good = True
		}
	}
	f.tell("output", quote, False)
	f.timedOut, f.limit = true, limit
}

// hitLimit reports whether the code of a kill stands beside a limit that the
// run reached.
func (f *facts) hitLimit() bool {
	return f.hasCode && (f.code == 124 || f.code == 137 || f.code == 143) && f.limit > 0 && f.duration >= f.limit
}

func (f *facts) quote() string {
	parts := make([]string, 0, len(f.told))
	for _, t := range f.told {
		parts = append(parts, t.Field+": "+t.Value)
	}
	return Keep(strings.Join(parts, ", "), 120)
}
