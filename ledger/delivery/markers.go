package delivery

// Markers are all known kinds. Where two producers write the same words, the
// place tells them apart: Claude Code puts "[N lines truncated]" at the end,
// Crush in the middle.
//
// The words of Copilot, all of opencode's but its compaction's, the small print
// behind Cloudflare's and most generic ones are recalled, not read in a source
// or a log.
//
// In a pattern, %d stands for a number ("1,024" too) and %s for anything up to
// the end of the line.
var Markers = []MarkerKind{
	{
		Producer: "Claude Code", ID: "persisted-output", Side: Prefix, Limit: 30000, WayOn: true, place: atStart,
		pattern: "<persisted-output>\nOutput too large (%s). Full output saved to: %s",
	},
	{Producer: "Claude Code", ID: "lines-truncated", Side: Prefix, Limit: 30000, counts: Lines, place: atEnd, pattern: "... [%d lines truncated] ..."},
	{Producer: "Claude Code", ID: "characters-truncated", Side: Middle, Limit: 10000, place: onLine, pattern: "... [%d characters truncated] ..."},
	{
		Producer: "Claude Code", ID: "results-truncated", Side: Prefix, Limit: 100, Unit: Lines, WayOn: true, place: atEnd,
		pattern: "(Results are truncated. Consider using a more specific path or pattern.)",
	},
	{Producer: "Claude Code", ID: "cleared", Side: Unknown, place: atStart | atEnd, pattern: "[Old tool result content cleared]"},
	{Producer: "Codex", ID: "tokens-truncated", Side: Middle, Limit: 10000, Unit: Tokens, counts: Tokens, place: inline, pattern: "…%d tokens truncated…"},
	{Producer: "Codex", ID: "chars-truncated", Side: Middle, Limit: 10000, Unit: Bytes, place: inline, pattern: "…%d chars truncated…"},
	{Producer: "Codex", ID: "bytes-truncated", Side: Middle, Limit: 10000, Unit: Bytes, counts: Bytes, place: inline, pattern: "…%d bytes truncated…"},
	{Producer: "Codex", ID: "lines-omitted", Side: Middle, Limit: 10240, Unit: Bytes, counts: Lines, place: onLine, pattern: "[... omitted %d of %d lines ...]"},
	{Producer: "Codex", ID: "output-truncated", Side: Middle, Limit: 10240, Unit: Bytes, counts: none, place: onLine | atEnd, pattern: "[... output truncated to fit %d bytes ...]"},
	{Producer: "Codex", ID: "items-omitted", Side: Prefix, Unit: Tokens, counts: none, KeepsJSON: true, place: atEnd, pattern: "[omitted %d text items ...]"},
	{Producer: "Codex", ID: "header", Side: Middle, Limit: 10000, Unit: Tokens, counts: none, place: atStart, pattern: "Warning: truncated output (original token count: %d)"},
	{Producer: "Gemini", ID: "characters-omitted", Side: Middle, Limit: 40000, WayOn: true, place: onLine, pattern: "... [%d characters omitted] ..."},
	{Producer: "Gemini", ID: "lines-omitted", Side: Middle, counts: Lines, WayOn: true, place: onLine, pattern: "... [%d lines omitted] ..."},
	{
		Producer: "Gemini", ID: "first-and-last", Side: Middle, Limit: 40000, counts: none, WayOn: true, place: atStart,
		pattern: "Output too large. Showing first %d and last %d characters. For full output see: %s",
	},
	{Producer: "Gemini", ID: "last-lines", Side: Tail, counts: none, WayOn: true, place: atStart, pattern: "Output too large. Showing the last %d of %d lines%s"},
	{Producer: "Gemini", ID: "masked", Side: Middle, place: onLine, pattern: "... [TRUNCATED] ..."},
	{
		Producer: "Gemini", ID: "file-lines", Side: Prefix, Limit: 2000, Unit: Lines, counts: none, WayOn: true, place: atStart,
		pattern: "IMPORTANT: The file content has been truncated.\nStatus: Showing lines %d-%d of %d total lines.",
	},
	{Producer: "Qwen", ID: "content-truncated", Side: Middle, WayOn: true, place: onLine, pattern: "---\n... [CONTENT TRUNCATED] ...\n---"},
	{Producer: "Qwen", ID: "content-truncated-line", Side: Middle, WayOn: true, place: onLine, pattern: "... [CONTENT TRUNCATED] ..."},
	{
		Producer: "Qwen", ID: "saved-preview", Side: Prefix, counts: none, place: atEnd,
		pattern: "[... truncated for saved session preview; original length: %d characters ...]",
	},
	{Producer: "Copilot", ID: "too-large", Side: Prefix, WayOn: true, place: atStart, counts: none, pattern: "Output too large to read at once (%s). Saved to: %s"},
	{Producer: "Copilot", ID: "lines-dropped", Side: Middle, counts: Lines, place: onLine, pattern: "<output too long - dropped %d lines from the middle>"},
	{Producer: "Copilot", ID: "characters-dropped", Side: Middle, place: onLine, pattern: "<output too long - dropped %d characters from the middle>"},
	{Producer: "Copilot", ID: "output-dropped", Side: Prefix, place: atEnd, pattern: "<output too long - dropped %d characters from the end>"},
	{Producer: "OpenHands", ID: "observation-truncated", Side: Middle, Limit: 30000, place: onLine, pattern: "[... Observation truncated due to length ...]"},
	{
		Producer: "OpenHands", ID: "response-clipped", Side: Middle, Limit: 30000, WayOn: true, place: onLine | inline | atEnd,
		pattern: "<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to you.%s</NOTE>",
	},
	{
		Producer: "OpenHands", ID: "response-clipped-plain", Side: Middle, Limit: 30000, place: onLine | inline | atEnd,
		pattern: "<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to you.</NOTE>",
	},
	{
		Producer: "OpenHands", ID: "file-clipped", Side: Prefix, Limit: 30000, WayOn: true, place: atEnd,
		pattern: "<response clipped><NOTE>Due to the max output limit, only part of this file has been shown to you.%s</NOTE>",
	},
	{
		Producer: "SWE-agent", ID: "observations-elided", Side: Prefix, Limit: 100000, second: true, WayOn: true, place: atEnd,
		pattern: "<response clipped><NOTE>Observations should not exceeded %d characters. %d characters were elided.%s</NOTE>",
	},
	{Producer: "SWE-agent", ID: "old-output", Side: Unknown, counts: Lines, place: atStart, pattern: "Old environment output: (%d lines omitted)"},
	{Producer: "mini-swe-agent", ID: "elided-chars", Side: Middle, Limit: 10000, place: onLine, pattern: "<elided_chars>\n%d characters elided\n</elided_chars>"},
	{
		Producer: "Inspect", ID: "too-long", Side: Middle, Limit: 16384, Unit: Bytes, place: atStart,
		pattern: "The output of your call to %s was too long to be displayed.\nHere is a truncated version:",
	},
	{
		Producer: "smolagents", ID: "content-truncated", Side: Middle, Limit: 20000, counts: none, place: onLine,
		pattern: "..._This content has been truncated to stay below %d characters_...",
	},
	{Producer: "Pi", ID: "showing-lines", Side: Tail, Limit: 50 << 10, Unit: Bytes, counts: none, WayOn: true, place: atEnd, pattern: "[Showing lines %d-%d of %d%s]"},
	{Producer: "Pi", ID: "showing-last", Side: Tail, Limit: 50 << 10, Unit: Bytes, counts: none, WayOn: true, place: atEnd, pattern: "[Showing last %s of line %d%s]"},
	{
		Producer: "Pi", ID: "more-lines", Side: Prefix, Limit: 2000, Unit: Lines, counts: Lines, WayOn: true, place: atEnd,
		pattern: "[%d more lines in file. Use offset=%d to continue]",
	},
	{Producer: "Pi", ID: "more-characters", Side: Prefix, Limit: 2000, place: atEnd, pattern: "[... %d more characters truncated]"},
	{Producer: "opencode", ID: "compaction", Side: Prefix, place: atEnd, pattern: "[Tool output truncated for compaction: omitted %d chars]"},
	{Producer: "opencode", ID: "lines-truncated", Side: Prefix, Limit: 2000, Unit: Lines, counts: Lines, WayOn: true, place: onLine, pattern: "...%d lines truncated..."},
	{Producer: "opencode", ID: "bytes-truncated", Side: Prefix, Limit: 50 << 10, Unit: Bytes, counts: Bytes, WayOn: true, place: onLine, pattern: "...%d bytes truncated..."},
	{
		Producer: "opencode", ID: "more-lines", Side: Prefix, Limit: 2000, Unit: Lines, counts: none, WayOn: true, place: atEnd,
		pattern: "(File has more lines. Use 'offset' parameter to read beyond line %d)",
	},
	{Producer: "LangChain", ID: "ellipsis", Side: Prefix, Limit: 500, place: atEnd | atLimit, pattern: "..."},
	{Producer: "Orca", ID: "micro-compacted", Side: Middle, Limit: 8192, Unit: Bytes, place: onLine, pattern: "[... tool output micro-compacted ...]"},
	{Producer: "Orca", ID: "bytes-omitted", Side: Middle, Limit: 8192, Unit: Bytes, counts: Bytes, place: onLine, pattern: "[%d bytes of output omitted%s]"},
	{Producer: "Orca", ID: "bytes-omitted-plain", Side: Middle, Limit: 8192, Unit: Bytes, counts: Bytes, place: onLine, pattern: "[%d bytes of output omitted]"},
	{Producer: "Orca", ID: "micro-compact", Side: Middle, Limit: 2048, Unit: Bytes, place: atStart, pattern: "[tool output micro-compact]"},
	{Producer: "Orca", ID: "cleared", Side: Unknown, Unit: Bytes, counts: Bytes, place: atStart, pattern: "[old tool result content cleared; original_bytes=%d; tool_call_id=%s]"},
	{
		Producer: "Cloudflare Agents", ID: "truncated-note", Side: Prefix, Limit: 24000, counts: none, place: atEnd,
		pattern: "--- TRUNCATED ---\nResponse was ~%d tokens (limit: %d). %s",
	},
	{Producer: "Cloudflare Agents", ID: "truncated", Side: Prefix, Limit: 24000, place: atEnd, pattern: "--- TRUNCATED ---"},
	{Producer: "Crush", ID: "lines-truncated", Side: Middle, Limit: 30000, counts: Lines, place: onLine, pattern: "... [%d lines truncated] ..."},
	{Producer: "Cline", ID: "lines-truncated", Side: Middle, counts: Lines, place: onLine, pattern: "... (%d lines truncated) ..."},
	{Producer: "Cline", ID: "exceeded", Side: Prefix, Limit: 1 << 20, Unit: Bytes, counts: none, place: atEnd, pattern: "[Output truncated: exceeded %s limit]"},
	{Producer: "Roo Code", ID: "lines-omitted", Side: Middle, counts: Lines, place: onLine, pattern: "[...%d lines omitted...]"},
	{Producer: "Roo Code", ID: "characters-omitted", Side: Middle, place: onLine, pattern: "[...%d characters omitted...]"},
	{Producer: "MCP server", ID: "truncated-5000", Side: Prefix, Limit: 5000, place: atEnd, pattern: "... (truncated)"},
	{Producer: "generic", ID: "lines-truncated", Side: Unknown, counts: Lines, place: atEnd | onLine, pattern: "[%d lines truncated]"},
	{Producer: "generic", ID: "lines-truncated-dots", Side: Prefix, counts: Lines, place: atEnd, pattern: "... (%d lines truncated)"},
	{Producer: "generic", ID: "characters-truncated", Side: Unknown, place: atEnd | onLine, pattern: "[%d characters truncated]"},
	{Producer: "generic", ID: "chars-truncated", Side: Unknown, place: atEnd | onLine, pattern: "[%d chars truncated]"},
	{Producer: "generic", ID: "chars-truncated-dots", Side: Prefix, place: atEnd, pattern: "... [%d chars truncated]"},
	{Producer: "generic", ID: "bytes-truncated", Side: Unknown, counts: Bytes, Unit: Bytes, place: atEnd | onLine, pattern: "[%d bytes truncated]"},
	{Producer: "generic", ID: "truncated-count", Side: Prefix, place: atEnd, pattern: "... [truncated %d chars]"},
	{Producer: "generic", ID: "more-chars", Side: Prefix, place: atEnd, pattern: "... [%d more chars]"},
	{Producer: "generic", ID: "more-characters", Side: Prefix, place: atEnd, pattern: "... (%d more characters)"},
	{Producer: "generic", ID: "more-lines", Side: Prefix, counts: Lines, place: atEnd, pattern: "... (%d more lines)"},
	{
		Producer: "generic", ID: "more-lines-offset", Side: Prefix, counts: Lines, WayOn: true, place: atEnd,
		pattern: "... (%d more lines not shown. Use offset=%d to continue reading)",
	},
	{Producer: "generic", ID: "truncated-tight", Side: Prefix, place: atEnd, pattern: "...(truncated)"},
	{Producer: "generic", ID: "truncated-brackets", Side: Prefix, place: atEnd, pattern: "... [truncated]"},
	{Producer: "generic", ID: "truncated-brackets-tight", Side: Prefix, place: atEnd, pattern: "...[truncated]"},
	{Producer: "generic", ID: "truncated-ellipsis", Side: Prefix, place: atEnd, pattern: "… (truncated)"},
	{Producer: "generic", ID: "truncated-ellipsis-brackets", Side: Prefix, place: atEnd, pattern: "…[truncated]"},
	{Producer: "generic", ID: "truncated-ellipsis-spaced", Side: Prefix, place: atEnd, pattern: "… [truncated]"},
	{Producer: "generic", ID: "truncated-line", Side: Unknown, place: lastLine | onLine, pattern: "[truncated]"},
	{Producer: "generic", ID: "truncated-tag", Side: Unknown, place: lastLine | onLine, pattern: "<truncated>"},
	{Producer: "generic", ID: "output-truncated", Side: Unknown, place: lastLine | onLine, pattern: "[output truncated]"},
	{Producer: "generic", ID: "output-truncated-capital", Side: Unknown, place: lastLine | onLine, pattern: "[Output truncated]"},
	{Producer: "generic", ID: "output-truncated-parens", Side: Prefix, place: atEnd, pattern: "(output truncated)"},
	{Producer: "generic", ID: "output-truncated-dots", Side: Unknown, place: lastLine | onLine, pattern: "... output truncated ..."},
	{Producer: "generic", ID: "truncated-upper", Side: Unknown, place: lastLine | onLine, pattern: "[TRUNCATED]"},
	{Producer: "generic", ID: "truncated-upper-dots", Side: Prefix, place: atEnd, pattern: "... [TRUNCATED]"},
	{Producer: "generic", ID: "truncated-upper-tight", Side: Prefix, place: atEnd, pattern: "...[TRUNCATED]"},
}
