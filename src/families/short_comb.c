/*-------------------------------------------------------------------------
 *
 * short_comb.c
 *	  Short COMB: a random UUIDv4 with a 16-bit counter that wraps.
 *
 * The counter changes once per interval (one minute, say), or once per so many
 * values of a sequence, and is called the block: enough to keep inserts of the
 * same period on neighbouring index pages, too little to tell the creation
 * time.  Tomas Vondra, "Sequential UUID Generators" (2018).
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "commands/sequence.h"
#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/interval.h"
#include "base/uuid_version.h"

#define BLOCKS	(INT64CONST(1) << SHORT_COMB_BLOCK_BITS)

/* Division that rounds down, also below zero. */
static int64
floor_divide(int64 dividend, int64 divisor)
{
	int64		quotient = dividend / divisor;

	return dividend % divisor < 0 ? quotient - 1 : quotient;
}

/* The counter modulo 65536, 0 to 65535 also for negative numbers. */
static uint64
counter_to_block(int64 counter)
{
	return (uint64) counter & LAYOUT_MASK(SHORT_COMB_BLOCK_BITS);
}

/*
 * Keeps the last interval: a session hardly ever changes it, and comparing is
 * cheaper than converting.
 */
static inline uint64
block_length_ms(const Interval *interval_length)
{
	static Interval last;
	static uint64 last_ms;

	if (unlikely(last_ms == 0 ||
				 interval_length->time != last.time ||
				 interval_length->day != last.day ||
				 interval_length->month != last.month))
	{
		last_ms = interval_to_length_ms(interval_length);
		last = *interval_length;
	}
	return last_ms;
}

static inline uint64
unix_ms_to_block(uint64 unix_ms, const Interval *interval_length)
{
	if (unlikely(unix_ms > UNIX_MS_MAX))
		clock_out_of_range();
	return counter_to_block(unix_ms / block_length_ms(interval_length));
}

static inline UuidWords
short_comb_new(uint64 block)
{
	return layout_pack(4,
					   block << 44 | (entropy_uint64() & LAYOUT_MASK(44)),
					   entropy_uint64() & LAYOUT_MASK(TAIL_BITS));
}

/*
 * gen_short_comb(interval_length interval) returns uuid
 *
 * A short COMB of the current time.  Raises 22023 for an interval that is not
 * positive, has months, or is not a whole number of milliseconds.
 */
PG_FUNCTION_INFO_V1(uidext_gen_short_comb);
Datum
uidext_gen_short_comb(PG_FUNCTION_ARGS)
{
	uint64		block = unix_ms_to_block(clock_unix_ms(),
										 PG_GETARG_INTERVAL_P(0));

	PG_RETURN_UUID_WORDS(short_comb_new(block));
}

/*
 * gen_short_comb_at(at timestamptz, interval_length interval) returns uuid
 *
 * A short COMB of the given time.  Raises 22008 for times outside
 * 1970-01-01 ... 10889-08-02, and 22023 as gen_short_comb() does.
 */
PG_FUNCTION_INFO_V1(uidext_gen_short_comb_at);
Datum
uidext_gen_short_comb_at(PG_FUNCTION_ARGS)
{
	uint64		unix_ms = timestamptz_to_unix_ms(PG_GETARG_TIMESTAMPTZ(0));
	uint64		block = unix_ms_to_block(unix_ms, PG_GETARG_INTERVAL_P(1));

	PG_RETURN_UUID_WORDS(short_comb_new(block));
}

/*
 * gen_short_suffix_comb(interval_length interval) returns uuid
 *
 * The same with the block in b10 and b11, where SQL Server looks first.
 */
PG_FUNCTION_INFO_V1(uidext_gen_short_suffix_comb);
Datum
uidext_gen_short_suffix_comb(PG_FUNCTION_ARGS)
{
	uint64		block = unix_ms_to_block(clock_unix_ms(),
										 PG_GETARG_INTERVAL_P(0));

	PG_RETURN_UUID_WORDS(layout_swap_short_comb(short_comb_new(block)));
}

/*
 * gen_short_suffix_comb_at(at timestamptz, interval_length interval)
 *		returns uuid
 *
 * The same for the given time.
 */
PG_FUNCTION_INFO_V1(uidext_gen_short_suffix_comb_at);
Datum
uidext_gen_short_suffix_comb_at(PG_FUNCTION_ARGS)
{
	uint64		unix_ms = timestamptz_to_unix_ms(PG_GETARG_TIMESTAMPTZ(0));
	uint64		block = unix_ms_to_block(unix_ms, PG_GETARG_INTERVAL_P(1));

	PG_RETURN_UUID_WORDS(layout_swap_short_comb(short_comb_new(block)));
}

/*
 * gen_sequence_comb(sequence regclass, block_size int) returns uuid
 *
 * A short COMB whose block counts a sequence instead of time: nextval divided
 * by block_size (rounded down), modulo 65536.  Raises 22023 for a block_size
 * below 1, and what nextval() raises.
 */
PG_FUNCTION_INFO_V1(uidext_gen_sequence_comb);
Datum
uidext_gen_sequence_comb(PG_FUNCTION_ARGS)
{
	Oid			sequence = PG_GETARG_OID(0);
	int32		block_size = PG_GETARG_INT32(1);
	int64		value;
	uint64		block;

	if (block_size < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("block size must be at least 1"),
				 errhint("Pass how many ids shall share a prefix, such as 256.")));

	value = nextval_internal(sequence, true);
	block = counter_to_block(floor_divide(value, block_size));
	PG_RETURN_UUID_WORDS(short_comb_new(block));
}

/*
 * short_comb_block(id uuid) returns int
 *
 * The first 16 bits of a version 4, 0 to 65535; NULL for other versions.
 */
PG_FUNCTION_INFO_V1(uidext_short_comb_block);
Datum
uidext_short_comb_block(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is(id, 4))
		PG_RETURN_NULL();
	PG_RETURN_INT32(layout_short_comb_block(id));
}

/*
 * short_suffix_comb_block(id uuid) returns int
 *
 * b10 and b11 of a version 4, 0 to 65535; NULL for other versions.
 */
PG_FUNCTION_INFO_V1(uidext_short_suffix_comb_block);
Datum
uidext_short_suffix_comb_block(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is(id, 4))
		PG_RETURN_NULL();
	PG_RETURN_INT32(layout_short_comb_block(layout_swap_short_comb(id)));
}

/*
 * short_comb_time(id uuid, near timestamptz, interval_length interval) returns
 * timestamptz
 *
 * The start of the interval whose block the id carries, nearest to near (of
 * two equally near, the earlier).  NULL for versions other than 4, and when no
 * interval between 1970-01-01 and 10889-08-02 has that block.  Raises 22008
 * for a near outside that range, and 22023 as gen_short_comb() does.
 */
PG_FUNCTION_INFO_V1(uidext_short_comb_time);
Datum
uidext_short_comb_time(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	uint64		near_us = timestamptz_to_unix_us(PG_GETARG_TIMESTAMPTZ(1));
	int64		length_ms = interval_to_length_ms(PG_GETARG_INTERVAL_P(2));
	int64		length_us = length_ms * US_PER_MS;
	int64		last_counter = UNIX_MS_MAX / length_ms;
	int64		counter = near_us / length_us;
	int64		ahead;

	if (!layout_is(id, 4))
		PG_RETURN_NULL();

	/*
	 * Of the intervals half a wrap ahead and half a wrap back, the start of
	 * the one ahead is nearer, unless near itself is the start of an
	 * interval.
	 */
	ahead = counter_to_block(layout_short_comb_block(id) - counter);
	if (ahead > BLOCKS / 2 || (ahead == BLOCKS / 2 && near_us % length_us == 0))
		ahead -= BLOCKS;

	counter += ahead;
	if (counter < 0)
		counter += BLOCKS;
	else if (counter > last_counter)
		counter -= BLOCKS;
	if (counter < 0 || counter > last_counter)
		PG_RETURN_NULL();

	PG_RETURN_TIMESTAMPTZ(unix_ms_to_timestamptz(counter * length_ms));
}

/* How many lengths of its interval old or early an id may be by default. */
#define DEFAULT_TOLERANCE	10

static int64
getarg_tolerance_us(FunctionCallInfo fcinfo, int argument, int64 length_us)
{
	if (PG_ARGISNULL(argument))
		return DEFAULT_TOLERANCE * length_us;
	return interval_to_tolerance_us(PG_GETARG_INTERVAL_P(argument));
}

/*
 * short_comb_is_recent(id uuid, past interval, future interval,
 *						interval_length interval, at timestamptz) returns bool
 *
 * Whether ids that were made between at - past and at + future have the id's
 * block; false for versions other than 4.  A tolerance that is NULL is ten
 * times the interval's length.  Raises 22023 for a negative tolerance, for
 * months, and for a window of 65536 blocks or more; 22008 for an at outside
 * 1970-01-01 ... 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_short_comb_is_recent);
Datum
uidext_short_comb_is_recent(PG_FUNCTION_ARGS)
{
	UuidWords	id;
	int64		length_us;
	int64		past_us;
	int64		future_us;
	int64		at_us;
	int64		first;
	int64		last;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
		PG_RETURN_NULL();

	id = PG_GETARG_UUID_WORDS(0);
	length_us = interval_to_length_ms(PG_GETARG_INTERVAL_P(3)) * US_PER_MS;
	past_us = getarg_tolerance_us(fcinfo, 1, length_us);
	future_us = getarg_tolerance_us(fcinfo, 2, length_us);
	at_us = timestamptz_to_unix_us(PG_GETARG_TIMESTAMPTZ(4));
	first = floor_divide(at_us - past_us, length_us);
	last = floor_divide(at_us + future_us, length_us);

	/* Rounded up, so that it does not depend on where in a block at lies. */
	if ((past_us + future_us + length_us - 1) / length_us + 1 >= BLOCKS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("tolerance covers all 65536 blocks and would accept every id"),
				 errhint("Use shorter tolerances, or a longer interval_length.")));

	if (!layout_is(id, 4))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(counter_to_block(layout_short_comb_block(id) - first) <=
				   (uint64) (last - first));
}

/*
 * short_comb_to_suffix(id uuid) returns uuid and
 * short_comb_from_suffix(id uuid) returns uuid
 *
 * Exchange b0-b1 and b10-b11: a short COMB becomes a short suffix COMB, and
 * back.  Raises 22023 for versions other than 4.
 */
PG_FUNCTION_INFO_V1(uidext_short_comb_swap);
Datum
uidext_short_comb_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_short_comb(getarg_of_version(fcinfo, 4)));
}
