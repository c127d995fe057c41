package transcript

import (
	"cmp"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

func posOf(rec *jsonl.Record, id string) Pos {
	return Pos{Line: rec.Line, Offset: rec.Offset, Length: rec.Length, Pointer: rec.Path, ID: id}
}

// unknownEvent stands for a record that the adapter does not understand.
func unknownEvent(rec *jsonl.Record, typ string) *Event {
	return &Event{Kind: Unknown, Pos: posOf(rec, ""), Value: rec.Root, Type: typ}
}

func hashOf(b []byte) uint64 { return xxhash.Sum64(b) }

func flagAt(v jsonl.Value, key string) Flag {
	b, ok := v.Get(key).Bool()
	if !ok {
		return Unset
	}
	return FlagOf(b)
}

// parseTime reads RFC 3339 times, and numbers as seconds or milliseconds since
// 1970. Anything else is the zero time.
func parseTime(v jsonl.Value) time.Time {
	switch v.Kind() {
	case jsonl.String:
		s := v.Str()
		if len(s) < 10 || s[4] != '-' {
			return time.Time{}
		}
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
			if t, err := time.Parse(layout, s); err == nil {
				return t
			}
		}
	case jsonl.Number:
		n, ok := v.Float()
		switch {
		case !ok || n < 1e8:
		case n > 1e17:
			return time.Unix(0, int64(n)).UTC()
		case n > 1e14:
			return time.UnixMicro(int64(n)).UTC()
		case n > 1e11:
			return time.UnixMilli(int64(n)).UTC()
		default:
			return time.UnixMilli(int64(n * 1000)).UTC()
		}
	}
	return time.Time{}
}

// textOfBlocks reads content that is a string or a list of blocks with a text:
// the shape that most providers share.
func textOfBlocks(v jsonl.Value) Text {
	switch v.Kind() {
	case jsonl.String:
		return TextView(v)
	case jsonl.Array:
		var t Text
		for _, b := range v.Elems() {
			if b.Kind() == jsonl.String {
				t.Add(b)
				continue
			}
			if s := b.Get("text"); s.Kind() == jsonl.String {
				t.Add(s)
			} else if s := b.Get("content"); s.Kind() == jsonl.String {
				t.Add(s)
			}
		}
		return t
	case jsonl.Object:
		if s := v.Get("text"); s.Kind() == jsonl.String {
			return TextView(s)
		}
		return textOfBlocks(v.Get("content"))
	}
	return Text{}
}

// fillCall reads the arguments that tools share by custom: the command, the
// path, limits, the job meant, the plan.
func fillCall(c *CallInfo, in jsonl.Value) {
	for key, v := range in.Members() {
		switch key {
		case "command", "cmd", "script", "code", "CommandLine", "bash_command":
			if c.Act == Shell {
				fillCommand(c, v)
			}
		case "workdir", "cwd", "dir_path", "directory", "dir":
			c.Dir = v.Str()
		case "file_path", "path", "filePath", "filename", "notebook_path", "absolute_path", "target_file", "file", "file_text_path":
			c.Path = v.Str()
		case "offset", "limit", "head_limit", "line_range", "view_range", "start_line", "end_line", "max_results", "page", "cursor", "line", "range",
			"max_output_tokens", "head", "tail", "yield_time_ms":
			c.Limited = c.Limited || key != "yield_time_ms"
			if key == "offset" || key == "start_line" || key == "line" {
				n, _ := v.Int()
				c.Offset = int(n)
			}
		case "run_in_background", "background", "is_background":
			c.Background, _ = v.Bool()
		case "timeout", "timeout_ms":
			if ms, ok := v.Int(); ok {
				c.Timeout = time.Duration(ms) * time.Millisecond
			}
		case "task_id", "bash_id", "shell_id", "session_id", "shellId", "sessionId":
			c.JobID = idText(v)
		case "chars", "input":
			if c.Act == Input {
				c.Input = v.Str()
			}
		case "todos", "plan", "items":
			if c.Act == Plan {
				fillTodos(c, v)
			}
		case "old_string", "old_str", "oldText", "oldString":
			c.Old = v.Str()
		case "new_string", "new_str", "content", "file_text", "newText", "newString":
			if c.Act == Edit {
				c.New = v.Str()
			}
		}
	}
}

func fillCommand(c *CallInfo, v jsonl.Value) {
	switch v.Kind() {
	case jsonl.String:
		c.Command = v.Str()
	case jsonl.Array:
		for _, a := range v.Elems() {
			c.Argv = append(c.Argv, a.Str())
		}
	}
}

func fillTodos(c *CallInfo, v jsonl.Value) {
	for _, item := range v.Elems() {
		text := cmp.Or(item.Get("content").Str(), item.Get("step").Str(), item.Get("text").Str(), item.Get("title").Str(), item.Get("subject").Str())
		status := item.Get("status").Str()
		if done, ok := item.Get("completed").Bool(); ok && status == "" {
			status = "pending"
			if done {
				status = "completed"
			}
		}
		c.Todos = append(c.Todos, TodoItem{Text: text, Status: status})
	}
}

// idText reads an id that may be a string or a number.
func idText(v jsonl.Value) string {
	if v.Kind() == jsonl.Number {
		return string(v.Raw())
	}
	return v.Str()
}
