/*-------------------------------------------------------------------------
 *
 * series.h
 *	  The session's series of ids, one for each kind of tick and tail.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_SERIES_H
#define UIDEXT_SERIES_H

#include "postgres.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "pure/monotonic.h"

extern MonotonicSeries uuidv7_series;
extern MonotonicSeries comb_series;
extern MonotonicSeries iuid_series;
extern MonotonicSeries gregorian_series;
extern MonotonicSeries ulid_series;

/* The next id of a series; 22008 when the clock shows what no UUID can hold. */
static inline void
series_next(MonotonicSeries *series, uint64 now, int tick_bits, int tail_bits)
{
	if (unlikely(!monotonic_next(series, now, entropy_uint64(), tick_bits,
								 tail_bits)))
		clock_out_of_range();
}

#endif							/* UIDEXT_SERIES_H */
