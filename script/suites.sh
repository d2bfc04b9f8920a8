# Sourced by script/test: run_SUITE [TEST] runs a suite on the cluster, and skip_reason
# says why it cannot.

pgxs=$(dirname "$("$PG_CONFIG" --pgxs)")/..
# apart from the build, which tests copy
scratch=${UIDEXT_BUILD%/*}
# the server's own, where it has LLVM
clang=$(sed -n 's/^CLANG *= *//p' "$pgxs/Makefile.global")
clang=${clang:-$(command -v clang)}

# PostgreSQL's own test tools refuse to run as root.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

# Core's own headers are not ours to mend, and PGXS gives clang flags that are gcc's.
# compile_strictly DIR COMPILER TARGET
compile_strictly() {
	make -s -C "$1" with_llvm=no PG_CONFIG="$PG_CONFIG" CC="$2" \
		COPT="-Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare -isystem $("$PG_CONFIG" --includedir-server)" "$3"
}

# What a library exports beside what SQL and the server call: modules are loaded
# with RTLD_GLOBAL, and another's function of the same name would be called.
foreign_exports() {
	nm -D --defined-only "$1" | sed 's/.* //' | grep -vxE 'uidext_.*|pg_finfo_.*|_PG_init|Pg_magic_func'
}

check_scripts() {
	local scripts

	command -v shellcheck >/dev/null || { echo "source: shell scripts  SKIPPED: no shellcheck"; return; }
	mapfile -t scripts < <(cd "$root" && grep -lE '^#!/bin/(ba)?sh' .ci/run bench/* debian/tests/* doc/monitoring/* script/* 2>/dev/null)
	(cd "$root" && shellcheck --severity=warning "${scripts[@]}" && shellcheck --severity=warning --shell=bash bench/*.sh doc/demo/*.sh script/*.sh)
}

# same_suites PLACE: reads the suites that are named there
same_suites() {
	diff <(sed -n 's/^run_\([a-z]*\)() {$/\1/p' "$root/script/suites.sh" | sort) <(sort -u) ||
		{ echo "error: script/suites.sh has the suites of lines with <, but $1 those with >"; return 1; }
}

check_suites() {
	tr ' ' '\n' <<<"${lanes[*]}" | same_suites 'the lanes of script/test' &&
		sed -nE 's,^#   ([a-z]+)(/[a-z]+)?  +.*,\1,p' "$root/script/test" | same_suites 'the head of script/test' &&
		sed -nE '/^## What each suite proves/,/^## Do/s,^\| `([a-z]+)[`/].*,\1,p' "$root/doc/testing.md" | same_suites doc/testing.md
}

# Lists of tests name tests that are there.
check_tests() {
	local file status=0

	while read -r file; do
		[ -e "$root/test/$file" ] || { echo "error: a list names test/$file, which is not there"; status=1; }
	done < <(
		sed -nE 's,^regress/([^ ]+) .*,sql/\1.sql,p; s,^(pgtap/[^ ]+) .*,\1.sql,p; s,^tap/([^ ]+) .*,t/\1.pl,p' "$root/test/portable.skip"
		sed -nE 's,^([a-z0-9_]+) .*,sql/\1.sql,p' "$root/test/valgrind.skip"
		awk '!/^#/ { for (i = 2; i <= NF; i++) print "sql/" $i ".sql" }' "$root/test/regress.few"
	)
	return $status
}

# source/layout is what only a machine with pgindent can tell.
run_source() {
	local layout=("$root/script/indent" --check --diff)

	if [ "${1:-}" = layout ]; then
		"${layout[@]}"
		return
	fi
	check_scripts && check_suites && check_tests || return
	# mingw jumps in another way than the servers of Windows, which MSVC compiles
	! grep -rnE 'PG_TRY|PG_ENSURE_ERROR_CLEANUP|sigsetjmp' "$UIDEXT_BUILD/src" ||
		{ echo "error: src catches an error: a module for Windows cannot"; return 1; }
	# PG_FUNCTION_INFO_V1 exports it, and MSVC takes no second declaration that does not
	! grep -rnE '^extern Datum .*PG_FUNCTION_ARGS' "$UIDEXT_BUILD/src" ||
		{ echo "error: src declares a function of SQL without PGDLLEXPORT"; return 1; }
	! grep -rnE '\b(Min|Max|Abs)\(.*[A-Za-z0-9_]\(' "$UIDEXT_BUILD/src" ||
		{ echo "error: a macro that evaluates its arguments twice calls a function"; return 1; }
	"$root/script/layers" && "$root/script/places" && "$root/script/unread" && "$root/script/sql-layers" && "${layout[@]}"
}

run_build() {
	local dir=$scratch/strict compilers=(gcc) cc

	if [ -n "$clang" ]; then
		compilers+=("$clang -Wno-unknown-warning-option -Wno-ignored-optimization-argument")
	else
		echo "build with clang  SKIPPED: no clang"
	fi
	mkdir "$dir" && cp -r "$UIDEXT_BUILD"/{Makefile,uidext.control,META.json,sql,src} "$dir" || return
	for cc in "${compilers[@]}"; do
		make -s -C "$dir" PG_CONFIG="$PG_CONFIG" clean && compile_strictly "$dir" "$cc" all || return
		echo "no warnings: $cc"
		! foreign_exports "$dir/uidext.so" || { echo "error: the names above leave the library"; return 1; }
	done
	make -s -B -C "$dir" PG_CONFIG="$PG_CONFIG" META.json &&
		diff "$UIDEXT_BUILD/META.json" "$dir/META.json" || return

	# nor would it pass otherwise
	echo 'static int unused;' >>"$dir/src/module.c"
	for cc in "${compilers[@]}"; do
		rm -f "$dir/src/module.o"
		! compile_strictly "$dir" "$cc" src/module.o >/dev/null 2>&1 || { echo "error: a warning goes unseen: $cc"; return 1; }
	done
}

run_analyze() {
	local sources

	mapfile -t sources < <(find "$UIDEXT_BUILD/src" -name '*.c')
	"$clang" --analyze -Xclang -analyzer-werror -Xclang -analyzer-output=text \
		-D_GNU_SOURCE -DUIDEXT_VERSION='""' -isystem "$("$PG_CONFIG" --includedir-server)" \
		-I"$UIDEXT_BUILD/src" "${sources[@]}" &&
		cppcheck -q -I "$UIDEXT_BUILD/src" --enable=warning,performance,portability --suppress=normalCheckLevelMaxBranches --error-exitcode=1 \
			-DPG_VERSION_NUM="${PGVERSION}0000" -DUINT64_FORMAT='"lu"' -D'PG_MODULE_MAGIC_EXT(...)=' -D'ereport(...)=abort()' -D'foreach(cell, list)=while (more(cell, list))' "$UIDEXT_BUILD/src"
}

run_unit() {
	local sanitizers=address,undefined

	# which an emulated processor may not have
	echo 'int main(void) { return 0; }' | gcc -fsanitize=address -x c - -o "$scratch/asan"
	if ! ("$scratch/asan"; exit $?) 2>/dev/null; then
		sanitizers=undefined
		echo "unit with AddressSanitizer  SKIPPED: it does not run here"
	fi
	make -s -C "$UIDEXT_BUILD/test/unit" SANITIZE="-fsanitize=$sanitizers -fno-sanitize-recover=all" check
}

run_fuzz() {
	make -s -C "$UIDEXT_BUILD/test/unit" CLANG="$clang" ${UIDEXT_LONG:+FUZZ_RUNS=100000000} fuzz
}

# The files of a suite that can hold in this edition; those that cannot are named
# with the reason in test/portable.skip.
runnable() {
	local suite=$1 file name skipped='' files=()
	shift
	[ "${EDITION:-c}" = c ] || skipped=$(sed -n "s,^$suite/\([^ ]*\)  *.*,\1,p" "$root/test/portable.skip")
	for file; do
		name=${file%.*} name=${name#t/}
		grep -qx "${name##*/pgtap/}" <<<"$skipped" || files+=("$file")
	done
	[ ${#files[@]} -gt 0 ] || { echo "nothing to run: test/portable.skip names it" >&2; return 1; }
	printf '%s\n' "${files[@]}"
}

print_skipped() {
	[ "${EDITION:-c}" = c ] || [ -n "$only" ] || sed -n "s,^\($1/[^ ]*\)  *,\1  SKIPPED: ,p" "$root/test/portable.skip"
}

# Tests of regress, or those of a pattern.
regress_tests() {
	local tests

	shopt -s extglob
	# shellcheck disable=SC2206 # a pattern
	tests=("$UIDEXT_BUILD"/test/sql/${1:-*}.sql)
	tests=("${tests[@]##*/}")
	echo "${tests[@]%.sql}"
}

run_regress() {
	print_skipped regress
	make -s -C "$UIDEXT_BUILD" with_llvm=no PG_CONFIG="$PG_CONFIG" ${1:+REGRESS="$(regress_tests "$1")"} installcheck && return
	cat "$UIDEXT_BUILD/test/regression.diffs"
	return 1
}

# A database with other settings than a test would choose: each states by itself
# what it depends on.
create_odd_database() {
	local setting icu=''

	# not every server is built with it
	psql -qXAt -c "SELECT 'icu' FROM pg_collation WHERE collname = 'en-x-icu'" | grep -q icu &&
		icu="LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
	psql -qX -c 'SET client_min_messages = warning' -c "DROP DATABASE IF EXISTS $1" \
		-c "CREATE DATABASE $1 TEMPLATE template0 ENCODING 'UTF8' $icu LOCALE '${UIDEXT_LOCALE:-C.UTF-8}'" || return
	for setting in "timezone = '$2'" "datestyle = 'German'" "intervalstyle = 'sql_standard'" "bytea_output = 'escape'" \
		"default_transaction_isolation = 'serializable'" "jit_above_cost = 0"; do
		echo "ALTER DATABASE $1 SET $setting;"
	done | psql -qX
}

# The SQL of tests as pg_regress runs it, which would set some of these itself,
# each in a new database that has the extension.
# play_sql COMMAND TEST...: the SQL command says what else the database has.
play_sql() {
	local command=$1 zones=(Asia/Kathmandu America/St_Johns Pacific/Apia) dir=$UIDEXT_BUILD/test test status=0 n=0
	shift

	cd "$UIDEXT_BUILD" && mkdir -p "$dir/results" || return
	for test; do
		create_odd_database uidext_odd "${zones[n++ % 3]}" &&
			psql -qX -d uidext_odd -c 'CREATE EXTENSION uidext' -c "$command" || return
		PG_ABS_SRCDIR=$dir psql -Xaq -d uidext_odd -v HIDE_TABLEAM=on -v HIDE_TOAST_COMPRESSION=on \
			<"$dir/sql/$test.sql" >"$dir/results/$test.out" 2>&1
		if diff -w -U3 "$dir/expected/$test.out" "$dir/results/$test.out"; then
			echo "test $test ... ok"
		else
			echo "test $test ... FAILED"
			status=1
		fi
	done
	return $status
}

# few_tests SUITE
few_tests() {
	sed -n "s/^$1 //p" "$root/test/regress.few"
}

run_settings() {
	# shellcheck disable=SC2046 # names
	play_sql '' $(regress_tests "${1:-}")
}

# Every chance to forget what was looked up is taken, once the extension is there.
# A hundred times slower.
run_discard() {
	play_sql 'ALTER DATABASE uidext_odd SET debug_discard_caches = 1; ALTER DATABASE uidext_odd SET jit = off' \
		${1:-$(few_tests discard)}
}

run_pgtap() {
	local chosen

	shopt -s extglob
	chosen=$(runnable pgtap "$UIDEXT_BUILD"/test/pgtap/${1:-*}.sql) || return
	create_odd_database uidext_test America/St_Johns || return
	psql -qX -d uidext_test -c 'CREATE EXTENSION pgtap' -c 'CREATE EXTENSION uidext' || return
	print_skipped pgtap
	pg_prove --failures -d uidext_test $chosen
}

# The same suites with an extension of SQL alone; of tap what differs most.
run_portable() {
	[ $# -gt 0 ] || set -- regress pgtap tap/security/hostile_objects tap/servers/constructs tap/time/ordering
	env -u UIDEXT_BUILD PG_MAJOR="$PGVERSION" EDITION=portable \
		"$root/script/test" "$@"
}

# A build of its own, in which undefined behaviour ends the session.  Servers are
# built so that integers wrap; here that is an error, too.  Without the partition
# library, whose C pgtap/hostile calls.
run_ubsan() {
	env -u UIDEXT_BUILD PG_MAJOR="$PGVERSION" COPT="-fno-wrapv -fsanitize=undefined -fno-sanitize-recover=all" \
		"$root/script/test" 'regress/!(partition_*)' pgtap/hostile
}

# What nodes of tests copy instead of running initdb, which takes 15 times as long:
# from 17 on PostgreSQL::Test does so itself, before by an initdb of ours.
make_template() {
	local template=$1 initdb

	[ ! -d "$template" ] || return 0
	initdb=$("$PG_CONFIG" --bindir)/initdb
	as_user env -u LC_ALL LC_MESSAGES=C TZ=UTC "$initdb" -D "$template" -A trust -N >/dev/null && mkdir "$template-bin" || return
	[ "$PGVERSION" -lt 17 ] || return 0
	cat >"$template-bin/initdb" <<-EOF
		#!/bin/sh
		[ "\$*" != "-D \$2 -A trust -N" ] || exec cp -RPp "$template" "\$2"
		exec "$initdb" "\$@"
	EOF
	chmod +x "$template-bin/initdb"
}

# Files of tap, the one that takes longest first: by the last time, or by their size.
longest_first() {
	local file

	for file; do
		echo "$(sed -n "s,^tap:$file ,,p" "$times" 2>/dev/null | grep . || echo 0) $(stat -c %s "$file") $file"
	done | sort -k 1,1nr -k 2,2nr | cut -d ' ' -f 3
}

# What files left out of themselves, which prove does not say.
tests_skipped() {
	local name

	for name; do
		name=${name#t/} name=${name%.pl}
		sed -nE "s,^(.*\) )?ok [0-9]+ # skip ,tap/$name  SKIPPED: ,p" "$UIDEXT_BUILD/test/tmp_check/log/regress_log_${name##*/}" 2>/dev/null
	done | awk '!seen[$0]++'
}

run_tap() {
	local dir=$UIDEXT_BUILD/test chosen status died

	shopt -s extglob
	[ ! -d "$dir/t/${1:-.}" ] || set -- "${1:-!(recipes|versions)}/*"
	chosen=$(cd "$dir" && runnable tap t/$1.pl) || return
	chosen=$(cd "$dir" && longest_first $chosen)
	make_template "$dir/template" || return
	print_skipped tap
	# more files than processors, because they wait more than they work; the timeout is
	# also how long a session in the background may live in all
	(
		cd "$dir" &&
			as_user env TZ=UTC TESTDIR="$dir" TESTDATADIR="$dir/tmp_check" TESTLOGDIR="$dir/tmp_check/log" \
				PATH="$dir/template-bin:$("$PG_CONFIG" --bindir):$PATH" PERL5LIB="$pgxs/test/perl" INITDB_TEMPLATE="$dir/template" \
				PG_REGRESS="$pgxs/test/regress/pg_regress" TEMP_CONFIG="$UIDEXT_CONF" \
				PG_TEST_TIMEOUT_DEFAULT="${PG_TEST_TIMEOUT_DEFAULT:-1800}" PGCTLTIMEOUT=1800 \
				prove --norc --jobs $((2 * $(nproc))) --failures $chosen
	)
	status=$?
	tests_skipped $chosen
	[ $status != 0 ] || return 0
	# a test that died said why in its log alone
	for died in $chosen; do
		died=${died##*/}
		echo "$dir/tmp_check/log/regress_log_${died%.pl}"
	done | xargs grep -L -E '(^|\) )1\.\.[0-9]' | while read -r died; do
		printf '\n%s:\n' "${died##*/}"
		tail -n 20 "$died"
	done
	return 1
}

# On a cluster of its own, because it restarts that.
run_bench() {
	env -u UIDEXT_BUILD PG_MAJOR="$PGVERSION" "$root/bench/run" --smoke
}

drivers=(python node c)

run_drivers() {
	"$root/script/drivers" "${drivers[@]}"
}

# The page beside the server, whose answers it has to give.
run_site() {
	local dist=$scratch/dist modules=$UIDEXT_BUILD/test/site/node_modules

	"$UIDEXT_BUILD/script/site" "$dist" &&
		rm -rf "$modules" &&
		mkdir -p "$modules/uidext-pglite" &&
		ln -sf "$("$root/script/npm-packages" "$root/site")"/* "$modules" &&
		tar -C "$modules/uidext-pglite" --strip-components=1 -xzf "$dist"/uidext-pglite-*.tgz &&
		psql -qX -d postgres -c 'SET client_min_messages = warning' -c 'DROP EXTENSION IF EXISTS uidext' -c 'CREATE EXTENSION uidext' &&
		SITE=$dist/site CHROMIUM=$(command -v chromium) node --test "$UIDEXT_BUILD"/test/site/*.test.js
}

# A server of its own under valgrind, all of whose errors count.  Forty times
# slower.
run_valgrind() {
	local dir=$scratch/valgrind skipped bin status

	skipped=$(sed -n 's/^\([a-z0-9_]*\) .*/\1/p' "$root/test/valgrind.skip" | paste -sd '|')
	bin=$("$PG_CONFIG" --bindir)
	# who reaches the socket is a superuser there, and could run programs as its user
	mkdir -m 700 "$dir" && cd "$dir" && { [ "$(id -u)" != 0 ] || chown postgres "$dir"; } || return
	as_user "$bin/initdb" -N -A trust -U postgres -D "$dir/data" >/dev/null || return
	as_user sh -c 'cat "$1" >>"$2"' sh "$UIDEXT_CONF" "$dir/data/postgresql.conf"
	as_user valgrind --quiet --trace-children=yes --error-limit=no --log-file="$dir/valgrind.%p" \
		--suppressions="$UIDEXT_BUILD/test/valgrind.supp" \
		"$bin/postgres" -D "$dir/data" -k "$dir" -p 5432 -c listen_addresses= -c jit=off >"$dir/log" 2>&1 &
	while kill -0 $! && ! "$bin/pg_isready" -q -h "$dir" -p 5432; do
		sleep 1
	done

	PGHOST=$dir PGPORT=5432 PGUSER=postgres make -s -C "$UIDEXT_BUILD" with_llvm=no PG_CONFIG="$PG_CONFIG" \
		REGRESS="$(regress_tests "!($skipped)")" installcheck
	status=$?
	kill -INT "$(head -n 1 "$dir/data/postmaster.pid")"
	wait
	[ $status = 0 ] || cat "$UIDEXT_BUILD/test/regression.diffs"
	cat "$dir"/valgrind.*
	[ -z "$(cat "$dir"/valgrind.*)" ] && [ $status = 0 ]
}

skip_reason() {
	local said

	case $1 in
		pgtap)
			[ "$(psql -qXAt -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'pgtap'")" != 0 ] ||
				echo "no pgTAP for PostgreSQL $PGVERSION"
			;;
		analyze)
			[ -n "$clang" ] || echo "no clang"
			command -v cppcheck >/dev/null || echo "no cppcheck"
			;;
		fuzz)
			[ -n "$clang" ] || { echo "no clang"; return; }
			echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
				"$clang" -fsanitize=address,fuzzer -x c - -o /dev/null 2>/dev/null || echo "no libFuzzer for $clang"
			;;
		discard)
			psql -qXAt -c 'SHOW debug_assertions' | grep -q on || echo "no server with assertions"
			;;
		site)
			command -v chromium >/dev/null || { echo "no chromium"; return; }
			said=$("$root/script/npm-packages" "$root/site" 2>&1 >/dev/null) ||
				sed -n 's/^npm error /npm: /p; s/^error: //p' <<<"$said" | grep . || echo "no npm packages"
			;;
		valgrind)
			command -v valgrind >/dev/null || echo "no valgrind"
			;;
	esac
}
