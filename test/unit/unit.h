/*-------------------------------------------------------------------------
 *
 * unit.h
 *	  What the unit tests of layout.h share: a slow reading of bits to compare
 *	  with, a source of values, and the text form of a UUID.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pure/layout.h"

#define ROUNDS	200000

/* The width low bits set; width may be 64. */
#define ONES(width)		(UINT64_MAX >> (64 - (width)))

/*
 * Bits from ... from + width - 1 of a UUID as a number, where bit 0 is the
 * first that is sent, as in the diagrams of RFC 9562.
 */
static inline uint64_t
bits(UuidWords words, int from, int width)
{
	unsigned char bytes[16];
	uint64_t	value = 0;

	layout_store(bytes, words);
	for (int bit = from; bit < from + width; bit++)
		value = value * 2 + (bytes[bit / 8] >> (7 - bit % 8)) % 2;
	return value;
}

/* A UUID from its text form, independent of layout.h but for layout_load(). */
static inline UuidWords
uuid(const char *text)
{
	unsigned char bytes[16];
	int			count = 0;

	while (*text != '\0')
	{
		unsigned int byte;

		if (*text == '-')
		{
			text++;
			continue;
		}
		assert_int_equal(sscanf(text, "%2x", &byte), 1);
		assert_true(count < 16);
		bytes[count++] = (unsigned char) byte;
		text += 2;
	}
	assert_int_equal(count, 16);
	return layout_load(bytes);
}

static inline void
assert_words_equal(UuidWords actual, UuidWords expected)
{
	assert_int_equal(actual.hi, expected.hi);
	assert_int_equal(actual.lo, expected.lo);
}

/* SplitMix64: the same values in every run, so that a failure can be repeated. */
static inline uint64_t
next_random(void)
{
	static uint64_t state = 20220222;
	uint64_t	value = (state += UINT64_C(0x9E3779B97F4A7C15));

	value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
	return value ^ value >> 31;
}

/*
 * The round'th value of a field of that width: first the extremes, each single
 * bit, each single bit missing and the alternating patterns, then random ones.
 */
static inline uint64_t
field_value(int round, int width)
{
	uint64_t	value;

	if (round < 64)
		value = UINT64_C(1) << round;
	else if (round < 128)
		value = ~(UINT64_C(1) << (round - 64));
	else if (round == 128)
		value = 0;
	else if (round == 129)
		value = UINT64_MAX;
	else if (round == 130)
		value = UINT64_C(0x5555555555555555);
	else if (round == 131)
		value = UINT64_C(0xAAAAAAAAAAAAAAAA);
	else
		value = next_random();
	return value & ONES(width);
}

/* The round'th UUID: each extreme in each word beside each in the other. */
static inline UuidWords
random_words(int round)
{
	return (UuidWords) {field_value(round % 256, 64), field_value((round + round / 256) % 256, 64)};
}

#endif							/* UNIT_H */
