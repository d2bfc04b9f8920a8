/*-------------------------------------------------------------------------
 *
 * gregorian.c
 *	  Layouts with 100 ns since 1582: v1, v6 and Lambert's v13.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

/* RFC 9562, section 5.1: time_low, time_mid, version, time_high. */
static void
v1_has_its_timestamp_in_three_pieces(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	timestamp = field_value(round, 60);
		UuidWords	words = layout_pack(1, layout_v1_shuffle(timestamp), 0);

		assert_int_equal(bits(words, 0, 32), timestamp & ONES(32));
		assert_int_equal(bits(words, 32, 16), timestamp >> 32 & ONES(16));
		assert_int_equal(bits(words, 48, 4), 1);
		assert_int_equal(bits(words, 52, 12), timestamp >> 48);
	}
}

/* Section 5.6, and v13 likewise: 48 high bits, version, 12 low bits. */
static void
v6_and_v13_have_it_in_order(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	timestamp = field_value(round, 60);
		UuidWords	words = layout_pack(round % 2 ? 6 : 13, timestamp, 0);

		assert_int_equal(bits(words, 0, 48), timestamp >> 12);
		assert_int_equal(bits(words, 52, 12), timestamp & ONES(12));
	}
}

static void
shuffle_and_unshuffle_are_inverse(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	value = field_value(round, 60);

		assert_int_equal(layout_v1_unshuffle(layout_v1_shuffle(value)), value);
		assert_int_equal(layout_v1_shuffle(layout_v1_unshuffle(value)), value);
		assert_true(layout_v1_shuffle(value) <= GREGORIAN_MAX);
		assert_true(layout_v1_unshuffle(value) <= GREGORIAN_MAX);
	}
}

/* A permutation of bits: each of the 60 goes to a place of its own. */
static void
shuffle_is_a_permutation(void **state)
{
	uint64_t	shuffled = 0;
	uint64_t	unshuffled = 0;

	(void) state;
	for (int bit = 0; bit < 60; bit++)
	{
		uint64_t	to = layout_v1_shuffle(UINT64_C(1) << bit);
		uint64_t	from = layout_v1_unshuffle(UINT64_C(1) << bit);

		assert_true(to != 0 && (to & (to - 1)) == 0);
		assert_true(from != 0 && (from & (from - 1)) == 0);
		assert_int_equal(shuffled & to, 0);
		assert_int_equal(unshuffled & from, 0);
		shuffled |= to;
		unshuffled |= from;
	}
	assert_int_equal(shuffled, ONES(60));
	assert_int_equal(unshuffled, ONES(60));
	assert_int_equal(layout_v1_shuffle(0), 0);
	assert_int_equal(layout_v1_shuffle(GREGORIAN_MAX), GREGORIAN_MAX);
}

static void
timestamp_is_read_from_every_layout(void **state)
{
	static const int versions[] = {1, 6, 13};

	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			version = versions[round % 3];
		uint64_t	timestamp = field_value(round, 60);
		uint64_t	head = version == 1 ? layout_v1_shuffle(timestamp) : timestamp;
		UuidWords	words = layout_pack(version, head, field_value((round + 66) % ROUNDS, 62));

		assert_true(layout_is_gregorian(words));
		assert_int_equal(layout_gregorian_timestamp(words), timestamp);
	}
}

/* Of clock sequence and node all but the multicast bit (RFC 9562, section 6.10). */
static void
pack_has_a_random_node(void **state)
{
	static const int versions[] = {1, 6, 13};

	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			version = versions[round % 3];
		uint64_t	timestamp = field_value(round, 60);
		uint64_t	random = field_value((round + 66) % ROUNDS, GREGORIAN_RANDOM_BITS);
		UuidWords	words = layout_gregorian_pack(version, timestamp, random);

		assert_true(layout_is(words, version));
		assert_int_equal(layout_gregorian_timestamp(words), timestamp);
		assert_int_equal(bits(words, 87, 1), 1);
		assert_int_equal(bits(words, 66, 21) << 40 | bits(words, 88, 40), random);
	}
}

/* Below every v6 and v13 whose timestamp has the same 48 high bits. */
static void
boundary_is_the_high_bits_of_the_timestamp(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	timestamp = field_value(round, 60);
		UuidWords	boundary = layout_gregorian_boundary(timestamp);

		assert_int_equal(bits(boundary, 0, 48), timestamp >> 12);
		assert_int_equal(bits(boundary, 48, 40), 0);
		assert_int_equal(bits(boundary, 88, 40), 0);
		assert_true(boundary.hi < layout_pack(round % 2 ? 6 : 13, timestamp >> 12 << 12, 0).hi);
	}
}

/* Of a boundary and of every id at or after it with the same 48 high bits. */
static void
boundary_timestamp_is_the_least_of_4096(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		uint64_t	timestamp = field_value(round, 60);
		uint64_t	least = layout_gregorian_boundary_timestamp(layout_gregorian_boundary(timestamp));

		assert_true(least <= timestamp && timestamp - least < 4096);
		assert_int_equal(least % 4096, 0);
		assert_int_equal(layout_gregorian_boundary_timestamp(layout_pack(round % 2 ? 6 : 13, timestamp, UINT64_MAX >> 2)), least);
	}
}

static void
only_versions_1_6_and_13(void **state)
{
	(void) state;
	for (int version = 0; version < 16; version++)
		for (int variant = 0; variant < 4; variant++)
		{
			UuidWords	words = {
				(next_random() & ~(UINT64_C(0xf) << 12)) | (uint64_t) version << 12,
				(next_random() & ONES(62)) | (uint64_t) variant << 62
			};

			assert_int_equal(layout_is_gregorian(words),
							 variant == 2 && (version == 1 || version == 6 || version == 13));
		}
}

/* Pairs published for the reordered v1, and a v1 without its reordered twin. */
static void
known_ids(void **state)
{
	UuidWords	v1 = uuid("75e1f27f-624e-11e1-a11d-ed65de8970f6");
	UuidWords	v13 = uuid("1e1624e7-5e1f-d27f-a11d-ed65de8970f6");

	(void) state;
	assert_int_equal(layout_gregorian_timestamp(v1), UINT64_C(0x1e1624e75e1f27f));
	assert_int_equal(layout_gregorian_timestamp(v13), UINT64_C(0x1e1624e75e1f27f));
	assert_words_equal(layout_pack(13, layout_gregorian_timestamp(v1), layout_tail(v1)), v13);
	assert_words_equal(layout_pack(1, layout_v1_shuffle(layout_head(v13)), layout_tail(v13)), v1);
	assert_int_equal(layout_gregorian_timestamp(uuid("d76b58b9-6220-11e1-b36c-cc52afc9f2ed")),
					 UINT64_C(0x1e16220d76b58b9));
}

static void
clock_seq_stands_before_the_node(void **state)
{
	const int	versions[] = {1, 6, 13};

	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		int			version = versions[round % 3];
		uint64_t	timestamp = field_value(round, 60);
		uint64_t	clock_seq = field_value(round, 14);
		uint64_t	node = field_value(round / 3, 48);
		UuidWords	words = layout_gregorian_pack_node(version, timestamp, clock_seq, node);

		assert_int_equal(layout_gregorian_timestamp(words), timestamp);
		assert_int_equal(bits(words, 66, 14), clock_seq);
		assert_int_equal(bits(words, 80, 48), node);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(v1_has_its_timestamp_in_three_pieces),
		cmocka_unit_test(v6_and_v13_have_it_in_order),
		cmocka_unit_test(shuffle_and_unshuffle_are_inverse),
		cmocka_unit_test(shuffle_is_a_permutation),
		cmocka_unit_test(timestamp_is_read_from_every_layout),
		cmocka_unit_test(pack_has_a_random_node),
		cmocka_unit_test(boundary_is_the_high_bits_of_the_timestamp),
		cmocka_unit_test(boundary_timestamp_is_the_least_of_4096),
		cmocka_unit_test(only_versions_1_6_and_13),
		cmocka_unit_test(known_ids),
		cmocka_unit_test(clock_seq_stands_before_the_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
