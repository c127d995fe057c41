package rules

import (
	"regexp"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// shown remembers which values (ids, hashes, long numbers) stand in the texts
// of a session: a Bloom filter of 256 KiB. Where it errs, it errs towards
// "was shown", so that a full filter only makes a rule silent.
type shown struct {
	bits []uint64
}

const shownBits = 1 << 21

func (f *shown) add(h uint64) {
	if f.bits == nil {
		f.bits = make([]uint64, shownBits/64)
	}
	for _, i := range [2]uint64{h % shownBits, (h >> 32) % shownBits} {
		f.bits[i/64] |= 1 << (i % 64)
	}
}

func (f *shown) has(h uint64) bool {
	if f.bits == nil {
		return false
	}
	for _, i := range [2]uint64{h % shownBits, (h >> 32) % shownBits} {
		if f.bits[i/64]&(1<<(i%64)) == 0 {
			return false
		}
	}
	return true
}

// text takes in all values of a text, as it stands in the record.
func (f *shown) text(t transcript.Text) {
	for raw := range t.RawParts() {
		f.raw(raw)
	}
}

func (f *shown) raw(raw []byte) { eachValue(raw, func(v []byte) { f.add(keyOf(v)) }) }

// knows reports whether a value stood in a text.
func (f *shown) knows(v string) bool { return f.has(keyOf([]byte(v))) }

// keyOf is the identity of a value: hexadecimal ones go by their first seven
// digits, as people shorten them.
func keyOf(v []byte) uint64 {
	low := make([]byte, 0, 64)
	hex := true
	for _, c := range v[:min(len(v), 64)] {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		hex = hex && ('0' <= c && c <= '9' || 'a' <= c && c <= 'f')
		low = append(low, c)
	}
	if hex && len(low) > 7 {
		low = low[:7]
	}
	return xxhash.Sum64(low)
}

// eachValue finds the runs of letters and digits that look like an id: with
// three digits or more, seven characters or more, or numbers of five digits.
func eachValue(raw []byte, do func([]byte)) {
	for i := 0; i < len(raw); i++ {
		switch charClass[raw[i]] {
		case isBreak:
			continue
		case isEscape:
			i++ // an escape is no letter
			if i < len(raw) && raw[i] == 'u' {
				i += 4
			}
			continue
		}
		start, digits := i, 0
		for ; i < len(raw) && charClass[raw[i]] >= isLetter; i++ {
			digits += int(charClass[raw[i]] - isLetter)
		}
		if digits >= 3 && (i-start >= 7 || digits == i-start && digits >= 5) {
			do(raw[start:i])
		}
		i-- // what ended the run is looked at again
	}
}

// The classes of bytes in a raw JSON string, so that one look tells them apart.
const (
	isBreak = iota
	isEscape
	isLetter
	isDigit // isLetter + 1, so that digits add up
)

var charClass = func() (c [256]uint8) {
	for b := range 256 {
		switch {
		case b == '\\':
			c[b] = isEscape
		case '0' <= b && b <= '9':
			c[b] = isDigit
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			c[b] = isLetter
		}
	}
	return c
}()

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
				eachValue([]byte(e.Text), take)
			}
		}
		return out
	}
	for key, v := range args.Members() {
		if namedID.MatchString(key) {
			eachValue(v.Raw(), take)
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

// advises matches errors that tell what exists or what to use: to act on their
// word is what they are for.
var advises = regexp.MustCompile(`(?i)already exist|did you mean|use |expected|available|instead|existing|current|try |found at|see https?:|conflict`)
