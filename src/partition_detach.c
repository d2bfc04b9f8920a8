/*-------------------------------------------------------------------------
 *
 * partition_detach.c
 *	  DETACH PARTITION ... CONCURRENTLY of all old partitions, one by one.
 *
 * The server takes this command only where it may commit in the middle of it,
 * never from a function, nor through SPI, whose state would not outlive that.
 * A procedure in C which CALL itself has started holds nothing but memory of
 * its portal: it can end transactions and begin new ones as VACUUM does, and
 * give the command to the server as one of the top level.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "access/xact.h"
#include "catalog/pg_partitioned_table.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "tcop/dest.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "partition.h"

/* What is to be done next, in memory that outlives transactions. */
typedef struct
{
	char	   *partition;
	char	   *command;
	TimestampTz after;			/* the start of the last one that was tried */
	bool		from_start;		/* none was */
} Detachment;

/*
 * CALL says whether transactions may end here.  It does so, too, when it stands
 * in the code of another procedure, where SPI is between us and the top level.
 */
static void
require_top_level(FunctionCallInfo fcinfo)
{
	PreventInTransactionBlock(true, "uuid_partition_detach()");
	if (fcinfo->context == NULL || !IsA(fcinfo->context, CallContext) ||
		castNode(CallContext, fcinfo->context)->atomic || SPI_inside_nonatomic_context())
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("uuid_partition_detach() cannot be called from a function or procedure"),
				 errhint("CALL it as a command of its own, as psql and pg_cron do.")));
}

/* Ends a transaction with its locks, and begins the next one. */
static void
next_transaction(MemoryContext context)
{
	CommitTransactionCommand();
	StartTransactionCommand();
	MemoryContextSwitchTo(context);
}

/*
 * Of two callers at once the second waits here, without a snapshot, for which
 * the first one would wait.  A lock that nothing else takes, because those of
 * the table must be free: others make partitions while a detachment waits for
 * readers.
 */
static LOCKTAG
detachments_of(Oid parent)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, PartitionedRelationId, parent, 0);
	return tag;
}

/* Lasts from one transaction to the next; an error ends it. */
static void
lock_detachments(Oid parent)
{
	LOCKTAG		tag = detachments_of(parent);

	(void) LockAcquire(&tag, ExclusiveLock, true, false);
}

static void
unlock_detachments(Oid parent)
{
	LOCKTAG		tag = detachments_of(parent);

	(void) LockRelease(&tag, ExclusiveLock, true);
}

/*
 * uuid_partition_lock_detachments(parent regclass) returns bool
 *
 * Keeps uuid_partition_detach() of other sessions waiting until the transaction
 * ends; false, at once, when one is running.  42501 for a caller who may not
 * become the table's owner, 42P01 for no table.
 */
PG_FUNCTION_INFO_V1(uidext_partition_lock_detachments);
Datum
uidext_partition_lock_detachments(PG_FUNCTION_ARGS)
{
	LOCKTAG		tag = detachments_of(PG_GETARG_OID(0));

	(void) partition_owner(PG_GETARG_OID(0));
	PG_RETURN_BOOL(LockAcquire(&tag, ExclusiveLock, false, true) != LOCKACQUIRE_NOT_AVAIL);
}

/* What uuid_partition_detach_next() says; false when there is nothing more. */
static bool
find_next(FunctionCallInfo fcinfo, MemoryContext context, Detachment *next)
{
	Oid			types[3] = {REGCLASSOID, TIMESTAMPTZOID, TIMESTAMPTZOID};
	Datum		values[3] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), TimestampTzGetDatum(next->after)};
	char		nulls[3] = {' ', ' ', next->from_start ? 'n' : ' '};
	MemoryContext spi_context;
	Datum		after;

	PushActiveSnapshot(GetTransactionSnapshot());
	SPI_connect();
	if (SPI_execute_with_args("SELECT * FROM uidext_internal.uuid_partition_detach_next($1, $2, $3)",
							  3, types, values, nulls, false, 0) != SPI_OK_SELECT || SPI_processed != 1)
		elog(ERROR, "could not find the next partition");
	spi_context = MemoryContextSwitchTo(context);
	next->partition = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
	next->command = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2);
	after = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 3, &next->from_start);
	if (!next->from_start)
		next->after = DatumGetTimestampTz(after);
	MemoryContextSwitchTo(spi_context);
	SPI_finish();
	PopActiveSnapshot();
	return next->command != NULL;
}

/* A command of the top level, which may commit and then leaves no snapshot. */
static void
run_command(const char *command)
{
	RawStmt    *parsed = linitial_node(RawStmt, pg_parse_query(command));
	List	   *queries;
	PlannedStmt *planned;

	PushActiveSnapshot(GetTransactionSnapshot());
	queries = pg_analyze_and_rewrite_fixedparams(parsed, command, NULL, 0, NULL);
	planned = linitial_node(PlannedStmt, pg_plan_queries(queries, command, 0, NULL));
	ProcessUtility(planned, command, false, PROCESS_UTILITY_TOPLEVEL, NULL, NULL, None_Receiver, NULL);
	if (ActiveSnapshotSet())
		PopActiveSnapshot();
}

/*
 * Detaches one partition; false, with a warning, when rows of it are referenced,
 * which ends the transaction and must not keep the others.
 */
static bool
detach(MemoryContext context, const Detachment *next)
{
	volatile bool detached = true;

	PG_TRY();
	{
		run_command(next->command);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		if (error->sqlerrcode != ERRCODE_FOREIGN_KEY_VIOLATION)
			PG_RE_THROW();
		FlushErrorState();
		AbortCurrentTransaction();
		StartTransactionCommand();
		MemoryContextSwitchTo(context);
		ereport(WARNING,
				(errmsg("partition %s is not detached", next->partition),
				 errdetail("%s: %s", unpack_sql_state(error->sqlerrcode), error->message)));
		detached = false;
	}
	PG_END_TRY();

	MemoryContextSwitchTo(context);
	return detached;
}

/*
 * uuid_partition_detach(parent regclass, older_than timestamptz)
 *
 * A procedure: detaches the range partitions that end at or before a time,
 * CONCURRENTLY, and first ends what was interrupted.  25001 inside transaction
 * blocks, functions and procedures, 55000 when there is a default partition,
 * 22004 for NULL, 22023 for a time in the future, 42501 for a caller who may
 * not become the table's owner, 42P01 for no table, 42809 for one without range
 * partitions of ids.
 */
PG_FUNCTION_INFO_V1(uidext_partition_detach);
Datum
uidext_partition_detach(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	Detachment	next = {.from_start = true};
	bool		more;
	bool		detached;

	require_top_level(fcinfo);
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("no argument may be NULL")));
	/* before the lock, by which a stranger would keep him waiting */
	(void) partition_owner(PG_GETARG_OID(0));
	context = AllocSetContextCreate(PortalContext, "uuid_partition_detach", ALLOCSET_DEFAULT_SIZES);
	/* the portal's own snapshot must not outlive the transaction, nor any of it the wait for the lock */
	ForgetPortalSnapshots();
	next_transaction(context);

	do
	{
		MemoryContextReset(context);
		lock_detachments(PG_GETARG_OID(0));
		more = find_next(fcinfo, context, &next);
		next_transaction(context);
		detached = more && detach(context, &next);
		/* others look only when it is committed, or they would find the partition pending */
		next_transaction(context);
		if (detached)
			ereport(NOTICE, (errmsg("partition %s is detached", next.partition)));
		/* the error has ended the lock of one that could not be detached */
		if (detached || !more)
			unlock_detachments(PG_GETARG_OID(0));
	} while (more);

	MemoryContextSwitchTo(PortalContext);
	MemoryContextDelete(context);
	PG_RETURN_VOID();
}
