# Sourced by script/freeze and script/release: the version of this tree and its scripts.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
. script/git.sh
version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" uidext.control)
scripts=("sql/uidext--$version.sql" "sql/portable/uidext--$version.sql")
git rev-parse --git-dir >/dev/null || { echo "error: git does not know this tree" >&2; exit 1; }

# Whom and which repository packages name until SECURITY-INSIGHTS.yml says it; for grep and sed.
# shellcheck disable=SC2034
nobody='uidext contributors <maintainers@uidext\.invalid>' nowhere='https://repository\.uidext\.invalid'
# shellcheck disable=SC2034
named_in=(META.json debian/changelog debian/control debian/control.in rpm/uidext.spec site/pglite/package.json)

usage() {
	sed -n '2,/^set/s/^# \{0,1\}//p' "script/${0##*/}" >&2
	exit 2
}

# Without PGXS, which print-sql and dist do not need.
make_plain() {
	make -s PGXS=/dev/null "$@"
}

older_versions() {
	[ ! -e sql/released.sha256 ] || sed -n 's,.* sql/uidext--\([0-9.]*\)\.sql$,\1,p' sql/released.sha256 | sed "/^$version$/d" | sort -V
}

# As sha256sum would print them, of files that make makes.
install_sums() {
	make_plain print-sql | sha256sum | sed "s,-$,${scripts[0]},"
	make_plain EDITION=portable print-sql | sha256sum | sed "s,-$,${scripts[1]},"
}
