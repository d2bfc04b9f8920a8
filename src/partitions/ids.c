/*-------------------------------------------------------------------------
 *
 * ids.c
 *	  The first and last id of a partition, and how many it has.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "partitions/id_scan.h"
#include "partitions/lock_table.h"
#include "partitions/owner.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

static const char *
text_argument(FunctionCallInfo fcinfo, int n)
{
	return PG_ARGISNULL(n) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* Those of IdRange: 0, for all ids, where the argument is NULL. */
static uint32
versions_argument(FunctionCallInfo fcinfo, int n)
{
	uint32		result = VERSIONS_GIVEN;
	Datum	   *versions;
	bool	   *nulls;
	int			count;

	if (PG_ARGISNULL(n))
		return 0;
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(n), INT4OID, sizeof(int32), true,
					  TYPALIGN_INT, &versions, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		int32		version = nulls[i] ? -1 : DatumGetInt32(versions[i]);

		if (version < 0 || version > 15)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("UUID versions must be from 0 to 15"),
					 errhint("Pass the versions that you accept, or NULL to accept all.")));
		result |= (uint32) 1 << version;
	}
	return result;
}

/* Names of columns; none where the argument is NULL. */
static List *
columns_argument(FunctionCallInfo fcinfo, int n)
{
	List	   *result = NIL;
	Datum	   *names;
	bool	   *nulls;
	int			count;

	if (PG_ARGISNULL(n))
		return NIL;
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(n), NAMEOID, NAMEDATALEN, false,
					  TYPALIGN_CHAR, &names, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		if (!nulls[i])
			result = lappend(result, NameStr(*DatumGetName(names[i])));
	}
	return result;
}

static void
range_argument(FunctionCallInfo fcinfo, IdRange *range, int versions)
{
	range->column = NameStr(*PG_GETARG_NAME(1));
	range->from = text_argument(fcinfo, 2);
	range->to = text_argument(fcinfo, 3);
	range->versions = versions_argument(fcinfo, versions);
	range->filled = NIL;
}

/*
 * Never waits in the queue of a lock, because those who come later would wait
 * there as well, and because it could be part of a deadlock.  It asks for the
 * lock every 50 ms, as long as lock_timeout says, or 10 seconds.  A shorter
 * lock_timeout ends with a second try.
 */
static void
lock_for_a_look(Oid relid)
{
	TimestampTz start = GetCurrentTimestamp();
	int			limit = LockTimeout > 0 ? LockTimeout : 10000;

	while (!ConditionalLockRelationOid(relid, AccessShareLock))
	{
		if (TimestampDifferenceExceeds(start, GetCurrentTimestamp(), limit))
			say_locked(relid);
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 Min(50, limit), PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
}

/* Nothing is waited for beneath a table whose rows the caller may not see. */
static void
lock_and_check(Oid relid)
{
	Relation	rel;

	lock_for_a_look(relid);
	/* others may have dropped it before it was locked */
	rel = try_table_open(relid, NoLock);
	if (rel == NULL)
		return;
	check_sees_all_rows(rel);
	table_close(rel, NoLock);
}

static void
lock_each(List *relids)
{
	ListCell   *cell;

	foreach(cell, relids)
		lock_and_check(lfirst_oid(cell));
}

static void
unlock_each(List *relids)
{
	ListCell   *cell;

	foreach(cell, relids)
		UnlockRelationOid(lfirst_oid(cell), AccessShareLock);
}

/*
 * Locks a table and all beneath it, of whose every table the caller sees all
 * rows, and pushes a snapshot: the latest, or the caller's.  ATTACH PARTITION
 * waits for none of these locks, so all is listed again when there is a
 * snapshot, until that is what was locked.
 */
static List *
lock_all(Oid relid, bool latest)
{
	List	   *locked = list_make1_oid(relid);
	List	   *listed;

	lock_each(locked);
	check_table_exists(relid);
	listed = find_all_inheritors(relid, NoLock, NULL);
	for (;;)
	{
		/* what is in both lists stays locked */
		lock_each(listed);
		unlock_each(locked);
		locked = listed;
		PushActiveSnapshot(latest ? GetLatestSnapshot() : GetActiveSnapshot());
		listed = find_all_inheritors(relid, NoLock, NULL);
		if (equal(listed, locked))
			return locked;
		PopActiveSnapshot();
	}
}

/* Opens what holds rows of a partition, and pushes a snapshot for them. */
static List *
open_leaves(Oid relid, bool latest)
{
	List	   *result = NIL;
	ListCell   *cell;

	foreach(cell, lock_all(relid, latest))
	{
		Relation	rel = table_open(lfirst_oid(cell), NoLock);

		if (rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		{
			table_close(rel, AccessShareLock);
			continue;
		}
		check_is_ordinary(rel, "uidext can read the ids of ordinary tables only.");
		result = lappend(result, rel);
	}
	return result;
}

static void
close_leaves(List *leaves)
{
	ListCell   *cell;

	PopActiveSnapshot();
	foreach(cell, leaves)
		table_close((Relation) lfirst(cell), AccessShareLock);
}

/* Takes the place of the id found before, if it lies further out. */
static void
keep_edge(const IdScan *scan, Datum id, bool descending,
		  Datum *edge, bool *has_edge)
{
	if (*has_edge)
	{
		int			order = id_compare(scan, id, *edge);

		if (descending ? order <= 0 : order >= 0)
			return;
		if (!scan->type->typbyval)
			pfree(DatumGetPointer(*edge));
	}
	*edge = datumCopy(id, scan->type->typbyval, scan->type->typlen);
	*has_edge = true;
}

/*
 * edge_id(partition regclass, column_name name, from_id text, to_id text,
 *		   descending bool, versions int[], filled name[]) returns text
 *
 * The least or the greatest id of a table and all beneath it, from one id up to
 * another, of these UUID versions, in rows in which these other columns are not
 * NULL; NULL for none, and for no table.  The caller
 * owns all of these and sees all their rows (42501).  42703 for no such column,
 * 42804 for one of a type without an order, with a collation, or without
 * versions, 42809 for a foreign table.
 */
PG_FUNCTION_INFO_V1(uidext_edge_id);
Datum
uidext_edge_id(PG_FUNCTION_ARGS)
{
	bool		has_edge = false;
	Datum		edge = (Datum) 0;
	Oid			type = InvalidOid;
	IdRange		range;
	List	   *leaves;
	ListCell   *cell;
	Oid			output;
	bool		is_varlena;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(4))
		PG_RETURN_NULL();
	range_argument(fcinfo, &range, 5);
	range.filled = columns_argument(fcinfo, 6);

	/*
	 * Newer than the locks: partitions come and go by what is found, so rows
	 * that others have committed meanwhile must not be overlooked.
	 */
	leaves = open_leaves(PG_GETARG_OID(0), true);
	foreach(cell, leaves)
	{
		IdScan		scan;
		Datum		id;

		id_scan_begin(&scan, (Relation) lfirst(cell), &range,
					  PG_GETARG_BOOL(4));
		type = scan.type->type_id;
		while (id_scan_next(&scan, &id))
		{
			keep_edge(&scan, id, PG_GETARG_BOOL(4), &edge, &has_edge);
			if (id_scan_is_ordered(&scan))
				break;
		}
		id_scan_end(&scan);
	}
	close_leaves(leaves);
	if (!has_edge)
		PG_RETURN_NULL();
	getTypeOutputInfo(type, &output, &is_varlena);
	PG_RETURN_TEXT_P(cstring_to_text(OidOutputFunctionCall(output, edge)));
}

/*
 * count_ids(partition regclass, column_name name, from_id text, to_id text,
 *			 versions int[], scan_limit bigint) returns bigint
 *
 * How many ids of these versions there are from one id up to another, among
 * as many of any version as scan_limit; NULL for no table.  Rights and errors
 * as of edge_id().
 */
PG_FUNCTION_INFO_V1(uidext_count_ids);
Datum
uidext_count_ids(PG_FUNCTION_ARGS)
{
	int64		left = PG_ARGISNULL(5) ? PG_INT64_MAX : PG_GETARG_INT64(5);
	int64		count = 0;
	IdRange		range;
	List	   *leaves;
	ListCell   *cell;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	range_argument(fcinfo, &range, 4);

	/*
	 * In READ COMMITTED the statement's snapshot, so that two counts of one
	 * statement are of the same rows.  Above it that snapshot may be from
	 * before the lock on the rows that are counted, so there the latest.
	 */
	leaves = open_leaves(PG_GETARG_OID(0), IsolationUsesXactSnapshot());
	foreach(cell, leaves)
	{
		IdScan		scan;
		Datum		id;

		id_scan_begin(&scan, (Relation) lfirst(cell), &range, false);
		scan.left = left;
		while (id_scan_next(&scan, &id))
			count++;
		left = scan.left;
		id_scan_end(&scan);
	}
	close_leaves(leaves);
	PG_RETURN_INT64(count);
}
