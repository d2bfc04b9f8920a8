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
statistics_form(const StatisticsSource *source, const Statistics *statistics)
{
	Form_pg_statistic column = source->column;
	Datum		row[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	ArrayType  *numbers;
	ArrayType  *values;
	HeapTuple	tuple;

	for (int i = Anum_pg_statistic_stanumbers1; i <= Natts_pg_statistic; i++)
		nulls[i - 1] = true;
#define SET(name, datum) row[Anum_pg_statistic_##name - 1] = (datum)
	SET(starelid, ObjectIdGetDatum(column->starelid));
	SET(staattnum, Int16GetDatum(column->staattnum));
	SET(stainherit, BoolGetDatum(column->stainherit));
	SET(stanullfrac, Float4GetDatum(column->stanullfrac));
	SET(stawidth, Int32GetDatum(column->stawidth));
	SET(stadistinct, Float4GetDatum(column->stadistinct));
	SET(stakind1, Int16GetDatum(statistics->kind));
	SET(staop1, ObjectIdGetDatum(source->operator));
	SET(stacoll1, ObjectIdGetDatum(source->collation));
	numbers = form_numbers(statistics->numbers, statistics->count);
	SET(stanumbers1, PointerGetDatum(numbers));
	nulls[Anum_pg_statistic_stanumbers1 - 1] = false;
	values = construct_array(statistics->values, statistics->count,
							 source->type, UUID_LEN, false,
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
 * once a session, copied, and filled in.  If it were formed each time, planning
 * a range would take 12 % more instructions, and the whole statement 5 % more
 * (EXPLAIN on PostgreSQL 15, counted by callgrind).
 */
typedef struct Template
{
	HeapTuple	tuple;
	Size		numbers;		/* where the arrays are */
	Size		values;
} Template;

/* heap_getattr() needs functions that older minor releases do not export. */
static Size
find_array(HeapTuple tuple, int attribute)
{
	bool		is_null;
	Datum		array = fastgetattr(tuple, attribute,
									statistics_descriptor(), &is_null);

	return VARDATA_ANY(DatumGetPointer(array)) - (char *) tuple->t_data;
}

static const Template *
template_of_six(const StatisticsSource *source)
{
	static Template template;
	static const unsigned char zeros[UUID_LEN];
	Datum		zero = PointerGetDatum(zeros);
	Datum		values[] = {zero, zero, zero, zero, zero, zero};
	static float4 numbers[lengthof(values)];
	Statistics	statistics = {
		.count = lengthof(values),
		.values = values,
		.numbers = numbers,
	};
	HeapTuple	tuple;
	MemoryContext old;

	if (template.tuple != NULL)
		return &template;
	tuple = statistics_form(source, &statistics);
	template.numbers = find_array(tuple, Anum_pg_statistic_stanumbers1);
	template.values = find_array(tuple, Anum_pg_statistic_stavalues1);
	old = MemoryContextSwitchTo(TopMemoryContext);
	template.tuple = heap_copytuple(tuple);
	MemoryContextSwitchTo(old);
	heap_freetuple(tuple);
	return &template;
}

/* Arrays in a tuple are not aligned. */
#define ARRAY_DATA	(ARR_OVERHEAD_NONULLS(1) - VARHDRSZ)
#define ARRAY_TYPE	(offsetof(ArrayType, elemtype) - VARHDRSZ)

HeapTuple
statistics_form_six(const StatisticsSource *source, const StatisticsSix *six)
{
	const Template *template = template_of_six(source);
	HeapTuple	tuple = heap_copytuple(template->tuple);
	Form_pg_statistic fixed = (Form_pg_statistic) GETSTRUCT(tuple);
	char	   *numbers = (char *) tuple->t_data + template->numbers;
	char	   *values = (char *) tuple->t_data + template->values;

	memcpy(fixed, source->column,
		   offsetof(FormData_pg_statistic, stakind1));
	fixed->stakind1 = six->kind;
	fixed->staop1 = source->operator;
	fixed->stacoll1 = source->collation;
	memcpy(numbers + ARRAY_DATA, six->numbers, sizeof(six->numbers));
	memcpy(values + ARRAY_TYPE, &source->type, sizeof(Oid));
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
