/*-------------------------------------------------------------------------
 *
 * comb.c
 *	  COMB: a random UUIDv4 whose first 48 bits are Unix milliseconds.
 *
 * Jimmy Nilsson, "The Cost of GUIDs as Primary Keys" (2002), whose original has
 * the time in the last 48 bits, where SQL Server looks first: the suffix COMB.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/interval.h"
#include "base/series.h"
#include "base/uuid_version.h"

/*
 * In a series, the 12 bits after the version are the fraction of the
 * millisecond, as in UUIDv7, and not random.  Random bits would scatter the
 * ids of sessions that insert at the same time, and leave index pages that are
 * not full.
 */
static MonotonicSeries *const comb_series = &session_series[SERIES_COMB];

static MonotonicSeries *const suffix_comb_series =
&session_series[SERIES_SUFFIX_COMB];

/*
 * gen_comb() returns uuid
 *
 * A COMB of the current time, greater than every earlier one of the session.
 */
PG_FUNCTION_INFO_V1(uidext_gen_comb);
Datum
uidext_gen_comb(PG_FUNCTION_ARGS)
{
	series_next(comb_series, clock_uuidv7_ticks(), HEAD_BITS, TAIL_BITS);
	PG_RETURN_UUID_WORDS(layout_pack(4, comb_series->tick, comb_series->tail));
}

/* The head of a COMB of a time, and its tail: 12 and 62 bits are random. */
static uint64
random_at(TimestampTz at, uint64 *tail)
{
	uint64		unix_ms = timestamptz_to_unix_ms(at);
	uint64		random = entropy_uint64() & LAYOUT_MASK(12);

	*tail = entropy_uint64() & LAYOUT_MASK(TAIL_BITS);
	return unix_ms << 12 | random;
}

/*
 * gen_comb_at(at timestamptz) returns uuid
 *
 * A COMB of the given time with 74 random bits, so that there is no order
 * within a millisecond.  Raises 22008 for times outside 1970-01-01 ...
 * 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_gen_comb_at);
Datum
uidext_gen_comb_at(PG_FUNCTION_ARGS)
{
	uint64		tail;
	uint64		head = random_at(PG_GETARG_TIMESTAMPTZ(0), &tail);

	PG_RETURN_UUID_WORDS(layout_pack(4, head, tail));
}

/*
 * gen_suffix_comb() returns uuid
 *
 * A suffix COMB of the current time, which SQL Server sorts after every
 * earlier one of the session.
 */
PG_FUNCTION_INFO_V1(uidext_gen_suffix_comb);
Datum
uidext_gen_suffix_comb(PG_FUNCTION_ARGS)
{
	series_next(suffix_comb_series, clock_uuidv7_ticks(), HEAD_BITS,
				TAIL_BITS);
	PG_RETURN_UUID_WORDS(layout_suffix_comb_pack(suffix_comb_series->tick,
												 suffix_comb_series->tail));
}

/*
 * gen_suffix_comb_at(at timestamptz) returns uuid
 *
 * A suffix COMB of the given time with 74 random bits, so that there is no
 * order within a millisecond.  Raises 22008 as gen_comb_at() does.
 */
PG_FUNCTION_INFO_V1(uidext_gen_suffix_comb_at);
Datum
uidext_gen_suffix_comb_at(PG_FUNCTION_ARGS)
{
	uint64		tail;
	uint64		head = random_at(PG_GETARG_TIMESTAMPTZ(0), &tail);

	PG_RETURN_UUID_WORDS(layout_suffix_comb_pack(head, tail));
}

/*
 * comb_time(id uuid) returns timestamptz
 *
 * The first 48 bits of a version 4 as Unix milliseconds; NULL for other
 * versions.  The caller has to know that it is a COMB.
 */
PG_FUNCTION_INFO_V1(uidext_comb_time);
Datum
uidext_comb_time(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is(id, 4))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(unix_ms_to_timestamptz(layout_unix_ms(id)));
}

/*
 * suffix_comb_time(id uuid) returns timestamptz
 *
 * The last 48 bits of a version 4 as Unix milliseconds; NULL for other
 * versions.
 */
PG_FUNCTION_INFO_V1(uidext_suffix_comb_time);
Datum
uidext_suffix_comb_time(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is(id, 4))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(unix_ms_to_timestamptz(layout_suffix_unix_ms(id)));
}

/*
 * comb_is_recent(id uuid, past interval, future interval, at timestamptz)
 * returns bool
 *
 * Whether the millisecond of a COMB overlaps at - past ... at + future; false
 * for versions other than 4.  Raises 22023 for a negative tolerance or months,
 * 22008 for an at outside 1970-01-01 ... 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_comb_is_recent);
Datum
uidext_comb_is_recent(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	TimestampTz time = unix_ms_to_timestamptz(layout_unix_ms(id));
	bool		recent = timestamptz_is_recent(time, US_PER_MS,
											   PG_GETARG_INTERVAL_P(1),
											   PG_GETARG_INTERVAL_P(2),
											   PG_GETARG_TIMESTAMPTZ(3));

	PG_RETURN_BOOL(recent && layout_is(id, 4));
}

/*
 * comb_to_suffix(id uuid) returns uuid
 * comb_from_suffix(id uuid) returns uuid
 *
 * Exchange b0-b5 and b10-b15: a COMB becomes a suffix COMB, and back.  Raises
 * 22023 for versions other than 4.
 */
PG_FUNCTION_INFO_V1(uidext_comb_swap);
Datum
uidext_comb_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_comb(getarg_of_version(fcinfo, 4)));
}
