/*-------------------------------------------------------------------------
 *
 * entropy.c
 *	  Cryptographically strong random numbers, drawn in blocks.
 *
 * One call of pg_strong_random() costs several times as much as making an id,
 * nearly all of it per call and not per byte.  So a backend draws a block and
 * deals it out.  Bytes are wiped as they are dealt, so that ids already made
 * cannot be found in a memory image, and a forked child drops what it
 * inherits, so that no two processes deal the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifndef WIN32
#include <pthread.h>
#endif

#include "entropy.h"

#define BLOCK_SIZE	16384

static unsigned char block[BLOCK_SIZE];
static size_t unused = 0;		/* bytes at the end of block not yet dealt */

static void
entropy_drop(void)
{
	explicit_bzero(block, sizeof(block));
	unused = 0;
}

/*
 * The fork handler costs nothing per id, and it also covers children that do
 * not pass through the postmaster's own fork.
 */
void
entropy_init(void)
{
#ifndef WIN32
	if (pthread_atfork(NULL, NULL, entropy_drop) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
#endif
}

static void
entropy_refill(void)
{
	unused = 0;
	if (!pg_strong_random(block, sizeof(block)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	unused = sizeof(block);
}

uint64
entropy_uint64(void)
{
	uint64		value;
	unsigned char *next;

	if (unlikely(unused < sizeof(value)))
		entropy_refill();

	next = block + sizeof(block) - unused;
	memcpy(&value, next, sizeof(value));
	memset(next, 0, sizeof(value));
	unused -= sizeof(value);
	return value;
}
