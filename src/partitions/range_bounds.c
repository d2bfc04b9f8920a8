/*-------------------------------------------------------------------------
 *
 * range_bounds.c
 *	  The partitions of a table that is partitioned by range, with their
 *	  bounds as the catalog keeps them: no text in between, and no lock.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_partitioned_table.h"
#include "funcapi.h"
#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"

typedef struct RangePartition
{
	Oid			relid;
	PartitionBoundSpec *bound;
	bool		detach_pending;
} RangePartition;

/* NULL for MINVALUE and MAXVALUE, and for the default partition. */
static Const *
bound_value(List *datums)
{
	PartitionRangeDatum *datum;

	if (datums == NIL)
		return NULL;
	datum = linitial_node(PartitionRangeDatum, datums);
	if (datum->kind != PARTITION_RANGE_DATUM_VALUE)
		return NULL;
	return castNode(Const, datum->value);
}

static bool
is_by_range_of_one_column(Oid parent)
{
	HeapTuple	tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(parent));
	bool		result = false;

	if (HeapTupleIsValid(tuple))
	{
		Form_pg_partitioned_table form;

		form = (Form_pg_partitioned_table) GETSTRUCT(tuple);
		result = form->partstrat == PARTITION_STRATEGY_RANGE &&
			form->partnatts == 1;
		ReleaseSysCache(tuple);
	}
	return result;
}

/* NULL for a partition that has been dropped or detached meanwhile. */
static PartitionBoundSpec *
read_bound(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	PartitionBoundSpec *result = NULL;
	Datum		bound;
	bool		isnull;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	bound = SysCacheGetAttr(RELOID, tuple, Anum_pg_class_relpartbound, &isnull);
	if (!isnull)
		result = stringToNode(TextDatumGetCString(bound));
	ReleaseSysCache(tuple);
	return result;
}

static List *
read_partitions(Oid parent)
{
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	List	   *result = NIL;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_inherits_inhparent, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(parent));
	scan = systable_beginscan(inherits, InheritsParentIndexId, true, NULL,
							  1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_inherits form = (Form_pg_inherits) GETSTRUCT(tuple);
		RangePartition *partition = palloc(sizeof(RangePartition));

		partition->relid = form->inhrelid;
		partition->detach_pending = form->inhdetachpending;
		partition->bound = read_bound(form->inhrelid);
		if (partition->bound != NULL)
			result = lappend(result, partition);
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return result;
}

/* MINVALUE comes first, the default partition last. */
static int
compare_partitions(const ListCell *a, const ListCell *b)
{
	const PartitionBoundSpec *left = ((RangePartition *) lfirst(a))->bound;
	const PartitionBoundSpec *right = ((RangePartition *) lfirst(b))->bound;
	Const	   *left_id = bound_value(left->lowerdatums);
	Const	   *right_id = bound_value(right->lowerdatums);
	TypeCacheEntry *type;

	if (left->is_default != right->is_default)
		return left->is_default ? 1 : -1;
	if (left_id == NULL || right_id == NULL)
		return (left_id != NULL) - (right_id != NULL);
	type = lookup_type_cache(getBaseType(left_id->consttype),
							 TYPECACHE_CMP_PROC_FINFO);
	return DatumGetInt32(FunctionCall2Coll(&type->cmp_proc_finfo, InvalidOid,
										   left_id->constvalue,
										   right_id->constvalue));
}

static Datum
id_as_text(Const *id, bool *isnull)
{
	Oid			output;
	bool		is_varlena;

	*isnull = id == NULL;
	if (id == NULL)
		return (Datum) 0;
	getTypeOutputInfo(id->consttype, &output, &is_varlena);
	return CStringGetTextDatum(OidOutputFunctionCall(output, id->constvalue));
}

/*
 * range_bounds(parent regclass) returns setof record
 *
 * The partitions of a table that is partitioned by range of one column, in the
 * order of their bounds, the default partition last; those that wait to be
 * detached as well.  No other table has any.  They are read as they are now,
 * which the snapshot of the statement may not show yet, and not locked.
 */
PG_FUNCTION_INFO_V1(uidext_range_bounds);
Datum
uidext_range_bounds(PG_FUNCTION_ARGS)
{
	Oid			parent = PG_GETARG_OID(0);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *partitions = NIL;
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	if (is_by_range_of_one_column(parent))
		partitions = read_partitions(parent);
	list_sort(partitions, compare_partitions);
	foreach(cell, partitions)
	{
		RangePartition *partition = lfirst(cell);
		Datum		values[5];
		bool		nulls[5] = {false};

		values[0] = ObjectIdGetDatum(partition->relid);
		values[1] = id_as_text(bound_value(partition->bound->lowerdatums),
							   &nulls[1]);
		values[2] = id_as_text(bound_value(partition->bound->upperdatums),
							   &nulls[2]);
		values[3] = BoolGetDatum(partition->bound->is_default);
		values[4] = BoolGetDatum(partition->detach_pending);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
