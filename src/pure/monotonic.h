/*-------------------------------------------------------------------------
 *
 * monotonic.h
 *	  The rule by which the ids of one session never step back.
 *
 * RFC 9562, section 6.2, method 2: within a tick the random tail is counted up
 * by a random step.  A step of up to 2^32 keeps the next id unguessable and
 * leaves room for tens of thousands of ids in the narrowest tail, so that a
 * tick is not used up by speed alone and the timestamp stays with the clock.
 *
 * The clock's reading and the random number are arguments, so that the rule
 * needs neither a server nor luck to be tested.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_MONOTONIC_H
#define UIDEXT_MONOTONIC_H

#include "pure/layout.h"

/* One family's series: the last id made. */
typedef struct MonotonicSeries
{
	uint64_t	tick;
	uint64_t	tail;
} MonotonicSeries;

/*
 * Advance the series to the clock reading "now", or, when the clock has not
 * passed the last id's tick (a burst, or a clock that stepped back), to the
 * next tail of that tick.  False, and a series as it was, when that is beyond
 * the ticks of tick_bits.
 *
 * Both the fresh tail of a new tick and the step to the next tail are upper
 * bits of the same random number.  An id uses only one of both.
 *
 * Ids made in a row come about as fast as the ticks of UUIDv7 go by, so which
 * of both it is cannot be predicted, and a mispredicted branch would cost more
 * than the rest of this function.  Hence products where one expects an if, and
 * the widths of tick and tail as constants of the caller.
 */
static inline bool
monotonic_next(MonotonicSeries *series, uint64_t now,
			   uint64_t random, int tick_bits,
			   int tail_bits)
{
	uint64_t	fresh_tail = random >> (64 - tail_bits);
	uint64_t	next_tail = series->tail + 1 + (random >> 32);
	bool		new_tick = now > series->tick;
	uint64_t	tick = new_tick ? now : series->tick;
	uint64_t	tail = new_tick * fresh_tail + !new_tick * next_tail;

	if (tail > LAYOUT_MASK(tail_bits))
	{
		tick++;
		tail = fresh_tail;
	}

	if (tick > LAYOUT_MASK(tick_bits))
		return false;

	series->tick = tick;
	series->tail = tail;
	return true;
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
