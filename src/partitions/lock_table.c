/*-------------------------------------------------------------------------
 *
 * lock_table.c
 *	  Locks by OID: on a table, waited for no longer than told, and on a row of
 *	  the catalogs.
 *
 * LOCK TABLE finds a table by its name, and wants rights that the owner of an
 * append-only table has not.  An ALTER TABLE that changes nothing would lock by
 * name as well, and it writes the catalog.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/skey.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "partitions/lock_table.h"
#include "partitions/owner.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* The OID is the first column of each catalog that has one. */
#define ANUM_OID	1

static LOCKMODE
mode_of(const char *name)
{
	if (strcmp(name, "ACCESS SHARE") == 0)
		return AccessShareLock;
	if (strcmp(name, "SHARE UPDATE EXCLUSIVE") == 0)
		return ShareUpdateExclusiveLock;
	if (strcmp(name, "SHARE ROW EXCLUSIVE") == 0)
		return ShareRowExclusiveLock;
	if (strcmp(name, "ACCESS EXCLUSIVE") == 0)
		return AccessExclusiveLock;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("lock mode \"%s\" is not supported", name),
			 errhint("Use ACCESS SHARE, SHARE UPDATE EXCLUSIVE, SHARE ROW EXCLUSIVE or ACCESS EXCLUSIVE.")));
}

/* Fills in the error that is being raised. */
static int
set_lock_error(const char *name)
{
	errmsg("could not obtain lock on relation \"%s\"", name);
	errhint("Call it again when the transactions that use the table have ended.");
	return err_generic_string(PG_DIAG_TABLE_NAME, name);
}

/* The error 55P03 of LOCK TABLE ... NOWAIT. */
void
say_locked(Oid relid)
{
	const char *name;

	check_table_exists(relid);
	name = get_rel_name(relid);
	ereport(ERROR,
			(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
			 set_lock_error(name)));
}

/*
 * The error of lock_timeout does not say what was waited for.  While it is
 * being raised, this gives it the message that LOCK TABLE ... NOWAIT has.
 */
static void
name_the_table(void *name)
{
	/* a table that is gone has no name */
	if (name != NULL && geterrcode() == ERRCODE_LOCK_NOT_AVAILABLE)
		set_lock_error(name);
}

void
lock_named(Oid relid, LOCKMODE mode)
{
	ErrorContextCallback context;

	context.previous = error_context_stack;
	context.callback = name_the_table;
	context.arg = get_rel_name(relid);
	error_context_stack = &context;
	LockRelationOid(relid, mode);
	error_context_stack = context.previous;
}

/*
 * What is beneath a table is looked up when that table is locked, so that
 * others neither add to it nor drop any of it.
 */
List *
lock_tree(Oid relid)
{
	List	   *result = list_make1_oid(relid);
	ListCell   *cell;

	foreach(cell, result)
	{
		lock_named(lfirst_oid(cell), AccessExclusiveLock);
		result = list_concat(result,
							 find_inheritance_children(lfirst_oid(cell),
													   NoLock));
	}
	return result;
}

/*
 * Whether this is the row that names and DDL go by.  Another session can have
 * committed a newer one without having told it yet.
 */
static bool
is_cached(int cache, Oid object, ItemPointer place)
{
	HeapTuple	row = SearchSysCache1(cache, ObjectIdGetDatum(object));
	bool		result;

	if (!HeapTupleIsValid(row))
		return false;
	result = ItemPointerEquals(&row->t_self, place);
	ReleaseSysCache(row);
	return result;
}

bool
lock_catalog_row(Oid catalog_id, Oid index_id, int cache, Oid object,
				 LockTupleMode mode, bool follow_updates)
{
	Relation	catalog = table_open(catalog_id, RowShareLock);
	TM_Result	result = TM_Deleted;
	ScanKeyData by_oid;
	SysScanDesc scan;
	HeapTuple	row;

	ScanKeyInit(&by_oid, ANUM_OID, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object));
	/* the row and what the syscache has may both be old */
	AcceptInvalidationMessages();
	scan = systable_beginscan(catalog, index_id, true, NULL, 1, &by_oid);
	row = systable_getnext(scan);
	if (HeapTupleIsValid(row))
	{
		HeapTupleData locked = {.t_self = row->t_self};
		TM_FailureData failure;
		Buffer		buffer;

		result = heap_lock_tuple(catalog, &locked, GetCurrentCommandId(true),
								 mode, LockWaitSkip, follow_updates, &buffer,
								 &failure);
		ReleaseBuffer(buffer);
		if (!is_cached(cache, object, &row->t_self))
			result = TM_Updated;
	}
	/* until here the scan has kept the row from being pruned */
	systable_endscan(scan);
	table_close(catalog, RowShareLock);
	return result == TM_Ok;
}

/* Whatever lock_timeout the session has, and has again afterwards. */
static void
lock_within(Oid relid, LOCKMODE mode, int64 milliseconds)
{
	int			level = NewGUCNestLevel();
	char		limit[32];

	milliseconds = Max(milliseconds, 1);
	milliseconds = Min(milliseconds, INT_MAX);
	snprintf(limit, sizeof(limit), INT64_FORMAT, milliseconds);
	(void) set_config_option("lock_timeout", limit, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	lock_named(relid, mode);
	AtEOXact_GUC(true, level);
}

/* A day has 24 hours and a month 30 days, as where intervals are compared. */
static int64
microseconds_of(const Interval *wait)
{
	int64		days = wait->day + wait->month * INT64CONST(30);
	int64		time = wait->time;

	/* lock_timeout is at most 24 days */
	days = Max(days, -100);
	days = Min(days, 100);
	time = Max(time, -100 * USECS_PER_DAY);
	time = Min(time, 100 * USECS_PER_DAY);
	return time + days * USECS_PER_DAY;
}

/*
 * lock_table(relation regclass, mode text, wait interval) returns void
 *
 * Locks a table, not those beneath it, until the transaction ends.  A wait of 0
 * stands in no queue.  The caller owns the table (42501 also for superusers
 * who do not), before the wait and after it; 42P01 where there is none, 55P03
 * where the lock was not to be had, 25006 on a standby except for ACCESS SHARE.
 */
PG_FUNCTION_INFO_V1(uidext_lock_table);
Datum
uidext_lock_table(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	LOCKMODE	mode = mode_of(text_to_cstring(PG_GETARG_TEXT_PP(1)));
	int64		wait = microseconds_of(PG_GETARG_INTERVAL_P(2));

	if (mode > RowExclusiveLock)
		PreventCommandDuringRecovery("lock_table()");
	check_table_owner(relid);
	if (wait > 0)
		lock_within(relid, mode, wait / 1000);
	else if (!ConditionalLockRelationOid(relid, mode))
		say_locked(relid);
	check_table_owner(relid);
	PG_RETURN_VOID();
}
