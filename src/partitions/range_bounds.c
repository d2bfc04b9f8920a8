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
#include "access/nbtree.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_partitioned_table.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

/* By what a table is partitioned. */
typedef struct RangeKey
{
	Oid			type;			/* of the operator class */
	Oid			collation;
	FmgrInfo	compare;
} RangeKey;

typedef struct RangePartition
{
	Oid			relid;
	RangeKey   *key;
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

static Oid
first_oid(HeapTuple tuple, AttrNumber column)
{
	bool		isnull;
	Datum		value = SysCacheGetAttr(PARTRELID, tuple, column, &isnull);

	return ((const oidvector *) DatumGetPointer(value))->values[0];
}

/*
 * False for a table that is not partitioned by range of one column.  False,
 * too, for a column of arrays, ranges or rows, because the type of a bound does
 * not say whether it is one of these.
 */
static bool
read_key(Oid parent, RangeKey *key)
{
	HeapTuple	tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(parent));
	Form_pg_partitioned_table form;
	Oid			opclass = InvalidOid;
	Oid			opfamily;
	Oid			compare;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_partitioned_table) GETSTRUCT(tuple);
	if (form->partstrat == PARTITION_STRATEGY_RANGE && form->partnatts == 1)
	{
		opclass = first_oid(tuple, Anum_pg_partitioned_table_partclass);
		key->collation = first_oid(tuple,
								   Anum_pg_partitioned_table_partcollation);
	}
	ReleaseSysCache(tuple);
	if (!OidIsValid(opclass) ||
		!get_opclass_opfamily_and_input_type(opclass, &opfamily, &key->type) ||
		get_typtype(key->type) == TYPTYPE_PSEUDO)
		return false;
	compare = get_opfamily_proc(opfamily, key->type, key->type, BTORDER_PROC);
	if (!OidIsValid(compare))
		return false;
	fmgr_info(compare, &key->compare);
	return true;
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

static bool
value_fits(const RangeKey *key, List *datums)
{
	Const	   *value = bound_value(datums);

	return list_length(datums) == 1 &&
		(value == NULL || IsBinaryCoercible(value->consttype, key->type));
}

/*
 * Whether a bound is one of this key.  Without a lock, the partition may be one
 * of another table by now.
 */
static bool
fits(const RangeKey *key, const PartitionBoundSpec *bound)
{
	if (bound->strategy != PARTITION_STRATEGY_RANGE)
		return false;
	return bound->is_default || (value_fits(key, bound->lowerdatums) &&
								 value_fits(key, bound->upperdatums));
}

static List *
read_partitions(Oid parent, RangeKey *range)
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

		CHECK_FOR_INTERRUPTS();
		partition->relid = form->inhrelid;
		partition->key = range;
		partition->detach_pending = form->inhdetachpending;
		partition->bound = read_bound(form->inhrelid);
		if (partition->bound != NULL && fits(range, partition->bound))
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
	RangeKey   *key = ((RangePartition *) lfirst(a))->key;
	const PartitionBoundSpec *left = ((RangePartition *) lfirst(a))->bound;
	const PartitionBoundSpec *right = ((RangePartition *) lfirst(b))->bound;
	Const	   *left_id = bound_value(left->lowerdatums);
	Const	   *right_id = bound_value(right->lowerdatums);

	if (left->is_default != right->is_default)
		return left->is_default ? 1 : -1;
	if (left_id == NULL || right_id == NULL)
		return (left_id != NULL) - (right_id != NULL);
	return DatumGetInt32(FunctionCall2Coll(&key->compare, key->collation,
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
 * detached as well.  No other table has any, nor one by arrays or the like.
 * They are read as they are now, which the snapshot of the statement may not
 * show yet, and not locked.
 */
PG_FUNCTION_INFO_V1(uidext_range_bounds);
Datum
uidext_range_bounds(PG_FUNCTION_ARGS)
{
	Oid			parent = PG_GETARG_OID(0);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *partitions = NIL;
	RangeKey	key;
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	if (read_key(parent, &key))
		partitions = read_partitions(parent, &key);
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
