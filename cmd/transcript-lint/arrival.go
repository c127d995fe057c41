package main

import (
	"github.com/spf13/cobra"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/report"
)

func newArrival(std streams) *cobra.Command {
	var (
		source sourceFlags
		format string
		all    bool
	)
	cmd := &cobra.Command{
		Use:   "arrival [path|dir|glob|-]...",
		Short: "Show which fields of the tools' JSON results reached the model, and how often",
		RunE: func(cmd *cobra.Command, args []string) error {
			inputs, o, err := source.inputs(args, std)
			if err != nil {
				return err
			}
			table, troubles := audit.Arrival(cmd.Context(), inputs, o)
			if err := report.Arrival(std.out, table, report.ArrivalOptions{Format: format, All: all, Width: width(std.out)}); err != nil {
				return err
			}
			return unread(troubles)
		},
	}
	source.register(cmd.Flags())
	cmd.Flags().StringVarP(&format, "format", "f", "text", "text or json (mergeable)")
	cmd.Flags().BoolVar(&all, "all", false, "also fields that always arrived whole")
	return cmd
}

// unread turns inputs that could not be read into exit code 2.
func unread(troubles []error) error {
	if len(troubles) == 0 {
		return nil
	}
	msg := ""
	for i, err := range troubles {
		if i > 0 {
			msg += "\ntranscript-lint: "
		}
		msg += err.Error()
	}
	return &exitError{code: exitTrouble, msg: msg}
}
