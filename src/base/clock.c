/*-------------------------------------------------------------------------
 *
 * clock.c
 *	  The clock, and conversions between timestamptz and the time fields of
 *	  UUIDs, all range-checked.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/clock.h"
#include "pure/layout.h"

/* 1970-01-01 in PostgreSQL's microseconds since 2000-01-01. */
#define UNIX_EPOCH (-(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

#define NS_PER_US	1000

/* Infinite times are outside the range, too. */
bool
timestamptz_fits_unix_ms(TimestampTz at)
{
	return at >= UNIX_EPOCH &&
		at <= UNIX_EPOCH + (TimestampTz) UNIX_MS_MAX * US_PER_MS +
		(US_PER_MS - 1);
}

uint64
timestamptz_to_unix_us(TimestampTz at)
{
	if (!timestamptz_fits_unix_ms(at))
		clock_out_of_range();
	return (uint64) (at - UNIX_EPOCH);
}

uint64
timestamptz_to_unix_ms(TimestampTz at)
{
	return timestamptz_to_unix_us(at) / US_PER_MS;
}

uint64
timestamptz_to_uuidv7_ticks(TimestampTz at)
{
	uint64		unix_us = timestamptz_to_unix_us(at);

	return layout_uuidv7_ticks(unix_us / US_PER_MS,
							   unix_us % US_PER_MS * NS_PER_US);
}

uint64
timestamptz_to_gregorian(TimestampTz at)
{
	if (!timestamptz_fits_unix_ms(at) ||
		at > gregorian_to_timestamptz(GREGORIAN_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for a UUID"),
				 errdetail("UUID versions 1, 6 and 13 hold times from 1970-01-01 00:00:00+00 to 5236-03-31 21:21:00.684697+00.")));
	return GREGORIAN_UNIX_EPOCH + (uint64) (at - UNIX_EPOCH) * 10;
}

TimestampTz
unix_ms_to_timestamptz(uint64 unix_ms)
{
	Assert(unix_ms <= UNIX_MS_MAX);
	return UNIX_EPOCH + (TimestampTz) unix_ms * US_PER_MS;
}

/* Rounds the count of 100 ns down to PostgreSQL's microseconds. */
TimestampTz
gregorian_to_timestamptz(uint64 timestamp)
{
	Assert(timestamp <= GREGORIAN_MAX);
	return UNIX_EPOCH - (TimestampTz) (GREGORIAN_UNIX_EPOCH / 10) +
		(TimestampTz) (timestamp / 10);
}

void
clock_out_of_range(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range for a UUID"),
			 errdetail("A UUID holds times from 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.")));
}

void
clock_unreadable(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_SYSTEM_ERROR),
			 errmsg("could not read the system clock: %m")));
}
