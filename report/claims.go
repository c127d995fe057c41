package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Proof is the proof table of one input: every claim of success with its
// standing.
type Proof struct {
	Path   string     `json:"path"`
	Claims []ClaimRow `json:"claims"`
}

// ClaimRow is one claim, and the run that it stands or falls with.
type ClaimRow struct {
	Line         int    `json:"line"` // 0 for a text that is not part of the log
	Where        string `json:"where"`
	Subject      string `json:"subject"`
	Quote        string `json:"quote"`
	Standing     string `json:"standing"`
	Why          string `json:"why,omitempty"`
	Final        bool   `json:"final"`
	Contradicted bool   `json:"contradicted"`
	RunLine      int    `json:"runLine,omitempty"`
	Run          string `json:"run,omitempty"`
	EndLine      int    `json:"endLine,omitempty"`
	End          string `json:"end,omitempty"`
	EditLine     int    `json:"editLine,omitempty"`
	Edit         string `json:"edit,omitempty"`
}

// Claims prints a proof table as text or json.
func Claims(w io.Writer, p Proof, format string, width int) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(p)
	}
	if format != "text" {
		return fmt.Errorf("--format %q: use text or json", format)
	}
	if width <= 0 {
		width = 100
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", Escape(p.Path), plural(len(p.Claims), "claim"))
	for _, c := range p.Claims {
		mark := " "
		if c.Final {
			mark = "»"
		}
		fmt.Fprintf(&b, "%s %-13s %s %s  “%s”\n", mark, c.Standing, atLine(c.Line), pad(c.Subject, 10), Escape(cutTo(c.Quote, max(20, width-40))))
		if basis := c.basis(); basis != "" {
			fmt.Fprintf(&b, "                %s\n", Escape(cutTo(basis, max(20, width-16))))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// basis words what the standing rests on.
func (c ClaimRow) basis() string {
	var parts []string
	if c.Run != "" {
		parts = append(parts, fmt.Sprintf("line %d: %s", c.RunLine, strings.Join(strings.Fields(c.Run), " ")))
	}
	if c.End != "" {
		parts = append(parts, fmt.Sprintf("ended %s (line %d)", c.End, c.EndLine))
	}
	if c.Edit != "" {
		parts = append(parts, fmt.Sprintf("then %s was edited (line %d)", c.Edit, c.EditLine))
	}
	if c.Why != "" {
		parts = append(parts, c.Why)
	}
	// The end and the reason matter most: let the command give way.
	if len(parts) > 1 && c.Run != "" {
		parts[0] = cutTo(parts[0], 48)
	}
	return strings.Join(parts, "; ")
}

func atLine(line int) string {
	if line == 0 {
		return "text      "
	}
	return fmt.Sprintf("line %-5d", line)
}

// cutTo shortens s to n runes.
func cutTo(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Rerun is one check that must be run again.
type Rerun struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Command string `json:"command"`
	Dir     string `json:"dir,omitempty"`
	End     string `json:"end"`
	EndLine int    `json:"endLine,omitempty"`
	Claimed []int  `json:"claimed,omitempty"` // lines that claimed its success all the same
}

// Reruns prints the list as text, as json, or as a shell script in which every
// line is commented out: this tool never runs anything.
func Reruns(w io.Writer, list []Rerun, format string) error {
	switch format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, r := range list {
			if err := enc.Encode(r); err != nil {
				return err
			}
		}
		return nil
	case "text":
		return rerunText(w, list)
	case "sh":
		return rerunScript(w, list)
	}
	return fmt.Errorf("--format %q: use text, json or sh", format)
}

func rerunText(w io.Writer, list []Rerun) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "nothing has to be run again")
		return err
	}
	for _, r := range list {
		claimed := ""
		if len(r.Claimed) > 0 {
			claimed = fmt.Sprintf("; its success was claimed in line %s", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(r.Claimed)), ", "), "[]"))
		}
		if _, err := fmt.Fprintf(w, "%s:%d: %s\n    ended %s (line %d)%s\n", Escape(r.Path), r.Line, Escape(r.Command), r.End, r.EndLine, claimed); err != nil {
			return err
		}
	}
	return nil
}

func rerunScript(w io.Writer, list []Rerun) error {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# Checks that did not end well and were not run again. Read each line before you take its # away.\n")
	for _, r := range list {
		fmt.Fprintf(&b, "\n# %s line %d: ended %s\n", Escape(r.Path), r.Line, r.End)
		if r.Dir != "" {
			fmt.Fprintf(&b, "# cd %s\n", Escape(r.Dir))
		}
		for line := range strings.SplitSeq(r.Command, "\n") {
			fmt.Fprintf(&b, "# %s\n", Escape(line))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
