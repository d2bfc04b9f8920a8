/*-------------------------------------------------------------------------
 *
 * routing.h
 *	  Where an iUID is placed, by its country.
 *
 * As layout.h, this needs no server.  Both numbers are stored state, as rows
 * lie where they put them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ROUTING_H
#define UIDEXT_ROUTING_H

#include "pure/layout.h"

/*
 * Where an id is placed: in the slot of its country, or in one more for what
 * is no iUID, with the tail times the number of slots added, so that multiples
 * of that number split a slot.  Less than 2^63: nothing wraps.
 */
#define IUID_SLOTS			257

static inline uint64_t
iuid_route(UuidWords words)
{
	int			slot = layout_is_iuid(words) ? layout_iuid_country(words)
		: IUID_SLOTS - 1;

	return (uint64_t) slot +
		IUID_SLOTS * (words.lo & LAYOUT_MASK(IUID_TAIL_BITS));
}

/*
 * The same in 32 bits, of which an engine gives each shard a range: the bits of
 * the country reversed, so that neighbours are far apart, and below them 24
 * bits of the tail, by which a range splits further.  What is no iUID lies with
 * country 0, spread by its first 48 bits as well: a boundary value has no tail.
 */
#define IUID_SPREAD_BITS	24

static inline uint32_t
iuid_hash(UuidWords words)
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
