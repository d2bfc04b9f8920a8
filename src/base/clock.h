/*-------------------------------------------------------------------------
 *
 * clock.h
 *	  The clock, and conversions between timestamptz and the time fields of
 *	  UUIDs, all range-checked.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_CLOCK_H
#define UIDEXT_CLOCK_H

#include "postgres.h"

#include <time.h>

#include "datatype/timestamp.h"

#include "base/compat.h"
#include "pure/layout.h"

#define US_PER_MS	1000
#define MS_PER_S	1000

/* 1970-01-01 in 100 ns since 1582-10-15 (RFC 9562, section 5.1). */
#define GREGORIAN_UNIX_EPOCH	UINT64CONST(0x01B21DD213814000)

extern bool timestamptz_fits_unix_ms(TimestampTz at);
extern uint64 timestamptz_to_unix_us(TimestampTz at);
extern uint64 timestamptz_to_unix_ms(TimestampTz at);
extern uint64 timestamptz_to_uuidv7_ticks(TimestampTz at);
extern uint64 timestamptz_to_gregorian(TimestampTz at);
extern TimestampTz unix_ms_to_timestamptz(uint64 unix_ms);
extern TimestampTz gregorian_to_timestamptz(uint64 timestamp);

pg_noreturn extern void clock_out_of_range(void);
pg_noreturn extern void clock_unreadable(void);

#ifdef WIN32
#define WINDOWS_TICKS_PER_S	10000000

/* 1970-01-01 in seconds since 1601-01-01. */
#define WINDOWS_UNIX_EPOCH	INT64CONST(11644473600)

/*
 * Windows counts in 100 ns.  This is the tick of v1, and shorter than the tick
 * of v7, so this clock is fine enough for every layout.
 */
static inline bool
clock_get(struct timespec *now)
{
	FILETIME	since_1601;
	uint64		ticks;

	GetSystemTimePreciseAsFileTime(&since_1601);
	ticks = (uint64) since_1601.dwHighDateTime << 32 |
		since_1601.dwLowDateTime;
	now->tv_sec = (time_t) (ticks / WINDOWS_TICKS_PER_S) - WINDOWS_UNIX_EPOCH;
	now->tv_nsec = (long) (ticks % WINDOWS_TICKS_PER_S) * 100;
	return true;
}

/* Not QueryUnbiasedInterruptTime(), which advances in steps of up to 16 ms. */
static inline bool
clock_get_monotonic(struct timespec *now)
{
	LARGE_INTEGER count;
	LARGE_INTEGER per_s;

	if (!QueryPerformanceFrequency(&per_s) || !QueryPerformanceCounter(&count))
	{
		_dosmaperr(GetLastError());
		return false;
	}
	now->tv_sec = (time_t) (count.QuadPart / per_s.QuadPart);
	now->tv_nsec = (long) (count.QuadPart % per_s.QuadPart * 1000000000 /
						   per_s.QuadPart);
	return true;
}
#else
static inline bool
clock_get(struct timespec *now)
{
	return clock_gettime(CLOCK_REALTIME, now) == 0;
}

static inline bool
clock_get_monotonic(struct timespec *now)
{
	return clock_gettime(CLOCK_MONOTONIC, now) == 0;
}
#endif

/*
 * The clock is read in nanoseconds because a tick of UUIDv7 is shorter than a
 * microsecond.  If a 32-bit time_t cannot hold the time, the C library returns
 * an error or a negative number.  A time before 1970 is negative, too.
 *
 * Reading the clock is most of what an id costs.  These functions are
 * therefore inline, and divide only once.
 */
static inline struct timespec
clock_read(void)
{
	struct timespec now;

	if (unlikely(!clock_get(&now)))
		clock_unreadable();
	if (unlikely(now.tv_sec < 0))
		clock_out_of_range();
	return now;
}

/*
 * The time since some moment.  It runs like the clock, but nobody can set it.
 */
static inline struct timespec
clock_read_monotonic(void)
{
	struct timespec now;

	if (unlikely(!clock_get_monotonic(&now)))
		clock_unreadable();
	return now;
}

static inline uint64
clock_unix_ms(void)
{
	struct timespec now = clock_read();

	return (uint64) now.tv_sec * MS_PER_S + (uint64) now.tv_nsec / 1000000;
}

static inline uint64
clock_uuidv7_ticks(void)
{
	struct timespec now = clock_read();

	return layout_uuidv7_ticks((uint64) now.tv_sec * MS_PER_S,
							   (uint32) now.tv_nsec);
}

static inline uint64
clock_gregorian(void)
{
	struct timespec now = clock_read();

	return GREGORIAN_UNIX_EPOCH + (uint64) now.tv_sec * 10000000 +
		(uint64) now.tv_nsec / 100;
}

#endif							/* UIDEXT_CLOCK_H */
