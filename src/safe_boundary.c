/*-------------------------------------------------------------------------
 *
 * safe_boundary.c
 *	  The boundary below which no open transaction can still add an id.
 *
 * An id is made before its transaction commits, so rows do not become visible
 * in the order of their ids, and a reader who remembers the last id it saw
 * misses those that commit late.  But an id made in a transaction is never
 * older than the transaction: ids below the start of the oldest open one are
 * all there.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/parsenodes.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/backend_status.h"
#include "utils/timestamp.h"

#include "clock.h"

/*
 * The boundary holds for snapshots taken after it.  The statement's own is
 * older, and so is that of a transaction which keeps one for all statements.
 */
static void
check_snapshot_is_not_reused(ReturnSetInfo *rsinfo)
{
	ListCell   *cell;

	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("uuid_safe_boundary() needs isolation level READ COMMITTED"),
				 errdetail("A transaction of a higher level may have its snapshot already, and would miss what has committed since."),
				 errhint("Call it in a READ COMMITTED transaction, then read.")));

	foreach(cell, rsinfo->econtext->ecxt_estate->es_range_table)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_RELATION && rte->relkind != RELKIND_VIEW)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("uuid_safe_boundary() cannot be used in a statement that reads a table"),
					 errdetail("The snapshot of the statement is older than the boundary, and would miss what has committed since."),
					 errhint("Call it in a statement of its own and use its result in the next.")));
	}
}

/*
 * Others that may add rows to this database.  Not autovacuum, whose transactions
 * are long, nor walsenders, which report the start of replication as that of a
 * transaction: SQL over a replication connection is not looked at.
 */
static bool
adds_rows_here(const PgBackendStatus *backend)
{
	return backend->st_databaseid == MyDatabaseId &&
		backend->st_procpid != MyProcPid &&
		(backend->st_backendType == B_BACKEND || backend->st_backendType == B_BG_WORKER);
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

	/* It reports nothing (track_activities), or did not at the start, or not yet. */
	*is_reported = backend->st_state == STATE_DISABLED;
	return backend->st_proc_start_timestamp;
}

static TimestampTz
oldest_transaction_start(void)
{
	TimestampTz oldest = DT_NOBEGIN;
	bool		all_reported = false;

	/* What is not reported yet is a moment later; what never is, is not. */
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
			const PgBackendStatus *backend = &pgstat_get_local_beentry_by_index(i)->backendStatus;
			bool		is_reported;

			if (!adds_rows_here(backend))
				continue;
			oldest = Min(oldest, transaction_start(backend, &is_reported));
			all_reported = all_reported && is_reported;
		}
	}
	return oldest;
}

/* Nothing tells when a prepared transaction began. */
static bool
prepared_transaction_exists(void)
{
	bool		exists;

	if (max_prepared_xacts == 0)
		return false;

	SPI_connect();
	if (SPI_execute("SELECT FROM pg_catalog.pg_prepared_xact() AS p"
					" WHERE p.dbid OPERATOR(pg_catalog.=) (SELECT d.oid FROM pg_catalog.pg_database AS d"
					" WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())",
					true, 1) != SPI_OK_SELECT)
		elog(ERROR, "could not read the prepared transactions");
	exists = SPI_processed > 0;
	SPI_finish();
	return exists;
}

/*
 * uuid_safe_boundary() returns setof uuid
 *
 * One row: the newest uuid_boundary() below which no open transaction of this
 * database can add an id that this server makes; the nil UUID while a prepared
 * transaction is open.  It is a set so that WHERE refuses it.  Raises 55000 on
 * a standby and above READ COMMITTED, 0A000 in a statement that reads a table.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_safe_boundary);
Datum
uidext_uuid_safe_boundary(PG_FUNCTION_ARGS)
{
	FuncCallContext *call;
	TimestampTz oldest;
	Datum		result;

	if (SRF_IS_FIRSTCALL())
		SRF_FIRSTCALL_INIT();
	call = SRF_PERCALL_SETUP();
	if (call->call_cntr > 0)
		SRF_RETURN_DONE(call);

	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("recovery is in progress"),
				 errdetail("A standby does not know which transactions are open on the primary."),
				 errhint("Call uuid_safe_boundary() on the primary.")));
	check_snapshot_is_not_reused((ReturnSetInfo *) fcinfo->resultinfo);

	/* In this order: a transaction is prepared before its backend lets go of it. */
	oldest = oldest_transaction_start();
	result = UuidWordsGetDatum(prepared_transaction_exists() ? UUID_WORDS_NIL :
							   layout_boundary(timestamptz_to_unix_ms(oldest)));
	SRF_RETURN_NEXT(call, result);
}
