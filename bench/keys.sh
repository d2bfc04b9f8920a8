# shellcheck shell=bash
# The kinds of keys that tables are filled with.  Sourced, not run.
#
# Label, type, default; those whose function is missing here are left out.  A
# measurement fills in a second what a busy table gets in a minute, hence the
# short COMB's blocks of a second.
main_keys=(
	"bigint identity|bigint GENERATED ALWAYS AS IDENTITY|"
	"gen_random_uuid()|uuid|gen_random_uuid()"
	"uuidv7(), core|uuid|uuidv7()"
	"gen_uuidv7()|uuid|gen_uuidv7()"
	"gen_comb()|uuid|gen_comb()"
	"gen_iuid(76, 1)|uuid|gen_iuid(76, 1)"
	"gen_short_comb('1 second')|uuid|gen_short_comb('1 second')"
)
other_keys=(
	"uuid_generate_v7(), pg_uuidv7|uuid|uuid_generate_v7()"
	"uuid_time_nextval(), sequential_uuids|uuid|uuid_time_nextval()"
	"gen_suffix_comb()|uuid|gen_suffix_comb()"
	"gen_short_suffix_comb('1 second')|uuid|gen_short_suffix_comb('1 second')"
	"gen_sequence_comb('s')|uuid|gen_sequence_comb('s')"
	"gen_uuidv1()|uuid|gen_uuidv1()"
	"gen_uuidv6()|uuid|gen_uuidv6()"
	"gen_uuidv13()|uuid|gen_uuidv13()"
	"gen_ulid()|ulid|gen_ulid()"
	"gen_ordered_uuidv7()|uuid|gen_ordered_uuidv7()"
)

if [ "$BENCH_LEVEL" = smoke ]; then
	main_keys=("${main_keys[@]:0:2}") other_keys=("gen_comb()|uuid|gen_comb()")
fi

# Those of the given keys that this server has, in the array "keys".
select_keys() {
	local key

	keys=()
	for key; do
		[ -z "${key##*|}" ] || exists "${key##*|}" || continue
		keys+=("$key")
	done
}

# What stands before PRIMARY KEY.
key_column() {
	echo "id ${key_type} ${key_default:+DEFAULT $key_default}"
}

split_key() {
	IFS='|' read -r key_label key_type key_default <<<"$1"
}
