/*-------------------------------------------------------------------------
 *
 * base32.c
 *	  The text form of a ULID.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "pure/base32.h"

#define ALPHABET	"0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/* Digit by digit from the bits, where two more lead the 128. */
static void
encode_slowly(UuidWords words, char *digits)
{
	digits[0] = ALPHABET[bits(words, 0, 3)];
	for (int i = 1; i < 26; i++)
		digits[i] = ALPHABET[bits(words, i * 5 - 2, 5)];
}

static void
assert_pair(const char *text, const char *digits)
{
	char		encoded[26];
	UuidWords	decoded;

	base32_encode(uuid(text), encoded);
	assert_memory_equal(encoded, digits, 26);
	assert_true(base32_decode(digits, &decoded));
	assert_words_equal(decoded, uuid(text));
}

static void
known_answers(void **state)
{
	(void) state;
	/* the example of the specification */
	assert_pair("01563e3a-b5d3-d676-4c61-efb99302bd5b", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
	/* least, greatest, and each bit at both ends of a word */
	assert_pair("00000000-0000-0000-0000-000000000000", "00000000000000000000000000");
	assert_pair("ffffffff-ffff-ffff-ffff-ffffffffffff", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
	assert_pair("80000000-0000-0000-0000-000000000000", "40000000000000000000000000");
	assert_pair("00000000-0000-0001-0000-000000000000", "0000000000000G000000000000");
	assert_pair("00000000-0000-0000-8000-000000000000", "00000000000008000000000000");
	assert_pair("00000000-0000-0000-0000-000000000001", "00000000000000000000000001");
}

static void
encodes_and_decodes(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	words = random_words(round);
		UuidWords	decoded;
		char		digits[26];
		char		expected[26];

		base32_encode(words, digits);
		encode_slowly(words, expected);
		assert_memory_equal(digits, expected, 26);
		assert_true(base32_decode(digits, &decoded));
		assert_words_equal(decoded, words);
	}
}

static void
keeps_the_order(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS; round++)
	{
		UuidWords	a = random_words(round);
		UuidWords	b = round % 2 ? random_words(round + 1) : (UuidWords) {a.hi, next_random()};
		char		a_digits[26];
		char		b_digits[26];
		int			order;

		base32_encode(a, a_digits);
		base32_encode(b, b_digits);
		order = memcmp(a_digits, b_digits, 26);
		assert_int_equal((order > 0) - (order < 0), layout_compare(a, b));
	}
}

/* Every byte at every place: the digits in both cases and the look-alikes. */
static void
takes_digits_only(void **state)
{
	(void) state;
	for (int place = 0; place < 26; place++)
		for (int byte = 0; byte < 256; byte++)
		{
			const char *digit = byte ? strchr(ALPHABET, byte >= 'a' && byte <= 'z' ? byte - 32 : byte) : NULL;
			int			value = digit ? (int) (digit - ALPHABET) :
				byte && strchr("Oo", byte) ? 0 :
				byte && strchr("IiLl", byte) ? 1 : -1;
			char		digits[26];
			char		expected[26];
			UuidWords	words = {1, 2};

			memset(digits, '0', 26);
			digits[place] = (char) byte;
			if (value < 0 || (place == 0 && value > 7))
			{
				assert_false(base32_decode(digits, &words));
				assert_words_equal(words, (UuidWords) {1, 2});
				continue;
			}
			assert_true(base32_decode(digits, &words));
			base32_encode(words, digits);
			memset(expected, '0', 26);
			expected[place] = ALPHABET[value];
			assert_memory_equal(digits, expected, 26);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(encodes_and_decodes),
		cmocka_unit_test(keeps_the_order),
		cmocka_unit_test(takes_digits_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
