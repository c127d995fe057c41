package command

import (
	"slices"
	"strings"
)

// effectSpec says which effect an action has.
type effectSpec struct {
	kind   EffectKind
	dry    string // flags that make a rehearsal of it
	needs  string // flags without which it has no effect
	target string // flags that name the target
	shared bool   // production unless told otherwise
}

// effects by program and action.
var effects = map[string]effectSpec{
	"gh pr merge":       {kind: EffectMerge, dry: "disable-auto", shared: true},
	"gh pr create":      {kind: EffectPullRequest, dry: "dry-run web", target: "base B"},
	"gh release create": {kind: EffectRelease, dry: "draft"}, "gh release upload": {kind: EffectRelease}, "gh release delete": {kind: EffectDestroy}, "gh repo delete": {kind: EffectDestroy},
	"glab mr merge": {kind: EffectMerge, shared: true}, "glab mr create": {kind: EffectPullRequest}, "glab release create": {kind: EffectRelease},

	"npm publish": {kind: EffectRelease}, "pnpm publish": {kind: EffectRelease}, "yarn publish": {kind: EffectRelease}, "yarn npm publish": {kind: EffectRelease}, "bun publish": {kind: EffectRelease},
	"npm unpublish": {kind: EffectDestroy}, "npm deprecate": {kind: EffectRelease}, "npm dist-tag add": {kind: EffectRelease},
	"lerna publish": {kind: EffectRelease}, "changeset publish": {kind: EffectRelease}, "semantic-release": {kind: EffectRelease, dry: "d"}, "cargo publish": {kind: EffectRelease}, "cargo yank": {kind: EffectDestroy},
	"twine upload": {kind: EffectRelease, target: "r repository"}, "poetry publish": {kind: EffectRelease}, "uv publish": {kind: EffectRelease}, "hatch publish": {kind: EffectRelease}, "flit publish": {kind: EffectRelease},
	"gem push": {kind: EffectRelease}, "docker push": {kind: EffectRelease}, "podman push": {kind: EffectRelease}, "docker buildx build": {kind: EffectRelease, needs: "push"}, "docker compose push": {kind: EffectRelease},
	"goreleaser release": {kind: EffectRelease, dry: "snapshot skip-publish"}, "vsce publish": {kind: EffectRelease}, "dotnet nuget push": {kind: EffectRelease}, "helm push": {kind: EffectRelease},

	"terraform apply": {kind: EffectApply, shared: true}, "terraform destroy": {kind: EffectDestroy, shared: true}, "terraform run-all": {kind: EffectApply}, "pulumi up": {kind: EffectApply, target: "s stack", shared: true}, "pulumi destroy": {kind: EffectDestroy, target: "s stack", shared: true},
	"cdk deploy": {kind: EffectDeploy, shared: true}, "cdk destroy": {kind: EffectDestroy, shared: true},
	"kubectl apply": {kind: EffectApply, target: "n namespace context"}, "kubectl delete": {kind: EffectDestroy, target: "n namespace context"}, "kubectl create": {kind: EffectApply, target: "n namespace context"}, "kubectl replace": {kind: EffectApply, target: "n namespace context"}, "kubectl patch": {kind: EffectApply, target: "n namespace context"},
	"kubectl scale": {kind: EffectApply, target: "n namespace context"}, "kubectl set": {kind: EffectApply, target: "n namespace context"}, "kubectl drain": {kind: EffectApply}, "kubectl rollout restart": {kind: EffectApply, target: "n namespace context"}, "kubectl rollout undo": {kind: EffectApply, target: "n namespace context"},
	"helm upgrade": {kind: EffectApply, target: "n namespace"}, "helm install": {kind: EffectApply, target: "n namespace"}, "helm uninstall": {kind: EffectDestroy, target: "n namespace"}, "helm delete": {kind: EffectDestroy}, "helm rollback": {kind: EffectApply, target: "n namespace"},
	"ansible-playbook": {kind: EffectApply, dry: "check C syntax-check list-tasks list-hosts list-tags", target: "l limit i inventory"}, "argocd app sync": {kind: EffectApply}, "flux reconcile": {kind: EffectApply}, "nomad job run": {kind: EffectApply}, "nomad run": {kind: EffectApply},

	"vercel": {kind: EffectDeploy}, "vercel deploy": {kind: EffectDeploy}, "vercel promote": {kind: EffectDeploy, shared: true}, "vercel rollback": {kind: EffectDeploy, shared: true}, "netlify deploy": {kind: EffectDeploy, target: "s site"}, "fly deploy": {kind: EffectDeploy, target: "a app", dry: "build-only", shared: true}, "wrangler deploy": {kind: EffectDeploy, target: "e env", shared: true}, "wrangler publish": {kind: EffectDeploy, target: "e env", shared: true},
	"firebase deploy": {kind: EffectDeploy, target: "P project", shared: true}, "railway up": {kind: EffectDeploy, target: "e environment s service"}, "serverless deploy": {kind: EffectDeploy, target: "s stage"}, "serverless remove": {kind: EffectDestroy, target: "s stage"}, "sam deploy": {kind: EffectDeploy, dry: "no-execute-changeset", target: "stack-name"}, "sst deploy": {kind: EffectDeploy, target: "stage"}, "eb deploy": {kind: EffectDeploy},
	"kamal deploy": {kind: EffectDeploy, target: "d destination", shared: true}, "skaffold run": {kind: EffectDeploy}, "heroku container:release": {kind: EffectDeploy, target: "a app"}, "supabase functions deploy": {kind: EffectDeploy}, "gcloud app deploy": {kind: EffectDeploy, target: "project", shared: true}, "gh-pages": {kind: EffectDeploy}, "surge": {kind: EffectDeploy},

	"alembic upgrade": {kind: EffectMigrate, dry: "sql"}, "alembic downgrade": {kind: EffectMigrate, dry: "sql"}, "prisma migrate deploy": {kind: EffectMigrate}, "prisma migrate reset": {kind: EffectMigrate}, "prisma db push": {kind: EffectMigrate}, "knex migrate:latest": {kind: EffectMigrate, target: "env"}, "knex migrate:rollback": {kind: EffectMigrate, target: "env"},
	"sequelize db:migrate": {kind: EffectMigrate, target: "env"}, "sequelize-cli db:migrate": {kind: EffectMigrate, target: "env"}, "typeorm migration:run": {kind: EffectMigrate}, "sqlx migrate run": {kind: EffectMigrate}, "diesel migration run": {kind: EffectMigrate}, "flyway migrate": {kind: EffectMigrate}, "flyway clean": {kind: EffectDestroy}, "liquibase update": {kind: EffectMigrate}, "dbmate up": {kind: EffectMigrate}, "dbmate migrate": {kind: EffectMigrate},
	"drizzle-kit push": {kind: EffectMigrate}, "drizzle-kit migrate": {kind: EffectMigrate}, "flask db upgrade": {kind: EffectMigrate}, "flask db downgrade": {kind: EffectMigrate}, "artisan migrate": {kind: EffectMigrate, dry: "pretend"}, "artisan migrate:fresh": {kind: EffectMigrate}, "mix ecto.migrate": {kind: EffectMigrate}, "dotnet ef database update": {kind: EffectMigrate}, "atlas migrate apply": {kind: EffectMigrate}, "atlas schema apply": {kind: EffectMigrate}, "supabase db push": {kind: EffectMigrate}, "supabase db reset": {kind: EffectMigrate, needs: "linked"},
	"rails db:migrate": {kind: EffectMigrate}, "rake db:migrate": {kind: EffectMigrate}, "rails db:rollback": {kind: EffectMigrate}, "rake db:rollback": {kind: EffectMigrate}, "rails db:drop": {kind: EffectDestroy}, "rake db:drop": {kind: EffectDestroy}, "rails db:reset": {kind: EffectDestroy}, "dropdb": {kind: EffectDestroy},

	"sendmail": {kind: EffectSend}, "mail": {kind: EffectSend}, "mutt": {kind: EffectSend, dry: "f"}, "aws ses send-email": {kind: EffectSend}, "aws sns publish": {kind: EffectSend}, "twilio api:core:messages:create": {kind: EffectSend},
	"stripe charges create": {kind: EffectPay}, "stripe payment_intents create": {kind: EffectPay}, "stripe refunds create": {kind: EffectPay}, "stripe payouts create": {kind: EffectPay},
}

// rehearsals are flags that make almost any command harmless.
const rehearsals = "dry-run dryrun help h version check-only preview noop"

// production are words of a target that say real users are behind it.
var production = []string{"prod", "production", "live", "master", "main", "release"}

// effectOf is what a step does that cannot be taken back. The branch is the one
// that the line switched to before.
func effectOf(s *Step, branch string) (Effect, bool) {
	var e Effect
	switch s.Name {
	case "git":
		e = gitEffect(s, branch)
	case "rm":
		e = removal(s)
	case "psql", "mysql", "mariadb", "mongosh", "redis-cli":
		e = databaseEffect(s)
	case "aws", "gcloud", "az":
		e = cloudEffect(s)
	case "curl":
		e = webEffect(s)
	default:
		e = tableEffect(s)
	}
	if e.Kind == EffectNone {
		return e, false
	}
	e.Text = clip(strings.Join(append([]string{s.Name}, s.Args...), " "), maxText)
	return e, true
}

func tableEffect(s *Step) Effect {
	a := actionOf(s)
	if s.Name == "gh" && a.n > 1 && (a.words[0] == "api" || a.words[0] == "workflow") {
		return githubEffect(s, &a)
	}
	sp, words, ok := lookup(effects, s.Name, &a)
	if !ok {
		return taskEffect(s)
	}
	if s.Name == "vercel" && words == 0 && (a.n > 0 && specOf(s) != nil && specOf(s).class != Deploy || s.NoRun) {
		return Effect{}
	}
	if sp.needs != "" && !hasFlag(s.Args, strings.Fields(sp.needs)...) || rehearsed(s, sp.dry) {
		return Effect{}
	}
	e := Effect{Kind: sp.kind, Force: hasFlag(s.Args, "force", "yes", "y", "auto-approve", "admin")}
	if sp.target != "" {
		e.Target = flagValue(s.Args, strings.Fields(sp.target)...)
	}
	if e.Target == "" && words > 0 && words < a.n && s.Args[a.after[words-1]] == a.words[words] {
		e.Target = a.words[words]
	}
	if e.Target == "" {
		e.Target = environment(s.Env)
	}
	e.Protected = sp.shared && e.Target == "" || isProduction(e.Target) || hasFlag(s.Args, "prod", "production")
	if sp.kind == EffectMerge {
		e.Protected = true
	}
	if sp.kind == EffectMigrate && isTest(e.Target) {
		return Effect{}
	}
	return e
}

// githubEffect reads the uses of gh that can be anything: gh api, gh workflow run.
func githubEffect(s *Step, a *action) Effect {
	joined := strings.Join(s.Args, " ")
	switch {
	case s.NoRun:
	case a.words[0] == "api" && (hasWord(s.Args, "PUT") || strings.Contains(joined, "=PUT")) && strings.Contains(joined, "/merge"):
		return Effect{Kind: EffectMerge, Protected: true}
	case a.words[0] == "workflow" && a.words[1] == "run" && a.n > 2 && anyWord(a.words[2], []string{"deploy", "release", "publish"}):
		return Effect{Kind: EffectDeploy, Target: a.words[2], Protected: isProduction(joined)}
	}
	return Effect{}
}

func hasWord(args []string, word string) bool { return slices.Contains(args, word) }

// rehearsed reports whether a step only shows what it would do.
func rehearsed(s *Step, dry string) bool {
	for _, a := range s.Args {
		if !strings.HasPrefix(a, "-") {
			if a == "help" {
				return true
			}
			continue
		}
		if a == "--dry-run=none" || a == "--dry-run=false" {
			continue
		}
		if flags(rehearsals).has(a) || dry != "" && flags(dry).has(a) {
			return true
		}
	}
	return false
}

// taskEffect reads tasks and scripts that say by their name what they do.
func taskEffect(s *Step) Effect {
	if rehearsed(s, "plan check") || s.NoRun {
		return Effect{}
	}
	target := ""
	for _, a := range append(slices.Clone(s.Args), s.Name) {
		if isProduction(a) {
			target = a
		}
	}
	e := Effect{Target: target, Protected: target != ""}
	switch s.Class {
	case Deploy:
		e.Kind = EffectDeploy
	case Migrate:
		if strings.HasPrefix(s.family, "manage.py migrate") || strings.HasPrefix(s.family, "script ") {
			e.Kind = EffectMigrate
		}
		if s.Name == "goose" || s.Name == "migrate" {
			if slices.Contains(s.Args, "up") || slices.Contains(s.Args, "down") {
				e.Kind = EffectMigrate
			}
		}
	case Publish:
		if s.family == "script publish" || s.family == "script release" || s.Name == "mvn" || s.Name == "gradle" && !strings.Contains(strings.Join(s.Args, " "), "ToMavenLocal") {
			e.Kind = EffectRelease
		}
	}
	return e
}

func environment(env []string) string {
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case "RAILS_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "ENV", "ENVIRONMENT", "DJANGO_ENV":
			return value
		}
	}
	return ""
}

func isProduction(s string) bool {
	return anyWord(s, production)
}

func isTest(s string) bool {
	return anyWord(s, []string{"test", "testing", "ci", "local"})
}

func anyWord(s string, words []string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune("-_/.:= ", r) }) {
		if slices.Contains(words, w) {
			return true
		}
	}
	return false
}

// gitEffect reads git push, and git merge on a shared branch.
func gitEffect(s *Step, branch string) Effect {
	a := actionOf(s)
	if a.n == 0 || rehearsed(s, "") {
		return Effect{}
	}
	rest := s.Args[a.after[0]:]
	switch a.words[0] {
	case "push":
		return pushEffect(rest, branch)
	case "merge":
		if isShared(branch) && !hasFlag(rest, "abort", "no-commit", "continue", "quit") {
			return Effect{Kind: EffectMerge, Target: branch, Protected: true}
		}
	}
	return Effect{}
}

func pushEffect(args []string, branch string) Effect {
	e := Effect{Kind: EffectPush}
	var words []string
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-o" || arg == "--push-option" || arg == "--repo" || arg == "--receive-pack":
			i++
		case arg == "-n":
			return Effect{}
		case arg == "--tags" || arg == "--follow-tags" && false:
			e.Kind = EffectTag
		case arg == "--delete" || arg == "-d":
			e.Kind = EffectDestroy
		case arg == "-f" || strings.HasPrefix(arg, "--force"):
			e.Force = true
		case !strings.HasPrefix(arg, "-"):
			words = append(words, arg)
		}
	}
	ref := ""
	if len(words) > 1 {
		ref = strings.Join(words[1:], " ")
	}
	if strings.HasPrefix(ref, "+") {
		e.Force = true
		ref = ref[1:]
	}
	if strings.HasPrefix(ref, ":") {
		e.Kind = EffectDestroy
	}
	e.Target = strings.TrimPrefix(ref[strings.LastIndexByte(ref, ':')+1:], "refs/heads/")
	if e.Target == "HEAD" && branch != "" || e.Target == "" {
		e.Target = branch
	}
	if e.Kind == EffectPush && (looksLikeVersion(e.Target) || strings.HasPrefix(e.Target, "refs/tags/") || strings.HasPrefix(ref, "tag ")) {
		e.Kind = EffectTag
	}
	setsUpstream := hasFlag(args, "u", "set-upstream")
	e.Protected = isShared(e.Target) || e.Target == "" && e.Kind == EffectPush || e.Target == "HEAD" && !setsUpstream
	return e
}

func looksLikeVersion(s string) bool {
	s, ok := strings.CutPrefix(s, "v")
	return ok && len(s) > 2 && s[0] >= '0' && s[0] <= '9' && strings.Contains(s, ".")
}

// isShared reports whether a branch is one that others build on.
func isShared(branch string) bool {
	switch branch {
	case "main", "master", "trunk", "production", "prod", "release", "develop", "stable":
		return true
	}
	return strings.HasPrefix(branch, "release/") || strings.HasPrefix(branch, "release-")
}

// switchesTo is the branch that a git checkout or switch goes to.
func switchesTo(s *Step) string {
	a := actionOf(s)
	if a.n < 2 || a.words[0] != "checkout" && a.words[0] != "switch" || slices.Contains(s.Args, "--") {
		return ""
	}
	if b := flagValue(s.Args, "b", "B", "c", "C", "orphan"); b != "" {
		return b
	}
	return a.words[1]
}

// removal reads rm -r of things that are surely not the work tree's own litter.
func removal(s *Step) Effect {
	recursive := false
	for _, a := range s.Args {
		if strings.HasPrefix(a, "--recursive") || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.ContainsAny(a, "rR") {
			recursive = true
		}
	}
	if !recursive {
		return Effect{}
	}
	for _, a := range s.Args {
		if !strings.HasPrefix(a, "-") && dangerous(a, s.Dir) {
			return Effect{Kind: EffectDelete, Target: a, Protected: true, Force: hasFlag(s.Args, "rf", "fr", "f", "force")}
		}
	}
	return Effect{}
}

// systemPlaces are directories that never belong to a work tree.
var systemPlaces = []string{"/etc", "/usr", "/boot", "/lib", "/lib64", "/bin", "/sbin", "/sys", "/dev", "/srv", "/var/lib", "/var/www", "/opt", "/Library", "/System", "/Applications"}

func dangerous(target, dir string) bool {
	t := strings.TrimSuffix(target, "/")
	t = strings.TrimSuffix(t, "/*")
	switch t {
	case "", "~", "$HOME", "${HOME}", "/root", "/home", ".git", "./.git", "..", "/*":
		return target != ""
	}
	if strings.HasSuffix(t, "/.git") && !strings.HasPrefix(t, "/tmp") && !strings.HasPrefix(t, "$") && !strings.HasPrefix(dir, "/tmp") {
		return true
	}
	for _, p := range systemPlaces {
		if t == p || strings.HasPrefix(t, p+"/") {
			return !strings.HasPrefix(t, "/dev/shm") && !anyWord(t, []string{"cache", "tmp", "lists"})
		}
	}
	for _, home := range []string{"~/", "$HOME/", "${HOME}/"} {
		if rest, ok := strings.CutPrefix(t, home); ok {
			return !litter(rest) && !strings.Contains(rest, "/")
		}
	}
	if rest, ok := strings.CutPrefix(t, "/home/"); ok {
		return !strings.Contains(rest, "/")
	}
	if rest, ok := strings.CutPrefix(t, "/Users/"); ok {
		return !strings.Contains(rest, "/")
	}
	return false
}

// litter reports whether a path is something that tools make again.
func litter(p string) bool {
	return anyWord(p, []string{"cache", "tmp", "temp", "build", "dist", "node_modules", "target", "venv", "pycache", "coverage", "out"})
}

func databaseEffect(s *Step) Effect {
	if s.Name == "redis-cli" {
		if mentionsFold(s.Args, "flushall") || mentionsFold(s.Args, "flushdb") {
			return Effect{Kind: EffectDelete}
		}
		return Effect{}
	}
	sql := flagValue(s.Args, "c", "e", "command", "execute", "eval")
	upper := strings.ToUpper(sql)
	for _, word := range []string{"DROP TABLE", "DROP DATABASE", "DROP SCHEMA", "DELETE FROM", "TRUNCATE", ".DROP(", "DELETEMANY", "DROPDATABASE"} {
		if strings.Contains(upper, word) {
			return Effect{Kind: EffectDelete, Target: flagValue(s.Args, "d", "dbname", "D", "database")}
		}
	}
	return Effect{}
}

func mentionsFold(args []string, word string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(a, word) })
}

// cloudVerbs are the words of cloud tools that change what runs.
var cloudVerbs = map[string]EffectKind{
	"deploy": EffectDeploy, "update-function-code": EffectDeploy, "update-service": EffectDeploy, "create-stack": EffectApply, "update-stack": EffectApply, "delete-stack": EffectDestroy, "create-deployment": EffectDeploy,
	"terminate-instances": EffectDestroy, "delete": EffectDestroy, "delete-bucket": EffectDestroy, "delete-db-instance": EffectDestroy, "delete-table": EffectDestroy, "delete-function": EffectDestroy, "create": EffectApply, "create-bucket": EffectApply, "create-function": EffectApply, "up": EffectDeploy,
	"run-instances": EffectApply, "put-object": EffectApply, "send-email": EffectSend, "publish": EffectSend, "execute-change-set": EffectApply,
}

func cloudEffect(s *Step) Effect {
	if rehearsed(s, "no-execute-changeset validate-only what-if") {
		return Effect{}
	}
	a := actionOf(s)
	if s.Name == "aws" && a.n > 2 && a.words[0] == "s3" {
		last := s.Args[len(s.Args)-1]
		if a.words[1] == "rm" || a.words[1] == "rb" {
			return Effect{Kind: EffectDestroy, Target: a.words[2]}
		}
		if (a.words[1] == "cp" || a.words[1] == "sync" || a.words[1] == "mv") && strings.HasPrefix(last, "s3://") {
			return Effect{Kind: EffectDeploy, Target: last, Protected: isProduction(last)}
		}
		return Effect{}
	}
	for _, w := range a.words[:a.n] {
		if kind, ok := cloudVerbs[w]; ok {
			target := flagValue(s.Args, "project", "profile", "stack-name", "function-name", "name", "service")
			return Effect{Kind: kind, Target: target, Protected: isProduction(target)}
		}
	}
	return Effect{}
}

// webEffect knows the few addresses where a request is a message or a payment.
func webEffect(s *Step) Effect {
	for _, a := range s.Args {
		switch {
		case strings.Contains(a, "hooks.slack.com/"), strings.Contains(a, "/sendMessage"), strings.Contains(a, "discord.com/api/webhooks"), strings.Contains(a, "api.sendgrid.com/"), strings.Contains(a, "api.twilio.com/"):
			return Effect{Kind: EffectSend, Target: a}
		case strings.Contains(a, "api.stripe.com/") && hasFlag(s.Args, "d", "data", "X"):
			return Effect{Kind: EffectPay, Target: a}
		}
	}
	return Effect{}
}
