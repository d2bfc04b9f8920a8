/*-------------------------------------------------------------------------
 *
 * fuzz_digits.c
 *	  Laws of base32.h and baseconv.h that hold for all bytes and all texts,
 *	  for libFuzzer to break.
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>
#include <stdlib.h>

#include "pure/base32.h"
#include "pure/baseconv.h"

#define CHECK(law)	do { if (!(law)) abort(); } while (0)

#define INPUT_SIZE	32

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Digits of any bytes give the bytes back. */
static void
digits_undo_bytes(const unsigned char *bytes)
{
	unsigned char decoded[20];
	char		digits[32];
	UuidWords	words;

	base32_encode(layout_load(bytes), digits);
	CHECK(base32_decode(digits, &words) && layout_equal(words, layout_load(bytes)));
	CHECK(number_encode(BASE58_DIGITS, bytes, 16, digits, 22));
	CHECK(number_decode(BASE58_DIGITS, digits, 22, decoded, 16) && memcmp(decoded, bytes, 16) == 0);
	CHECK(number_encode(BASE62_DIGITS, bytes, 20, digits, 27));
	CHECK(number_decode(BASE62_DIGITS, digits, 27, decoded, 20) && memcmp(decoded, bytes, 20) == 0);
	bits_encode(BASE32HEX_DIGITS, 5, bytes, 16, digits);
	CHECK(bits_decode(BASE32HEX_DIGITS, 5, digits, decoded, 16) && memcmp(decoded, bytes, 16) == 0);
	bits_encode(BASE64URL_DIGITS, 6, bytes, 16, digits);
	CHECK(bits_decode(BASE64URL_DIGITS, 6, digits, decoded, 16) && memcmp(decoded, bytes, 16) == 0);
}

/* Any text is refused or, but for case and look-alikes, the only one of its bytes. */
static void
bytes_undo_digits(const char *text)
{
	unsigned char decoded[20];
	char		digits[32];
	UuidWords	words;

	if (base32_decode(text, &words))
	{
		UuidWords	back;

		base32_encode(words, digits);
		CHECK(base32_decode(digits, &back) && layout_equal(back, words));
	}
	if (number_decode(BASE58_DIGITS, text, 22, decoded, 16))
		CHECK(number_encode(BASE58_DIGITS, decoded, 16, digits, 22) && memcmp(digits, text, 22) == 0);
	if (number_decode(BASE62_DIGITS, text, 27, decoded, 20))
		CHECK(number_encode(BASE62_DIGITS, decoded, 20, digits, 27) && memcmp(digits, text, 27) == 0);
	if (bits_decode(BASE32HEX_DIGITS, 5, text, decoded, 16))
	{
		bits_encode(BASE32HEX_DIGITS, 5, decoded, 16, digits);
		CHECK(memcmp(digits, text, 26) == 0);
	}
	if (bits_decode(BASE64URL_DIGITS, 6, text, decoded, 16))
	{
		bits_encode(BASE64URL_DIGITS, 6, decoded, 16, digits);
		CHECK(memcmp(digits, text, 22) == 0);
	}
}

/* The same bytes brought near the alphabets, so that many are digits. */
static void
digits_of_an_alphabet(const unsigned char *bytes)
{
	char		text[INPUT_SIZE];

	for (int i = 0; i < INPUT_SIZE; i++)
		text[i] = BASE58_DIGITS[bytes[i] % 58];
	bytes_undo_digits(text);
	for (int i = 0; i < INPUT_SIZE; i++)
		text[i] = BASE32HEX_DIGITS[bytes[i] % 32];
	bytes_undo_digits(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t		bytes[INPUT_SIZE] = {0};

	if (size > 0)
		memcpy(bytes, data, size < INPUT_SIZE ? size : INPUT_SIZE);
	digits_undo_bytes(bytes);
	bytes_undo_digits((const char *) bytes);
	digits_of_an_alphabet(bytes);
	return 0;
}
