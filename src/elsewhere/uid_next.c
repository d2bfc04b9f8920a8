/*-------------------------------------------------------------------------
 *
 * uid_next.c
 *	  New ids from elsewhere.
 *
 * Those of other lengths are random, or hold the node of setting uidext.node.
 * 64-bit ids of one node differ by time and sequence, which all sessions take
 * from counters in shared memory.  A counter holds the moment of its last id in
 * units of 1/2^20 ms since 1970.  To a scheme a moment is a count of its own
 * unit, the tick divided by the sequence, so that the sequence tells the
 * fraction of the tick, and schemes and nodes may share a counter.  Each id
 * takes the count of the clock or, where that is not greater, the one after the
 * last.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "miscadmin.h"
#include "utils/wait_event.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/node.h"
#include "base/shared.h"
#include "elsewhere/uid.h"
#include "elsewhere/uid_next.h"

#define UNITS_PER_MS		(UINT64CONST(1) << UID_UNIT_BITS)
#define UNITS_PER_S			(UNITS_PER_MS * MS_PER_S)

/*
 * How far ahead of the clock an id may be: the shortest tick, and less than a
 * restart of the server takes, which forgets the last id.
 */
#define AHEAD_MAX			UNITS_PER_MS

/*
 * How long one sleep lasts.  Where ids may be ahead, some can be slept through
 * and made in a row: no shorter, to leave the processor to others.
 */
#define SLEEP_MIN_US		250
#define SLEEP_MAX_US		1000

/* The clock, in units. */
uint64
uid_next_clock(void)
{
	struct timespec now = clock_read();
	uint64		ms = (uint64) now.tv_sec * MS_PER_S;

	if (unlikely(ms > PG_UINT64_MAX / UNITS_PER_MS - MS_PER_S))
		clock_out_of_range();
	return ms * UNITS_PER_MS + (uint64) now.tv_nsec * UNITS_PER_MS / 1000000;
}

static void
wait_for_clock(uint64 units)
{
	uint64		us = units * US_PER_MS / UNITS_PER_MS;

	CHECK_FOR_INTERRUPTS();
	pgstat_report_wait_start(PG_WAIT_EXTENSION);
	pg_usleep(Min(Max(us, SLEEP_MIN_US), SLEEP_MAX_US));
	pgstat_report_wait_end();
}

/* Nodes whose numbers are close do not take each other's room. */
static pg_atomic_uint64 *
counter_of(uint64 unit, uint64 node)
{
	SharedCounters *counters = shared_counters("uid_next()");

	return &counters->uid_next[node % UID_NEXT_NODES][unit % UID_NEXT_UNITS];
}

/*
 * The next count of a scheme's unit since its epoch.
 *
 * Ids made faster than the layout has room for wait for the clock, and so does
 * a clock that was set back by less than a second.  Beyond, ids count on from
 * the last one: to follow the clock would make ids again.
 */
static uint64
next_count(const UidScheme *scheme, uint64 node)
{
	uint64		unit = scheme->split->unit;
	uint64		epoch = (uint64) scheme->epoch_ms * UNITS_PER_MS;
	pg_atomic_uint64 *counter = counter_of(unit, node);

	for (;;)
	{
		uint64		last = pg_atomic_read_u64(counter);
		uint64		now = uid_next_clock();
		uint64		count;
		uint64		moment;

		if ((uint64) scheme->epoch_ms > now / UNITS_PER_MS)
			time_out_of_range(scheme);
		count = (Max(now, last + unit) - epoch) / unit;
		moment = epoch + count * unit;

		if (moment > now + AHEAD_MAX &&
			moment <= now + unit + UNITS_PER_S)
			wait_for_clock(moment - now - AHEAD_MAX);
		else if (pg_atomic_compare_exchange_u64(counter, &last, moment))
			return count;
	}
}

/* A generator that guesses another sequence would make the same ids. */
static void
require_sequence(const UidScheme *scheme)
{
	if (scheme->split->sequences != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ids of scheme \"%s\" cannot be generated",
						scheme->name),
				 errdetail("One field has to be named sequence, seq, counter, count, increment or random; here are %d.",
						   scheme->split->sequences),
				 errhint("Name it as in \"snowflake:node=10,sequence=12\".")));
}

/*
 * uid_next(scheme text, node int) returns bigint
 *
 * A new id of a 64-bit scheme, which no other session of the server gets for
 * the same scheme and node.  Raises 22023 for an unknown scheme, for other ids
 * and for parameters without one sequence, 22003 for a node that the layout
 * does not hold, 22008 for a clock outside the scheme's times; before
 * PostgreSQL 17 55000 unless the library is preloaded.
 */
PG_FUNCTION_INFO_V1(uidext_uid_next);
Datum
uidext_uid_next(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 0);
	int32		node = PG_GETARG_INT32(1);
	uint64		last_node;
	uint64		id;

	require_bigint(scheme);
	require_sequence(scheme);
	last_node = uid_greatest(scheme->split->node_bits);
	if (node < 0 || (uint64) node > last_node)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("node %d is out of range for id scheme \"%s\"",
						node, scheme->name),
				 errdetail("Its nodes are 0 to %llu.",
						   (unsigned long long) last_node)));

	if (!scheme_split_pack(scheme->split, next_count(scheme, (uint64) node),
						   (uint64) node, &id) ||
		id > PG_INT64_MAX)
		time_out_of_range(scheme);
	PG_RETURN_INT64((int64) id);
}

/* Random in all fields but the time. */
static void
generate_random(const UidScheme *scheme, UidValue *value)
{
	struct timespec now = clock_read();
	uint64		random[(UID_BYTES_MAX + 7) / 8];

	for (int i = 0; i < lengthof(random); i++)
		random[i] = entropy_uint64();
	/* 64 bits of nanoseconds last until 2554 */
	if ((uint64) now.tv_sec >= PG_UINT64_MAX / TICK_S ||
		!scheme_generate(scheme,
						 (uint64) now.tv_sec * TICK_S + (uint64) now.tv_nsec,
						 (unsigned char *) random, value))
		time_out_of_range(scheme);
}

/*
 * An id of the node of setting uidext.node, for schemes that have room for a
 * whole one.  False where there is none, or no node that stays.
 */
static bool
generate_of_node(const UidScheme *scheme, UidValue *value)
{
	uint32		step = scheme_node_step(scheme);
	NodeTick	tick;

	if (step == 0 || node_kind == NODE_FRESH)
		return false;

	tick = node_next(step);
	if (tick.timestamp < GREGORIAN_UNIX_EPOCH ||
		!scheme_node_pack(scheme, tick.timestamp - GREGORIAN_UNIX_EPOCH,
						  tick.clock_seq, tick.node, value))
		time_out_of_range(scheme);
	return true;
}

static int
generator_hint(const UidScheme *scheme)
{
	if (scheme_is_bigint(scheme))
		return errhint("uid_next() makes them, with the number of a node.");
	if (scheme_node_step(scheme) > 0)
		return errhint("Set uidext.node.");
	return errhint("gen_comb() and gen_suffix_comb() make COMBs.");
}

/* Three kinds of schemes: of 64 bits, with room for a whole node, and COMBs. */
pg_noreturn static void
cannot_generate(const UidScheme *scheme)
{
	bool		has_node = scheme_is_bigint(scheme) ||
		scheme_node_step(scheme) > 0;

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("ids of scheme \"%s\" cannot be generated",
					scheme->name),
			 !has_node ? 0 :
			 errdetail("They hold the number of a node, or too few random bits to do without."),
			 generator_hint(scheme)));
}

/*
 * uid_generate(scheme text) returns text
 *
 * A new id of the current time, whose other fields are random, or hold the node
 * of the setting uidext.node.  No order within a tick.  Raises 22023 for
 * schemes that need the number of a node, and for COMBs.
 */
PG_FUNCTION_INFO_V1(uidext_uid_generate);
Datum
uidext_uid_generate(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 0);
	UidValue	value;

	if (scheme->generated)
		generate_random(scheme, &value);
	else if (!generate_of_node(scheme, &value))
		cannot_generate(scheme);
	PG_RETURN_DATUM(uid_value_to_text(scheme, &value));
}
