package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/report"
)

func newInspect(std streams) *cobra.Command {
	var source sourceFlags
	var format string
	cmd := &cobra.Command{
		Use:   "inspect [path|dir|glob|-]...",
		Short: "Say what a log is and what was understood of it: the first thing to run on a foreign log",
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, o, err := source.inputs(args, std)
			if err != nil {
				return err
			}
			var troubles []error
			for n, in := range inputs {
				i, err := audit.Inspect(in, o)
				if err != nil {
					troubles = append(troubles, err)
				}
				if n > 0 && format == "text" {
					if _, err := std.out.Write([]byte("\n")); err != nil {
						return err
					}
				}
				if err := report.Inspect(std.out, i, format); err != nil {
					return err
				}
			}
			return unread(troubles)
		},
	}
	source.register(cmd.Flags())
	cmd.Flags().StringVarP(&format, "format", "f", "text", "text or json")
	return cmd
}

func newNormalize(std streams) *cobra.Command {
	var source sourceFlags
	cmd := &cobra.Command{
		Use:   "normalize [path|dir|glob|-]...",
		Short: "Print a log's events in the documented vocabulary (docs/events.md), one a line",
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, o, err := source.inputs(args, std)
			if err != nil {
				return err
			}
			w := bufio.NewWriterSize(std.out, 64<<10)
			var troubles []error
			for _, in := range inputs {
				if err := audit.Normalize(w, in, o); err != nil {
					troubles = append(troubles, err)
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			return unread(troubles)
		},
	}
	source.register(cmd.Flags())
	return cmd
}
