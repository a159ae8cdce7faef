#!/bin/sh
# Compares MCP servers in one run: ours on both paths, the bare official SDK,
# mark3labs/mcp-go and the TypeScript SDK. Needs Node and the packages of peers/.
# FOR=5s sets how long each figure is measured.
set -eu
cd "$(dirname "$0")/.."
FOR=${FOR:-5s}
work=$(mktemp -d)
running=
stop() { for p in $running; do kill "$p" 2>/dev/null || true; done; rm -rf "$work"; }
trap stop EXIT INT TERM

CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$work/tectonic" ./cmd/tectonic
(cd tools/compare && for c in bare mcpgo load; do CGO_ENABLED=0 go build -o "$work/$c" "./$c"; done)
[ -d peers/node_modules ] || (cd peers && npm ci --no-audit --no-fund --silent)
node=peers/node_modules/node/bin/node
[ -x "$node" ] || node=node

data=$work/data
printf 'chalk and steel\n' | "$work/tectonic" account create --email a@example.com --time-zone UTC --data "$data" >/dev/null
"$work/tectonic" training program seed --start 2026-03-02 --data "$data" >/dev/null
"$work/tectonic" training program generate --week 1 --data "$data" >/dev/null
token=$("$work/tectonic" oauth token create Compare --scopes "read write" --data "$data")

start() { # NAME PORT COMMAND…: sets pid
  port=$2; shift 2
  "$@" >"$work/log" 2>&1 &
  pid=$!
  running="$running $pid"
  for _ in $(seq 100); do
    curl -s -m 1 -o /dev/null "http://127.0.0.1:$port/" && return
    [ $? -ne 28 ] || return 0 # it keeps the connection open: it is there
    sleep 0.1
  done
  cat "$work/log"; exit 1
}
measure() { # NAME PORT TOKEN
  for tool in whoami get_workout; do
    arguments='{}'
    [ "$tool" = whoami ] || arguments='{"workout_id":1}'
    for connections in 1 16; do
      "$work/load" -name "$1" -url "http://127.0.0.1:$2/mcp" -token "$3" -pid "$pid" -tool "$tool" -arguments "$arguments" -connections "$connections" -for "$FOR"
    done
  done
}
finish() { kill "$pid"; wait "$pid" 2>/dev/null || true; }

echo "| Server | Tool | Connections | Requests/s | p50 ms | p99 ms | Resident |"
echo "|---|---|---|---|---|---|---|"
start ours 9701 env MCP_RATE_LIMIT=0 TECTONIC_ENV=staging MCP_PUBLIC_BASE_URL=http://127.0.0.1:9701 "$work/tectonic" serve --data "$data" --listen 127.0.0.1:9701
"$work/load" -answers "$work/answers" -url http://127.0.0.1:9701/mcp -token "$token"
measure "Tectonic, fast path" 9701 "$token"
"$work/load" -name "Tectonic, recorded write, synchronous=FULL" -url http://127.0.0.1:9701/mcp -token "$token" -pid "$pid" \
  -tool update_workout -arguments '{"workout_id":1,"notes":"x"}' -connections 16 -for "$FOR"
finish
start sdk 9702 env MCP_RATE_LIMIT=0 MCP_FAST_PATH=off TECTONIC_ENV=staging MCP_PUBLIC_BASE_URL=http://127.0.0.1:9702 "$work/tectonic" serve --data "$data" --listen 127.0.0.1:9702
measure "Tectonic, SDK path" 9702 "$token"
finish
start bare 9703 "$work/bare" 127.0.0.1:9703 "$work/answers"
measure "official Go SDK, bare" 9703 ""
finish
start mcpgo 9704 "$work/mcpgo" 127.0.0.1:9704 "$work/answers"
measure "mark3labs/mcp-go" 9704 ""
finish
start typescript 9705 env PEERS="$PWD/peers" "$node" tools/compare/typescript.mjs 9705 "$work/answers"
measure "TypeScript SDK" 9705 ""
finish
