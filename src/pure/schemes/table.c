/*-------------------------------------------------------------------------
 *
 * table.c
 *	  The table of schemes, for both editions.
 *
 * More plausible readings of a text come first.  sql/schemes.awk makes the SQL
 * edition's rows of these: it knows names of members, strings, numbers and
 * macros without arguments, and hands on the names of functions.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include "pure/base32.h"
#include "pure/baseconv.h"

/* What an XID is in any alphabet. */
#define XID \
	.fields = {{UID_TIME, 32, "time"}, \
		{UID_HEX, 24, "machine"}, \
		{UID_NUMBER, 16, "pid"}, \
		{UID_NUMBER, 24, "counter"}}, \
	.tick_ns = TICK_S, .bytes = 12, .digits = 20, .digit_bits = 5, \
	.generated = true

#define DECIMAL \
	.form = "decimal", .alphabet = "0123456789", .bytes = 8, \
	.digits = 20, .digits_min = 1

/* Laravel's ordered UUIDs are COMBs with another tick. */
#define COMB_FIELDS \
	.fields = {{UID_TIME, 48, "time"}, \
		{UID_VERSION4, 4, ""}, \
		{UID_RANDOM, 12, ""}, \
		{UID_VARIANT, 2, ""}, \
		{UID_RANDOM, 62, ""}}

#define WRITTEN_AS_UUID \
	.form = "uuid", .bytes = 16, .digits = 36, .written = &uid_uuid

/* A uuid that stays as it is. */
#define IS_UUID \
	WRITTEN_AS_UUID, .same_bits = true

/* The time 0 of .NET, in Unix milliseconds. */
#define YEAR_1_MS	INT64_C(-62135596800000)

const UidScheme uid_schemes[] = {
	{
		.name = "ulid",
		.form = "26 digits of Crockford's base 32",
		.source = "ulid/spec",
		.alphabet = BASE32_DIGITS,
		.fields = {{UID_TIME, 48, "time"}, {UID_HEX, 80, "randomness"}},
		.tick_ns = TICK_MS,
		.bytes = 16,
		.digits = 26,
		.fold = base32_canonical,
		.same_bits = true,
		.generated = true,
	},
	{
		.name = "ksuid",
		.form = "27 digits of base 62",
		.source = "segmentio/ksuid, ksuid.go",
		.alphabet = BASE62_DIGITS,
		.fields = {{UID_TIME, 32, "time"}, {UID_HEX, 128, "payload"}},
		.epoch_ms = INT64_C(1400000000000),
		.tick_ns = TICK_S,
		.bytes = 20,
		.digits = 27,
		.generated = true,
	},
	{
		.name = "objectid",
		.form = "24 digits of hex",
		.source = "MongoDB specifications, ObjectID",
		.alphabet = HEX_DIGITS,
		.fields = {{UID_TIME, 32, "time"},
		{UID_HEX, 40, "random"},
		{UID_NUMBER, 24, "counter"}},
		.tick_ns = TICK_S,
		.bytes = 12,
		.digits = 24,
		.fold = hex_fold,
		.generated = true,
	},
	{
		.name = "xid",
		.form = "20 digits of base32hex in lower case",
		.source = "rs/xid, id.go",
		.alphabet = "0123456789abcdefghijklmnopqrstuv",
		XID,
	},
	{
		/* a port of rs/xid with another alphabet */
		.name = "xidjs",
		.form = "20 digits of Crockford's base 32 in lower case, from the left",
		.source = "npm package xid-js, lib/base32.js",
		.alphabet = "0123456789abcdefghjkmnpqrstvwxyz",
		XID,
	},
	{
		.name = "pushid",
		.form = "20 digits of -0-9A-Z_a-z",
		.source =
		"Firebase Blog, The 2^120 Ways to Ensure Unique Identifiers (2015)",
		.alphabet =
		"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
		.fields = {{UID_TIME, 48, "time"}, {UID_HEX, 72, "random"}},
		.tick_ns = TICK_MS,
		.bytes = 15,
		.digits = 20,
		.generated = true,
	},
	{
		.name = "elasticflake",
		.form = "20 digits of base64url",
		.source = "ppearcy/elasticflake, TimeBasedUUIDGenerator.java",
		.alphabet = BASE64URL_DIGITS,
		.fields = {{UID_TIME, 48, "time"},
		{UID_HEX, 48, "node"},
		{UID_NUMBER, 24, "sequence"}},
		.tick_ns = TICK_MS,
		.bytes = 15,
		.digits = 20,
		.digit_bits = 6,
	},
	{
		.name = "cuid",
		.form = "the letter c and 24 digits of base 36",
		.source = "paralleldrive/cuid, index.js",
		.alphabet = BASE36_DIGITS,
		.fields = {{UID_TIME, 42, "time"},
		{UID_BASE36, 21, "counter"},
		{UID_BASE36, 21, "fingerprint"},
		{UID_BASE36, 42, "random"},
		{UID_ZERO, 2, ""}},
		.tick_ns = TICK_MS,
		/* 36^8 - 1, in 2059 */
		.ticks_max = INT64_C(2821109907455),
		.bytes = 16,
		.digits = 25,
		.generated = true,
		.written = &uid_groups,
	},
	{
		.name = "sid",
		.form =
		"twice 11 digits of 0-9A-Z_a-z~, a hyphen between; or so in base 32, hex or decimal",
		.source = "chilts/sid, sid.go",
		.alphabet =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~",
		.fields = {{UID_ZERO, 1, ""},
		{UID_TIME, 63, "time"},
		{UID_ZERO, 1, ""},
		{UID_NUMBER, 63, "random"}},
		.tick_ns = TICK_NS,
		.bytes = 16,
		.digits = 23,
		.same_bits = true,
		.generated = true,
		.written = &uid_halves,
	},
	{
		.name = "flake",
		.form = "up to 22 digits of base 62",
		.source = "boundary/flake, flake_util.erl",
		.alphabet = BASE62_DIGITS,
		.fields = {{UID_TIME, 64, "time"},
		{UID_HEX, 48, "worker"},
		{UID_NUMBER, 16, "sequence"}},
		.tick_ns = TICK_MS,
		.bytes = 16,
		.digits = 22,
		/* a time after 1970 makes 64 bits and more */
		.digits_min = 11,
		.same_bits = true,
	},
	{
		.name = "snowflake",
		.source = "twitter-archive/snowflake, IdWorker.scala",
		DECIMAL,
		.fields = {{UID_ZERO, 1, ""},
		{UID_TIME, 41, "time"},
		{UID_NUMBER, 10, "node"},
		{UID_NUMBER, 12, "sequence"}},
		.epoch_ms = INT64_C(1288834974657),
		.tick_ns = TICK_MS,
	},
	{
		.name = "discord",
		.source = "Discord developer documentation, Reference: Snowflakes",
		DECIMAL,
		.fields = {{UID_TIME, 42, "time"},
		{UID_NUMBER, 5, "worker"},
		{UID_NUMBER, 5, "process"},
		{UID_NUMBER, 12, "increment"}},
		.epoch_ms = INT64_C(1420070400000),
		.tick_ns = TICK_MS,
	},
	{
		.name = "instagram",
		.source = "Instagram Engineering, Sharding & IDs at Instagram (2012)",
		DECIMAL,
		.fields = {{UID_TIME, 41, "time"},
		{UID_NUMBER, 13, "shard"},
		{UID_NUMBER, 10, "sequence"}},
		.epoch_ms = INT64_C(1314220021721),
		.tick_ns = TICK_MS,
	},
	{
		.name = "sonyflake",
		.source = "sony/sonyflake, sonyflake.go",
		DECIMAL,
		.fields = {{UID_ZERO, 1, ""},
		{UID_TIME, 39, "time"},
		{UID_NUMBER, 8, "sequence"},
		{UID_NUMBER, 16, "machine"}},
		.epoch_ms = INT64_C(1409529600000),
		.tick_ns = 10 * TICK_MS,
	},
	{
		.name = "sonyflake2",
		.source = "sony/sonyflake, v2/sonyflake.go",
		DECIMAL,
		.fields = {{UID_ZERO, 1, ""},
		{UID_TIME, 39, "time"},
		{UID_NUMBER, 8, "sequence"},
		{UID_NUMBER, 16, "machine"}},
		.epoch_ms = INT64_C(1735689600000),
		.tick_ns = 10 * TICK_MS,
	},
	{
		.name = "pgedge",
		.source = "pgEdge/snowflake, snowflake.c",
		DECIMAL,
		.fields = {{UID_ZERO, 1, ""},
		{UID_TIME, 41, "time"},
		{UID_NUMBER, 10, "node"},
		{UID_NUMBER, 12, "count"}},
		.epoch_ms = INT64_C(1672531200000),
		.tick_ns = TICK_MS,
	},
	{
		.name = "flakeid",
		.source = "T-PWK/flake-idgen, flake-id-gen.js",
		DECIMAL,
		.fields = {{UID_TIME, 42, "time"},
		{UID_NUMBER, 5, "datacenter"},
		{UID_NUMBER, 5, "worker"},
		{UID_NUMBER, 12, "counter"}},
		.epoch_ms = 0,
		.tick_ns = TICK_MS,
	},
	{
		.name = "tsid",
		.source = "vladmihalcea/hypersistence-tsid, TSID.java",
		.form = "13 digits of Crockford's base 32, or decimal",
		.alphabet = BASE32_DIGITS,
		.fields = {{UID_TIME, 42, "time"}, {UID_NUMBER, 22, "random"}},
		.epoch_ms = INT64_C(1577836800000),
		.tick_ns = TICK_MS,
		.bytes = 8,
		.digits = 13,
		.fold = base32_canonical,
		.written = &uid_or_decimal,
	},
	{
		.name = "lexicaluuid",
		.source = "twitter-archive/cassie, LexicalUUID.scala",
		IS_UUID,
		.fields = {{UID_TIME, 64, "time"}, {UID_HEX, 64, "worker"}},
		.tick_ns = TICK_US,
	},
	{
		.name = "comb",
		.source =
		"ramsey/uuid, TimestampFirstCombCodec.php; richardtallent/RT.Comb, UnixDateTimeStrategy.cs",
		IS_UUID,
		COMB_FIELDS,
		.tick_ns = TICK_MS,
	},
	{
		.name = "suffixcomb",
		.source =
		"richardtallent/RT.Comb, SqlCombProvider.cs with UnixDateTimeStrategy.cs",
		IS_UUID,
		.fields = {{UID_RANDOM, 48, ""},
		{UID_VERSION4, 4, ""},
		{UID_RANDOM, 12, ""},
		{UID_VARIANT, 2, ""},
		{UID_RANDOM, 14, ""},
		{UID_TIME, 48, "time"}},
		.tick_ns = TICK_MS,
	},
	{
		.name = "combguid",
		.source = "richardtallent/RT.Comb, SqlDateTimeStrategy.cs",
		IS_UUID,
		.fields = {{UID_RANDOM, 48, ""},
		{UID_VERSION4, 4, ""},
		{UID_RANDOM, 12, ""},
		{UID_VARIANT, 2, ""},
		{UID_RANDOM, 14, ""},
		{UID_NUMBER, 16, "days"},
		{UID_NUMBER, 32, "ticks"}},
		.tick_ns = TICK_S / 300,
		.epoch_ms = INT64_C(-2208988800000),
		.time = uid_datetime,
	},
	{
		.name = "ordereduuid",
		.source =
		"ramsey/uuid, CombGenerator.php with TimestampFirstCombCodec.php; Laravel to 11, Str::orderedUuid()",
		IS_UUID,
		COMB_FIELDS,
		.tick_ns = 10 * TICK_US,
		.generated = true,
		/* a third of all random UUIDs have a time since 2000 */
		.by_chance = true,
	},
	{
		/* the second of 2^-24 s is told to the microsecond */
		.name = "draftuuidv7",
		.source =
		"draft-peabody-dispatch-new-uuid-format-02; stevesimmons/uuid7, uuid7.py",
		WRITTEN_AS_UUID,
		.fields = {{UID_TIME, 36, "time"},
		{UID_NUMBER, 12, "subsec_a"},
		{UID_VERSION7, 4, ""},
		{UID_NUMBER, 12, "subsec_b"},
		{UID_VARIANT, 2, ""},
		{UID_RANDOM, 62, ""}},
		.tick_ns = TICK_US,
		.time = uid_draft_seconds,
	},
	{
		.name = "duckdbuuidv7",
		.source = "duckdb/duckdb 1.3.0, uuidv7()",
		WRITTEN_AS_UUID,
		.fields = {{UID_ONE, 1, ""},
		{UID_TIME, 47, "time"},
		{UID_VERSION7, 4, ""},
		{UID_RANDOM, 12, ""},
		{UID_VARIANT, 2, ""},
		{UID_RANDOM, 62, ""}},
		.tick_ns = TICK_MS,
	},
	{
		/* the last two groups are those that SQL Server sorts by */
		.name = "efguid",
		.source = "dotnet/efcore, SequentialGuidValueGenerator.cs",
		IS_UUID,
		.fields = {{UID_RANDOM, 48, ""},
		{UID_VERSION4, 4, ""},
		{UID_RANDOM, 12, ""},
		{UID_TIME, 16, "time_low"},
		{UID_TIME, 48, "time_high"}},
		.tick_ns = 100 * TICK_NS,
		.epoch_ms = YEAR_1_MS,
		.time = uid_dotnet_ticks,
	},
	{
		.name = "abpguid",
		.source =
		"abpframework/abp, SequentialGuidGenerator.cs, SequentialAsString",
		WRITTEN_AS_UUID,
		.fields = {{UID_TIME, 48, "time"}, {UID_RANDOM, 80, ""}},
		.tick_ns = TICK_MS,
		.epoch_ms = YEAR_1_MS,
	},
	{
		.name = "abpsuffixguid",
		.source =
		"abpframework/abp, SequentialGuidGenerator.cs, SequentialAtEnd",
		IS_UUID,
		.fields = {{UID_RANDOM, 80, ""}, {UID_TIME, 48, "time"}},
		.tick_ns = TICK_MS,
		.epoch_ms = YEAR_1_MS,
	},
	{.name = NULL}
};
