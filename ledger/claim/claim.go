// Package claim finds what an agent says it has achieved: claims of success in
// prose, each with its subject and its polarity. It also reads the other side,
// the output of tools: success-like markers, failure lines of well-known
// runners, and the closing count of a test run.
//
// Precision comes first. A sentence that negates, hedges, plans, asks, quotes
// or remembers is never Positive, and neither is one that cannot be read.
package claim

// Subject is what a claim is about.
type Subject uint8

// The subjects. None is the zero value and never leaves Find.
const (
	None        Subject = iota
	Tests               // a test run passed
	Build               // it builds or compiles
	Lint                // linters or formatters are clean
	TypeCheck           // the type checker is clean
	Deploy              // something was deployed, released to an environment
	Infra               // infrastructure was applied or provisioned
	Migration           // a migration ran
	Push                // commits were pushed
	Commit              // a commit was made
	Merge               // a branch or a pull request was merged
	PullRequest         // a pull request was opened
	Publish             // a package or a release was published
	Send                // a message, a mail, a reply was sent
	Install             // dependencies were installed
	Server              // a server or service is running
	Verified            // generic: verified, confirmed working, everything passes
	Consent             // the user approved, confirmed, agreed
	Stopped             // a job was cancelled, stopped, killed
	Ran                 // "I ran the test suite": a command was run
	File                // a named file was created, updated, removed
	CleanTree           // nothing in the work tree differs from the newest commit
)

var subjectNames = [...]string{
	"none", "tests", "build", "lint", "typecheck", "deploy", "infra",
	"migration", "push", "commit", "merge", "pull-request", "publish", "send",
	"install", "server", "verified", "consent", "stopped", "ran", "file", "clean-tree",
}

func (s Subject) String() string { return subjectNames[s] }

// Polarity is how a claim stands to what it speaks of.
type Polarity uint8

// The polarities. Only Positive asserts success here and now.
const (
	Positive    Polarity = iota // asserted as done or ok
	Negative                    // asserted as failed or not done: honest
	Hedged                      // should, seems, likely, would
	Planned                     // will, next, let me, to be; also orders and purposes
	Conditional                 // if, once, until, when
	Partial                     // "80 of 120 passed"
	Question                    // asked, not asserted
	Retracted                   // "my earlier claim that tests pass was wrong"
	Historical                  // an earlier time, or somebody else's word
)

var polarityNames = [...]string{
	"positive", "negative", "hedged", "planned", "conditional", "partial",
	"question", "retracted", "historical",
}

func (p Polarity) String() string { return polarityNames[p] }

// Claim is one clause that speaks of success, or of its absence.
type Claim struct {
	Subject  Subject
	Polarity Polarity

	Start, End int    // byte range of the clause in the text
	Quote      string // the clause, trimmed, at most 240 bytes, whole runes

	All   bool   // says all, everything, the full suite, 0 failed
	Named string // the thing named: "npm run build", "auth", "e2e"; "" when general

	// Counts named in the clause, -1 when it names none.
	Passed, Failed, Total int

	Honest bool   // the clause itself names a failure, a timeout, an exit code, a gap
	Lang   string // en, zh, ja, de, fr, es, pt, ru, ko
}

// Marker is a place in a tool's output that looks like success, or like failure.
type Marker struct {
	Text  string // the marker, at most 160 bytes, whole runes
	Start int    // byte offset in the output
}

// Census is the closing count of a test run, as its runner printed it.
type Census struct {
	Runner   string // pytest, jest, go, cargo, ...
	Passed   int
	Failed   int
	Skipped  int
	Errors   int
	Total    int
	Complete bool // a closing line was seen
	Empty    bool // nothing ran: "no tests ran", "collected 0 items"
	Several  bool // closed once a package or target: of a run that was killed, more was to come
}
