#!/bin/sh
# Starts or stops a private PostgreSQL for tests and prints its URL.
#
#   scripts/postgres.sh start DIR PORT    DIR is made; FSYNC=off is faster
#   scripts/postgres.sh stop DIR
#
# It listens on 127.0.0.1 only, trusts everyone there, and keeps everything
# (data, socket, log) inside DIR. PostgreSQL refuses to run as root, so root
# hands over to the user postgres.
set -eu

usage() { sed -n '4,5s/^# *//p' "$0" >&2; exit 2; }

bin=${PGBIN:-/usr/lib/postgresql/15/bin}
[ -x "$bin/initdb" ] || bin=$(dirname "$(command -v initdb)")

# as runs a command as the owner of DIR, in a folder that this user can enter.
as() { if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@"); else "$@"; fi; }

start() {
    port=$2
    mkdir -p "$1"
    dir=$(cd "$1" && pwd)
    if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
    if [ ! -f "$dir/data/PG_VERSION" ]; then
        as "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
    fi
    as "$bin/pg_ctl" --pgdata="$dir/data" --log="$dir/log" --wait --silent start \
        --options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='$dir' -c max_connections=200 -c fsync=${FSYNC:-on}" >/dev/null
    echo "postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
}

stop() {
    dir=$(cd "$1" && pwd)
    as "$bin/pg_ctl" --pgdata="$dir/data" --mode=fast --wait --silent stop
}

case "${1-}" in
start) [ $# = 3 ] || usage; shift; start "$@" ;;
stop) [ $# = 2 ] || usage; stop "$2" ;;
*) usage ;;
esac
