package transcript

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// copied is a copy of an event that outlives its record, with its texts
// decoded and its JSON values left out.
func copied(e *Event) Event {
	c := *e
	if e.Value.Exists() {
		c.Pos.Pointer = e.Value.Pointer()
	}
	c.Value = jsonl.Value{}
	c.Text = TextOf(e.Text.String())
	ownDeep(reflect.ValueOf(&c).Elem())
	return c
}

// ownDeep clones every string and drops every JSON value, all the way down.
func ownDeep(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		n := reflect.New(v.Type().Elem())
		n.Elem().Set(v.Elem())
		ownDeep(n.Elem())
		v.Set(n)
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
			return
		}
		n := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(n, v)
		for i := range n.Len() {
			ownDeep(n.Index(i))
		}
		v.Set(n)
	case reflect.Struct:
		switch x := v.Addr().Interface().(type) {
		case *jsonl.Value:
			*x = jsonl.Value{}
			return
		case *Text:
			*x = TextOf(strings.Clone(x.String()))
			return
		case *time.Time:
			*x = x.UTC()
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				ownDeep(f)
			}
		}
	case reflect.String:
		v.SetString(strings.Clone(v.String()))
	}
}

// eventsOf reads a text in a format, on a reader that spoils what it has
// handed out.
func eventsOf(t testing.TB, format *Format, input string) []Event {
	t.Helper()
	var all []Event
	r := NewReader(strings.NewReader(input), jsonl.Options{Poison: true}, format)
	if err := r.Read(func(e *Event) { all = append(all, copied(e)) }); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return all
}

// random fills a value with arbitrary content.
type random struct{ *rand.Rand }

var randomStrings = []string{"", "", "a", "go test ./...", "line\nline", "\"quoted\" \\ \t\x01", "日本語 🎉", "c1", "{\"x\":1}"}

func (r random) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(randomStrings[r.IntN(len(randomStrings))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		if r.IntN(2) == 0 {
			v.SetInt(r.Int64N(1 << 45))
		}
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(limitOf(v))))
	case reflect.Slice:
		n := r.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			r.fill(v.Index(i))
		}
	case reflect.Struct:
		switch x := v.Addr().Interface().(type) {
		case *jsonl.Value:
			return
		case *Text:
			*x = TextOf(randomStrings[r.IntN(len(randomStrings))])
			return
		case *time.Time:
			if r.IntN(2) == 0 {
				*x = time.Unix(r.Int64N(4e9), r.Int64N(1e9)).UTC()
			}
			return
		}
		for i := range v.NumField() {
			r.fill(v.Field(i))
		}
		if term, ok := v.Addr().Interface().(*Termination); ok && !term.HasCode {
			term.Code = 0
		}
	}
}

// limitOf is how many values an enumeration has.
func limitOf(v reflect.Value) int {
	switch v.Interface().(type) {
	case Flag:
		return 3
	case Actor:
		return len(actorNames)
	case Origin:
		return len(originNames)
	case Act:
		return int(acts)
	case TermKind:
		return int(termKinds)
	case Source:
		return len(sourceNames)
	case JobState:
		return len(jobNames)
	case DecisionVerb:
		return int(decisionVerbLen)
	case Decider:
		return len(deciderNames)
	case CancelVerb:
		return len(cancelNames)
	case ActionVerb:
		return len(actionNames)
	case MessageRole:
		return len(roleNames)
	}
	panic("no limit for " + v.Type().String())
}

// event builds an event of a kind with everything that the kind may carry.
func (r random) event(k Kind) Event {
	e := Event{Kind: k, Type: randomStrings[r.IntN(len(randomStrings))]}
	for _, f := range []any{&e.Pos, &e.Time, &e.Agent, &e.Origin, &e.Parent, &e.MsgID, &e.Actor} {
		r.fill(reflect.ValueOf(f).Elem())
	}
	fill := func(ps ...any) {
		for _, p := range ps {
			v := reflect.ValueOf(p).Elem()
			if v.Kind() == reflect.Pointer {
				v.Set(reflect.New(v.Type().Elem()))
				v = v.Elem()
			}
			r.fill(v)
		}
	}
	switch k {
	case Unknown:
		fill(&e.Foreign)
		e.Foreign.Tried, e.Foreign.Faults = nil, 0
	case Foreign:
		fill(&e.Foreign)
	case Fault:
		e.Fault = &jsonl.Fault{Kind: jsonl.TornTail, At: 12, Expected: "'}'", Head: "{\"a\":\x01", Glued: r.IntN(2) == 0}
		e.Flaws = jsonl.FlawSet(r.IntN(32))
	case Session:
		fill(&e.Session)
	case Message:
		fill(&e.Text, &e.Role, &e.About, &e.Final, &e.Stopped)
	case Reasoning:
		fill(&e.Text, &e.Reasoning)
	case ToolCall:
		fill(&e.Call, &e.Stopped)
	case ToolResult:
		fill(&e.Text, &e.Result)
		if !e.Result.FullKnown {
			e.Result.Full = Text{}
		}
	case Job:
		fill(&e.Job)
	case Decision:
		fill(&e.Decision)
	case Cancel:
		fill(&e.Cancel)
	case Action:
		fill(&e.Action)
	case Compaction:
		fill(&e.Text, &e.Compaction)
	case Usage:
		fill(&e.Usage)
	case Queue:
		fill(&e.Queue)
	case Status:
		fill(&e.Text, &e.Status)
	case TurnEnd:
		fill(&e.Turn)
	case Request:
		fill(&e.Request)
	}
	return e
}

// Every event survives being written and read back.
func TestAppendEventRoundTrip(t *testing.T) {
	r := random{rand.New(rand.NewPCG(1, 2))}
	for i := range 4000 {
		e := r.event(Kind(i % int(kinds)))
		line := AppendEvent(nil, &e)
		if bytes.IndexByte(line, '\n') >= 0 {
			t.Fatalf("more than one line: %s", line)
		}
		want := copied(&e)
		got := eventsOf(t, eventsFormat, string(line)+"\n")
		if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Fatalf("round trip of\n%s\n%s", line, cmp.Diff(got, []Event{want}, cmp.AllowUnexported(Text{}, jsonl.Value{})))
		}
		if again := AppendEvent(nil, &got[0]); !bytes.Equal(again, line) {
			t.Fatalf("written again it differs:\n%s\n%s", line, again)
		}
	}
}

func TestReadEvents(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"customary arguments", `{"event":"tool_call","id":"c","tool":"Bash","args":{"command":"npm test"}}`, []string{`tool_call c shell "npm test"`}},
		{"act given: the fields are complete", `{"event":"tool_call","id":"c","act":"shell","args":{"command":"npm test"}}`, []string{`tool_call c shell`}},
		{"a command makes a shell", `{"event":"tool_call","id":7,"command":"ls"}`, []string{`tool_call 7 shell "ls"`}},
		{"no termination", `{"event":"tool_result","id":"c","text":"all passed"}`, []string{`tool_result c unknown "all passed"`}},
		{"code alone", `{"event":"tool_result","id":"c","termination":{"exit_code":137}}`, []string{`tool_result c signalled code=137 SIGKILL exit_code=137-`}},
		{"word alone", `{"event":"tool_result","id":"c","termination":{"kind":"still_running"}}`, []string{`tool_result c still-running kind=still_running?`}},
		{"error flag alone", `{"event":"tool_result","id":"c","error":true}`, []string{`tool_result c nonzero error=true-`}},
		{"facts that disagree", `{"event":"tool_result","id":"c","error":false,"termination":{"kind":"timeout","exit_code":143}}`, []string{`tool_result c timeout code=143 SIGTERM error=false+ kind=timeout- exit_code=143-`}},
		{"summary", `{"event":"compaction","summary":"done"}`, []string{`compaction`, `message assistant/summary "done"`}},
		{"relative clock", `{"event":"decision","verb":"requested","id":"a","time":0,"expires_at":30.5}`, []string{`decision requested a until 30 @0`}},
		{"not in the vocabulary", `{"event":"frobnicate"}`, []string{`unknown`}},
		{"no object", `7`, []string{`fault`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := toldAll(eventsOf(t, eventsFormat, c.in+"\n")); !slices.Equal(got, c.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

func TestSniffEvents(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"vocabulary", `{"event":"message","actor":"human","text":"hi"}`, true},
		{"contract", `{"status":"succeeded","termination":{"kind":"ok"},"must_rerun":false}`, true},
		{"flat record", `{"tool":"shell","command":"ls","exit_code":0}`, true},
		{"document", `{"records":[{"tool":"shell","exit_code":0}]}`, true},
		{"approvals only", "{\"type\":\"approval.requested\",\"id\":\"a\"}\n{\"type\":\"approval.expired\",\"id\":\"a\"}", true},
		{"chat", `{"role":"user","content":"hi"}`, false},
		{"somebody's events", `{"type":"session_event","event":{"type":"x"}}`, false},
		{"an approval among other things", "{\"type\":\"a\"}\n{\"type\":\"b\"}\n{\"type\":\"permission.requested\",\"id\":\"a\"}", false},
		{"web log", `{"event":"click","time":1}`, false},
	} {
		r := jsonl.NewReader(strings.NewReader(c.in+"\n"), jsonl.Options{})
		if got := sniffEvents(r.Probe(24)) >= minScore; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Whatever is read can be written, on one line, as JSON.
func FuzzEvents(f *testing.F) {
	for _, b := range boundaries {
		f.Add(b.events)
		f.Add(b.records)
	}
	f.Add("{\n \"tool\": \"x\",\n \"argv\": [\n  \"a\"\n ],\n \"termination\": {\"kind\": \"ok\"}\n}")
	f.Add(`[{"tool":"a","exit_code":null,"signal":9},{"records":[{"records":[]}]}]`)
	f.Add(`{"event":"tool_call","args":{"a":"\\\"","b":[1, 2]},"at":{"line":-1}}`)
	f.Fuzz(func(t *testing.T, input string) {
		var doc jsonl.Doc
		for _, e := range eventsOf(t, eventsFormat, input) {
			line := AppendEvent(nil, &e)
			if _, err := jsonl.Parse(line, &doc); err != nil || bytes.IndexByte(line, '\n') >= 0 {
				t.Errorf("%v: %q", err, line)
			}
		}
	})
}
