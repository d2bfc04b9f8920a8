# shellcheck shell=bash
# The cluster of bench/huge, which stays.  Sourced, not run.
#
# It lies in $huge_dir, listens on a socket there and nowhere else, and finds the
# extension where bench/run has just built it.

huge_dir=${HUGE_DIR:-/var/tmp/uidext-huge-pg$PGVERSION}
server_bin=$("$PG_CONFIG" --bindir)

# The server refuses to run as root.
as_server() {
	if [ "$(id -u)" = 0 ]; then
		(cd / && runuser -u postgres -- "$@")
	else
		"$@"
	fi
}

free_megabytes() { df -Pm "$huge_dir" | awk 'END {print $4}'; }

# Megabytes that it may take in all, of which some may be there already.
check_disk() {
	local needed=$(($1 - $(du -sm "$huge_dir" | cut -f 1)))

	echo "bench/huge: needs about $needed MB more in $huge_dir, where $(free_megabytes) MB are free" >&2
	[ "$needed" -le "$(free_megabytes)" ]
}

settings_of_cluster() {
	cat <<-END
		fsync = on
		full_page_writes = on
		synchronous_commit = on
		shared_buffers = $buffers
		max_wal_size = 4GB
		checkpoint_timeout = 15min
		autovacuum = off
		jit = off
		max_parallel_workers_per_gather = 0
		port = 5432
		listen_addresses = ''
		unix_socket_directories = '$huge_dir'
	END
	cat "$UIDEXT_CONF"
}

open_cluster() {
	mkdir -p "$huge_dir"
	# who reaches the socket is a superuser there, and could run programs as its user
	chmod 700 "$huge_dir"
	check_disk "$1"
	[ "$(id -u)" != 0 ] || chown postgres "$huge_dir"
	if [ ! -e "$huge_dir/data/bench.conf" ]; then
		rm -rf "$huge_dir/data"
		as_server "$server_bin/initdb" -D "$huge_dir/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
		echo "include 'bench.conf'" >>"$huge_dir/data/postgresql.conf"
	fi
	# of a run that was killed
	close_cluster
	settings_of_cluster >"$huge_dir/data/bench.conf"
	as_server "$server_bin/pg_ctl" -D "$huge_dir/data" -l "$huge_dir/log" -w -t 3600 start >/dev/null
	export PGHOST=$huge_dir PGPORT=5432 PGUSER=postgres
	unset PGPASSWORD PGDATABASE
}

close_cluster() {
	! as_server "$server_bin/pg_ctl" -D "$huge_dir/data" status >/dev/null 2>&1 ||
		as_server "$server_bin/pg_ctl" -D "$huge_dir/data" -w -t 3600 -m fast stop >/dev/null
}
