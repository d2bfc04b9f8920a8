/*-------------------------------------------------------------------------
 *
 * move_ids.c
 *	  Moves rows from a default partition into a new partition, without
 *	  firing triggers.
 *
 * A row that moves stays in the partitioned table.  Triggers for DELETE and
 * INSERT would report changes that are none.  Triggers of foreign keys would
 * raise an error, or delete rows that refer to the row.  Therefore rows are
 * deleted and inserted in the same way as by a logical replication worker
 * (execReplication.c), and no trigger fires.  Constraints are still checked,
 * including DEFERRABLE ones, and indexes are updated.  Logical decoding sees
 * a DELETE from the default partition, and later an INSERT into the new
 * partition, which is attached by then.
 *
 * One function deletes and inserts.  A caller of a function that only deletes
 * could leave rows of other tables without the rows to which they refer.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/tupconvert.h"
#include "access/xact.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "commands/tablecmds.h"
#include "commands/trigger.h"
#include "executor/execPartition.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "partitions/attach.h"
#include "partitions/id_scan.h"
#include "partitions/lock_table.h"
#include "partitions/owner.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

/* Where rows come to: a table, or one that is partitioned. */
typedef struct Target
{
	EState	   *estate;
	ModifyTableState *state;
	ResultRelInfo *root;
	PartitionTupleRouting *routing;
	TupleTableSlot *slot;
} Target;

/* Rows out of the default partition, in the row type of the target. */
typedef struct TakenRows
{
	TupleDesc	desc;
	Tuplestorestate *rows;
	int64		count;
	int64		max_rows;
} TakenRows;

static void
check_may_move(Relation rel)
{
	check_is_ordinary(rel, "Rows can be moved between ordinary tables only.");
}

static Relation
open_source(Oid relid)
{
	Relation	rel;

	check_table_exists(relid);
	rel = table_open(relid, NoLock);
	check_sees_all_rows(rel);
	return rel;
}

/* No rows of the new table are read, so it may have row security. */
static Relation
open_new_table(Oid relid)
{
	check_table_owner(relid);
	return table_open(relid, NoLock);
}

/* From 18 on, the key of a partitioned table can be NOT VALID. */
static bool
is_validated(Oid constraint)
{
	HeapTuple	tuple = SearchSysCache1(CONSTROID,
										ObjectIdGetDatum(constraint));
	bool		result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for constraint %u", constraint);
	result = ((Form_pg_constraint) GETSTRUCT(tuple))->convalidated;
	ReleaseSysCache(tuple);
	return result;
}

/*
 * The OID of a foreign key that a partition has and its parent does not, or
 * InvalidOid.  With RI_TRIGGER_FK these are foreign keys from the partition,
 * with RI_TRIGGER_PK those to the partition.  A foreign key from the partition
 * that is validated counts, too, if that of the parent is NOT VALID.
 */
static Oid
own_foreign_key(Relation rel, int side)
{
	TriggerDesc *all = rel->trigdesc;

	for (int i = 0; all != NULL && i < all->numtriggers; i++)
	{
		Trigger    *trigger = &all->triggers[i];
		HeapTuple	tuple;
		Oid			above;
		bool		validated;

		if (RI_FKey_trigger_type(trigger->tgfoid) != side)
			continue;
		tuple = SearchSysCache1(CONSTROID,
								ObjectIdGetDatum(trigger->tgconstraint));
		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for constraint %u",
				 trigger->tgconstraint);
		above = ((Form_pg_constraint) GETSTRUCT(tuple))->conparentid;
		validated = ((Form_pg_constraint) GETSTRUCT(tuple))->convalidated;
		ReleaseSysCache(tuple);
		if (!OidIsValid(above) ||
			(side == RI_TRIGGER_FK && validated && !is_validated(above)))
			return trigger->tgconstraint;
	}
	return InvalidOid;
}

/* A key to the default partition itself does not find rows elsewhere. */
static void
check_references(Relation rel)
{
	if (OidIsValid(own_foreign_key(rel, RI_TRIGGER_PK)))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a foreign key refers to partition \"%s\" itself",
						RelationGetRelationName(rel)),
				 errhint("Let the foreign key refer to the partitioned table.")));
}

/* Once a table is attached, it shares the foreign keys of its parent. */
static void
check_foreign_keys(Relation rel)
{
	Oid			key = own_foreign_key(rel, RI_TRIGGER_FK);

	if (OidIsValid(key))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("foreign key \"%s\" of table \"%s\" would not be checked",
						get_constraint_name(key),
						RelationGetRelationName(rel)),
				 errdetail("The partitioned table has no such foreign key, or has not validated it, so rows of the default partition may violate it."),
				 errhint("Drop the foreign key, and add or validate it after the call.")));
}

/* What has been attached, with all beneath it. */
static void
check_target(Oid relid)
{
	ListCell   *cell;

	foreach(cell, lock_tree(relid))
	{
		Relation	rel = open_new_table(lfirst_oid(cell));

		if (rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
			check_may_move(rel);
		check_foreign_keys(rel);
		table_close(rel, NoLock);
	}
}

/*
 * Keeps only the triggers that check DEFERRABLE unique constraints, and removes
 * all others.  Those that are kept fire once all rows are inserted, not at the
 * end of the transaction, and with every session_replication_role.
 */
static void
keep_unique_checks(ResultRelInfo *rel)
{
	TriggerDesc *all = rel->ri_TrigDesc;
	TriggerDesc kept = {0};

	if (all == NULL)
		return;
	kept.triggers = all->triggers;
	for (int i = 0; i < all->numtriggers; i++)
	{
		Trigger    *check = &kept.triggers[kept.numtriggers];

		if (all->triggers[i].tgfoid != F_UNIQUE_KEY_RECHECK)
			continue;
		*check = all->triggers[i];
		check->tgenabled = TRIGGER_FIRES_ALWAYS;
		check->tgdeferrable = false;
		check->tginitdeferred = false;
		kept.numtriggers++;
		kept.trig_insert_after_row = true;
	}
	*all = kept;
}

static void
open_target(Target *target, Relation rel)
{
	target->estate = CreateExecutorState();
	target->estate->es_output_cid = GetCurrentCommandId(true);
	target->estate->es_snapshot = GetActiveSnapshot();
	target->slot = table_slot_create(rel, NULL);
	target->root = makeNode(ResultRelInfo);
	InitResultRelInfo(target->root, rel, 0, NULL, 0);
	keep_unique_checks(target->root);
	target->state = makeNode(ModifyTableState);
	target->state->ps.state = target->estate;
	target->state->operation = CMD_INSERT;
	target->state->resultRelInfo = target->root;
	target->routing = NULL;
	if (rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		target->routing = ExecSetupPartitionTupleRouting(target->estate, rel);
	else
		ExecOpenIndices(target->root, false);
	AfterTriggerBeginQuery();
}

static void
close_target(Target *target)
{
	AfterTriggerEndQuery(target->estate);
	ExecCloseResultRelations(target->estate);
	ExecDropSingleTupleTableSlot(target->slot);
	if (target->routing != NULL)
		ExecCleanupTupleRouting(target->state, target->routing);
	else
		ExecCloseIndices(target->root);
	ExecResetTupleTable(target->estate->es_tupleTable, false);
	FreeExecutorState(target->estate);
}

/* The leaf in which a row belongs. */
static ResultRelInfo *
route(Target *target, TupleTableSlot *row)
{
	ResultRelInfo *leaf;

	if (target->routing == NULL)
		return target->root;
	leaf = ExecFindPartition(target->state, target->root, target->routing,
							 row, target->estate);
	keep_unique_checks(leaf);
	return leaf;
}

/*
 * A partition may generate a column in another way than the default partition
 * (16), and a function may give another result by now.  What refers to the
 * value would not notice.
 */
static void
check_generated(Relation rel, TupleTableSlot *after, TupleTableSlot *before,
				const AttrMap *map)
{
	TupleDesc	desc = RelationGetDescr(rel);

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, i);
		bool		is_null;
		bool		was_null;
		Datum		value;
		Datum		old_value;

		if (column->attgenerated != ATTRIBUTE_GENERATED_STORED)
			continue;
		value = slot_getattr(after, i + 1, &is_null);
		old_value = slot_getattr(before, map ? map->attnums[i] : i + 1,
								 &was_null);
		if (is_null != was_null ||
			(!is_null && !datum_image_eq(value, old_value, column->attbyval,
										 column->attlen)))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("generated column \"%s\" of a row would change",
							NameStr(column->attname)),
					 errdetail("Its expression in table \"%s\" gives another value than the default partition stores.",
							   RelationGetRelationName(rel)),
					 errhint("Give both tables the same expression. If a function in it has changed, update the rows.")));
	}
}

/*
 * All columns, value by value.  The row as it is stored may end before a column
 * that was added later, and would there get the value that the target has for
 * its own older rows.
 */
static TupleTableSlot *
copy_row(TupleTableSlot *slot, TupleTableSlot *row)
{
	int			natts = row->tts_tupleDescriptor->natts;

	slot_getallattrs(row);
	ExecClearTuple(slot);
	memcpy(slot->tts_values, row->tts_values, natts * sizeof(Datum));
	memcpy(slot->tts_isnull, row->tts_isnull, natts * sizeof(bool));
	return ExecStoreVirtualTuple(slot);
}

static void
put_row(Target *target, TupleTableSlot *row)
{
	TupleTableSlot *slot = copy_row(target->slot, row);
	ResultRelInfo *leaf;
	TupleConversionMap *map = NULL;

	ResetPerTupleExprContext(target->estate);
	leaf = route(target, slot);
	if (leaf != target->root)
		map = root_to_child_map(leaf, target->estate);
	if (map != NULL)
		slot = execute_attr_map_slot(map->attrMap, slot,
									 leaf->ri_PartitionTupleSlot);
	ExecSimpleRelationInsert(leaf, target->estate, slot);
	check_generated(leaf->ri_RelationDesc, slot, row,
					map != NULL ? map->attrMap : NULL);
	ExecClearTuple(target->slot);
}

/* An event trigger may have changed the table. */
static void
check_row_type(Relation rel, TupleDesc expected)
{
	TupleDesc	desc = RelationGetDescr(rel);
	bool		equal = desc->natts == expected->natts;

	for (int i = 0; equal && i < desc->natts; i++)
	{
		Form_pg_attribute a = TupleDescAttr(desc, i);
		Form_pg_attribute b = TupleDescAttr(expected, i);

		equal = a->atttypid == b->atttypid && a->atttypmod == b->atttypmod &&
			a->attlen == b->attlen && a->attalign == b->attalign &&
			a->attisdropped == b->attisdropped &&
			strcmp(NameStr(a->attname), NameStr(b->attname)) == 0;
	}
	if (!equal)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("could not serialize access: the columns of table \"%s\" have changed",
						RelationGetRelationName(rel)),
				 errhint("Call it again, in a new transaction.")));
}

static void
put_rows(Oid relid, TakenRows *taken)
{
	TupleTableSlot *row = MakeSingleTupleTableSlot(taken->desc,
												   &TTSOpsMinimalTuple);
	Relation	rel;
	Target		target;

	check_target(relid);
	rel = open_new_table(relid);
	check_row_type(rel, taken->desc);
	open_target(&target, rel);
	while (tuplestore_gettupleslot(taken->rows, true, false, row))
	{
		CHECK_FOR_INTERRUPTS();
		put_row(&target, row);
	}
	close_target(&target);
	table_close(rel, NoLock);
	ExecDropSingleTupleTableSlot(row);
}

static void
take_row(Relation source, TupleTableSlot *row, TupleConversionMap *map,
		 TupleTableSlot *converted, TakenRows *taken)
{
	if (++taken->count > taken->max_rows)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("more than %lld rows would be moved under a lock",
						(long long) taken->max_rows),
				 errhint("To move them, pass a larger max_rows. Other sessions wait while the rows move.")));
	if (map != NULL)
		converted = execute_attr_map_slot(map->attrMap, row, converted);
	tuplestore_puttupleslot(taken->rows, map != NULL ? converted : row);
	simple_table_tuple_delete(source, &row->tts_tid, GetActiveSnapshot());
}

static void
take_rows(Oid relid, const IdRange *range, TakenRows *taken)
{
	Relation	source = open_source(relid);
	TupleTableSlot *converted = MakeSingleTupleTableSlot(taken->desc,
														 &TTSOpsVirtual);
	TupleConversionMap *map;
	IdScan		scan;
	Datum		id;

	check_may_move(source);
	/* what a trigger has still to look at would no longer be there */
	CheckTableNotInUse(source, "drain");
	check_references(source);
	CheckCmdReplicaIdentity(source, CMD_DELETE);
	map = convert_tuples_by_name(RelationGetDescr(source), taken->desc);
	id_scan_begin(&scan, source, range, false);
	while (id_scan_next(&scan, &id))
		take_row(source, scan.slot, map, converted, taken);
	id_scan_end(&scan);
	ExecDropSingleTupleTableSlot(converted);
	table_close(source, NoLock);
}

static void
take_all_rows(List *relids, const IdRange *range, TakenRows *taken)
{
	ListCell   *cell;

	foreach(cell, relids)
	{
		Oid			leaf = lfirst_oid(cell);

		if (get_rel_relkind(leaf) == RELKIND_PARTITIONED_TABLE)
		{
			Relation	rel = open_source(leaf);

			check_references(rel);
			table_close(rel, NoLock);
		}
		else
			take_rows(leaf, range, taken);
	}
}

static Oid
parent_of_default(Oid relid)
{
	Oid			parent;

	check_table_owner(relid);
	parent = parent_of(relid);
	if (!OidIsValid(parent) || get_default_partition_oid(parent) != relid)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a default partition",
						get_rel_name(relid)),
				 errhint("Rows can be moved out of a default partition only.")));
	return parent;
}

static Oid
lock_parent_of_default(Oid relid)
{
	Oid			parent = parent_of_default(relid);

	check_table_owner(parent);
	lock_named(parent, AccessExclusiveLock);
	check_table_owner(parent);
	if (parent_of_default(relid) != parent)
		say_changed(relid);
	return parent;
}

static TupleDesc
row_of(Oid relid)
{
	Relation	rel = open_new_table(relid);
	TupleDesc	result = CreateTupleDescCopy(RelationGetDescr(rel));

	table_close(rel, NoLock);
	return result;
}

/*
 * move_ids(source regclass, target regclass, column_name name, from_id text,
 *			to_id text, max_rows bigint) returns bigint
 *
 * Takes the rows whose ids are from one up to another out of a default
 * partition, attaches a table to the same parent for these ids, and puts
 * the rows there, by the names of columns; returns how many.  No trigger
 * fires, nor any of a foreign key.  The parent is locked ACCESS EXCLUSIVE.
 * The caller owns all tables and sees all rows of the default partition
 * (42501), and of the other one all that is beneath it.  54000 for more rows
 * than max_rows; 42809 for what is no default partition and for a foreign
 * table; 55000 where a foreign key refers to the default partition itself or
 * only the new table has it, or has validated it, and where a generated column
 * would change; 55006 for a table with pending triggers or open cursors; 40001
 * where something else was attached; 25006; what ATTACH PARTITION and
 * constraints of the target raise.
 */
PG_FUNCTION_INFO_V1(uidext_move_ids);
Datum
uidext_move_ids(PG_FUNCTION_ARGS)
{
	Oid			source = PG_GETARG_OID(0);
	Oid			target = PG_GETARG_OID(1);
	IdRange		range = {
		.column = NameStr(*PG_GETARG_NAME(2)),
		.from = text_to_cstring(PG_GETARG_TEXT_PP(3)),
		.to = text_to_cstring(PG_GETARG_TEXT_PP(4))
	};
	TakenRows	taken = {.max_rows = PG_GETARG_INT64(5)};
	Oid			parent;
	List	   *sources;

	PreventCommandIfReadOnly("move_ids()");
	parent = lock_parent_of_default(source);
	check_table_owner(target);
	lock_named(target, AccessExclusiveLock);

	/*
	 * The default partition may be divided.  Who writes to a part by its name
	 * need not have locked the parent.
	 */
	sources = lock_tree(source);
	taken.desc = row_of(target);
	taken.rows = tuplestore_begin_heap(false, false, work_mem);
	/* what others have committed before the locks, at any isolation level */
	PushActiveSnapshot(GetLatestSnapshot());
	take_all_rows(sources, &range, &taken);
	PopActiveSnapshot();

	/*
	 * Whoever calls could change the types of columns, or have a foreign key
	 * checked, while the rows are in no table: so this is no command of the
	 * caller's.
	 */
	attach_range(parent, target, range.from, range.to);
	put_rows(target, &taken);
	tuplestore_end(taken.rows);
	PG_RETURN_INT64(taken.count);
}
