/*-------------------------------------------------------------------------
 *
 * attach.c
 *	  A table becomes the partition of a range of ids.
 *
 * ATTACH PARTITION reads all of a default partition, under a lock that keeps
 * everybody out, to see that it has no row of the range.  An index by the id
 * shows the same at once.  So for the time of the command each table of the
 * default partition gets a CHECK that excludes the range, which is what the
 * server would read the rows for.  The CHECK is stored as valid, because the
 * range was found empty here, by the index and under the same lock, whoever
 * calls and whatever is passed.  A table without such an index, and one of
 * another owner, gets no CHECK, and the server reads it.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/heap.h"
#include "catalog/partition.h"
#include "catalog/pg_constraint.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "partitioning/partbounds.h"
#include "partitions/attach.h"
#include "partitions/id_scan.h"
#include "partitions/lock_table.h"
#include "partitions/owner.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* A smaller table is read sooner than the catalogs are changed. */
#define FEW_BLOCKS 64

static PartitionRangeDatum *
bound(PartitionKey key, bool is_given, Datum id,
	  PartitionRangeDatumKind otherwise)
{
	PartitionRangeDatum *result = makeNode(PartitionRangeDatum);

	result->kind = is_given ? PARTITION_RANGE_DATUM_VALUE : otherwise;
	if (is_given)
		result->value = (Node *) makeConst(key->parttypid[0],
										   key->parttypmod[0],
										   key->parttypcoll[0],
										   key->parttyplen[0], id, false,
										   key->parttypbyval[0]);
	result->location = -1;
	return result;
}

/* What holds of each row of a default partition beside this range. */
static List *
excluding(Relation parent, const IdScan *scan)
{
	PartitionKey key = RelationGetPartitionKey(parent);
	PartitionBoundSpec *range = makeNode(PartitionBoundSpec);
	List	   *condition;

	range->strategy = PARTITION_STRATEGY_RANGE;
	range->lowerdatums = list_make1(bound(key, scan->has_from, scan->from,
										  PARTITION_RANGE_DATUM_MINVALUE));
	range->upperdatums = list_make1(bound(key, scan->has_to, scan->to,
										  PARTITION_RANGE_DATUM_MAXVALUE));
	range->location = -1;
	condition = get_qual_from_partbound(parent, range);
	condition = get_proposed_default_constraint(condition);
	return map_partition_varattnos(condition, 1, scan->rel, parent);
}

static Oid
add_valid_check(Relation rel, List *condition)
{
	Constraint *check = makeNode(Constraint);
	CookedConstraint *added;

	check->contype = CONSTR_CHECK;
	check->cooked_expr = nodeToString(make_ands_explicit(condition));
	check->location = -1;
	check->initially_valid = true;
	set_enforced(check);
	added = linitial(AddRelationNewConstraints(rel, NIL, list_make1(check),
											   false, true, true, NULL));
	CommandCounterIncrement();
	return added->conoid;
}

/*
 * Whether an index by which the parent's key is ordered shows that a table,
 * from which all others are locked out, has no row of a range.  The key's
 * NULLs are in no range.
 */
static bool
is_shown_empty(const PartitionKey key, IdScan *scan)
{
	Datum		id;

	return id_scan_is_ordered(scan) &&
		scan->type->btree_opf == key->partopfamily[0] &&
		!id_scan_next(scan, &id);
}

/*
 * GRANT changes the catalog's row of a table without a lock on the table.
 * False, without a wait, where a GRANT has not ended.  One that comes later
 * waits for this transaction, and fails if that changes the row.
 */
static bool
keep_grant_out(Oid relid)
{
	return lock_catalog_row(RelationRelationId, ClassOidIndexId, RELOID, relid,
							LockTupleNoKeyExclusive, false);
}

/* The OID of a CHECK that excludes the range; invalid without a proof. */
static Oid
exclude_range(Relation parent, Oid relid, const IdRange *range)
{
	Relation	rel = table_open(relid, NoLock);
	Oid			result = InvalidOid;
	IdScan		scan;

	/* with more references, a command of this session may still write here */
	if (rel->rd_rel->relkind == RELKIND_RELATION &&
		rel->rd_rel->relowner == GetUserId() && rel->rd_refcnt == 1 &&
		RelationGetNumberOfBlocks(rel) > FEW_BLOCKS)
	{
		PushActiveSnapshot(GetLatestSnapshot());
		id_scan_begin(&scan, rel, range, false);
		if (is_shown_empty(RelationGetPartitionKey(parent), &scan) &&
			keep_grant_out(relid))
			result = add_valid_check(rel, excluding(parent, &scan));
		id_scan_end(&scan);
		PopActiveSnapshot();
	}
	table_close(rel, NoLock);
	return result;
}

/* The CHECKs that are added to the default partition or beneath it. */
static List *
exclude_from_default(Oid parent_id, const char *from, const char *to)
{
	Relation	parent = table_open(parent_id, NoLock);
	Oid			rest = get_default_partition_oid(parent_id);
	PartitionKey key = RelationGetPartitionKey(parent);
	List	   *result = NIL;

	if (OidIsValid(rest) && key->strategy == PARTITION_STRATEGY_RANGE &&
		key->partnatts == 1 && key->partattrs[0] != 0 &&
		!OidIsValid(key->partcollation[0]))
	{
		IdRange		range = {
			.column = get_attname(parent_id, key->partattrs[0], false),
			.from = from,
			.to = to
		};
		ListCell   *cell;

		foreach(cell, lock_tree(rest))
		{
			Oid			check = exclude_range(parent, lfirst_oid(cell), &range);

			if (OidIsValid(check))
				result = lappend_oid(result, check);
		}
	}
	table_close(parent, NoLock);
	return result;
}

/* An event trigger may have dropped one. */
static void
drop_checks(List *checks)
{
	ListCell   *cell;

	foreach(cell, checks)
	{
		ObjectAddress check;

		ObjectAddressSet(check, ConstraintRelationId, lfirst_oid(cell));
		if (SearchSysCacheExists1(CONSTROID, ObjectIdGetDatum(check.objectId)))
			performDeletion(&check, DROP_RESTRICT, PERFORM_DELETION_INTERNAL);
	}
	CommandCounterIncrement();
}

static const char *
name_of(Oid relid)
{
	const char *schema = get_namespace_name(get_rel_namespace(relid));
	const char *name = get_rel_name(relid);

	if (schema == NULL || name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	return quote_qualified_identifier(schema, name);
}

void
say_changed(Oid partition)
{
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 errmsg("could not serialize access: partition %s has changed",
					name_of(partition)),
			 errhint("Call it again, in a new transaction.")));
}

/* The command has names, which may lead to other tables: see its caller. */
static void
run_attach(Oid parent, Oid partition, const char *from, const char *to)
{
	StringInfoData command;

	initStringInfo(&command);
	appendStringInfo(&command,
					 "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)",
					 name_of(parent), name_of(partition),
					 from != NULL ? quote_literal_cstr(from) : "MINVALUE",
					 to != NULL ? quote_literal_cstr(to) : "MAXVALUE");
	SPI_connect();
	if (SPI_execute(command.data, false, 0) != SPI_OK_UTILITY)
		elog(ERROR, "could not execute \"%s\"", command.data);
	SPI_finish();
	if (parent_of(partition) != parent)
		say_changed(partition);
}

/* Nobody drops it, or gives it to another owner, from here on. */
static void
lock_owned_tree(Oid relid)
{
	ListCell   *cell;

	lock_named(relid, AccessExclusiveLock);
	check_table_owner(relid);
	foreach(cell, lock_tree(relid))
		check_table_owner(lfirst_oid(cell));
}

void
attach_range(Oid parent, Oid partition, const char *from, const char *to)
{
	List	   *checks;

	/* rows that this very statement has inserted count, too */
	CommandCounterIncrement();
	checks = exclude_from_default(parent, from, to);
	lock_owned_tree(partition);
	run_attach(parent, partition, from, to);
	drop_checks(checks);
}

/*
 * attach_ids(parent regclass, partition regclass, from_id text, to_id text)
 *		returns void
 *
 * Attaches a table for the ids from one up to another, NULL for no bound.  The
 * caller owns both tables, and what is beneath the partition (42501); 42P01,
 * 42809 for a parent that is not partitioned, 40001 where another table was
 * attached, 25006, and what ATTACH PARTITION raises.
 */
PG_FUNCTION_INFO_V1(uidext_attach_ids);
Datum
uidext_attach_ids(PG_FUNCTION_ARGS)
{
	const char *from = NULL;
	const char *to = NULL;
	Oid			parent;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	parent = PG_GETARG_OID(0);
	PreventCommandIfReadOnly("attach_ids()");
	check_table_owner(parent);
	check_table_owner(PG_GETARG_OID(1));
	lock_named(parent, ShareUpdateExclusiveLock);
	check_table_owner(parent);
	if (get_rel_relkind(parent) != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a partitioned table",
						get_rel_name(parent))));
	if (!PG_ARGISNULL(2))
		from = text_to_cstring(PG_GETARG_TEXT_PP(2));
	if (!PG_ARGISNULL(3))
		to = text_to_cstring(PG_GETARG_TEXT_PP(3));
	attach_range(parent, PG_GETARG_OID(1), from, to);
	PG_RETURN_VOID();
}
