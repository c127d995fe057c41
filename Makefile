# The targets that people and CI call. Tools are pinned and run from the module
# proxy; nothing has to be installed by hand.
GOFUMPT     = go run mvdan.cc/gofumpt@v0.12.0
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: test lint docs bench fuzz eval evidence build

test:
	go test ./...

lint:
	go vet ./...
	@out=$$($(GOFUMPT) -l .); if [ -n "$$out" ]; then echo "gofumpt wants to change:"; echo "$$out"; exit 1; fi
	$(STATICCHECK) ./...

# docs rewrites what is generated from the code.
docs:
	go generate ./...

# bench measures throughput (MB/s of CPU time per core) and memory; see
# docs/evidence.md for what the figures were and how to read them.
bench:
	go test -run '^$$' -bench '[^y]$$' -benchmem ./jsonl ./audit
	go test -run '^$$' -bench 'Memory$$' -benchtime 1x ./audit  # by itself: it measures the whole process

# eval measures precision and recall and rewrites eval/RESULTS.md. It needs the
# corpus beside the clone for most of it, and npm for the side-by-side.
eval:
	go run ./eval -red-handed

# fuzz runs every fuzz target for a while.
fuzz:
	@for pkg in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$pkg | grep ^Fuzz); do \
			echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $${FUZZTIME:-20s} $$pkg || exit 1; \
		done; \
	done

build:
	go build -trimpath -o bin/transcript-lint ./cmd/transcript-lint
