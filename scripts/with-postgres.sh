#!/bin/sh
# Runs a command with TEST_DATABASE_URL set to a private PostgreSQL that lives
# as long as the command.
#
#   scripts/with-postgres.sh COMMAND [ARGUMENT…]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/tectonic-postgres.XXXXXX")
chmod 755 "$dir"
# A free port: the system picks one, and it is ours a moment later.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null || echo $((20000 + $$ % 20000)))
cleanup() { "$here/postgres.sh" stop "$dir" >/dev/null 2>&1 || true; rm -rf "$dir"; }
trap cleanup EXIT
trap 'exit 130' INT TERM
TEST_DATABASE_URL=$(FSYNC=${FSYNC-off} "$here/postgres.sh" start "$dir" "$port")
export TEST_DATABASE_URL
"$@"
