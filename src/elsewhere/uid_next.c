/*-------------------------------------------------------------------------
 *
 * uid_next.c
 *	  New ids of other systems' schemes.
 *
 * Ids that have not 64 bits are random, or hold the node of the setting
 * uidext.node.  64-bit ids of one node differ by time and sequence, which all
 * sessions take from counters in shared memory.  A counter holds the moment of
 * its last id in units of 1/2^20 ms since 1970.  A scheme converts this moment
 * into its own unit, which is the tick divided by the number of sequence
 * values.  The sequence is thus the fraction of the tick, and several schemes
 * and nodes can share a counter.  Each id takes the moment of the clock.  If
 * this is less than a step after the last id, it takes the moment one step
 * after the last id.
 *
 * Anybody may call uid_next(), with any epoch, tick and fields.  This does not
 * harm other users of a counter, for three reasons: all schemes that share a
 * counter take the same step, no counter goes further ahead of its clock than
 * AHEAD_MAX, and its clock is that of the server, or goes on from there.  A
 * made-up scheme can only use up moments of a counter, and anybody could do
 * that with the usual scheme, too.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/pmsignal.h"
#include "utils/wait_event.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/node.h"
#include "base/shared.h"
#include "elsewhere/uid.h"

/*
 * How far ahead of the clock an id may be: the shortest tick.  A restart of
 * the server, which forgets the last id, takes longer than this.
 */
#define AHEAD_MAX			UID_UNITS_PER_MS

/*
 * The length of a short sleep.  Because ids may be ahead of the clock, the ids
 * that were missed meanwhile follow without a wait.  A shorter sleep would only
 * use more processor time.
 */
#define SLEEP_MIN_US		250

/*
 * So many nodes have counters of their own.  Counters of two nodes are not
 * next to each other in memory, because sessions would contend for a cache
 * line.
 */
#define NODES				16

typedef struct UidCounter
{
	pg_atomic_uint64 last;		/* moment of the last id */
	pg_atomic_uint64 ahead;		/* its clock minus slow_clock(), signed; or
								 * NOT_AHEAD */
} UidCounter;

/* The counter follows the clock of the server. */
#define NOT_AHEAD			((uint64) PG_INT64_MIN)

typedef UidCounter UidCounters[UID_COUNTERS];

/*
 * A time as a moment of the counters.  False if they do not hold it, with a
 * day to spare for the longest tick.
 */
static bool
moment_of(struct timespec now, uint64 *moment)
{
	uint64		ms = (uint64) now.tv_sec * MS_PER_S;

	*moment = 0;
	if (unlikely(now.tv_sec < 0 || ms > PG_UINT64_MAX / UID_UNITS_PER_MS -
				 SECS_PER_DAY * MS_PER_S))
		return false;
	*moment = ms * UID_UNITS_PER_MS +
		(uint64) now.tv_nsec * UID_UNITS_PER_MS / 1000000;
	return true;
}

/*
 * Begin after this moment, for which ids may have been made before a restart.
 * If the counters do not hold it, uid_next() will say so.
 */
static void
initialize_counters(void *memory, const SharedStart *start)
{
	UidCounters *counters = memory;
	uint64		moment;

	(void) moment_of(start->clock, &moment);
	for (int node = 0; node < NODES; node++)
	{
		for (int n = 0; n < UID_COUNTERS; n++)
		{
			pg_atomic_init_u64(&counters[node][n].last, moment);
			pg_atomic_init_u64(&counters[node][n].ahead, NOT_AHEAD);
		}
	}
}

static SharedStruct uid_next_counters = {
	.name = "uidext uid_next",
	.user = "uid_next()",
	.size = NODES * sizeof(UidCounters),
	.initialize = initialize_counters
};

void
uid_next_init(void)
{
	shared_register(&uid_next_counters);
}

static uint64
read_moment(struct timespec now)
{
	uint64		moment;

	if (unlikely(!moment_of(now, &moment)))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("the time of the clock is out of range for uid_next()"),
				 errdetail("Its counters hold times up to the year 2527."),
				 errhint("Set the clock of the server right.")));
	return moment;
}

/*
 * The monotonic clock, slowed down by an eighth.
 */
static uint64
slow_clock(void)
{
	uint64		monotonic = read_moment(clock_read_monotonic());

	return monotonic - monotonic / 8;
}

/*
 * A counter's clock, which never goes back.  If the clock of the server was
 * set back to before the last id, the counter's clock goes on from the last
 * id, slower than the clock of the server, until the server's clock has caught
 * up.  At the same speed that clock would never catch up with a counter that is
 * always in use.  Reading a clock is most of what an id costs, so the monotonic
 * one is read only then.
 */
static uint64
counter_clock(UidCounter *counter, uint64 last)
{
	uint64		now = read_moment(clock_read());
	uint64		slow;
	uint64		known;
	int64		ahead;

	if (likely(last <= now + AHEAD_MAX))
	{
		/* the next time that the clock is set back is another one */
		if (unlikely(pg_atomic_read_u64(&counter->ahead) != NOT_AHEAD))
			pg_atomic_write_u64(&counter->ahead, NOT_AHEAD);
		return now;
	}

	slow = slow_clock();
	ahead = (int64) (last - AHEAD_MAX - slow);
	known = pg_atomic_read_u64(&counter->ahead);
	while ((int64) known < ahead &&
		   !pg_atomic_compare_exchange_u64(&counter->ahead, &known,
										   (uint64) ahead))
		;
	return slow + (uint64) Max((int64) known, ahead);
}

/*
 * A latch can only wait for whole milliseconds.  A shorter sleep does not
 * notice that the postmaster has died, so check for this here.  Otherwise a
 * session that sleeps often would survive the postmaster.
 */
static void
wait_for_clock(uint64 units)
{
	static uint32 event = 0;
	uint64		us = units * US_PER_MS / UID_UNITS_PER_MS;

	if (event == 0)
		event = WaitEventExtensionNew("UidextClock");
	CHECK_FOR_INTERRUPTS();
	if (us >= US_PER_MS)
	{
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 (long) (us / US_PER_MS), event);
		ResetLatch(MyLatch);
		return;
	}
	if (IsUnderPostmaster && !PostmasterIsAlive())
		proc_exit(1);
	pgstat_report_wait_start(event);
	pg_usleep((long) Max(us, SLEEP_MIN_US));
	pgstat_report_wait_end();
}

/*
 * The id of a node at a moment, which must not be before the scheme's epoch.
 */
static uint64
id_of_moment(const UidScheme *scheme, uint64 moment, uint64 node)
{
	uint64		epoch = (uint64) scheme->epoch_ms * UID_UNITS_PER_MS;
	uint64		count = (moment - epoch) / scheme->split->unit;
	uint64		id;

	if (!scheme_split_pack(scheme->split, count, node, &id) ||
		id > PG_INT64_MAX)
		time_out_of_range(scheme);
	return id;
}

/*
 * The next id of a node.  If ids are made faster than the layout has room for,
 * the call waits for the clock.  Up to NODES consecutive node numbers do not
 * slow each other down.
 */
static uint64
next_id(const UidScheme *scheme, uint64 node)
{
	UidCounters *counters = shared_memory(&uid_next_counters);
	UidCounter *counter = &counters[node % NODES][scheme->split->counter];

	for (;;)
	{
		uint64		last = pg_atomic_read_u64(&counter->last);
		uint64		now = counter_clock(counter, last);
		uint64		moment = Max(now, last + scheme->split->step);
		uint64		id;

		/*
		 * refuse a time that the scheme cannot hold before the counter
		 * advances
		 */
		if ((uint64) scheme->epoch_ms > now / UID_UNITS_PER_MS)
			time_out_of_range(scheme);
		id = id_of_moment(scheme, moment, node);

		if (moment > now + AHEAD_MAX)
			wait_for_clock(moment - now - AHEAD_MAX);
		else if (pg_atomic_compare_exchange_u64(&counter->last, &last, moment))
			return id;
	}
}

/*
 * If it were not clear which field is the sequence, another generator of the
 * same node could choose another field and make the same ids.
 */
static void
require_sequence(const UidScheme *scheme)
{
	if (scheme->split->sequences != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ids of scheme \"%s\" cannot be generated",
						scheme->name),
				 errdetail("One field has to be named sequence, seq, counter, count, increment or random. %d fields have such a name.",
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

	PG_RETURN_INT64((int64) next_id(scheme, (uint64) node));
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
 * An id with the node of the setting uidext.node, for schemes that have room
 * for a whole node.  False for other schemes, and if no fixed node is set.
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
		return errhint("Call uid_next(), and pass the number of a node.");
	if (scheme_node_step(scheme) > 0)
		return errhint("Set uidext.node to session, server or a MAC address.");
	return errhint("To make new ids, call gen_uuidv7(), gen_comb() or gen_suffix_comb().");
}

/*
 * The HINT is for 64-bit numbers, for schemes with a whole node, or for uuids.
 */
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
			 errdetail("Such ids hold the number of a node, or have too few random bits to be unique without one."),
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
