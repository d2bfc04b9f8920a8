# shellcheck shell=bash
# What the scripts of this directory share.  Sourced, not run.
#
# Without a cluster around it, the script is started again beside a throwaway
# one with durable settings (pg_virtualenv turns fsync off, this turns it on).
# The script then works in a database of its own.

bench=$(cd "$(dirname "$0")" && pwd)

if [ -z "${UIDEXT_BUILD:-}" ]; then
	exec "$bench/../script/cluster" -o fsync=on -o full_page_writes=on \
		-o shared_buffers=256MB -o max_wal_size=4GB -o checkpoint_timeout=1h \
		"$bench/$(basename "$0")" "$@"
fi

export LC_ALL=C PGOPTIONS="-c jit=off -c max_parallel_workers_per_gather=0 -c client_min_messages=warning"

sql() { psql -qXAt -v ON_ERROR_STOP=1 "$@"; }

# Whether an expression calls only functions that this server has.
exists() {
	local error

	error=$(sql -v VERBOSITY=sqlstate -c "SELECT $1" 2>&1 >/dev/null) && return
	case $error in
		*42883*) return 1 ;;
		*) echo "SELECT $1: $error" >&2; exit 1 ;;
	esac
}

# A fresh database with uidext and with every peer that is installed here.
create_database() {
	sql -c "DROP DATABASE IF EXISTS uidext_bench" -c "CREATE DATABASE uidext_bench"
	export PGDATABASE=uidext_bench
	sql -c "CREATE EXTENSION uidext" -c "CREATE SEQUENCE s"
	sql -c "SELECT format('CREATE EXTENSION %I', name) FROM pg_available_extensions
		WHERE name IN ('uuid-ossp', 'pg_uuidv7', 'sequential_uuids')" | sql
}

# Server, machine and date.
describe() {
	echo "PostgreSQL $(sql -c 'SHOW server_version'), $(uname -sm)," \
		"$(nproc) CPUs$(sed -n '/^model name/{s/[^:]*:/,/p;q}' /proc/cpuinfo), $(date -u +%F)"
}

# The view "result" as a table, and as CSV into OUT.
report() {
	psql -qX -P footer=off -c "TABLE result"
	[ -z "${OUT:-}" ] || psql -qX --csv -c "TABLE result" >"$OUT"
}
