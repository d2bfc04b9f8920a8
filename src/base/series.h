/*-------------------------------------------------------------------------
 *
 * series.h
 *	  The session's series of ids, one for each family that counts up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_SERIES_H
#define UIDEXT_SERIES_H

#include "postgres.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "pure/monotonic.h"

/*
 * The families that have a series.  A forked child leaves the ticks of these
 * only, so every series has to be in this list.
 */
typedef enum SeriesOwner
{
	SERIES_UUIDV7,
	SERIES_COMB,
	SERIES_SUFFIX_COMB,
	SERIES_IUID,
	SERIES_GREGORIAN,
	SERIES_ULID,
	N_SERIES
} SeriesOwner;

extern MonotonicSeries session_series[N_SERIES];

extern void series_leave_ticks(void);

/*
 * The next id of a series.  Raises 22008 if no UUID can hold the clock's time.
 */
static inline void
series_next(MonotonicSeries *series, uint64 now, int tick_bits, int tail_bits)
{
	if (unlikely(!monotonic_next(series, now, entropy_uint64(), tick_bits,
								 tail_bits)))
		clock_out_of_range();
}

#endif							/* UIDEXT_SERIES_H */
