.DEFAULT_GOAL := help
GO      ?= go
TOOL    := CGO_ENABLED=0 $(GO) tool -modfile=tools/go.mod
DATA    ?= ./data
LISTEN  ?= 127.0.0.1:9292
export CGO_ENABLED ?= 0

.PHONY: help run build check test test/pg test/peers test/browser pictures bench generate css lint lint-sql format db/reset stats release

help: ## show this list
	@grep -hE '^[a-z/-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z\/-]+):[^#]*## */\1|/' | column -t -s '|'

run: build ## build, and serve with a demo account on the embedded database
	./bin/tectonic serve --demo --data $(DATA) --listen $(LISTEN)

build: ## build bin/tectonic
	$(GO) build -trimpath -ldflags='-s -w' -o bin/tectonic ./cmd/tectonic

check: lint ## the fast checks: lint and all tests on SQLite
	$(GO) test ./...

test: ## everything: installs what it lacks, both databases, a real browser
	./scripts/test.sh

test/pg: ## the Go tests on SQLite and on a private PostgreSQL
	./scripts/with-postgres.sh $(GO) test ./...

test/peers: ## the MCP conformance suite and real clients, through sign-in and consent (needs Node)
	$(GO) test -v -tags peers -count=1 ./internal/peers

test/browser: ## the journeys in a real Chromium
	$(GO) test -tags browser -count=1 ./internal/journey/...

pictures: ## take the pictures of docs/images again
	mkdir -p docs/images && SHOTS=$(CURDIR)/docs/images $(GO) test -tags browser -count=1 -run 'TestLiftAWeek|TestReadTheCharts|TestWhyAnAssistantFailed|TestWriteABlock' ./internal/journey
	rm -f docs/images/*-no-script.png

bench: ## speed and memory, on SQLite and on a private PostgreSQL
	./scripts/bench.sh

generate: ## write templates, queries, settings and the stylesheet again
	$(TOOL) templ generate -path ./internal
	$(TOOL) sqlc generate
	$(GO) run ./internal/config/generate
	$(GO) run ./cmd/tectonic contract lock > contract.lock.new && mv contract.lock.new contract.lock
	$(GO) run ./cmd/tectonic contract reference > docs/reference/tools.md
	$(MAKE) --no-print-directory css

css: ## compile the stylesheet (needs Node)
	cd web && npm ci --no-audit --no-fund --silent && npm run --silent vendor && npm run --silent css

lint: ## vet, staticcheck and the single linters
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	cd tools && $(GO) build -o ../bin/lint ./lint
	./bin/lint ./...
	@test -z "$$($(TOOL) gofumpt -l cmd internal)" || { echo 'not formatted; run: make format'; $(TOOL) gofumpt -l cmd internal; exit 1; }

lint-sql: ## the queries name a workspace, and the generated code is fresh
	$(TOOL) sqlc vet
	$(TOOL) sqlc diff

format: ## format the sources
	$(TOOL) gofumpt -w cmd internal
	$(TOOL) templ fmt internal

db/reset: ## throw the data of make run away
	rm -rf $(DATA)

stats: ## sizes of functions and files
	@find internal cmd -name '*.go' ! -name '*_templ.go' ! -path '*/store/*.sql.go' | xargs wc -l | sort -n | tail -20

release: ## build VERSION=1.2.3 for the platforms that we publish
	@test -n "$(VERSION)" || { echo 'name the version: make release VERSION=1.2.3'; exit 1; }
	rm -rf bin/release
	@for target in linux/amd64 linux/arm64 darwin/arm64 windows/amd64; do \
	  suffix=; test "$${target%/*}" != windows || suffix=.exe; \
	  GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -trimpath -ldflags='-s -w -X tectonic/internal/app.Version=$(VERSION)' \
	    -o bin/release/tectonic-$${target%/*}-$${target#*/}$$suffix ./cmd/tectonic || exit 1; done
	@cd bin/release && sha256sum * > SHA256SUMS && cat SHA256SUMS
