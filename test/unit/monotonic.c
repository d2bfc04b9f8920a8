/*-------------------------------------------------------------------------
 *
 * monotonic.c
 *	  The rule by which the ids of a session never step back, with a clock and
 *	  random numbers that the test chooses.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "pure/monotonic.h"

/* Ticks and tails as families have them: v7 and COMB; v1, v6 and v13; iUID. */
static const struct
{
	int			tick_bits;
	int			tail_bits;
}			widths[] = {{60, 62}, {60, 61}, {54, 48}};

#define WIDTHS	((int) (sizeof(widths) / sizeof(widths[0])))

#define STEP_MAX	(UINT64_C(1) << 32)

static bool
next(MonotonicSeries *series, uint64_t now, uint64_t random, int width)
{
	return monotonic_next(series, now, random, widths[width].tick_bits, widths[width].tail_bits);
}

static uint64_t
last_tick(int width)
{
	return ONES(widths[width].tick_bits);
}

static uint64_t
last_tail(int width)
{
	return ONES(widths[width].tail_bits);
}

/* The tail that a new tick begins with: the random number's first bits. */
static uint64_t
fresh_tail(uint64_t random, int width)
{
	return random >> (64 - widths[width].tail_bits);
}

/* The rule once more, case by case. */
static bool
next_slowly(MonotonicSeries *series, uint64_t now, uint64_t random, int width)
{
	uint64_t	step = 1 + random / STEP_MAX;
	MonotonicSeries after;

	if (now > series->tick)
		after = (MonotonicSeries) {now, fresh_tail(random, width)};
	else if (series->tail <= last_tail(width) && last_tail(width) - series->tail >= step)
		after = (MonotonicSeries) {series->tick, series->tail + step};
	else
		after = (MonotonicSeries) {series->tick + 1, fresh_tail(random, width)};

	if (after.tick > last_tick(width))
		return false;
	*series = after;
	return true;
}

static void
assert_series(MonotonicSeries series, uint64_t tick, uint64_t tail)
{
	assert_int_equal(series.tick, tick);
	assert_int_equal(series.tail, tail);
}

static void
a_new_tick_has_a_fresh_tail(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			width = round % WIDTHS;
		MonotonicSeries series = {field_value(round, widths[width].tick_bits - 1), next_random() & last_tail(width)};
		uint64_t	now = series.tick + 1 + next_random() % 1000;
		uint64_t	random = field_value(round / WIDTHS, 64);

		assert_true(next(&series, now, random, width));
		assert_series(series, now, fresh_tail(random, width));
	}
}

static void
a_tick_goes_on_by_a_random_step(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			width = round % WIDTHS;
		uint64_t	tick = field_value(round, widths[width].tick_bits);
		uint64_t	tail = next_random() % (last_tail(width) - STEP_MAX);
		MonotonicSeries series = {tick, tail};

		/* the clock may show that tick or any earlier one */
		uint64_t	now = round % 2 ? tick : next_random() % (tick + 1);
		uint64_t	random = field_value(round / WIDTHS, 64);

		assert_true(next(&series, now, random, width));
		assert_series(series, tick, tail + 1 + (random >> 32));
	}
}

/* From the least step to the greatest: never 0, at most 2^32. */
static void
steps_have_32_bits(void **state)
{
	static const struct
	{
		uint64_t	random;
		uint64_t	step;
	}			known[] = {{0, 1}, {STEP_MAX - 1, 1}, {STEP_MAX, 2}, {UINT64_MAX, STEP_MAX}};

	(void) state;
	for (int width = 0; width < WIDTHS; width++)
		for (int i = 0; i < 4; i++)
		{
			MonotonicSeries series = {1000, 0};

			assert_true(next(&series, 1000, known[i].random, width));
			assert_series(series, 1000, known[i].step);
		}
}

static void
a_full_tick_borrows_from_the_next(void **state)
{
	(void) state;
	for (int width = 0; width < WIDTHS; width++)
		for (int round = 0; round < 1000; round++)
		{
			uint64_t	random = field_value(round, 64);
			uint64_t	step = 1 + (random >> 32);
			MonotonicSeries series = {1000, last_tail(width) - step};

			assert_true(next(&series, 1000, random, width));
			assert_series(series, 1000, last_tail(width));
			assert_true(next(&series, 1000, random, width));
			assert_series(series, 1001, fresh_tail(random, width));

			series = (MonotonicSeries) {1000, last_tail(width) - step + 1};
			assert_true(next(&series, 0, random, width));
			assert_series(series, 1001, fresh_tail(random, width));
		}
}

/* What was borrowed is used before the clock's own reading. */
static void
the_clock_catches_up_with_what_was_borrowed(void **state)
{
	MonotonicSeries series = {1000, last_tail(0)};

	(void) state;
	assert_true(next(&series, 1000, 0, 0));
	assert_series(series, 1001, 0);
	assert_true(next(&series, 1001, 0, 0));
	assert_series(series, 1001, 1);
	assert_true(next(&series, 1002, 0, 0));
	assert_series(series, 1002, 0);
}

static void
ticks_that_do_not_fit_are_refused(void **state)
{
	(void) state;
	for (int width = 0; width < WIDTHS; width++)
	{
		MonotonicSeries series = {1000, 2000};

		/* nor does what a wrong clock may show */
		assert_false(next(&series, last_tick(width) + 1, next_random(), width));
		assert_false(next(&series, UINT64_MAX, next_random(), width));
		assert_series(series, 1000, 2000);

		assert_true(next(&series, last_tick(width), 0, width));
		assert_series(series, last_tick(width), 0);
		series.tail = last_tail(width);
		assert_false(next(&series, 0, next_random(), width));
		assert_series(series, last_tick(width), last_tail(width));
	}
}

static void
a_tick_that_is_left_stays_left(void **state)
{
	(void) state;
	for (int width = 0; width < WIDTHS; width++)
		for (int round = 0; round < 1000; round++)
		{
			MonotonicSeries series = {1000, next_random() & last_tail(width)};
			uint64_t	random = field_value(round, 64);

			monotonic_leave_tick(&series);
			assert_true(next(&series, round % 2 ? 1000 : 0, random, width));
			assert_series(series, 1001, fresh_tail(random, width));
		}
}

/*
 * A clock that stands still, goes on, steps back and forth by any distance:
 * ids always increase, as the rule says, and no tick is one that the clock has
 * not shown, but for those that were full.
 */
static void
ids_increase_whatever_the_clock_does(void **state)
{
	(void) state;
	for (int width = 0; width < WIDTHS; width++)
	{
		MonotonicSeries series = {0, 0};
		MonotonicSeries slow = {0, 0};
		uint64_t	now = UINT64_C(1) << 50;
		uint64_t	latest = now;

		for (int round = 0; round < ROUNDS; round++)
		{
			MonotonicSeries before = series;
			uint64_t	random = next_random();

			switch (next_random() % 8)
			{
				case 0:
					now += next_random() % 4;
					break;
				case 1:
					now -= next_random() % 4;
					break;
				case 2:
					now = (now & ~ONES(20)) | (next_random() & ONES(20));
					break;
				default:
					break;
			}
			latest = now > latest ? now : latest;

			assert_true(next(&series, now, random, width));
			assert_true(next_slowly(&slow, now, random, width));
			assert_series(series, slow.tick, slow.tail);

			assert_true(series.tick > before.tick || (series.tick == before.tick && series.tail > before.tail));
			assert_true(series.tail <= last_tail(width));
			assert_true(series.tick <= latest + 1);
		}
	}
}

/*
 * At any speed the ticks are those of the clock: full ones are rare, and the
 * next reading of the clock makes up for them.  The narrowest tail is that of
 * iUIDs, of which ten million a second are 156 a tick, ten times that 1,562.
 */
static void
ids_do_not_run_ahead_of_the_clock(void **state)
{
	static const int ids_per_tick[] = {1, 2, 156, 1562};

	(void) state;
	for (int width = 0; width < WIDTHS; width++)
		for (int speed = 0; speed < 4; speed++)
		{
			MonotonicSeries series = {0, 0};
			int			ahead = 0;

			for (int round = 0; round < ROUNDS; round++)
			{
				uint64_t	now = 1000 + round / ids_per_tick[speed];

				assert_true(next(&series, now, next_random(), width));
				assert_true(series.tick == now || series.tick == now + 1);
				ahead += series.tick > now;
			}
			assert_true(ahead < ROUNDS / 20);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_tick_has_a_fresh_tail),
		cmocka_unit_test(a_tick_goes_on_by_a_random_step),
		cmocka_unit_test(steps_have_32_bits),
		cmocka_unit_test(a_full_tick_borrows_from_the_next),
		cmocka_unit_test(the_clock_catches_up_with_what_was_borrowed),
		cmocka_unit_test(ticks_that_do_not_fit_are_refused),
		cmocka_unit_test(a_tick_that_is_left_stays_left),
		cmocka_unit_test(ids_increase_whatever_the_clock_does),
		cmocka_unit_test(ids_do_not_run_ahead_of_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
