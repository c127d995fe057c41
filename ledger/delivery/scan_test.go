package delivery

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// long is a string that makes a text long enough to be cut.
var long = strings.Repeat("lorem ipsum ", 40)

func TestScanJSON(t *testing.T) {
	tests := []struct {
		name, text  string
		shape       Shape
		side        Side
		path        string
		marker      string
		endsOnLine  bool
		rowAware    bool
		wantProduce int
	}{
		// Never one JSON document.
		{name: "empty", text: ""},
		{name: "prose", text: "All done."},
		{name: "log level", text: "[INFO] starting\n[INFO] done"},
		{name: "log date", text: "[2026-12-01 10:00:00] request {\"a\":1}"},
		{name: "build step", text: "[1/5] Building app\n[2/5] Linking"},
		{name: "git commit", text: "[main 1a2b3c] fix the parser\n 1 file changed"},
		{name: "markdown link", text: "[text](https://example.com)"},
		{name: "numbered note", text: "[1] see below"},
		{name: "shell test", text: "[[ -f go.mod ]] && go build"},
		{name: "toml table", text: "[[package]]\nname = \"x\""},
		{name: "ini section", text: "[section]\nkey = 1"},
		{name: "typescript", text: "{ a, b } from './x';\nexport const c = 1;"},
		{name: "go code", text: "{\n\treturn nil\n}\n"},
		{name: "css", text: "{ color: red;\n}"},
		{name: "block with string", text: "{\"use strict\"; run()}"},
		{name: "python dict", text: "{'a': 1, 'b': [1, 2]}"},
		{name: "python list", text: "[1, 2, <obj at 0x7f>]"},
		{name: "python names", text: `{"a": None, "b": True}`},
		{name: "json5 comment", text: "{\n  // the port\n  \"port\": 80\n}"},
		{name: "jsonc block comment", text: "{\n  \"a\": 1, /* b */\n  \"c\": 2\n}"},
		{name: "trailing comma", text: "{\"a\": 1,}"},
		{name: "trailing comma in list", text: "[\"a\", \"b\",\n]"},
		{name: "unquoted keys", text: "{a: 1, b: 2}"},
		{name: "go value", text: "{ID:7 Done:false Parts:[{ID:8}]}"},
		{name: "trailing log line", text: "{\"a\":1}\n[INFO] done in 3 s"},
		{name: "text after", text: "{\"a\":1} and then text"},
		{name: "log line in front", text: "Fetched 3 rows\n{\"a\":1"},
		{name: "diff hunk", text: "@@ -1,3 +1,3 @@\n {\n-  \"a\": 1,\n+  \"a\": 2,"},
		{name: "object summary", text: "{ \"a\": 1, ... }"},
		{name: "list summary", text: "[ \"a\", \"b\", ... 98 more ]"},
		{name: "ellipsis list", text: "[...]"},
		{name: "node inspect", text: "[ 'a', 'b', ... 98 more items ]"},
		{name: "brace alone", text: "{\n"},
		{name: "bracket alone", text: "["},
		{name: "short numbers", text: "[1, 2, 3"},
		{name: "newline in string", text: "{\"a\": \"b\nwarning: the disk is full"},
		{name: "marker in the middle of code", text: "{\n  foo(\"x\");\n... [12 lines truncated] ...\n  bar();\n}"},
		{name: "quoted marker in source", text: "const m = `…12 tokens truncated…`;"},
		// Several documents.
		{name: "ndjson", text: "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", shape: Several},
		{name: "ndjson cut", text: "{\"a\":1}\n{\"a\":2}\n{\"a\":", shape: Several},
		{name: "pretty documents", text: "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n", shape: Several},
		{name: "glued documents", text: `{"a":1}{"a":2}`, shape: Several},
		{name: "document and marker", text: "{\"a\":1}\n\n... [3 lines truncated] ...", shape: Several, marker: "Claude Code"},
		// Whole.
		{name: "empty object", text: "{}", shape: Whole},
		{name: "empty list", text: " [ ] \n", shape: Whole},
		{name: "ellipsis in string", text: `{"text": "and so on…", "more": "..."}`, shape: Whole},
		{name: "quotes a marker", text: `{"doc": "prints …12 tokens truncated… there", "pad": "` + long + `"}`, shape: Whole},
		{name: "unbalanced escapes", text: `{"a": "\"{[\\"}`, shape: Whole},
		{name: "byte order mark", text: "\ufeff{\"a\":1}", shape: Whole},
		{name: "more items", text: `{"rows": [1, 2, "... 90 more items"]}`, shape: Whole, side: Prefix, rowAware: true},
		{name: "clipped string", text: `{"body": "lorem ipsum... (truncated)"}`, shape: Whole, side: Prefix, rowAware: true},
		{name: "codex header", text: "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{\"a\":1}\n", shape: Wrapped},
		{name: "pi trailer", text: "{\"a\":1}\n\nCommand exited with code 1", shape: Wrapped},
		{name: "copilot trailer", text: "{\"a\":1}\n<exited with exit code 0>", shape: Wrapped},
		{name: "gemini shell", text: "Command: jq . x\nDirectory: (root)\nOutput: {\"a\":1}\nError: (none)\nExit Code: 0\nSignal: (none)", shape: Wrapped},
		// Cut.
		{name: "prefix", text: `{"a": 1, "rows": [{"id": 1}, {"id": 2`, shape: Cut, side: Prefix, path: "/rows/1/id"},
		{name: "prefix after key", text: `{"a": 1, "b":`, shape: Cut, side: Prefix, path: "/b"},
		{name: "prefix in key", text: `[{"a": 1, "b`, shape: Cut, side: Prefix, path: "/0"},
		{name: "prefix in escape", text: `{"a": "x\u00`, shape: Cut, side: Prefix, path: "/a"},
		{name: "prefix in backslash", text: `["x\`, shape: Cut, side: Prefix, path: "/0"},
		{name: "prefix in rune", text: "{\"a\": \"caf\xc3", shape: Cut, side: Prefix, path: "/a"},
		{name: "escaped key", text: `{"a/b~": {"c": 1`, shape: Cut, side: Prefix, path: "/a~1b~0/c"},
		{name: "lines of a file", text: "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"a\": \"b\",\n", shape: Cut, side: Prefix, path: "/scripts", endsOnLine: true},
		{name: "lines without newline", text: "{\n  \"name\": \"x\",\n  \"scripts\": {", shape: Cut, side: Prefix, path: "/scripts", endsOnLine: true},
		{
			name: "claude end", text: "{\"rows\": [{\"a\": 1},\n{\"a\": 2},\n\n... [31 lines truncated] ...", shape: Cut, side: Prefix,
			path: "/rows", marker: "Claude Code",
		},
		{name: "cloudflare", text: "{\"rows\": [{\"a\": \"x\n\n--- TRUNCATED ---", shape: Cut, side: Prefix, path: "/rows/0/a", marker: "Cloudflare Agents"},
		{name: "mcp", text: `{"rows": [{"a": "x\` + "... (truncated)", shape: Cut, side: Prefix, path: "/rows/0/a", marker: "MCP server"},
		{name: "number and marker", text: `{"rows": 12... (truncated)`, shape: Cut, side: Prefix, path: "/rows", marker: "MCP server"},
		{
			name: "persisted", text: "<persisted-output>\nOutput too large (2KB). Full output saved to: /t/x.txt\n\nPreview (first 2KB):\n[{\"id\": 1}, {\"id\n...\n</persisted-output>",
			shape: Cut, side: Prefix, path: "/1", marker: "Claude Code", wantProduce: 2048,
		},
		{
			name: "codex middle", text: "Exit code: 0\nWall time: 1 s\nTotal output lines: 9\nOutput:\n{\"a\": \"x…20 tokens truncated…y\", \"b\": 1}", shape: Cut, side: Middle,
			path: "/a", marker: "Codex",
		},
		{
			name: "codex lucky join", text: `{"a": "` + long + `…900 chars truncated…` + long + `"}`, shape: Cut, side: Middle,
			path: "/a", marker: "Codex",
		},
		{
			name: "claude middle", text: "{\"a\": \"x\n\n... [900 characters truncated] ...\n\ny\", \"z\": 1}", shape: Cut, side: Middle,
			path: "/a", marker: "Claude Code",
		},
		{name: "smolagents", text: "[1, 2, \"x\n..._This content has been truncated to stay below 20000 characters_...\ny\"]", shape: Cut, side: Middle, path: "/2", marker: "smolagents"},
		{name: "orca", text: "{\"a\": [1,\n[... tool output micro-compacted ...]\n2]}", shape: Cut, side: Middle, path: "/a", marker: "Orca"},
		{name: "mini", text: "<returncode>0</returncode>\n<output_head>\n{\"a\": \"x\n<elided_chars>\n900 characters elided\n</elided_chars>\ny\"}\n</output_tail>", shape: Cut, side: Middle, path: "/a", marker: "mini-swe-agent"},
		{
			name: "langchain", text: `{"a": "` + strings.Repeat("x", 493) + "...", shape: Cut, side: Prefix,
			path: "/a", marker: "LangChain",
		},
		{
			name: "pi tail", text: "\"x\"},\n {\"id\": 9}\n], \"next\": null}\n\n[Showing lines 8-10 of 10. Full output: /t/x]", shape: Cut, side: Tail,
			marker: "Pi",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ScanJSON(tt.text)
			if s.Shape != tt.shape || s.Side != tt.side || s.Path != tt.path || s.EndsOnLine != tt.endsOnLine || (s.Style == RowAware) != tt.rowAware {
				t.Errorf("got %+v", s)
			}
			if got := producer(s.Marker); got != tt.marker {
				t.Errorf("marker of %q, want %q", got, tt.marker)
			}
			if tt.wantProduce > 0 && s.Produced != tt.wantProduce {
				t.Errorf("produced %d, want %d", s.Produced, tt.wantProduce)
			}
			if (s.Shape == NotJSON || s.Shape == Several) == (s.Why == "") {
				t.Errorf("why: %q", s.Why)
			}
		})
	}
}

func producer(m *Marker) string {
	if m == nil {
		return ""
	}
	return m.Kind.Producer
}

// document writes a listing with an early and a late list, about 33,370 bytes.
func document(early, late int) string {
	r := rand.New(rand.NewPCG(7, 11))
	list := func(n int) []any {
		rows := make([]any, n)
		for i := range rows {
			size := 82
			if n == late {
				size = 49
			}
			rows[i] = map[string]any{"id": fmt.Sprintf("c%012x", r.Uint64()>>16), "name": fmt.Sprintf("svc-%03d", i), "pids": []int{r.IntN(900) + 100, r.IntN(9000) + 1000}, "state": strings.Repeat("x", size+r.IntN(5))}
		}
		return rows
	}
	b, _ := json.Marshal(map[string]any{"early_list": list(early), "late_list": list(late)})
	return string(b)
}

// TestPositionalAgainstRows reproduces the loss that a cut by position makes
// and one by rows does not.
func TestPositionalAgainstRows(t *testing.T) {
	text := document(118, 128)
	if len(text) < 32000 || len(text) > 35000 {
		t.Fatalf("the document has %d bytes", len(text))
	}
	full := ScanJSON(text)
	if full.RowsWhole["early_list"] != 118 || full.RowsWhole["late_list"] != 128 {
		t.Fatalf("rows %v", full.RowsWhole)
	}
	cut := ScanJSON(CutPrefix(text, 6000))
	if n := cut.RowsWhole["early_list"]; cut.Shape != Cut || n < 25 || n > 45 || cut.RowsWhole["late_list"] != 0 || !strings.HasPrefix(cut.Path, "/early_list/"+strconv.Itoa(n)) {
		t.Errorf("prefix: %s at %s, %v", cut.Shape, cut.Path, cut.RowsWhole)
	}
	kept := CutRows(text, 6000)
	rows := ScanJSON(kept)
	if len(kept) > 6000 || rows.Shape != Whole || rows.Style != RowAware || rows.RowsWhole["early_list"] < 10 || rows.RowsWhole["late_list"] < 10 {
		t.Errorf("rows: %d bytes, %s, %v", len(kept), rows.Shape, rows.RowsWhole)
	}
	mid := ScanJSON(CutMiddle(text, 6000))
	if mid.Shape != Cut || mid.Side != Middle || mid.Produced != len(text) || mid.Marker.Kind.Producer != "Codex" {
		t.Errorf("middle: %s %s, produced %d of %d", mid.Shape, mid.Side, mid.Produced, len(text))
	}
	if tail := ScanJSON(CutTail(text, 6000)); tail.Shape != NotJSON {
		t.Errorf("tail without marker: %s", tail.Shape)
	}
}

func TestMiddleKeepsFieldsOfTheRoot(t *testing.T) {
	text := `{"a": 1, "rows": [` + strings.Repeat(`{"id": 1, "s": "x"},`, 200) + `{"id": 2}], "total": {"n": 201}, "next": null}`
	s := ScanJSON(CutMiddle(text, 800))
	if s.Shape != Cut || s.Side != Middle || s.Fields["total/n"].Whole != 1 || s.Fields["next"].Whole != 1 || s.Fields["rows"].Part != 1 || s.Fields["a"].Whole != 1 {
		t.Errorf("%+v", s)
	}
}

func TestCrowdedStaysBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"a":1`)
	for i := range 5000 {
		fmt.Fprintf(&b, `,"k%d":{"v":%d}`, i, i)
	}
	b.WriteString("}")
	s := ScanJSON(b.String())
	if s.Shape != Whole || !s.Crowded || len(s.Fields) > maxFields {
		t.Errorf("%s crowded=%v fields=%d", s.Shape, s.Crowded, len(s.Fields))
	}
}

// oracle finds the innermost value that a cut broke by another method: it
// decodes token by token.
func oracle(text string) string {
	type level struct {
		array bool
		index int
		key   string
		inKey bool
	}
	var stack []level
	i := 0
	pop := func() {
		stack = stack[:len(stack)-1]
		if n := len(stack); n > 0 {
			stack[n-1].index++
			stack[n-1].inKey = false
		}
	}
	started := false
	for i < len(text) {
		switch c := text[i]; c {
		case '{', '[':
			stack = append(stack, level{array: c == '['})
			started = false
			i++
		case '}', ']':
			pop()
			started = false
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
		default:
			end := i + 1
			if c == '"' {
				for end < len(text) && text[end] != '"' {
					if text[end] == '\\' {
						end++
					}
					end++
				}
				end++
			} else {
				for end < len(text) && !strings.ContainsRune(",]} \n\t\r", rune(text[end])) {
					end++
				}
			}
			top := &stack[len(stack)-1]
			word := c != '"' && (text[i:min(end, len(text))] == "true" || text[i:min(end, len(text))] == "false" || text[i:min(end, len(text))] == "null")
			if end > len(text) || end == len(text) && c != '"' && !word {
				started = top.array || top.inKey
				i = len(text)
				break
			}
			if !top.array && !top.inKey {
				top.key = unquote(text[i+1 : end-1])
				top.inKey = true
			} else {
				top.index++
				top.inKey = false
			}
			i = end
		}
	}
	var b strings.Builder
	for n, l := range stack {
		last := n == len(stack)-1
		switch {
		case l.array && (!last || started):
			fmt.Fprintf(&b, "/%d", l.index)
		case !l.array && l.inKey:
			b.WriteString("/" + pointer.Replace(l.key))
		}
	}
	return b.String()
}

func FuzzScanJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2,{"b":"c\u00e9\n"}],"d":null}`, `[{"x":-1.5e3},{"x":true}]`, `["a",["b",{}]]`, "{\"a\": \"x…20 tokens truncated…y\"}",
		"<persisted-output>\nOutput too large (1KB). Full output saved to: x\n\nPreview (first 2KB):\n{\"a\n...\n</persisted-output>",
		"Exit code: 0\nOutput:\n{\"a\":1}", "\"}\n]}\n\n[Showing lines 8-10 of 10. x]", "{\n\n... [3 lines truncated] ...", "{\"a\": 1...",
	} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		s := ScanJSON(text)
		if s.At < 0 || s.At > len(text) || s.Body < 0 || s.Body > len(text) {
			t.Fatalf("out of range: %+v", s)
		}
		for _, m := range FindMarkers(text) {
			if m.Start < 0 || m.Start >= m.End || m.End > len(text) {
				t.Fatalf("marker out of range: %+v", m)
			}
		}
		doc := strings.TrimSpace(text)
		if !json.Valid([]byte(text)) || doc == "" || doc[0] != '{' && doc[0] != '[' || strings.Contains(text, "truncated") || strings.Contains(text, "response clipped") {
			return
		}
		if s.Shape != Whole {
			t.Fatalf("%q is valid and %s: %s", text, s.Shape, s.Why)
		}
		if at < 3 || at >= len(doc) || !begins(doc[:at]) {
			return
		}
		cut := ScanJSON(doc[:at])
		if want := oracle(doc[:at]); cut.Shape != Cut || cut.Path != want {
			t.Fatalf("%q: %s at %q, want a cut at %q (%s)", doc[:at], cut.Shape, cut.Path, want, cut.Why)
		}
	})
}

func BenchmarkScanJSON(b *testing.B) {
	text := document(118, 128)
	for name, doc := range map[string]string{"whole": text, "cut": CutPrefix(text, 20000), "big": strings.Repeat(" ", 4) + document(4000, 5000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				ScanJSON(doc)
			}
		})
	}
}

func BenchmarkFindMarkers(b *testing.B) {
	text := strings.Repeat("a line of output that says nothing … at all\n", 20000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		FindMarkers(text)
	}
}
