# shellcheck shell=bash
# Calls that bench/editions and bench/commits compare, and the table that they read.
# Sourced, not run.

# Kind, expression; "slow" readers take many microseconds in SQL and are called
# a twentieth as often.
key="'\\x000102030405060708090a0b0c0d0e0f'"
candidates=(
	"core|gen_random_uuid()"
	"generator|gen_uuidv7()"
	"generator|gen_uuidv7(interval '1 hour')"
	"generator|gen_uuidv7_at(at)"
	"generator|gen_comb()"
	"generator|gen_suffix_comb()"
	"generator|gen_short_comb()"
	"generator|gen_sequence_comb('s')"
	"generator|gen_iuid(76, 1)"
	"generator|gen_iuid(1)"
	"generator|gen_iuid('BR', 'Order')"
	"generator|gen_ulid()"
	"generator|gen_uuidv1()"
	"generator|gen_uuidv6()"
	"generator|gen_uuidv13()"
	"core|uuid_out(v7)"
	"reader|uuid_time(v7)"
	"reader|comb_time(comb)"
	"reader|short_comb_block(comb)"
	"reader|iuid_country(iuid)"
	"reader|uuidv7_is_valid(v7)"
	"reader|uuid_is_recent(v7)"
	"reader|uuid_boundary(at)"
	"reader|v7 >= timestamptz '2026-01-01 00:00+00'"
	"reader|v7 >= at"
	"reader|uuidv6_to_v1(v6)"
	"reader|uuid_to_ulid(v7)::text"
	"slow|ulid_to_uuid(ulid)"
	"slow|uuid_to_typeid(v7, 'user')"
	"slow|uuid_encode(v7, 'base58')"
	"slow|uuid_encrypt(v7, $key)"
	"slow|uuid_inspect(v7)"
	"slow|uid_time(discord, 'discord')"
)

# Something to read.
fill_ids() {
	sql -v rows="$rows" <<-'END'
		INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
		INSERT INTO iuid.service_entities VALUES (1, 'Order');
		CREATE TABLE ids AS
			SELECT gen_uuidv7() AS v7, gen_comb() AS comb, gen_iuid(76, 1) AS iuid, gen_uuidv6() AS v6,
				uuid_to_ulid(gen_uuidv7())::text AS ulid, '175928847299117063'::text AS discord,
				timestamptz '2026-01-01 00:00+00' + n * interval '1 second' AS at
			FROM generate_series(1, :rows) AS n;
		VACUUM ANALYZE ids;
	END
}
