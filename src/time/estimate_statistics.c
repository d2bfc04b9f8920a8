/*-------------------------------------------------------------------------
 *
 * estimate_statistics.c
 *	  The statistics of a column that is compared with constants.
 *
 * They are a row of pg_statistic without a histogram.  Its most common values
 * are pieces that stand for all values of the column.  distribution.c cuts the
 * histogram at the constants: a piece is an id between two neighbouring
 * constants, or beyond the outermost, with the share of the values that lie
 * there.  Where the column has values more than once, each constant is a piece,
 * too, with the share of one value.  The column's own common values are added
 * to the pieces in which they lie.  A piece is two entries of the same id,
 * which add up to its share: see split().
 *
 * PostgreSQL compares each entry with its constant, and adds up the shares of
 * the entries that pass.  The sum is what the histogram and the common values
 * say of that constant.  There are only a few entries, even if the column has
 * thousands of common values, which are not copied for each comparison.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_class.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "pure/distribution.h"
#include "time/estimate_statistics.h"
#include "time/statistics_rows.h"

/*
 * What the column has
 */

typedef struct Histogram
{
	int			count;
	UuidWords  *bounds;
} Histogram;

/* What the planner knows of the column that it asks about. */
typedef struct Column
{
	PlannerInfo *root;
	RangeTblEntry *rte;
	const VariableStatData *vardata;
	HeapTuple	tuple;
	StatisticsSource source;
	Histogram	histogram;
	AttStatsSlot common;		/* the most common values */
} Column;

static bool
read_bounds(Histogram *histogram, ArrayType *array)
{
	char	   *ids = ARR_DATA_PTR(array);

	if (ARR_NDIM(array) != 1 || ARR_DIMS(array)[0] < 2 || ARR_HASNULL(array))
		return false;
	histogram->count = ARR_DIMS(array)[0];
	histogram->bounds = palloc(histogram->count * sizeof(UuidWords));
	for (int i = 0; i < histogram->count; i++)
		histogram->bounds[i] = layout_load((unsigned char *) ids +
										   i * UUID_LEN);
	return true;
}

/* get_attstatsslot() would copy it twice. */
static bool
read_histogram(Column *column, Oid opfamily)
{
	StatisticsSource *source = &column->source;
	const int16 *kinds = &source->column->stakind1;
	int			slot = 0;
	Datum		datum;
	ArrayType  *array;
	bool		is_null;
	bool		is_read;

	while (slot < STATISTIC_NUM_SLOTS &&
		   kinds[slot] != STATISTIC_KIND_HISTOGRAM)
		slot++;
	if (slot == STATISTIC_NUM_SLOTS)
		return false;
	source->operator = (&source->column->staop1)[slot];
	source->collation = (&source->column->stacoll1)[slot];
	if (get_op_opfamily_strategy(source->operator,
								 opfamily) != BTLessStrategyNumber)
		return false;

	datum = SysCacheGetAttr(STATRELATTINH, column->tuple,
							Anum_pg_statistic_stavalues1 + slot, &is_null);
	if (is_null)
		return false;
	array = DatumGetArrayTypeP(datum);
	source->type = ARR_ELEMTYPE(array);
	is_read = read_bounds(&column->histogram, array);
	if (array != (ArrayType *) DatumGetPointer(datum))
		pfree(array);
	return is_read;
}

/*
 * How the column's values are distributed
 */

/* One end of the column. */
typedef struct End
{
	bool		is_last;
	UuidWords	id;
} End;

/*
 * Stands in for the function of "<" in find_end().  It is called with one value
 * of the histogram after the other.  Its answer leads a binary search to one
 * end, and the id that it keeps in the end is that of the last call.
 */
static Datum
keep_end(PG_FUNCTION_ARGS)
{
	End		   *end = fcinfo->flinfo->fn_extra;

	end->id = PG_GETARG_UUID_WORDS(0);
	PG_RETURN_BOOL(end->is_last);
}

/*
 * The first or the last value that the column has now, read from an index.
 *
 * get_actual_variable_range(), which reads it, is not exported, but
 * ineq_histogram_selectivity() calls it.  That searches a histogram for a
 * constant: it calls a function with the value in the middle and the constant,
 * and goes on above that value if the result is true, below it if not.  Before
 * it does so with the first or the last value of the histogram, it replaces
 * this by the one that the column has now.
 *
 * So it gets a histogram of six values, and keep_end() as the function, which
 * always returns the same.  With true it probes the values 3 and 5, the last,
 * and returns 1; with false the values 3, 1 and 0, and returns 0.  If there was
 * no index to read the value from, it returns something between 0 and 1.
 */
static bool
find_end(const Column *column, End *end)
{
	const StatisticsSource *source = &column->source;
	const Histogram *histogram = &column->histogram;
	UuidWords	first = histogram->bounds[0];
	UuidWords	last = histogram->bounds[histogram->count - 1];
	StatisticsSix ends = {
		.kind = STATISTIC_KIND_HISTOGRAM,
		.values = {first, first, first, last, last, last}
	};
	FmgrInfo	function = {
		.fn_addr = keep_end,
		.fn_nargs = 2,
		.fn_strict = true,
		.fn_extra = end,
		.fn_mcxt = CurrentMemoryContext
	};
	VariableStatData asked = *column->vardata;
	double		share;

	asked.acl_ok = true;		/* keep_end() leaks nothing */
	asked.statsTuple = statistics_form_six(source, &ends);
	share = ineq_histogram_selectivity(column->root, &asked,
									   source->operator, &function,
									   false, false, source->collation,
									   UuidWordsGetDatum(first),
									   source->type);
	heap_freetuple(asked.statsTuple);
	return share == (end->is_last ? 1.0 : 0.0);
}

/* Rows of a table when ANALYZE, VACUUM or CREATE INDEX last counted them. */
double
counted_rows(Oid relid)
{
	HeapTuple	class = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	double		rows;

	if (!HeapTupleIsValid(class))
		return 0;
	rows = ((Form_pg_class) GETSTRUCT(class))->reltuples;
	ReleaseSysCache(class);
	return rows;
}

static double
growth_of(const Column *column)
{
	double		counted;

	/* rows of a parent are those of the children left to read */
	if (column->rte->inh)
		return 0;
	counted = counted_rows(column->rte->relid);
	if (counted <= 0)
		return 0;
	return Max(column->vardata->rel->tuples / counted - 1, 0);
}

/*
 * As in PostgreSQL, an end is looked up if a constant lies in its bin.  The
 * last end is looked up also if the table grew by more than a bin, because most
 * queries for new rows begin before the end of the histogram.
 */
static void
init_distribution(Distribution *distribution, const Column *column,
				  UuidWords lowest, UuidWords highest)
{
	UuidWords  *bounds = column->histogram.bounds;
	int			count = column->histogram.count;
	End			first = {.is_last = false};
	End			last = {.is_last = true};
	double		growth = growth_of(column);

	distribution_init(distribution, bounds, count);
	if (layout_compare(lowest, bounds[1]) < 0 && find_end(column, &first))
		distribution_set_first(distribution, first.id);
	if ((growth * (count - 1) > 1 ||
		 layout_compare(highest, bounds[count - 2]) > 0) &&
		find_end(column, &last))
		distribution_set_last(distribution, last.id, growth);
}

/*
 * The statistics that the planner gets
 */

/*
 * The share that var_eq_const() computes for a value that is not common, and
 * that of all such values together.
 */
static bool
single_share(const Column *column, double *single, double *uncommon)
{
	const AttStatsSlot *common = &column->common;
	VariableStatData asked = *column->vardata;
	double		others;
	bool		is_default;

	*uncommon = 1.0 - column->source.column->stanullfrac;
	for (int i = 0; i < common->nnumbers; i++)
		*uncommon -= common->numbers[i];
	others = get_variable_numdistinct(&asked, &is_default) - common->nnumbers;
	if (!(*uncommon > 0) || !(others >= 1))
		return false;

	*single = *uncommon / others;
	if (common->nnumbers > 0)
		*single = Min(*single, common->numbers[common->nnumbers - 1]);
	return true;
}

/*
 * A share as the sum of two float4, because the error of one would be many rows
 * of a large table.
 */
static void
split(double share, float4 *numbers)
{
	numbers[0] = (float4) share;
	if (numbers[0] > share)
		numbers[0] = nextafterf(numbers[0], 0);
	numbers[1] = (float4) (share - numbers[0]);
}

/*
 * In which piece an id lies, of those between the constants and at them: 0 is
 * below the first constant, 1 that constant, 2 between it and the next.
 */
static int
find_piece(const Estimate *estimate, UuidWords id)
{
	int			low = 0;
	int			high = estimate->count;

	while (low < high)
	{
		int			probe = low + (high - low) / 2;

		if (layout_compare(estimate->constants[probe], id) < 0)
			low = probe + 1;
		else
			high = probe;
	}
	return 2 * low + (low < estimate->count &&
					  layout_equal(estimate->constants[low], id));
}

static void
add_values(DistributionPiece *pieces, const Estimate *estimate,
		   UuidWords id, double share)
{
	DistributionPiece *piece = &pieces[find_piece(estimate, id)];

	piece->at = id;
	piece->share += share;
}

/* Adds the column's common values to the pieces; returns how many there are. */
static int
add_common(const Column *column, const Estimate *estimate, double uncommon,
		   DistributionPiece *pieces, int count)
{
	const AttStatsSlot *common = &column->common;
	int			size = DISTRIBUTION_PIECES(estimate->count);
	DistributionPiece *all = palloc0(size * sizeof(*all));
	int			kept = 0;

	for (int i = 0; i < count; i++)
		add_values(all, estimate, pieces[i].at, pieces[i].share * uncommon);
	for (int i = 0; i < common->nvalues; i++)
		add_values(all, estimate, DatumGetUuidWords(common->values[i]),
				   common->numbers[i]);
	for (int i = 0; i < size; i++)
	{
		if (all[i].share > 0)
			pieces[kept++] = all[i];
	}
	pfree(all);
	return kept;
}

static HeapTuple
form_pieces(const Column *column, const DistributionPiece *pieces, int count)
{
	Statistics	statistics = {.kind = STATISTIC_KIND_MCV,.count = 2 * count};
	HeapTuple	tuple;

	statistics.values = palloc(statistics.count * sizeof(Datum));
	statistics.numbers = palloc(statistics.count * sizeof(float4));
	for (int i = 0; i < count; i++)
	{
		statistics.values[2 * i] = UuidWordsGetDatum(pieces[i].at);
		statistics.values[2 * i + 1] = statistics.values[2 * i];
		split(pieces[i].share, &statistics.numbers[2 * i]);
	}
	tuple = statistics_form(&column->source, &statistics);
	for (int i = 0; i < count; i++)
		pfree(DatumGetPointer(statistics.values[2 * i]));
	pfree(statistics.values);
	pfree(statistics.numbers);
	return tuple;
}

static HeapTuple
form_three(const Column *column, const DistributionPiece *pieces, int count)
{
	StatisticsSix six = {.kind = STATISTIC_KIND_MCV};

	for (int i = 0; i < count; i++)
	{
		six.values[2 * i] = pieces[i].at;
		six.values[2 * i + 1] = pieces[i].at;
		split(pieces[i].share, &six.numbers[2 * i]);
	}
	return statistics_form_six(&column->source, &six);
}

static HeapTuple
form_estimate(const Column *column, const Distribution *distribution,
			  const Estimate *estimate, double single, double uncommon)
{
	int			size = DISTRIBUTION_PIECES(estimate->count);
	DistributionPiece *pieces = palloc(size * sizeof(*pieces));
	int			count = distribution_cut(distribution,
										 estimate->constants,
										 estimate->count,
										 single / uncommon, pieces);
	HeapTuple	tuple;

	count = add_common(column, estimate, uncommon, pieces, count);
	tuple = count <= 3 ? form_three(column, pieces, count) :
		form_pieces(column, pieces, count);
	pfree(pieces);
	return tuple;
}

/* All constants of the comparisons, ascending. */
static void
collect_constants(Estimate *all, Estimate **estimates, int count)
{
	int			size = 0;

	for (int i = 0; i < count; i++)
		size += estimates[i]->count;
	*all = (Estimate)
	{
		.constants = palloc(size * sizeof(UuidWords))
	};
	for (int i = 0; i < count; i++)
	{
		memcpy(all->constants + all->count, estimates[i]->constants,
			   estimates[i]->count * sizeof(UuidWords));
		all->count += estimates[i]->count;
	}
	all->count = distribution_sort(all->constants, all->count);
}

/*
 * All comparisons of the column share one distribution.  Otherwise the interval
 * between the constants of two of them would be wrong.
 */
static void
estimate_from_histogram(const Column *column, Estimate **estimates, int count)
{
	Distribution distribution;
	Estimate	all;
	double		single;
	double		uncommon;

	if (!single_share(column, &single, &uncommon))
		return;
	if (column->vardata->isunique ||
		single * column->vardata->rel->tuples <= 1.5)
		single = 0;
	collect_constants(&all, estimates, count);
	init_distribution(&distribution, column,
					  all.constants[0], all.constants[all.count - 1]);
	pfree(all.constants);
	for (int i = 0; i < count; i++)
		estimates[i]->statistics =
			form_estimate(column, &distribution, estimates[i],
						  single, uncommon);
}

/* Leaves estimates without statistics, if the true ones are to be used. */
void
form_estimates(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
			   const VariableStatData *vardata, Oid opfamily,
			   Estimate **estimates, int count)
{
	Column		column = {.root = root,.rte = rte};
	VariableStatData asked = *vardata;
	HeapTuple	tuple;

	tuple = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
							Int16GetDatum(attnum), BoolGetDatum(rte->inh));
	if (!HeapTupleIsValid(tuple))
		return;

	asked.statsTuple = tuple;
	column.vardata = &asked;
	column.tuple = tuple;
	column.source.column = (Form_pg_statistic) GETSTRUCT(tuple);
	if (read_histogram(&column, opfamily))
	{
		get_attstatsslot(&column.common, tuple, STATISTIC_KIND_MCV, InvalidOid,
						 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
		if (column.common.nvalues == column.common.nnumbers)
			estimate_from_histogram(&column, estimates, count);
		free_attstatsslot(&column.common);
		pfree(column.histogram.bounds);
	}
	ReleaseSysCache(tuple);
}
