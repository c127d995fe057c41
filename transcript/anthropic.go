package transcript

import "github.com/transcript-lint/transcript-lint/jsonl"

// Anthropic messages: lines, arrays, documents and request logs. They are
// stored in the same ways as chat-completions messages, and read by the same
// decoder; a message differs by its content blocks.
//
//	block                      event
//	text                       Message
//	thinking                   Reasoning, with its signature
//	tool_use                   ToolCall
//	tool_result (role user)    ToolResult      is_error, where it comes with Claude Code's tools;
//	                                           else the words that generic_end.go knows
//	usage                      Usage           the cache is counted beside the input
var anthropicFormat = &Format{
	Name:  "anthropic",
	Title: "Anthropic messages",
	Sniff: sniffAnthropic,
	Split: splitChat,
	New:   func() Decoder { return &chat{} },
}

func sniffAnthropic(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		v := p.Root
		if p.Path != "" && !chatPiece.MatchString(p.Path) {
			continue
		}
		msgs := messagesIn(v)
		if v.Kind() == jsonl.Array {
			msgs = v
		}
		if isMessage(v) {
			score = max(score, anthropicScore(v))
		}
		n := 0
		for _, m := range msgs.Elems() {
			if n++; n > 12 {
				break
			}
			score = max(score, anthropicScore(m))
		}
	}
	return score
}

func anthropicScore(m jsonl.Value) int {
	if m.Get("type").Str() == "message" && m.Get("stop_reason").Exists() {
		return 56
	}
	for _, b := range m.Get("content").Elems() {
		switch b.Get("type").Str() {
		case "tool_use", "thinking", "redacted_thinking":
			return 55
		case "tool_result":
			if b.Get("tool_use_id").Exists() {
				return 55
			}
		}
	}
	return 0
}
