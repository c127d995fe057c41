package main

import "github.com/transcript-lint/transcript-lint/ledger"

// ending is how a call is made to end.
type ending struct {
	kind endKind
	text string // what it had printed
	code int
}

type endKind uint8

const (
	endOK endKind = iota
	endTimeout
	endNonzero
	// endBoth is told as a success and as a kill in the same record.
	endBoth
)

// A speller writes events in the way of one log format. Insertions go behind a
// line and return the new ones; edits report whether they could be made.
type speller interface {
	// retell changes how a call ended and what it printed.
	retell(d *draft, c *ledger.Call, e ending) bool
	// reprint changes what reached the model of a call's output and nothing
	// else.
	reprint(d *draft, c *ledger.Call, change func(string) string) bool
	// drop takes a call and its result out of the log.
	drop(d *draft, c *ledger.Call) bool
	// swallow takes only the result out.
	swallow(d *draft, c *ledger.Call) bool
	// say adds words of the assistant.
	say(d *draft, after *line, text string) []*line
	// run adds a shell call and its result.
	run(d *draft, after *line, command string, e ending) []*line
	// ask adds a question to the human and what became of it. Nil: the format
	// has none.
	ask(d *draft, after *line, question string, answered bool) []*line
	// compact adds a compaction with its summary.
	compact(d *draft, after *line, summary string) []*line
	// rethink writes the reasoning of one line again behind another.
	rethink(d *draft, from, after *line) []*line
	// again repeats a call with its result behind another line.
	again(d *draft, c *ledger.Call, after *line) []*line
}

// spellers are the formats that faults are planted in, by the names of
// transcript.Formats.
var spellers = map[string]speller{
	"claude-code": claudeSpeller{},
	"codex":       codexSpeller{},
	"events":      eventsSpeller{},
}

// killed is the limit at which planted timeouts end.
const killedAfter = 120
