/*-------------------------------------------------------------------------
 *
 * uuidv7.c
 *	  UUIDv7 (RFC 9562, section 5.7): Unix time in milliseconds, 12 bits of
 *	  its fraction, 62 random bits.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "common/int.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/series.h"

static MonotonicSeries *const uuidv7_series = &session_series[SERIES_UUIDV7];

/*
 * gen_uuidv7() returns uuid
 *
 * A UUIDv7 of the current time, greater than every earlier one of the session
 * (RFC 9562, section 6.2, methods 2 and 3).
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv7);
Datum
uidext_gen_uuidv7(PG_FUNCTION_ARGS)
{
	series_next(uuidv7_series, clock_uuidv7_ticks(), HEAD_BITS, TAIL_BITS);
	PG_RETURN_UUID_WORDS(layout_pack(7, uuidv7_series->tick,
									 uuidv7_series->tail));
}

/*
 * The sum by the calendar of UTC: a day is 24 hours, whatever the session's
 * TimeZone.  An interval without months and days, the usual case, needs no
 * timestamp arithmetic of PostgreSQL.
 */
static inline TimestampTz
timestamptz_shift(TimestampTz at, Interval *shift)
{
	TimestampTz shifted;

	if (shift->month == 0 && shift->day == 0 &&
		!pg_add_s64_overflow(at, shift->time, &shifted))
		return shifted;
	return DatumGetTimestamp(DirectFunctionCall2(timestamp_pl_interval,
												 TimestampGetDatum(at),
												 IntervalPGetDatum(shift)));
}

/*
 * gen_uuidv7(shift interval) returns uuid
 *
 * A UUIDv7 of the current time plus shift, in UTC.  Raises 22008 when that is
 * outside 1970-01-01 ... 10889-08-02.
 *
 * Only whole milliseconds pass through interval arithmetic.  The fraction is
 * added afterwards, so that ids of one shift without months, whose length is
 * fixed, keep the order and the resolution of the session's series.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv7_shift);
Datum
uidext_gen_uuidv7_shift(PG_FUNCTION_ARGS)
{
	TimestampTz now;
	TimestampTz shifted;
	uint64		ticks;

	series_next(uuidv7_series, clock_uuidv7_ticks(), HEAD_BITS, TAIL_BITS);

	now = unix_ms_to_timestamptz(uuidv7_series->tick / UUIDV7_TICKS_PER_MS);
	shifted = timestamptz_shift(now, PG_GETARG_INTERVAL_P(0));
	ticks = timestamptz_to_uuidv7_ticks(shifted) +
		uuidv7_series->tick % UUIDV7_TICKS_PER_MS;
	if (ticks > LAYOUT_MASK(HEAD_BITS))
		clock_out_of_range();

	PG_RETURN_UUID_WORDS(layout_pack(7, ticks, uuidv7_series->tail));
}

/*
 * gen_uuidv7_at(at timestamptz) returns uuid
 *
 * A UUIDv7 of the given time with a new random tail; no order within 1/4096
 * ms. Raises 22008 for times outside 1970-01-01 ... 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_gen_uuidv7_at);
Datum
uidext_gen_uuidv7_at(PG_FUNCTION_ARGS)
{
	uint64		ticks = timestamptz_to_uuidv7_ticks(PG_GETARG_TIMESTAMPTZ(0));
	uint64		tail = entropy_uint64() & LAYOUT_MASK(TAIL_BITS);

	PG_RETURN_UUID_WORDS(layout_pack(7, ticks, tail));
}

/*
 * uuidv7_is_valid(id uuid) returns bool
 *
 * Whether version and variant are those of a UUIDv7.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv7_is_valid);
Datum
uidext_uuidv7_is_valid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(layout_is(PG_GETARG_UUID_WORDS(0), 7));
}
