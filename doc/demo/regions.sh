# shellcheck shell=bash
# Country servers beside the cluster of script/demo.  Sourced, not run.
#
# They end with the shell that sources this.  regions.sql finds their
# connection strings in the psql variables of region_variables.

# who reaches the sockets is a superuser there
region_dir=$(mktemp -d -t uidext-regions.XXXXXX)
region_bin=$("$PG_CONFIG" --bindir)
region_user=()
if [ "$(id -u)" = 0 ]; then
	chown postgres: "$region_dir"
	# from where that user may be
	region_user=(env -C / runuser -u postgres --)
fi

region_ctl() {
	echo "${region_user[*]} $region_bin/pg_ctl -s -w -D $region_dir/$1 -l $region_dir/$1.log"
}

start_region() {
	local name=$1 port=$2

	"${region_user[@]}" "$region_bin/initdb" -D "$region_dir/$name" -U postgres -A trust -N >"$region_dir/initdb.log"
	cat "$UIDEXT_CONF" - >>"$region_dir/$name/postgresql.conf" <<-END
		listen_addresses = ''
		unix_socket_directories = '$region_dir'
		port = $port
		fsync = off
	END
	$(region_ctl "$name") start
}

stop_regions() {
	local name

	for name in brazil kazakhstan mexico; do
		[ ! -f "$region_dir/$name/postmaster.pid" ] || $(region_ctl "$name") -m immediate stop
	done
	rm -rf "$region_dir"
}
trap stop_regions EXIT

start_region brazil 5432
start_region kazakhstan 5433
start_region mexico 5434

export KAZAKHSTAN_CTL
KAZAKHSTAN_CTL=$(region_ctl kazakhstan)
# shellcheck disable=SC2034  # script/demo passes them on
region_variables=(
	-v brazil="host=$region_dir port=5432 user=postgres dbname=postgres"
	-v kazakhstan="host=$region_dir port=5433 user=postgres dbname=postgres"
	-v mexico="host=$region_dir port=5434 user=postgres dbname=postgres"
	-v router="host=$PGHOST port=$PGPORT user=$PGUSER dbname=$PGDATABASE"
	-v region_dir="$region_dir"
)
