package transcript

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Harnesses write how a command ended into the text that the model sees, at
// one fixed place: the first lines or the very end. Only those places are
// read. A program may print the same words anywhere else, and they mean
// nothing there.
const (
	headWindow = 400 // bytes of the beginning in which a header may stand
	tailWindow = 240 // bytes of the end in which a trailer may stand
)

var (
	exitHead     = regexp.MustCompile(`^(?:Error: )?Exit code:? (-?\d+)\b`)
	timedOutText = regexp.MustCompile(`^(?:Error: )?Command timed out after ((?:\d+h ?)?(?:\d+m ?)?[\d.]+(?:m?s| (?:seconds?|minutes?)))`)
	msTimedOut   = regexp.MustCompile(`^(?:Error: )?(?:command|Command) timed out after (\d+) ?(?:milliseconds|ms)\b`)
	goDuration   = regexp.MustCompile(`([\d.]+) ?(ms|h|m|s)`)
)

// parseSpan reads durations as harnesses write them: "2m 0s", "1h 5m 2.5s",
// "30s".
func parseSpan(s string) time.Duration {
	var total float64
	for _, m := range goDuration.FindAllStringSubmatch(s, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			continue
		}
		switch m[2] {
		case "h":
			n *= 3600
		case "m":
			n *= 60
		case "ms":
			n /= 1000
		}
		total += n
	}
	return time.Duration(total * float64(time.Second))
}

// withTimeout turns an end into a timeout when the words name a limit.
func (t Termination) withTimeout(limit time.Duration, quote string) Termination {
	t.Kind = TermTimeout
	t.TimedOut = true
	t.Limit = limit
	t.Quote = Keep(quote, 120)
	t.Source = max(t.Source, FromText)
	return t
}

// timeoutAt reads "Command timed out after ..." at the beginning of s.
func timeoutAt(s string) (limit time.Duration, quote string, ok bool) {
	if !strings.Contains(Clip(s, 40), "timed out after") {
		return 0, "", false
	}
	if m := msTimedOut.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		return time.Duration(n) * time.Millisecond, m[0], true
	}
	if m := timedOutText.FindStringSubmatch(s); m != nil {
		return parseSpan(m[1]), m[0], true
	}
	return 0, "", false
}

// exitHeader reads an "Exit code N" header, a timeout line below it included.
// rest is the text behind what was read.
func exitHeader(head string) (t Termination, rest string, ok bool) {
	m := exitHead.FindStringSubmatchIndex(head)
	if m == nil {
		if limit, quote, yes := timeoutAt(head); yes {
			return Termination{Source: FromText}.withTimeout(limit, quote), head, true
		}
		return Termination{}, head, false
	}
	code, err := strconv.Atoi(head[m[2]:m[3]])
	if err != nil {
		return Termination{}, head, false
	}
	t = OfCode(code)
	t.Source = FromText
	t.Quote = strings.Clone(head[:m[1]])
	rest = strings.TrimPrefix(head[m[1]:], "\n")
	if limit, quote, yes := timeoutAt(rest); yes {
		t = t.withTimeout(limit, t.Quote+", "+quote)
	}
	return t, rest, true
}

// firstLine is s up to its first line break.
func firstLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i]
	}
	return s
}
