/*-------------------------------------------------------------------------
 *
 * move_ids.c
 *	  Rows move from one table into another, and no trigger notices.
 *
 * A row that leaves the default partition for the partition of its period stays
 * in the table.  So triggers for DELETE and INSERT would tell what is not so,
 * and those of foreign keys would refuse what changes nothing, or delete rows
 * that refer to it.  Rows are written as the subscriber of a publication writes
 * them (execReplication.c), without the triggers: constraints are checked, also
 * those that are DEFERRABLE, and indexes kept, and logical decoding sees a DELETE
 * and an INSERT.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/table.h"
#include "access/tableam.h"
#include "access/tupconvert.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "commands/trigger.h"
#include "executor/execPartition.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "partitions/id_scan.h"
#include "partitions/owner.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

/* 16 makes the map when it is asked for. */
#if PG_VERSION_NUM >= 160000
#define root_to_child_map(leaf, estate) ExecGetRootToChildMap(leaf, estate)
#else
#define root_to_child_map(leaf, estate) ((leaf)->ri_RootToPartitionMap)
#endif

/* Where rows come to: a table, or one that is partitioned. */
typedef struct Target
{
	EState	   *estate;
	ModifyTableState *state;
	ResultRelInfo *root;
	PartitionTupleRouting *routing;
	TupleConversionMap *map;	/* from the source's row; NULL for none */
	TupleTableSlot *slot;
} Target;

static Relation
open_table(Oid relid, bool may_be_partitioned)
{
	Relation	rel;
	char		kind;

	LockRelationOid(relid, RowExclusiveLock);
	check_table_exists(relid);
	rel = table_open(relid, NoLock);
	kind = rel->rd_rel->relkind;
	check_sees_all_rows(rel);
	if (kind != RELKIND_RELATION &&
		!(may_be_partitioned && kind == RELKIND_PARTITIONED_TABLE))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an ordinary table",
						RelationGetRelationName(rel)),
				 errhint("Rows move between ordinary tables alone.")));
	return rel;
}

/*
 * No trigger but what looks at rows once more for DEFERRABLE constraints, and
 * that does not wait until the transaction ends.
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
		check->tgdeferrable = false;
		check->tginitdeferred = false;
		kept.numtriggers++;
		kept.trig_insert_after_row = true;
	}
	*all = kept;
}

static void
open_target(Target *target, Relation source, Relation rel)
{
	target->estate = CreateExecutorState();
	target->estate->es_output_cid = GetCurrentCommandId(true);
	target->estate->es_snapshot = GetActiveSnapshot();
	target->map = convert_tuples_by_name(RelationGetDescr(source),
										 RelationGetDescr(rel));
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

/* The leaf in which a row belongs, and the row as it is there. */
static ResultRelInfo *
route(Target *target, TupleTableSlot **slot)
{
	TupleConversionMap *map;
	ResultRelInfo *leaf;

	if (target->routing == NULL)
		return target->root;
	leaf = ExecFindPartition(target->state, target->root, target->routing,
							 *slot, target->estate);
	if (leaf->ri_RelationDesc->rd_rel->relkind != RELKIND_RELATION)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an ordinary table",
						RelationGetRelationName(leaf->ri_RelationDesc)),
				 errhint("Rows move between ordinary tables alone.")));
	keep_unique_checks(leaf);
	map = root_to_child_map(leaf, target->estate);
	if (map != NULL)
		*slot = execute_attr_map_slot(map->attrMap, *slot,
									  leaf->ri_PartitionTupleSlot);
	return leaf;
}

static void
put_row(Target *target, TupleTableSlot *row)
{
	TupleTableSlot *slot = target->slot;
	ResultRelInfo *leaf;

	if (target->map != NULL)
		slot = execute_attr_map_slot(target->map->attrMap, row, slot);
	else
		slot = ExecCopySlot(slot, row);
	ResetPerTupleExprContext(target->estate);
	leaf = route(target, &slot);
	ExecSimpleRelationInsert(leaf, target->estate, slot);
	ExecClearTuple(target->slot);
}

static int64
move_rows(Relation source, Target *target, const IdRange *range, int64 most)
{
	int64		moved = 0;
	IdScan		scan;
	Datum		id;

	id_scan_begin(&scan, source, range, false);
	while (id_scan_next(&scan, &id))
	{
		if (++moved > most)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("more than " INT64_FORMAT " rows would be moved under a lock",
							most),
					 errhint("A larger max_rows moves them, while others wait.")));
		put_row(target, scan.slot);
		simple_table_tuple_delete(source, &scan.slot->tts_tid,
								  target->estate->es_snapshot);
	}
	id_scan_end(&scan);
	return moved;
}

/*
 * move_ids(source regclass, target regclass, column_name name, from_id text,
 *			to_id text, most bigint) returns bigint
 *
 * Moves the rows whose ids are from one up to another into another table, by
 * the names of columns, and returns how many.  No trigger fires, nor any of a
 * foreign key: whoever refers to these rows must find them where they come to.
 * The caller owns both tables and sees all their rows (42501).  54000 for more
 * rows than most; 42809 for a foreign table; what constraints of the target
 * raise.
 */
PG_FUNCTION_INFO_V1(uidext_move_ids);
Datum
uidext_move_ids(PG_FUNCTION_ARGS)
{
	int64		most = PG_ARGISNULL(5) ? PG_INT64_MAX : PG_GETARG_INT64(5);
	Relation	source;
	Relation	rel;
	Target		target;
	IdRange		range = {0};
	int64		moved;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		PG_RETURN_NULL();
	range.column = NameStr(*PG_GETARG_NAME(2));
	if (!PG_ARGISNULL(3))
		range.from = text_to_cstring(PG_GETARG_TEXT_PP(3));
	if (!PG_ARGISNULL(4))
		range.to = text_to_cstring(PG_GETARG_TEXT_PP(4));
	source = open_table(PG_GETARG_OID(0), false);
	rel = open_table(PG_GETARG_OID(1), true);
	CheckCmdReplicaIdentity(source, CMD_DELETE);
	open_target(&target, source, rel);
	moved = move_rows(source, &target, &range, most);
	close_target(&target);
	table_close(rel, NoLock);
	table_close(source, NoLock);
	PG_RETURN_INT64(moved);
}
