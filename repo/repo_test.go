package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/transcript-lint/transcript-lint/transcript"
)

// sandbox is a repository for one test, with a clock of its own.
type sandbox struct {
	*testing.T
	dir string
	now time.Time
}

func newSandbox(t *testing.T) *sandbox {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	s := &sandbox{T: t, dir: filepath.Join(t.TempDir(), "shop"), now: time.Now().Add(-3 * time.Hour).Truncate(time.Second)}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("init", "-q", "-b", "main")
	s.git("config", "user.email", "a@example.org")
	s.git("config", "user.name", "A")
	return s
}

// git runs git at the sandbox's time.
func (s *sandbox) git(args ...string) string {
	s.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.dir}, args...)...)
	at := s.now.Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *sandbox) write(name, text string) {
	s.Helper()
	p := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
	if err := os.Chtimes(p, s.now, s.now); err != nil {
		s.Fatal(err)
	}
}

// commit writes a file, commits it, and lets an hour pass.
func (s *sandbox) commit(name string) string {
	s.Helper()
	s.write(name, "text of "+name+"\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", name)
	id := s.git("rev-parse", "HEAD")
	s.now = s.now.Add(time.Hour)
	return id
}

func (s *sandbox) open() *Repo {
	s.Helper()
	r, err := Open(s.dir)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

func want(t *testing.T, what string, got, want transcript.Flag) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %d, want %d (0 unset, 1 false, 2 true)", what, got, want)
	}
}

func TestCommits(t *testing.T) {
	s := newSandbox(t)
	begin := s.now
	one := s.commit("one.txt")
	s.git("branch", "deadbeef")
	r := s.open()
	want(t, "the hash", r.Commit(one), transcript.True)
	want(t, "seven digits of it, in capitals", r.Commit(strings.ToUpper(one[:7])), transcript.True)
	want(t, "a hash of nothing", r.Commit("1234567890abcdef"), transcript.False)
	want(t, "a branch that looks like a hash", r.Commit("deadbeef"), transcript.False)
	want(t, "a tree", r.Commit(s.git("rev-parse", "HEAD^{tree}")), transcript.False)
	want(t, "too short", r.Commit("abc"), transcript.Unset)
	want(t, "an option", r.Commit("--all-the-things"), transcript.Unset)
	want(t, "made in the hour", r.Committed(begin, begin.Add(time.Minute)), transcript.True)
	want(t, "none in the next", r.Committed(begin.Add(20*time.Minute), begin.Add(50*time.Minute)), transcript.False)
	want(t, "before there was any", r.Committed(begin.Add(-time.Hour), begin.Add(-30*time.Minute)), transcript.False)
	want(t, "no time", r.Committed(time.Time{}, begin), transcript.Unset)
	want(t, "longer ago than git remembers", r.Committed(begin.AddDate(0, 0, -90), begin.AddDate(0, 0, -80)), transcript.Unset)
}

func TestAmendedCommitsStillCount(t *testing.T) {
	s := newSandbox(t)
	s.commit("one.txt")
	made := s.now
	two := s.commit("two.txt")
	s.git("reset", "-q", "--hard", "HEAD~1")
	r := s.open()
	want(t, "the commit that was taken back", r.Commit(two), transcript.True)
	want(t, "its hour", r.Committed(made, made.Add(time.Minute)), transcript.True)
	if got := r.HeadAt(made.Add(time.Minute)); got != two {
		t.Errorf("HEAD stood on %s, want %s", got, two)
	}
}

func TestNoCommitsAtAll(t *testing.T) {
	s := newSandbox(t)
	r := s.open()
	want(t, "an empty repository", r.Committed(s.now, s.now.Add(time.Hour)), transcript.False)
	want(t, "clean", flagOf(r.Dirty(time.Now())), transcript.False)
}

func flagOf(_ string, f transcript.Flag) transcript.Flag { return f }

func TestPushes(t *testing.T) {
	s := newSandbox(t)
	begin := s.now
	one := s.commit("one.txt")
	want(t, "without a remote", s.open().Pushed(one), transcript.Unset)

	other := filepath.Join(t.TempDir(), "far.git")
	s.git("init", "-q", "--bare", other)
	s.git("remote", "add", "origin", other)
	s.git("push", "-q", "-u", "origin", "main")
	pushed := s.now
	two := s.commit("two.txt")
	r := s.open()
	want(t, "pushed", r.Pushed(one), transcript.True)
	want(t, "not pushed", r.Pushed(two[:8]), transcript.False)
	want(t, "no such commit", r.Pushed("1234567890"), transcript.Unset)
	want(t, "a push in the span", r.PushedIn(pushed.Add(-time.Minute), pushed.Add(time.Minute)), transcript.True)
	want(t, "none in the span", r.PushedIn(begin, begin.Add(30*time.Minute)), transcript.False)

	s.git("push", "-q")
	s.git("reset", "-q", "--hard", "HEAD~1")
	s.commit("three.txt")
	s.git("push", "-q", "--force")
	want(t, "replaced on the remote since", s.open().Pushed(two), transcript.True)

	s.git("checkout", "-q", "-b", "topic")
	four := s.commit("four.txt")
	s.git("push", "-q", "-u", "origin", "topic")
	s.git("push", "-q", "origin", "--delete", "topic")
	want(t, "its remote branch is gone", s.open().Pushed(four), transcript.Unset)
}

func TestFiles(t *testing.T) {
	s := newSandbox(t)
	s.commit("src/deep/kept.go")
	s.commit("gone.go")
	s.git("rm", "-q", "gone.go")
	s.git("commit", "-q", "-m", "gone")
	s.write(".gitignore", "out\n")
	s.write("out/made.bin", "x")
	s.write("out/odd[1]*.txt", "x")
	if err := os.MkdirAll(filepath.Join(s.dir, "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("init", "-q", filepath.Join(s.dir, "inner"))
	s.write("inner/x/nested.go", "x")
	r := s.open()
	for name, flag := range map[string]transcript.Flag{
		"src/deep/kept.go": transcript.True, "deep/kept.go": transcript.True, "kept.go": transcript.True, "./src/deep/kept.go": transcript.True,
		s.dir + "/src/deep/kept.go": transcript.True, "gone.go": transcript.True, "made.bin": transcript.True, "x/nested.go": transcript.True,
		"odd[1]*.txt": transcript.True, "odd*.txt": transcript.False, "ept.go": transcript.False, "never.go": transcript.False, "--output=never.go": transcript.False,
		":(exclude)never.go": transcript.False, "/etc/passwd": transcript.Unset, "../up.go": transcript.Unset, "~/x.go": transcript.Unset, "": transcript.Unset, "a\nb.go": transcript.Unset,
	} {
		want(t, name, r.File(name), flag)
	}
	if why := r.Gaps(); why != "" {
		t.Errorf("unanswered: %s", why)
	}
}

func TestDirty(t *testing.T) {
	s := newSandbox(t)
	s.commit("a.go")
	s.write("untracked.go", "x")
	want(t, "untracked files are not asked for", flagOf(s.open().Dirty(s.now)), transcript.False)
	edited := s.now
	s.write("a.go", "other")
	r := s.open()
	want(t, "before the edit", flagOf(r.Dirty(edited.Add(-time.Minute))), transcript.Unset)
	file, was := r.Dirty(edited.Add(time.Minute))
	want(t, "after it", was, transcript.True)
	if file != "a.go" {
		t.Errorf("file %q, want a.go", file)
	}
	want(t, "no time", flagOf(r.Dirty(time.Time{})), transcript.Unset)
}

func TestCovers(t *testing.T) {
	s := newSandbox(t)
	s.commit("sub/a.go")
	s.git("remote", "add", "origin", "https://example.org/team/web-shop.git")
	r := s.open()
	for dir, flag := range map[string]transcript.Flag{
		s.dir: transcript.True, filepath.Join(s.dir, "sub"): transcript.True, t.TempDir(): transcript.False, "": transcript.Unset,
		"/home/somebody/web-shop/sub": transcript.Unset, `C:\src\shop`: transcript.Unset, "/home/somebody/other": transcript.False,
	} {
		want(t, dir, r.Covers(dir), flag)
	}
}

// TestNothingOfTheRepositoryRuns sets every trap that a repository's own
// configuration can set, and looks whether one of them snapped.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	s := newSandbox(t)
	s.commit("a.go")
	trap := filepath.Join(t.TempDir(), "trap")
	script := filepath.Join(t.TempDir(), "run.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >> "+trap+"\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.sshCommand", "core.askPass", "diff.external", "diff.x.textconv", "diff.x.command", "gpg.program", "credential.helper",
		"filter.x.clean", "filter.x.smudge", "filter.x.process", "filter.a=b.clean", "pager.status", "pager.reflog", "alias.status", "uploadpack.packObjectsHook",
	} {
		s.git("config", key, script)
	}
	s.git("config", "filter.x.required", "true")
	s.git("config", "log.showSignature", "true")
	s.git("config", "core.hooksPath", filepath.Dir(script))
	s.git("config", "extensions.partialClone", "origin")
	s.git("config", "remote.origin.url", "ext::"+script)
	s.git("config", "remote.origin.promisor", "true")
	for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman"} {
		if err := os.WriteFile(filepath.Join(s.dir, ".git", "hooks", hook), []byte("#!/bin/sh\necho hook >> "+trap+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("a.go", "text of b.go\n") // of the same size, so that its content is looked at
	s.write(".gitattributes", "*.go filter=x diff=x\n*.txt filter=a=b\n")
	t.Setenv("GIT_EXTERNAL_DIFF", script)
	t.Setenv("GIT_TRACE", trap)
	t.Setenv("GIT_DIR", "/nowhere")
	_ = os.Remove(trap)

	before := stateOf(t, s.dir)
	r := s.open()
	r.Dirty(time.Now())
	r.File("never.go")
	r.Commit("1234567890123456789012345678901234567890")
	r.Pushed(r.HeadAt(time.Now()))
	r.PushedIn(s.now.Add(-time.Hour), s.now)
	r.Committed(s.now.Add(-time.Hour), s.now)
	if said, err := os.ReadFile(trap); err == nil {
		t.Errorf("the repository ran something:\n%s", said)
	}
	if after := stateOf(t, s.dir); after != before {
		t.Errorf("asking changed the repository:\n%s\nbecame\n%s", before, after)
	}
}

// stateOf is everything in .git with its size and time.
func stateOf(t *testing.T, dir string) string {
	var b strings.Builder
	err := filepath.Walk(filepath.Join(dir, ".git"), func(p string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			b.WriteString(p + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	s := newSandbox(t)
	file := filepath.Join(s.dir, "f")
	s.write("f", "x")
	for dir, says := range map[string]string{
		filepath.Join(s.dir, "missing"): "no such file",
		file:                            "is no directory",
		t.TempDir():                     "not a git repository",
	} {
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", dir, err, says)
		}
	}
}

func TestNoGitAtAll(t *testing.T) {
	t.Setenv("PATH", "")
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "git is not installed") {
		t.Errorf("%v, want that git is not installed", err)
	}
}

func TestSlowGitIsGivenUp(t *testing.T) {
	s := newSandbox(t)
	if _, err := git(s.dir, nil, time.Nanosecond, "status"); err == nil || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("%v, want that git did not answer", err)
	}
	r := s.open()
	r.spent = allQuestions
	want(t, "a question too many", r.Commit("1234567"), transcript.Unset)
	if !strings.Contains(r.Gaps(), "asked no more") {
		t.Errorf("gaps: %q", r.Gaps())
	}
}
