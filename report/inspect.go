package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Inspection is what one input is and what was understood of it.
type Inspection struct {
	Path         string    `json:"path"`
	Format       string    `json:"format"`
	Title        string    `json:"title"`
	Compression  string    `json:"compression,omitempty"`
	Bytes        int64     `json:"bytes"`
	Lines        int64     `json:"lines"`
	Records      int64     `json:"records"`
	Events       int64     `json:"events"`
	Sessions     int       `json:"sessions"`
	Starts       int       `json:"-"`
	Policy       string    `json:"policy,omitempty"`
	First        time.Time `json:"first,omitzero"`
	Last         time.Time `json:"last,omitzero"`
	Models       []Count   `json:"models,omitempty"`
	Agents       []Count   `json:"agents,omitempty"`
	Kinds        []Count   `json:"kinds,omitempty"`
	Tools        []Count   `json:"tools,omitempty"`
	Terminations []Count   `json:"terminations,omitempty"`
	Faults       []Count   `json:"faults,omitempty"`
	Unknown      []Count   `json:"unknown,omitempty"`
	Keys         []string  `json:"keys,omitempty"`
	Undetermined []string  `json:"undetermined,omitempty"`
}

// Count is how often something was seen.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// listed is how many entries of a list the text shows.
const listed = 12

// Inspect prints an inspection as text or json.
func Inspect(w io.Writer, i Inspection, format string) error {
	switch format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(i)
	case "text", "":
		_, err := io.WriteString(w, inspectText(i))
		return err
	}
	return fmt.Errorf("--format %q: use text or json", format)
}

func inspectText(i Inspection) string {
	var b strings.Builder
	title := i.Title
	if title == "" {
		title = "unknown format"
	}
	fmt.Fprintf(&b, "%s\n  %s", Escape(i.Path), Escape(title))
	if i.Format != "" {
		fmt.Fprintf(&b, " (--input-format %s)", i.Format)
	}
	fmt.Fprintf(&b, "\n  %d bytes, %d lines, %d records, %d events, %d sessions\n", i.Bytes, i.Lines, i.Records, i.Events, i.Sessions)
	if !i.First.IsZero() {
		fmt.Fprintf(&b, "  from %s to %s (%s)\n", i.First.Format(time.RFC3339), i.Last.Format(time.RFC3339), i.Last.Sub(i.First).Round(time.Second))
	}
	if i.Policy != "" {
		fmt.Fprintf(&b, "  policy: %s\n", Escape(i.Policy))
	}
	for _, l := range []struct {
		name   string
		counts []Count
	}{
		{"models", i.Models},
		{"subagents", i.Agents},
		{"events", i.Kinds},
		{"tools", i.Tools},
		{"how results ended", i.Terminations},
		{"damage", i.Faults},
		{"records not understood", i.Unknown},
	} {
		writeCounts(&b, l.name, l.counts)
	}
	if len(i.Keys) > 0 {
		fmt.Fprintf(&b, "\nkeys of the first records\n  %s\n", Escape(strings.Join(i.Keys, ", ")))
	}
	if len(i.Undetermined) > 0 {
		b.WriteString("\nnot determined\n")
		for _, u := range i.Undetermined {
			fmt.Fprintf(&b, "  %s\n", Escape(u))
		}
	}
	return b.String()
}

func writeCounts(b *strings.Builder, name string, cs []Count) {
	if len(cs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", name)
	for k, c := range cs {
		if k == listed {
			fmt.Fprintf(b, "          ... and %d more\n", len(cs)-k)
			break
		}
		fmt.Fprintf(b, "  %6d  %s\n", c.N, Escape(c.Name))
	}
}
