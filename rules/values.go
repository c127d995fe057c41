package rules

import (
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// shown remembers which values (ids, hashes, long numbers) stand in the texts
// of a session. Where it errs, it only makes a rule silent.
type shown struct{ ledger.Filter }

// event takes in the values of an event's text, or of a call's arguments.
func (f *shown) event(s *ledger.Session, e *transcript.Event) {
	for tokens := range s.Tokens(e) {
		f.take(tokens.Values)
	}
}

// text takes in the values of a text that is not the event's own.
func (f *shown) text(t transcript.Text) {
	for tokens := range ledger.TokensOf(t) {
		f.take(tokens.Values)
	}
}

func (f *shown) take(values []uint64) {
	for _, v := range values {
		f.Add(v)
	}
}

// knows reports whether a value stood in a text.
func (f *shown) knows(v string) bool { return f.Has(ledger.KeyOf([]byte(v))) }

// actsOutside reports whether a call changes something outside: an irreversible
// command, or an outside system that is told to do something.
func actsOutside(c *ledger.Call) bool {
	switch c.Act {
	case transcript.Shell:
		return c.Line != nil && c.Line.ParseOK && len(c.Line.Irreversible) > 0
	case transcript.External:
		return !asking.MatchString(c.Tool)
	}
	return false
}

// asking matches the names of tools that only look.
var asking = regexp.MustCompile(`(?i)(^|_|[a-z])(get|list|search|find|read|fetch|query|view|show|describe|lookup|status|screenshot|snapshot|navigate|wait|evaluate|browse|resolve|check|count)(s|_|$|[A-Z])`)

// inputs are the values that a call passes on: ids of a command that cannot
// be taken back, or arguments that are named as ids.
func inputs(c *ledger.Call, args jsonl.Value) []string {
	var out []string
	take := func(v []byte) {
		if s := string(v); len(out) < 16 && !plainNumber(s) {
			out = append(out, s)
		}
	}
	if c.Act == transcript.Shell {
		for _, e := range c.Line.Irreversible {
			if !strings.ContainsAny(e.Text, "$`") {
				ledger.EachValue([]byte(e.Text), take)
			}
		}
		return out
	}
	for key, v := range args.Members() {
		if namedID.MatchString(key) {
			ledger.EachValue(v.Raw(), take)
		}
	}
	return out
}

var namedID = regexp.MustCompile(`(^|[_-])(id|ids|sha|hash|uuid|number|account|channel|ref|key)$|(Id|Ids|ID|Sha|Hash|Uuid|Number|Ref|Key)$`)

// plainNumber reports whether a number is round, or a date: people write such.
func plainNumber(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return strings.HasSuffix(s, "000") || strings.HasPrefix(s, "20") && (len(s) == 8 || len(s) == 14 || len(s) == 12) || len(s) < 5
}

// advises reports whether an error tells what exists or what to use: to act on
// its word is what it is for.
func advises(text string) bool { return holdsAny(strings.ToLower(text), advice) }

var advice = []string{
	"already exist", "did you mean", "use ", "expected", "available", "instead", "existing", "current", "try ",
	"found at", "see http:", "see https:", "conflict",
}
