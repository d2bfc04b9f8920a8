/*-------------------------------------------------------------------------
 *
 * baseconv.c
 *	  Bytes as digits of an alphabet.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "pure/base32.h"
#include "pure/baseconv.h"

typedef struct Numbers
{
	const char *alphabet;
	int			length;
	int			width;
} Numbers;

/* The narrowest width of each length, and wider ones. */
static const Numbers numbers[] = {
	{BASE58_DIGITS, 16, 22},
	{BASE62_DIGITS, 16, 22},
	{BASE62_DIGITS, 20, 27},
	{BASE32_DIGITS, 16, 26},
	{BASE32_DIGITS, 8, 13},
	{BASE64URL_DIGITS, 15, 20},
	{BASE62_DIGITS, 8, 11},
	{BASE62_DIGITS, 8, 14},
	{BASE62_DIGITS, 3, 5},
	{"01", 1, 8},
	{"0123456789", 20, 49},
};

typedef struct Bits
{
	const char *alphabet;
	int			digit_bits;
	int			length;
	int			width;
} Bits;

static const Bits bit_forms[] = {
	{BASE32HEX_DIGITS, 5, 16, 26},
	{BASE64URL_DIGITS, 6, 16, 22},
	{BASE32HEX_DIGITS, 5, 12, 20},
	{BASE64URL_DIGITS, 6, 15, 20},
	{BASE64URL_DIGITS, 6, 1, 2},
	{"0123456789abcdef", 4, 12, 24},
	{"01", 1, 3, 24},
};

#define LENGTH_OF(array)	((int) (sizeof(array) / sizeof((array)[0])))

static void
random_bytes(int round, unsigned char *bytes)
{
	layout_store(bytes, random_words(round));
	layout_store64(bytes + 16, field_value(round % 256, 64));
}

/* One digit at a time, by division of the bytes. */
static void
encode_slowly(const Numbers *form, const unsigned char *bytes, char *digits)
{
	int			base = (int) strlen(form->alphabet);
	unsigned char number[24];

	memcpy(number, bytes, form->length);
	for (int place = form->width - 1; place >= 0; place--)
	{
		int			remainder = 0;

		for (int i = 0; i < form->length; i++)
		{
			int			dividend = remainder * 256 + number[i];

			number[i] = (unsigned char) (dividend / base);
			remainder = dividend % base;
		}
		digits[place] = form->alphabet[remainder];
	}
}

static void
numbers_encode_and_decode(void **state)
{
	(void) state;
	for (int i = 0; i < LENGTH_OF(numbers); i++)
		for (int round = 0; round < ROUNDS / 10; round++)
		{
			const Numbers *form = &numbers[i];
			unsigned char bytes[24];
			unsigned char decoded[24];
			char		digits[64];
			char		expected[64];

			random_bytes(round, bytes);
			assert_true(number_encode(form->alphabet, bytes, form->length, digits, form->width));
			encode_slowly(form, bytes, expected);
			assert_memory_equal(digits, expected, form->width);
			assert_true(number_decode(form->alphabet, digits, form->width, decoded, form->length));
			assert_memory_equal(decoded, bytes, form->length);
		}
}

/* The greatest number fits, the next does not, and neither do all greatest digits. */
static void
numbers_overflow(void **state)
{
	(void) state;
	for (int i = 0; i < LENGTH_OF(numbers); i++)
	{
		const Numbers *form = &numbers[i];
		int			base = (int) strlen(form->alphabet);
		unsigned char bytes[24];
		unsigned char decoded[24];
		char		digits[64];
		int			place = form->width - 1;
		bool		all_greatest = true;

		memset(bytes, 0xff, sizeof(bytes));
		assert_true(number_encode(form->alphabet, bytes, form->length, digits, form->width));
		assert_true(number_decode(form->alphabet, digits, form->width, decoded, form->length));
		assert_memory_equal(decoded, bytes, form->length);

		for (int j = 0; j < form->width; j++)
			all_greatest = all_greatest && digits[j] == form->alphabet[base - 1];
		if (all_greatest)
			continue;			/* bits and digits end together */

		while (digits[place] == form->alphabet[base - 1])
			digits[place--] = form->alphabet[0];
		digits[place] = strchr(form->alphabet, digits[place])[1];
		assert_false(number_decode(form->alphabet, digits, form->width, decoded, form->length));
		memset(digits, form->alphabet[base - 1], form->width);
		assert_false(number_decode(form->alphabet, digits, form->width, decoded, form->length));
	}
}

static void
numbers_need_their_width(void **state)
{
	unsigned char bytes[16] = {0};
	char		digits[22];

	(void) state;
	assert_true(number_encode(BASE62_DIGITS, bytes, 16, digits, 1));
	bytes[15] = 61;
	assert_true(number_encode(BASE62_DIGITS, bytes, 16, digits, 1));
	assert_int_equal(digits[0], 'z');
	bytes[15] = 62;
	assert_false(number_encode(BASE62_DIGITS, bytes, 16, digits, 1));
	assert_true(number_encode(BASE62_DIGITS, bytes, 16, digits, 2));
	assert_memory_equal(digits, "10", 2);
	memset(bytes, 0xff, 16);
	assert_false(number_encode(BASE62_DIGITS, bytes, 16, digits, 21));
}

static void
bits_encode_and_decode(void **state)
{
	(void) state;
	for (int i = 0; i < LENGTH_OF(bit_forms); i++)
		for (int round = 0; round < ROUNDS / 10; round++)
		{
			const Bits *form = &bit_forms[i];
			unsigned char bytes[24];
			unsigned char decoded[24];
			char		digits[64];

			random_bytes(round, bytes);
			assert_int_equal(bits_width(form->digit_bits, form->length), form->width);
			bits_encode(form->alphabet, form->digit_bits, bytes, form->length, digits);
			for (int j = 0; j < form->width; j++)
			{
				int			value = 0;

				for (int bit = j * form->digit_bits; bit < (j + 1) * form->digit_bits; bit++)
					value = value * 2 + (bit < form->length * 8 ? bytes[bit / 8] >> (7 - bit % 8) & 1 : 0);
				assert_int_equal(digits[j], form->alphabet[value]);
			}
			assert_true(bits_decode(form->alphabet, form->digit_bits, digits, decoded, form->length));
			assert_memory_equal(decoded, bytes, form->length);
		}
}

/* The same bytes have one text only. */
static void
bits_that_no_byte_takes(void **state)
{
	(void) state;
	for (int i = 0; i < LENGTH_OF(bit_forms); i++)
	{
		const Bits *form = &bit_forms[i];
		int			spare = form->width * form->digit_bits - form->length * 8;
		unsigned char bytes[24] = {0};
		char		digits[64];

		for (int value = 0; value < 1 << form->digit_bits; value++)
		{
			memset(digits, form->alphabet[0], form->width);
			digits[form->width - 1] = form->alphabet[value];
			assert_int_equal(bits_decode(form->alphabet, form->digit_bits, digits, bytes, form->length),
							 value % (1 << spare) == 0);
		}
	}
}

/* Every byte at every place. */
static void
takes_digits_only(void **state)
{
	(void) state;
	for (int place = 0; place < 22; place++)
		for (int byte = 0; byte < 256; byte++)
		{
			unsigned char bytes[16];
			char		digits[22];
			bool		in58 = byte != 0 && strchr(BASE58_DIGITS, byte);
			bool		in64 = byte != 0 && strchr(BASE64URL_DIGITS, byte);

			memset(digits, '1', 22);
			digits[place] = (char) byte;
			assert_int_equal(number_decode(BASE58_DIGITS, digits, 22, bytes, 16),
							 in58 && (place > 0 || byte <= 'Y'));
			memset(digits, 'A', 22);
			digits[place] = (char) byte;
			assert_int_equal(bits_decode(BASE64URL_DIGITS, 6, digits, bytes, 16),
							 in64 && (place < 21 || strchr("AQgw", byte)));
		}
}

static void
keeps_the_order(void **state)
{
	(void) state;
	for (int round = 0; round < ROUNDS / 4; round++)
	{
		unsigned char a[24];
		unsigned char b[24];
		char		a_digits[64];
		char		b_digits[64];
		int			order;

		random_bytes(round, a);
		random_bytes(round + 1, b);
		if (round % 2)
			memcpy(b, a, 1 + round % 15);
		order = memcmp(a, b, 16);

		number_encode(BASE58_DIGITS, a, 16, a_digits, 22);
		number_encode(BASE58_DIGITS, b, 16, b_digits, 22);
		assert_true((memcmp(a_digits, b_digits, 22) > 0) == (order > 0));
		bits_encode(BASE32HEX_DIGITS, 5, a, 16, a_digits);
		bits_encode(BASE32HEX_DIGITS, 5, b, 16, b_digits);
		assert_true((memcmp(a_digits, b_digits, 26) > 0) == (order > 0));
	}
}

/* RFC 4648, section 10; KSUID's greatest; the max UUID by other people's programs. */
static void
known_answers(void **state)
{
	unsigned char bytes[24];
	char		digits[64];

	(void) state;
	bits_encode(BASE32HEX_DIGITS, 5, (const unsigned char *) "foobar", 6, digits);
	assert_memory_equal(digits, "CPNMUOJ1E8", 10);
	bits_encode(BASE64URL_DIGITS, 6, (const unsigned char *) "fooba", 5, digits);
	assert_memory_equal(digits, "Zm9vYmE", 7);

	memset(bytes, 0xff, sizeof(bytes));
	assert_true(number_encode(BASE62_DIGITS, bytes, 20, digits, 27));
	assert_memory_equal(digits, "aWgEPTl1tmebfsQzFP4bxwgy80V", 27);
	assert_true(number_encode(BASE58_DIGITS, bytes, 16, digits, 22));
	assert_memory_equal(digits, "YcVfxkQb6JRzqk5kF2tNLv", 22);
	assert_true(number_encode(BASE62_DIGITS, bytes, 16, digits, 22));
	assert_memory_equal(digits, "7n42DGM5Tflk9n8mt7Fhc7", 22);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_encode_and_decode),
		cmocka_unit_test(numbers_overflow),
		cmocka_unit_test(numbers_need_their_width),
		cmocka_unit_test(bits_encode_and_decode),
		cmocka_unit_test(bits_that_no_byte_takes),
		cmocka_unit_test(takes_digits_only),
		cmocka_unit_test(keeps_the_order),
		cmocka_unit_test(known_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
