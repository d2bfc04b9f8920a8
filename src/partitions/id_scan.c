/*-------------------------------------------------------------------------
 *
 * id_scan.c
 *	  The rows of a table whose ids are of a range.
 *
 * No query is planned: a query goes by names, and runs what is in views,
 * policies and defaults of whatever has the name by then.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/genam.h"
#include "access/nbtree.h"
#include "access/stratnum.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_index.h"
#include "miscadmin.h"
#include "partitions/id_scan.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/snapmgr.h"

/* A valid btree of all rows by the id first, in its order or reversed. */
static bool
serves(Relation index, AttrNumber column, Oid family)
{
	Form_pg_index form = index->rd_index;

	return index->rd_rel->relam == BTREE_AM_OID &&
		form->indisvalid && !form->indcheckxmin &&
		form->indkey.values[0] == column &&
		index->rd_opfamily[0] == family &&
		RelationGetIndexPredicate(index) == NIL;
}

static Relation
find_index(Relation rel, AttrNumber column, Oid family)
{
	List	   *indexes = RelationGetIndexList(rel);
	Relation	result = NULL;
	ListCell   *cell;

	foreach(cell, indexes)
	{
		result = index_open(lfirst_oid(cell), AccessShareLock);
		if (serves(result, column, family))
			break;
		index_close(result, AccessShareLock);
		result = NULL;
	}
	list_free(indexes);
	return result;
}

static Datum
read_id(Oid type, const char *id)
{
	Oid			input;
	Oid			io_param;

	getTypeInputInfo(type, &input, &io_param);
	return OidInputFunctionCall(input, unconstify(char *, id), io_param, -1);
}

static void
add_key(const IdScan *scan, ScanKey key, StrategyNumber strategy, Datum id)
{
	Oid			family = scan->index->rd_opfamily[0];
	Oid			type = scan->index->rd_opcintype[0];
	Oid			operator = get_opfamily_member(family, type, type, strategy);

	ScanKeyEntryInitialize(key, 0, 1, strategy, InvalidOid, InvalidOid,
						   get_opcode(operator), id);
}

static void
begin_index_scan(IdScan *scan)
{
	ScanKeyData keys[2];
	int			count = 0;

	if (scan->has_from)
		add_key(scan, &keys[count++], BTGreaterEqualStrategyNumber, scan->from);
	if (scan->has_to)
		add_key(scan, &keys[count++], BTLessStrategyNumber, scan->to);
	if (count == 0)
		ScanKeyEntryInitialize(&keys[count++], SK_ISNULL | SK_SEARCHNOTNULL, 1,
							   InvalidStrategy, InvalidOid, InvalidOid,
							   InvalidOid, (Datum) 0);
	scan->index_scan = id_index_beginscan(scan->rel, scan->index,
										  GetActiveSnapshot(), count);
	index_rescan(scan->index_scan, keys, count, NULL, 0);
}

/* uuid, iuid and ulid are stored alike. */
static bool
may_be_uuid(const TypeCacheEntry *type)
{
	return type->typlen == UUID_LEN && !type->typbyval;
}

/* Columns of the system are in no slot. */
static AttrNumber
find_column(Relation rel, const char *name)
{
	AttrNumber	result = get_attnum(RelationGetRelid(rel), name);

	if (result <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist",
						name, RelationGetRelationName(rel)),
				 errhint("It may have been renamed during the call. Call it again.")));
	return result;
}

/* The column of the ids, their type, and the columns that have to be filled. */
static void
find_columns(IdScan *scan, const IdRange *range)
{
	Relation	rel = scan->rel;
	Oid			type;
	ListCell   *cell;

	foreach(cell, range->filled)
		scan->filled = lappend_int(scan->filled,
								   find_column(rel, lfirst(cell)));
	scan->column = find_column(rel, range->column);
	type = getBaseType(get_atttype(RelationGetRelid(rel), scan->column));
	scan->type = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO |
								   TYPECACHE_BTREE_OPFAMILY);
	if (!OidIsValid(scan->type->cmp_proc_finfo.fn_oid) ||
		OidIsValid(scan->type->typcollation) ||
		(range->versions != 0 && !may_be_uuid(scan->type)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("ids of column \"%s\" of relation \"%s\" cannot be read",
						range->column, RelationGetRelationName(rel)),
				 errhint("Its type needs an order and no collation and, if you pass versions, the 16 bytes of a uuid.")));
}

void
id_scan_begin(IdScan *scan, Relation rel, const IdRange *range,
			  bool newest_first)
{
	memset(scan, 0, sizeof(IdScan));
	scan->rel = rel;
	find_columns(scan, range);
	scan->versions = range->versions;
	scan->left = PG_INT64_MAX;
	scan->has_from = range->from != NULL;
	scan->has_to = range->to != NULL;
	if (scan->has_from)
		scan->from = read_id(scan->type->type_id, range->from);
	if (scan->has_to)
		scan->to = read_id(scan->type->type_id, range->to);
	scan->slot = table_slot_create(rel, NULL);
	scan->index = find_index(rel, scan->column, scan->type->btree_opf);
	if (scan->index == NULL)
	{
		scan->table_scan = id_table_beginscan(rel, GetActiveSnapshot());
		return;
	}
	if (scan->index->rd_indoption[0] & INDOPTION_DESC)
		newest_first = !newest_first;
	scan->direction = newest_first ? BackwardScanDirection :
		ForwardScanDirection;
	begin_index_scan(scan);
}

bool
id_scan_is_ordered(const IdScan *scan)
{
	return scan->index != NULL;
}

int
id_compare(const IdScan *scan, Datum a, Datum b)
{
	return DatumGetInt32(FunctionCall2Coll(&scan->type->cmp_proc_finfo,
										   InvalidOid, a, b));
}

/*
 * Of the variant of RFC 9562 and one of some versions; version 0 stands for
 * boundary values, whose low 80 bits are 0.
 */
static bool
is_of_version(UuidWords id, uint32 versions)
{
	int			version = layout_version(id);

	if ((versions & ((uint32) 1 << version)) == 0)
		return false;
	if (version == 0)
		return layout_equal(id, layout_boundary(layout_unix_ms(id)));
	return layout_variant(id) == LAYOUT_VARIANT_RFC;
}

/* An index scan finds no others. */
static bool
is_in_range(const IdScan *scan, Datum id)
{
	return scan->table_scan == NULL ||
		((!scan->has_from || id_compare(scan, id, scan->from) >= 0) &&
		 (!scan->has_to || id_compare(scan, id, scan->to) < 0));
}

static bool
is_filled(const IdScan *scan)
{
	ListCell   *cell;

	foreach(cell, scan->filled)
	{
		if (slot_attisnull(scan->slot, lfirst_int(cell)))
			return false;
	}
	return true;
}

static bool
is_wanted(const IdScan *scan, Datum id)
{
	return scan->versions == 0 ||
		is_of_version(DatumGetUuidWords(id), scan->versions);
}

bool
id_scan_next(IdScan *scan, Datum *id)
{
	while (scan->left > 0)
	{
		bool		found;
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		if (scan->index != NULL)
			found = index_getnext_slot(scan->index_scan, scan->direction,
									   scan->slot);
		else
			found = table_scan_getnextslot(scan->table_scan,
										   ForwardScanDirection, scan->slot);
		if (!found)
			return false;
		*id = slot_getattr(scan->slot, scan->column, &isnull);
		if (isnull || !is_in_range(scan, *id))
			continue;
		scan->left--;
		if (is_wanted(scan, *id) && is_filled(scan))
			return true;
	}
	return false;
}

void
id_scan_end(IdScan *scan)
{
	list_free(scan->filled);
	ExecDropSingleTupleTableSlot(scan->slot);
	if (scan->index_scan != NULL)
	{
		index_endscan(scan->index_scan);
		index_close(scan->index, AccessShareLock);
	}
	if (scan->table_scan != NULL)
		table_endscan(scan->table_scan);
}
