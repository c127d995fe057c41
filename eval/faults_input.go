package main

import (
	"bytes"
	"regexp"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// reasoningCopied writes a thought of a finished turn again in a later record.
var reasoningCopied = &mutator{
	name: "reasoning copied forward", rules: []string{"stale-reasoning-replay"}, most: 2,
	places: func(s *session) []place {
		var out []place
		for _, t := range s.thoughts {
			for _, c := range insertion(s) {
				if c.Line.Raw != "" && c.Result.Line > t.line+10 && c.Turn > t.turn {
					out = append(out, func(d *draft) (plant, bool) {
						return plant{}, s.spell.rethink(d, d.old[t.line], d.old[c.Result.Line]) != nil
					})
					break
				}
			}
		}
		return out
	},
}

// looksAround matches commands that look at something that moves by itself:
// asking again and again is their nature.
var looksAround = regexp.MustCompile(`\b(gh|glab|ps|curl|sleep|watch|tmux|kubectl|docker|fetch|pgrep|tail -f|status)\b`)

// callLooped repeats a call with its result until it is a loop.
var callLooped = &mutator{
	name: "call looped", rules: []string{"stuck-loop"}, lawful: []string{"json-cut", "duplicate-launch", "unverified-side-effect", "rework-after-cut"}, most: 2,
	places: func(s *session) []place {
		var out []place
		for _, c := range insertion(s) {
			if c.Term().Kind != transcript.TermOK || looksAround.MatchString(c.Command) {
				continue
			}
			out = append(out, func(d *draft) (plant, bool) {
				after := d.old[c.Result.Line]
				for range 4 {
					added := s.spell.again(d, c, after)
					if len(added) == 0 {
						return plant{}, false
					}
					after = added[len(added)-1]
				}
				return plant{}, true
			})
		}
		return out
	},
}

// historyRefused lets the provider refuse the history again and again; in the
// twin it is overloaded.
var historyRefused = boundary("history refused three times", []string{"poisoned-session"},
	lines(refusal(529, "overloaded"), refusal(529, "overloaded"), refusal(529, "overloaded")),
	lines(refusal(400, brokenHistory), refusal(400, brokenHistory), refusal(400, brokenHistory)))

const brokenHistory = "messages.14: tool_use ids were found without tool_result blocks immediately after"

func refusal(code int, words string) step {
	return step{"event", "status", "name", "api_error", "code", code, "error", words}
}

// linesGlued takes the line break between two records away: both are read.
var linesGlued = &mutator{
	name: "two lines glued", rules: []string{"malformed-line"}, lawful: lostRecord,
	places: func(s *session) []place {
		return linePlaces(s, func(d *draft, l, next *line) {
			l.text = append(bytes.TrimSuffix(l.text[:len(l.text):len(l.text)], []byte("\r")), next.text...)
			d.remove(next)
		})
	},
}

// lineCutAndGlued breaks a record off and lets the next one begin there.
var lineCutAndGlued = &mutator{
	name: "record cut, next one glued to it", rules: []string{"malformed-line"}, lawful: lostRecord,
	places: func(s *session) []place {
		return linePlaces(s, func(d *draft, l, next *line) {
			at := 1 + d.rnd.IntN(len(l.text)-1)
			l.text = append(l.text[:at:at], next.text...)
			d.remove(next)
		})
	},
}

// nulBytes writes NUL bytes where a record stood.
var nulBytes = &mutator{
	name: "NUL bytes for a record", rules: []string{"malformed-line"}, lawful: lostRecord,
	places: func(s *session) []place {
		return linePlaces(s, func(_ *draft, l, _ *line) { l.text = make([]byte, min(len(l.text), 4096)) })
	},
}

// tailTorn ends the log inside a record.
var tailTorn = &mutator{
	name: "tail torn", rules: []string{"torn-tail"}, lawful: lostRecord,
	places: func(s *session) []place {
		return linePlaces(s, func(d *draft, l, _ *line) {
			i := d.at(l)
			d.lines = d.lines[:i+1]
			at := 1 + d.rnd.IntN(len(l.text)-1)
			l.text = l.text[:at:at]
			d.torn = true
		})
	},
}

// linePlaces are lines in the inner part of a log that hold a whole record.
func linePlaces(s *session, change func(d *draft, l, next *line)) []place {
	var out []place
	for no := 3; no < len(s.lines)-1; no++ {
		if text := s.lines[no-1]; len(text) < 40 || text[0] != '{' || len(s.lines[no]) < 40 || s.lines[no][0] != '{' {
			continue
		}
		out = append(out, func(d *draft) (plant, bool) {
			d.old[no].planted = true
			change(d, d.old[no], d.old[no+1])
			return plant{}, true
		})
	}
	return out
}
