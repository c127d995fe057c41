package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/transcript-lint/transcript-lint/catalogue"
	"github.com/transcript-lint/transcript-lint/rules"
)

// release is set by the linker when a release is built.
var release string

// version is the release, or what the build knows of its source.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

func newVersion(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(std.out, "transcript-lint", version())
			return err
		},
	}
}

func newRules(std streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return catalogue.List(std.out, format) },
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "text, json or markdown (the whole documentation)")
	return cmd
}

func newExplain(std streams) *cobra.Command {
	return &cobra.Command{
		Use:               "explain RULE",
		Short:             "Explain a rule: why, a firing and a silent example, how to fix it, its options",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			r := rules.ByID(args[0])
			if r == nil {
				return fmt.Errorf("there is no rule %q; `transcript-lint rules` lists them%s", args[0], catalogue.Suggest(args[0]))
			}
			return catalogue.Explain(std.out, r, width(std.out))
		},
	}
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, r := range rules.All {
		ids = append(ids, r.ID+"\t"+r.Title)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
