/*-------------------------------------------------------------------------
 *
 * baseconv.h
 *	  Bytes as digits of an alphabet, and back.
 *
 * There are two ways to do so.  One reads the bytes as a number and writes it
 * in a base, with leading zeros: base58, base62, and Crockford's base 32 as a
 * ULID has it (base32.h is faster at that one).  The other cuts the bits into
 * digits from the left and fills the last one up with zeros: base32hex and
 * base64url of RFC 4648.  Where the digits of an alphabet are in the order of
 * ASCII, texts of one width sort as the bytes do.
 *
 * Like layout.h, this needs no server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_BASECONV_H
#define UIDEXT_BASECONV_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* An alphabet is its digits in the order of their values. */
#define BASE32HEX_DIGITS	"0123456789ABCDEFGHIJKLMNOPQRSTUV"
#define BASE58_DIGITS \
	"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
#define BASE62_DIGITS \
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define BASE64URL_DIGITS \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/* The longest number. */
#define BASECONV_BYTES_MAX	20
#define BASECONV_LIMBS_MAX	((BASECONV_BYTES_MAX + 3) / 4)

/* As many digits of base 64, the largest, as 32 bits hold. */
#define BASECONV_GROUP		5

/* The value of a digit, or -1. */
static inline int
baseconv_value(const char *alphabet, int base, char digit)
{
	const char *found = memchr(alphabet, digit, base);

	return found ? (int) (found - alphabet) : -1;
}

/*
 * The values of all bytes, -1 for those that are not digits.  With many digits
 * to read, this is quicker than baseconv_value().
 */
static inline void
baseconv_values(const char *alphabet, signed char *values)
{
	memset(values, -1, 256);
	for (int value = 0; alphabet[value] != '\0'; value++)
		values[(unsigned char) alphabet[value]] = (signed char) value;
}

/*
 * The number of digits, from 1 to BASECONV_GROUP, of the group that ends at
 * the place.
 */
static inline int
baseconv_group(int place)
{
	return place < BASECONV_GROUP ? place : BASECONV_GROUP;
}

static inline uint32_t
baseconv_power(int base, int exponent)
{
	uint32_t	power = 1;

	while (exponent-- > 0)
		power *= base;
	return power;
}

/*
 * number_encode() for a base that is a compile-time constant, so that the
 * compiler can replace divisions by multiplications.
 */
static inline bool
number_encode_base(const char *alphabet, uint32_t base,
				   const unsigned char *bytes, int length,
				   char *digits, int width)
{
	uint32_t	power = base * base * base * base * base;
	uint32_t	number[BASECONV_LIMBS_MAX];
	uint32_t	limb = 0;
	uint32_t	rest = 0;
	int			limbs = 0;

	/* four bytes each, except the first */
	for (int i = 0; i < length; i++)
	{
		limb = limb << 8 | bytes[i];
		if ((length - i) % 4 == 1)
			number[limbs++] = limb;
	}

	for (int place = width; place > 0;)
	{
		uint64_t	remainder = 0;
		uint32_t	group;

		for (int i = 0; i < limbs; i++)
		{
			uint64_t	dividend = remainder << 32 | number[i];

			number[i] = (uint32_t) (dividend / power);
			remainder = dividend % power;
		}
		group = (uint32_t) remainder;
		for (int i = 0; i < BASECONV_GROUP && place > 0; i++)
		{
			digits[--place] = alphabet[group % base];
			group /= base;
		}
		rest |= group;
	}

	for (int i = 0; i < limbs; i++)
		rest |= number[i];
	return rest == 0;
}

/*
 * A number of length bytes, most significant first, as width digits.  False if
 * it needs more.
 */
static inline bool
number_encode(const char *alphabet,
			  const unsigned char *bytes, int length,
			  char *digits, int width)
{
	uint32_t	base = (uint32_t) strlen(alphabet);

	switch (base)
	{
		case 32:
			return number_encode_base(alphabet, 32, bytes, length, digits,
									  width);
		case 58:
			return number_encode_base(alphabet, 58, bytes, length, digits,
									  width);
		case 62:
			return number_encode_base(alphabet, 62, bytes, length, digits,
									  width);
		case 64:
			return number_encode_base(alphabet, 64, bytes, length, digits,
									  width);
		default:
			return number_encode_base(alphabet, base, bytes, length, digits,
									  width);
	}
}

/*
 * The inverse.  False if a character is not in the alphabet, or if the number
 * has more than length bytes.
 */
static inline bool
number_decode_values(const signed char *values, int base,
					 const char *digits, int width,
					 unsigned char *bytes, int length)
{
	int			limbs = (length + 3) / 4;
	uint32_t	number[BASECONV_LIMBS_MAX] = {0};

	for (int place = 0; place < width;)
	{
		int			group = baseconv_group(width - place);
		uint32_t	power = baseconv_power(base, group);
		uint64_t	carry = 0;

		for (; group > 0; group--)
		{
			int			value = values[(unsigned char) digits[place++]];

			if (value < 0)
				return false;
			carry = carry * base + value;
		}
		for (int i = limbs - 1; i >= 0; i--)
		{
			carry += (uint64_t) number[i] * power;
			number[i] = (uint32_t) carry;
			carry >>= 32;
		}
		if (carry != 0)
			return false;
	}

	if (length % 4 != 0 && number[0] >> (length % 4 * 8) != 0)
		return false;
	for (int i = length - 1; i >= 0; i--)
	{
		int			limb = limbs - 1 - (length - 1 - i) / 4;

		bytes[i] = (unsigned char) number[limb];
		number[limb] >>= 8;
	}
	return true;
}

/* The same, for an alphabet. */
static inline bool
number_decode(const char *alphabet, const char *digits,
			  int width, unsigned char *bytes, int length)
{
	signed char values[256];

	baseconv_values(alphabet, values);
	return number_decode_values(values, (int) strlen(alphabet), digits, width,
								bytes, length);
}

/* The number of digits of digit_bits each that hold length bytes. */
static inline int
bits_width(int digit_bits, int length)
{
	return (length * 8 + digit_bits - 1) / digit_bits;
}

/* Bytes as bits_width() digits of digit_bits each, from the left. */
static inline void
bits_encode(const char *alphabet, int digit_bits,
			const unsigned char *bytes, int length,
			char *digits)
{
	uint32_t	mask = (UINT32_C(1) << digit_bits) - 1;
	uint32_t	buffer = 0;
	int			bits = 0;

	for (int i = 0; i < length; i++)
	{
		buffer = buffer << 8 | bytes[i];
		for (bits += 8; bits >= digit_bits; bits -= digit_bits)
			*digits++ = alphabet[buffer >> (bits - digit_bits) & mask];
	}
	if (bits > 0)
		*digits = alphabet[buffer << (digit_bits - bits) & mask];
}

/*
 * The inverse, for bits_width() digits.  False if a character is not in the
 * alphabet, or if the bits beyond the last byte are not zero.
 */
static inline bool
bits_decode_values(const signed char *values,
				   int digit_bits, const char *digits,
				   unsigned char *bytes, int length)
{
	int			width = bits_width(digit_bits, length);
	uint32_t	buffer = 0;
	int			bits = 0;

	for (int place = 0; place < width; place++)
	{
		int			value = values[(unsigned char) digits[place]];

		if (value < 0)
			return false;
		buffer = buffer << digit_bits | (uint32_t) value;
		bits += digit_bits;
		if (bits >= 8)
		{
			bits -= 8;
			*bytes++ = (unsigned char) (buffer >> bits);
		}
	}
	return (buffer & ((UINT32_C(1) << bits) - 1)) == 0;
}

/* The same of an alphabet. */
static inline bool
bits_decode(const char *alphabet, int digit_bits,
			const char *digits, unsigned char *bytes,
			int length)
{
	signed char values[256];

	baseconv_values(alphabet, values);
	return bits_decode_values(values, digit_bits, digits, bytes, length);
}

#endif							/* UIDEXT_BASECONV_H */
