/*-------------------------------------------------------------------------
 *
 * clock.c
 *	  The clock, and conversions between timestamptz and the time fields of
 *	  UUIDs, all range-checked.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/time.h>
#include <time.h>

#include "clock.h"
#include "layout.h"

/* 1970-01-01 in PostgreSQL's microseconds since 2000-01-01. */
#define UNIX_EPOCH	(-(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* 1970-01-01 in 100 ns since 1582-10-15 (RFC 9562, section 5.1). */
#define GREGORIAN_UNIX_EPOCH	UINT64CONST(0x01B21DD213814000)

#define NS_PER_US	1000
#define NS_PER_MS	1000000
#define MS_PER_S	1000

/*
 * The clock is read in nanoseconds because a tick of UUIDv7 is shorter than a
 * microsecond.  Readings before 1970 become huge here, and monotonic_next()
 * refuses them with all others that do not fit.
 */
static inline struct timespec
clock_read(void)
{
	struct timespec now;

#ifndef WIN32
	clock_gettime(CLOCK_REALTIME, &now);
#else
	struct timeval tv;

	gettimeofday(&tv, NULL);
	now.tv_sec = tv.tv_sec;
	now.tv_nsec = tv.tv_usec * NS_PER_US;
#endif
	return now;
}

static inline uint64
timespec_to_unix_ms(struct timespec now)
{
	return (uint64) now.tv_sec * MS_PER_S + (uint64) now.tv_nsec / NS_PER_MS;
}

uint64
clock_unix_ms(void)
{
	return timespec_to_unix_ms(clock_read());
}

uint64
clock_uuidv7_ticks(void)
{
	struct timespec now = clock_read();

	return layout_uuidv7_ticks(timespec_to_unix_ms(now), now.tv_nsec % NS_PER_MS);
}

uint64
clock_gregorian(void)
{
	struct timespec now = clock_read();

	return GREGORIAN_UNIX_EPOCH + (uint64) now.tv_sec * 10000000 + (uint64) now.tv_nsec / 100;
}

/* Infinities do not fit either: they lie beyond both ends. */
bool
timestamptz_fits_unix_ms(TimestampTz at)
{
	return at >= UNIX_EPOCH &&
		at <= UNIX_EPOCH + (TimestampTz) UNIX_MS_MAX * US_PER_MS + (US_PER_MS - 1);
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

	return layout_uuidv7_ticks(unix_us / US_PER_MS, unix_us % US_PER_MS * NS_PER_US);
}

uint64
timestamptz_to_gregorian(TimestampTz at)
{
	uint64		timestamp = GREGORIAN_UNIX_EPOCH + timestamptz_to_unix_us(at) * 10;

	if (timestamp > GREGORIAN_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for a UUID"),
				 errdetail("UUID versions 1, 6 and 13 hold times until 5236-03-31 21:21:00.684697+00.")));
	return timestamp;
}

TimestampTz
unix_ms_to_timestamptz(uint64 unix_ms)
{
	Assert(unix_ms <= UNIX_MS_MAX);
	return UNIX_EPOCH + (TimestampTz) unix_ms * US_PER_MS;
}

/* The count of 100 ns is floored to PostgreSQL's microseconds. */
TimestampTz
gregorian_to_timestamptz(uint64 timestamp)
{
	Assert(timestamp <= GREGORIAN_MAX);
	return UNIX_EPOCH - (TimestampTz) (GREGORIAN_UNIX_EPOCH / 10) + (TimestampTz) (timestamp / 10);
}

void
clock_out_of_range(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range for a UUID"),
			 errdetail("A UUID holds times from 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.")));
}
