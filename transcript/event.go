// Package transcript turns records into events: the one model of a session
// that everything later stands on. Each log format is one adapter file; no
// other package knows a format's field names.
package transcript

import (
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Kind says what an event is about.
type Kind uint8

// The kinds of events. Other is a record that was understood but carries
// nothing that is judged; Unknown is one that no adapter knew.
const (
	Unknown Kind = iota
	Other
	Fault      // bytes that are no record, or a record with damaged text
	Session    // facts about the session: id, model, window, policy, tools
	Message    // words of somebody
	Reasoning  // the model's own thinking
	ToolCall   // the model asks for an action
	ToolResult // what came back
	Job        // a background job's start or end, as the harness tells it
	Decision   // an approval: asked for, given, refused, expired, consumed
	Cancel     // a cancel request, or its receipt
	Action     // a harness's own record of an action: started, effect, settled
	Compaction // history was replaced by less
	Usage      // token counts
	Queue      // a message was queued, delivered or dropped
	Status     // progress, heartbeat, retry, provider error
	TurnEnd    // the harness says that a turn or the session ended
	Request    // a snapshot of what is sent to the model
	Foreign    // the whole input: no adapter recognises it
	kinds
)

var kindNames = [kinds]string{
	"unknown", "other", "fault", "session", "message", "reasoning", "tool_call", "tool_result", "job", "decision",
	"cancel", "action", "compaction", "usage", "queue", "status", "turn_end", "request", "foreign",
}

func (k Kind) String() string { return kindNames[k] }

// KindSet is a set of kinds.
type KindSet uint32

// Kinds makes a set.
func Kinds(ks ...Kind) KindSet {
	var s KindSet
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

// Has reports whether k is in the set.
func (s KindSet) Has(k Kind) bool { return s&(1<<k) != 0 }

// Actor is who an event comes from. A record with role "user" is the human
// only when nothing marks it as injected.
type Actor uint8

// The actors.
const (
	Nobody    Actor = iota
	Human           // a person's own words
	Assistant       // the model
	Tool            // output of a tool
	Harness         // the program around the model: notices, hooks, injected context, system prompts
	Peer            // another agent
)

var actorNames = [...]string{"", "human", "assistant", "tool", "harness", "peer"}

func (a Actor) String() string { return actorNames[a] }

// Origin says how an event came to stand where it stands.
type Origin uint8

// The origins. Copied events (a resumed or forked prefix, a replacement
// history) are history told again: facts and claims in them are not new.
const (
	Observed Origin = iota
	Synthesized
	Copied
	Inferred
)

// Pos is where an event stands in its file.
type Pos struct {
	Line    int   // 1-based
	Offset  int64 // of the record in the decompressed stream, bytes
	Length  int64 // of the record, bytes
	Pointer string
	ID      string // the record's own id, when it has one
}

// Flag is a fact that a log may leave out: absent is Unset, never false.
type Flag uint8

// The states of a Flag.
const (
	Unset Flag = iota
	False
	True
)

// FlagOf makes a Flag of a known fact.
func FlagOf(b bool) Flag {
	if b {
		return True
	}
	return False
}

// An Event is one step of a session. Its strings and texts are views into the
// current record: whoever keeps one past the next event clones it.
type Event struct {
	Kind   Kind
	Pos    Pos
	Time   time.Time // zero when the format has none
	Actor  Actor
	Agent  string // "" for the main thread, else the subagent's id
	Origin Origin
	Parent string // id of the record this one follows, in formats that keep a tree
	Type   string // the record's type as the format spells it, for inspect

	Value jsonl.Value // where in the record the event stands; a finding's pointer and column come from it

	Text    Text        // Message, Reasoning, ToolResult, Compaction (the summary), Status
	Role    MessageRole // Message: what kind of words these are
	About   string      // Message: the call that the words are about, "" for none
	MsgID   string      // Message, Reasoning, ToolCall, Usage: id of the model's message
	Final   Flag        // Message: the harness marks it as the last word of a turn
	Stopped string      // Message, ToolCall: why the model stopped (end_turn, length, tool_use), "" unknown

	Call       *CallInfo
	Result     *ResultInfo
	Job        *JobInfo
	Decision   *DecisionInfo
	Cancel     *CancelInfo
	Action     *ActionInfo
	Compaction *CompactionInfo
	Usage      *UsageInfo
	Session    *SessionInfo
	Queue      *QueueInfo
	Status     *StatusInfo
	Turn       *TurnInfo
	Reasoning  *ReasoningInfo
	Request    *RequestInfo
	Foreign    *ForeignInfo
	Fault      *jsonl.Fault
	Flaws      jsonl.FlawSet

	words   string // Text, decoded once for all who ask
	decoded bool
	FlawAt  int // Flaws: where the first one stands, in bytes from the beginning of the record
}

// Words is the whole Text, decoded once however many ask for it.
func (e *Event) Words() string {
	if !e.decoded {
		e.words, e.decoded = e.Text.String(), true
	}
	return e.words
}

// MessageRole is what kind of words a message is.
type MessageRole uint8

// The roles of messages.
const (
	Prose   MessageRole = iota // ordinary talk
	Prompt                     // system prompt, project instructions
	Summary                    // a compaction's summary
	Notes                      // the notes field of a compacted record
	Notice                     // a harness notice: reminder, hook feedback, injected context
	Todo                       // a plan item's text
	Report                     // a subagent's report to its parent
)

// CallInfo is what the model asked for.
type CallInfo struct {
	ID     string // joins result and call; "" when the format has none
	Tool   string // the agent's own name for the tool
	Act    Act    // what the call does, whatever the agent names it
	Args   jsonl.Value
	Free   bool   // the input is free text, not JSON
	Broken string // why the arguments are not valid JSON, "" when they are

	Command    string        // Shell: the command line
	Argv       []string      // Shell: when given as a list
	Dir        string        // Shell: working directory, when said
	Path       string        // Read, Edit, Search: the file
	Limited    bool          // Read, Search: an offset, limit or range was asked for
	Offset     int           // Read, Search: where the part that was asked for begins, 0 when not said
	Background bool          // Shell: asked to run in the background
	Timeout    time.Duration // Shell: the limit asked for, 0 unknown
	JobID      string        // Poll, Kill, Input: the job that is meant
	Input      string        // Input: what is typed into the job
	Todos      []TodoItem    // Plan
	Old, New   string        // Edit: replaced and new text, when given
	Escalated  bool          // asked to run outside the sandbox, which needs a decision
	Server     bool          // run by the provider: its result stands elsewhere or nowhere
}

// TodoItem is one line of a plan.
type TodoItem struct{ Text, Status string }

// Done reports whether the item is ticked.
func (t TodoItem) Done() bool {
	return t.Status == "completed" || t.Status == "done" || t.Status == "complete"
}

// ResultInfo is what came back from a call.
type ResultInfo struct {
	CallID  string
	Tool    string // when the record repeats it
	Term    Termination
	Error   Flag   // the harness marks the result as an error
	Told    []Told // every typed fact about how the call ended, as told
	JobID   string // the call went on as this background job
	Partial bool   // output so far of something that still runs
	Repeats bool   // a second record about a result that was told before (merged, never counted twice)

	Full         Text // the whole output, when the log keeps it beside what the model saw
	FullKnown    bool
	MustRerun    Flag     // contract records
	Markers      []string // contract records: observed success-like markers
	Bare         bool     // contract records: a process record without any termination fact
	Interrupted  bool     // the harness says that the user interrupted the call
	NotRun       bool     // the call was refused or cancelled before it started
	Contract     bool     // a structured or compacted tool record in the documented vocabulary
	Duration     time.Duration
	AwayTimeout  time.Duration // a question to the human that ran out of time after this long
	AnsweredBy   Decider       // a question to the human: who answered
	AnswersEmpty bool
}

// Told is one fact about how a call ended, as one field told it. Two that
// disagree are a finding of their own.
type Told struct {
	Field string // JSON pointer or name of the field, for the message
	Value string // as written, bounded
	Good  Flag   // True: says it went well; False: says it did not
}

// JobInfo is news about a background job.
type JobInfo struct {
	ID      string
	CallID  string // the call that started it, when said
	State   JobState
	Term    Termination
	Summary string // the notification's words
	Output  Text   // output that came with the news
}

// JobState is where a background job stands.
type JobState uint8

// The states of a job.
const (
	JobUnknown JobState = iota
	JobStarted
	JobRunning
	JobEnded
	JobKilled // stopped by the agent, the user or the harness
	JobLost   // the harness says that it has no record of the end
)

// DecisionVerb is a step in the life of an approval.
type DecisionVerb uint8

// The steps of an approval.
const (
	NoDecision      DecisionVerb = iota
	Requested                    // somebody is asked; the wait begins
	Approved                     // yes
	Denied                       // no
	Expired                      // nobody answered in time
	Escalated                    // handed to somebody else
	Withdrawn                    // the request was cancelled
	Consumed                     // the approval was used
	ConsumeRefused               // a second use was refused: the guard working
	Delivered                    // an answer reached the session
	NotDelivered                 // an answer was held back
	ApproveRefused               // an approval came too late and was not taken
	Answered                     // a question (not an approval) was answered
	decisionVerbLen              // keep last
)

var decisionNames = [decisionVerbLen]string{
	"", "requested", "approved", "denied", "expired", "escalated", "withdrawn", "consumed", "consume_refused",
	"delivered", "not_delivered", "approve_refused", "answered",
}

func (v DecisionVerb) String() string { return decisionNames[v] }

// Decider is who decided.
type Decider uint8

// The deciders.
const (
	ByUnknown Decider = iota
	ByHuman
	ByPolicy
	ByHook
	ByDefault // the clock ran out and a default was taken
)

var deciderNames = [...]string{"unknown", "human", "policy", "hook", "default"}

func (d Decider) String() string { return deciderNames[d] }

// DecisionInfo is one step of an approval.
type DecisionInfo struct {
	Verb    DecisionVerb
	ID      string // of the request; "" when the log gives none
	CallID  string // the call that waits for it, "" unknown
	Subject string // what it is about, in the log's words
	By      Decider
	Expires time.Time     // end of the *pending* state; zero when not said
	Waited  time.Duration // how long the wait took, 0 unknown
	Reason  string        // code or words
}

// CancelVerb is a step in the life of a cancel request.
type CancelVerb uint8

// The steps of a cancellation. A request is not a receipt.
const (
	NoCancel        CancelVerb = iota
	CancelRequested            // somebody asks for it
	CancelAccepted             // receipt: taken
	CancelRefused              // receipt: not taken, with a reason
	CancelTold                 // a status says cancelled or stopped
)

// CancelInfo is one step of a cancellation.
type CancelInfo struct {
	Verb   CancelVerb
	ID     string // of the request, "" when none
	Target string // call, job, approval or session that is meant
	Reason string
	By     Actor
}

// ActionVerb is a step of an action as a harness records it.
type ActionVerb uint8

// The steps of an action. Entering the executor is not an effect.
const (
	NoAction       ActionVerb = iota
	ActionEntered             // entered the executor, may still wait
	ActionChecked             // the last validity check before the act
	ActionStarted             // the real act began
	ActionEffect              // its effect happened
	ActionSettled             // accounted for: committed, reconciled, compensated
	ActionAborted             // ended without effect
	ActionRejected            // refused by a guard
)

// ActionInfo is one step of an action.
type ActionInfo struct {
	Verb     ActionVerb
	ID       string // of the action or call
	Approval string // the approval it rests on, "" unknown
	Reason   string
}

// CompactionInfo is a boundary at which history was replaced.
type CompactionInfo struct {
	Trigger    string // auto, manual, ""
	PreTokens  int64  // 0 unknown
	PostTokens int64
	Micro      bool // only old tool results were thinned out
	Opaque     bool // the summary cannot be read (encrypted, empty)
	Begin      bool // the compaction only starts here; its end comes later
	Failed     string
	Dropped    []string // call ids whose results were cleared
	Duration   time.Duration
}

// UsageInfo is a token count.
type UsageInfo struct {
	Context    int64 // tokens of this one request's prompt, cache included; 0 unknown
	Output     int64
	Reasoning  int64
	Cached     int64
	Cumulative int64 // running total of prompt tokens, 0 when the format has none
	Window     int64 // the model's window, when the log says
	Model      string
}

// SessionInfo is what a log says about the session as a whole. Empty fields
// say nothing new.
type SessionInfo struct {
	ID      string
	Start   bool // a further session begins in the same file
	Model   string
	Window  int64
	Dir     string
	Version string
	Policy  string // approval policy or permission mode, as written
	Auto    Flag   // the policy lets tools run without asking
	Tools   []string
	Schemas []ToolSchema // declared schemas of tools, where the log holds them
	Fork    string       // id of the session this one was copied from
}

// ToolSchema is the JSON Schema that a tool's arguments are declared to have.
type ToolSchema struct {
	Name   string
	Schema jsonl.Value
}

// QueueInfo is news about a queued message.
type QueueInfo struct {
	Verb string // enqueue, dequeue, remove, deliver
	ID   string
	Hash uint64 // of the content, to pair the steps when there is no id
}

// StatusInfo is a sign of life, or of trouble, from the harness.
type StatusInfo struct {
	Name  string // progress, heartbeat, retry, api_error, compacting, ...
	Code  int    // HTTP status of a provider error, 0 otherwise
	Error string // the provider's words, bounded
}

// TurnInfo is the end of a turn or of the session.
type TurnInfo struct {
	Reason  string // completed, interrupted, error, max_turns, length, ...
	Session bool   // the whole session ended
	Bad     bool   // it did not end by itself
}

// ReasoningInfo tells pieces of thinking apart.
type ReasoningInfo struct {
	Signature string // provider signature or encrypted content; identity without reading
	Hollow    bool   // only the signature was stored
	Redacted  bool
}

// RequestInfo is a request snapshot: what the model was sent.
type RequestInfo struct {
	Provider string
	Model    string
	Messages []RequestMessage
}

// RequestMessage is one message of a request snapshot.
type RequestMessage struct {
	Role      string
	Reasoning int  // bytes of reasoning carried in it
	Calls     bool // it carries tool calls
	Value     jsonl.Value
}

// ForeignInfo is what was seen of an input that no adapter recognises.
type ForeignInfo struct {
	Keys   []string // top-level keys of its first records
	Tried  []string // formats that were tried
	Faults int      // places that are no JSON record
}
