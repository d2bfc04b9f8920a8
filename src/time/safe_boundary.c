/*-------------------------------------------------------------------------
 *
 * safe_boundary.c
 *	  The boundary below which no open transaction can still add an id.
 *
 * An id is made before its transaction commits, so rows do not become visible
 * in the order of their ids, and a reader who remembers the last id it saw
 * misses those that commit late.  But an id made in a transaction is never
 * older than the transaction: if the same transaction inserts it, too, ids
 * below the start of the oldest open one are all there.  An id that one
 * transaction makes and a later one inserts may come below that.
 *
 * They are also visible, if the snapshot of the reader sees all transactions as
 * ended that were no longer open when the list of open ones was read.  That
 * list is a moment newer than the snapshot of the statement, which may miss
 * transactions that ended in between.  In that case an earlier list is used.
 * There is one from the planning of the statement or, with a cached plan, from
 * its last execution: both were before its snapshot was taken.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/supportnodes.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/backend_status.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/clock.h"

/* A boundary, and the transactions that were open right after it was found. */
typedef struct KnownBoundary
{
	UuidWords	boundary;
	TransactionId xmax;			/* it and all later ones */
	uint32		count;			/* and those of before */
	TransactionId open[FLEXIBLE_ARRAY_MEMBER];
} KnownBoundary;

/* The one that the session found last, and the one that it returned last. */
static KnownBoundary *last_found = NULL;
static KnownBoundary *last_returned = NULL;

/*
 * Others that may add rows to this database.  Not autovacuum, whose
 * transactions are long, nor walsenders, which report the start of replication
 * as that of a transaction: SQL over a replication connection is not looked
 * at.
 */
static bool
adds_rows_here(const PgBackendStatus *backend)
{
	return backend->st_databaseid == MyDatabaseId &&
		backend->st_procpid != MyProcPid &&
		(backend->st_backendType == B_BACKEND ||
		 backend->st_backendType == B_BG_WORKER);
}

static bool
is_in_transaction(const PgBackendStatus *backend)
{
	PGPROC	   *proc = BackendPidGetProc(backend->st_procpid);

	return proc != NULL && PROC_LXID(proc) != InvalidLocalTransactionId;
}

/*
 * When the transaction of a backend began, or a time before that; DT_NOEND
 * when it has none.
 *
 * A backend reports the start before it runs anything, and takes it back after
 * the end is visible to others.
 */
static TimestampTz
transaction_start(const PgBackendStatus *backend, bool *is_reported)
{
	*is_reported = true;
	if (backend->st_xact_start_timestamp != 0)
		return backend->st_xact_start_timestamp;

	if (backend->st_state == STATE_IDLE || !is_in_transaction(backend))
		return DT_NOEND;

	/*
	 * It reports nothing (track_activities), or did not at the start, or not
	 * yet.
	 */
	*is_reported = backend->st_state == STATE_DISABLED;
	return backend->st_proc_start_timestamp;
}

static TimestampTz
oldest_transaction_start(void)
{
	TimestampTz oldest = DT_NOBEGIN;
	bool		all_reported = false;

	/*
	 * A backend is in a transaction for a moment before it reports when that
	 * began: look again.  One that will not report is taken for as old as its
	 * session.
	 */
	for (int attempt = 0; attempt < 10 && !all_reported; attempt++)
	{
		int			count;

		/* The view of the backends is kept for a transaction unless told. */
		pgstat_clear_backend_activity_snapshot();
		count = pgstat_fetch_stat_numbackends();

		oldest = GetCurrentTransactionStartTimestamp();
		all_reported = true;
		for (int i = 1; i <= count; i++)
		{
			const LocalPgBackendStatus *entry =
				pgstat_get_local_beentry_by_index(i);
			const PgBackendStatus *backend = &entry->backendStatus;
			TimestampTz start;
			bool		is_reported;

			if (!adds_rows_here(backend))
				continue;
			/* once, as its transaction may end meanwhile: Min() asks twice */
			start = transaction_start(backend, &is_reported);
			oldest = Min(oldest, start);
			all_reported = all_reported && is_reported;
		}
	}
	return oldest;
}

/* Nothing tells when a prepared transaction began. */
static bool
prepared_transaction_exists(void)
{
	char	   *query;
	bool		exists;

	if (max_prepared_xacts == 0)
		return false;

	SPI_connect();
	query = psprintf("SELECT FROM pg_catalog.pg_prepared_xact() AS p"
					 " WHERE p.dbid OPERATOR(pg_catalog.=) %u::pg_catalog.oid",
					 MyDatabaseId);
	if (SPI_execute(query, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "could not read the prepared transactions");
	exists = SPI_processed > 0;
	SPI_finish();
	return exists;
}

static KnownBoundary *
find_boundary(void)
{
	/*
	 * The order matters: a transaction becomes a prepared one before its
	 * backend is without a transaction.
	 */
	TimestampTz oldest = oldest_transaction_start();
	UuidWords	boundary = prepared_transaction_exists() ? UUID_WORDS_NIL :
		layout_boundary(timestamptz_to_unix_ms(oldest));
	Snapshot	snapshot = GetLatestSnapshot();
	Size		open_size = snapshot->xcnt * sizeof(TransactionId);
	KnownBoundary *found = MemoryContextAlloc(TopMemoryContext,
											  offsetof(KnownBoundary, open) +
											  open_size);

	found->boundary = boundary;
	found->xmax = snapshot->xmax;
	found->count = snapshot->xcnt;
	if (snapshot->xcnt > 0)
		memcpy(found->open, snapshot->xip, open_size);
	return found;
}

static bool
was_open(const KnownBoundary *found, TransactionId xid)
{
	if (TransactionIdFollowsOrEquals(xid, found->xmax))
		return true;
	for (uint32 i = 0; i < found->count; i++)
	{
		if (found->open[i] == xid)
			return true;
	}
	return false;
}

/*
 * Whether a snapshot sees all ids below the boundary, that is, whether each
 * transaction that it takes for running was open then.  A running parent
 * stands for its subtransactions.  A snapshot from before a promotion has all
 * transactions in subxip, which may have overflowed.
 */
static bool
is_safe_for(const KnownBoundary *found, Snapshot snapshot)
{
	if (found == NULL || snapshot->takenDuringRecovery ||
		TransactionIdPrecedes(snapshot->xmax, found->xmax))
		return false;
	for (uint32 i = 0; i < snapshot->xcnt; i++)
	{
		if (!was_open(found, snapshot->xip[i]))
			return false;
	}
	return true;
}

/*
 * Keeps two boundaries for the next call, and frees what was kept until now.
 * "returned" is "found", one of the two that were kept, or NULL, so a kept one
 * that is returned must not be freed.  Where both that were kept are the same
 * one, it is freed as last_found alone.
 */
static void
remember(KnownBoundary *found, KnownBoundary *returned)
{
	if (last_returned != NULL && last_returned != returned &&
		last_returned != last_found)
		pfree(last_returned);
	if (last_found != NULL && last_found != returned)
		pfree(last_found);
	last_found = found;
	last_returned = returned;
}

/*
 * uuid_safe_boundary() returns uuid
 *
 * The newest uuid_boundary() that is known below which no transaction of this
 * database can add an id that it makes itself, from the clock of this server,
 * and below which the statement's snapshot sees all; the nil UUID while a
 * prepared transaction is open.  Raises 55000 on a standby, and where the
 * snapshot is too old.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_safe_boundary);
Datum
uidext_uuid_safe_boundary(PG_FUNCTION_ARGS)
{
	Snapshot	snapshot = GetActiveSnapshot();
	KnownBoundary *found;
	KnownBoundary *safe;

	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("recovery is in progress"),
				 errdetail("A standby does not know which transactions are open on the primary."),
				 errhint("Call uuid_safe_boundary() on the primary.")));

	found = find_boundary();
	if (is_safe_for(found, snapshot))
		safe = found;
	else if (is_safe_for(last_found, snapshot))
		safe = last_found;
	else if (is_safe_for(last_returned, snapshot))
		safe = last_returned;
	else
		safe = NULL;
	remember(found, safe);

	if (safe == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the snapshot is too old for uuid_safe_boundary()"),
				 errdetail("A transaction has ended since the snapshot of this statement was taken, so this statement would not see its rows."),
				 errhint("In a READ COMMITTED transaction, call it in a statement of its own, and read the rows in the next statement.")));
	/* no later than now, should the clock have been set back since */
	if (layout_compare(found->boundary, safe->boundary) < 0)
		PG_RETURN_UUID_WORDS(found->boundary);
	PG_RETURN_UUID_WORDS(safe->boundary);
}

/*
 * uuid_safe_boundary_support(internal) returns internal
 *
 * Finds a boundary while a statement is planned.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_safe_boundary_support);
Datum
uidext_uuid_safe_boundary_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify) && ActiveSnapshotSet() &&
		!RecoveryInProgress() && !IsInParallelMode())
		remember(find_boundary(), last_returned);
	PG_RETURN_POINTER(NULL);
}
