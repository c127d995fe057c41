package transcript

import "github.com/transcript-lint/transcript-lint/jsonl"

func (d *events) step(v jsonl.Value, r *record) bool   { return false }
func (d *events) spoken(v jsonl.Value, r *record) bool { return false }

type wholeRecord struct{}

func (d *events) piece(rec *jsonl.Record) { d.record(rec.Root) }
func (d *events) flushWhole()             {}

func sniffEvents(head []jsonl.Probe) int {
	score := 0
	for _, p := range head {
		if ev := p.Root.Get("event"); ev.Kind() == jsonl.String {
			if _, ok := kindByName[ev.Str()]; ok {
				score = 90
			}
		}
	}
	return score
}
