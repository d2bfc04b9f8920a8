/*-------------------------------------------------------------------------
 *
 * entropy.c
 *	  Cryptographically strong random numbers, drawn in blocks.
 *
 * One call of pg_strong_random() costs several times as much as making an id,
 * nearly all of it per call and not per byte.  So a backend draws a block and
 * deals it out.  Bytes are wiped as they are dealt, so that a memory image does
 * not show those of earlier ids, and a forked child drops what it inherits (see
 * module.c), so that no two processes deal the same bytes.  Two copies of a
 * whole machine that was saved while it ran do deal the same ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/entropy.h"

EntropyBlock entropy_block;

void
entropy_drop(void)
{
	explicit_bzero(&entropy_block, sizeof(entropy_block));
}

void
entropy_refill(void)
{
	if (!pg_strong_random(entropy_block.words, sizeof(entropy_block.words)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	entropy_block.unused = ENTROPY_WORDS;
}
