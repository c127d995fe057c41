package transcript

import (
	stdcmp "cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// A fact is one claim about an adapter: these records, in the format's own
// spelling, mean these events.
type fact struct {
	name string
	in   string // records, one a line
	want string // one line for each event, as factLine writes it; Other and progress left out
}

// checkFacts runs the conformance table of a format.
func checkFacts(t *testing.T, format *Format, facts []fact) {
	t.Helper()
	for _, f := range facts {
		t.Run(f.name, func(t *testing.T) {
			got := factLines(decodeAll(t, format, f.in))
			want := strings.Split(strings.TrimSpace(strings.ReplaceAll(f.want, "\t", "")), "\n")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// decodeAll reads records in a format on a reader that spoils what it has
// handed out, so that a view that is kept shows.
func decodeAll(t testing.TB, format *Format, in string) []Event {
	t.Helper()
	return eventsOf(t, format, strings.TrimSpace(strings.ReplaceAll(in, "\t", ""))+"\n")
}

func factLines(events []Event) []string {
	var lines []string
	for i := range events {
		e := &events[i]
		if e.Kind == Other || e.Kind == Status && (e.Status.Name == "progress" || e.Status.Name == "turn_started") {
			continue
		}
		lines = append(lines, factLine(e))
	}
	return lines
}

// factLine is an event in one line: its kind and whatever is set.
func factLine(e *Event) string {
	words := []string{e.Kind.String()}
	put := func(cond bool, format string, args ...any) {
		if cond {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	put(e.Origin == Copied, "copied")
	put(e.Agent != "", "agent=%s", e.Agent)
	switch {
	case e.Call != nil:
		putCall(put, e.Call)
	case e.Result != nil:
		putResult(put, e.Result)
	case e.Kind == Message:
		put(true, "%s", e.Actor)
		put(e.Role != Prose, "%s", roleNames[e.Role])
		put(e.Final == True, "final")
	case e.Decision != nil:
		d := e.Decision
		put(true, "%s %s by %s", d.Verb, stdcmp.Or(d.ID, d.CallID), d.By)
	case e.Job != nil:
		put(true, "%s %s", e.Job.ID, jobNames[e.Job.State])
		putTerm(put, e.Job.Term)
	case e.Compaction != nil:
		c := e.Compaction
		put(c.PreTokens > 0, "%d>%d", c.PreTokens, c.PostTokens)
		put(c.Begin, "begin")
		put(c.Opaque, "opaque")
		put(c.Failed != "", "failed=%s", c.Failed)
	case e.Usage != nil:
		u := e.Usage
		put(true, "context=%d cached=%d out=%d total=%d", u.Context, u.Cached, u.Output, u.Cumulative)
	case e.Session != nil:
		putSession(put, e.Session)
	case e.Turn != nil:
		put(true, "%s", e.Turn.Reason)
		put(e.Turn.Bad, "bad")
		put(e.Turn.Session, "session")
	case e.Reasoning != nil:
		put(e.Reasoning.Signature != "", "signature=%s", e.Reasoning.Signature)
		put(e.Reasoning.Hollow, "hollow")
	case e.Status != nil:
		put(true, "%s", e.Status.Name)
		put(e.Status.Code != 0, "%d", e.Status.Code)
		put(e.Status.Error != "", "%s", e.Status.Error)
	case e.Request != nil:
		n := 0
		for _, m := range e.Request.Messages {
			n += m.Reasoning
		}
		put(true, "%d messages, %d bytes of reasoning", len(e.Request.Messages), n)
	case e.Queue != nil:
		put(true, "%s %s", e.Queue.Verb, e.Queue.ID)
	case e.Fault != nil:
		put(true, "%s", e.Fault.Kind)
	}
	text := e.Text.String()
	put(text != "", "%q", text)
	return strings.Join(words, " ")
}

func putCall(put func(bool, string, ...any), c *CallInfo) {
	put(true, "%s %s %s", c.ID, c.Tool, c.Act)
	put(c.Command != "", "%q", c.Command)
	put(len(c.Argv) > 0, "%q", c.Argv)
	put(c.Dir != "", "dir=%s", c.Dir)
	put(c.Path != "", "path=%s", c.Path)
	put(c.JobID != "", "job=%s", c.JobID)
	put(c.Input != "", "input=%q", c.Input)
	put(c.Timeout > 0, "timeout=%s", c.Timeout)
	put(c.Background, "background")
	put(c.Escalated, "escalated")
	put(c.Server, "server")
	put(c.Broken != "", "broken")
	put(len(c.Todos) > 0, "%v", c.Todos)
}

func putResult(put func(bool, string, ...any), r *ResultInfo) {
	put(true, "%s", r.CallID)
	putTerm(put, r.Term)
	put(r.JobID != "", "job=%s", r.JobID)
	put(r.Partial, "partial")
	put(r.Repeats, "again")
	put(r.NotRun, "not-run")
	put(r.Interrupted, "interrupted-by-user")
	for _, t := range r.Told {
		put(true, "%s=%s%s", t.Field, t.Value, [...]string{"?", "-", "+"}[t.Good])
	}
}

func putTerm(put func(bool, string, ...any), t Termination) {
	put(true, "%s", t.Kind)
	put(t.HasCode, "%d", t.Code)
	put(t.Signal != "", "%s", t.Signal)
	put(t.Limit > 0, "limit=%s", t.Limit)
	put(t.Source != NoSource, "(%s)", t.Source)
}

func putSession(put func(bool, string, ...any), s *SessionInfo) {
	put(s.ID != "", "id=%s", s.ID)
	put(s.Start, "start")
	put(s.Model != "", "model=%s", s.Model)
	put(s.Window > 0, "window=%d", s.Window)
	put(s.Dir != "", "dir=%s", s.Dir)
	put(s.Policy != "", "policy=%q", s.Policy)
	put(s.Auto != Unset, "auto=%v", s.Auto == True)
	put(s.Fork != "", "fork=%s", s.Fork)
}

// sniffed is the name of the format that content is taken for, "" for none.
func sniffed(in string) string {
	f := Sniff(jsonl.NewReader(strings.NewReader(in), jsonl.Options{PreferDocument: preferDocument}).Probe(sniffRecords))
	if f == nil {
		return ""
	}
	return f.Name
}

// fuzzAdapter feeds a decoder with broken forms of its own records: it may
// call them unknown, and never panics.
func fuzzAdapter(f *testing.F, format *Format, facts []fact) {
	for _, c := range facts {
		f.Add(strings.ReplaceAll(c.in, "\t", ""))
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, e := range eventsOf(t, format, in) {
			if e.Kind == ToolResult && e.Result == nil || e.Kind == ToolCall && e.Call == nil {
				t.Errorf("%s without its facts", e.Kind)
			}
		}
	})
}
