#!/bin/sh
# Everything, in the order in which it fails fastest: generated files, linters,
# the Go tests on SQLite and PostgreSQL, the real clients and the conformance
# suite, the journeys in a real browser.
set -eu
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }
export CGO_ENABLED=0

step 'install what is missing'
./scripts/install.sh

step 'generated files are fresh'
before=$(git status --porcelain)
make --no-print-directory generate
if [ "$(git status --porcelain)" != "$before" ]; then
    echo 'generated files differ from their sources; run make generate and commit' >&2
    git --no-pager diff --stat
    exit 1
fi

step 'lint'
make --no-print-directory lint lint-sql
go vet -tags conformance,peers ./...

step 'tests on SQLite and PostgreSQL'
./scripts/with-postgres.sh go test ./...

step 'MCP conformance suite and real clients'
make --no-print-directory test/peers

step 'journeys in Chromium'
go test -tags browser -count=1 ./internal/journey/...

step 'all green'
