package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/report"
)

func newClaims(std streams) *cobra.Command {
	var (
		source       sourceFlags
		format, text string
	)
	cmd := &cobra.Command{
		Use:   "claims [path|dir|glob|-]...",
		Short: "Print the proof table: every claim of success, what it rests on, and whether that holds",
		Long: `Prints every claim of success with its standing: backed, stale (files were
edited since), contradicted, narrowed, masked, unsupported, or not checkable and
why. » marks the session's last word. Exits 1 when a contradicted claim stands
there, or in the text that --text holds against the session.`,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, o, err := source.inputs(args, std)
			if err != nil {
				return err
			}
			body, err := readText(text, std)
			if err != nil {
				return err
			}
			return printClaims(inputs, o, body, format, std)
		},
	}
	source.register(cmd.Flags())
	cmd.Flags().StringVarP(&format, "format", "f", "text", "text or json")
	cmd.Flags().StringVar(&text, "text", "", "hold the claims in `FILE` against the session too, the body of a pull request, say")
	return cmd
}

func readText(path string, std streams) (string, error) {
	switch path {
	case "":
		return "", nil
	case "-":
		b, err := io.ReadAll(std.in)
		return string(b), err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("--text: %w", err)
	}
	return string(b), nil
}

func printClaims(inputs []audit.Input, o audit.Options, body, format string, std streams) error {
	var troubles []error
	contradicted := false
	for _, in := range inputs {
		proof, err := audit.Claims(in, o, body)
		if err != nil {
			troubles = append(troubles, err)
			continue
		}
		for _, c := range proof.Claims {
			contradicted = contradicted || c.Final && c.Contradicted
		}
		if err := report.Claims(std.out, proof, format, width(std.out)); err != nil {
			return err
		}
	}
	if err := unread(troubles); err != nil {
		return err
	}
	if contradicted {
		return &exitError{code: exitFindings}
	}
	return nil
}

func newRerun(std streams) *cobra.Command {
	var source sourceFlags
	var format string
	cmd := &cobra.Command{
		Use:   "rerun [path|dir|glob|-]...",
		Short: "List the checks that did not end well and were never run again",
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, o, err := source.inputs(args, std)
			if err != nil {
				return err
			}
			var list []report.Rerun
			var troubles []error
			for _, in := range inputs {
				more, err := audit.Reruns(in, o)
				if err != nil {
					troubles = append(troubles, err)
				}
				list = append(list, more...)
			}
			if err := report.Reruns(std.out, list, format); err != nil {
				return err
			}
			return unread(troubles)
		},
	}
	source.register(cmd.Flags())
	cmd.Flags().StringVarP(&format, "format", "f", "text", "text, json, or sh: a script in which every line is commented out")
	return cmd
}
