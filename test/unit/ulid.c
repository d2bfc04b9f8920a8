/*-------------------------------------------------------------------------
 *
 * ulid.c
 *	  Layout of the ULIDs that are made here.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

static void
fields_are_in_order(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	ticks = field_value(round % 256, 60);
		uint64_t	tail = field_value((round + 7) % 256, 62);
		uint64_t	rest = field_value((round + round / 256) % 256, 6);
		UuidWords	id = layout_ulid_pack(ticks, tail, rest);

		assert_int_equal(bits(id, 0, 60), ticks);
		assert_int_equal(bits(id, 60, 62), tail);
		assert_int_equal(bits(id, 122, 6), rest);
		assert_int_equal(layout_unix_ms(id), ticks >> 12);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
