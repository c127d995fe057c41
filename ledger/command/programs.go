package command

// flags is a list of words separated by spaces; a flag is listed without its
// leading dashes.
type flags string

// has reports whether a word, with its dashes and "=value" taken off, is listed.
func (l flags) has(word string) bool {
	for len(word) > 0 && word[0] == '-' {
		word = word[1:]
	}
	for i := range len(word) {
		if word[i] == '=' {
			word = word[:i]
			break
		}
	}
	if word == "" {
		return false
	}
	for rest := string(l); rest != ""; {
		next := rest
		for i := range len(rest) {
			if rest[i] == ' ' {
				next = rest[:i]
				break
			}
		}
		if next == word {
			return true
		}
		if len(next) == len(rest) {
			return false
		}
		rest = rest[len(next)+1:]
	}
	return false
}

// A wrapper is a program whose arguments are another command.
type wrapper struct {
	sub        []string // the words that must follow: exec, run
	values     string   // flags that have their value in the next word
	positional int      // words of its own before the command
	assigns    bool     // NAME=value may stand before the command
	duration   bool     // its positional word is a time limit
	dashes     bool     // with a "--" in sight the command starts after it
	joined     bool     // the words are joined to a script: ssh host 'cd x && make'
	watches    bool     // runs the command again and again until it is killed
	script     string   // the flag whose value is a script
	dir        string   // the flags that set a directory
}

// wrappers by program. The first entry whose sub words match is taken.
var wrappers = map[string][]wrapper{
	"env":            {{values: "u C S chdir unset", assigns: true}},
	"cross-env":      {{assigns: true}},
	"timeout":        {{values: "k s signal kill-after", positional: 1, duration: true}},
	"time":           {{values: "f o format output"}},
	"nice":           {{values: "n adjustment"}},
	"ionice":         {{values: "c n class"}},
	"nohup":          {{}},
	"setsid":         {{}},
	"exec":           {{values: "a"}},
	"builtin":        {{}},
	"command":        {{}}, // command -v is kept, see wrapperOf
	"chronic":        {{}},
	"sudo":           {{values: "u g h p C D user group chdir", assigns: true}},
	"doas":           {{values: "u C"}},
	"stdbuf":         {{values: "i o e input output error"}},
	"unbuffer":       {{}},
	"script":         {{values: "E", positional: 1, script: "c command qc qec qefc"}},
	"xargs":          {{values: "n P I d L a s E max-args max-procs replace delimiter max-lines arg-file"}},
	"parallel":       {{values: "j jobs"}},
	"caffeinate":     {{values: "t w"}},
	"taskset":        {{values: "c", positional: 0}},
	"strace":         {{values: "f o e p s"}},
	"xvfb-run":       {{values: "s e n f server-args"}},
	"flock":          {{values: "w timeout E", positional: 1}},
	"watch":          {{values: "n interval", watches: true}},
	"entr":           {{watches: true}},
	"nodemon":        {{values: "w watch e ext x exec", watches: true}},
	"arch":           {{}},
	"rtk":            {{sub: []string{"proxy"}}, {sub: []string{"test"}}, {sub: []string{"err"}}, {sub: []string{"summary"}}, {}},
	"go":             {{sub: []string{"tool"}}},
	"chroot":         {{positional: 1}},
	"runuser":        {{values: "u", dashes: true}},
	"su":             {{script: "c command"}},
	"wsl":            {{values: "d u e", dashes: true}},
	"ssh":            {{values: "i p o l F J L R D b c e m O Q S W w", positional: 1, joined: true}},
	"coverage":       {{sub: []string{"run"}, values: "source omit include rcfile data-file context"}},
	"dotenv":         {{values: "e c f", dashes: true}},
	"dotenvx":        {{sub: []string{"run"}, values: "f", dashes: true}},
	"direnv":         {{sub: []string{"exec"}, positional: 1}},
	"doppler":        {{sub: []string{"run"}, values: "p c project config", dashes: true}},
	"infisical":      {{sub: []string{"run"}, values: "env path", dashes: true}},
	"op":             {{sub: []string{"run"}, values: "env-file", dashes: true}},
	"aws-vault":      {{sub: []string{"exec"}, positional: 1, dashes: true}},
	"mise":           {{sub: []string{"exec"}, dashes: true}, {sub: []string{"x"}, dashes: true}},
	"nix":            {{sub: []string{"develop"}, script: "c command"}},
	"nix-shell":      {{values: "p", script: "run command"}},
	"poetry":         {{sub: []string{"run"}, values: "C directory P project"}},
	"pipenv":         {{sub: []string{"run"}}},
	"pdm":            {{sub: []string{"run"}, values: "p project"}},
	"rye":            {{sub: []string{"run"}}},
	"uv":             {{sub: []string{"run"}, values: "with with-editable with-requirements extra group only-group p python package directory project env-file index-url", dir: "directory project"}},
	"uvx":            {{values: "with from p python"}},
	"pipx":           {{sub: []string{"run"}, values: "spec"}},
	"hatch":          {{sub: []string{"run"}}},
	"conda":          {{sub: []string{"run"}, values: "n name p prefix"}},
	"micromamba":     {{sub: []string{"run"}, values: "n name p prefix"}},
	"bundle":         {{sub: []string{"exec"}}},
	"rbenv":          {{sub: []string{"exec"}}},
	"asdf":           {{sub: []string{"exec"}}},
	"fnm":            {{sub: []string{"exec"}, values: "using"}},
	"nvm":            {{sub: []string{"exec"}, positional: 1}},
	"volta":          {{sub: []string{"run"}, values: "node npm"}},
	"corepack":       {{}},
	"npx":            {{values: "p package w workspace", script: "c call"}},
	"bunx":           {{values: "p package"}},
	"pnpx":           {{}},
	"npm":            {{sub: []string{"exec"}, values: "p package w workspace prefix", dir: "prefix"}, {sub: []string{"x"}}},
	"pnpm":           {{sub: []string{"exec"}}, {sub: []string{"dlx"}}},
	"yarn":           {{sub: []string{"exec"}}, {sub: []string{"dlx"}}},
	"bun":            {{sub: []string{"x"}}},
	"lerna":          {{sub: []string{"exec"}, values: "scope ignore", dashes: true}},
	"docker":         {{sub: []string{"exec"}, values: "e w u env workdir user env-file", positional: 1, dir: "w workdir"}, {sub: []string{"compose", "exec"}, values: "e w u env workdir user index", positional: 1}, {sub: []string{"compose", "run"}, values: "e w u v p env workdir user volume name entrypoint", positional: 1}, {sub: []string{"run"}, values: dockerRun, positional: 1}},
	"podman":         {{sub: []string{"exec"}, values: "e w u env workdir user", positional: 1}, {sub: []string{"run"}, values: dockerRun, positional: 1}},
	"docker-compose": {{sub: []string{"exec"}, values: "e w u env workdir user index", positional: 1}, {sub: []string{"run"}, values: "e w u v p env workdir user volume name entrypoint", positional: 1}},
	"kubectl":        {{sub: []string{"exec"}, values: "n c namespace container context", positional: 1, dashes: true}},
}

const dockerRun = "v e w u p m h l a volume env workdir user publish name network net entrypoint env-file mount memory cpus platform label add-host gpus shm-size hostname ulimit security-opt cap-add device pull restart tmpfs log-driver"

// aliases are programs that go by another name.
var aliases = map[string]string{
	"gtimeout": "timeout", "py": "python", "pypy3": "python", "nodejs": "node", "egrep": "grep", "fgrep": "grep", "zgrep": "grep",
	"gradlew": "gradle", "mvnw": "mvn", "tofu": "terraform", "terragrunt": "terraform", "flyctl": "fly", "py.test": "pytest",
	"gmake": "make", "bazelisk": "bazel", "sls": "serverless", "go1.26": "go", "k": "kubectl", "mypy.dmypy": "mypy",
	"basedpyright": "pyright", "richgo": "go", "gtest": "go", "oxlint": "eslint", "gsed": "sed", "gfind": "find", "vue-tsc": "tsc", "tsgo": "tsc",
}

// modules are the Python modules that are programs when run with -m.
var modules = map[string]string{
	"pytest": "pytest", "unittest": "unittest", "nose2": "nose2", "tox": "tox", "nox": "nox", "mypy": "mypy", "pyright": "pyright",
	"ruff": "ruff", "flake8": "flake8", "pylint": "pylint", "black": "black", "isort": "isort", "pip": "pip", "build": "pybuild",
	"py_compile": "py_compile", "compileall": "compileall", "http.server": "http.server", "uvicorn": "uvicorn", "flask": "flask",
	"alembic": "alembic", "twine": "twine", "coverage": "coverage", "django": "django-admin", "doctest": "doctest", "poetry": "poetry",
	"json.tool": "json.tool", "pre_commit": "pre-commit", "gunicorn": "gunicorn", "celery": "celery", "venv": "venv", "pipx": "pipx", "uv": "uv",
	"bandit": "bandit", "behave": "behave", "hatch": "hatch", "invoke": "invoke",
}

// jsBins are programs that yarn, pnpm and bun run by their bare names.
const jsBins = "jest vitest mocha ava playwright cypress eslint tsc vue-tsc prettier biome next vite webpack rollup tsup esbuild turbo nx lerna" +
	" wrangler vercel netlify prisma knex sequelize typeorm drizzle-kit changeset semantic-release stylelint tsx ts-node nuxt astro svelte-check" +
	" storybook c8 nyc tap wdio karma oxlint standard xo hardhat sst cdk playwright-core serve nodemon pm2 concurrently electron-builder tsd knip"

// argKind is how the positional arguments of a check are read.
type argKind uint8

const (
	argsNone    argKind = iota // they do not matter: the check is of everything
	argsPaths                  // files and directories that narrow it
	argsGo                     // Go packages; none means the current one
	argsUnknown                // nobody can tell how much is covered
	argsTasks                  // names of tasks, see classifyTask
)

// A spec says how to read one program, or one action of it.
type spec struct {
	class  Class
	family string  // what its key begins with; "" is the words of the table
	args   argKind // what positional arguments mean
	narrow string  // flags with a value that cover a part only
	only   string  // flags without a value that cover a part only
	config string  // flags with a value that change what is checked
	values string  // other flags with a value in the next word
	norun  string  // flags with which nothing is checked
	long   string  // flags with which it runs until it is killed
	server bool    // it always runs until it is killed
	inert  bool    // the action itself checks nothing: vitest list
}

const (
	jestNarrow   = "t testNamePattern testPathPattern testPathPatterns shard selectProjects changedSince testPathIgnorePatterns g grep filter project spec browser exclude f tag reporters-only"
	jestOnly     = "o onlyChanged onlyFailures lastCommit findRelatedTests runTestsByPath changed last-failed"
	jestValues   = "c config w maxWorkers coverageDirectory reporters reporter testTimeout coverageReporters r require timeout retries root pool environment outputFile maxConcurrency workers R output dir import env j jobs seed test-timeout test-reporter"
	pytestNarrow = "k m deselect ignore ignore-glob splits group shard-id num-shards"
	pytestOnly   = "lf last-failed ff-only sw stepwise nf-only testmon picked"
	pytestValues = "n p c o r W tb cov cov-report cov-config cov-fail-under maxfail durations timeout rootdir confcutdir junitxml junit-xml log-cli-level log-level log-file basetemp override-ini numprocesses dist color capture ds reruns asyncio-mode html json-report-file import-mode html-report random-order-seed benchmark-json timeout-method"
	goValues     = "count timeout cpu parallel p coverprofile covermode coverpkg o exec ldflags gcflags asmflags mod modfile vet benchtime fuzztime shuffle outputdir blockprofile cpuprofile memprofile trace overlay fuzzminimizetime C"
	goNarrow     = "run bench skip fuzz"
	cargoValues  = "j jobs target-dir color message-format profile Z manifest-path"
	cargoNarrow  = "p package test bin example bench exclude E filter-expr skip"
	cargoConfig  = "features F target"
)

// specs by program and action, the most words first.
var specs = map[string]spec{
	// Go
	"go test":           {class: Test, args: argsGo, narrow: goNarrow, only: "short", config: "tags", values: goValues, norun: "list c help n"},
	"gotestsum":         {class: Test, family: "go test", args: argsGo, narrow: goNarrow, only: "short", config: "tags", values: goValues + " f format junitfile rerun-fails packages jsonfile", long: "watch", norun: "help"},
	"go vet":            {class: Lint, args: argsGo, config: "tags vettool", values: goValues, norun: "help n"},
	"go build":          {class: Build, args: argsGo, config: "tags", values: goValues, norun: "help n"},
	"go install":        {class: Install, args: argsGo, values: goValues},
	"go get":            {class: Install},
	"go mod":            {class: Install},
	"go run":            {class: Interpreter, args: argsPaths},
	"go fmt":            {class: Format, args: argsGo},
	"gofmt":             {class: Format, args: argsPaths},
	"gofumpt":           {class: Format, args: argsPaths},
	"goimports":         {class: Format, args: argsPaths},
	"golangci-lint":     {class: Lint, family: "golangci-lint run", args: argsUnknown, norun: "help version"},
	"golangci-lint run": {class: Lint, args: argsGo, narrow: "enable-only E disable D new-from-rev", only: "new", values: "c config timeout out-format build-tags j concurrency", norun: "help"},
	"staticcheck":       {class: Lint, args: argsGo, config: "tags", values: "checks go", norun: "version help"},
	"revive":            {class: Lint, args: argsGo, values: "config formatter"},
	"govulncheck":       {class: Lint, args: argsGo},
	"gosec":             {class: Lint, args: argsGo},

	// Python
	"pytest":         {class: Test, args: argsPaths, narrow: pytestNarrow, only: pytestOnly, values: pytestValues, norun: "collect-only co help h version V fixtures markers setup-plan"},
	"unittest":       {class: Test, args: argsPaths, narrow: "k p s start-directory pattern", values: "t top-level-directory", norun: "help h"},
	"nose2":          {class: Test, args: argsPaths, values: "c s"},
	"nosetests":      {class: Test, args: argsPaths, narrow: "a m", values: "c w"},
	"tox":            {class: Test, args: argsUnknown, narrow: "e", values: "c conf", norun: "l listenvs help notest version"},
	"nox":            {class: Test, args: argsUnknown, narrow: "s k t", values: "f", norun: "l list help version"},
	"behave":         {class: Test, args: argsPaths, narrow: "n t tags name i", values: "f o"},
	"doctest":        {class: Test, args: argsPaths},
	"mypy":           {class: TypeCheck, args: argsPaths, narrow: "m p exclude", values: "config-file python-version cache-dir python-executable", norun: "version help"},
	"dmypy":          {class: TypeCheck, args: argsUnknown},
	"pyright":        {class: TypeCheck, args: argsPaths, values: "p project level pythonversion pythonpath", norun: "version help", long: "watch w"},
	"pyre":           {class: TypeCheck, args: argsUnknown},
	"ty check":       {class: TypeCheck, args: argsPaths},
	"ruff":           {class: Lint, family: "ruff check", args: argsPaths, norun: "version help", values: "config"},
	"ruff check":     {class: Lint, args: argsPaths, narrow: "select ignore exclude extend-select", values: "config output-format target-version", norun: "help show-settings"},
	"ruff format":    {class: Format, args: argsPaths, values: "config exclude"},
	"flake8":         {class: Lint, args: argsPaths, narrow: "select ignore exclude", values: "config max-line-length", norun: "version help"},
	"pylint":         {class: Lint, args: argsPaths, narrow: "disable enable", values: "rcfile j", norun: "version help"},
	"bandit":         {class: Lint, args: argsPaths, values: "c f o"},
	"black":          {class: Format, args: argsPaths, values: "l config t"},
	"isort":          {class: Format, args: argsPaths},
	"pre-commit run": {class: Lint, args: argsPaths, narrow: "files hook-stage"},
	"py_compile":     {class: Build, args: argsPaths},
	"compileall":     {class: Build, args: argsPaths},
	"pybuild":        {class: Build},
	"poetry build":   {class: Build},
	"uv build":       {class: Build},
	"hatch build":    {class: Build},
	"hatch test":     {class: Test, args: argsPaths, narrow: pytestNarrow, values: pytestValues},
	"pip":            {class: Install}, "pip install": {class: Install}, "pip list": {class: Inspect}, "pip show": {class: Probe}, "pip freeze": {class: Inspect},
	"pip index": {class: Probe}, "pip download": {class: Install},
	"uv sync": {class: Install}, "uv pip": {class: Install}, "uv add": {class: Install}, "uv lock": {class: Install}, "poetry install": {class: Install}, "poetry add": {class: Install},
	"conda install": {class: Install}, "conda create": {class: Install}, "pipx install": {class: Install}, "venv": {class: Install}, "poetry lock": {class: Install},
	"http.server": {class: Server, server: true}, "uvicorn": {class: Server, server: true}, "gunicorn": {class: Server, server: true},
	"flask run": {class: Server, server: true}, "celery": {class: Server, server: true}, "streamlit run": {class: Server, server: true},
	"jupyter notebook": {class: Server, server: true}, "jupyter lab": {class: Server, server: true}, "fastapi dev": {class: Server, server: true}, "fastapi run": {class: Server, server: true},
	"hypercorn": {class: Server, server: true}, "daphne": {class: Server, server: true}, "json.tool": {class: Inspect},

	// JavaScript
	"jest":            {class: Test, args: argsPaths, narrow: jestNarrow, only: jestOnly, values: jestValues, norun: "listTests showConfig help h version v init clearCache", long: "watch watchAll"},
	"vitest":          {class: Test, args: argsPaths, narrow: jestNarrow, only: jestOnly, values: jestValues, norun: "help h version v clearCache", long: "watch w ui"},
	"vitest run":      {class: Test, family: "vitest", args: argsPaths, narrow: jestNarrow, only: jestOnly, values: jestValues, norun: "help h version v"},
	"vitest related":  {class: Test, family: "vitest", args: argsPaths, narrow: jestNarrow, only: jestOnly, values: jestValues},
	"vitest list":     {class: Test, family: "vitest", args: argsPaths, inert: true},
	"vitest watch":    {class: Test, family: "vitest", args: argsPaths, server: true},
	"vitest dev":      {class: Test, family: "vitest", args: argsPaths, server: true},
	"vitest bench":    {class: Test, args: argsPaths, narrow: jestNarrow, values: jestValues},
	"mocha":           {class: Test, args: argsPaths, narrow: jestNarrow + " fgrep ignore", values: jestValues + " extension ui", norun: "help dry-run version", long: "watch w"},
	"ava":             {class: Test, args: argsPaths, narrow: "m match", values: "c T", long: "watch w"},
	"tap":             {class: Test, args: argsPaths, values: jestValues},
	"karma start":     {class: Test, args: argsUnknown},
	"wdio":            {class: Test, args: argsPaths, narrow: "spec suite"},
	"playwright test": {class: Test, args: argsPaths, narrow: jestNarrow, only: jestOnly + " only-changed", values: jestValues, norun: "list help h", long: "ui"},
	"playwright":      {class: Other}, "playwright install": {class: Install},
	"cypress run":      {class: Test, args: argsPaths, narrow: "spec s browser b", values: "config C config-file e env P project"},
	"node":             {class: Interpreter},
	"bun test":         {class: Test, args: argsPaths, narrow: jestNarrow, only: "only todo", values: jestValues + " preload timeout rerun-each bail", norun: "help h", long: "watch"},
	"deno test":        {class: Test, args: argsPaths, narrow: "filter ignore", values: "config c", norun: "no-run help", long: "watch"},
	"deno check":       {class: TypeCheck, args: argsPaths},
	"deno lint":        {class: Lint, args: argsPaths},
	"deno fmt":         {class: Format, args: argsPaths},
	"eslint":           {class: Lint, args: argsPaths, narrow: "rule ignore-pattern", values: "c config ext f format o output-file max-warnings resolve-plugins-relative-to cache-location parser-options", norun: "version v help h print-config init env-info"},
	"stylelint":        {class: Lint, args: argsPaths, values: "config"},
	"standard":         {class: Lint, args: argsPaths},
	"xo":               {class: Lint, args: argsPaths},
	"knip":             {class: Lint},
	"next lint":        {class: Lint, args: argsPaths},
	"biome check":      {class: Lint, args: argsPaths, narrow: "only skip", values: "config-path", norun: "help"},
	"biome ci":         {class: Lint, family: "biome check", args: argsPaths},
	"biome lint":       {class: Lint, args: argsPaths, narrow: "only skip", values: "config-path"},
	"biome format":     {class: Format, args: argsPaths},
	"prettier":         {class: Format, args: argsPaths, norun: "version help"},
	"tsc":              {class: TypeCheck, args: argsPaths, config: "p project b build", values: "outDir target module lib jsx moduleResolution rootDir types", norun: "version v help h init showConfig", long: "watch w"},
	"svelte-check":     {class: TypeCheck, values: "tsconfig threshold"},
	"astro check":      {class: TypeCheck},
	"tsd":              {class: TypeCheck},
	"next build":       {class: Build},
	"nuxt build":       {class: Build},
	"astro build":      {class: Build},
	"vite build":       {class: Build, config: "mode config"},
	"webpack":          {class: Build, config: "c config mode env", norun: "version help", long: "watch w"},
	"rollup":           {class: Build, config: "c", long: "watch w"},
	"tsup":             {class: Build, args: argsPaths, long: "watch"},
	"esbuild":          {class: Build, args: argsPaths, long: "watch servedir", norun: "version help"},
	"bun build":        {class: Build, args: argsPaths},
	"storybook build":  {class: Build},
	"electron-builder": {class: Build},
	"hardhat test":     {class: Test, args: argsPaths, narrow: "grep"},
	"hardhat compile":  {class: Build},
	"forge test":       {class: Test, args: argsPaths, narrow: "match-test match-contract match-path mt mc mp no-match-test", values: "fork-url"},
	"forge build":      {class: Build},
	"next dev":         {class: Server, server: true},
	"next start":       {class: Server, server: true},
	"nuxt dev":         {class: Server, server: true},
	"astro dev":        {class: Server, server: true},
	"vite":             {class: Server, server: true, norun: "version help"},
	"vite dev":         {class: Server, server: true},
	"vite preview":     {class: Server, server: true},
	"wrangler dev":     {class: Server, server: true},
	"storybook dev":    {class: Server, server: true},
	"serve":            {class: Server, server: true},
	"http-server":      {class: Server, server: true},
	"live-server":      {class: Server, server: true},
	"pm2":              {class: Server},
	"webpack serve":    {class: Server, server: true},
	"npm":              {class: Other},
	"npm install":      {class: Install}, "npm ci": {class: Install}, "npm i": {class: Install}, "npm add": {class: Install}, "npm uninstall": {class: Install}, "npm update": {class: Install},
	"npm ls": {class: Inspect}, "npm list": {class: Inspect}, "npm view": {class: Probe}, "npm outdated": {class: Probe}, "npm audit": {class: Probe}, "npm pack": {class: Build}, "npm info": {class: Probe},
	"npm link": {class: Install}, "npm rebuild": {class: Install}, "npm prune": {class: Install},
	"yarn install": {class: Install}, "yarn add": {class: Install}, "yarn remove": {class: Install},
	"pnpm install": {class: Install}, "pnpm i": {class: Install}, "pnpm add": {class: Install}, "pnpm remove": {class: Install},
	"bun install": {class: Install}, "bun add": {class: Install}, "bun i": {class: Install}, "bun remove": {class: Install},

	// Rust
	"cargo test":        {class: Test, args: argsPaths, narrow: cargoNarrow, only: "lib doc bins tests", config: cargoConfig, values: cargoValues + " test-threads", norun: "no-run help list"},
	"cargo t":           {class: Test, family: "cargo test", args: argsPaths, narrow: cargoNarrow, only: "lib doc", config: cargoConfig, values: cargoValues},
	"cargo nextest":     {class: Test, args: argsUnknown, inert: true},
	"cargo nextest run": {class: Test, args: argsPaths, narrow: cargoNarrow, only: "lib", config: cargoConfig, values: cargoValues + " P retries", norun: "no-run"},
	"cargo llvm-cov":    {class: Test, args: argsUnknown},
	"cargo tarpaulin":   {class: Test, args: argsUnknown},
	"cargo build":       {class: Build, narrow: cargoNarrow, config: cargoConfig, values: cargoValues, norun: "help"},
	"cargo b":           {class: Build, family: "cargo build", narrow: cargoNarrow, config: cargoConfig, values: cargoValues},
	"cargo check":       {class: Build, narrow: cargoNarrow, config: cargoConfig, values: cargoValues, norun: "help"},
	"cargo clippy":      {class: Lint, narrow: cargoNarrow, config: cargoConfig, values: cargoValues, norun: "help"},
	"cargo fmt":         {class: Format},
	"cargo doc":         {class: Build},
	"cargo run":         {class: Interpreter},
	"cargo add":         {class: Install}, "cargo install": {class: Install}, "cargo fetch": {class: Install}, "cargo update": {class: Install},
	"cargo watch": {class: Server, server: true}, "rustc": {class: Build, args: argsPaths, norun: "version V help"}, "rustfmt": {class: Format},
	"trunk build": {class: Build}, "trunk serve": {class: Server, server: true},
	"cargo deny": {class: Lint}, "cargo audit": {class: Lint}, "cargo bench": {class: Test, args: argsPaths, narrow: cargoNarrow, values: cargoValues, norun: "no-run"},

	// JVM, .NET and the rest
	"mvn": {class: Build, args: argsTasks}, "gradle": {class: Build, args: argsTasks}, "sbt": {class: Build, args: argsTasks}, "ant": {class: Build, args: argsTasks},
	"javac": {class: Build, args: argsPaths, norun: "version"}, "kotlinc": {class: Build, args: argsPaths}, "ktlint": {class: Lint, args: argsPaths}, "detekt": {class: Lint},
	"dotnet test":     {class: Test, args: argsPaths, narrow: "filter", values: "c configuration f framework r logger l settings s v verbosity collect results-directory", norun: "list-tests t help"},
	"dotnet vstest":   {class: Test, args: argsPaths},
	"dotnet build":    {class: Build, args: argsPaths, values: "c configuration f framework r v verbosity o output"},
	"dotnet publish":  {class: Build, args: argsPaths},
	"dotnet restore":  {class: Install},
	"dotnet format":   {class: Format},
	"dotnet run":      {class: Interpreter},
	"msbuild":         {class: Build, args: argsPaths},
	"rspec":           {class: Test, args: argsPaths, narrow: "e example t tag P pattern", only: "only-failures next-failure", values: "f format r require o out I", norun: "dry-run version help"},
	"rake":            {class: Other, args: argsTasks},
	"rails":           {class: Other, args: argsTasks},
	"minitest":        {class: Test, args: argsPaths},
	"cucumber":        {class: Test, args: argsPaths, narrow: "t tags n name"},
	"rubocop":         {class: Lint, args: argsPaths, narrow: "only except", values: "c config f format", norun: "version help"},
	"bundle install":  {class: Install},
	"bundle":          {class: Install},
	"gem install":     {class: Install},
	"gem build":       {class: Build},
	"phpunit":         {class: Test, args: argsPaths, narrow: "filter testsuite group exclude-group", values: "c configuration coverage-html log-junit", norun: "list-tests version help"},
	"pest":            {class: Test, args: argsPaths, narrow: "filter testsuite group", values: "c"},
	"artisan test":    {class: Test, args: argsPaths, narrow: "filter testsuite group"},
	"phpstan":         {class: TypeCheck, family: "phpstan analyse", args: argsPaths, values: "l level c configuration memory-limit"},
	"phpstan analyse": {class: TypeCheck, args: argsPaths, values: "l level c configuration memory-limit"},
	"psalm":           {class: TypeCheck, args: argsPaths},
	"phpcs":           {class: Lint, args: argsPaths},
	"composer":        {class: Other, args: argsTasks}, "composer install": {class: Install}, "composer require": {class: Install}, "composer update": {class: Install},
	"ctest":           {class: Test, narrow: "R E L LE I tests-regex exclude-regex label-regex", config: "C", values: "test-dir j timeout parallel M T", only: "rerun-failed", norun: "N show-only version help"},
	"swift test":      {class: Test, narrow: "filter skip s", values: "package-path c", norun: "list-tests"},
	"swift build":     {class: Build, narrow: "target product", values: "package-path c configuration"},
	"swiftlint":       {class: Lint, args: argsPaths},
	"xcodebuild":      {class: Build, args: argsTasks},
	"mix test":        {class: Test, args: argsPaths, narrow: "only exclude include", only: "failed stale", values: "seed max-failures"},
	"mix compile":     {class: Build},
	"mix credo":       {class: Lint},
	"mix dialyzer":    {class: TypeCheck},
	"mix format":      {class: Format},
	"flutter test":    {class: Test, args: argsPaths, narrow: "name plain-name t tags", values: "r reporter j"},
	"dart test":       {class: Test, args: argsPaths, narrow: "n name N plain-name t tags", values: "r p"},
	"flutter analyze": {class: Lint, args: argsPaths},
	"dart analyze":    {class: Lint, args: argsPaths},
	"flutter build":   {class: Build, args: argsPaths},
	"flutter run":     {class: Server, server: true},
	"bats":            {class: Test, args: argsPaths, narrow: "f filter filter-tags", values: "j jobs", norun: "count help version"},
	"busted":          {class: Test, args: argsPaths, narrow: "t tags filter"},
	"prove":           {class: Test, args: argsPaths, values: "j I"},
	"lein test":       {class: Test, args: argsPaths, narrow: "only"},
	"stack test":      {class: Test, args: argsPaths},
	"cabal test":      {class: Test, args: argsPaths},
	"stack build":     {class: Build, args: argsPaths},
	"cabal build":     {class: Build, args: argsPaths},
	"dune test":       {class: Test, args: argsPaths},
	"dune runtest":    {class: Test, family: "dune test", args: argsPaths},
	"dune build":      {class: Build, args: argsPaths},
	"zig test":        {class: Test, args: argsPaths, narrow: "test-filter"},
	"zig build":       {class: Build, args: argsTasks},
	"meson test":      {class: Test, args: argsPaths, values: "C"},
	"meson compile":   {class: Build},
	"bazel test":      {class: Test, args: argsPaths, narrow: "test_filter test_tag_filters", config: "config"},
	"bazel build":     {class: Build, args: argsPaths, config: "config"},
	"buck test":       {class: Test, args: argsPaths},
	"buck2 test":      {class: Test, args: argsPaths},
	"pants test":      {class: Test, args: argsPaths},
	"nx test":         {class: Test, args: argsPaths},
	"nx build":        {class: Build, args: argsPaths},
	"nx lint":         {class: Lint, args: argsPaths},
	"nx affected":     {class: Test, args: argsUnknown, narrow: "t target base"},
	"nx run-many":     {class: Other, args: argsTasks},
	"turbo run":       {class: Other, args: argsTasks, family: "turbo"},
	"turbo":           {class: Other, args: argsTasks, family: "turbo"},
	"lerna run":       {class: Other, args: argsTasks},
	"make":            {class: Build, args: argsTasks, values: "C f j l o W I directory file jobs", norun: "n just-print dry-run recon help version p q question"},
	"just":            {class: Other, args: argsTasks, values: "f justfile d working-directory", norun: "l list n dry-run help summary version show"},
	"task":            {class: Other, args: argsTasks, values: "d t taskfile dir", norun: "l list list-all n dry help version summary"},
	"mage":            {class: Other, args: argsTasks, norun: "l h"},
	"mise run":        {class: Other, args: argsTasks},
	"mise tasks":      {class: Inspect}, "mise install": {class: Install},
	"invoke": {class: Other, args: argsTasks}, "inv": {class: Other, args: argsTasks}, "poe": {class: Other, args: argsTasks}, "moon run": {class: Other, args: argsTasks},
	"deno task": {class: Other, args: argsTasks}, "grunt": {class: Other, args: argsTasks}, "gulp": {class: Other, args: argsTasks},
	"hatch run": {class: Other, args: argsTasks}, "pdm run": {class: Other, args: argsTasks}, "rtk": {class: Other},
	"ninja": {class: Build, args: argsTasks, values: "C j f t"}, "cmake": {class: Other}, "gcc": {class: Build, args: argsPaths, norun: "version"}, "g++": {class: Build, args: argsPaths, norun: "version"},
	"clang": {class: Build, args: argsPaths, norun: "version"}, "clang++": {class: Build, args: argsPaths, norun: "version"}, "cc": {class: Build, args: argsPaths, norun: "version"},
	"latexmk": {class: Build, args: argsPaths}, "pdflatex": {class: Build, args: argsPaths}, "hugo": {class: Build}, "mkdocs build": {class: Build}, "sphinx-build": {class: Build}, "mkdocs serve": {class: Server, server: true}, "hugo server": {class: Server, server: true},
	"docker build": {class: Build, values: "t f tag file build-arg target platform progress network", args: argsPaths, norun: "help check"}, "docker buildx build": {class: Build, family: "docker build", args: argsPaths, values: "t f tag file build-arg target platform progress", norun: "help"},
	"docker compose build": {class: Build, args: argsPaths}, "docker-compose build": {class: Build, family: "docker compose build", args: argsPaths}, "podman build": {class: Build},
	"shellcheck": {class: Lint, args: argsPaths, narrow: "e exclude i include", values: "s shell x f format S severity", norun: "version help V"}, "hadolint": {class: Lint, args: argsPaths},
	"yamllint": {class: Lint, args: argsPaths}, "markdownlint": {class: Lint, args: argsPaths}, "actionlint": {class: Lint, args: argsPaths}, "tflint": {class: Lint}, "ansible-lint": {class: Lint, args: argsPaths}, "semgrep": {class: Lint, args: argsPaths},
	"clang-tidy": {class: Lint, args: argsPaths}, "cppcheck": {class: Lint, args: argsPaths}, "clang-format": {class: Format}, "shfmt": {class: Format}, "codespell": {class: Lint, args: argsPaths}, "typos": {class: Lint, args: argsPaths},
	"trivy": {class: Lint}, "taplo": {class: Format},

	// Version control
	"git": {class: VCS}, "gh": {class: VCS}, "hg": {class: VCS}, "glab": {class: VCS}, "jj": {class: VCS}, "svn": {class: VCS}, "gt": {class: VCS},
	"gh run watch": {class: Wait, server: true}, "gh pr checks": {class: Probe}, "gh auth status": {class: Probe}, "git grep": {class: Search}, "git clean": {class: Remove},
	"git diff": {class: VCS}, "gh release create": {class: Publish}, "gh pr merge": {class: VCS}, "gh run view": {class: Inspect},

	// Infrastructure
	"terraform": {class: Infra}, "pulumi": {class: Infra}, "cdk": {class: Infra}, "ansible-playbook": {class: Infra}, "ansible": {class: Infra}, "kubectl": {class: Infra}, "helm": {class: Infra}, "kustomize": {class: Infra},
	"terraform fmt": {class: Format}, "terraform version": {class: Probe}, "kubectl get": {class: Inspect}, "kubectl describe": {class: Inspect}, "kubectl logs": {class: Inspect, long: "f follow"}, "kubectl version": {class: Probe}, "kubectl config": {class: Other},
	"kubectl port-forward": {class: Server, server: true}, "kubectl wait": {class: Wait}, "kubectl explain": {class: Inspect}, "kubectl top": {class: Inspect}, "kubectl proxy": {class: Server, server: true}, "helm list": {class: Inspect}, "helm template": {class: Inspect}, "helm lint": {class: Lint}, "helm status": {class: Inspect},
	"helm repo": {class: Other}, "kubectl rollout status": {class: Wait}, "terraform show": {class: Inspect}, "terraform output": {class: Inspect}, "terraform state": {class: Inspect}, "terraform console": {class: Other},
	"vagrant up": {class: Infra}, "packer build": {class: Build}, "argocd": {class: Infra}, "flux": {class: Infra}, "nomad": {class: Infra},

	// Deploy
	"vercel": {class: Deploy, norun: "help version v h"}, "vercel deploy": {class: Deploy}, "netlify deploy": {class: Deploy}, "fly deploy": {class: Deploy}, "wrangler deploy": {class: Deploy}, "wrangler publish": {class: Deploy},
	"vercel env": {class: Other}, "vercel ls": {class: Inspect}, "vercel logs": {class: Inspect}, "vercel inspect": {class: Inspect}, "vercel whoami": {class: Probe}, "vercel link": {class: Other}, "vercel pull": {class: Other}, "vercel build": {class: Build}, "vercel dev": {class: Server, server: true}, "vercel login": {class: Other},
	"firebase deploy": {class: Deploy}, "railway up": {class: Deploy}, "serverless deploy": {class: Deploy}, "sam deploy": {class: Deploy}, "sst deploy": {class: Deploy}, "eb deploy": {class: Deploy}, "kamal deploy": {class: Deploy}, "cap": {class: Deploy},
	"cdk deploy": {class: Deploy}, "cdk destroy": {class: Infra}, "gcloud app deploy": {class: Deploy}, "gcloud run deploy": {class: Deploy}, "gcloud functions deploy": {class: Deploy}, "surge": {class: Deploy}, "gh-pages": {class: Deploy}, "skaffold run": {class: Deploy}, "heroku container:release": {class: Deploy}, "supabase functions deploy": {class: Deploy},

	// Publish
	"npm publish": {class: Publish}, "yarn publish": {class: Publish}, "yarn npm publish": {class: Publish}, "pnpm publish": {class: Publish}, "bun publish": {class: Publish}, "cargo publish": {class: Publish}, "twine upload": {class: Publish}, "poetry publish": {class: Publish},
	"uv publish": {class: Publish}, "gem push": {class: Publish}, "docker push": {class: Publish}, "podman push": {class: Publish}, "lerna publish": {class: Publish}, "changeset publish": {class: Publish}, "semantic-release": {class: Publish}, "goreleaser release": {class: Publish}, "goreleaser build": {class: Build}, "hatch publish": {class: Publish}, "vsce publish": {class: Publish}, "twine check": {class: Lint, args: argsPaths},

	// Migrations
	"alembic upgrade": {class: Migrate}, "alembic downgrade": {class: Migrate}, "prisma migrate": {class: Migrate}, "prisma db": {class: Migrate}, "prisma generate": {class: Build}, "prisma validate": {class: Lint}, "knex migrate:latest": {class: Migrate}, "knex migrate:rollback": {class: Migrate}, "sequelize db:migrate": {class: Migrate}, "sequelize-cli db:migrate": {class: Migrate},
	"typeorm migration:run": {class: Migrate}, "sqlx migrate": {class: Migrate}, "diesel migration": {class: Migrate}, "goose": {class: Migrate}, "flyway": {class: Migrate}, "liquibase": {class: Migrate}, "dbmate": {class: Migrate}, "drizzle-kit push": {class: Migrate}, "drizzle-kit migrate": {class: Migrate}, "drizzle-kit generate": {class: Build}, "flask db": {class: Migrate}, "artisan migrate": {class: Migrate}, "mix ecto.migrate": {class: Migrate}, "dotnet ef": {class: Migrate}, "atlas": {class: Migrate}, "supabase db": {class: Migrate}, "migrate": {class: Migrate},

	// Servers and things that wait
	"docker compose up": {class: Server, server: true}, "docker-compose up": {class: Server, server: true}, "docker logs": {class: Inspect, long: "f follow"}, "docker compose logs": {class: Inspect, long: "f follow"}, "docker ps": {class: Inspect}, "docker images": {class: Inspect}, "docker inspect": {class: Inspect}, "docker run": {class: Interpreter},
	"docker pull": {class: Install}, "docker stop": {class: Kill}, "docker kill": {class: Kill}, "docker rm": {class: Remove}, "docker rmi": {class: Remove}, "docker compose down": {class: Kill}, "docker compose stop": {class: Kill}, "docker compose ps": {class: Inspect}, "docker system": {class: Remove}, "docker volume": {class: Other}, "docker version": {class: Probe}, "docker info": {class: Probe},
	"docker": {class: Other}, "docker-compose": {class: Other}, "php -S": {class: Server, server: true}, "caddy run": {class: Server, server: true}, "nginx": {class: Server}, "redis-server": {class: Server, server: true}, "mongod": {class: Server, server: true}, "postgres": {class: Server, server: true}, "ngrok": {class: Server, server: true}, "ollama serve": {class: Server, server: true}, "air": {class: Server, server: true}, "jekyll serve": {class: Server, server: true}, "puma": {class: Server, server: true},
	"sleep": {class: Wait, server: true}, "wait": {class: Wait}, "wait-on": {class: Wait}, "inotifywait": {class: Wait, server: true}, "fswatch": {class: Wait, server: true}, "journalctl": {class: Inspect, long: "f follow"},
	"kill": {class: Kill}, "pkill": {class: Kill}, "killall": {class: Kill}, "taskkill": {class: Kill}, "fuser": {class: Kill}, "kill-port": {class: Kill}, "xkill": {class: Kill},

	// Reading and looking
	"grep": {class: Search}, "rg": {class: Search}, "ag": {class: Search}, "ack": {class: Search}, "find": {class: Search}, "fd": {class: Search}, "fdfind": {class: Search}, "ast-grep": {class: Search}, "locate": {class: Search}, "Select-String": {class: Search}, "findstr": {class: Search}, "sg": {class: Search},
	"cat": {class: Inspect}, "ls": {class: Inspect}, "head": {class: Inspect}, "tail": {class: Inspect, long: "f F follow retry"}, "less": {class: Inspect}, "more": {class: Inspect}, "jq": {class: Inspect}, "yq": {class: Inspect}, "wc": {class: Inspect}, "sort": {class: Inspect}, "uniq": {class: Inspect}, "cut": {class: Inspect}, "awk": {class: Inspect}, "sed": {class: Inspect}, "tree": {class: Inspect},
	"stat": {class: Inspect}, "file": {class: Inspect}, "du": {class: Inspect}, "df": {class: Inspect}, "diff": {class: Inspect}, "cmp": {class: Inspect}, "comm": {class: Inspect}, "xxd": {class: Inspect}, "hexdump": {class: Inspect}, "od": {class: Inspect}, "strings": {class: Inspect}, "nl": {class: Inspect}, "bat": {class: Inspect}, "column": {class: Inspect}, "tr": {class: Inspect}, "pwd": {class: Inspect}, "date": {class: Inspect}, "ps": {class: Inspect}, "env": {class: Inspect}, "printenv": {class: Inspect}, "uname": {class: Inspect}, "whoami": {class: Inspect}, "id": {class: Inspect},
	"readlink": {class: Inspect}, "realpath": {class: Inspect}, "basename": {class: Inspect}, "dirname": {class: Inspect}, "md5sum": {class: Inspect}, "sha256sum": {class: Inspect}, "shasum": {class: Inspect}, "go doc": {class: Inspect}, "go list": {class: Inspect}, "go env": {class: Inspect}, "go version": {class: Probe}, "man": {class: Inspect}, "tac": {class: Inspect}, "rev": {class: Inspect}, "base64": {class: Inspect}, "Get-Content": {class: Inspect}, "Get-ChildItem": {class: Inspect}, "type": {class: Probe}, "dir": {class: Inspect}, "free": {class: Inspect}, "top": {class: Inspect}, "history": {class: Inspect}, "tee": {class: Inspect}, "eza": {class: Inspect}, "exa": {class: Inspect},
	"which": {class: Probe}, "where": {class: Probe}, "whereis": {class: Probe}, "command": {class: Probe}, "hash": {class: Probe}, "test": {class: Probe}, "[": {class: Probe}, "[[": {class: Probe}, "curl": {class: Probe}, "wget": {class: Probe}, "http": {class: Probe}, "nc": {class: Probe}, "ping": {class: Probe}, "pgrep": {class: Probe}, "lsof": {class: Probe}, "ss": {class: Probe}, "netstat": {class: Probe}, "systemctl": {class: Other}, "systemctl is-active": {class: Probe}, "systemctl status": {class: Probe}, "systemctl is-enabled": {class: Probe}, "pg_isready": {class: Probe}, "dpkg": {class: Probe}, "nslookup": {class: Probe}, "dig": {class: Probe}, "host": {class: Probe}, "getent": {class: Probe}, "openssl": {class: Other},
	"rm": {class: Remove}, "rmdir": {class: Remove}, "unlink": {class: Remove}, "trash": {class: Remove}, "shred": {class: Remove},
	"apt": {class: Install}, "apt-get": {class: Install}, "brew": {class: Install}, "apk": {class: Install}, "yum": {class: Install}, "dnf": {class: Install}, "pacman": {class: Install}, "choco": {class: Install}, "winget": {class: Install}, "rustup": {class: Install}, "nvm": {class: Install}, "pyenv": {class: Install}, "snap": {class: Install}, "apt-cache": {class: Search},
	"python": {class: Interpreter}, "ruby": {class: Interpreter}, "perl": {class: Interpreter}, "php": {class: Interpreter}, "java": {class: Interpreter}, "tsx": {class: Interpreter}, "ts-node": {class: Interpreter}, "deno": {class: Interpreter}, "bun": {class: Interpreter}, "lua": {class: Interpreter}, "Rscript": {class: Interpreter}, "julia": {class: Interpreter}, "bash": {class: Interpreter}, "sh": {class: Interpreter}, "zsh": {class: Interpreter}, "osascript": {class: Interpreter}, "psql": {class: Interpreter}, "mysql": {class: Interpreter}, "sqlite3": {class: Interpreter}, "elixir": {class: Interpreter}, "swift": {class: Interpreter},
}

// globals are the flags with a value that may stand before the action of a
// program; dirs are those among them that set the directory.
var globals = map[string]struct{ values, dirs string }{
	"git":            {"C c git-dir work-tree exec-path namespace", "C"},
	"npm":            {"prefix C w workspace loglevel", "prefix C"},
	"pnpm":           {"C dir F filter prefix", "C dir prefix"},
	"yarn":           {"cwd", "cwd"},
	"bun":            {"cwd F filter", "cwd"},
	"make":           {"C f j l o W I directory file jobs", "C directory"},
	"go":             {"C", "C"},
	"cargo":          {"manifest-path C Z config color target-dir", "C"},
	"docker":         {"context H host l log-level f file p project-name profile env-file project-directory", "project-directory"},
	"docker-compose": {"f file p project-name profile env-file project-directory", "project-directory"},
	"podman":         {"c connection", ""},
	"kubectl":        {"n namespace context kubeconfig cluster s server user", ""},
	"helm":           {"n namespace kube-context kubeconfig", ""},
	"terraform":      {"chdir", "chdir"},
	"gh":             {"R repo", ""},
	"gradle":         {"p project-dir b build-file c settings-file", "p project-dir"},
	"mvn":            {"f file pl projects P s settings gs l T", ""},
	"aws":            {"profile region output query endpoint-url", ""},
	"gcloud":         {"project account configuration format", ""},
	"fly":            {"a app c config", ""},
	"uv":             {"directory project p python", "directory project"},
	"poetry":         {"C directory P project", "C directory"},
	"alembic":        {"c config n name x", ""},
	"prisma":         {"schema", ""},
	"vercel":         {"t token scope S cwd", "cwd"},
	"wrangler":       {"c config e env", ""},
	"ninja":          {"C f j t", "C"},
	"ctest":          {"test-dir", "test-dir"},
	"just":           {"f justfile d working-directory", "d working-directory"},
	"task":           {"d dir t taskfile", "d dir"},
	"turbo":          {"F filter cwd", "cwd"},
	"migrate":        {"path database source", ""},
	"goose":          {"dir table", ""},
	"mise":           {"C cd", "C cd"},
	"heroku":         {"a app r remote", ""},
	"firebase":       {"P project", ""},
	"sqlx":           {"D database-url", ""},
}
