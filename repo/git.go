package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Bounds on what one question, and all of them together, may cost.
const (
	oneQuestion  = 10 * time.Second
	allQuestions = 60 * time.Second
	mostOutput   = 16 << 20 // bytes of git's answer
	mostComplain = 4 << 10  // bytes of what it says on its standard error
)

// harmless are the settings that keep git from running anything or talking to
// anybody, whatever the repository's own configuration asks for.
var harmless = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.pager=cat", "core.fileMode=false", "core.askPass=", "core.sshCommand=false",
	"credential.helper=", "diff.external=", "log.showSignature=false", "gpg.program=false", "gc.auto=0", "maintenance.auto=false",
	"protocol.allow=never", "submodule.recurse=false", "status.submoduleSummary=false", "color.ui=false", "core.quotePath=false",
}

// kept are the variables of git's own that are handed on: where it is
// installed, and which configuration is the user's. The others say which
// repository is meant, or make git write traces.
var kept = []string{"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}

// environ is what git runs in. The settings go by the environment, where no
// character of their names can be taken for a separator.
func environ(settings []string) []string {
	env := []string{
		"GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat",
		"GIT_ASKPASS=", "SSH_ASKPASS=", "LC_ALL=C",
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GIT_") && !slices.Contains(kept, name) || name == "SSH_ASKPASS" || strings.HasPrefix(name, "LC_") || name == "LANGUAGE" {
			continue
		}
		env = append(env, v)
	}
	env = append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings)))
	for i, s := range settings {
		cut := strings.LastIndexByte(s, '=')
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[:cut]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[cut+1:]))
	}
	return env
}

// git runs one read-only git command in a directory and returns what it
// printed. settings are more of the configuration, as key=value.
func git(dir string, settings []string, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	full := []string{"-C", dir, "--no-pager", "--no-optional-locks"}
	for _, s := range harmless {
		full = append(full, "-c", s)
	}
	cmd := exec.CommandContext(ctx, "git", append(full, args...)...)
	cmd.Env = environ(settings)
	cmd.WaitDelay = time.Second
	out, said := &bounded{most: mostOutput}, &bounded{most: mostComplain}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git %s did not answer within %s", args[0], limit.Round(time.Millisecond))
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("git is not installed, or not in the PATH")
	case err != nil:
		return nil, &gitError{err: err, said: complaint(said.Bytes())}
	case out.over:
		return nil, fmt.Errorf("git %s answers with more than %d MiB", args[0], mostOutput>>20)
	}
	return out.Bytes(), nil
}

// gitError is git's own refusal, with its words.
type gitError struct {
	err  error
	said string
}

func (e *gitError) Error() string {
	if e.said == "" {
		return "git: " + e.err.Error()
	}
	return "git: " + e.said
}

func (e *gitError) Unwrap() error { return e.err }

// refused reports whether git ran and ended with 1, which is how it says no.
func refused(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// complaint is the first line of what git said, without its prefix.
func complaint(b []byte) string {
	first, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	return strings.TrimPrefix(first, "fatal: ")
}

// bounded takes what is written to it up to a limit, and forgets the rest.
type bounded struct {
	bytes.Buffer
	most int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); len(p) > room {
		b.over = true
		b.Buffer.Write(p[:room])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}
