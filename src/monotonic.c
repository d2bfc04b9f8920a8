/*-------------------------------------------------------------------------
 *
 * monotonic.c
 *	  The rule by which the ids of one session never step back.
 *
 * RFC 9562, section 6.2, method 2: within a tick the random tail is counted up
 * by a random step.  A step of up to 2^32 keeps the next id unguessable and
 * leaves room for millions of ids in the narrowest tail, so that a tick is not
 * used up by speed alone and the timestamp stays with the clock.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "clock.h"
#include "entropy.h"
#include "layout.h"
#include "monotonic.h"

/*
 * Advance the series to the clock reading "now", or, when the clock has not
 * passed the last id's tick (a burst, or a clock that stepped back), to the
 * next tail of that tick.  Returns whether a new tick began.
 */
bool
monotonic_next(MonotonicSeries *series, uint64 now)
{
	uint64		random = entropy_uint64();
	uint64		tail_max = LAYOUT_MASK(series->tail_bits);

	if (now <= series->tick)
	{
		uint64		tail = series->tail + 1 + (random >> 32);

		if (likely(tail <= tail_max))
		{
			series->tail = tail;
			return false;
		}
		now = series->tick + 1;
	}

	if (unlikely(now > LAYOUT_MASK(series->tick_bits)))
		clock_out_of_range();

	series->tick = now;
	series->tail = random & tail_max;
	return true;
}
