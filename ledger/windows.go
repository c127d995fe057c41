package ledger

import "strings"

// The soft window: beyond it a context costs more than it carries.
const (
	SoftShare  = 0.6
	SoftTokens = 200_000
)

// windows are the context windows of models by the beginning of their names,
// longest match first, as their providers stated them by the end of November
// 2026. A window that the log states goes before; so does the option of a
// rule.
var windows = []struct {
	prefix string
	tokens int64
}{
	{"claude-", 200_000},
	{"gpt-4.1", 1_047_576},
	{"gpt-4o", 128_000},
	{"gpt-4-turbo", 128_000},
	{"gpt-5", 400_000},
	{"o1", 200_000},
	{"o3", 200_000},
	{"o4-mini", 200_000},
	{"codex-mini", 200_000},
	{"gemini-1.5", 1_048_576},
	{"gemini-2", 1_048_576},
	{"gemini-3", 1_048_576},
	{"deepseek-", 128_000},
	{"qwen3-coder", 262_144},
	{"kimi-k2", 262_144},
	{"glm-4", 131_072},
	{"mistral-large", 128_000},
	{"devstral", 131_072},
	{"grok-4", 262_144},
	{"grok-code", 262_144},
}

// ModelWindow is the window of a model by its name, 0 when it is not known.
// Names with a provider in front are read too; a "[1m]" or "-1m" behind says a
// million.
func ModelWindow(model string) int64 {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	if name == "" {
		return 0
	}
	if strings.Contains(name, "[1m]") || strings.HasSuffix(name, "-1m") {
		return 1_000_000
	}
	for _, cut := range []string{"anthropic.", "us.anthropic.", "eu.anthropic."} {
		name = strings.TrimPrefix(name, cut)
	}
	var best int64
	length := 0
	for _, w := range windows {
		if strings.HasPrefix(name, w.prefix) && len(w.prefix) > length {
			best, length = w.tokens, len(w.prefix)
		}
	}
	return best
}

// WindowOf is the window that a request was sent into: what the log says, else
// the table. A context that was larger than the table's window shows that the
// table does not hold for this session.
func (s *Session) WindowOf(model string) int64 {
	if s.Window > 0 {
		return s.Window
	}
	if model == "" {
		model = s.Model
	}
	w := ModelWindow(model)
	if w > 0 && s.Peak > w {
		return max(s.Peak, 1_000_000)
	}
	return w
}

// SoftWindow is the part of a window that should do: a share of it, and never
// more than a number of tokens; 0 when the window is not known.
func SoftWindow(window int64, share float64, most int) int64 {
	if window <= 0 {
		return 0
	}
	return min(int64(share*float64(window)), int64(most))
}
