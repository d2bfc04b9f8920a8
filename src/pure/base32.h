/*-------------------------------------------------------------------------
 *
 * base32.h
 *	  The text form of a ULID: 128 bits in Crockford's base 32.
 *
 * 26 digits of 5 bits hold 130 bits, so the first digit is 7 at most.  Like
 * layout.h, this needs no server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_BASE32_H
#define UIDEXT_BASE32_H

#include "pure/layout.h"

#define BASE32_LEN			26
#define BASE32_FIRST_MAX	7

#define BASE32_DIGITS		"0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/* The value of each digit plus 1.  0 means that a character is not a digit. */
static const uint8_t base32_values[256] = {
	['0'] = 1,['1'] = 2,['2'] = 3,['3'] = 4,['4'] = 5,
	['5'] = 6,['6'] = 7,['7'] = 8,['8'] = 9,['9'] = 10,
	['A'] = 11,['B'] = 12,['C'] = 13,['D'] = 14,['E'] = 15,['F'] = 16,
	['G'] = 17,['H'] = 18,['J'] = 19,['K'] = 20,['M'] = 21,['N'] = 22,
	['P'] = 23,['Q'] = 24,['R'] = 25,['S'] = 26,['T'] = 27,['V'] = 28,
	['W'] = 29,['X'] = 30,['Y'] = 31,['Z'] = 32,
	['a'] = 11,['b'] = 12,['c'] = 13,['d'] = 14,['e'] = 15,['f'] = 16,
	['g'] = 17,['h'] = 18,['j'] = 19,['k'] = 20,['m'] = 21,['n'] = 22,
	['p'] = 23,['q'] = 24,['r'] = 25,['s'] = 26,['t'] = 27,['v'] = 28,
	['w'] = 29,['x'] = 30,['y'] = 31,['z'] = 32,
	/* letters that look like digits */
	['O'] = 1,['o'] = 1,['I'] = 2,['i'] = 2,['L'] = 2,['l'] = 2
};

/* The value of a digit, or -1. */
static inline int
base32_value(char digit)
{
	return base32_values[(unsigned char) digit] - 1;
}

/* A digit as base32_encode() writes it.  Other characters stay as they are. */
static inline char
base32_canonical(char digit)
{
	int			value = base32_value(digit);

	return value < 0 ? digit : BASE32_DIGITS[value];
}

static inline void
base32_encode(UuidWords words, char *digits)
{
	for (int i = BASE32_LEN - 1; i >= 0; i--)
	{
		digits[i] = BASE32_DIGITS[words.lo & LAYOUT_MASK(5)];
		words.lo = words.lo >> 5 | words.hi << 59;
		words.hi >>= 5;
	}
}

/*
 * False if a character is not a digit, or if the digits are more than 128
 * bits.
 */
static inline bool
base32_decode(const char *digits, UuidWords *words)
{
	UuidWords	decoded = {0, 0};

	if (base32_value(digits[0]) > BASE32_FIRST_MAX)
		return false;
	for (int i = 0; i < BASE32_LEN; i++)
	{
		int			value = base32_value(digits[i]);

		if (value < 0)
			return false;
		decoded.hi = decoded.hi << 5 | decoded.lo >> 59;
		decoded.lo = decoded.lo << 5 | (uint64_t) value;
	}
	*words = decoded;
	return true;
}

#endif							/* UIDEXT_BASE32_H */
