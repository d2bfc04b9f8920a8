/*-------------------------------------------------------------------------
 *
 * monotonic.h
 *	  The rule by which the ids of one session never step back.
 *
 * RFC 9562, section 6.2, method 2: within a tick the random tail is counted up
 * by a random step.  A step of up to 2^32 keeps the next id unguessable and
 * leaves room for tens of thousands of ids in the narrowest tail, so that a tick is not
 * used up by speed alone and the timestamp stays with the clock.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_MONOTONIC_H
#define UIDEXT_MONOTONIC_H

#include "postgres.h"

#include "clock.h"
#include "entropy.h"
#include "layout.h"

/* One family's series: the last id made. */
typedef struct MonotonicSeries
{
	uint64		tick;
	uint64		tail;
} MonotonicSeries;

/*
 * Advance the series to the clock reading "now", or, when the clock has not
 * passed the last id's tick (a burst, or a clock that stepped back), to the
 * next tail of that tick.
 *
 * Ids made in a row come about as fast as the ticks of UUIDv7 go by, so which
 * of both it is cannot be predicted, and a mispredicted branch would cost more
 * than the rest of this function.  Hence products where one expects an if, and
 * the widths of tick and tail as constants of the caller.
 */
static inline void
monotonic_next(MonotonicSeries *series, uint64 now, int tick_bits, int tail_bits)
{
	uint64		random = entropy_uint64();
	uint64		fresh_tail = random >> (64 - tail_bits);
	uint64		next_tail = series->tail + 1 + (random >> 32);
	bool		new_tick = now > series->tick;
	uint64		tick = Max(now, series->tick);
	uint64		tail = new_tick * fresh_tail + !new_tick * next_tail;

	if (unlikely(tail > LAYOUT_MASK(tail_bits)))
	{
		tick++;
		tail = fresh_tail;
	}

	if (unlikely(tick > LAYOUT_MASK(tick_bits)))
		clock_out_of_range();

	series->tick = tick;
	series->tail = tail;
}

/*
 * Leave the last id's tick, as if its tails were used up: two processes that
 * counted on from one tail would soon meet, or be guessed from one another.
 */
static inline void
monotonic_leave_tick(MonotonicSeries *series)
{
	series->tail = LAYOUT_MASK(TAIL_BITS);
}

#endif							/* UIDEXT_MONOTONIC_H */
