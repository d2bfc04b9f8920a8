/*-------------------------------------------------------------------------
 *
 * schemes.c
 *	  Laws of the table in src/pure/schemes.  What each scheme's own sources say
 *	  of its ids is in test/sql/uid.sql.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "pure/schemes/scheme.h"

#define TRIES	2000

/* Values whose bits are random, all zero or all one. */
static UidValue
random_value(const UidScheme *scheme, int round)
{
	unsigned char random[24];
	UidValue	value;

	for (int i = 0; i < 24; i += 8)
		layout_store64(random + i, round == 0 ? 0 : round == 1 ? UINT64_MAX : next_random());
	assert_true(scheme_generate(scheme, UINT64_C(1800000000000000000) + next_random() % UINT64_C(100000000000000000),
								random, &value));
	return value;
}

static void
tables_are_whole(void **state)
{
	const UidScheme *scheme;
	int			n;

	(void) state;
	for (n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		int			bits = 0;
		int			times = 0;
		UidScheme	found;
		char		layout[200];

		for (const UidField *field = scheme->fields; field->kind != UID_END; field++)
		{
			/* print_hex() takes whole bytes */
			assert_true(field->kind != UID_HEX || (bits % 8 == 0 && field->bits % 8 == 0));
			assert_true(field->kind == UID_HEX || field->kind == UID_RANDOM || field->bits <= 64);
			times += field->kind == UID_TIME;
			bits += field->bits;
		}
		assert_int_equal(bits, scheme->bytes * 8);
		assert_true(scheme->time != NULL || times == 1);
		assert_true(scheme->written != NULL || scheme->alphabet != NULL);
		assert_true(scheme->digits <= UID_TEXT_MAX);
		assert_true(!scheme->same_bits || scheme->bytes == 16);
		assert_true(scheme->same_bits || scheme->time != NULL || scheme->tick_ns % 1000000 == 0);
		assert_non_null(scheme->source);
		scheme_layout(scheme, layout, sizeof(layout));
		assert_true(strlen(layout) < sizeof(layout) - 1);

		assert_null(scheme_find(scheme->name, (int) strlen(scheme->name), &found));
		assert_string_equal(found.name, scheme->name);
	}
	assert_int_equal(n, 28);
	assert_null(scheme_number(n));
}

static void
text_and_uuid_give_ids_back(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		if (scheme->time)
			continue;
		for (int round = 0; round < TRIES; round++)
		{
			UidValue	value = random_value(scheme, round);
			UidValue	back;
			UuidWords	words;
			uint64_t	unix_us;
			char		text[UID_TEXT_MAX];
			char		fields[512];
			int			place;
			int			length = scheme_format(scheme, &value, text);

			assert_int_equal(scheme_parse(scheme, text, length, &back, &place), UID_OK);
			assert_memory_equal(back.bytes, value.bytes, UID_BYTES_MAX);

			assert_true(scheme_time(scheme, &value, &unix_us));
			assert_true(unix_us > UINT64_C(1799999990000000) && unix_us < UINT64_C(1900000000000000));
			scheme_fields(scheme, &value, fields, sizeof(fields));
			assert_int_equal(fields[strlen(fields) - 1], '}');

			assert_true(scheme_to_uuid(scheme, &value, &words));
			assert_int_equal(scheme_from_uuid(scheme, words, &back), scheme_fits_uuid(scheme));
			if (scheme_fits_uuid(scheme))
				assert_memory_equal(back.bytes, value.bytes, UID_BYTES_MAX);
			if (!scheme->same_bits)
			{
				assert_true(layout_is(words, 7));
				assert_int_equal(layout_unix_ms(words), unix_us / 1000);
			}
		}
	}
}

static int
sign(int number)
{
	return (number > 0) - (number < 0);
}

/* Ids sort as their uuids; those that a uuid does not hold may become equal. */
static void
uuids_keep_the_order(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		if (scheme->time)
			continue;
		for (int round = 0; round < TRIES; round++)
		{
			UidValue	a = random_value(scheme, round);
			UidValue	b = random_value(scheme, round + 1);
			UuidWords	a_words;
			UuidWords	b_words;
			int			order;

			/* half of them of one tick */
			if (round % 2)
			{
				b = a;
				b.bytes[scheme->bytes - 1 - next_random() % (scheme->bytes / 2)] ^= 0x15;
				if (scheme_check(scheme, &b) != UID_OK)
					continue;
			}
			assert_true(scheme_to_uuid(scheme, &a, &a_words) && scheme_to_uuid(scheme, &b, &b_words));
			order = layout_compare(a_words, b_words);
			if (order != 0 || scheme_fits_uuid(scheme))
				assert_int_equal(order, sign(memcmp(a.bytes, b.bytes, UID_BYTES_MAX)));
		}
	}
}

/* The least id of a tick has the tick's time; one less is before it. */
static void
boundaries_are_least(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		uint64_t	tick_us = scheme->tick_ns / 1000;

		if (!scheme_is_bigint(scheme))
			continue;
		for (int round = 0; round < TRIES; round++)
		{
			uint64_t	unix_us = (uint64_t) scheme->epoch_ms * 1000 + next_random() % (UINT64_C(1) << 50);
			uint64_t	time;
			uint64_t	id;
			UidValue	value;

			assert_true(scheme_boundary(scheme, unix_us, &value) && scheme_time(scheme, &value, &time));
			assert_true(time <= unix_us && unix_us < time + tick_us);
			id = layout_load64(value.bytes);
			if (id > 0)
			{
				layout_store64(value.bytes, id - 1);
				assert_true(scheme_time(scheme, &value, &time) && time + tick_us <= unix_us);
			}
		}
		if (scheme->epoch_ms > 0)
		{
			UidValue	value;

			assert_false(scheme_boundary(scheme, (uint64_t) scheme->epoch_ms * 1000 - 1, &value));
		}
	}
}

/* Bits at every place, against a slow reading. */
static void
bits_are_where_they_are(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS / 10; round++)
	{
		UidValue	value = {{0}};
		UidValue	set;
		int			bits = 1 + (int) (next_random() % 64);
		int			from = (int) (next_random() % (uint64_t) (160 - bits + 1));
		uint64_t	expected = 0;

		for (int i = 0; i < UID_BYTES_MAX; i++)
			value.bytes[i] = (unsigned char) next_random();
		for (int bit = from; bit < from + bits; bit++)
			expected = expected << 1 | (value.bytes[bit / 8] >> (7 - bit % 8) & 1);
		assert_int_equal(uid_bits(&value, from, bits), expected);

		set = value;
		uid_bits_set(&set, from, bits, ~expected);
		assert_int_equal(uid_bits(&set, from, bits), ~expected & ONES(bits));
		uid_bits_set(&set, from, bits, expected);
		assert_memory_equal(set.bytes, value.bytes, UID_BYTES_MAX);
	}
}

/* No id is made of a time that its text does not hold. */
static void
times_end_with_their_digits(void **state)
{
	const uint64_t cuid_end_ms = UINT64_C(36) * 36 * 36 * 36 * 36 * 36 * 36 * 36;
	unsigned char random[UID_BYTES_MAX] = {0};
	UidValue	value;
	UidScheme	cuid;

	(void) state;
	assert_null(scheme_find("cuid", 4, &cuid));
	assert_true(scheme_generate(&cuid, cuid_end_ms * TICK_MS - 1, random, &value));
	assert_false(scheme_generate(&cuid, cuid_end_ms * TICK_MS, random, &value));
}

/* The least id has as many digits as its scheme wants at least, and is read back. */
static void
zeros_are_left_out_but_the_last(void **state)
{
	const UidScheme *scheme;

	(void) state;
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		char		text[UID_TEXT_MAX + 1];
		UidValue	least = {{0}};

		if (scheme->digits_min == 0 || scheme->written != NULL)
			continue;
		assert_int_equal(scheme_format(scheme, &least, text), scheme->digits_min);
	}
}

/* A TSID may be written in decimal digits, be it a single one. */
static void
decimal_tsids_begin_with_one_digit(void **state)
{
	UidValue	value;
	UidScheme	tsid;
	int			place;

	(void) state;
	assert_null(scheme_find("tsid", 4, &tsid));
	assert_int_equal(scheme_parse(&tsid, "7", 1, &value, &place), UID_OK);
	assert_int_equal(uid_bits(&value, 0, 64), 7);
}

/* The last time of a layout is at most the last that a UUIDv7 has: 2^48 - 1 ms. */
static void
last_times_fit_uuidv7(void **state)
{
	const char *fitting[] = {"snowflake:epoch=0,node=15", "snowflake:epoch=0,tick=2,node=16"};
	const char *beyond[] = {"snowflake:epoch=1,node=15", "snowflake:epoch=0,node=14", "snowflake:epoch=0,tick=3,node=16",
	"snowflake:281474976710655"};
	UidScheme	scheme;

	(void) state;
	for (int i = 0; i < 2; i++)
		assert_null(scheme_find(fitting[i], (int) strlen(fitting[i]), &scheme));
	for (int i = 0; i < 4; i++)
		assert_string_equal(scheme_find(beyond[i], (int) strlen(beyond[i]), &scheme),
							"Its times would reach beyond the year 10889: give more bits to the fields.");
}

/* As uuid_in() of PostgreSQL: hyphens stand after four digits, and nowhere else. */
static void
hyphens_follow_four_digits(void **state)
{
	const char *good[] = {"00112233445566778899aabbccddeeff", "00112233-4455-6677-8899-AABBCCDDEEFF",
	"0011-2233-4455-6677-8899-aabb-ccdd-eeff", "{00112233445566778899aabbccddeeff}"};
	const char *bad[] = {"-00112233445566778899aabbccddeeff", "00112233445566778899aabbccddeeff-",
		"0-0112233445566778899aabbccddeeff", "001-12233445566778899aabbccddeeff", "0011--2233445566778899aabbccddeeff",
		"{-00112233445566778899aabbccddeeff}", "00112233445566778899aabbccddeef", "00112233445566778899aabbccddeeff0",
		"{00112233445566778899aabbccddeeff", "g0112233445566778899aabbccddeeff", "{}", "-",
	"<x00112233445566778899aabbccddeeff", "\020x00112233445566778899aabbccddeeff", "urn\032uuid\03200112233445566778899aabbccddeeff"};
	UuidWords	words;

	(void) state;
	for (int i = 0; i < 4; i++)
	{
		assert_true(uid_parse_uuid(good[i], (int) strlen(good[i]), &words));
		assert_words_equal(words, (UuidWords) {UINT64_C(0x0011223344556677), UINT64_C(0x8899aabbccddeeff)});
	}
	for (int i = 0; i < 15; i++)
		assert_false(uid_parse_uuid(bad[i], (int) strlen(bad[i]), &words));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_whole),
		cmocka_unit_test(text_and_uuid_give_ids_back),
		cmocka_unit_test(uuids_keep_the_order),
		cmocka_unit_test(boundaries_are_least),
		cmocka_unit_test(bits_are_where_they_are),
		cmocka_unit_test(times_end_with_their_digits),
		cmocka_unit_test(zeros_are_left_out_but_the_last),
		cmocka_unit_test(decimal_tsids_begin_with_one_digit),
		cmocka_unit_test(last_times_fit_uuidv7),
		cmocka_unit_test(hyphens_follow_four_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
