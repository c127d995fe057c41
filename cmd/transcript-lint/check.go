package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/config"
	"github.com/transcript-lint/transcript-lint/finding"
	"github.com/transcript-lint/transcript-lint/repo"
	"github.com/transcript-lint/transcript-lint/report"
	"github.com/transcript-lint/transcript-lint/transcript"
)

// sourceFlags say what is read, for every command that reads logs.
type sourceFlags struct {
	filesFrom   string
	exclude     []string
	inputFormat string
	mapping     string
	maxLine     int
	jobs        int
	skip        func(path string) bool // of the configuration
}

func (f *sourceFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.filesFrom, "files-from", "", "read further paths from `FILE`, one a line (- for standard input)")
	fs.StringArrayVar(&f.exclude, "exclude", nil, "leave out files that match the doublestar `GLOB` (repeatable)")
	fs.StringVar(&f.inputFormat, "input-format", "", "take every input for `FORMAT` instead of looking at its content")
	fs.StringVar(&f.mapping, "mapping", "", "read an in-house format as `FILE` describes it (docs/mapping.md)")
	fs.IntVar(&f.maxLine, "max-line-bytes", 0, "skip and report lines longer than `N` bytes (default 64 MiB)")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "audit `N` files at once (default: one a processor)")
}

// inputs resolves the flags and arguments into inputs and reading options.
func (f *sourceFlags) inputs(args []string, std streams) ([]audit.Input, audit.Options, error) {
	o := audit.Options{MaxLine: f.maxLine, Jobs: f.jobs}
	if f.inputFormat != "" {
		if o.Format = transcript.FormatByName(f.inputFormat); o.Format == nil {
			return nil, o, fmt.Errorf("--input-format %q is not known; use one of %s", f.inputFormat, strings.Join(transcript.FormatNames(), ", "))
		}
	}
	if f.mapping != "" {
		format, err := audit.LoadMapping(f.mapping)
		if err != nil {
			return nil, o, fmt.Errorf("--mapping: %w", err)
		}
		o.Format = format
	}
	if f.filesFrom != "" {
		more, err := f.listed(std)
		if err != nil {
			return nil, o, err
		}
		args = append(args, more...)
	}
	if len(args) == 0 {
		return nil, o, fmt.Errorf("nothing to read: name a file, a directory, a glob, or - (see --help)")
	}
	in, err := audit.Source{Args: args, Exclude: f.exclude, Skip: f.skip, Stdin: std.in}.Inputs()
	return in, o, err
}

func (f *sourceFlags) listed(std streams) ([]string, error) {
	if f.filesFrom == "-" {
		return audit.PathsFrom(std.in)
	}
	list, err := os.Open(f.filesFrom)
	if err != nil {
		return nil, fmt.Errorf("--files-from: %w", err)
	}
	defer list.Close()
	return audit.PathsFrom(list)
}

// checkFlags are the flags of the main job.
type checkFlags struct {
	sourceFlags
	configFlags
	audit.Selection
	formats  []string
	outputs  []string
	failOn   string
	exitZero bool
	repo     string
	tools    []string
	color    string
	quiet    bool
	verbose  bool
	stats    bool
	maxSARIF int
}

func newCheck(std streams) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [path|dir|glob|-]...",
		Short: "Audit logs and report findings (the default command)",
		RunE:  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, std) },
	}
	fs := cmd.Flags()
	f.sourceFlags.register(fs)
	f.configFlags.register(fs)
	fs.StringSliceVar(&f.Enable, "enable", nil, "switch `RULE` on (repeatable)")
	fs.StringSliceVar(&f.Disable, "disable", nil, "switch `RULE` off (repeatable)")
	fs.StringSliceVar(&f.Only, "only", nil, "run nothing but `RULE` (repeatable)")
	fs.StringSliceVar(&f.Severity, "severity", nil, "set a level: `RULE=LEVEL` with error, warning, note or none (repeatable)")
	fs.StringSliceVar(&f.Set, "set", nil, "set an option: `RULE.OPTION=VALUE` (repeatable)")
	fs.StringArrayVarP(&f.formats, "format", "f", nil, "print as `FORMAT`: "+strings.Join(report.Names(), ", ")+" (default text)")
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, "write `FORMAT=FILE` as well, or FILE alone in --format (repeatable)")
	fs.StringVar(&f.failOn, "fail-on", "error", "exit 1 on findings of this `LEVEL` or above: error, warning, note, never")
	fs.StringVar(&f.repo, "repo", "", "hold what is claimed against the git repository in `DIR` too (read only)")
	fs.StringArrayVar(&f.tools, "tools", nil, "read the tools' declarations from `FILE`: a request's tools, or MCP's tools/list (repeatable)")
	fs.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 even when there are findings")
	fs.StringVar(&f.color, "color", "auto", "colour the text: auto, always, never")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print errors and warnings only, no summary")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every note and every step of evidence")
	fs.BoolVar(&f.stats, "stats", false, "add formats, counts, and what could not be checked and why")
	fs.IntVar(&f.maxSARIF, "max-results", 5000, "keep the `N` most severe results in SARIF, 0 for all")
	return cmd
}

// configured reads the configuration and what it says where no flag does.
func (f *checkFlags) configured(cmd *cobra.Command, std streams) (*config.Config, error) {
	conf, err := f.load()
	if err != nil {
		return nil, err
	}
	if conf.Path != "" && f.verbose {
		fmt.Fprintln(std.err, "transcript-lint: configuration:", conf.Path)
	}
	if conf.FailOn != "" && !cmd.Flags().Changed("fail-on") {
		f.failOn = conf.FailOn
	}
	f.skip = conf.Excluded
	return conf, nil
}

func (f *checkFlags) run(cmd *cobra.Command, args []string, std streams) error {
	conf, err := f.configured(cmd, std)
	if err != nil {
		return err
	}
	inputs, o, err := f.inputs(args, std)
	if err != nil {
		return err
	}
	if o.Rules, o.RulesFor, err = conf.Rules(f.Selection); err != nil {
		return err
	}
	if err := f.outside(&o); err != nil {
		return err
	}
	threshold, err := parseFailOn(f.failOn)
	if err != nil {
		return err
	}
	out, err := f.openOutputs(std)
	if err != nil {
		return err
	}
	frugal(min(len(inputs), o.Workers()))
	progress := newProgress(std.err, len(inputs), f.quiet)
	totals, err := audit.Report(cmd.Context(), inputs, o, audit.ReportOptions{
		Writer: out, Version: version(), FailOn: threshold, ExitZero: f.exitZero, Each: progress.step,
	})
	progress.done()
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if totals.ExitCode != exitClean {
		return &exitError{code: totals.ExitCode}
	}
	return nil
}

// outside opens what the logs are held against beside themselves.
func (f *checkFlags) outside(o *audit.Options) (err error) {
	if f.repo != "" {
		r, err := repo.Open(f.repo)
		if err != nil {
			return fmt.Errorf("--repo: %w", err)
		}
		o.Repo = r
	}
	if o.Tools, err = audit.LoadTools(f.tools); err != nil {
		return fmt.Errorf("--tools: %w", err)
	}
	return nil
}

// parseFailOn reads the level at which a run fails; never is above them all.
func parseFailOn(s string) (finding.Level, error) {
	if s == "never" {
		return finding.Error + 1, nil
	}
	l, err := finding.ParseLevel(s)
	if err != nil || l == finding.None {
		return 0, fmt.Errorf("--fail-on %q: use error, warning, note or never", s)
	}
	return l, nil
}
