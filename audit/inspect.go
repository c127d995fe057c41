package audit

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
	"github.com/transcript-lint/transcript-lint/report"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// Inspect says what one input is and what was understood of it.
func Inspect(in Input, o Options) (report.Inspection, error) {
	src, err := in.Open()
	if err != nil {
		return report.Inspection{}, err
	}
	defer src.Close()
	r := o.reader(src)
	k := inspector{
		kinds: map[string]int{}, tools: map[string]int{}, terms: map[string]int{}, models: map[string]int{}, agents: map[string]int{},
		unknown: map[string]int{}, open: map[string]bool{}, sessions: map[string]bool{},
	}
	k.Path = in.Path
	if f := r.Format(); f != nil {
		k.Format, k.Title = f.Name, f.Title
	}
	err = r.Read(k.see)
	s := r.Stats()
	k.Bytes, k.Records, k.Lines, k.Compression = s.Bytes, int64(s.Records), int64(s.Lines), s.Compression
	for kind, n := range s.Faults {
		if n > 0 {
			k.Faults = append(k.Faults, report.Count{Name: jsonl.FaultKind(kind).String(), N: int(n)})
		}
	}
	k.close()
	if err != nil {
		return k.Inspection, fmt.Errorf("%s: %w", in.Path, err)
	}
	return k.Inspection, nil
}

// inspector counts events as they pass.
type inspector struct {
	report.Inspection
	kinds, tools, terms, models, agents, unknown map[string]int
	open                                         map[string]bool // calls without a result so far
	sessions                                     map[string]bool
	timed                                        bool
	usage                                        bool
}

func (k *inspector) see(e *transcript.Event) {
	k.Events++
	k.kinds[e.Kind.String()]++
	if e.Agent != "" {
		k.agents[strings.Clone(e.Agent)]++
	}
	k.clock(e.Time)
	switch e.Kind {
	case transcript.Session:
		k.session(e.Session)
	case transcript.ToolCall:
		k.tools[strings.Clone(e.Call.Tool)+" ("+e.Call.Act.String()+")"]++
		if e.Call.ID != "" {
			k.open[strings.Clone(e.Call.ID)] = true
		}
	case transcript.ToolResult:
		t := e.Result.Term
		name := t.Kind.String()
		if t.Source != transcript.NoSource {
			name += " (" + t.Source.String() + ")"
		}
		k.terms[name]++
		delete(k.open, e.Result.CallID)
	case transcript.Usage:
		k.usage = k.usage || e.Usage.Context > 0
	case transcript.Unknown:
		k.unknown[unknownName(e)]++
	case transcript.Foreign:
		k.Keys = e.Foreign.Keys
	}
}

func (k *inspector) session(i *transcript.SessionInfo) {
	if i == nil {
		return
	}
	if i.ID != "" {
		k.sessions[strings.Clone(i.ID)] = true
	}
	if i.Start {
		k.Starts++
	}
	if i.Model != "" {
		k.models[strings.Clone(i.Model)]++
	}
	if i.Policy != "" {
		k.Policy = strings.Clone(i.Policy)
	}
}

func (k *inspector) clock(t time.Time) {
	if t.IsZero() {
		return
	}
	k.timed = true
	if k.First.IsZero() || t.Before(k.First) {
		k.First = t
	}
	if t.After(k.Last) {
		k.Last = t
	}
}

// unknownName tells records that no branch knew apart by their type and keys.
func unknownName(e *transcript.Event) string {
	var keys []string
	for key := range e.Value.Members() {
		if len(keys) == 8 {
			keys = append(keys, "...")
			break
		}
		keys = append(keys, key)
	}
	return transcript.Keep(fmt.Sprintf("%q with keys %s", e.Type, strings.Join(keys, ", ")), 160)
}

// close turns the counts into lists and says what could not be determined.
func (k *inspector) close() {
	k.Kinds, k.Tools, k.Terminations = counts(k.kinds), counts(k.tools), counts(k.terms)
	k.Models, k.Agents, k.Unknown = counts(k.models), counts(k.agents), counts(k.unknown)
	k.Sessions = max(len(k.sessions), k.Starts, 1)
	lacks := func(missing bool, what string) {
		if missing {
			k.Undetermined = append(k.Undetermined, what)
		}
	}
	if k.Format == "" {
		lacks(true, "the format: no adapter recognises the first records, so nothing was judged")
		return
	}
	lacks(!k.timed, "times: no record carries one, so waits and gaps are not checked")
	lacks(!k.usage, "context size: no record carries the tokens of a request's prompt")
	lacks(k.kinds["decision"] == 0, "approvals: the log records no decisions")
	lacks(k.kinds["cancel"] == 0, "cancels: the log records no cancel requests")
	lacks(k.kinds["request"] == 0, "what the model was sent: there are no request snapshots")
	lacks(k.terms["unknown"] > 0, fmt.Sprintf("how %d of the results ended: neither a field nor the harness's words say so", k.terms["unknown"]))
	lacks(len(k.open) > 0, fmt.Sprintf("what became of %d calls: no result is seen in this log", len(k.open)))
}

func counts(m map[string]int) []report.Count {
	out := make([]report.Count, 0, len(m))
	for name, n := range m {
		out = append(out, report.Count{Name: name, N: n})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].N != out[j].N {
			return out[i].N > out[j].N
		}
		return out[i].Name < out[j].Name
	})
	return out
}

// Normalize writes the events of one input in the documented vocabulary, one a
// line.
func Normalize(w io.Writer, in Input, o Options) error {
	var line []byte
	var werr error
	err := readKnown(in, o, func(string) transcript.Emit {
		return func(e *transcript.Event) {
			if werr != nil {
				return
			}
			line = append(transcript.AppendEvent(line[:0], e), '\n')
			_, werr = w.Write(line)
		}
	})
	if werr != nil {
		return werr
	}
	return err
}
