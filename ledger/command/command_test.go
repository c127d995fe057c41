package command

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestClasses reads testdata/classes.txt: class | scope | key | command line.
func TestClasses(t *testing.T) {
	data, err := os.ReadFile("testdata/classes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.SplitN(line, " | ", 4)
		if len(f) != 4 {
			t.Fatalf("malformed case %q", line)
		}
		l := Parse(f[3])
		if l.Main == nil {
			t.Errorf("%s: no main step", f[3])
			continue
		}
		if got := l.Main.Class.String(); got != f[0] {
			t.Errorf("%s: class %s, want %s", f[3], got, f[0])
		}
		if got := l.Main.Scope.String(); f[1] != "-" && got != f[1] {
			t.Errorf("%s: scope %s, want %s", f[3], got, f[1])
		}
		if got := strings.TrimSuffix(l.Main.Key, "/"); f[2] != "-" && got != f[2] {
			t.Errorf("%s: key %q, want %q", f[3], got, f[2])
		}
		if !l.ParseOK {
			t.Errorf("%s: not parsed", f[3])
		}
	}
}

func TestMasks(t *testing.T) {
	for line, want := range map[string]Mask{
		"go test ./...":                                                        MaskNone,
		"cd x && go test ./...":                                                MaskNone,
		"go test ./... && echo ok":                                             MaskNone,
		"go test ./... 2>&1":                                                   MaskNone,
		"go test ./... | tail -5":                                              MaskPipe,
		"go test ./... 2>&1 | tee log | tail":                                  MaskPipe,
		"go test ./... |& grep FAIL":                                           MaskPipe,
		"set -o pipefail; go test ./... | tail -5":                             MaskNone,
		"set -euo pipefail\ngo test ./... | tail -5\necho done":                MaskNone,
		"bash -o pipefail -c 'go test ./... | tail'":                           MaskNone,
		"bash -eo pipefail -c 'go test ./... | tail; echo done'":               MaskNone,
		"go test ./... | tail -5; exit ${PIPESTATUS[0]}":                       MaskNone,
		"go test ./... | tail; test ${PIPESTATUS[0]} -eq 0":                    MaskNone,
		"go test ./... | tail; rc=${PIPESTATUS[0]}; ls; exit $rc":              MaskNone,
		"go test ./... | tail; rc=$?; exit $rc":                                MaskPipe,
		"go test ./... | tail; echo ${PIPESTATUS[0]}":                          MaskPipe,
		"go test ./... || true":                                                MaskOrTrue,
		"go test ./... || echo failed":                                         MaskOrTrue,
		"go test ./... || exit 1":                                              MaskNone,
		"go test ./... || { echo bad; exit 1; }; echo fine":                    MaskNone,
		"go test ./... && echo ok || echo bad":                                 MaskOrTrue,
		"go test ./...; echo done":                                             MaskSemicolon,
		"go test ./...\ngit status":                                            MaskSemicolon,
		"go test ./...; echo $?":                                               MaskSemicolon,
		"go test ./...; rc=$?; echo $rc; exit $rc":                             MaskNone,
		"go test ./...; exit $?":                                               MaskNone,
		"set -e; go test ./...; echo done":                                     MaskNone,
		"set -e; go test ./... && echo ok; echo done":                          MaskSemicolon,
		"set +e; go test ./...; echo done":                                     MaskSetPlusE,
		"go test ./... &":                                                      MaskBackground,
		"go test ./... > log & wait $!":                                        MaskNone,
		"go test ./... & wait":                                                 MaskBackground,
		"! go test ./...":                                                      MaskNegated,
		"echo \"$(go test ./...)\"":                                            MaskSubstitution,
		"out=$(go test ./...)":                                                 MaskNone,
		"out=$(go test ./...); rc=$?; echo \"$out\"; exit $rc":                 MaskNone,
		"out=$(go test ./...); echo \"$out\"":                                  MaskSemicolon,
		"if go test ./...; then echo ok; fi":                                   MaskCondition,
		"if go test ./...; then echo ok; else exit 1; fi":                      MaskNone,
		"while ! go test ./...; do sleep 1; done":                              MaskNegated,
		"for p in a b; do go test ./$p; done":                                  MaskLoop,
		"for p in a b; do go test ./$p || exit 1; done":                        MaskNone,
		"(go test ./...)":                                                      MaskNone,
		"(go test ./...; echo done)":                                           MaskSemicolon,
		"(go test ./... || exit 1); echo done":                                 MaskSemicolon,
		"test -f go.mod || go test ./...":                                      MaskCondition,
		"diff <(go test ./a) <(go test ./b)":                                   MaskSubstitution,
		"bash -lc 'go test ./... | tail'":                                      MaskPipe,
		"timeout 60 bash -c 'go test ./...'; true":                             MaskSemicolon,
		"time go test ./...":                                                   MaskNone,
		"go test ./... 'unclosed && echo x":                                    MaskUnparsed,
		"f() { go test ./...; }; f":                                            MaskCondition,
		"case $x in a) go test ./... ;; esac":                                  MaskCondition,
		"yes | npm test":                                                       MaskNone,
		"go test ./... | tail; if [ ${PIPESTATUS[0]} -ne 0 ]; then exit 1; fi": MaskNone,
	} {
		l := Parse(line)
		if want == MaskUnparsed {
			if l.ParseOK || l.Main == nil || l.Main.Class != Test {
				t.Errorf("%s: ParseOK %v, main %+v", line, l.ParseOK, l.Main)
			}
			continue
		}
		if l.Masked != want {
			t.Errorf("%s: mask %q, want %q (main %v)", line, l.Masked, want, l.Main)
		}
	}
}

func TestOutput(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...":                            "",
		"go test ./... 2>&1 | tail -5":             "tail -5",
		"go test ./... | grep -q FAIL":             "grep -q FAIL",
		"go test ./... > /dev/null":                "> /dev/null",
		"go test ./... &> out.log":                 "> out.log",
		"go test ./... 2>/dev/null":                "",
		"go test ./... > out.log; cat out.log":     "",
		"go test ./... > out.log; tail -3 out.log": "tail -3 out.log",
		"go test ./... | tee log":                  "",
		"go test ./... | tee log | tail -3":        "tail -3",
		"go test ./... | cat":                      "",
		"go test ./... | sed 's/a/b/'":             "",
		"go test ./... | grep -v ok | head -3":     "grep -v ok | head -3",
		"out=$(go test ./...); echo \"$out\"":      "",
		"out=$(go test ./...)":                     "$(...)",
		"ls | wc -l":                               "wc -l",
		"bash -c 'go test ./... | tail -2'":        "tail -2",
	} {
		l := Parse(line)
		if l.Filter != want || l.Discards != (want != "") {
			t.Errorf("%s: filter %q %v, want %q", line, l.Filter, l.Discards, want)
		}
	}
	for line, want := range map[string]bool{
		"go test ./...; echo \"exit: $?\"":                true,
		"go test ./... | tail; echo $?":                   false,
		"go test ./... | tail; echo \"${PIPESTATUS[0]}\"": true,
		"go test ./...": false,
	} {
		if l := Parse(line); l.PrintsExit != want {
			t.Errorf("%s: PrintsExit %v", line, l.PrintsExit)
		}
	}
	for line, want := range map[string]bool{
		"echo '12 passed, 0 failed'": true, "printf 'ok\\n'": true, "true": true, "echo $x": false, "echo a; ls": false, "go test ./...": false,
	} {
		if l := Parse(line); l.Echoes != want {
			t.Errorf("%s: Echoes %v", line, l.Echoes)
		}
	}
}

func TestStepFlags(t *testing.T) {
	type flag struct{ norun, long bool }
	for line, want := range map[string]flag{
		"pytest --collect-only":          {norun: true},
		"npx jest --listTests":           {norun: true},
		"npx jest --version":             {norun: true},
		"go test -list . ./...":          {norun: true},
		"go test -c ./x":                 {norun: true},
		"go test -run '^$' -bench . ./.": {norun: true},
		"make -n test":                   {norun: true},
		"cargo test --no-run":            {norun: true},
		"npx playwright test --list":     {norun: true},
		"npx vitest --watch":             {long: true},
		"npm run test:watch":             {long: true},
		"npx tsc --noEmit --watch":       {long: true},
		"npm run dev":                    {long: true},
		"tail -f log":                    {long: true},
		"sleep 100":                      {long: true},
		"watch -n 2 ls":                  {long: true},
		"docker compose up":              {long: true},
		"docker compose up -d":           {},
		"kubectl logs -f pod":            {long: true},
		"timeout 5 ./server":             {long: true},
		"timeout 600 ./migrate-things":   {},
		"timeout 600 go test ./...":      {},
		"pytest -x":                      {},
	} {
		s := Parse(line).Main
		if got := (flag{s.NoRun, s.LongRunning}); got != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
}

func TestWrappers(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"timeout 300 go test ./...":                    300 * time.Second,
		"timeout -k 5 10m go test ./...":               10 * time.Minute,
		"timeout --signal=KILL 1.5 go test":            1500 * time.Millisecond,
		"cd x && timeout 2h bash -c 'go test ./...'":   2 * time.Hour,
		"timeout --preserve-status -s INT 9 go test .": 9 * time.Second,
	} {
		l := Parse(line)
		if !l.TimeoutWrapper || l.Timeout != want || l.Main.Name != "go" {
			t.Errorf("%s: %v %v %s", line, l.TimeoutWrapper, l.Timeout, l.Main.Name)
		}
	}
	for line, want := range map[string]string{
		"cd a && cd b && make test": "a/b", "cd /w; make test": "/w", "make -C sub test": "sub", "npm --prefix web test": "web",
		"cd x && npm --prefix web test": "x/web", "(cd a && ls); make test": "", "git -C /r status": "/r", "bash -c 'cd q && make test'": "q",
		"pnpm -C pkg test": "pkg", "terraform -chdir=infra plan": "infra",
	} {
		if s := Parse(line).Main; s.Dir != want {
			t.Errorf("%s: dir %q, want %q", line, s.Dir, want)
		}
	}
	if l := ParseArgv([]string{"bash", "-lc", "cd x && make test"}); l.Main.Key != "make test" || l.Main.Dir != "x" {
		t.Errorf("argv: %+v", l.Main)
	}
	if l := ParseArgv([]string{"go", "test", "./..."}); l.Main.Key != "go test ./..." || l.Masked != MaskNone {
		t.Errorf("argv: %+v", l.Main)
	}
	if l := ParseArgv(nil); l.Main != nil {
		t.Errorf("argv: %+v", l.Main)
	}
}

func TestHeredocs(t *testing.T) {
	for line, want := range map[string]Class{
		"cat > run.sh <<'EOF'\ngo test ./...\nnpm publish\nEOF":             Other,
		"cat <<EOF\ngit push\nEOF":                                          Inspect,
		"bash <<'EOF'\ngo test ./...\nEOF":                                  Test,
		"python - <<'EOF'\nimport pytest\npytest.main()\nEOF":               Interpreter,
		"git commit -F - <<'EOF'\nrun npm publish\nEOF":                     VCS,
		"git commit -m \"$(cat <<'EOF'\nall tests pass, git push\nEOF\n)\"": VCS,
		"cat > t.py <<'EOF'\nprint(1)\nEOF\npython t.py":                    Interpreter,
		"tee x.sh <<'EOF' >/dev/null\npytest\nEOF":                          Inspect,
	} {
		l := Parse(line)
		if l.Main.Class != want || len(l.Irreversible) > 0 {
			t.Errorf("%q: %v %v, want %v", line, l.Main.Class, l.Irreversible, want)
		}
	}
}

func TestEquivalent(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want Relation
	}{
		{"go test ./...", "cd /w && time timeout 300 go test ./... -v -count=1 2>&1 | tail -5", Same},
		{"go test ./...", "timeout 900 go test -race ./...", Same},
		{"go test ./...", "go test ./ledger", Narrower},
		{"go test ./...", "go test ./... -run TestX", Narrower},
		{"go test ./ledger -run TestX", "go test ./ledger", Wider},
		{"go test ./ledger -run TestX", "go test ./...", Wider},
		{"go test ./ledger", "go test ./rules", Different},
		{"go test ./ledger/...", "go test ./ledger/command", Narrower},
		{"go test ./ledger/command", "go test ./ledger/...", Wider},
		{"go test ./ledger", "go test ./ledger/command", Different},
		{"go test ./a", "go test ./a ./b", Wider},
		{"go test ./a ./b", "go test ./b", Narrower},
		{"go test ./...", "go test -tags=e2e ./...", Different},
		{"go test ./...", "go vet ./...", Different},
		{"go test ./...", "go test -list . ./...", Different},
		{"pytest", "pytest -k one", Narrower},
		{"pytest -k one", "pytest", Wider},
		{"pytest -k one", "pytest -k two", Different},
		{"pytest", "python -m pytest -q", Same},
		{"pytest tests/test_a.py", "pytest tests/test_a.py::test_b", Narrower},
		{"pytest tests/test_a.py::test_b", "pytest tests/", Wider},
		{"pytest tests/test_a.py", "pytest tests/test_b.py", Different},
		{"pytest tests", "pytest -m 'not slow' tests", Narrower},
		{"npm test", "npm run test", Same},
		{"npm test", "yarn test", Same},
		{"npm test", "npm run test:unit", Different},
		{"npm test", "npm run lint", Different},
		{"cd a && npm test", "cd b && npm test", Different},
		{"cd a && npm test", "npm --prefix a test", Same},
		{"cd /w/a && npm test", "cd a && npm test", Same},
		{"cd a && npm test", "npm test", Same},
		{"npm test", "cd a && npm test", Different},
		{"npx jest", "npx jest foo.test.ts", Narrower},
		{"npx jest", "npx jest -t adds", Narrower},
		{"npx jest foo.test.ts", "npx jest --coverage", Wider},
		{"npm test", "npm test -- src/a.test.ts", Narrower},
		{"cargo test", "cargo test -p core", Narrower},
		{"cargo test -p core", "cargo test", Wider},
		{"./run_tests.sh", "bash run_tests.sh", Same},
		{"./run_tests.sh", "./run_tests.sh --fast", Different},
		{"make test", "make test", Same},
		{"make test", "make test-unit", Different},
		{"npm run build", "npm run build && npm test", Same},
		{"npm test", "npm run build && npm test", Same},
		{"make build", "make build VERBOSE=1", Different},
		{"npx eslint .", "npx eslint src", Narrower},
		{"terraform apply", "terraform apply", Same},
		{"terraform apply", "terraform plan", Different},
	} {
		if got := Equivalent(Parse(c.a), Parse(c.b)); got != c.want {
			t.Errorf("%s -> %s: %v, want %v (%q %q)", c.a, c.b, got, c.want, Parse(c.a).Main.Key, Parse(c.b).Main.Key)
		}
	}
	if Equivalent(nil, Parse("ls")) != Different || Equivalent(Parse(""), Parse("ls")) != Different {
		t.Error("nothing is equivalent to nothing")
	}
}

func TestBenignExit(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		want bool
	}{
		{"grep x f", 1, true},
		{"grep x f", 2, false},
		{"cd a && grep x f", 1, true},
		{"rg needle src", 1, true},
		{"node -e 'process.exit(1)' && rg needle", 1, false},
		{"cd x && pytest", 1, false},
		{"cd x && pytest", 5, true},
		{"diff a b", 1, true},
		{"cmp a b", 1, true},
		{"test -f x", 1, true},
		{"[ -f x ]", 1, true},
		{"[[ -f x ]]", 1, true},
		{"git diff --exit-code", 1, true},
		{"git diff --quiet", 1, true},
		{"git push", 1, false},
		{"pgrep -f x", 1, true},
		{"which foo", 1, true},
		{"command -v foo", 1, true},
		{"curl -f localhost", 22, true},
		{"curl -sf localhost:3000", 7, true},
		{"systemctl is-active x", 3, true},
		{"terraform plan -detailed-exitcode", 2, true},
		{"terraform plan", 2, false},
		{"terraform plan -detailed-exitcode", 1, false},
		{"timeout 5 ./server", 124, true},
		{"timeout 5 npm run dev", 143, true},
		{"timeout 600 go test ./...", 124, false},
		{"go test ./...", 143, false},
		{"npm run dev", 143, true},
		{"sleep 600; go test ./...", 143, false},
		{"timeout 10 tail -f log", 124, true},
		{"yes | head -3", 141, true},
		{"find / -name x", 1, true},
		{"ls missing", 2, true},
		{"go test ./... | grep FAIL", 1, true},
		{"set -o pipefail; go test ./... | grep FAIL", 1, false},
		{"go test ./... && grep x f", 1, false},
		{"go test ./...", 1, false},
		{"go test ./...", 0, false},
		{"! grep x f", 1, false},
		{"find . -name x | xargs grep y", 123, false},
		{"npm test || grep x log", 1, true},
	} {
		if got, why := BenignExit(Parse(c.line), c.code); got != c.want {
			t.Errorf("%s exit %d: %v %q", c.line, c.code, got, why)
		}
	}
	if ok, _ := BenignExit(nil, 1); ok {
		t.Error("nil is benign")
	}
}

func TestEffects(t *testing.T) {
	for line, want := range map[string]string{
		"git push":                                      "push - protected",
		"git push origin main":                          "push main protected",
		"git push -u origin feat/x":                     "push feat/x",
		"git push -u origin HEAD":                       "push HEAD",
		"git push origin HEAD:main":                     "push main protected",
		"git push --force origin feat":                  "push feat force",
		"git push origin +feat":                         "push feat force",
		"git checkout -b feat && git push":              "push feat",
		"git -C /r push origin master":                  "push master protected",
		"git push --tags":                               "tag -",
		"git push origin v1.2.3":                        "tag v1.2.3",
		"git push origin --delete old":                  "destroy old",
		"git push origin :old":                          "destroy old",
		"git checkout main && git merge feat":           "merge main protected",
		"gh pr merge 12 --squash":                       "merge 12 protected",
		"gh pr create --title 'push it' --body b":       "pull-request -",
		"gh release create v1":                          "release v1",
		"npm publish --access public":                   "release -",
		"yarn publish":                                  "release -",
		"cargo publish":                                 "release -",
		"twine upload dist/*":                           "release dist/*",
		"docker push org/app:1":                         "release org/app:1",
		"terraform apply -auto-approve":                 "apply - protected force",
		"terraform -chdir=x destroy":                    "destroy - protected",
		"pulumi up --yes -s dev":                        "apply dev force",
		"kubectl apply -f k8s -n prod":                  "apply prod protected",
		"kubectl delete pod x":                          "destroy pod",
		"helm upgrade --install app ./c":                "apply -",
		"ansible-playbook -i prod site.yml":             "apply prod protected",
		"vercel --prod":                                 "deploy - protected",
		"npx wrangler deploy --env staging":             "deploy staging",
		"fly deploy":                                    "deploy - protected",
		"alembic upgrade head":                          "migrate head",
		"npx prisma migrate deploy":                     "migrate -",
		"RAILS_ENV=production bin/rails db:migrate":     "migrate production protected",
		"python manage.py migrate":                      "migrate -",
		"npx knex migrate:latest":                       "migrate -",
		"psql -c 'DROP TABLE users'":                    "delete -",
		"mysql -e \"delete from t\"":                    "delete -",
		"rm -rf /":                                      "delete / protected force",
		"rm -rf ~":                                      "delete ~ protected force",
		"rm -rf .git":                                   "delete .git protected force",
		"rm -rf /etc/nginx":                             "delete /etc/nginx protected force",
		"aws s3 sync dist s3://site-prod":               "deploy s3://site-prod protected",
		"gcloud run deploy api":                         "deploy -",
		"curl -X POST -d x https://hooks.slack.com/s/1": "send https://hooks.slack.com/s/1",
		"npm run deploy":                                "deploy -",
		"bash -lc 'npm test && git push origin main'":   "push main protected",
		"for e in a b; do git push origin main; done":   "push main protected",
	} {
		l := Parse(line)
		if len(l.Irreversible) != 1 {
			t.Errorf("%s: %d effects %v", line, len(l.Irreversible), l.Irreversible)
			continue
		}
		e := l.Irreversible[0]
		got := e.Kind.String() + " " + e.Target
		if e.Target == "" {
			got += "-"
		}
		if e.Protected {
			got += " protected"
		}
		if e.Force {
			got += " force"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestNoEffects(t *testing.T) {
	for _, line := range []string{
		"git push --dry-run", "git push -n origin main", "git status", "git merge main", "git branch -d merged", "git tag v1", "git push --help", "git stash push",
		"terraform plan", "terraform apply -help", "terraform validate", "kubectl delete pod x --dry-run=client", "kubectl apply --dry-run=server -f k", "kubectl get pods",
		"helm upgrade app c --dry-run", "helm template c", "ansible-playbook --check site.yml", "npm publish --dry-run", "cargo publish --dry-run", "gh pr merge --help", "gh pr view 1",
		"rm -rf node_modules dist build", "rm -rf /tmp/x", "rm -rf ./out", "rm -rf target", "rm -f /etc/x.bak.tmp", "rm -rf /home/u/proj/dist", "rm -rf $TMPDIR/x", "rm -rf ~/.cache/go-build",
		"echo git push origin main", "git commit -m 'npm publish and git push'", "grep -rn 'terraform apply' .", "cat deploy.sh", "vercel ls", "vercel --version", "vercel env pull", "docker build -t x .",
		"psql -c 'SELECT 1'", "alembic upgrade head --sql", "python manage.py migrate --plan", "RAILS_ENV=test bin/rails db:migrate", "npm run deploy -- --dry-run", "# git push", "git log origin/main",
		"pulumi preview", "goreleaser release --snapshot --clean", "aws s3 ls s3://b", "aws s3 cp s3://b/x .", "prisma generate", "gh api repos/o/r/pulls/1", "curl https://hooks.example.com", "git checkout main", "mvn install",
		"./gradlew publishToMavenLocal", "flyway info", "semantic-release --dry-run",
	} {
		if l := Parse(line); len(l.Irreversible) > 0 {
			t.Errorf("%s: %+v", line, l.Irreversible)
		}
	}
}

func TestBypass(t *testing.T) {
	for line, want := range map[string]string{
		"git commit --no-verify -m x": "--no-verify", "git commit -n -m x": "-n", "HUSKY=0 git commit -m x": "HUSKY=0", "git -c core.hooksPath=/dev/null commit -m x": "core.hooksPath=/dev/null",
		"SKIP=ruff git commit -m x": "SKIP=ruff", "mvn install -DskipTests": "-DskipTests", "git push --force": "--force", "export HUSKY=0; git push": "HUSKY=0", "npm test || true": "|| true",
		"gradle build -x test": "-x test", "git push --no-verify": "--no-verify", "gh pr merge 1 --admin": "--admin", "env HUSKY=0 git commit": "HUSKY=0",
		"git commit -m '--no-verify'": "", "git log -n 5": "", "npm ci": "", "grep -- --no-verify x": "", "HUSKY=1 git commit": "", "cat x || true": "",
	} {
		if got := Parse(line).Bypass; !slices.Equal(got, strings.FieldsFunc(want, func(r rune) bool { return r == '\x00' })) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestSole(t *testing.T) {
	l := Parse("cd x && go build ./... && go test ./...")
	if l.Sole(l.Main) || len(l.Checks()) != 2 {
		t.Errorf("build may have failed: %v", l.Checks())
	}
	l = Parse("cd x && go test ./...")
	if !l.Sole(l.Main) {
		t.Error("only the tests can have failed")
	}
}

func TestBounds(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("(", 70000), strings.Repeat("( ", 30000), strings.Repeat("$((", 20000), strings.Repeat("((a;", 15000), strings.Repeat("[[ ( ", 12000), strings.Repeat("${a:-", 10000), strings.Repeat("a&&", 30000) + "b", strings.Repeat("$(", 9000), strings.Repeat("bash -c ", 5000), strings.Repeat("`", 5001),
		strings.Repeat("go test ./...;", 9000), strings.Repeat("sudo ", 12000) + "ls", "a | " + strings.Repeat("b | ", 15000) + "c", strings.Repeat("if true; then ", 4000), strings.Repeat("\"", 70001), "\xff\xfe\x00", "",
		"bash -c 'bash -c \"bash -c '\\''bash -c ls'\\''\"'", strings.Repeat("{ ", 20000), strings.Repeat("<<A ", 9000),
	} {
		start := time.Now()
		l := Parse(line)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%.20q: took %v", line, d)
		}
		if len(l.Raw) > maxRaw || len(l.Steps) > maxSteps {
			t.Errorf("%.20q: unbounded", line)
		}
	}
}

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/classes.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f.Add(line)
	}
	f.Add("cat <<EOF | bash\ngo test\nEOF")
	f.Add("env -u")
	f.Add("timeout")
	f.Add("bash -c")
	f.Fuzz(func(t *testing.T, line string) {
		start := time.Now()
		l := Parse(line)
		BenignExit(l, 1)
		BenignExit(l, 143)
		if len(l.Steps) > 0 && l.Main == nil {
			t.Error("steps without a main one")
		}
		if l.Main != nil && !l.Main.NoRun && Equivalent(l, l) != Same {
			t.Errorf("%q is not equivalent to itself", line)
		}
		ParseArgv(strings.Fields(line))
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("took %v", d)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		Parse(`cd /w && time timeout 300 go test ./... -v -count=1 2>&1 | tail -5`)
	}
}
