package transcript

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// pool is what mixtures are made of: the lines of the example sessions, their
// documents whole and on one line, and the keys that stand in them.
type pool struct{ items, keys []string }

var jsonKey = regexp.MustCompile(`"([A-Za-z_$][\w.$-]*)" ?:`)

func examplePool(tb testing.TB) (p pool) {
	tb.Helper()
	err := filepath.WalkDir("../testdata/sessions", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".txt") || strings.Contains(path, "compressed") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var line bytes.Buffer
		if json.Compact(&line, text) == nil {
			p.items = append(p.items, string(text), line.String())
		} else {
			p.items = append(p.items, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		}
		for _, m := range jsonKey.FindAllSubmatch(text, -1) {
			p.keys = append(p.keys, string(m[1]))
		}
		return nil
	})
	if err != nil || len(p.items) == 0 {
		tb.Fatal(err, len(p.items))
	}
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
	return p
}

// mix cooks an input after a recipe: three bytes a step, which take an item
// and may cut it, rename a key of it, or glue the next one to it.
func (p *pool) mix(recipe []byte) string {
	var b strings.Builder
	for ; len(recipe) >= 4 && b.Len() < 64<<10; recipe = recipe[4:] {
		item := p.items[(int(recipe[1])<<8|int(recipe[2]))%len(p.items)]
		n := int(recipe[3])
		switch recipe[0] % 6 {
		case 0, 1:
			item += "\n"
		case 2: // cut at its end
			item = item[:len(item)*n/256] + "\n"
		case 3: // its end only
			item = item[len(item)*n/256:] + "\n"
		case 4: // one of its first keys has another name
			if at := jsonKey.FindAllStringSubmatchIndex(item, 1+n%8); len(at) > 0 {
				k := at[len(at)-1]
				item = item[:k[2]] + p.keys[(n*31+int(recipe[2]))%len(p.keys)] + item[k[3]:]
			}
			item += "\n"
		} // 5: glued to the next
		b.WriteString(item)
	}
	return b.String()
}

// FuzzSniff mixes the example sessions. Whatever format their mixture is taken
// for, its decoder must know at least one record of it.
func FuzzSniff(f *testing.F) {
	p := examplePool(f)
	for i := range p.items {
		j := i * 7 % len(p.items)
		f.Add([]byte{byte(i), byte(i >> 8), byte(i), byte(37 * i), 0, byte(j >> 8), byte(j), 0})
	}
	f.Fuzz(func(t *testing.T, recipe []byte) {
		in := p.mix(recipe)
		if r := NewReader(strings.NewReader(in), jsonl.Options{Poison: true}, nil); r.Format() != nil && knowsNone(r) {
			t.Errorf("%s knows none of\n%s", r.Format().Name, clipLines(in))
		}
	})
}

// knowsNone reads an input to its end and reports whether every record of it
// was unknown to the decoder.
func knowsNone(r *Reader) bool {
	d := r.format.New()
	records, unknown := 0, 0
	for r.lines.Next() {
		rec := r.lines.Record()
		if rec.Fault != nil {
			continue
		}
		events, strange := 0, 0
		r.decode(d, rec, func(e *Event) {
			events++
			if e.Kind == Unknown {
				strange++
			}
		})
		records++
		if events > 0 && strange == events {
			unknown++
		}
	}
	d.Flush(func(*Event) {})
	return records > 0 && unknown == records
}

func clipLines(in string) string {
	var out []string
	for line := range strings.Lines(in) {
		out = append(out, Clip(strings.TrimSpace(line), 400))
	}
	return strings.Join(out, "\n")
}
