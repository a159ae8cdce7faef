#!/bin/sh
# Speed and memory of the product: Go benchmarks on both databases, then the
# binary from outside (size, start to first answer, resident memory idle and
# under a load from a second process). Figures of one run on one machine.
set -eu
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
FSYNC=on ./scripts/with-postgres.sh go test -run '^$' -bench . -benchtime "${BENCHTIME:-300x}" -count "${COUNT:-3}" ./internal/benchmark
go test -run '^$' -bench . -benchtime 1000x ./internal/plates/training/strength ./internal/bedrock/gate
go run ./scripts/footprint
