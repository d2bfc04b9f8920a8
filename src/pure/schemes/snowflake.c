/*-------------------------------------------------------------------------
 *
 * snowflake.c
 *	  64-bit ids: Snowflake and its kin.
 *
 * Where the first bit is kept zero, so that a signed integer stays positive,
 * it is a field of its own.  The others run out of positive numbers half-way;
 * as text all of theirs are read.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/schemes/scheme.h"

#include "pure/base32.h"

#define DECIMAL \
	.form = "decimal", .alphabet = "0123456789", .bytes = UID_BIGINT_BYTES, \
	.digits = 20, .digits_min = 1, .to_uuid = UID_TO_V7

#define TSID_DIGITS	13

/* 13 digits of Crockford's base 32, or decimal. */
static UidProblem
tsid_parse(const UidScheme *scheme, const char *str,
		   int length, UidValue *value, int *place)
{
	UidScheme	number = *scheme;

	if (length == TSID_DIGITS)
		return scheme_parse_digits(scheme, str, length, value, place);
	number.alphabet = "0123456789";
	number.values = NULL;
	number.fold = NULL;
	number.digits = 20;
	number.digits_min = 1;

	return scheme_parse_digits(&number, str, length, value, place);
}

const UidScheme uid_snowflakes[] = {
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
		.alphabet = base32_digits,
		.fields = {{UID_TIME, 42, "time"}, {UID_NUMBER, 22, "random"}},
		.epoch_ms = INT64_C(1577836800000),
		.tick_ns = TICK_MS,
		.bytes = UID_BIGINT_BYTES,
		.digits = TSID_DIGITS,
		.fold = base32_canonical,
		.to_uuid = UID_TO_V7,
		.parse = tsid_parse,
	},
	{.name = NULL}
};
