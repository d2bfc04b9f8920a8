/*-------------------------------------------------------------------------
 *
 * rfc9562.c
 *	  The test vectors in the appendices of RFC 9562.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

/* All time-based vectors are of 2022-02-22 19:22:22.000000 UTC. */
#define UNIX_MS		UINT64_C(0x017F22E279B0)
#define GREGORIAN	UINT64_C(0x1EC9414C232AB00)

static void
version_and_variant(void **state)
{
	static const struct
	{
		const char *text;
		int			version;
	}			vectors[] = {
		{"C232AB00-9414-11EC-B3C8-9F6BDECED846", 1},	/* A.1 */
		{"5df41881-3aed-3515-88a7-2f4a814cf09e", 3},	/* A.2 */
		{"919108f7-52d1-4320-9bac-f847db4148a8", 4},	/* A.3 */
		{"2ed6657d-e927-568b-95e1-2665a8aea6a2", 5},	/* A.4 */
		{"1EC9414C-232A-6B00-B3C8-9F6BDECED846", 6},	/* A.5 */
		{"017F22E2-79B0-7CC3-98C4-DC0C0C07398F", 7},	/* A.6 */
		{"2489E9AD-2EE2-8E00-8EC9-32D5F69181C0", 8},	/* B.1 */
		{"5c146b14-3c52-8afd-938a-375d0df1fbf6", 8},	/* B.2 */
	};

	(void) state;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
	{
		UuidWords	words = uuid(vectors[i].text);
		int			version = vectors[i].version;

		assert_int_equal(layout_version(words), version);
		assert_int_equal(layout_variant(words), LAYOUT_VARIANT_RFC);
		for (int asked = 0; asked < 16; asked++)
			assert_int_equal(layout_is(words, asked), asked == version);
		assert_int_equal(layout_is_gregorian(words), version == 1 || version == 6);
		assert_false(layout_is_iuid(words));
		assert_false(layout_is_boundary(words));
		assert_words_equal(layout_pack(version, layout_head(words), layout_tail(words)), words);
	}
}

static void
uuidv1(void **state)
{
	UuidWords	words = uuid("C232AB00-9414-11EC-B3C8-9F6BDECED846");

	(void) state;
	assert_int_equal(layout_gregorian_timestamp(words), GREGORIAN);
	assert_int_equal(layout_tail(words) >> 48, 0x33C8);
	assert_int_equal(layout_tail(words) & ONES(48), UINT64_C(0x9F6BDECED846));
	assert_words_equal(layout_pack(1, layout_v1_shuffle(GREGORIAN), UINT64_C(0x33C89F6BDECED846)), words);
	assert_words_equal(layout_gregorian_pack_node(1, GREGORIAN, 0x33C8, UINT64_C(0x9F6BDECED846)), words);
}

static void
uuidv6(void **state)
{
	UuidWords	words = uuid("1EC9414C-232A-6B00-B3C8-9F6BDECED846");

	(void) state;
	assert_int_equal(layout_gregorian_timestamp(words), GREGORIAN);
	assert_int_equal(layout_tail(words), UINT64_C(0x33C89F6BDECED846));
	assert_words_equal(layout_pack(6, GREGORIAN, UINT64_C(0x33C89F6BDECED846)), words);
	assert_words_equal(layout_gregorian_pack_node(6, GREGORIAN, 0x33C8, UINT64_C(0x9F6BDECED846)), words);
}

static void
uuidv7(void **state)
{
	UuidWords	words = uuid("017F22E2-79B0-7CC3-98C4-DC0C0C07398F");

	(void) state;
	assert_int_equal(layout_unix_ms(words), UNIX_MS);
	assert_int_equal(layout_head(words) & 0xFFF, 0xCC3);
	assert_int_equal(layout_tail(words), UINT64_C(0x18C4DC0C0C07398F));
	assert_words_equal(layout_pack(7, UNIX_MS << 12 | 0xCC3, UINT64_C(0x18C4DC0C0C07398F)), words);
}

/* Sections 5.9 and 5.10. */
static void
nil_and_max(void **state)
{
	(void) state;
	assert_words_equal(UUID_WORDS_NIL, uuid("00000000-0000-0000-0000-000000000000"));
	assert_words_equal(UUID_WORDS_MAX, uuid("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"));
	for (int version = 0; version < 16; version++)
	{
		assert_false(layout_is(UUID_WORDS_NIL, version));
		assert_false(layout_is(UUID_WORDS_MAX, version));
	}
	assert_false(layout_is_gregorian(UUID_WORDS_NIL) || layout_is_gregorian(UUID_WORDS_MAX));
	assert_false(layout_is_iuid(UUID_WORDS_NIL) || layout_is_iuid(UUID_WORDS_MAX));
	assert_false(layout_is_boundary(UUID_WORDS_NIL) || layout_is_boundary(UUID_WORDS_MAX));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_and_variant),
		cmocka_unit_test(uuidv1),
		cmocka_unit_test(uuidv6),
		cmocka_unit_test(uuidv7),
		cmocka_unit_test(nil_and_max),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
