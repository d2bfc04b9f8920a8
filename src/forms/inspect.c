/*-------------------------------------------------------------------------
 *
 * inspect.c
 *	  Reads the fields of an id.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/inet.h"
#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/interval.h"

/* In the order of the columns of type uuid_info. */
enum
{
	INFO_VERSION,
	INFO_VARIANT,
	INFO_LAYOUT,
	INFO_TIME,
	INFO_COMB_TIME,
	INFO_SUFFIX_COMB_TIME,
	INFO_SHORT_COMB_BLOCK,
	INFO_SHORT_SUFFIX_COMB_BLOCK,
	INFO_COUNTRY,
	INFO_SERVICE_ENTITY,
	INFO_CLOCK_SEQ,
	INFO_NODE,
	INFO_RANDOM_BITS,
	INFO_COUNT_100NS,
	INFO_SWAPPED_BY,
	INFO_UNSWAPPED,
	INFO_COLUMNS
};

typedef struct UuidInfo
{
	Datum		values[INFO_COLUMNS];
	bool		nulls[INFO_COLUMNS];
} UuidInfo;

/*
 * The time in an id.  False for layouts without one, and for version 4, of
 * which only its maker knows whether it is a COMB.
 */
static bool
words_to_time(UuidWords words, TimestampTz *time)
{
	if (layout_is_gregorian(words))
		*time = gregorian_to_timestamptz(layout_gregorian_timestamp(words));
	else if (layout_is(words, 7) || layout_is_iuid(words) ||
			 layout_is_later_iuid(words) || layout_is_boundary(words))
		*time = unix_ms_to_timestamptz(layout_unix_ms(words));
	else
		return false;
	return true;
}

/*
 * uuid_time(id uuid) returns timestamptz
 *
 * The time of a v1, v6, v7, v13, iUID of any layout, or boundary value, floored
 * to what its layout and timestamptz hold (1 us for v1, v6 and v13, else 1 ms);
 * NULL for every other id.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_time);
Datum
uidext_uuid_time(PG_FUNCTION_ARGS)
{
	TimestampTz time;

	if (!words_to_time(PG_GETARG_UUID_WORDS(0), &time))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(time);
}

/*
 * uuid_is_recent(id uuid, past interval, future interval, at timestamptz)
 * returns bool
 *
 * Whether the tick of uuid_time(id), which is 1 us for v1, v6 and v13, else 1
 * ms, overlaps at - past ... at + future; false for an id without a time.
 * Raises 22023 for a negative tolerance or months, 22008 for an at outside
 * 1970-01-01 ... 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_is_recent);
Datum
uidext_uuid_is_recent(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	TimestampTz time = DT_NOBEGIN;
	bool		has_time = words_to_time(id, &time);
	int64		tick_us = layout_is_gregorian(id) ? 1 : US_PER_MS;
	bool		recent = timestamptz_is_recent(time, tick_us,
											   PG_GETARG_INTERVAL_P(1),
											   PG_GETARG_INTERVAL_P(2),
											   PG_GETARG_TIMESTAMPTZ(3));

	PG_RETURN_BOOL(recent && has_time);
}

static void
info_set(UuidInfo *info, int column, Datum value)
{
	info->values[column] = value;
	info->nulls[column] = false;
}

static void
info_set_int(UuidInfo *info, int column, int value)
{
	info_set(info, column, Int32GetDatum(value));
}

static void
info_set_text(UuidInfo *info, int column, const char *value)
{
	info_set(info, column, CStringGetTextDatum(value));
}

static void
info_set_unix_ms(UuidInfo *info, int column, uint64 unix_ms)
{
	info_set(info, column,
			 TimestampTzGetDatum(unix_ms_to_timestamptz(unix_ms)));
}

/* RFC 9562, section 4.1, table 1. */
static const char *
variant_name(UuidWords words)
{
	if (layout_variant(words) < LAYOUT_VARIANT_RFC)
		return "NCS";
	if (layout_variant(words) == LAYOUT_VARIANT_RFC)
		return "RFC 9562";
	return words.lo >> 61 & 1 ? "future" : "Microsoft";
}

static const char *
uuidv8_name(UuidWords words)
{
	if (layout_is_iuid(words))
		return "iUID";
	if (layout_is_later_iuid(words))
		return psprintf("iUID, layout %d", layout_iuid_version(words));
	return "UUIDv8";
}

static const char *
version_name(UuidWords words)
{
	switch (layout_version(words))
	{
		case 1:
			return "UUIDv1";
		case 2:
			return "UUIDv2";
		case 3:
			return "UUIDv3";
		case 4:
			return "UUIDv4 or COMB";
		case 5:
			return "UUIDv5";
		case 6:
			return "UUIDv6";
		case 7:
			return "UUIDv7";
		case 8:
			return uuidv8_name(words);
		case 13:
			return "Lambert v13";
		default:
			return "unknown";
	}
}

static const char *
layout_name(UuidWords words)
{
	if (layout_equal(words, UUID_WORDS_NIL))
		return "nil";
	if (layout_equal(words, UUID_WORDS_MAX))
		return "max";
	if (layout_is_boundary(words))
		return "boundary";
	if (layout_variant(words) != LAYOUT_VARIANT_RFC)
		return "unknown";
	return version_name(words);
}

static macaddr *
words_to_node(UuidWords words)
{
	unsigned char bytes[UUID_LEN];
	macaddr    *node = (macaddr *) palloc(sizeof(macaddr));

	layout_store(bytes, words);
	node->a = bytes[10];
	node->b = bytes[11];
	node->c = bytes[12];
	node->d = bytes[13];
	node->e = bytes[14];
	node->f = bytes[15];
	return node;
}

/*
 * A node without the multicast bit is a network card's address, and only the
 * clock sequence is left as random (RFC 9562, section 6.10).
 */
static void
info_set_gregorian(UuidInfo *info, UuidWords words)
{
	macaddr    *node = words_to_node(words);
	bool		random_node = node->a & 1;

	info_set_int(info, INFO_CLOCK_SEQ, (int) (layout_tail(words) >> 48));
	info_set(info, INFO_NODE, MacaddrPGetDatum(node));
	info_set(info, INFO_COUNT_100NS,
			 Int64GetDatum((int64) layout_gregorian_timestamp(words)));
	info_set_int(info, INFO_RANDOM_BITS,
				 random_node ? GREGORIAN_RANDOM_BITS : CLOCK_SEQ_BITS);
}

/*
 * A version 4 does not say whether it is a COMB, and of which kind.  All
 * readings are therefore given, and the random bits are those of a plain
 * UUIDv4.
 */
static void
info_set_uuidv4(UuidInfo *info, UuidWords words)
{
	info_set_unix_ms(info, INFO_COMB_TIME, layout_unix_ms(words));
	info_set_unix_ms(info, INFO_SUFFIX_COMB_TIME, layout_suffix_unix_ms(words));
	info_set_int(info, INFO_SHORT_COMB_BLOCK, layout_short_comb_block(words));
	info_set_int(info, INFO_SHORT_SUFFIX_COMB_BLOCK,
				 layout_short_comb_block(layout_swap_short_comb(words)));
	info_set_int(info, INFO_RANDOM_BITS, 12 + 48 + 62);
}

/* In an iUID of the known layout, the first bits of the tail count 1/64 ms. */
static void
info_set_iuid(UuidInfo *info, UuidWords words)
{
	info_set_int(info, INFO_COUNTRY, layout_iuid_country(words));
	info_set_int(info, INFO_SERVICE_ENTITY, layout_iuid_service_entity(words));
	info_set_int(info, INFO_RANDOM_BITS, IUID_RANDOM_BITS);
}

/* Whether the time in an id is a plausible one, from 2000 to 2049. */
static bool
has_plausible_time(UuidWords words)
{
	const TimestampTz year_2050 = INT64CONST(18263) * USECS_PER_DAY;
	TimestampTz time;

	return layout_variant(words) == LAYOUT_VARIANT_RFC &&
		words_to_time(words, &time) && time >= 0 && time < year_2050;
}

/*
 * If another database has printed an id in its own byte order, the id has no
 * time, or an implausible one, until its bytes are put in order.  Random ids
 * and hashes are not tried, because any of them may have a plausible time by
 * chance.
 */
static void
info_set_swapped(UuidInfo *info, UuidWords words)
{
	UuidWords	from_sqlserver = layout_swap_sqlserver(words);
	UuidWords	from_mysql = layout_from_mysql(words);
	bool		by_sqlserver = has_plausible_time(from_sqlserver);

	if (layout_is(words, 3) || layout_is(words, 4) || layout_is(words, 5) ||
		has_plausible_time(words))
		return;
	if (!by_sqlserver && !has_plausible_time(from_mysql))
		return;
	info_set_text(info, INFO_SWAPPED_BY,
				  by_sqlserver ? "SQL Server" : "MySQL");
	info_set(info, INFO_UNSWAPPED,
			 UuidWordsGetDatum(by_sqlserver ? from_sqlserver : from_mysql));
}

static void
info_fill(UuidInfo *info, UuidWords words)
{
	TimestampTz time;

	info_set_text(info, INFO_VARIANT, variant_name(words));
	info_set_text(info, INFO_LAYOUT, layout_name(words));
	if (words_to_time(words, &time))
		info_set(info, INFO_TIME, TimestampTzGetDatum(time));
	info_set_swapped(info, words);

	if (layout_variant(words) != LAYOUT_VARIANT_RFC)
		return;
	info_set_int(info, INFO_VERSION, layout_version(words));

	if (layout_is_gregorian(words))
		info_set_gregorian(info, words);
	else if (layout_is(words, 4))
		info_set_uuidv4(info, words);
	else if (layout_is(words, 7))
		info_set_int(info, INFO_RANDOM_BITS, TAIL_BITS);
	else if (layout_is_iuid(words))
		info_set_iuid(info, words);
}

static Datum
info_result(FunctionCallInfo fcinfo, UuidInfo *info)
{
	TupleDesc	tupdesc;
	HeapTuple	tuple;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	/* an earlier version of the type has fewer columns */
	if (tupdesc->natts > INFO_COLUMNS)
		elog(ERROR, "type uuid_info has %d columns, not %d", tupdesc->natts,
			 INFO_COLUMNS);

	tuple = heap_form_tuple(BlessTupleDesc(tupdesc), info->values, info->nulls);
	return HeapTupleGetDatum(tuple);
}

/*
 * uuid_inspect(id uuid) returns uuid_info
 *
 * Everything that the bits of an id tell, one column a field; NULL where the
 * layout has no such field.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_inspect);
Datum
uidext_uuid_inspect(PG_FUNCTION_ARGS)
{
	UuidInfo	info;

	memset(info.nulls, true, sizeof(info.nulls));
	info_fill(&info, PG_GETARG_UUID_WORDS(0));
	PG_RETURN_DATUM(info_result(fcinfo, &info));
}

/*
 * uuid_inspect(id ulid) returns uuid_info
 *
 * The layout, the time and the random bits of a ULID, which has no version and
 * no variant.
 */
PG_FUNCTION_INFO_V1(uidext_ulid_inspect);
Datum
uidext_ulid_inspect(PG_FUNCTION_ARGS)
{
	UuidWords	words = PG_GETARG_UUID_WORDS(0);
	UuidInfo	info;

	memset(info.nulls, true, sizeof(info.nulls));
	info_set_text(&info, INFO_LAYOUT, "ULID");
	info_set_unix_ms(&info, INFO_TIME, layout_unix_ms(words));
	info_set_int(&info, INFO_RANDOM_BITS, TAIL_BITS + ULID_REST_BITS);
	PG_RETURN_DATUM(info_result(fcinfo, &info));
}
