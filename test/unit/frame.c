/*-------------------------------------------------------------------------
 *
 * frame.c
 *	  The frame that all layouts share: bytes, words, version, variant, head
 *	  and tail.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

static void
bytes_are_in_network_order(void **state)
{
	static const unsigned char bytes[16] = {
		0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
		0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff
	};
	UuidWords	words = layout_load(bytes);
	unsigned char stored[16];

	(void) state;
	assert_int_equal(words.hi, UINT64_C(0x0011223344556677));
	assert_int_equal(words.lo, UINT64_C(0x8899aabbccddeeff));
	layout_store(stored, words);
	assert_memory_equal(stored, bytes, 16);
}

static void
bytes_need_no_alignment(void **state)
{
	unsigned char room[16 + 8 + 1];

	(void) state;
	for (int offset = 0; offset <= 8; offset++)
	{
		UuidWords	words = {next_random(), next_random()};

		memset(room, 0x5a, sizeof(room));
		layout_store(room + offset, words);
		assert_words_equal(layout_load(room + offset), words);
		for (int i = 0; i < (int) sizeof(room); i++)
			assert_true((i >= offset && i < offset + 16) || room[i] == 0x5a);
	}
}

static void
load_and_store_are_inverse(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = {field_value(round, 64), field_value(round, 64)};
		unsigned char bytes[16];

		layout_store(bytes, words);
		assert_words_equal(layout_load(bytes), words);
	}
}

static void
words_sort_as_bytes(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		/* Half of the pairs share their first word. */
		UuidWords	a = {field_value(round, 64), next_random()};
		UuidWords	b = {round % 2 ? a.hi : next_random(), next_random()};
		unsigned char a_bytes[16];
		unsigned char b_bytes[16];
		bool		less = a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);

		layout_store(a_bytes, a);
		layout_store(b_bytes, b);
		assert_int_equal(memcmp(a_bytes, b_bytes, 16) < 0, less);
	}
}

static void
equal_needs_both_words(void **state)
{
	UuidWords	words = {1, 2};

	(void) state;
	assert_true(layout_equal(words, (UuidWords) {1, 2}));
	assert_false(layout_equal(words, (UuidWords) {1, 3}));
	assert_false(layout_equal(words, (UuidWords) {3, 2}));
	assert_false(layout_equal(words, (UuidWords) {2, 1}));
	assert_false(layout_equal(UUID_WORDS_NIL, UUID_WORDS_MAX));
}

static void
pack_puts_every_bit_in_its_place(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			version = round % 16;
		uint64_t	head = field_value(round, 60);
		uint64_t	tail = field_value((round + 66) % ROUNDS, 62);
		UuidWords	words = layout_pack(version, head, tail);

		assert_int_equal(bits(words, 0, 48), head >> 12);
		assert_int_equal(bits(words, 48, 4), version);
		assert_int_equal(bits(words, 52, 12), head & 0xfff);
		assert_int_equal(bits(words, 64, 2), 2);
		assert_int_equal(bits(words, 66, 62), tail);
	}
}

static void
unpack_undoes_pack(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			version = round % 16;
		uint64_t	head = field_value(round, 60);
		uint64_t	tail = field_value((round + 66) % ROUNDS, 62);
		UuidWords	words = layout_pack(version, head, tail);

		assert_int_equal(layout_version(words), version);
		assert_int_equal(layout_variant(words), LAYOUT_VARIANT_RFC);
		assert_int_equal(layout_head(words), head);
		assert_int_equal(layout_tail(words), tail);
	}
}

static void
unpack_reads_any_bits(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = {field_value(round, 64), field_value((round + 65) % ROUNDS, 64)};

		assert_int_equal(layout_version(words), bits(words, 48, 4));
		assert_int_equal(layout_variant(words), bits(words, 64, 2));
		assert_int_equal(layout_head(words), bits(words, 0, 48) << 12 | bits(words, 52, 12));
		assert_int_equal(layout_tail(words), bits(words, 66, 62));
	}
}

static void
pack_keeps_the_order_of_head_and_tail(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			version = round % 16;
		uint64_t	head = field_value(round, 60);
		uint64_t	tail = field_value((round + 66) % ROUNDS, 62);
		UuidWords	words = layout_pack(version, head, tail);

		if (head < ONES(60))
			assert_true(layout_pack(version, head + 1, 0).hi > words.hi);
		if (tail < ONES(62))
			assert_true(layout_pack(version, head, tail + 1).lo > words.lo);
	}
}

static void
is_needs_version_and_variant(void **state)
{
	(void) state;
	for (int version = 0; version < 16; version++)
		for (int variant = 0; variant < 4; variant++)
		{
			UuidWords	words = {
				(next_random() & ~(UINT64_C(0xf) << 12)) | (uint64_t) version << 12,
				(next_random() & ONES(62)) | (uint64_t) variant << 62
			};

			for (int asked = 0; asked < 16; asked++)
				assert_int_equal(layout_is(words, asked), version == asked && variant == 2);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_in_network_order),
		cmocka_unit_test(bytes_need_no_alignment),
		cmocka_unit_test(load_and_store_are_inverse),
		cmocka_unit_test(words_sort_as_bytes),
		cmocka_unit_test(equal_needs_both_words),
		cmocka_unit_test(pack_puts_every_bit_in_its_place),
		cmocka_unit_test(unpack_undoes_pack),
		cmocka_unit_test(unpack_reads_any_bits),
		cmocka_unit_test(pack_keeps_the_order_of_head_and_tail),
		cmocka_unit_test(is_needs_version_and_variant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
