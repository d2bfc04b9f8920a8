/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  Shared memory of all sessions of a server.
 *
 * From 17 on, any session can create it.  Before, only a library that the
 * postmaster has preloaded can.
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

static SharedStart
read_start(void)
{
	SharedStart start;

	if (!clock_get(&start.clock))
		clock_unreadable();
	for (int i = 0; i < lengthof(start.random); i++)
		start.random[i] = entropy_uint64();
	return start;
}

#ifdef GET_NAMED_DSM

/* Before 19, the function that initializes a segment gets no argument. */
static SharedStruct *attaching;
static SharedStart attaching_start;

void
shared_register(SharedStruct *shared)
{
}

static void
begin_segment(NAMED_DSM_INIT_ARGS)
{
	attaching->initialize(memory, &attaching_start);
}

void
shared_attach(SharedStruct *shared)
{
	bool		found;

	attaching = shared;
	attaching_start = read_start();
	shared->memory = GET_NAMED_DSM(shared->name, shared->size, begin_segment,
								   &found);
}

#else

static SharedStruct *registered = NULL;
static shmem_request_hook_type next_shmem_request_hook = NULL;
static shmem_startup_hook_type next_shmem_startup_hook = NULL;

static void
request_memory(void)
{
	if (next_shmem_request_hook)
		next_shmem_request_hook();
	for (SharedStruct *s = registered; s != NULL; s = s->next)
		RequestAddinShmemSpace(s->size);
}

static void
create_memory(void)
{
	SharedStart start;
	bool		found;

	if (next_shmem_startup_hook)
		next_shmem_startup_hook();

	start = read_start();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	for (SharedStruct *s = registered; s != NULL; s = s->next)
	{
		s->memory = ShmemInitStruct(s->name, s->size, &found);
		if (!found)
			s->initialize(s->memory, &start);
	}
	LWLockRelease(AddinShmemInitLock);
}

/* Only the postmaster can reserve shared memory. */
void
shared_register(SharedStruct *shared)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	if (registered == NULL)
	{
		next_shmem_request_hook = shmem_request_hook;
		shmem_request_hook = request_memory;
		next_shmem_startup_hook = shmem_startup_hook;
		shmem_startup_hook = create_memory;
	}
	shared->next = registered;
	registered = shared;
}

void
shared_attach(SharedStruct *shared)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("%s has no shared memory", shared->user),
			 errdetail("Before PostgreSQL 17 a library gets shared memory only when the server starts."),
			 errhint("Add uidext to shared_preload_libraries and restart the server.")));
}

#endif							/* GET_NAMED_DSM */
