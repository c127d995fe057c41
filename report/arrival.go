package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/transcript-lint/transcript-lint/ledger/delivery"
)

// ArrivalOptions say how the arrival table is printed.
type ArrivalOptions struct {
	Format string // text or json
	All    bool   // also fields that always arrived whole
	Width  int    // columns of the terminal, 0 unknown
}

// Arrival prints, per tool and field, in how many of the calls that produced
// the field it reached the model whole. The JSON form holds the sufficient
// counts, so that tables of shards can be merged.
func Arrival(w io.Writer, t *delivery.Table, o ArrivalOptions) error {
	switch o.Format {
	case "json":
		data, err := json.Marshal(t)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", data)
		return err
	case "text", "":
		_, err := io.WriteString(w, arrivalText(t.Rows(), o))
		return err
	}
	return fmt.Errorf("--format %q: use text or json", o.Format)
}

func arrivalText(rows []delivery.Row, o ArrivalOptions) string {
	width := o.Width
	if width <= 0 {
		width = 100
	}
	toolWidth, fieldWidth := 16, max(16, width-16-52)
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s %-*s %8s %6s %5s %5s %7s  %s\n", toolWidth, "TOOL", fieldWidth, "FIELD", "PRODUCED", "WHOLE", "PART", "LOST", "ARRIVED", "HOW")
	shown, hidden := 0, 0
	for _, r := range rows {
		if r.Rate >= 1 && !o.All {
			hidden++
			continue
		}
		shown++
		fmt.Fprintf(&b, "%s %s %8d %6d %5d %5d %6.1f%%  %s\n", pad(Escape(r.Tool), toolWidth), pad(Escape(r.Field), fieldWidth),
			r.Produced, r.Whole, r.Part, r.Lost, 100*r.Rate, how(r))
	}
	switch {
	case shown == 0 && hidden == 0:
		return "No tool result in these logs was JSON.\n"
	case shown == 0:
		return fmt.Sprintf("Every field of the tools' JSON arrived whole (%d fields; --all lists them).\n", hidden)
	case hidden > 0:
		fmt.Fprintf(&b, "%d more fields always arrived whole (--all lists them).\n", hidden)
	}
	return b.String()
}

// how says where the number comes from: exact when the full result is in the
// log, else estimated from uncut results of the same tool, with its bounds.
func how(r delivery.Row) string {
	if r.How == "exact" {
		return r.How
	}
	return fmt.Sprintf("%s %.0f-%.0f%%", r.How, 100*r.Low, 100*r.High)
}

// pad fits s into a column, counted in runes.
func pad(s string, n int) string {
	r := []rune(s)
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s + strings.Repeat(" ", n-len(r))
}
