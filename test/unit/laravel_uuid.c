/*-------------------------------------------------------------------------
 *
 * laravel_uuid.c
 *	  Laravel's ordered UUIDs, and what becomes of them as UUIDv7.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

static UuidWords
ordered_uuid(uint64_t time, uint64_t random12, uint64_t random62)
{
	return layout_pack(4, time << 12 | random12, random62);
}

static void
time_stays(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	time = field_value(round, 48);
		UuidWords	id = ordered_uuid(time, field_value((round + 1) % 256, 12), field_value((round + 2) % 256, 62));
		UuidWords	v7 = layout_laravel_uuid_to_v7(id);

		assert_int_equal(layout_laravel_uuid_time(id), time);
		assert_true(layout_is(v7, 7));
		assert_int_equal(layout_unix_ms(v7), time / 100);
		assert_int_equal(bits(v7, 52, 12) * 100 / 4096, time % 100);
	}
}

static void
order_stays(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	time = next_random() >> 16;
		uint64_t	twelve = next_random() >> 52;
		UuidWords	a = ordered_uuid(time, twelve, next_random() >> 2);
		UuidWords	b = ordered_uuid(time + round % 3, round % 2 ? twelve : next_random() >> 52, next_random() >> 2);
		int			before = layout_compare(a, b);
		int			after = layout_compare(layout_laravel_uuid_to_v7(a), layout_laravel_uuid_to_v7(b));

		assert_int_equal(after, before);
	}
}

/* But for the last 7 bits, none is lost. */
static void
bits_stay(void **state)
{
	(void) state;
	for (int bit = 0; bit < 62; bit++)
	{
		UuidWords	zero = layout_laravel_uuid_to_v7(ordered_uuid(12345, 0, 0));
		UuidWords	one = layout_laravel_uuid_to_v7(ordered_uuid(12345, 0, UINT64_C(1) << bit));

		assert_int_equal(layout_equal(zero, one), bit < 7);
	}
	for (int bit = 0; bit < 12; bit++)
	{
		UuidWords	zero = layout_laravel_uuid_to_v7(ordered_uuid(12345, 0, 0));
		UuidWords	one = layout_laravel_uuid_to_v7(ordered_uuid(12345, UINT64_C(1) << bit, 0));

		assert_false(layout_equal(zero, one));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_stays),
		cmocka_unit_test(order_stays),
		cmocka_unit_test(bits_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
