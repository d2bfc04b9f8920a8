/*-------------------------------------------------------------------------
 *
 * interval.c
 *	  Intervals of fixed length, and whether a time is near another.
 *
 * Months have no fixed length, so they raise an error, and so do the infinite
 * intervals of 17 and later.  A day counts as 24 hours.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/interval.h"
#include "pure/layout.h"

/* What would be less than PG_INT64_MIN microseconds is PG_INT64_MIN. */
static int64
interval_to_us(const Interval *interval)
{
	int64		us;

	if (INTERVAL_NOT_FINITE(interval))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("interval must be finite"),
				 errhint("Use days, hours or smaller units, whose length is fixed.")));
	if (interval->month != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("interval must not contain months or years"),
				 errhint("Use days, hours or smaller units, whose length is fixed.")));

	if (pg_mul_s64_overflow(interval->day, USECS_PER_DAY, &us) ||
		pg_add_s64_overflow(us, interval->time, &us))
		us = interval->day < 0 ? PG_INT64_MIN : PG_INT64_MAX;
	if (us > (int64) UNIX_MS_MAX * US_PER_MS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("interval is too long"),
				 errdetail("The limit is 3257812 days, or 8919 years, the range of times in a UUID.")));
	return us;
}

/* A tolerance: zero or more microseconds, at most the range of UUID times. */
int64
interval_to_tolerance_us(const Interval *interval)
{
	int64		us = interval_to_us(interval);

	if (us < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("interval must not be negative"),
				 errhint("Write a length of time without a minus, such as '5 minutes', or '0'.")));
	return us;
}

/* A length: one or more whole milliseconds, at most the range of UUID times. */
int64
interval_to_length_ms(const Interval *interval)
{
	int64		us = interval_to_us(interval);

	if (us <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("interval must be greater than zero"),
				 errhint("Write one millisecond or more, such as '15 seconds'.")));
	if (us % US_PER_MS != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("interval must be a whole number of milliseconds"),
				 errhint("Write a length without microseconds, such as '15 seconds' or '100 milliseconds'.")));
	return us / US_PER_MS;
}

/*
 * Whether some moment of the tick that begins at time lies between at - past
 * and at + future, both included.  The id may have been made at any moment of
 * its tick.
 */
bool
timestamptz_is_recent(TimestampTz time, int64 tick_us, const Interval *past,
					  const Interval *future, TimestampTz at)
{
	int64		past_us = interval_to_tolerance_us(past);
	int64		future_us = interval_to_tolerance_us(future);

	if (!timestamptz_fits_unix_ms(at))
		clock_out_of_range();
	return time + tick_us - 1 >= at - past_us && time <= at + future_us;
}
