/*-------------------------------------------------------------------------
 *
 * fuzz.c
 *	  Laws of layout.h that hold for all 16 bytes, for libFuzzer to break.
 *
 * The unit tests know what each layout looks like.  Here nothing is known but
 * that reading never goes wrong, that what was taken apart can be put together
 * again, and that order is kept.
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>
#include <stdlib.h>

#include "pure/routing.h"

#define CHECK(law)	do { if (!(law)) abort(); } while (0)

#define NS_PER_MS	1000000

/* Two ids and what they are made of. */
#define INPUT_SIZE	32

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
sign(int number)
{
	return (number > 0) - (number < 0);
}

static void
bytes_and_words(const unsigned char *bytes)
{
	unsigned char stored[16];

	layout_store(stored, layout_load(bytes));
	CHECK(memcmp(stored, bytes, sizeof(stored)) == 0);
}

/* Every reader takes every value, and stays in its range. */
static void
readers_stay_in_range(UuidWords id)
{
	CHECK(layout_version(id) >= 0 && layout_version(id) <= 15);
	CHECK(layout_variant(id) >= 0 && layout_variant(id) <= 3);
	CHECK(layout_head(id) <= LAYOUT_MASK(HEAD_BITS));
	CHECK(layout_tail(id) <= LAYOUT_MASK(TAIL_BITS));
	CHECK(layout_unix_ms(id) <= UNIX_MS_MAX);
	CHECK(layout_suffix_unix_ms(id) <= UNIX_MS_MAX);
	CHECK(layout_gregorian_timestamp(id) <= GREGORIAN_MAX);
	CHECK(layout_short_comb_block(id) >= 0 && layout_short_comb_block(id) <= 65535);
	CHECK(layout_iuid_version(id) >= 0 && layout_iuid_version(id) <= 15);
	CHECK(layout_iuid_country(id) >= 0 && layout_iuid_country(id) <= 255);
	CHECK(layout_iuid_service_entity(id) >= 0 && layout_iuid_service_entity(id) <= 255);
	CHECK((int) (country_hash64(id) % IUID_SLOTS) == (layout_is_iuid(id) ? layout_iuid_country(id) : 256));
	CHECK(!layout_is_iuid(id) || (country_hash32(id) & LAYOUT_MASK(24)) == (id.lo & LAYOUT_MASK(24)));
	CHECK(!layout_is_iuid(id) || layout_fits_iuid(id));
	CHECK(layout_is(id, layout_version(id)) == (layout_variant(id) == LAYOUT_VARIANT_RFC));
	CHECK(!(layout_is_iuid(id) && layout_is_gregorian(id)));
	CHECK(!(layout_is_boundary(id) && layout_variant(id) == LAYOUT_VARIANT_RFC));
	CHECK(!(layout_is_boundary(id) && layout_equal(id, UUID_WORDS_NIL)));
}

/* Packing what was unpacked gives the same id, where the layout is that one. */
static void
pack_undoes_unpack(UuidWords id)
{
	UuidWords	framed = layout_pack(layout_version(id), layout_head(id), layout_tail(id));

	CHECK(layout_variant(framed) == LAYOUT_VARIANT_RFC);
	CHECK(layout_version(framed) == layout_version(id));
	CHECK(layout_head(framed) == layout_head(id));
	CHECK(layout_tail(framed) == layout_tail(id));
	CHECK(layout_equal(framed, id) == (layout_variant(id) == LAYOUT_VARIANT_RFC));

	if (layout_is_iuid(id))
		CHECK(layout_equal(id, layout_iuid_pack(layout_unix_ms(id),
												(uint8_t) layout_iuid_country(id),
												(uint8_t) layout_iuid_service_entity(id),
												id.lo & LAYOUT_MASK(IUID_TAIL_BITS))));
	if (layout_is_boundary(id))
		CHECK(layout_equal(id, layout_boundary(layout_unix_ms(id))));
}

static void
unpack_undoes_pack(uint64_t time, uint64_t random)
{
	static const int versions[] = {1, 6, 13};
	uint64_t	unix_ms = time & UNIX_MS_MAX;
	uint8_t		country = (uint8_t) random;
	uint8_t		service_entity = (uint8_t) (random >> 8);
	UuidWords	id = layout_iuid_pack(unix_ms, country, service_entity, random & LAYOUT_MASK(IUID_TAIL_BITS));

	CHECK(layout_is_iuid(id));
	CHECK(layout_unix_ms(id) == unix_ms);
	CHECK(layout_iuid_country(id) == country);
	CHECK(layout_iuid_service_entity(id) == service_entity);

	for (int i = 0; i < 3; i++)
	{
		id = layout_gregorian_pack(versions[i], time & GREGORIAN_MAX, random & LAYOUT_MASK(GREGORIAN_RANDOM_BITS));
		CHECK(layout_is(id, versions[i]));
		CHECK(layout_gregorian_timestamp(id) == (time & GREGORIAN_MAX));
		CHECK(layout_tail(id) >> NODE_MULTICAST_SHIFT & 1);
	}
}

static void
converters_are_inverse(UuidWords id)
{
	uint64_t	head = layout_head(id);

	CHECK(layout_v1_unshuffle(layout_v1_shuffle(head)) == head);
	CHECK(layout_v1_shuffle(layout_v1_unshuffle(head)) == head);
	CHECK(layout_equal(layout_swap_comb(layout_swap_comb(id)), id));
	CHECK(layout_equal(layout_swap_short_comb(layout_swap_short_comb(id)), id));
	CHECK(layout_equal(layout_swap_sqlserver(layout_swap_sqlserver(id)), id));
	CHECK(layout_equal(layout_from_mysql(layout_to_mysql(id)), id));
	CHECK(layout_equal(layout_to_mysql(layout_from_mysql(id)), id));

	/* the swaps of COMBs keep version and variant, and move the time */
	CHECK(layout_version(layout_swap_comb(id)) == layout_version(id));
	CHECK(layout_variant(layout_swap_comb(id)) == layout_variant(id));
	CHECK(layout_version(layout_swap_short_comb(id)) == layout_version(id));
	CHECK(layout_variant(layout_swap_short_comb(id)) == layout_variant(id));
	CHECK(layout_suffix_unix_ms(layout_swap_comb(id)) == layout_unix_ms(id));
}

/* Comparing words is comparing bytes; SQL Server's order is one, too. */
static void
order_is_kept(const unsigned char *a_bytes, const unsigned char *b_bytes)
{
	static const int sqlserver[] = {10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3};
	UuidWords	a = layout_load(a_bytes);
	UuidWords	b = layout_load(b_bytes);
	int			slow = 0;

	CHECK(layout_compare(a, b) == sign(memcmp(a_bytes, b_bytes, 16)));
	CHECK((layout_compare(a, b) == 0) == layout_equal(a, b));

	for (int i = 0; i < 16 && slow == 0; i++)
		slow = sign(a_bytes[sqlserver[i]] - b_bytes[sqlserver[i]]);
	CHECK(layout_compare(layout_sqlserver_key(a), layout_sqlserver_key(b)) == slow);
}

/* Boundaries lie in the order of their times, each below all ids of its own. */
static void
boundaries_are_ordered(UuidWords a, UuidWords b)
{
	uint64_t	a_ms = layout_unix_ms(a);
	uint64_t	b_ms = layout_unix_ms(b);
	uint64_t	a_head = layout_head(a);

	CHECK(layout_compare(layout_boundary(a_ms), a) <= 0);
	CHECK(a_ms == UNIX_MS_MAX || layout_compare(a, layout_boundary(a_ms + 1)) < 0);
	CHECK(layout_compare(layout_boundary(a_ms), layout_boundary(b_ms)) == (a_ms > b_ms) - (a_ms < b_ms));
	CHECK(layout_gregorian_boundary(a_head).lo == 0);
	CHECK(layout_compare(layout_gregorian_boundary(a_head),
						 layout_gregorian_pack(6, a_head, layout_tail(b) & LAYOUT_MASK(GREGORIAN_RANDOM_BITS))) < 0);
}

/* Ticks of v7 never step back, and stay within their millisecond. */
static void
ticks_are_ordered(uint64_t unix_ms, uint32_t a_ns, uint32_t b_ns)
{
	uint64_t	a = layout_uuidv7_ticks(unix_ms, a_ns);
	uint64_t	b = layout_uuidv7_ticks(unix_ms, b_ns);

	CHECK(a / UUIDV7_TICKS_PER_MS == unix_ms && b / UUIDV7_TICKS_PER_MS == unix_ms);
	CHECK(a_ns > b_ns || a <= b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t		bytes[INPUT_SIZE] = {0};
	UuidWords	a;
	UuidWords	b;

	if (size > 0)
		memcpy(bytes, data, size < INPUT_SIZE ? size : INPUT_SIZE);
	a = layout_load(bytes);
	b = layout_load(bytes + 16);

	bytes_and_words(bytes);
	readers_stay_in_range(a);
	pack_undoes_unpack(a);
	unpack_undoes_pack(a.hi, b.lo);
	converters_are_inverse(a);
	order_is_kept(bytes, bytes + 16);
	boundaries_are_ordered(a, b);
	ticks_are_ordered(layout_unix_ms(a), (uint32_t) (b.hi % NS_PER_MS), (uint32_t) (b.lo % NS_PER_MS));
	return 0;
}
