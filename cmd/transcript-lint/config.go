package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/transcript-lint/transcript-lint/config"
)

// configFlags say which configuration is read.
type configFlags struct {
	path string
	none bool
}

func (f *configFlags) register(fs *pflag.FlagSet) {
	fs.StringVarP(&f.path, "config", "c", "", "read the configuration from `FILE` (default: $"+config.Env+", else the nearest "+config.Names[0]+" up to the root of the repository, else the user's own)")
	fs.BoolVar(&f.none, "no-config", false, "read no configuration")
}

// find is the path of the configuration that applies, "" for none.
func (f *configFlags) find() (string, error) {
	switch {
	case f.none && f.path != "":
		return "", errors.New("--config and --no-config exclude each other")
	case f.none:
		return "", nil
	case f.path != "":
		return f.path, nil
	}
	return config.Find(".")
}

func (f *configFlags) load() (*config.Config, error) {
	path, err := f.find()
	if err != nil || path == "" {
		return &config.Config{}, err
	}
	return config.Load(path)
}

func newConfig(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Begin, show or validate a configuration",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigInit(std), newConfigShow(std), newConfigValidate(std))
	return cmd
}

func newConfigInit(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a configuration with every key explained (default " + config.Names[0] + ")",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := config.Names[0]
			if len(args) > 0 {
				path = args[0]
			}
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists already; it is left as it is", path)
			}
			if err != nil {
				return err
			}
			if _, err := file.WriteString(config.Template); err != nil {
				file.Close()
				return err
			}
			fmt.Fprintln(std.out, "wrote", path)
			return file.Close()
		},
	}
}

func newConfigShow(std streams) *cobra.Command {
	var f configFlags
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the configuration in force: where it is from, every rule's level and options",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := f.load()
			if err != nil {
				return err
			}
			return c.Show(std.out)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func newConfigValidate(std streams) *cobra.Command {
	var f configFlags
	cmd := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a configuration: keys, rules, options, globs, conditions",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				f.path = args[0]
			}
			c, err := f.load()
			if err != nil {
				return err
			}
			if c.Path == "" {
				return errors.New("there is no configuration here; `transcript-lint config init` begins one")
			}
			fmt.Fprintln(std.out, c.Path+": ok")
			return nil
		},
	}
	f.register(cmd.Flags())
	return cmd
}
