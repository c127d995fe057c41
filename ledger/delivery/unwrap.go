package delivery

import (
	"strconv"
	"strings"
)

// span is the part of a text that the tool wrote, without the harness's words
// around it.
type span struct {
	start, end int
	wrapped    bool
	marker     *Marker // the header itself states a cut
	stated     string  // that header's text
	produced   int     // bytes, when the header tells
}

// headers are the beginnings of lines that harnesses put in front of what a
// tool wrote.
var headers = []string{
	"Exit code: ", "Exit Code: ", "Exit code ", "Error: Exit code ", "Wall time: ", "Output:", "Total output lines: ", "Chunk ID: ", "Process exited with code ",
	"Process running with session ID ", "Original token count: ", "Warning: truncated output", "Command: ", "Directory: ", "Stdout:", "Success. Updated",
	"<persisted-output>", "Output too large", "Preview (first ", "Preview (up to ", "Tool output was too large and has been truncated.",
	"The full output has been saved to: ", "Full output sha256: ", "Truncated part of the output:", "The output of your call to ",
	"Here is a truncated version:", "<START_TOOL_OUTPUT>", "<returncode>", "<output>", "<output_head>", "[Below is the output of the previous command.]",
	"[Previous command outputs are truncated.", "OBSERVATION:", "Observation:", "<tool_output_masked>", "<stdout>", "Script completed", "Status: Showing lines ",
	"IMPORTANT: The file content has been truncated.",
}

// trailers are the beginnings of lines that harnesses put behind it.
var trailers = []string{
	"Command exited with code ", "Command aborted", "Command timed out after ", "[Command exited with code ", "<exited with exit code ",
	"<command with id:", "<shellId: ", "<command with shellId", "[The command completed with exit code ", "[Current working directory: ", "[Python interpreter: ", "[Command finished with exit code ",
	"</persisted-output>", "</output>", "</output_tail>", "</output_head>", "<END_TOOL_OUTPUT>", "</stdout>", "Exit Code: ", "Error: (none)", "Signal: (none)", "Signal: ",
	"Process Group PGID: ", "Background PIDs: ", "(exit code: ", "[exit code: ", "exit code: 0", "<system_reminder>", "<system-reminder>",
	"</tool_output_masked>", "Output too large. Full output available at: ", "Shell cwd was reset to ",
}

// unwrap peels the harness's lines off both ends.
func unwrap(text string) span {
	b := span{end: len(text)}
	b.start = b.skip(text, 0)
	if m, ok := at(text, b.start, atStart); ok {
		b.marker, b.stated = &m, text[m.Start:m.End]
	}
	for range 16 {
		line, _, _ := strings.Cut(text[b.start:b.end], "\n")
		n := b.header(line)
		if n == 0 {
			break
		}
		b.start = b.skip(text, b.start+n)
		b.wrapped = true
	}
	if b.start >= b.end || b.marker == nil && text[b.start] != '{' && text[b.start] != '[' {
		b.end = len(strings.TrimRight(text, " \t\r\n"))
		b.start = min(b.start, b.end)
		return b
	}
	b.peelEnd(text)
	return b
}

// header is how much of the line that begins the body is the harness's.
func (b *span) header(line string) int {
	if b.marker != nil && !b.wrapped && b.marker.Start == b.start {
		// What states a cut is peeled in its full length, with its size.
		b.produced = size(b.stated)
		return max(len(line), len(b.stated))
	}
	for _, h := range headers {
		rest, ok := strings.CutPrefix(line, h)
		if !ok {
			continue
		}
		if h == "Output:" {
			// Gemini goes on in the line.
			return len(line) - len(strings.TrimLeft(rest, " "))
		}
		if h == "Output too large" {
			b.produced = size(line)
		}
		return len(line)
	}
	return 0
}

// skip passes over white space.
func (b *span) skip(text string, i int) int {
	return len(text) - len(strings.TrimLeft(text[i:], " \t\r\n\ufeff"))
}

// peelEnd takes the harness's lines, and the "..." of a preview, off the end.
// Only white space between such lines goes with them: a newline that ends the
// tool's own text counts.
func (b *span) peelEnd(text string) {
	for range 16 {
		rest := strings.TrimRight(text[b.start:b.end], " \t\r\n")
		i := strings.LastIndexByte(rest, '\n')
		line := rest[i+1:]
		preview := i >= 0 && line == "..." && b.marker != nil && b.marker.Kind.ID == "persisted-output"
		if !preview && !b.trailer(line) {
			return
		}
		b.end = b.start + max(i, 0)
		b.wrapped = true
		if preview {
			return
		}
	}
}

// trailer reports whether the body's last line is the harness's. Closing tags
// and the like stand at its end too.
func (b *span) trailer(line string) bool {
	for _, t := range trailers {
		if strings.HasPrefix(line, t) {
			return true
		}
	}
	return false
}

// size reads "(55.2KB)" or "(1.3 MB)".
func size(line string) int {
	_, rest, ok := strings.Cut(line, "(")
	num, _, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return 0
	}
	unit := 1.0
	for _, u := range []struct {
		name string
		n    float64
	}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}} {
		if n, cut := strings.CutSuffix(num, u.name); cut {
			num, unit = strings.TrimSpace(n), u.n
		}
	}
	f, err := strconv.ParseFloat(num, 64)
	if err != nil || unit == 1 || f < 0 || f > 1<<20 {
		return 0
	}
	return int(f * unit)
}
