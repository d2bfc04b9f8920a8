/*-------------------------------------------------------------------------
 *
 * unix_time.c
 *	  Layouts that begin with Unix milliseconds: boundary values and the ticks
 *	  of UUIDv7.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

static void
unix_ms_is_the_first_48_bits(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = {field_value(round, 64), field_value((round + 65) % ROUNDS, 64)};

		assert_int_equal(layout_unix_ms(words), bits(words, 0, 48));
	}
	assert_int_equal(layout_unix_ms(UUID_WORDS_MAX), UNIX_MS_MAX);
	assert_int_equal(UNIX_MS_MAX, UINT64_C(281474976710655));
}

static void
boundary_is_48_bits_and_zeros(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	unix_ms = field_value(round, 48);
		UuidWords	words = layout_boundary(unix_ms);

		assert_int_equal(layout_unix_ms(words), unix_ms);
		assert_int_equal(bits(words, 0, 48), unix_ms);
		assert_int_equal(bits(words, 48, 40), 0);
		assert_int_equal(bits(words, 88, 40), 0);
		assert_int_equal(layout_is_boundary(words), unix_ms != 0);
	}
	assert_words_equal(layout_boundary(UINT64_C(0x018C22ACD000)),
					   uuid("018c22ac-d000-0000-0000-000000000000"));
	assert_words_equal(layout_boundary(0), UUID_WORDS_NIL);
}

static void
boundary_is_below_every_id_of_its_millisecond(void **state)
{
	static const int versions[] = {4, 7, 8};

	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	unix_ms = field_value(round, 48);
		UuidWords	least = layout_pack(versions[round % 3], unix_ms << 12, 0);
		UuidWords	greatest = layout_pack(versions[round % 3], unix_ms << 12 | 0xfff, ONES(62));

		assert_true(layout_boundary(unix_ms).hi < least.hi);
		if (unix_ms < UNIX_MS_MAX)
			assert_true(layout_boundary(unix_ms + 1).hi > greatest.hi);
	}
}

/* One bit among the last 80 is enough to make it something else. */
static void
boundary_has_no_other_bit(void **state)
{
	(void) state;
	for (int bit = 0; bit < 80; bit++)
	{
		UuidWords	words = layout_boundary(UINT64_C(0x018C22ACD000));

		if (bit < 64)
			words.lo |= UINT64_C(1) << bit;
		else
			words.hi |= UINT64_C(1) << (bit - 64);
		assert_false(layout_is_boundary(words));
	}
	for (int bit = 16; bit < 64; bit++)
		assert_true(layout_is_boundary((UuidWords) {UINT64_C(1) << bit, 0}));
	for (int version = 0; version < 16; version++)
		assert_false(layout_is_boundary(layout_pack(version, UINT64_C(0x018C22ACD000) << 12, 0)));
}

/* floor(ns * 4096 / 1000000), in arithmetic that cannot round. */
static uint32_t
fraction(uint32_t ns)
{
	uint32_t	ticks = 0;

	while ((uint64_t) (ticks + 1) * 1000000 <= (uint64_t) ns * 4096)
		ticks++;
	return ticks;
}

static void
tick_is_the_floor_of_the_fraction(void **state)
{
	(void) state;
	assert_int_equal(UUIDV7_TICKS_PER_MS, 4096);
	for (int round = 0; round < 2000; round++)
	{
		uint64_t	unix_ms = field_value(round, 48);
		uint32_t	ns = (uint32_t) (next_random() % 1000000);

		assert_int_equal(layout_uuidv7_ticks(unix_ms, ns), unix_ms * 4096 + fraction(ns));
	}
}

static void
tick_at_the_edges(void **state)
{
	static const uint64_t moments[] = {0, 1, UINT64_C(0x017F22E279B0), UNIX_MS_MAX - 1, UNIX_MS_MAX};

	(void) state;
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++)
	{
		uint64_t	unix_ms = moments[i];

		assert_int_equal(layout_uuidv7_ticks(unix_ms, 0), unix_ms << 12);
		/* A tick is 244.140625 ns: the first ends after 244, the last is 4095. */
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 244), unix_ms << 12);
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 245), unix_ms << 12 | 1);
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 499999), unix_ms << 12 | 2047);
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 500000), unix_ms << 12 | 2048);
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 999755), unix_ms << 12 | 4094);
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 999756), unix_ms << 12 | 4095);
		assert_int_equal(layout_uuidv7_ticks(unix_ms, 999999), unix_ms << 12 | 4095);
	}
	assert_int_equal(layout_uuidv7_ticks(UNIX_MS_MAX, 999999), ONES(60));
}

/* The clock gives whole seconds and the nanoseconds of one: 32 bits would not do. */
static void
tick_of_a_whole_second(void **state)
{
	(void) state;
	for (int round = 0; round < 2000; round++)
	{
		uint32_t	ns = (uint32_t) (next_random() % 1000000000);

		assert_int_equal(layout_uuidv7_ticks(0, ns), ns / 1000000 * 4096 + fraction(ns % 1000000));
	}
	assert_int_equal(layout_uuidv7_ticks(0, 999999999), 999 * 4096 + 4095);
}

/* Over every nanosecond of a millisecond: no step back, no tick left out. */
static void
ticks_never_step_back(void **state)
{
	uint64_t	last = layout_uuidv7_ticks(1, 0);

	(void) state;
	for (uint32_t ns = 1; ns < 1000000; ns++)
	{
		uint64_t	tick = layout_uuidv7_ticks(1, ns);

		assert_true(tick == last || tick == last + 1);
		last = tick;
	}
	assert_int_equal(layout_uuidv7_ticks(2, 0), last + 1);
}

static void
every_microsecond_has_its_own_tick(void **state)
{
	(void) state;
	for (uint32_t us = 1; us < 1000; us++)
		assert_true(layout_uuidv7_ticks(0, us * 1000) > layout_uuidv7_ticks(0, us * 1000 - 1000));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unix_ms_is_the_first_48_bits),
		cmocka_unit_test(boundary_is_48_bits_and_zeros),
		cmocka_unit_test(boundary_is_below_every_id_of_its_millisecond),
		cmocka_unit_test(boundary_has_no_other_bit),
		cmocka_unit_test(tick_is_the_floor_of_the_fraction),
		cmocka_unit_test(tick_at_the_edges),
		cmocka_unit_test(tick_of_a_whole_second),
		cmocka_unit_test(ticks_never_step_back),
		cmocka_unit_test(every_microsecond_has_its_own_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
