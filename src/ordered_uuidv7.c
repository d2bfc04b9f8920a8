/*-------------------------------------------------------------------------
 *
 * ordered_uuidv7.c
 *	  UUIDv7 in one order for all sessions of a server.
 *
 * One counter in shared memory holds the time of the last id, in 1/65536 ms.
 * Each id takes the clock's reading or, where that is not greater, the next
 * count.  That would run ahead of the clock at more than 65 million ids a
 * second, but cores do not change one counter so often.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "clock.h"
#include "entropy.h"
#include "ordered_uuidv7.h"

/* The counter's last bits are the first of the tail, of which the rest is random. */
#define COUNTS_PER_MS		65536
#define COUNT_BITS_IN_TAIL	4
#define RANDOM_BITS			(TAIL_BITS - COUNT_BITS_IN_TAIL)

static pg_atomic_uint64 *last_count = NULL;

#ifdef GET_NAMED_DSM

void
ordered_uuidv7_init(void)
{
}

static void
init_last_count(NAMED_DSM_INIT_ARGS)
{
	pg_atomic_init_u64(memory, 0);
}

static void
attach_last_count(void)
{
	bool		found;

	last_count = GET_NAMED_DSM("uidext_ordered_uuidv7", sizeof(pg_atomic_uint64), init_last_count, &found);
}

#else

static shmem_request_hook_type next_shmem_request_hook = NULL;
static shmem_startup_hook_type next_shmem_startup_hook = NULL;

static void
request_last_count(void)
{
	if (next_shmem_request_hook)
		next_shmem_request_hook();
	RequestAddinShmemSpace(sizeof(pg_atomic_uint64));
}

static void
create_last_count(void)
{
	bool		found;

	if (next_shmem_startup_hook)
		next_shmem_startup_hook();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	last_count = ShmemInitStruct("uidext_ordered_uuidv7", sizeof(pg_atomic_uint64), &found);
	if (!found)
		pg_atomic_init_u64(last_count, 0);
	LWLockRelease(AddinShmemInitLock);
}

/* Only the postmaster can make room for the counter. */
void
ordered_uuidv7_init(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	next_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_last_count;
	next_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = create_last_count;
}

static void
attach_last_count(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("gen_ordered_uuidv7() has no shared memory"),
			 errdetail("Before PostgreSQL 17 a library gets shared memory only when the server starts."),
			 errhint("Add uidext to shared_preload_libraries and restart the server.")));
}

#endif							/* GET_NAMED_DSM */

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
next_count(void)
{
	uint64		now = clock_counts();
	uint64		last = pg_atomic_read_u64(last_count);
	uint64		next;

	do
	{
		if (unlikely(last == PG_UINT64_MAX))
			clock_out_of_range();
		next = Max(now, last + 1);
	} while (!pg_atomic_compare_exchange_u64(last_count, &last, next));
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
	uint64		count;

	if (unlikely(last_count == NULL))
		attach_last_count();
	count = next_count();
	PG_RETURN_UUID_WORDS(layout_pack(7, count >> COUNT_BITS_IN_TAIL,
									 (count & LAYOUT_MASK(COUNT_BITS_IN_TAIL)) << RANDOM_BITS | random));
}
