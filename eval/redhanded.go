package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/ledger"
	"github.com/transcript-lint/transcript-lint/ledger/claim"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// redHandedPackage is the neighbour that set (d) runs side by side.
const redHandedPackage = "@jinhyuk9714/red-handed@0.5.0"

// neighbour is what red-handed says of the Claude Code sessions.
type neighbour struct {
	why      string // why it was not run, "" when it was
	sessions int
	found    []difference
}

// runNeighbour is set (d). It installs the package into a folder of its own
// when npm is there and the network allows it; nothing of it is committed.
func runNeighbour(corpus, eval string) *neighbour {
	files, _ := filepath.Glob(filepath.Join(corpus, "claude-code", "*.jsonl"))
	if len(files) == 0 {
		return &neighbour{why: "the corpus is not there"}
	}
	cli, err := installNeighbour(eval)
	if err != nil {
		return &neighbour{why: err.Error()}
	}
	work, err := os.MkdirTemp("", "red-handed")
	if err != nil {
		return &neighbour{why: err.Error()}
	}
	defer os.RemoveAll(work)
	n := &neighbour{}
	slices.Sort(files)
	for _, file := range files {
		if err := n.audit(cli, file, work); err != nil {
			return &neighbour{why: fmt.Sprintf("it could not read %s: %v", filepath.Base(file), err)}
		}
	}
	return n
}

func installNeighbour(eval string) (string, error) {
	dir := filepath.Join(eval, "node_modules", "@jinhyuk9714", "red-handed", "dist", "cli.js")
	cli, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(cli); err == nil {
		return cli, nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return "", fmt.Errorf("npm is not there")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", eval, "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--silent", redHandedPackage)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm could not install %s: %w: %s", redHandedPackage, err, strings.TrimSpace(string(out)))
	}
	return cli, nil
}

func (n *neighbour) audit(cli, file, work string) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", cli, "audit", "--session", abs, "--json", "--fail-on", "never", "--cwd", work)
	cmd.Env = append(os.Environ(), "HOME="+work)
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var report struct {
		Findings []struct {
			Detector, Tier string
			MessageVars    struct{ Claim string }
			Evidence       []struct{ Kind, UUID string }
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return err
	}
	n.sessions++
	standing := standings(abs)
	for _, f := range report.Findings {
		d := difference{file: "claude-code/" + filepath.Base(file), detector: f.Detector, tier: f.Tier, claim: f.MessageVars.Claim}
		for _, e := range f.Evidence {
			if e.Kind == "quote" {
				d.at = standing[e.UUID]
			}
		}
		n.found = append(n.found, d)
	}
	return nil
}

// A difference is one finding of the neighbour's, with what our ledger makes
// of the words that it is about.
type difference struct {
	file, detector, tier, claim string
	at                          stand
}

// stand is how the claims of one record stand to the evidence, by our ledger.
type stand struct {
	line   int
	says   []string // standings, "no claim" when it reads none
	reason string
}

// standings judges every claim of a session, by the id of its record.
func standings(file string) map[string]stand {
	out := map[string]stand{}
	data, err := os.ReadFile(file)
	if err != nil {
		return out
	}
	r := reader(data)
	if r.Format() == nil {
		return out
	}
	led := ledger.New(file, r.Format().Name)
	_ = r.Read(func(e *transcript.Event) {
		led.Observe(e)
		if e.Kind != transcript.Message || e.Pos.ID == "" {
			return
		}
		s, id := out[e.Pos.ID], strings.Clone(e.Pos.ID)
		s.line = e.Pos.Line
		for _, c := range led.Fresh {
			if c.Subject != claim.Tests && c.Subject != claim.Verified {
				continue
			}
			word := c.Polarity.String()
			if c.Polarity == claim.Positive {
				v := led.Judge(c)
				word = v.Standing.String()
				if v.Why != "" && s.reason == "" {
					s.reason = v.Why
				}
			}
			if !slices.Contains(s.says, word) {
				s.says = append(s.says, word)
			}
		}
		out[id] = s
	})
	return out
}

// table prints the neighbour's findings with our view of the same words.
func (n *neighbour) table(b *strings.Builder) {
	if n.why != "" {
		fmt.Fprintf(b, "Not run: %s. The judgement below is of the run that was kept.\n\n", n.why)
		return
	}
	fmt.Fprintf(b, "%d Claude Code sessions, %d findings of `%s`.\n\n| place | detector | claim | our ledger on the same words |\n|---|---|---|---|\n", n.sessions, len(n.found), redHandedPackage)
	for _, d := range n.found {
		says := strings.Join(d.at.says, ", ")
		if says == "" {
			says = "reads no claim"
		}
		if d.at.reason != "" {
			says += " (" + d.at.reason + ")"
		}
		fmt.Fprintf(b, "| %s:%d | %s %s | %s | %s |\n", d.file, d.at.line, strings.ToLower(d.tier), d.detector, cell1(d.claim), cell1(says))
	}
	b.WriteByte('\n')
}

// cell1 makes a text fit a cell of a table.
func cell1(s string) string {
	return strings.ReplaceAll(transcript.Clip(strings.Join(strings.Fields(s), " "), 110), "|", "\\|")
}
