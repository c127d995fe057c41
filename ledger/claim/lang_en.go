package claim

// planTitles open a section of plans, criteria or expectations.
var planTitles = []string{
	" next step", " next up", " plan ", " plans ", " todo", " to do ", " to-do", " acceptance", " criteria", " criterion",
	" definition of done", " requirement", " remaining", " pending", " test plan", " expected", " expectation", " checklist", " goal", " goals ",
	" should ", " must ", " will ", "i'll ", " proposed", " proposal", " option", " recommend", " suggest", " optional", " before ", " after ", " workflow ", " scenario", " example",
	" how to ", " to verify", " to run", " to test ", " if ", " when ", " prerequisite", " steps ", " step-by-step", " follow-up", " follow up", " upcoming", " phase ", " design", " usage", " template", " rule", " rules ", " policy", " guideline", " let me", " let's", " state", " states ", " transition", " invariant", " flow ", " user story", " success metric",
	"验收", "计划", "待办", "下一步", "接下来", "目标", "要求", "предстоит", "план", "次のステップ", "計画", "nächste schritte", "prochaines étapes", "próximos pasos", "próximos passos",
}

// reportTitles open a section that retells others or an earlier time.
var reportTitles = []string{
	" user messages", " user requests", " user feedback", " user request", " primary request", " background", " previously", " history", " before the change", " baseline", " errors and fixes",
	"用户消息", "背景",
}

// scopeClass is what a scope word does to the claims it reaches.
type scopeClass uint8

const (
	noScope scopeClass = iota
	negates            // within the clause
	hedges             // within the clause
	plans              // to the end of the sentence
	conds              // to the end of the sentence
	retells            // to the end of the sentence
	pasts              // within the clause
	causes             // within the clause: "makes the tests pass"
)

// scopeWords are the English words that turn a claim into something weaker.
var scopeWords = classes(map[scopeClass]string{
	negates: "not never cannot can't cant couldn't didn't don't doesn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't shouldn't ain't " +
		"without unable neither nor none no nothing nobody zero fail fails failed hardly barely refuse refuses refused lack lacks lacking didnt dont doesnt isnt",
	hedges: "should seem seems seemed appear appears appeared likely probably possibly would could might may maybe perhaps presumably apparently " +
		"hopefully supposedly theoretically supposed expect expects expected expecting assume assumes assuming suspect guess theory ideally can nearly almost mostly " +
		"typically usually normally generally always often sometimes otherwise",
	plans: "will i'll we'll it'll they'll that'll you'll let let's lets need needs needed must shall want wants wanted try trying tries tried aim aims goal plan plans planned " +
		"todo pending waiting wait ensure ensures ensuring gonna intend intends require requires required ought remain remains remaining awaiting verify verifying check checking confirm validate " +
		"please requirement requirements criteria criterion acceptance expectation goals hope hopes target",
	conds:   "if once until till unless whether when whenever while provided before whichever either",
	retells: "hear heard said says reported reports claimed claims claiming claim states told believes believed noted documented documents asserts asserted asked asks described describes according pretend quote quoted",
	pasts:   "previously earlier originally initially formerly yesterday historically used baseline",
	causes:  "make makes made making get gets getting got keep keeps keeping kept helps allow allows allowing lets causes causing force forces enable enables",
})

// classes turns lists of words into a map.
func classes(m map[scopeClass]string) map[string]scopeClass {
	out := map[string]scopeClass{}
	for c, words := range m {
		for w := range fields(words) {
			out[w] = c
		}
	}
	return out
}

// infinitives follow "to" in purposes and open orders: "verify that tests pass".
var infinitives = set("verify confirm ensure check make get see be run pass have keep validate test build compile prove show let allow commit push merge deploy " +
	"create update add write fix do use wait try help know assert guarantee achieve demonstrate require expect install publish release send open apply stop kill " +
	"rerun re-run execute review look find mark claim report call say consider start go become return work succeed")

// imperatives open an order when they are the first word of a clause.
var imperatives = set("verify confirm ensure check make get keep validate run rerun re-run test build prove assert commit push merge deploy create update add write fix " +
	"wait require expect install publish send open apply stop execute review mark remember see note say report return only assume try consider use do don't never always")

// subjectNouns name what a check or a state claim is about.
var subjectNouns = subjects(map[Subject]string{
	Tests:       "test tests suite suites spec specs testcase testcases e2e pytest vitest jest mocha playwright cypress testsuite unittest unittests subtests doctests benchmarks rspec phpunit",
	Build:       "build builds compilation bundle rebuild webpack cmake",
	Lint:        "lint lints linter linters linting eslint ruff clippy golangci-lint golangci prettier biome fmt gofmt gofumpt formatting formatter staticcheck vet shellcheck flake8 pylint stylelint",
	TypeCheck:   "typecheck type-check typechecks typechecking type-checking typechecker tsc mypy pyright",
	Verified:    "check checks ci pipeline pipelines workflow workflows hook hooks gate gates verification validation validations smoke assertions scenarios",
	Deploy:      "deploy deployment deployments rollout redeploy redeployment",
	Infra:       "terraform infrastructure provisioning",
	Migration:   "migration migrations",
	Publish:     "publish publishing",
	Install:     "install installation",
	Push:        "push",
	Merge:       "merge",
	Commit:      "commit",
	Server:      "server service daemon backend",
	PullRequest: "pr prs",
})

func subjects(m map[Subject]string) map[string]Subject {
	out := map[string]Subject{}
	for s, words := range m {
		for w := range fields(words) {
			out[w] = s
		}
	}
	return out
}

// plainBefore are words before a subject noun that name no part of it.
var plainBefore = set("but all one still far the my our your a an these those that this of both each every any full whole entire complete new existing remaining other now same its their updated " +
	"and or with to that's no zero only final current whole-repo complete previous latest last passing failing and/or successful clean green of for on in my more two three four five " +
	"six seven eight nine ten original just first second third confirmed verified ran run running re-ran reran rerun is are was were has have be been it so still affected automated relevant " +
	"after before since because when if once code codebase project everything until while whether how why what actual production production-ready named broken fresh")

// trigger is what a word may assert.
type trigger uint8

const (
	noTrigger trigger = iota
	tPass             // passes, passed
	tSucceed          // succeeded, successful
	tGreen            // green
	tClean            // clean, cleanly
	tCompile          // compiles, builds
	tDone             // completed, finished, live, ready
	tFail             // failed, timed out
	tAct              // committed, pushed, merged ...
	tVerify           // verified, confirmed
	tConsent          // approved, agreed
	tWork             // works
	tRunning          // running, up
)

// triggers are the words worth a look.
var triggers = triggerWords(map[trigger]string{
	tPass:    "pass passes passed passing",
	tSucceed: "succeed succeeds succeeded successful successfully success succeeding",
	tGreen:   "green",
	tClean:   "clean cleanly",
	tCompile: "compiles compiled compile builds built build typechecks type-checks",
	tDone:    "completed complete finished finishes live ready done",
	tFail:    "fail fails failed failing failure failures broken broke red crashed crashes hung errored timeout timed unverified untested killed aborted incomplete",
	tAct: "committed pushed merged deployed redeployed published released sent emailed posted replied installed applied provisioned migrated opened raised submitted filed " +
		"created updated modified edited deleted removed renamed added wrote written saved generated stopped killed cancelled canceled terminated run ran re-ran reran executed",
	tVerify:  "verified confirmed validated",
	tConsent: "approved agreed accepted authorized authorised consented okayed approval confirmation go-ahead permission consent confirmed granted signed",
	tWork:    "works work working functional",
	tRunning: "running up listening healthy",
})

func triggerWords(m map[trigger]string) map[string][]trigger {
	out := map[string][]trigger{}
	for t := tPass; t <= tRunning; t++ {
		for w := range fields(m[t]) {
			out[w] = append(out[w], t)
		}
	}
	return out
}

// actSubject gives the subject of a perfective verb that needs no object.
var actSubject = map[string]Subject{
	"committed": Commit, "pushed": Push, "merged": Merge, "deployed": Deploy, "redeployed": Deploy, "published": Publish,
	"stopped": Stopped, "killed": Stopped, "cancelled": Stopped, "canceled": Stopped, "terminated": Stopped,
	"ran": Ran, "run": Ran, "re-ran": Ran, "reran": Ran, "executed": Ran, "sent": Send, "emailed": Send, "replied": Send, "posted": Send,
	"installed": Install, "applied": Infra, "provisioned": Infra, "migrated": Migration, "released": Publish,
	"opened": PullRequest, "raised": PullRequest, "submitted": PullRequest, "filed": PullRequest,
	"created": File, "updated": File, "modified": File, "edited": File, "deleted": File, "removed": File, "renamed": File,
	"added": File, "wrote": File, "written": File, "saved": File, "generated": File,
}

// itemVerbs open a todo item whose tick says that it was done.
var itemVerbs = map[string]Subject{
	"run": Ran, "rerun": Ran, "re-run": Ran, "execute": Ran, "test": Ran, "verify": Verified, "confirm": Verified, "validate": Verified, "deploy": Deploy,
	"commit": Commit, "push": Push, "merge": Merge, "publish": Publish, "open": PullRequest, "create": PullRequest, "build": Build, "migrate": Migration,
}

// actObjects are the words one of which must follow (or, in the passive,
// precede) a verb that is too common by itself.
var actObjects = map[string]map[string]bool{
	"applied":     set("terraform infrastructure manifest manifests kubectl helm migration migrations stack"),
	"provisioned": set("infrastructure environment environments cluster database instance instances server vm bucket stack resources network"),
	"migrated":    set("database db schema data table tables"),
	"released":    set("package version crate gem npm pypi"),
	"sent":        set("email e-mail message reply mail notification invoice payment invitation report"),
	"posted":      set("comment comments reply message review summary announcement"),
	"installed":   set("dependencies packages package deps dependency requirements modules toolchain npm pip"),
	"opened":      prWords, "raised": prWords, "submitted": prWords, "filed": prWords,
	"stopped": jobWords, "killed": jobWords, "cancelled": jobWords, "canceled": jobWords, "terminated": jobWords,
	"ran": runWords, "run": runWords, "re-ran": runWords, "reran": runWords, "executed": runWords,
}

var (
	prWords  = set("pr prs pull mr")
	jobWords = set("process processes task tasks job jobs server servers run runs command commands container containers watcher agent agents worker workers daemon build pipeline workflow deployment session service it them")
	runWords = set("test tests suite suites linter lint build typecheck checks pytest jest vitest e2e spec specs command script migration migrations benchmark benchmarks it them verification")
	// doneNouns may stand before a bare participle: "changes committed".
	doneNouns = set("changes change all everything files file fix fixes branch branches commit commits pr prs code work update updates tag docs both request release package version version deps dependencies packages migration migrations server process task job infrastructure database email message comment reply plan")
	// openers may follow an elided "I": "Pushed to origin", never "Pushed commits".
	openers = set("as to and the my all it them both this these those your our in on with at via from into changes everything fix successfully cleanly locally onto again a an each two three every pr npm package dependencies just already only through under terraform migration migrations tests pytest full unit")
	// buildable things build: "the project builds", never "in debug builds".
	buildable = set("project app code codebase package crate workspace repo branch everything it module application site extension library binary now still also")
	// assented are what a user who confirms something agrees to.
	assented = set("plan deploy deployment proceed merge push delete deletion removal approach design release action changes change migration go option choice should want wants ok okay it this that's request scope")
	// outcomes are what a runner counts.
	outcomes = set("passed failed skipped fail pass passing failing pending total todo errors error failures xfailed xpassed ignored warnings passes fails errored deselected")
	// auxiliaries of the passive.
	beNow   = set("is are been i've we've it's they're that's being's")
	bePast  = set("was were had")
	beNot   = set("be being get gets getting to got")
	fillers = set("did now already also just then all successfully been have has 've both finally cleanly fully properly explicitly have now since and again manually therefore subsequently")
	persons = set("i we i've we've")
	humans  = set("user human you you've operator customer client reviewer maintainer owner users")
	// verifiedOf lets "verified" speak of success and not of reading.
	verifiedOf = set("works work working correct correctly fixed end-to-end passes pass fix behavior behaviour successfully deployment visually live functional resolved ok properly healthy renders loads cleanly succeeded passing working: everything")
	looked     = set("bug issue problem cause root reproduced reproduces repro missing wrong broken absent hypothesis suspicion finding exists no not never why error failure")
	passObject = set("all every the a an it them this that its their through to as via by along down in into over me us your my our new any data arguments args parameters both it's up out off judgment")
	nounDet    = set("a another this final first second third next single each per one more quick last single-pass review cleanup initial implementation docs the editing polish multi")
)
