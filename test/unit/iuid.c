/*-------------------------------------------------------------------------
 *
 * iuid.c
 *	  The iUID: country and service entity inside version 8.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "pure/routing.h"

/* 2023-12-01 00:00:00 UTC */
#define UNIX_MS		UINT64_C(0x018C22ACD000)

static void
known_span(void **state)
{
	UuidWords	first = uuid("018c22ac-d000-8037-a940-000000000000");
	UuidWords	last = uuid("018c22ac-d000-8037-a97f-ffffffffffff");

	(void) state;
	assert_words_equal(layout_iuid_pack(UNIX_MS, 0x37, 0xa5, 0), first);
	assert_words_equal(layout_iuid_pack(UNIX_MS, 0x37, 0xa5, ONES(54)), last);
	assert_int_equal(layout_iuid_country(first), 55);
	assert_int_equal(layout_iuid_service_entity(first), 165);
	assert_int_equal(layout_iuid_service_entity(last), 165);
}

/* Every pair of fields, read back and found in its bits, tail untouched. */
static void
all_countries_and_service_entities(void **state)
{
	(void) state;
	for (int country = 0; country < 256; country++)
		for (int entity = 0; entity < 256; entity++)
		{
			uint64_t	unix_ms = field_value((country * 256 + entity) % 1000, 48);
			uint64_t	tail = field_value((country * 256 + entity) % 997, 54);
			UuidWords	words = layout_iuid_pack(unix_ms, (uint8_t) country, (uint8_t) entity, tail);

			assert_true(layout_is_iuid(words));
			assert_int_equal(layout_unix_ms(words), unix_ms);
			assert_int_equal(layout_iuid_version(words), 0);
			assert_int_equal(layout_iuid_country(words), country);
			assert_int_equal(layout_iuid_service_entity(words), entity);

			assert_int_equal(bits(words, 0, 48), unix_ms);
			assert_int_equal(bits(words, 48, 4), 8);
			assert_int_equal(bits(words, 52, 4), 0);
			assert_int_equal(bits(words, 56, 8), country);
			assert_int_equal(bits(words, 64, 2), 2);
			assert_int_equal(bits(words, 66, 8), entity);
			assert_int_equal(bits(words, 74, 54), tail);
		}
}

/* The entity's upper 6 bits are in byte 8, its lower 2 in byte 9. */
static void
service_entity_crosses_a_byte(void **state)
{
	(void) state;
	for (int entity = 0; entity < 256; entity++)
	{
		UuidWords	words = layout_iuid_pack(UNIX_MS, 0, (uint8_t) entity, 0);
		int			b8 = (int) bits(words, 64, 8);
		int			b9 = (int) bits(words, 72, 8);

		assert_int_equal((b8 & 0x3f) << 2 | b9 >> 6, entity);
	}
}

/* What is no iUID: other versions, variants and layout versions, boundary values. */
static const char *const strangers[] = {
	"018c22ac-d000-704c-a940-000000000003",
	"018c22ac-d000-804c-2940-000000000003",
	"018c22ac-d000-814c-a940-000000000003",
	"018c22ac-d000-0000-0000-000000000000",
	"00000000-0000-0000-0000-000000000000",
	"ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/* The remainder of 257 is the country, or 256; that of its multiples splits it by the tail. */
static void
route_is_the_country(void **state)
{
	(void) state;
	for (int country = 0; country < 256; country++)
	{
		uint64_t	tail = next_random() & ONES(54);
		UuidWords	words = layout_iuid_pack(UNIX_MS, (uint8_t) country, 0, tail);

		assert_int_equal(country_hash64(words), (uint64_t) country + 257 * tail);
		assert_int_equal(country_hash64(words) % 257, country);
		assert_int_equal(country_hash64(words) % 514, country + (tail & 1) * 257);
	}
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		assert_int_equal(country_hash64(uuid(strangers[i])) % 257, 256);
}

/* The bits of the country from right to left, then the last 24 of the id. */
static void
shards_are_far_apart(void **state)
{
	(void) state;
	for (int country = 0; country < 256; country++)
	{
		uint64_t	tail = next_random() & ONES(54);
		uint32_t	hash = country_hash32(layout_iuid_pack(UNIX_MS, (uint8_t) country, 255, tail));

		for (int bit = 0; bit < 8; bit++)
			assert_int_equal(hash >> (31 - bit) & 1, country >> bit & 1);
		assert_int_equal(hash & 0xffffff, tail & 0xffffff);
	}
	assert_int_equal(country_hash32(uuid("018c22ac-d000-804c-a940-000000000003")), UINT32_C(0x32000003));
}

/* What is no iUID is spread over the range of country 0. */
static void
strangers_lie_with_country_0(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
	{
		UuidWords	words = uuid(strangers[i]);

		assert_int_equal(country_hash32(words), (words.hi >> 16 ^ words.lo) & 0xffffff);
	}
	assert_int_equal(country_hash32(uuid("018c22ac-d000-0000-0000-000000000000")), UINT32_C(0xacd000));
	assert_int_equal(country_hash32(uuid("919108f7-52d1-4320-9bac-f847db4148a8")), UINT32_C(0xb61a79));
}

/* The type takes iUIDs and boundary values, nil and max among these. */
static void
type_takes_boundaries(void **state)
{
	(void) state;
	assert_true(layout_fits_iuid(uuid("018c22ac-d000-8037-a940-000000000000")));
	assert_true(layout_fits_iuid(layout_boundary(UNIX_MS)));
	assert_true(layout_fits_iuid(UUID_WORDS_NIL));
	assert_true(layout_fits_iuid(UUID_WORDS_MAX));
	for (int bit = 0; bit < 80; bit++)
	{
		UuidWords	words = layout_boundary(UNIX_MS);

		if (bit < 64)
			words.lo |= UINT64_C(1) << bit;
		else
			words.hi |= UINT64_C(1) << (bit - 64);
		assert_false(layout_fits_iuid(words));
		assert_false(layout_fits_iuid((UuidWords) {~words.hi, ~words.lo}));
	}
	for (int i = 0; i < 3; i++)
		assert_false(layout_fits_iuid(uuid(strangers[i])));
}

static void
only_version_8_with_layout_version_0(void **state)
{
	(void) state;
	for (int version = 0; version < 16; version++)
		for (int variant = 0; variant < 4; variant++)
			for (int layout_version = 0; layout_version < 16; layout_version++)
			{
				UuidWords	words = {
					UNIX_MS << 16 | (uint64_t) version << 12 | (uint64_t) layout_version << 8 | 0x37,
					(uint64_t) variant << 62 | (next_random() & ONES(62))
				};

				assert_int_equal(layout_iuid_version(words), layout_version);
				assert_int_equal(layout_is_iuid(words),
								 version == 8 && variant == 2 && layout_version == 0);
				assert_int_equal(layout_is_later_iuid(words),
								 version == 8 && variant == 2 && layout_version != 0);
				words.hi |= UINT64_C(1) << 58;
				assert_false(layout_is_later_iuid(words));
			}
}

/* Fields are new; the 16 bits behind the milliseconds and the last 38 are the tail. */
static void
other_ids_become_iuids(void **state)
{
	(void) state;
	for (int i = 0; i < 1000; i++)
	{
		UuidWords	id = {next_random(), next_random()};
		uint8_t		country = (uint8_t) i;
		uint8_t		service_entity = (uint8_t) (i / 3);
		UuidWords	words = layout_to_iuid(id, country, service_entity);

		assert_true(layout_is_iuid(words));
		assert_int_equal(layout_unix_ms(words), layout_unix_ms(id));
		assert_int_equal(layout_iuid_country(words), country);
		assert_int_equal(layout_iuid_service_entity(words), service_entity);
		assert_int_equal(words.lo >> 38 & ONES(16), id.hi & ONES(16));
		assert_int_equal(words.lo & ONES(38), id.lo & ONES(38));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_span),
		cmocka_unit_test(all_countries_and_service_entities),
		cmocka_unit_test(service_entity_crosses_a_byte),
		cmocka_unit_test(route_is_the_country),
		cmocka_unit_test(shards_are_far_apart),
		cmocka_unit_test(other_ids_become_iuids),
		cmocka_unit_test(strangers_lie_with_country_0),
		cmocka_unit_test(type_takes_boundaries),
		cmocka_unit_test(only_version_8_with_layout_version_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
