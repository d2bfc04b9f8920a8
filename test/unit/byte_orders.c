/*-------------------------------------------------------------------------
 *
 * byte_orders.c
 *	  How SQL Server and MySQL write and sort the 16 bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

/* Which byte of an id is found at each place. */
static const int sqlserver_text[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
static const int sqlserver_sort[16] = {10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3};
static const int mysql_swapped[16] = {6, 7, 4, 5, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};

static UuidWords
permute(UuidWords words, const int *places)
{
	unsigned char bytes[16];
	unsigned char permuted[16];

	layout_store(bytes, words);
	for (int i = 0; i < 16; i++)
		permuted[i] = bytes[places[i]];
	return layout_load(permuted);
}

static void
sqlserver_prints_three_groups_reversed(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);

		assert_words_equal(layout_swap_sqlserver(words), permute(words, sqlserver_text));
		assert_words_equal(layout_swap_sqlserver(layout_swap_sqlserver(words)), words);
	}
	assert_words_equal(layout_swap_sqlserver(uuid("b9586bd7-2062-e111-b36c-cc52afc9f2ed")),
					   uuid("d76b58b9-6220-11e1-b36c-cc52afc9f2ed"));
}

static void
mysql_swaps_the_time(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);

		assert_words_equal(layout_to_mysql(words), permute(words, mysql_swapped));
		assert_words_equal(layout_from_mysql(layout_to_mysql(words)), words);
		assert_words_equal(layout_to_mysql(layout_from_mysql(words)), words);
	}
	assert_words_equal(layout_to_mysql(uuid("6ccd780c-baba-1026-9564-5b8c656024db")),
					   uuid("1026baba-6ccd-780c-9564-5b8c656024db"));
}

static void
compare_is_the_order_of_bytes(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	a = random_words(round);
		UuidWords	b = round % 2 ? random_words(round + 1) : (UuidWords) {a.hi, next_random()};
		unsigned char a_bytes[16];
		unsigned char b_bytes[16];
		int			expected;

		layout_store(a_bytes, a);
		layout_store(b_bytes, b);
		expected = memcmp(a_bytes, b_bytes, 16);
		assert_int_equal(layout_compare(a, b), (expected > 0) - (expected < 0));
		assert_int_equal(layout_compare(b, a), (expected < 0) - (expected > 0));
		assert_int_equal(layout_compare(a, a), 0);
	}
}

static void
sqlserver_sorts_from_the_end(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);

		assert_words_equal(layout_sqlserver_key(words), permute(words, sqlserver_sort));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sqlserver_prints_three_groups_reversed),
		cmocka_unit_test(mysql_swaps_the_time),
		cmocka_unit_test(compare_is_the_order_of_bytes),
		cmocka_unit_test(sqlserver_sorts_from_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
