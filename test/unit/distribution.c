/*-------------------------------------------------------------------------
 *
 * distribution.c
 *	  What share of a column lies below an id: known answers, and a slow
 *	  reckoning over random histograms.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "pure/distribution.h"

#define BINS_MAX	100
#define CUTS_MAX	20

static UuidWords
at_ms(uint64_t ms)
{
	return (UuidWords) {ms << 16, 0};
}

static void
assert_near(double actual, double expected)
{
	if (fabs(actual - expected) > 1e-9)
		fail_msg("%.12f is not %.12f", actual, expected);
}

/* Bounds at 100, 200 ... 1100 ms: ten bins of 100 ms. */
static Distribution
ten_bins(UuidWords *bounds)
{
	Distribution d;

	for (int i = 0; i <= 10; i++)
		bounds[i] = at_ms(100 * (i + 1));
	distribution_init(&d, bounds, 11);
	return d;
}

static void
test_share_within_bins(void **state)
{
	UuidWords	bounds[11];
	Distribution d = ten_bins(bounds);

	(void) state;
	assert_near(distribution_share_up_to(&d, at_ms(600)), 0.5);
	assert_near(distribution_share_up_to(&d, at_ms(625)), 0.525);
	assert_near(distribution_share_up_to(&d, (UuidWords) {at_ms(625).hi, 1}), 0.525);
	/* nothing is sure as long as the ends are not known */
	assert_near(distribution_share_up_to(&d, at_ms(1)), 0.001);
	assert_near(distribution_share_up_to(&d, UUID_WORDS_MAX), 0.999);
}

static void
test_first_value(void **state)
{
	UuidWords	bounds[11];
	Distribution d = ten_bins(bounds);

	(void) state;
	/* a fifth is gone */
	distribution_set_first(&d, at_ms(300));
	assert_near(distribution_share_up_to(&d, at_ms(300)), 0);
	assert_near(distribution_share_up_to(&d, at_ms(700)), 0.5);
	assert_near(distribution_share_up_to(&d, at_ms(1000)), 0.875);
	assert_near(distribution_share_up_to(&d, at_ms(1100)), 0.999);

	/* more has come */
	d = ten_bins(bounds);
	distribution_set_first(&d, at_ms(0));
	assert_near(distribution_share_up_to(&d, at_ms(0)), 0);
	assert_near(distribution_share_up_to(&d, at_ms(100)), 0.05);

	/* which says nothing of the other end */
	assert_near(distribution_share_up_to(&d, UUID_WORDS_MAX), 0.999);

	/* all is gone */
	d = ten_bins(bounds);
	distribution_set_first(&d, at_ms(2000));
	assert_near(distribution_share_up_to(&d, at_ms(1000)), 0);
	assert_near(distribution_share_up_to(&d, at_ms(2000)), 0.999);
}

static void
test_last_value(void **state)
{
	UuidWords	bounds[11];
	Distribution d = ten_bins(bounds);

	(void) state;
	distribution_set_last(&d, at_ms(900), 0);
	assert_near(distribution_share_up_to(&d, at_ms(500)), 0.5);
	assert_near(distribution_share_up_to(&d, at_ms(900)), 1);
	/* which says nothing of the other end */
	assert_near(distribution_share_up_to(&d, at_ms(1)), 0.001);

	/* nobody knows of growth: the last bin is drawn out */
	d = ten_bins(bounds);
	distribution_set_last(&d, at_ms(1200), 0);
	assert_near(distribution_share_up_to(&d, at_ms(1000)), 0.9);
	assert_near(distribution_share_up_to(&d, at_ms(1100)), 0.95);
	assert_near(distribution_share_up_to(&d, at_ms(1200)), 1);

	/* a quarter more, in 200 ms */
	d = ten_bins(bounds);
	distribution_set_last(&d, at_ms(1300), 0.25);
	assert_near(distribution_share_up_to(&d, at_ms(600)), 0.5 / 1.25);
	assert_near(distribution_share_up_to(&d, at_ms(1100)), 1 / 1.25);
	assert_near(distribution_share_up_to(&d, at_ms(1200)), 1.125 / 1.25);
	assert_near(distribution_share_up_to(&d, at_ms(1300)), 1);

	/* a table that has become ten times as large in no time: dead rows, more likely */
	d = ten_bins(bounds);
	distribution_set_last(&d, at_ms(1120), 10);
	assert_near(distribution_share_up_to(&d, at_ms(1100)), 1 / 1.2);
}

/* What is gone at one end has come at the other: a table as large as before. */
static void
test_moving_window(void **state)
{
	UuidWords	bounds[11];
	Distribution d = ten_bins(bounds);

	(void) state;
	distribution_set_first(&d, at_ms(300));
	distribution_set_last(&d, at_ms(1300), 0);
	assert_near(distribution_share_up_to(&d, at_ms(300)), 0);
	assert_near(distribution_share_up_to(&d, at_ms(800)), 0.5);
	assert_near(distribution_share_up_to(&d, at_ms(1200)), 0.9);
	assert_near(distribution_share_up_to(&d, at_ms(1300)), 1);
}

static void
test_sort(void **state)
{
	UuidWords	ids[5] = {at_ms(5), at_ms(1), {at_ms(1).hi, 7}, at_ms(5), at_ms(3)};

	(void) state;
	assert_int_equal(distribution_sort(ids, 5), 4);
	assert_words_equal(ids[0], at_ms(1));
	assert_words_equal(ids[1], (UuidWords) {at_ms(1).hi, 7});
	assert_words_equal(ids[2], at_ms(3));
	assert_words_equal(ids[3], at_ms(5));
	assert_int_equal(distribution_sort(ids, 0), 0);
}

/* A piece lies between two cuts; a value that is there often is one of its own. */
static void
test_cut(void **state)
{
	UuidWords	bounds[2] = {{0, 0}, {0, 8}};
	UuidWords	cuts[3] = {{0, 2}, {0, 3}, {0, 6}};
	DistributionPiece pieces[DISTRIBUTION_PIECES(3)];
	Distribution d;

	(void) state;
	distribution_init(&d, bounds, 2);
	distribution_set_first(&d, bounds[0]);
	distribution_set_last(&d, bounds[1], 0);
	/* between 2 and 3 there is no room */
	assert_int_equal(distribution_cut(&d, cuts, 3, 0, pieces), 3);
	assert_words_equal(pieces[0].at, (UuidWords) {0, 1});
	assert_near(pieces[0].share, 0.25);
	assert_words_equal(pieces[1].at, (UuidWords) {0, 5});
	assert_near(pieces[1].share, 0.5);
	assert_words_equal(pieces[2].at, (UuidWords) {UINT64_C(1) << 63, 3});
	assert_near(pieces[2].share, 0.25);

	assert_int_equal(distribution_cut(&d, cuts, 1, 0.125, pieces), 3);
	assert_near(pieces[0].share, 0.125);
	assert_words_equal(pieces[1].at, cuts[0]);
	assert_near(pieces[1].share, 0.125);
	assert_words_equal(pieces[2].at, (UuidWords) {UINT64_C(1) << 63, 1});

	/* the last id of all has nothing above it */
	cuts[0] = UUID_WORDS_MAX;
	assert_int_equal(distribution_cut(&d, cuts, 1, 0, pieces), 1);
	assert_near(pieces[0].share, 1);
}

/* Random histograms */

/* b - a, byte by byte as on paper; below 0 there is nothing. */
static double
slow_distance(UuidWords a, UuidWords b)
{
	double		distance = 0;
	double		place = 1;
	int			borrowed = 0;

	for (int byte = 15; byte >= 0; byte--)
	{
		int			digit = (int) bits(b, 8 * byte, 8) - (int) bits(a, 8 * byte, 8) - borrowed;

		borrowed = digit < 0;
		distance += (digit + 256 * borrowed) * place;
		place *= 256;
	}
	return borrowed ? 0 : distance;
}

/* Bin by bin. */
static double
slow_share(const UuidWords *bounds, int bins, UuidWords at)
{
	double		share = 0;

	for (int i = 0; i < bins; i++)
	{
		if (layout_compare(at, bounds[i + 1]) >= 0)
			share += 1.0 / bins;
		else
			share += slow_distance(bounds[i], at) / slow_distance(bounds[i], bounds[i + 1]) / bins;
	}
	return share;
}

static int
random_ids(UuidWords *ids, int count)
{
	for (int i = 0; i < count; i++)
		ids[i] = random_words((int) (next_random() % 65536));
	qsort(ids, count, sizeof(UuidWords), distribution_compare);
	return count;
}

static double
mass_below(const DistributionPiece *pieces, int count, UuidWords at)
{
	double		mass = 0;

	for (int i = 0; i < count; i++)
	{
		if (layout_compare(pieces[i].at, at) < 0)
			mass += pieces[i].share;
	}
	return mass;
}

static void
test_random(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS / 100; round++)
	{
		UuidWords	bounds[BINS_MAX + 1];
		UuidWords	cuts[CUTS_MAX];
		DistributionPiece pieces[DISTRIBUTION_PIECES(CUTS_MAX)];
		int			bins = random_ids(bounds, 2 + next_random() % BINS_MAX) - 1;
		int			cut_count = random_ids(cuts, 1 + next_random() % CUTS_MAX);
		int			count;
		double		last = 0;
		Distribution d;

		distribution_init(&d, bounds, bins + 1);
		d.least_below = d.least_above = 0;
		cut_count = distribution_sort(cuts, cut_count);
		for (int i = 0; i < cut_count; i++)
			assert_near(distribution_share_up_to(&d, cuts[i]), slow_share(bounds, bins, cuts[i]));

		/* whatever the ends are, shares only rise, and pieces add up to them */
		distribution_set_first(&d, random_words((int) (next_random() % 65536)));
		if (layout_compare(cuts[0], d.bounds[0]) > 0)
			distribution_set_last(&d, cuts[cut_count - 1], (double) (next_random() % 1000) / 100);
		count = distribution_cut(&d, cuts, cut_count, 0, pieces);
		assert_true(count <= cut_count + 1);
		for (int i = 0; i < cut_count; i++)
		{
			double		share = distribution_share_up_to(&d, cuts[i]);

			assert_true(share >= last && share <= 1);
			assert_near(mass_below(pieces, count, cuts[i]), share);
			last = share;
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share_within_bins),
		cmocka_unit_test(test_first_value),
		cmocka_unit_test(test_last_value),
		cmocka_unit_test(test_moving_window),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
