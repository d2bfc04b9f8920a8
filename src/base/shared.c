/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  Shared memory of all sessions of a server.
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

static SharedStart
read_start(void)
{
	SharedStart start;

	start.moment = clock_units(clock_read());
	for (int i = 0; i < lengthof(start.random); i++)
		start.random[i] = entropy_uint64();
	return start;
}

#ifdef GET_NAMED_DSM

/* Before 19 who begins a segment gets no argument. */
static SharedTenant *attaching;
static SharedStart attaching_start;

void
shared_register(SharedTenant *tenant)
{
}

static void
begin_segment(NAMED_DSM_INIT_ARGS)
{
	attaching->begin(memory, &attaching_start);
}

void
shared_attach(SharedTenant *tenant)
{
	bool		found;

	attaching = tenant;
	attaching_start = read_start();
	tenant->memory = GET_NAMED_DSM(tenant->name, tenant->size, begin_segment,
								   &found);
}

#else

static SharedTenant *tenants = NULL;
static shmem_request_hook_type next_shmem_request_hook = NULL;
static shmem_startup_hook_type next_shmem_startup_hook = NULL;

static void
request_memory(void)
{
	if (next_shmem_request_hook)
		next_shmem_request_hook();
	for (SharedTenant *tenant = tenants; tenant != NULL; tenant = tenant->next)
		RequestAddinShmemSpace(tenant->size);
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
	for (SharedTenant *tenant = tenants; tenant != NULL; tenant = tenant->next)
	{
		tenant->memory = ShmemInitStruct(tenant->name, tenant->size, &found);
		if (!found)
			tenant->begin(tenant->memory, &start);
	}
	LWLockRelease(AddinShmemInitLock);
}

/* Only the postmaster can make room. */
void
shared_register(SharedTenant *tenant)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	if (tenants == NULL)
	{
		next_shmem_request_hook = shmem_request_hook;
		shmem_request_hook = request_memory;
		next_shmem_startup_hook = shmem_startup_hook;
		shmem_startup_hook = create_memory;
	}
	tenant->next = tenants;
	tenants = tenant;
}

void
shared_attach(SharedTenant *tenant)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("%s has no shared memory", tenant->user),
			 errdetail("Before PostgreSQL 17 a library gets shared memory only when the server starts."),
			 errhint("Add uidext to shared_preload_libraries and restart the server.")));
}

#endif							/* GET_NAMED_DSM */
