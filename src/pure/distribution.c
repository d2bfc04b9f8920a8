/*-------------------------------------------------------------------------
 *
 * distribution.c
 *	  What share of a column's values lies below an id, by the column's
 *	  statistics.
 *
 * Within a bin, ids count as spread evenly over all of their 128 bits.  Those
 * that begin with a time are spread over time then, and random ones over all
 * there are.
 *
 *-------------------------------------------------------------------------
 */
#include "pure/distribution.h"

#include <math.h>
#include <stdlib.h>

/* The rate of new values is measured over at most so many of the last bins. */
#define RECENT_BINS			10

/*
 * New values have come at most so many times as fast as those of the last
 * bins.
 */
#define ACCELERATION_MAX	10

/* However much was deleted, at least this share of the bins remains. */
#define LEFT_MIN			0.01

static double
clamp(double share, double least, double most)
{
	return fmin(fmax(share, least), most);
}

/* b - a, where a <= b. */
static double
distance(UuidWords a, UuidWords b)
{
	uint64_t	hi = b.hi - a.hi - (b.lo < a.lo);
	uint64_t	lo = b.lo - a.lo;

	return (double) hi * 18446744073709551616.0 + (double) lo;
}

/* The position of an id between a and b: 0 at a, 1 at b. */
static double
way(UuidWords a, UuidWords b, UuidWords at)
{
	double		whole = distance(a, b);

	return whole > 0 ? distance(a, at) / whole : 1;
}

static UuidWords
successor(UuidWords at)
{
	at.lo++;
	at.hi += at.lo == 0;
	return at;
}

/* Halfway from a to b, where a <= b: below b, unless it is a. */
static UuidWords
middle(UuidWords a, UuidWords b)
{
	uint64_t	hi = b.hi - a.hi - (b.lo < a.lo);
	uint64_t	lo = b.lo - a.lo;
	UuidWords	at = {a.hi + (hi >> 1), a.lo + (hi << 63 | lo >> 1)};

	at.hi += at.lo < a.lo;
	return at;
}

/* For qsort(). */
int
distribution_compare(const void *a, const void *b)
{
	return layout_compare(*(const UuidWords *) a, *(const UuidWords *) b);
}

/* Sorts ids, removes duplicates, and returns how many remain. */
int
distribution_sort(UuidWords *ids, int count)
{
	int			kept = 0;

	if (count < 2)
		return count;
	qsort(ids, count, sizeof(UuidWords), distribution_compare);
	for (int i = 1; i < count; i++)
	{
		if (!layout_equal(ids[i], ids[kept]))
			ids[++kept] = ids[i];
	}
	return kept + 1;
}

/*
 * As long as the value at an end is not known, no share there is taken to be
 * smaller than a hundredth of a bin, as PostgreSQL does.
 */
void
distribution_init(Distribution *d, UuidWords *bounds, int count)
{
	*d = (Distribution)
	{
		.bins = count - 1,
			.bounds = bounds,
			.least_below = 0.01 / (count - 1),
			.least_above = 0.01 / (count - 1)
	};
}

static UuidWords
last_bound(const Distribution *d)
{
	return d->bounds[d->bins];
}

/* The share of the bins at or below an id. */
static double
share_of_bins(const Distribution *d, UuidWords at)
{
	int			low = 0;
	int			high = d->bins;

	if (layout_compare(at, d->bounds[0]) <= 0)
		return 0;
	if (layout_compare(at, last_bound(d)) >= 0)
		return 1;
	while (high - low > 1)
	{
		int			probe = low + (high - low) / 2;

		if (layout_compare(d->bounds[probe], at) <= 0)
			low = probe;
		else
			high = probe;
	}
	return (low + way(d->bounds[low], d->bounds[high], at)) / d->bins;
}

/*
 * Sets the first value that the column has now.  If it is above the first
 * bound, the values below it have been deleted.  If it is below, values have
 * come since the histogram was made, and the first bin is extended to it.
 */
void
distribution_set_first(Distribution *d, UuidWords first)
{
	double		gone_max = 1 - LEFT_MIN - d->gone_above;

	d->least_below = 0;
	if (layout_compare(first, d->bounds[0]) < 0)
		d->bounds[0] = first;
	else
		d->gone_below = share_of_bins(d, first);
	if (d->gone_below > gone_max)
		d->gone_below = gone_max;
}

/*
 * How many values came above the bins, for each value that was in them.  They
 * are as many as the table grew by, if that is not far beyond the rate of the
 * last bins.  More values may have replaced deleted ones, but no faster than
 * that rate.
 */
static double
added_values(const Distribution *d, UuidWords last, double growth)
{
	int			recent = d->bins < RECENT_BINS ? d->bins : RECENT_BINS;
	UuidWords	since = d->bounds[d->bins - recent];
	double		length = distance(since, last_bound(d)) + 1;
	double		rate = (double) recent / d->bins / length;
	double		steady = rate * distance(last_bound(d), last);
	double		grown = fmin(growth, ACCELERATION_MAX * steady);

	return fmax(grown, fmin(growth + d->gone_below, steady));
}

/*
 * Sets the last value that the column has now.  If it is below the last bound,
 * the values above it have been deleted.  If it is above, values have come
 * since the histogram was made.  growth is what the table grew by since then,
 * as far as is known: 0.2 is a fifth.
 *
 * Extending the last bin to that value, as PostgreSQL does, spreads the values
 * of the bin evenly up to there, and some of them come to lie above the old
 * bound.  That is done if no more values than these have come.
 */
void
distribution_set_last(Distribution *d, UuidWords last, double growth)
{
	double		gone_max = 1 - LEFT_MIN - d->gone_below;
	double		beyond;
	double		added;

	d->least_above = 0;
	if (layout_compare(last, last_bound(d)) <= 0)
	{
		d->gone_above = 1 - share_of_bins(d, last);
		if (d->gone_above > gone_max)
			d->gone_above = gone_max;
		return;
	}

	/* which share of an extended last bin would lie above its old bound */
	beyond = 1 - way(d->bounds[d->bins - 1], last, last_bound(d));
	added = added_values(d, last, growth);
	if (added > beyond / d->bins)
	{
		d->added = added;
		d->last = last;
	}
	else
		d->bounds[d->bins] = last;
}

/* The share of the column's values at or below an id. */
double
distribution_share_up_to(const Distribution *d, UuidWords at)
{
	double		left = 1 - d->gone_below - d->gone_above;
	double		share = clamp(share_of_bins(d, at) - d->gone_below, 0, left);

	if (d->added > 0)
	{
		if (layout_compare(at, d->last) >= 0)
			share += d->added;
		else if (layout_compare(at, last_bound(d)) > 0)
			share += d->added * way(last_bound(d), d->last, at);
	}
	return clamp(share / (left + d->added), d->least_below,
				 1 - d->least_above);
}

/*
 * Cuts the column's values at some ids, at least one and sorted, and returns
 * the share between each two of them.  single is the share of the value at a
 * cut, if values occur more than once; with 0, it belongs to the interval that
 * ends with the cut.  If an interval has no room for a piece, its share goes
 * to the next interval.  A piece lies in the middle of its interval, so that
 * it stays on its side of the cut even if the cut has moved a little when it
 * is compared.
 */
int
distribution_cut(const Distribution *d, const UuidWords *cuts, int cut_count,
				 double single, DistributionPiece *pieces)
{
	UuidWords	start = UUID_WORDS_NIL; /* of the next interval */
	double		placed = 0;
	int			count = 0;

	for (int i = 0; i < cut_count; i++)
	{
		double		share = distribution_share_up_to(d, cuts[i]) - placed;
		double		own = fmin(single, share);

		if (share > own && layout_compare(start, cuts[i]) < 0)
		{
			pieces[count++] = (DistributionPiece)
			{
				middle(start, cuts[i]), share - own
			};
			placed += share - own;
		}
		if (own > 0)
		{
			pieces[count++] = (DistributionPiece)
			{
				cuts[i], own
			};
			placed += own;
		}
		start = successor(cuts[i]);
	}
	if (layout_equal(start, UUID_WORDS_NIL))
		start = UUID_WORDS_MAX;
	if (placed < 1)
	{
		pieces[count++] = (DistributionPiece)
		{
			middle(start, UUID_WORDS_MAX), 1 - placed
		};
	}
	return count;
}
