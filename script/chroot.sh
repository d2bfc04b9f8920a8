# Sourced by what needs a machine of its own: Debian roots, and commands in them.

skip() {
	echo "script/${0##*/}: $*" >&2
	exit 77
}

debian_suite() {
	case $1 in
		15) echo bookworm ;;
		17) echo trixie ;;
		18) echo forky ;;
		19) echo sid ;;
		*) skip "no Debian suite has PostgreSQL $1" ;;
	esac
}

require_chroots() {
	[ "$(id -u)" = 0 ] || skip "a machine of its own needs root"
	unshare --mount --pid --ipc --fork mount -t proc proc /proc 2>/dev/null ||
		skip "this machine lets nobody mount /proc in a namespace"
}

install_tools() {
	dpkg-query -W -f '${Status}\n' "$@" 2>/dev/null | grep -c '^install ok installed' | grep -qx $# ||
		DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@" >/dev/null
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

# add_installed DIR FROM PATTERN...: what is installed under FROM, which no suite has.
add_installed() {
	local dir=$1 from=$2
	shift 2

	# shellcheck disable=SC2068 # patterns
	(cd "$from" && tar -cf - $@) | tar -C "$dir" --no-same-owner -xf -
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
