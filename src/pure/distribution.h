/*-------------------------------------------------------------------------
 *
 * distribution.h
 *	  What share of a column's values lies below an id, by the column's
 *	  statistics.
 *
 * As layout.h, it needs no server, so that the unit tests and the fuzzer can
 * use it alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_DISTRIBUTION_H
#define UIDEXT_DISTRIBUTION_H

#include <stdbool.h>

#include "pure/layout.h"

/*
 * A histogram of equal bins, and what is known of the column since it was made.
 * Shares are of the values that are there now, from 0 to 1.
 */
typedef struct Distribution
{
	int			bins;
	UuidWords  *bounds;			/* bins + 1 of them, ascending */
	double		gone_below;		/* share of the bins below the first value */
	double		gone_above;		/* share of the bins above the last value */
	double		least_below;	/* no share is nearer to 0 than this */
	double		least_above;	/* or to 1 than this */
	double		added;			/* values above the bins, for each in them */
	UuidWords	last;			/* of those */
} Distribution;

/* A part of the column's values, all of which are treated as one value. */
typedef struct DistributionPiece
{
	UuidWords	at;
	double		share;
} DistributionPiece;

extern int	distribution_compare(const void *a, const void *b);
extern int	distribution_sort(UuidWords *ids, int count);
extern void distribution_init(Distribution *d, UuidWords *bounds, int count);
extern void distribution_set_first(Distribution *d, UuidWords first);
extern void distribution_set_last(Distribution *d, UuidWords last,
								  double growth);
extern double distribution_share_up_to(const Distribution *d, UuidWords at);
extern int	distribution_cut(const Distribution *d,
							 const UuidWords *cuts, int cut_count,
							 double single, DistributionPiece *pieces);

/* How many pieces so many cuts give at most. */
#define DISTRIBUTION_PIECES(cuts)	(2 * (cuts) + 1)

#endif							/* UIDEXT_DISTRIBUTION_H */
