/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  What all sessions of a server count on, in shared memory.
 *
 * From 17 on any session can have it; before, only a library that the
 * postmaster has loaded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "base/clock.h"
#include "base/compat.h"
#include "base/entropy.h"
#include "base/shared.h"

SharedCounters *shared_counters_attached = NULL;

/* What counters begin with. */
static uint64 begin_clock;
static uint64 begin_random[2];

/* All that can fail: half-made counters would be taken for whole ones. */
static void
counters_prepare(void)
{
	begin_clock = clock_units(clock_read());
	for (int i = 0; i < lengthof(begin_random); i++)
		begin_random[i] = entropy_uint64();
}

static void
counters_begin(SharedCounters *counters)
{
	pg_atomic_init_u64(&counters->ordered_uuidv7, 0);
	node_clock_begin(&counters->node, begin_random[0],
					 (uint32) begin_random[1]);
	/* from now on, as ids of this moment may have been made before a restart */
	for (int node = 0; node < UID_NEXT_NODES; node++)
	{
		for (int n = 0; n < UID_COUNTERS; n++)
		{
			UidCounter *counter = &counters->uid_next[node][n];

			pg_atomic_init_u64(&counter->last, begin_clock);
			pg_atomic_init_u64(&counter->ahead, (uint64) PG_INT64_MIN);
		}
	}
}

#ifdef GET_NAMED_DSM

void
shared_init(void)
{
}

static void
begin_segment(NAMED_DSM_INIT_ARGS)
{
	counters_begin(memory);
}

void
shared_attach(const char *user)
{
	bool		found;

	counters_prepare();
	shared_counters_attached = GET_NAMED_DSM(SHARED_COUNTERS_NAME,
											 sizeof(SharedCounters),
											 begin_segment, &found);
}

#else

static shmem_request_hook_type next_shmem_request_hook = NULL;
static shmem_startup_hook_type next_shmem_startup_hook = NULL;

static void
request_counters(void)
{
	if (next_shmem_request_hook)
		next_shmem_request_hook();
	RequestAddinShmemSpace(sizeof(SharedCounters));
}

static void
create_counters(void)
{
	bool		found;

	if (next_shmem_startup_hook)
		next_shmem_startup_hook();

	counters_prepare();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared_counters_attached = ShmemInitStruct(SHARED_COUNTERS_NAME,
											   sizeof(SharedCounters), &found);
	if (!found)
		counters_begin(shared_counters_attached);
	LWLockRelease(AddinShmemInitLock);
}

/* Only the postmaster can make room. */
void
shared_init(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	next_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_counters;
	next_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = create_counters;
}

void
shared_attach(const char *user)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("%s has no shared memory", user),
			 errdetail("Before PostgreSQL 17 a library gets shared memory only when the server starts."),
			 errhint("Add uidext to shared_preload_libraries and restart the server.")));
}

#endif							/* GET_NAMED_DSM */
