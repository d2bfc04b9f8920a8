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

#include "compat.h"
#include "shared.h"
#include "uid_next.h"

SharedCounters *shared_counters_attached = NULL;

static void
counters_begin(SharedCounters *counters)
{
	uint64		now = uid_next_clock();

	pg_atomic_init_u64(&counters->ordered_uuidv7, 0);
	node_clock_begin(&counters->node);
	/* from now on, as ids of this moment may have been made before a restart */
	for (int i = 0; i < UID_NEXT_COUNTERS; i++)
		pg_atomic_init_u64(&counters->uid_next[i], now);
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

	shared_counters_attached = GET_NAMED_DSM("uidext", sizeof(SharedCounters),
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

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared_counters_attached = ShmemInitStruct("uidext",
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
