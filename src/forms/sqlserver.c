/*-------------------------------------------------------------------------
 *
 * sqlserver.c
 *	  The text by which SQL Server shows the bytes of a UUID, and operator
 *	  class uuid_sqlserver_ops: the order in which it sorts.
 *
 * The operators take the bytes of the uuid as those that SQL Server stores,
 * and which it sorts by b10-b15, b8-b9, b6-b7, b4-b5, b0-b3.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/sortsupport.h"

/*
 * uuid_to_sqlserver(id uuid) returns uuid and uuid_from_sqlserver(id uuid)
 * returns uuid
 *
 * From the bytes of a UUID to the text by which SQL Server shows them, and
 * back: b0-b3, b4-b5 and b6-b7 each reversed.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_swap);
Datum
uidext_uuid_sqlserver_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_sqlserver(PG_GETARG_UUID_WORDS(0)));
}

static int
sqlserver_compare(const pg_uuid_t *a, const pg_uuid_t *b)
{
	return layout_compare(layout_sqlserver_key(layout_load(a->data)),
						  layout_sqlserver_key(layout_load(b->data)));
}

static int
compare_arguments(FunctionCallInfo fcinfo)
{
	return sqlserver_compare(PG_GETARG_UUID_P(0), PG_GETARG_UUID_P(1));
}

/*
 * uuid_sqlserver_cmp(a uuid, b uuid) returns int
 *
 * Below, equal to or above zero as SQL Server sorts a before, with or after b.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_cmp);
Datum
uidext_uuid_sqlserver_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_arguments(fcinfo));
}

/* uuid_sqlserver_lt(a uuid, b uuid) returns bool: operator ~<~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_lt);
Datum
uidext_uuid_sqlserver_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) < 0);
}

/* uuid_sqlserver_le(a uuid, b uuid) returns bool: operator ~<=~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_le);
Datum
uidext_uuid_sqlserver_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) <= 0);
}

/* uuid_sqlserver_ge(a uuid, b uuid) returns bool: operator ~>=~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_ge);
Datum
uidext_uuid_sqlserver_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) >= 0);
}

/* uuid_sqlserver_gt(a uuid, b uuid) returns bool: operator ~>~ */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_gt);
Datum
uidext_uuid_sqlserver_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) > 0);
}

static int
sqlserver_sort_compare(Datum a, Datum b, SortSupport ssup)
{
	return sqlserver_compare(DatumGetUUIDP(a), DatumGetUUIDP(b));
}

/*
 * The abbreviated key is the first word of what is compared.  UUIDv1 of one
 * server all have the same one, because the node comes first in this order,
 * and a sort is then faster without abbreviated keys.  As in PostgreSQL's
 * uuid.c, an estimate of the number of different keys decides.
 */
typedef struct SqlServerSort
{
	int64		keys;			/* abbreviated so far */
	bool		estimating;
	hyperLogLogState different;
} SqlServerSort;

#define ABBREV_KEYS_TO_JUDGE	10000	/* fewer say nothing */
#define ABBREV_ENOUGH_DIFFERENT	100000
#define ABBREV_KEYS_A_DIFFERENT	2000	/* one in so many is too few */

static Datum
sqlserver_abbreviate(Datum original, SortSupport ssup)
{
	SqlServerSort *sort = (SqlServerSort *) ssup->ssup_extra;
	UuidWords	words = layout_sqlserver_key(DatumGetUuidWords(original));
	uint64		key = words.hi;

	sort->keys++;
	if (sort->estimating)
		addHyperLogLog(&sort->different,
					   hash_bytes_uint32((uint32) (key ^ key >> 32)));

	return (Datum) (key >> (64 - 8 * SIZEOF_DATUM));
}

static bool
sqlserver_abbreviate_no_more(int memtupcount, SortSupport ssup)
{
	SqlServerSort *sort = (SqlServerSort *) ssup->ssup_extra;
	double		different;

	if (!sort->estimating ||
		Min(sort->keys, memtupcount) < ABBREV_KEYS_TO_JUDGE)
		return false;

	different = estimateHyperLogLog(&sort->different);
	if (different > ABBREV_ENOUGH_DIFFERENT)
	{
		sort->estimating = false;
		return false;
	}
	return different * ABBREV_KEYS_A_DIFFERENT < sort->keys;
}

/*
 * uuid_sqlserver_sortsupport(internal) returns void
 *
 * Sorts compare without a call through fmgr, and mostly only abbreviated keys.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_sortsupport);
Datum
uidext_uuid_sqlserver_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);
	SqlServerSort *sort;
	MemoryContext oldcontext;

	ssup->comparator = sqlserver_sort_compare;
	if (!ssup->abbreviate)
		PG_RETURN_VOID();

	sort = (SqlServerSort *) MemoryContextAlloc(ssup->ssup_cxt,
												sizeof(SqlServerSort));
	sort->keys = 0;
	sort->estimating = true;
	oldcontext = MemoryContextSwitchTo(ssup->ssup_cxt);
	initHyperLogLog(&sort->different, 10);
	MemoryContextSwitchTo(oldcontext);

	ssup->ssup_extra = sort;
	ssup->comparator = ssup_datum_uint64_cmp;
	ssup->abbrev_converter = sqlserver_abbreviate;
	ssup->abbrev_abort = sqlserver_abbreviate_no_more;
	ssup->abbrev_full_comparator = sqlserver_sort_compare;
	PG_RETURN_VOID();
}
