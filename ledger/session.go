// Package ledger keeps the facts of a session that rules judge by: calls with
// their ends, claims with their polarity, approvals, cancels, jobs, token use
// and compaction boundaries. Facts are derived once and shared by all rules.
// The ledger words no finding.
package ledger

import (
	"cmp"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/ledger/command"
	"github.com/transcript-lint/transcript-lint/ledger/delivery"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Bounds on what is kept of one fact, in bytes. They hold memory to a few
// hundred bytes a call, whatever the calls print.
const (
	keepCommand = 2048
	keepQuote   = 240
	keepHead    = 400
	keepTail    = 800
	keepBrief   = 120     // of a result that ended ok
	scanTail    = 4 << 10 // how far back a runner's closing count is looked for
	interned    = 4096    // pointers and command lines that are kept once
)

// A Session is the ledger of one session.
type Session struct {
	File   string
	Format string
	ID     string
	Model  string
	Window int64  // the model's context window in tokens, when the log says
	Peak   int64  // the largest prompt of one request so far, in tokens
	Policy string // approval policy or permission mode, as written
	Auto   transcript.Flag
	Dir    string
	Fork   string          // the session that this one was copied from, "" when not said
	Tools  map[string]bool // the declared tool set, nil when the log has none

	Calls       []*Call
	Claims      []*Claim
	Approvals   []*Approval
	Cancels     []*Cancel
	Deeds       []*Deed // actions that the harness records step by step
	Jobs        []*Job
	Compactions []*Compaction
	Edits       []*Call // calls that changed files, in order
	Turn        int     // human messages so far
	Human       Ref     // the newest human message
	Affirmed    Ref     // the newest human message that says yes to something
	Constraints []*Constraint
	Summaries   int // summaries that could be read so far
	Partial     int // of these: summaries of a history that this log does not hold from its beginning
	Last        Ref // the newest event that shows progress
	Ended       *TurnEnd

	// Arrival counts what of the tools' JSON results reached the model.
	Arrival *delivery.Table

	// Repo tells how the repository stands now; nil when nobody named one.
	Repo Repo
	// Given are the tools that were declared outside of the log; nil for none.
	Given *Toolset

	// Facts of the event that is being observed, for rules.
	Call     *Call          // the call that this event makes, ends or tells news of
	Fresh    []*Claim       // the claims in it
	Summary  *Summary       // Message: the summary that it is
	Approval *Approval      // Decision: the approval that it is a step of
	Delivery *delivery.Scan // ToolResult: what arrived of the JSON it was; nil when it is none

	step      int
	saw       transcript.KindSet
	lines     map[string]*command.Line
	made      map[string]bool // base names of scripts that the session wrote itself
	strings   map[string]string
	pointer   []byte           // room for the pointer that is being put together
	calls     map[string]*Call // open and ended, by id; the newest of a reused id
	jobs      map[string]*Job
	approvals map[string]*Approval
	nameless  *Approval // the newest one whose steps name nothing
	cancels   map[string]*Cancel
	deeds     map[string]*Deed
	runs      map[command.Class][]*Run
	tree      tree
	words     map[string]Spoken // newest prose of each thread
	disclosed map[string]int    // by thread: the newest words that told a failure as an old or foreign one
	human     vocabulary
	ref       Ref // the place that was asked for last
	refValue  jsonl.Value
	tokens    Tokens // of the event at step tokensAt
	tokensAt  int
	schemas   map[string]*Schema
	resumed   bool // the log begins with a summary: what it sums up stands elsewhere
}

// Spoken is the newest prose of one thread.
type Spoken struct {
	Ref
	Actor transcript.Actor
	Text  string // its end, bounded
}

// TurnEnd is the harness's word on how the session ended.
type TurnEnd struct {
	Ref
	transcript.TurnInfo
}

// New starts the ledger of one session.
func New(file, format string) *Session {
	return &Session{
		File: file, Format: format,
		calls: map[string]*Call{}, jobs: map[string]*Job{}, approvals: map[string]*Approval{}, cancels: map[string]*Cancel{}, deeds: map[string]*Deed{}, lines: map[string]*command.Line{}, made: map[string]bool{}, strings: map[string]string{},
		runs: map[command.Class][]*Run{}, words: map[string]Spoken{}, disclosed: map[string]int{},
	}
}

// Ref is a keepable reference to the event that is being observed.
func (s *Session) Ref(e *transcript.Event) Ref {
	if s.ref.Step == s.step && s.ref.Offset == e.Pos.Offset && s.refValue == e.Value && s.ref.ID == e.Pos.ID {
		return s.ref // asked for before
	}
	r := Ref{Line: e.Pos.Line, Offset: e.Pos.Offset, Length: e.Pos.Length, Time: e.Time, Step: s.step}
	r.ID = strings.Clone(e.Pos.ID)
	r.Pointer = strings.Clone(e.Pos.Pointer)
	if e.Value.Exists() {
		s.pointer = e.Value.AppendPointer(s.pointer[:0])
		r.Pointer = s.intern(s.pointer)
		r.From = e.Value.Offset()
		r.To = r.From + len(e.Value.Raw())
	}
	s.ref, s.refValue = r, e.Value
	return r
}

// CallByID finds a call by the id that the log gives it.
func (s *Session) CallByID(id string) *Call { return s.calls[id] }

// Observe takes one event into the ledger. Afterwards Call and Fresh tell what
// the event was about.
func (s *Session) Observe(e *transcript.Event) {
	s.step++
	s.saw |= transcript.Kinds(e.Kind)
	s.Call, s.Fresh, s.Approval, s.Delivery = nil, nil, nil, nil
	s.forgetSummary()
	dropPlaceholders(e)
	s.tree.add(e.Pos.ID, e.Parent)
	switch e.Kind {
	case transcript.Session:
		s.observeSession(e.Session)
	case transcript.ToolCall:
		s.observeCall(e)
	case transcript.ToolResult:
		s.observeResult(e)
	case transcript.Job:
		s.observeJob(e)
	case transcript.Message:
		s.observeMessage(e)
	case transcript.Queue:
		s.queued(e)
	case transcript.Usage:
		s.Peak = max(s.Peak, e.Usage.Context)
		if e.Usage.Window > 0 {
			s.Window = e.Usage.Window
		}
	case transcript.Decision:
		s.observeDecision(e)
	case transcript.Cancel:
		s.observeCancel(e)
	case transcript.Action:
		s.observeAction(e)
	case transcript.Compaction:
		s.observeCompaction(e)
	case transcript.TurnEnd:
		s.Ended = &TurnEnd{Ref: s.Ref(e), TurnInfo: *e.Turn}
		s.Ended.Reason = strings.Clone(e.Turn.Reason)
	}
	if progress.Has(e.Kind) {
		s.Last = Ref{Line: e.Pos.Line, Offset: e.Pos.Offset, Length: e.Pos.Length, Time: e.Time, Step: s.step}
	}
}

// progress are the kinds of events that show that something moved.
var progress = transcript.Kinds(transcript.Message, transcript.Reasoning, transcript.ToolCall, transcript.ToolResult, transcript.Job,
	transcript.Decision, transcript.Cancel, transcript.Action, transcript.Compaction)

func (s *Session) observeSession(i *transcript.SessionInfo) {
	if i == nil {
		return
	}
	set := func(dst *string, v string) {
		if v != "" && v != *dst {
			*dst = strings.Clone(v)
		}
	}
	if s.ID == "" {
		set(&s.ID, i.ID)
	}
	set(&s.Model, i.Model)
	set(&s.Policy, i.Policy)
	set(&s.Dir, i.Dir)
	set(&s.Fork, i.Fork)
	if i.Window > 0 {
		s.Window = i.Window
	}
	if i.Auto != transcript.Unset {
		s.Auto = i.Auto
	}
	s.declareSchemas(i.Schemas)
	if len(i.Tools) > 0 {
		s.Tools = make(map[string]bool, len(i.Tools))
		for _, t := range i.Tools {
			s.Tools[strings.Clone(t)] = true
		}
	}
}

func (s *Session) observeCall(e *transcript.Event) {
	i := e.Call
	c := &Call{
		Ref: s.Ref(e), ID: strings.Clone(i.ID), Tool: strings.Clone(i.Tool), Act: i.Act, Agent: strings.Clone(e.Agent), Origin: e.Origin,
		node: s.tree.at(), Turn: s.Turn, MsgID: strings.Clone(e.MsgID), Dir: strings.Clone(i.Dir), Path: strings.Clone(i.Path),
		JobID: strings.Clone(i.JobID), Limited: i.Limited, Begin: i.Offset, Limit: i.Timeout, Background: i.Background, Escalated: i.Escalated, Server: i.Server,
		Stopped: strings.Clone(e.Stopped), Args: hashArgs(i),
	}
	if i.Act == transcript.Shell {
		s.readCommand(c, i)
	}
	s.noteMade(c)
	s.Calls = append(s.Calls, c)
	if c.ID != "" {
		s.calls[c.ID] = c
	}
	if i.Act == transcript.Edit {
		s.Edits = append(s.Edits, c)
	}
	if i.Act == transcript.Plan {
		s.ticked(e, i.Todos)
	}
	s.Call = c
}

// hashArgs tells the inputs of two calls apart, whether the format has them as
// one value or as fields.
func hashArgs(i *transcript.CallInfo) uint64 {
	d := xxhash.New()
	_, _ = d.Write(i.Args.Raw())
	for _, s := range append([]string{i.Command, i.Path, i.JobID, i.Input, i.Old, i.New}, i.Argv...) {
		_, _ = d.WriteString("\x00" + s)
	}
	return d.Sum64()
}

func (s *Session) readCommand(c *Call, i *transcript.CallInfo) {
	if len(i.Argv) > 0 {
		c.Line = command.ParseArgv(i.Argv)
	} else {
		c.Line = s.parsed(i.Command)
	}
	c.Command = c.Line.Raw
	s.addRuns(c)
}

// parsed reads a command line once, however often it is run: lines are never
// changed afterwards.
func (s *Session) parsed(line string) *command.Line {
	if l := s.lines[line]; l != nil {
		return l
	}
	line = strings.Clone(line)
	l := command.Parse(line)
	if len(s.lines) < interned && len(line) <= keepCommand {
		s.lines[line] = l
	}
	return l
}

func dropPlaceholders(e *transcript.Event) {
	if placeholder(e.Pos.ID) {
		e.Pos.ID = ""
	}
	if e.Call != nil && placeholder(e.Call.ID) {
		e.Call.ID = ""
	}
	if e.Result != nil && placeholder(e.Result.CallID) {
		e.Result.CallID = ""
	}
}

// placeholder reports whether an id was taken out of the log ("[trimmed]",
// "{{sessionId}}", "<redacted>"): many records share it, and it names none.
func placeholder(id string) bool {
	return id != "" && (id[0] == '[' || id[0] == '<' || strings.HasPrefix(id, "{{"))
}

// intern keeps equal strings once, as long as there are not too many of them.
func (s *Session) intern(b []byte) string {
	if kept, ok := s.strings[string(b)]; ok { // looked up without a copy
		return kept
	}
	v := string(b)
	if len(s.strings) < interned {
		s.strings[v] = v
	}
	return v
}

func (s *Session) observeResult(e *transcript.Event) {
	i := e.Result
	c := s.calls[i.CallID]
	s.Call = c
	if c == nil {
		return
	}
	if c.Result != nil && (i.Repeats || c.Result.Term.Kind != transcript.TermUnknown && i.Term.Kind == transcript.TermUnknown) {
		s.mergeEnd(c, e)
		return
	}
	c.Result = s.newResult(c, e)
	if c.Act == transcript.Ask || c.Result.Term.Kind == transcript.TermDenied || c.Result.Term.Kind == transcript.TermInterrupted {
		s.human.add(e.Text.Head(8 << 10)) // an answer, or the reason of a refusal
	}
	s.observeDelivery(c, e)
	if i.JobID != "" {
		s.linkJob(c, e)
	}
	if c.Act == transcript.Kill && c.Result.Term.Kind == transcript.TermOK {
		s.killJob(cmp.Or(i.JobID, c.JobID), c.Ref)
	}
}

func (s *Session) newResult(c *Call, e *transcript.Event) *Result {
	i := e.Result
	r := &Result{
		Ref: s.Ref(e), Term: own(i.Term), Error: i.Error, Ran: i.Duration, Size: e.Text.Size(), NotRun: i.NotRun, Contract: i.Contract, Bare: i.Bare, MustRerun: i.MustRerun,
		Told: ownTold(i.Told),
	}
	r.End = r.Ref
	s.readOutput(c, r, e.Text, e.Words)
	return r
}

// readOutput keeps of an output what rules ask for: a bounded head and tail, the
// runner's closing count, failure lines, and success-like markers when the
// call did not end well.
func (s *Session) readOutput(c *Call, r *Result, t transcript.Text, words func() string) {
	r.Hash, r.Cut = hashText(t), cutIn(t, words)
	ended := r.Term.Unfinished() || r.Term.Bad()
	head := keepBrief
	if ended {
		head = keepHead
	}
	r.Head = transcript.Keep(t.Head(head), head)
	if !c.mayReport() {
		return
	}
	tail := t.Tail(scanTail)
	if census, ok := claim.Summary(tail); ok && (census.Complete || census.Empty) {
		if r.Echoed = c.spells(tail); !r.Echoed {
			r.Census, r.HasCensus = census, true
		}
	}
	r.Failures = ownMarkers(claim.Failures(tail), 4)
	if ended {
		r.Markers = ownMarkers(claim.Markers(t.Tail(32<<10)), 8)
	}
	if ended || len(r.Failures) > 0 {
		r.Tail = strings.Clone(lastBytes(tail, keepTail))
	}
}

// mayReport reports whether a call may print a check's own report: a check, or
// something of which nobody can say what it runs. Listings, searches and
// version control print other people's words.
func (c *Call) mayReport() bool {
	switch c.Act {
	case transcript.Poll, transcript.Input, transcript.External, transcript.NoAct:
		return true
	case transcript.Shell:
	default:
		return false
	}
	if len(c.Line.Checks()) > 0 {
		return true
	}
	switch c.Class() {
	case command.Inspect, command.Search, command.VCS, command.Probe, command.Remove, command.Kill, command.Wait:
		return false
	}
	return true
}

// mergeEnd takes a second record about the same result: it may know how the
// call ended where the first did not. Facts that disagree are both kept.
func (s *Session) mergeEnd(c *Call, e *transcript.Event) {
	r, i := c.Result, e.Result
	r.Told = append(r.Told, ownTold(i.Told)...)
	r.Contract = r.Contract || i.Contract
	if i.MustRerun != transcript.Unset {
		r.MustRerun = i.MustRerun
	}
	if i.Term.Source > r.Term.Source && i.Term.Kind != transcript.TermUnknown && r.Term.Kind != transcript.TermStillRunning {
		r.Term, r.End = own(i.Term), s.Ref(e)
	}
}

func own(t transcript.Termination) transcript.Termination {
	t.Quote = strings.Clone(t.Quote)
	t.Signal = strings.Clone(t.Signal)
	t.Benign = strings.Clone(t.Benign)
	return t
}

func ownTold(told []transcript.Told) []transcript.Told {
	out := make([]transcript.Told, len(told))
	for i, t := range told {
		out[i] = transcript.Told{Field: strings.Clone(t.Field), Value: transcript.Keep(t.Value, 120), Good: t.Good}
	}
	return out
}

func ownMarkers(ms []claim.Marker, most int) []claim.Marker {
	if len(ms) > most {
		ms = ms[:most]
	}
	out := make([]claim.Marker, len(ms))
	for i, m := range ms {
		out[i] = claim.Marker{Text: strings.Clone(m.Text), Start: m.Start}
	}
	return out
}

func hashText(t transcript.Text) uint64 {
	d := xxhash.New()
	for raw := range t.RawParts() {
		_, _ = d.Write(raw)
	}
	return d.Sum64()
}

func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for s != "" && s[0]&0xC0 == 0x80 {
		s = s[1:]
	}
	return s
}

// Elapsed is the time between two references, 0 when either has none.
func Elapsed(from, to Ref) time.Duration {
	if from.Time.IsZero() || to.Time.IsZero() {
		return 0
	}
	return to.Time.Sub(from.Time)
}

// Saw reports whether the session held any event of a kind.
func (s *Session) Saw(k transcript.Kind) bool { return s.saw.Has(k) }

// Own is a copy of s that may be kept.
func Own(s string) string { return strings.Clone(s) }

// Abandoned reports whether a call stands on a branch that the session did not
// end on.
func (s *Session) Abandoned(c *Call) bool { return !s.tree.sawBefore(c.node, s.tree.leaf()) }
