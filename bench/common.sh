# shellcheck shell=bash
# What the scripts of this directory share.  Sourced, not run.
#
# bench/run gives them a cluster, BENCH_LEVEL and RESULTS; a script that is
# called without goes through it.

bench=$(realpath "$(dirname "$0")")
script=$(basename "$0")
[ -n "${BENCH_LEVEL:-}" ] || exec "$bench/run" "$@" "$script"

# Encryption would be part of what clients measure, and confuses the clock of pgbench.
export PGSSLMODE=disable PGGSSENCMODE=disable
export LC_ALL=C PGOPTIONS="-c client_min_messages=warning"

# The server reads what pgbench scripts COPY from here.
work=$(mktemp -d -t uidext-bench.XXXXXX)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT

sql() { psql -qXAt -v ON_ERROR_STOP=1 "$@"; }

# One of four values, by level.
pick() {
	case $BENCH_LEVEL in
		smoke) echo "$1" ;;
		quick) echo "$2" ;;
		default) echo "$3" ;;
		full | huge) echo "$4" ;;
	esac
}

# Counts up to $steps.
step=0
progress() {
	step=$((step + 1))
	printf '%-10s  %4d of %-4d  %3d:%02d  %s\n' \
		"$script" $step "$steps" $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2
}

# Whether an expression calls only functions that this server has, and can run.
exists() {
	local error

	error=$(sql -v VERBOSITY=sqlstate -c "SELECT $1" 2>&1 >/dev/null) && return
	case $error in
		*42883* | *55000*) return 1 ;;
		*) echo "SELECT $1: $error" >&2; exit 1 ;;
	esac
}

# Whether the server could create an extension.
available() {
	[ -n "$(sql -v name="$1" <<<"SELECT 1 FROM pg_available_extensions WHERE name = :'name'")" ]
}

# Restart the server with other settings than bench/run gave it; without
# arguments, with those.
restart_with() {
	local setting

	sql -d postgres -c "ALTER SYSTEM RESET ALL"
	for setting; do
		sql -d postgres -c "ALTER SYSTEM SET ${setting%%=*} = '${setting#*=}'"
	done
	pg_ctlcluster "$PGVERSION" regress stop
	pg_ctlcluster "$PGVERSION" regress start
}

# A fresh database with uidext and what measures it.
create_database() {
	sql -d postgres -c "DROP DATABASE IF EXISTS uidext_bench" -c "CREATE DATABASE uidext_bench"
	export PGDATABASE=uidext_bench
	sql -c "CREATE EXTENSION uidext"
	create_tools
}

# The same with the SQL edition.
create_portable_database() {
	sql -d postgres -c "DROP DATABASE IF EXISTS uidext_bench_portable" -c "CREATE DATABASE uidext_bench_portable"
	export PGDATABASE=uidext_bench_portable
	make -s -C "$UIDEXT_BUILD" PG_CONFIG="$PG_CONFIG" portable >/dev/null
	sql -v schema=public -f "$UIDEXT_BUILD"/dist/*-portable.sql >/dev/null
	create_tools
}

create_tools() {
	sql -c "CREATE EXTENSION pgstattuple" -c "CREATE EXTENSION pg_buffercache" \
		-c "CREATE EXTENSION pg_walinspect" -c "CREATE SEQUENCE s"
	sql <<-'END'
		CREATE FUNCTION median_of(float8[]) RETURNS numeric
			RETURN (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v)::numeric FROM unnest($1) AS v);
		CREATE AGGREGATE median(float8) (SFUNC = array_append, STYPE = float8[], FINALFUNC = median_of, INITCOND = '{}');
	END
}

# Every peer that is installed here.
create_peers() {
	sql -c "SELECT format('CREATE EXTENSION %I;', name) FROM pg_available_extensions
		WHERE name IN ('uuid-ossp', 'pg_uuidv7', 'sequential_uuids')
			OR name = 'timescaledb' AND current_setting('shared_preload_libraries') ~ 'timescaledb'" | sql
}

# pgbench without its summary; it fails when a client failed.
clients() {
	pgbench -n -M prepared "$@" >"$work/pgbench.log" 2>&1 && return
	cat "$work/pgbench.log" >&2
	return 1
}

# Threads of pgbench for so many clients.
threads() {
	local cores

	cores=$(nproc)
	echo $(($1 < cores ? $1 : cores))
}

# Transactions per second of the last pgbench.
tps() {
	sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$work/pgbench.log"
}

# Nanoseconds of a call, as a session sees them: the mean of two statements, or
# the quickest of more.  A session's first one loads what has to be loaded.  Where
# the machine's clock steps back, pgbench logs no time above zero: then once more.
ns_of_call() {
	local expression=$1 session_count=$2 rows=$3 source=${4:-generate_series(1, $3)} statements=${5:-2}

	echo "SELECT count($expression) FROM $source;" >"$work/call.sql"
	while :; do
		rm -f "$work"/log.*
		clients -M simple -c "$session_count" -j "$(threads "$session_count")" -t $((statements + 1)) -l --log-prefix="$work/log" -f "$work/call.sql" || return
		cat "$work"/log.* | awk -v rows="$rows" -v statements="$statements" \
			'$2 > 1 && $3 > 0 {us += $3; n++; if (!least || $3 < least) least = $3}
			END {if (!n) exit 1; print (statements > 2 ? least : us / n) * 1000 / rows}' && return
	done
}

# WAL position and full-page images so far, once the clients' are counted.  The
# message makes the commit flush, and pg_walinspect wants flushed WAL only.
wal_counters() {
	sql -F ' ' <<-'SQL'
		DO $$
		BEGIN
			WHILE EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'pgbench') LOOP
				PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
			END LOOP;
			PERFORM pg_stat_force_next_flush();
		END
		$$;
		SELECT pg_current_wal_insert_lsn(), wal_fpi FROM pg_stat_wal;
		SELECT FROM pg_logical_emit_message(true, '', '');
	SQL
}

# From here on each command of a transaction notes when it began and ended while that
# has one of the tables below to itself: lock_time is for how long, of each transaction.
watch_locks() {
	sql <<-'SQL'
		CREATE TABLE command (xid xid8, at timestamptz);
		CREATE VIEW lock_time AS SELECT extract(epoch FROM max(at) - min(at)) * 1000 AS ms FROM command GROUP BY xid;
		CREATE FUNCTION note_command() RETURNS event_trigger LANGUAGE plpgsql AS $$
		BEGIN
			INSERT INTO public.command SELECT pg_current_xact_id(), clock_timestamp()
			WHERE EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'
				AND relation IN (SELECT oid FROM pg_class WHERE relname IN ('orders', 'items', 'order_lines')));
		END
		$$;
		CREATE EVENT TRIGGER command_start ON ddl_command_start EXECUTE FUNCTION note_command();
		CREATE EVENT TRIGGER command_end ON ddl_command_end EXECUTE FUNCTION note_command();
	SQL
}

# For ms_beside.
create_watch() {
	sql <<-'SQL'
		CREATE SCHEMA watch;
		CREATE TABLE watch.flag (running bool);
		INSERT INTO watch.flag VALUES (true);
		CREATE TABLE watch.ready (n int);
		CREATE TABLE watch.longest (n int, ms float8);
	SQL
}

# A session that does the same until it shall stop, and says how long it took at most.
watch() {
	sql -v n="$1" -v statement="$2" <<-'SQL'
		SELECT set_config('bench.n', :'n', false), set_config('bench.statement', :'statement', false) \g /dev/null
		DO $$
		DECLARE
			started timestamptz;
			longest interval := '0';
			i int := 0;
		BEGIN
			LOOP
				started := clock_timestamp();
				EXECUTE current_setting('bench.statement');
				COMMIT;
				i := i + 1;
				IF i = 100 THEN
					INSERT INTO watch.ready VALUES (1);
					longest := '0';
				ELSE
					longest := greatest(longest, clock_timestamp() - started);
				END IF;
				EXIT WHEN i > 100 AND (SELECT NOT running FROM watch.flag);
				PERFORM pg_sleep(0.0005);
				COMMIT;
			END LOOP;
			INSERT INTO watch.longest VALUES (current_setting('bench.n')::int, extract(epoch FROM longest) * 1000);
		END
		$$;
	SQL
}

# Milliseconds of a call, and of the slowest statement meanwhile of a reader and
# of a writer, sessions that repeat what they are given.
ms_beside() {
	local call=$1 ms

	sql -c "TRUNCATE watch.ready, watch.longest" -c "UPDATE watch.flag SET running = true"
	watch 1 "$2" &
	watch 2 "$3" &
	until [ "$(sql -c "SELECT count(*) FROM watch.ready")" = 2 ]; do
		[ "$(jobs -pr | wc -l)" -ge 2 ] || { echo "bench: a watcher has failed" >&2; return 1; }
	done
	ms=$(sql <<-SQL
		SELECT clock_timestamp() AS started \gset
		$call \g /dev/null
		SELECT extract(epoch FROM clock_timestamp() - :'started') * 1000;
		UPDATE watch.flag SET running = false;
	SQL
	)
	wait
	echo "$ms $(sql -c "SELECT string_agg(ms::text, ' ' ORDER BY n) FROM watch.longest")"
}

# What a person reads: on the terminal and in report.md.
heading() {
	printf '\n## %s\n\n%s\n' "$1" "$2" | tee -a "$RESULTS/report.md"
}

note() {
	printf '\n%s\n' "$1" | tee -a "$RESULTS/report.md"
}

# A query as a table of the report, in SQL or as the name of a view.
table() {
	local title=$1 query=$2

	printf '\n**%s**\n\n' "$title" | tee -a "$RESULTS/report.md"
	psql -qX -v ON_ERROR_STOP=1 -P footer=off -P border=2 -P linestyle=ascii -c "$query" |
		awk '/^\+/ {if (++rule != 2) next; gsub(/\+/, "|")} {print}' | tee -a "$RESULTS/report.md"
}

# The same for programs: NAME.csv.
csv() {
	psql -qX -v ON_ERROR_STOP=1 --csv -c "$2" >"$RESULTS/$1.csv"
}
