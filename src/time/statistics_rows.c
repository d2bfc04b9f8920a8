/*-------------------------------------------------------------------------
 *
 * statistics_rows.c
 *	  Rows of pg_statistic that are made while a query is planned.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "time/statistics_rows.h"

static TupleDesc
statistics_descriptor(void)
{
	static TupleDesc descriptor = NULL;

	if (descriptor == NULL)
	{
		Relation	catalog = table_open(StatisticRelationId, AccessShareLock);
		MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);

		descriptor = CreateTupleDescCopy(RelationGetDescr(catalog));
		MemoryContextSwitchTo(old);
		table_close(catalog, AccessShareLock);
	}
	return descriptor;
}

static ArrayType *
form_numbers(const float4 *numbers, int count)
{
	Datum	   *datums = palloc(count * sizeof(Datum));
	ArrayType  *array;

	for (int i = 0; i < count; i++)
		datums[i] = Float4GetDatum(numbers[i]);
	array = construct_array(datums, count, FLOAT4OID, sizeof(float4), true,
							TYPALIGN_INT);
	pfree(datums);
	return array;
}

/* To be freed by the caller, as all of them. */
HeapTuple
statistics_form(const StatisticsHead *head, const Statistics *statistics)
{
	Form_pg_statistic known = head->column;
	Datum		row[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	ArrayType  *numbers;
	ArrayType  *values;
	HeapTuple	tuple;

	for (int i = Anum_pg_statistic_stanumbers1; i <= Natts_pg_statistic; i++)
		nulls[i - 1] = true;
#define SET(name, datum) row[Anum_pg_statistic_##name - 1] = (datum)
	SET(starelid, ObjectIdGetDatum(known->starelid));
	SET(staattnum, Int16GetDatum(known->staattnum));
	SET(stainherit, BoolGetDatum(known->stainherit));
	SET(stanullfrac, Float4GetDatum(known->stanullfrac));
	SET(stawidth, Int32GetDatum(known->stawidth));
	SET(stadistinct, Float4GetDatum(known->stadistinct));
	SET(stakind1, Int16GetDatum(statistics->kind));
	SET(staop1, ObjectIdGetDatum(head->operator));
	SET(stacoll1, ObjectIdGetDatum(head->collation));
	numbers = form_numbers(statistics->numbers, statistics->count);
	SET(stanumbers1, PointerGetDatum(numbers));
	nulls[Anum_pg_statistic_stanumbers1 - 1] = false;
	values = construct_array(statistics->values, statistics->count,
							 head->type, UUID_LEN, false,
							 TYPALIGN_CHAR);
	SET(stavalues1, PointerGetDatum(values));
	nulls[Anum_pg_statistic_stavalues1 - 1] = false;
#undef SET
	tuple = heap_form_tuple(statistics_descriptor(), row, nulls);
	pfree(numbers);
	pfree(values);
	return tuple;
}

/*
 * A row of six values, for three pieces, which most columns have.  It is formed
 * once a session and copied.  Forming it each time would cost 5 % of planning a
 * range, and 6 % near the newest id (measured with callgrind).
 */
typedef struct Blank
{
	HeapTuple	tuple;
	Size		numbers;		/* where the arrays are */
	Size		values;
} Blank;

/* heap_getattr() needs functions that older minor releases do not export. */
static Size
find_array(HeapTuple tuple, int attribute)
{
	bool		is_null;
	Datum		array = fastgetattr(tuple, attribute,
									statistics_descriptor(), &is_null);

	return VARDATA_ANY(DatumGetPointer(array)) - (char *) tuple->t_data;
}

static const Blank *
blank_six(const StatisticsHead *head)
{
	static Blank blank;
	unsigned char id[UUID_LEN] = {0};
	Datum		values[6];
	float4		numbers[6] = {0};
	Statistics	statistics = {.count = 6,.values = values,.numbers = numbers};
	HeapTuple	tuple;
	MemoryContext old;

	if (blank.tuple != NULL)
		return &blank;
	for (int i = 0; i < lengthof(values); i++)
		values[i] = PointerGetDatum(id);
	tuple = statistics_form(head, &statistics);
	blank.numbers = find_array(tuple, Anum_pg_statistic_stanumbers1);
	blank.values = find_array(tuple, Anum_pg_statistic_stavalues1);
	old = MemoryContextSwitchTo(TopMemoryContext);
	blank.tuple = heap_copytuple(tuple);
	MemoryContextSwitchTo(old);
	heap_freetuple(tuple);
	return &blank;
}

/* Arrays in a tuple are not aligned. */
#define ARRAY_DATA	(ARR_OVERHEAD_NONULLS(1) - VARHDRSZ)
#define ARRAY_TYPE	(offsetof(ArrayType, elemtype) - VARHDRSZ)

HeapTuple
statistics_form_six(const StatisticsHead *head, const StatisticsSix *six)
{
	const Blank *blank = blank_six(head);
	HeapTuple	tuple = heap_copytuple(blank->tuple);
	Form_pg_statistic fixed = (Form_pg_statistic) GETSTRUCT(tuple);
	char	   *numbers = (char *) tuple->t_data + blank->numbers;
	char	   *values = (char *) tuple->t_data + blank->values;

	memcpy(fixed, head->column,
		   offsetof(FormData_pg_statistic, stakind1));
	fixed->stakind1 = six->kind;
	fixed->staop1 = head->operator;
	fixed->stacoll1 = head->collation;
	memcpy(numbers + ARRAY_DATA, six->numbers, sizeof(six->numbers));
	memcpy(values + ARRAY_TYPE, &head->type, sizeof(Oid));
	for (int i = 0; i < lengthof(six->values); i++)
		layout_store((unsigned char *) values + ARRAY_DATA + i * UUID_LEN,
					 six->values[i]);
	return tuple;
}

/* As a tuple, with another number of values and at most the common ones. */
HeapTuple
statistics_form_distinct(HeapTuple tuple, double distinct, bool with_common)
{
	Datum		row[Natts_pg_statistic];
	bool		nulls[Natts_pg_statistic];

	heap_deform_tuple(tuple, statistics_descriptor(), row, nulls);
	row[Anum_pg_statistic_stanullfrac - 1] = Float4GetDatum(0);
	row[Anum_pg_statistic_stadistinct - 1] = Float4GetDatum(distinct);
	for (int i = 0; i < STATISTIC_NUM_SLOTS; i++)
	{
		Datum	   *kind = &row[Anum_pg_statistic_stakind1 - 1 + i];

		if (with_common && DatumGetInt16(*kind) == STATISTIC_KIND_MCV)
			continue;
		*kind = Int16GetDatum(0);
		nulls[Anum_pg_statistic_stanumbers1 - 1 + i] = true;
		nulls[Anum_pg_statistic_stavalues1 - 1 + i] = true;
	}
	return heap_form_tuple(statistics_descriptor(), row, nulls);
}
