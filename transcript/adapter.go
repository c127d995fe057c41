package transcript

import (
	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Emit receives one event. The event and everything in it is reused as soon
// as Emit returns.
type Emit func(*Event)

// A Decoder turns the records of one file into events. It keeps only what
// joins records to each other (open message ids, running sessions), never
// their texts.
type Decoder interface {
	// Decode reads one record and emits the events in it, in order. Records
	// are never faults: those the Reader turns into Fault events itself.
	Decode(rec *jsonl.Record, emit Emit)
	// Flush emits what was held back, at the end of the input.
	Flush(emit Emit)
}

// A Format is how one agent writes its sessions. One file holds one Format.
type Format struct {
	Name  string // as --input-format takes it
	Title string // as people call it
	// Sniff judges a file by its first records: 0 not this format, up to 100.
	// More telling keys earn more; a format that merely could be stays low.
	Sniff func(head []jsonl.Probe) int
	// Split says which arrays and objects of a whole document are to be taken
	// apart, beyond the arrays of its top level. Nil: none.
	Split func(path string) bool
	// Pieces is set for formats whose unit is a document: a record that holds
	// a whole one is taken apart before Decode sees it.
	Pieces bool
	New    func() Decoder
}

// Formats lists every known format. The order only decides between equal
// scores: the more particular ones come first.
var Formats = []*Format{
	claudeFormat,
	codexFormat,
	codexOldFormat,
	codexExecFormat,
	copilotFormat,
	claudeStreamFormat,
	piFormat,
	openHandsFormat,
	geminiFormat,
	geminiStreamFormat,
	qwenFormat,
	cursorFormat,
	cursorStreamFormat,
	droidFormat,
	opencodeFormat,
	gooseFormat,
	clineUIFormat,
	inspectFormat,
	crushFormat,
	otelFormat,
	eventsFormat,
	orcaFormat,
	orcaEventsFormat,
	deepseekFormat,
	kimiFormat,
	sweAgentFormat,
	miniFormat,
	smolagentsFormat,
	atifFormat,
	agentbenchFormat,
	agentvFormat,
	rooFormat,
	langchainFormat,
	responsesFormat,
	anthropicFormat,
	chatFormat,
}

// FormatByName finds a format.
func FormatByName(name string) *Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// minScore is what a format has to reach to be taken at its word.
const minScore = 20

// Sniff finds the format of a file by its content, never by its name. It
// returns nil when no format recognises it.
func Sniff(head []jsonl.Probe) *Format {
	f, _ := sniff(head)
	return f
}

func sniff(head []jsonl.Probe) (best *Format, top int) {
	top = minScore - 1
	for _, f := range Formats {
		if score := f.Sniff(head); score > top {
			best, top = f, score
		}
	}
	return best, top
}

// FormatNames lists the names that --input-format takes.
func FormatNames() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}
