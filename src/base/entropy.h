/*-------------------------------------------------------------------------
 *
 * entropy.h
 *	  Cryptographically strong random numbers, drawn in blocks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ENTROPY_H
#define UIDEXT_ENTROPY_H

#include "postgres.h"

#define ENTROPY_WORDS	2048

/* Drawn and not yet dealt: words[0] to words[unused - 1]. */
typedef struct EntropyBlock
{
	uint64		words[ENTROPY_WORDS];
	size_t		unused;
} EntropyBlock;

extern EntropyBlock entropy_block;

extern void entropy_drop(void);
extern void entropy_refill(void);

/* Inline, as it is part of the cost of every id. */
static inline uint64
entropy_uint64(void)
{
	uint64		value;

	if (unlikely(entropy_block.unused == 0))
		entropy_refill();

	value = entropy_block.words[--entropy_block.unused];
	entropy_block.words[entropy_block.unused] = 0;
	return value;
}

#endif							/* UIDEXT_ENTROPY_H */
