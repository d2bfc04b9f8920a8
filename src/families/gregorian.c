/*-------------------------------------------------------------------------
 *
 * gregorian.c
 *	  UUIDv1, UUIDv6 and Lambert's v13: a 60-bit count of 100 ns since
 *	  1582-10-15, a clock sequence and a node.
 *
 * Clock sequence and node are random in every tick, and the node's multicast
 * bit is set, so that it is never taken for a network card's address (RFC
 * 9562, section 6.10).  With the setting uidext.node both can be fixed: see
 * node.c.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/node.h"
#include "base/series.h"
#include "base/uuid_version.h"

static MonotonicSeries *const gregorian_series =
&session_series[SERIES_GREGORIAN];

static pg_noinline UuidWords
gregorian_of_node(int version)
{
	NodeTick	tick = node_next(1);

	return layout_gregorian_pack_node(version, tick.timestamp, tick.clock_seq,
									  tick.node);
}

static pg_always_inline UuidWords
gregorian_new(int version)
{
	if (unlikely(node_kind != NODE_FRESH))
		return gregorian_of_node(version);
	series_next(gregorian_series, clock_gregorian(), HEAD_BITS,
				GREGORIAN_RANDOM_BITS);
	return layout_gregorian_pack(version, gregorian_series->tick,
								 gregorian_series->tail);
}

/*
 * Ids of a given time are told apart by random bits, even if a node is fixed.
 */
static UuidWords
gregorian_new_at(int version, TimestampTz at)
{
	return layout_gregorian_pack(version, timestamptz_to_gregorian(at),
								 entropy_uint64() &
								 LAYOUT_MASK(GREGORIAN_RANDOM_BITS));
}

/*
 * gen_uuidv1() returns uuid
 *
 * A UUIDv1 of the current time (RFC 9562, section 5.1); its time never steps
 * back within a session, unless with uidext.node the clock does.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv1);
Datum
uidext_gen_uuidv1(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(gregorian_new(1));
}

/*
 * gen_uuidv1_at(at timestamptz) returns uuid
 *
 * A UUIDv1 of the given time.  Raises 22008 for times outside
 * 1970-01-01 ... 5236-03-31.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv1_at);
Datum
uidext_gen_uuidv1_at(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(gregorian_new_at(1, PG_GETARG_TIMESTAMPTZ(0)));
}

/*
 * gen_uuidv6() returns uuid
 *
 * A UUIDv6 of the current time (RFC 9562, section 5.6), greater than every
 * earlier one of the session, unless with uidext.node the clock steps back.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv6);
Datum
uidext_gen_uuidv6(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(gregorian_new(6));
}

/*
 * gen_uuidv6_at(at timestamptz) returns uuid
 *
 * A UUIDv6 of the given time.  Raises 22008 as gen_uuidv1_at() does.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv6_at);
Datum
uidext_gen_uuidv6_at(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(gregorian_new_at(6, PG_GETARG_TIMESTAMPTZ(0)));
}

/*
 * gen_uuidv13() returns uuid
 *
 * Lambert's reordered v1 of the current time ("Custom UUID as primary key",
 * 2012), greater than every earlier one of the session, unless with uidext.node
 * the clock steps back.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv13);
Datum
uidext_gen_uuidv13(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(gregorian_new(13));
}

/*
 * gen_uuidv13_at(at timestamptz) returns uuid
 *
 * Lambert's reordered v1 of the given time.  Raises 22008 as gen_uuidv1_at()
 * does.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv13_at);
Datum
uidext_gen_uuidv13_at(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(gregorian_new_at(13, PG_GETARG_TIMESTAMPTZ(0)));
}

/* A UUIDv1 as version 6 or 13, which have its timestamp in order, and back. */

static UuidWords
from_v1(UuidWords id, int version)
{
	return layout_pack(version, layout_v1_unshuffle(layout_head(id)),
					   layout_tail(id));
}

static UuidWords
to_v1(UuidWords id)
{
	return layout_pack(1, layout_v1_shuffle(layout_head(id)), layout_tail(id));
}

/*
 * uuidv1_to_v6(id uuid) returns uuid
 *
 * The same timestamp, clock sequence and node as a UUIDv6 (RFC 9562, section
 * 5.6).  Like all conversions between versions here it raises 22023 for an
 * argument of another version.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv1_to_v6);
Datum
uidext_uuidv1_to_v6(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(from_v1(getarg_of_version(fcinfo, 1), 6));
}

/*
 * uuidv6_to_v1(id uuid) returns uuid
 *
 * The inverse of uuidv1_to_v6().
 */
PG_FUNCTION_INFO_V1(uidext_uuidv6_to_v1);
Datum
uidext_uuidv6_to_v1(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(to_v1(getarg_of_version(fcinfo, 6)));
}

/*
 * uuidv1_to_v13(id uuid) returns uuid
 *
 * The same as Lambert's v13.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv1_to_v13);
Datum
uidext_uuidv1_to_v13(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(from_v1(getarg_of_version(fcinfo, 1), 13));
}

/*
 * uuidv13_to_v1(id uuid) returns uuid
 *
 * The inverse of uuidv1_to_v13().
 */
PG_FUNCTION_INFO_V1(uidext_uuidv13_to_v1);
Datum
uidext_uuidv13_to_v1(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(to_v1(getarg_of_version(fcinfo, 13)));
}
