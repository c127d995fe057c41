package delivery

import "strings"

// askers are the programs that print a part of what they read.
var askers = map[string]bool{
	"head": true, "tail": true, "cut": true, "awk": true, "gawk": true, "grep": true, "egrep": true, "rg": true, "ag": true, "less": true, "more": true,
	"dd": true, "split": true, "bat": true, "fold": true, "Select-Object": true, "Select-String": true, "select-string": true, "select-object": true,
	"xxd": true, "hexdump": true,
}

// limits are the parameters of tools that ask for a part.
var limits = []string{
	"limit", "offset", "head_limit", "max_lines", "maxlines", "max_chars", "max_length", "maxlength", "max_bytes", "view_range", "start_line",
	"end_line", "line_start", "line_end", "num_lines", "n_lines", "first", "last", "head", "tail", "page_size", "per_page", "slice", "range", "start_index", "end_index",
}

// AskedForPart reports whether a command line or a call's arguments ask for a
// part of the data, so that an unfinished document is no loss on the way. It
// does not speak for a cut that a harness's marker states: that one came on
// top. For max_output_tokens see [AskedTokens].
func AskedForPart(args string) bool {
	for _, name := range limits {
		if quotedKey(args, name) {
			return true
		}
	}
	words := strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(" \t\r\n|;&()`\"'$", r) })
	for i, w := range words {
		name := strings.TrimSuffix(w[strings.LastIndexAny(w, `/\`)+1:], ".exe")
		after := words[i+1:]
		if askers[name] || name == "sed" && anyWord(after, asksSed) || name == "jq" && asksJQ(args) {
			return true
		}
	}
	return sliced(args)
}

// AskedTokens is the max_output_tokens that a call's arguments ask for, 0 when
// they do not. Codex sends one with most calls and cuts at its own budget when
// that is smaller: the cut was asked for only when about so much arrived.
func AskedTokens(args string) int {
	_, rest, ok := strings.Cut(args, `"max_output_tokens"`)
	rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " "), ":")
	if !ok || !colon {
		return 0
	}
	n, _ := number(strings.TrimLeft(rest, " "), 0)
	return n
}

// quotedKey reports whether arguments hold a parameter that has a value.
func quotedKey(args, name string) bool {
	key := `"` + name + `"`
	for i := strings.Index(args, key); i >= 0; {
		rest := strings.TrimLeft(args[i+len(key):], " \t\n")
		if v, ok := strings.CutPrefix(rest, ":"); ok {
			v = strings.TrimLeft(v, " \t\n")
			return !strings.HasPrefix(v, "null") && !strings.HasPrefix(v, `""`)
		}
		next := strings.Index(args[i+1:], key)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// anyWord reports whether one of the next few words passes.
func anyWord(words []string, pass func(string) bool) bool {
	for _, w := range words[:min(len(words), 6)] {
		if pass(w) {
			return true
		}
	}
	return false
}

// asksSed reports whether a word of a sed command prints or ends at lines:
// "-n", "-ne", "1,40p", "40q".
func asksSed(w string) bool {
	if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "n") {
		return true
	}
	return w != "" && w[0] >= '0' && w[0] <= '9' && strings.IndexByte("pqd", w[len(w)-1]) >= 0
}

// asksJQ reports whether a jq program takes a part: "limit(5; ...)",
// "first", ".[0:10]".
func asksJQ(args string) bool {
	return strings.Contains(args, "limit(") || strings.Contains(args, "first") || strings.Contains(args, "last") || strings.Contains(args, "--stream")
}

// sliced reports whether a text holds a slice of fixed bounds, as programs in
// a command line write them: "[:500]", "[0:10]", ".slice(0, 500)",
// ".substring(0, 500)".
func sliced(args string) bool {
	for _, call := range []string{".slice(", ".substring(", ".substr(", ".read(1", ".read(2", ".read(3", ".read(4", ".read(5", "islice("} {
		if strings.Contains(args, call) {
			return true
		}
	}
	for i := strings.IndexByte(args, '['); i >= 0; {
		if end := bounds(args[i+1:]); end {
			return true
		}
		next := strings.IndexByte(args[i+1:], '[')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// bounds reports whether a text begins as "0:10]", ":500]" or "-5:]".
func bounds(s string) bool {
	colon, digit := false, false
	for i := 0; i < len(s) && i < 32; i++ {
		switch c := s[i]; {
		case c == ']':
			return colon && digit
		case c == ':' && !colon:
			colon = true
		case c >= '0' && c <= '9':
			digit = true
		case c != '-' && c != ' ':
			return false
		}
	}
	return false
}
