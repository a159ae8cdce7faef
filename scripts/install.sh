#!/bin/sh
# Installs what the tests need and this machine lacks, from Debian's packages
# and by the npm lock file. Run as root, or install these yourself.
set -eu
need=""
command -v chromium >/dev/null 2>&1 || need="$need chromium"
[ -n "$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || need="$need postgresql"
command -v npm >/dev/null 2>&1 || need="$need nodejs npm"
if [ -n "$need" ]; then
    if [ "$(id -u)" != 0 ]; then
        echo "these packages are missing:$need; install them and run again" >&2
        exit 1
    fi
    apt-get update -qq
    # shellcheck disable=SC2086 # the list is meant to split
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need >/dev/null
fi
cd "$(dirname "$0")/.."
for folder in web peers; do
    [ -d "$folder/node_modules" ] && [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] ||
        (cd "$folder" && npm ci --no-audit --no-fund --silent)
done
