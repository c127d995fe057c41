package rules

import (
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/transcript"
)

var argsAgainstSchema = &Rule{
	ID:    "args-against-schema",
	Title: "The arguments of a tool call break the tool's declared schema",
	Why:   "The tool gets something else than it was declared for: it fails, or takes a default and does something that nobody asked for.",
	Fix:   "Validate arguments against the schema before the call runs, and send the model the place that breaks it.",
	Silent: "Logs without schemas, which are not checked unless --tools gives them (the log's own go first); what a schema says by references, alternatives or patterns; arguments that are no valid JSON (see args-malformed); " +
		"calls told again in a copied history. A call that ended ok all the same is a warning.",
	Group:     ToolUse,
	Level:     finding.Error,
	Precision: finding.High,
	Wants:     transcript.Kinds(transcript.ToolCall),
	New:       func(Settings) Checker { return &schemas{} },
	Lacks: func(s *ledger.Session) string {
		if !s.HasSchemas() && s.Saw(transcript.ToolCall) {
			return "no tool schemas in this log, and none given (--tools)"
		}
		return ""
	},
}

type schemas struct {
	found []*schemaBreak
}

type schemaBreak struct {
	call *ledger.Call
	why  string
	args string
}

func (k *schemas) Observe(s *ledger.Session, e *transcript.Event, _ Emit) {
	if s.Call == nil || e.Origin == transcript.Copied || e.Call.Free || e.Call.Broken != "" || !e.Call.Args.Exists() {
		return
	}
	if why := s.Schema(s.Call.Tool).Breaks(e.Call.Args); why != "" {
		k.found = append(k.found, &schemaBreak{call: s.Call, why: why, args: ledger.Own(endOf(string(e.Call.Args.Raw())))})
	}
}

func (k *schemas) Finish(s *ledger.Session, emit Emit) {
	for _, f := range k.found {
		c := f.call
		if s.Abandoned(c) {
			continue
		}
		level := finding.Error
		chain := []finding.Evidence{at(c.Ref, finding.Recorded, f.args, "the call")}
		if c.Result != nil {
			chain = append(chain, at(c.Result.Ref, finding.Terminated, c.Result.Head, "its result: %s", ended(c.Term())))
			if c.Term().Kind == transcript.TermOK || c.Term().Kind == transcript.TermUnknown && c.Result.Error != transcript.True {
				level = finding.Warning
			}
		}
		emit(Hit{At: c.Ref, Message: "the arguments of " + c.Tool + " break its schema: " + f.why, Quote: f.args, Evidence: chain, Level: level, Key: c.ID})
	}
}
