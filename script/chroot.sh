# Sourced by what needs a machine of its own: Debian roots, and commands in them.

# what root by su has not
PATH=$PATH:/usr/sbin:/sbin

skip() {
	echo "script/${0##*/}: $*" >&2
	exit 77
}

debian_suite() {
	awk -v major="$1" '$1 == major && $2 != "-" { print $2; found = 1 } END { exit !found }' "$(dirname "${BASH_SOURCE[0]}")/majors" ||
		skip "no Debian suite has PostgreSQL $1"
}

require_chroots() {
	[ "$(id -u)" = 0 ] || skip "a machine of its own needs root"
	unshare --mount --pid --ipc --fork mount -t proc proc /proc 2>/dev/null ||
		skip "this machine lets nobody mount /proc in a namespace"
}

install_tools() {
	dpkg-query -W -f '${Status}\n' "$@" 2>/dev/null | grep -c '^install ok installed' | grep -qx $# && return
	"$(dirname "${BASH_SOURCE[0]}")/bootstrap" drivers "$@" >/dev/null &&
		dpkg-query -W "$@" >/dev/null 2>&1
}

# make_chroot DIR SUITE PACKAGE,... [ARG]...: the ARGs are mmdebstrap's.  A
# server package makes no cluster there.
make_chroot() {
	local dir=$1 suite=$2 packages=$3
	shift 3

	install_tools mmdebstrap &&
		mmdebstrap --quiet --variant=apt \
			--aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Dpkg::Use-Pty "false"' \
			--setup-hook='mkdir -p "$1/etc/postgresql-common/createcluster.d"' \
			--setup-hook='echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.d/uidext.conf"' \
			--include="$packages" "$suite" "$dir" "$@"
}

# run_with_installed NAME FROM MAJOR TESTS [ARG]...: script/root with a script's
# ARGs, on a machine apart from the others to which the files of extension NAME
# are brought that are installed under FROM.  MAJOR and TESTS are for want of ARGs.
run_with_installed() {
	local name=$1 from=$2 major=$3 tests=$4 options=() option OPTIND=1 libraries extensions
	shift 4

	while getopts o: option; do
		case $option in
			o) options+=(-o "$OPTARG") ;;
			*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	major=${1:-$major}
	shift $(($# > 0))
	[ $# -gt 0 ] || set -- script/test $tests

	libraries=usr/lib/postgresql/$major/lib extensions=usr/share/postgresql/$major/extension
	[ -e "$from/$libraries/$name.so" ] || skip "no $name for PostgreSQL $major in $from"
	export UIDEXT_ROOTS=${UIDEXT_ROOTS:-/var/cache/uidext}/${0##*/}
	"$tree/script/root" "$major" true
	(cd "$from" && tar -cf - "$libraries/$name"* "$extensions/$name"*) | tar -C "$UIDEXT_ROOTS/$major" --no-same-owner -xf -

	exec "$tree/script/root" "${options[@]}" "$major" "$@"
}

# in_chroot DIR [SOURCE TARGET]... -- [NAME=VALUE]... COMMAND [ARG]...
# with a clean environment and every SOURCE bound to its TARGET.  Mounts and
# processes are the command's own and end with it.
in_chroot() {
	setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --kill-child sh -euc '
		root=$1
		shift
		mkdir -p "$root/dev/shm"
		mount -t proc proc "$root/proc"
		mount -t tmpfs tmpfs "$root/dev/shm"
		while [ "$1" != -- ]; do
			mount --rbind "$1" "$2"
			shift 2
		done
		shift
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"' sh "$@"
}
