/*-------------------------------------------------------------------------
 *
 * ordered_uuidv7.c
 *	  UUIDv7 in one order for all sessions of a server.
 *
 * One counter in shared memory holds the time of the last id, in 1/65536 ms.
 * Each id takes the clock's reading or, if that is not greater, the last count
 * plus one.  At more than 65 million ids a second, the counter would run ahead
 * of the clock, but processors cannot change one counter that often.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "port/atomics.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/shared.h"
#include "families/ordered_uuidv7.h"

/*
 * The counter's last bits are the first of the tail, of which the rest is
 * random.
 */
#define COUNTS_PER_MS		65536
#define COUNT_BITS_IN_TAIL	4
#define RANDOM_BITS			(TAIL_BITS - COUNT_BITS_IN_TAIL)

static void
initialize_count(void *memory, const SharedStart *start)
{
	pg_atomic_init_u64(memory, 0);
}

static SharedStruct last_count = {
	.name = "uidext ordered_uuidv7",
	.user = "gen_ordered_uuidv7()",
	.size = sizeof(pg_atomic_uint64),
	.initialize = initialize_count
};

void
ordered_uuidv7_init(void)
{
	shared_register(&last_count);
}

static uint64
clock_counts(void)
{
	struct timespec now = clock_read();
	uint64		ms = (uint64) now.tv_sec * MS_PER_S;

	if (unlikely(ms > UNIX_MS_MAX - MS_PER_S))
		clock_out_of_range();
	return ms * COUNTS_PER_MS + (uint64) now.tv_nsec * COUNTS_PER_MS / 1000000;
}

/* The count of the next id: the clock's, or one more than the last. */
static uint64
next_count(pg_atomic_uint64 *counter)
{
	uint64		now = clock_counts();
	uint64		last = pg_atomic_read_u64(counter);
	uint64		next;

	do
	{
		if (unlikely(last == PG_UINT64_MAX))
			clock_out_of_range();
		next = Max(now, last + 1);
	} while (!pg_atomic_compare_exchange_u64(counter, &last, next));
	return next;
}

/*
 * gen_ordered_uuidv7() returns uuid
 *
 * A UUIDv7 greater than every one that this function returned before, in any
 * session of the server since its start (RFC 9562, section 6.2, method 3, to
 * 1/65536 ms).  Before PostgreSQL 17 it raises 55000 unless the library is
 * preloaded.
 */
PG_FUNCTION_INFO_V1(uidext_gen_ordered_uuidv7);
Datum
uidext_gen_ordered_uuidv7(PG_FUNCTION_ARGS)
{
	uint64		random = entropy_uint64() & LAYOUT_MASK(RANDOM_BITS);
	uint64		count = next_count(shared_memory(&last_count));
	uint64		rest = count & LAYOUT_MASK(COUNT_BITS_IN_TAIL);

	PG_RETURN_UUID_WORDS(layout_pack(7, count >> COUNT_BITS_IN_TAIL,
									 rest << RANDOM_BITS | random));
}
