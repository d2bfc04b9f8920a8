/*-------------------------------------------------------------------------
 *
 * comb.c
 *	  COMBs, whose time is at the front, at the end, or in 16 bits only.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

static void
fields_are_read_from_their_bits(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);

		assert_int_equal(layout_suffix_unix_ms(words), bits(words, 80, 48));
		assert_int_equal(layout_short_comb_block(words), bits(words, 0, 16));
		assert_int_equal(layout_short_comb_block(layout_swap_short_comb(words)), bits(words, 80, 16));
	}
}

/* Bytes 0-5 and 10-15 change places, the others stay. */
static void
comb_and_suffix_comb(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);
		UuidWords	swapped = layout_swap_comb(words);

		assert_int_equal(bits(swapped, 0, 48), bits(words, 80, 48));
		assert_int_equal(bits(swapped, 48, 32), bits(words, 48, 32));
		assert_int_equal(bits(swapped, 80, 48), bits(words, 0, 48));
		assert_words_equal(layout_swap_comb(swapped), words);
	}
	assert_words_equal(layout_swap_comb(uuid("018c22ac-d000-4abc-9def-0123456789ab")),
					   uuid("01234567-89ab-4abc-9def-018c22acd000"));
}

/* What SQL Server compares, from the first bit to the last. */
static void
suffix_comb_of_ticks_and_tail(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	ticks = next_random() & ONES(60);
		uint64_t	tail = next_random() & ONES(62);
		UuidWords	words = layout_suffix_comb_pack(ticks, tail);
		UuidWords	key = layout_sqlserver_key(words);

		assert_true(layout_is(words, 4));
		assert_int_equal(layout_suffix_unix_ms(words), ticks >> 12);
		assert_int_equal(bits(key, 0, 48), ticks >> 12);
		assert_int_equal(bits(key, 50, 12), ticks & ONES(12));
		assert_int_equal(bits(key, 62, 2), tail >> 60);
		assert_int_equal(bits(key, 68, 60), tail & ONES(60));
		assert_words_equal(layout_from_sqlserver_key(key), words);
	}
	assert_words_equal(layout_suffix_comb_pack(UINT64_C(0x018c22acd000abc), UINT64_C(0x123456789abcdef0)),
					   uuid("9abcdef0-5678-4234-aaf1-018c22acd000"));
}

/* Bytes 0-1 and 10-11 change places, the others stay. */
static void
short_comb_and_short_suffix_comb(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);
		UuidWords	swapped = layout_swap_short_comb(words);

		assert_int_equal(bits(swapped, 0, 16), bits(words, 80, 16));
		assert_int_equal(bits(swapped, 16, 64), bits(words, 16, 64));
		assert_int_equal(bits(swapped, 80, 16), bits(words, 0, 16));
		assert_int_equal(bits(swapped, 96, 32), bits(words, 96, 32));
		assert_words_equal(layout_swap_short_comb(swapped), words);
	}
	assert_words_equal(layout_swap_short_comb(uuid("8992aaaa-bbbb-4ccc-9ddd-123456789abc")),
					   uuid("1234aaaa-bbbb-4ccc-9ddd-899256789abc"));
}

/* Whatever changes places, version and variant do not. */
static void
version_and_variant_stay(void **state)
{
	(void) state;
	for (int version = 0; version < 16; version++)
	{
		UuidWords	words = layout_pack(version, next_random() & ONES(60), next_random() & ONES(62));

		assert_true(layout_is(layout_swap_comb(words), version));
		assert_true(layout_is(layout_swap_short_comb(words), version));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_read_from_their_bits),
		cmocka_unit_test(comb_and_suffix_comb),
		cmocka_unit_test(suffix_comb_of_ticks_and_tail),
		cmocka_unit_test(short_comb_and_short_suffix_comb),
		cmocka_unit_test(version_and_variant_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
