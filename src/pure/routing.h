/*-------------------------------------------------------------------------
 *
 * routing.h
 *	  Where an iUID is placed, by its country.
 *
 * Like layout.h, this needs no server.  Neither number may ever change,
 * because they decide where rows are stored.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ROUTING_H
#define UIDEXT_ROUTING_H

#include "pure/layout.h"

/*
 * The slot of an iUID is its country.  All other ids have one more slot.  The
 * tail times the number of slots is added, so that a modulus that is a
 * multiple of the number of slots splits a slot.  The result is less than
 * 2^63, so it does not overflow.
 */
#define IUID_SLOTS			257

static inline uint64_t
country_hash64(UuidWords words)
{
	int			slot = layout_is_iuid(words) ? layout_iuid_country(words)
		: IUID_SLOTS - 1;

	return (uint64_t) slot +
		IUID_SLOTS * (words.lo & LAYOUT_MASK(IUID_TAIL_BITS));
}

/*
 * The same in 32 bits, for a database that gives each shard a range of hashes.
 * The first bits are those of the country in reverse order, so that countries
 * with neighbouring ids are far apart.  The 24 bits of the tail after them let
 * a range be split further.  Ids that are not iUIDs are placed with country 0,
 * and spread by their first 48 bits as well, because a boundary value has no
 * tail.
 */
#define IUID_SPREAD_BITS	24

static inline uint32_t
country_hash32(UuidWords words)
{
	uint32_t	country = 0;
	uint32_t	reversed = 0;
	uint64_t	spread = words.lo;

	if (layout_is_iuid(words))
		country = (uint32_t) layout_iuid_country(words);
	else
		spread ^= layout_unix_ms(words);
	for (int bit = 0; bit < 8; bit++)
		reversed |= (country >> bit & 1) << (7 - bit);
	return reversed << IUID_SPREAD_BITS |
		(uint32_t) (spread & LAYOUT_MASK(IUID_SPREAD_BITS));
}

#endif							/* UIDEXT_ROUTING_H */
