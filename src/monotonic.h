/*-------------------------------------------------------------------------
 *
 * monotonic.h
 *	  The rule by which the ids of one session never step back.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_MONOTONIC_H
#define UIDEXT_MONOTONIC_H

#include "postgres.h"

/* One family's series: the last id made, and the widths of its two parts. */
typedef struct MonotonicSeries
{
	int			tick_bits;
	int			tail_bits;
	uint64		tick;
	uint64		tail;
} MonotonicSeries;

extern bool monotonic_next(MonotonicSeries *series, uint64 now);

#endif							/* UIDEXT_MONOTONIC_H */
