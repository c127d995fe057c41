package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitClean    = 0
	exitFindings = 1 // findings at or above --fail-on
	exitTrouble  = 2 // usage, configuration, or an input that could not be read
)

// streams are the standard streams, so that the whole command runs in a test.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// exitError ends the command with a code. An empty message prints nothing.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// run is the program: arguments in, exit code out.
func run(args []string, std streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot(std)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var exit *exitError
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, syscall.EPIPE):
		return exitClean // the reader of a pipe has seen enough
	case errors.As(err, &exit):
		if exit.msg != "" {
			fmt.Fprintln(std.err, "transcript-lint:", exit.msg)
		}
		return exit.code
	}
	fmt.Fprintln(std.err, "transcript-lint:", err)
	return exitTrouble
}

// newRoot builds the command tree afresh.
func newRoot(std streams) *cobra.Command {
	check := newCheck(std)
	root := &cobra.Command{
		Use:   "transcript-lint [flags] [path|dir|glob|-]...",
		Short: "Find where an agent's log says more than it shows",
		Long: `transcript-lint reads the logs of coding agents and reports every place where
what they say and what they show disagree: success claimed for a killed test
run, JSON cut on its way to the model, approvals after a timeout, and more.
No model judges: the same log gives the same answer.

Without a command it checks the given paths: files, directories, doublestar
globs (quote them), or "-" for standard input.

Exit codes: 0 clean, 1 findings at or above --fail-on, 2 usage, configuration
or unreadable input (everything readable is still reported).`,
		Args:          cobra.ArbitraryArgs,
		RunE:          check.RunE,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.Flags().AddFlagSet(check.Flags())
	root.SetVersionTemplate("transcript-lint {{.Version}}\n")
	root.AddCommand(check, newArrival(std), newClaims(std), newRerun(std), newInspect(std), newNormalize(std), newConfig(std), newRules(std), newExplain(std), newVersion(std))
	return root
}
