/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many rows the planner expects of a range of ids.
 *
 * Core cannot tell where in a bin of a histogram a uuid lies, because
 * convert_to_scalar() does not know the type: a constant counts as the middle
 * of its bin, and a range within one bin as empty.
 *
 * What core asks for the statistics of a column can be told others.  While it
 * estimates the clauses that restrict one relation, and only then, a column
 * that one of them compares with a constant has no histogram.  Its most common
 * values are followed by one below the constant and one above it, as common as
 * all values there are by distribution.c.  So core's own functions come to the
 * right share for each clause, and for a pair of clauses to that of the
 * interval between them.
 *
 * Each mention of a column in a query is a node of its own: by the node that it
 * asks about core says which comparison it is at.  All others, with "=" and in
 * joins too, have the column's true statistics.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "distribution.h"
#include "estimate.h"

/* A column compared with a longer array is left to core. */
#define ELEMENTS_MAX	100

/* What set_foreign_size_estimates() says before a wrapper is asked. */
#define FOREIGN_ROWS	1000

static bool estimates_enabled = true;
static get_relation_stats_hook_type previous_hook = NULL;

/* "column operator operand" or the other way round. */
typedef struct Comparison
{
	Var		   *column;			/* this very node */
	Oid			operator;
	Node	   *operand;
	bool		of_array;		/* with ANY or ALL of the operand */
	bool		is_estimated;
	int			count;			/* of constants, none where there is no say */
	UuidWords  *constants;
	HeapTuple	statistics;		/* NULL: what core has */
} Comparison;

/* All of one relation's clauses, in order of the columns' addresses. */
typedef struct Comparisons
{
	Index		relid;
	int			clauses;		/* as many as the relation had */
	int			count;
	int			size;
	Comparison *of;
} Comparisons;

/*
 * The comparisons in the clauses of a relation
 */

static void
add_comparison(Comparisons *all, Node *column, Oid operator, Node *operand,
			   bool of_array)
{
	while (IsA(column, RelabelType))
		column = (Node *) ((RelabelType *) column)->arg;
	if (!IsA(column, Var) || ((Var *) column)->varno != all->relid)
		return;

	if (all->count == all->size)
	{
		all->size = Max(4, 2 * all->size);
		all->of = all->of ?
			repalloc(all->of, all->size * sizeof(Comparison)) :
			palloc(all->size * sizeof(Comparison));
	}
	all->of[all->count++] = (Comparison)
	{
		.column = (Var *) column,
			.operator = operator,
			.operand = operand,
			.of_array = of_array
	};
}

static void
add_both_ways(Comparisons *all, Oid operator, Node *left, Node *right)
{
	add_comparison(all, left, operator, right, false);
	add_comparison(all, right, operator, left, false);
}

static void
collect_comparison(Comparisons *all, Node *node)
{
	if (IsA(node, OpExpr))
	{
		OpExpr	   *op = (OpExpr *) node;

		if (list_length(op->args) == 2)
			add_both_ways(all, op->opno,
						  linitial(op->args), lsecond(op->args));
	}
	else if (IsA(node, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *op = (ScalarArrayOpExpr *) node;

		add_comparison(all, linitial(op->args), op->opno,
					   lsecond(op->args), true);
	}
	else if (IsA(node, RowCompareExpr))
	{
		/* rowcomparesel() looks at the first columns only */
		RowCompareExpr *row = (RowCompareExpr *) node;

		add_both_ways(all, linitial_oid(row->opnos),
					  linitial(row->largs), linitial(row->rargs));
	}
}

/* Looks where clause_selectivity() finds comparisons. */
static void
collect(Comparisons *all, Node *node)
{
	ListCell   *cell;

	if (node == NULL)			/* no clauses */
		return;
	switch (nodeTag(node))
	{
		case T_List:
			foreach(cell, (List *) node)
				collect(all, lfirst(cell));
			break;
		case T_RestrictInfo:
			collect(all, (Node *) ((RestrictInfo *) node)->clause);
			break;
		case T_BoolExpr:
			collect(all, (Node *) ((BoolExpr *) node)->args);
			break;
		case T_BooleanTest:
			collect(all, (Node *) ((BooleanTest *) node)->arg);
			break;
		default:
			collect_comparison(all, node);
	}
}

static int
compare_columns(const void *a, const void *b)
{
	uintptr_t	first = (uintptr_t) ((const Comparison *) a)->column;
	uintptr_t	second = (uintptr_t) ((const Comparison *) b)->column;

	return first < second ? -1 : first > second;
}

/*
 * Those of a relation: in its own clauses, and in joins' with OR, from which
 * extract_restriction_or_clauses() may draw one for the relation.
 */
static void
collect_all(Comparisons *all, const RelOptInfo *rel)
{
	ListCell   *cell;

	collect(all, (Node *) rel->baserestrictinfo);
	foreach(cell, rel->joininfo)
	{
		if (lfirst_node(RestrictInfo, cell)->orclause != NULL)
			collect(all, lfirst(cell));
	}
	if (all->count > 1)
		qsort(all->of, all->count, sizeof(Comparison), compare_columns);
}

/* NULL also where a node is in several, so that nothing says which is meant. */
static Comparison *
find_comparison(const Comparisons *all, Var *column)
{
	Comparison	key = {.column = column};
	Comparison *found;
	Comparison *end;

	if (all->count == 0)
		return NULL;
	end = all->of + all->count;
	found = bsearch(&key, all->of, all->count, sizeof(Comparison),
					compare_columns);
	if (found == NULL)
		return NULL;
	while (found > all->of && found[-1].column == column)
		found--;
	for (Comparison *other = found + 1;
		 other < end && other->column == column; other++)
	{
		if (other->operand != found->operand ||
			other->operator != found->operator ||
			other->of_array != found->of_array)
			return NULL;
	}
	return found;
}

/*
 * The constants of a comparison
 */

/* To a constant, where core comes to one. */
static Node *
evaluate(PlannerInfo *root, Node *operand)
{
	if (!IsA(operand, Const) && !contain_var_clause(operand))
		operand = estimate_expression_value(root, operand);
	while (IsA(operand, RelabelType))
		operand = (Node *) ((RelabelType *) operand)->arg;
	return operand;
}

static void
read_constant(PlannerInfo *root, Comparison *comparison, Node *operand)
{
	Const	   *constant = (Const *) evaluate(root, operand);

	if (IsA(constant, Const) && !constant->constisnull &&
		constant->constlen == UUID_LEN && !constant->constbyval)
		comparison->constants[comparison->count++] =
			DatumGetUuidWords(constant->constvalue);
}

static void
read_elements(Comparison *comparison, ArrayType *array)
{
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	if (get_typlen(ARR_ELEMTYPE(array)) != UUID_LEN ||
		ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > ELEMENTS_MAX)
		return;
	deconstruct_array(array, ARR_ELEMTYPE(array), UUID_LEN, false,
					  TYPALIGN_CHAR, &elements, &nulls, &count);
	comparison->constants = palloc(count * sizeof(UuidWords));
	for (int i = 0; i < count; i++)
	{
		if (!nulls[i])
			comparison->constants[comparison->count++] =
				DatumGetUuidWords(elements[i]);
	}
	pfree(elements);
	pfree(nulls);
}

static Node *
strip_array_relabel(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, ArrayCoerceExpr) &&
				 IsA(((ArrayCoerceExpr *) node)->elemexpr, RelabelType))
			node = (Node *) ((ArrayCoerceExpr *) node)->arg;
		else
			return node;
	}
}

/* The operand of ANY and ALL, in the forms that scalararraysel() knows. */
static void
read_array(PlannerInfo *root, Comparison *comparison)
{
	Node	   *array = strip_array_relabel(evaluate(root,
													 comparison->operand));
	ListCell   *cell;

	if (IsA(array, Const))
	{
		Const	   *constant = (Const *) array;

		if (!constant->constisnull)
			read_elements(comparison,
						  DatumGetArrayTypeP(constant->constvalue));
	}
	else if (IsA(array, ArrayExpr) && !((ArrayExpr *) array)->multidims)
	{
		List	   *elements = ((ArrayExpr *) array)->elements;

		if (list_length(elements) > ELEMENTS_MAX)
			return;
		comparison->constants = palloc(list_length(elements) *
									   sizeof(UuidWords));
		foreach(cell, elements)
			read_constant(root, comparison, lfirst(cell));
	}
}

/*
 * An operator that is not the type's own compares in another way; one that is
 * not leakproof needs the true statistics and the right to see them.
 */
static bool
is_inequality(Oid operator, Oid opfamily)
{
	int			strategy = get_op_opfamily_strategy(operator, opfamily);

	return strategy != 0 && strategy != BTEqualStrategyNumber &&
		get_func_leakproof(get_opcode(operator));
}

static void
read_constants(PlannerInfo *root, Comparison *comparison, Oid opfamily)
{
	if (!is_inequality(comparison->operator, opfamily))
		return;
	if (comparison->of_array)
		read_array(root, comparison);
	else
	{
		comparison->constants = palloc(sizeof(UuidWords));
		read_constant(root, comparison, comparison->operand);
	}
	comparison->count = distribution_sort(comparison->constants,
										  comparison->count);
}

/*
 * Rows of pg_statistic
 */

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

typedef struct Histogram
{
	Oid			operator;
	Oid			collation;
	Oid			type;
	int			count;
	UuidWords  *bounds;
} Histogram;

/* What core knows of the column that it asks about. */
typedef struct Column
{
	PlannerInfo *root;
	RangeTblEntry *rte;
	const VariableStatData *vardata;
	HeapTuple	tuple;
	Form_pg_statistic statistics;	/* in it */
	Histogram	histogram;
	AttStatsSlot common;		/* the most common values */
} Column;

static bool
read_bounds(Histogram *histogram, ArrayType *array)
{
	char	   *ids = ARR_DATA_PTR(array);

	if (ARR_NDIM(array) != 1 || ARR_DIMS(array)[0] < 2 || ARR_HASNULL(array))
		return false;
	histogram->type = ARR_ELEMTYPE(array);
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
	const int16 *kinds = &column->statistics->stakind1;
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
	column->histogram.operator = (&column->statistics->staop1)[slot];
	column->histogram.collation = (&column->statistics->stacoll1)[slot];
	if (get_op_opfamily_strategy(column->histogram.operator,
								 opfamily) != BTLessStrategyNumber)
		return false;

	datum = SysCacheGetAttr(STATRELATTINH, column->tuple,
							Anum_pg_statistic_stavalues1 + slot, &is_null);
	if (is_null)
		return false;
	array = DatumGetArrayTypeP(datum);
	is_read = read_bounds(&column->histogram, array);
	if (array != (ArrayType *) DatumGetPointer(datum))
		pfree(array);
	return is_read;
}

/* Statistics of one kind, in place of all that a column has. */
typedef struct Statistics
{
	int			kind;
	int			count;
	Datum	   *values;
	float4	   *numbers;
} Statistics;

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

static HeapTuple
form_statistics(const Column *column, const Statistics *statistics)
{
	Form_pg_statistic known = column->statistics;
	const Histogram *histogram = &column->histogram;
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
	SET(staop1, ObjectIdGetDatum(histogram->operator));
	SET(stacoll1, ObjectIdGetDatum(histogram->collation));
	numbers = form_numbers(statistics->numbers, statistics->count);
	SET(stanumbers1, PointerGetDatum(numbers));
	nulls[Anum_pg_statistic_stanumbers1 - 1] = false;
	values = construct_array(statistics->values, statistics->count,
							 histogram->type, UUID_LEN, false,
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
 * Six values, for three pieces as most have: a copy of what is formed once a
 * session, because to form a row of so many columns takes longer than all else.
 */
typedef struct Six
{
	int			kind;
	UuidWords	values[6];
	float4		numbers[6];
} Six;

typedef struct Blank
{
	HeapTuple	tuple;
	Size		numbers;		/* where the arrays are */
	Size		values;
} Blank;

/* heap_getattr() would want functions that older minors lack. */
static Size
find_array(HeapTuple tuple, int attribute)
{
	bool		is_null;
	Datum		array = fastgetattr(tuple, attribute,
									statistics_descriptor(), &is_null);

	return VARDATA_ANY(DatumGetPointer(array)) - (char *) tuple->t_data;
}

static const Blank *
blank_six(const Column *column)
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
	tuple = form_statistics(column, &statistics);
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

static HeapTuple
form_six(const Column *column, const Six *six)
{
	const Blank *blank = blank_six(column);
	HeapTuple	tuple = heap_copytuple(blank->tuple);
	Form_pg_statistic fixed = (Form_pg_statistic) GETSTRUCT(tuple);
	char	   *numbers = (char *) tuple->t_data + blank->numbers;
	char	   *values = (char *) tuple->t_data + blank->values;

	memcpy(fixed, column->statistics,
		   offsetof(FormData_pg_statistic, stakind1));
	fixed->stakind1 = six->kind;
	fixed->staop1 = column->histogram.operator;
	fixed->stacoll1 = column->histogram.collation;
	memcpy(numbers + ARRAY_DATA, six->numbers, sizeof(six->numbers));
	memcpy(values + ARRAY_TYPE, &column->histogram.type, sizeof(Oid));
	for (int i = 0; i < lengthof(six->values); i++)
		layout_store((unsigned char *) values + ARRAY_DATA + i * UUID_LEN,
					 six->values[i]);
	return tuple;
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

/* Leads a binary search to one end, and sees what stands there. */
static Datum
look_at_end(PG_FUNCTION_ARGS)
{
	End		   *end = fcinfo->flinfo->fn_extra;

	end->id = PG_GETARG_UUID_WORDS(0);
	PG_RETURN_BOOL(end->is_last);
}

/*
 * The first or the last value that the column has now, where an index tells.
 * get_actual_variable_range() is core's own, but not its caller, which looks up
 * either end of a histogram as soon as it compares it with a constant: a few
 * values take it from the one in the middle to an end.  It answers 0 or 1
 * exactly if there was such an index.
 */
static bool
find_end(const Column *column, End *end)
{
	const Histogram *histogram = &column->histogram;
	UuidWords	first = histogram->bounds[0];
	UuidWords	last = histogram->bounds[histogram->count - 1];
	Six			ends = {
		.kind = STATISTIC_KIND_HISTOGRAM,
		.values = {first, first, first, last, last, last}
	};
	FmgrInfo	function = {
		.fn_addr = look_at_end,
		.fn_nargs = 2,
		.fn_strict = true,
		.fn_extra = end,
		.fn_mcxt = CurrentMemoryContext
	};
	VariableStatData asked = *column->vardata;
	double		share;

	asked.acl_ok = true;		/* look_at_end() leaks nothing */
	asked.statsTuple = form_six(column, &ends);
	share = ineq_histogram_selectivity(column->root, &asked,
									   histogram->operator, &function,
									   false, false, histogram->collation,
									   UuidWordsGetDatum(first),
									   histogram->type);
	heap_freetuple(asked.statsTuple);
	return share == (end->is_last ? 1.0 : 0.0);
}

/* What a table grew by since it was counted, which ANALYZE does. */
static double
growth_of(const Column *column)
{
	HeapTuple	class = SearchSysCache1(RELOID,
										ObjectIdGetDatum(column->rte->relid));
	double		counted;

	if (!HeapTupleIsValid(class))
		return 0;
	counted = ((Form_pg_class) GETSTRUCT(class))->reltuples;
	ReleaseSysCache(class);
	if (counted <= 0)
		return 0;
	return Max(column->vardata->rel->tuples / counted - 1, 0);
}

/*
 * As core does, an end is looked up where a constant lies in its bin; the last
 * one also where the table grew by more than a bin, because most queries for
 * what is new begin before it.
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
 * The statistics that core gets
 */

/* The share that var_eq_const() gives each value that is not a common one. */
static bool
single_share(const Column *column, double *single, double *rest)
{
	const AttStatsSlot *common = &column->common;
	VariableStatData asked = *column->vardata;
	double		others;
	bool		is_default;

	*rest = 1.0 - column->statistics->stanullfrac;
	for (int i = 0; i < common->nnumbers; i++)
		*rest -= common->numbers[i];
	others = get_variable_numdistinct(&asked, &is_default) - common->nnumbers;
	if (!(*rest > 0) || !(others >= 1))
		return false;

	*single = *rest / others;
	if (common->nnumbers > 0)
		*single = Min(*single, common->numbers[common->nnumbers - 1]);
	return true;
}

/*
 * A share as two numbers, of which core forms the sum: one of them alone would
 * be wrong by many rows of a large table.
 */
static void
split(double share, float4 *numbers)
{
	numbers[0] = (float4) share;
	if (numbers[0] > share)
		numbers[0] = nextafterf(numbers[0], 0);
	numbers[1] = (float4) (share - numbers[0]);
}

/* The column's common values, and the pieces of the rest. */
static HeapTuple
form_pieces(const Column *column, const DistributionPiece *pieces, int count,
			double rest)
{
	const AttStatsSlot *common = &column->common;
	Statistics	statistics = {.kind = STATISTIC_KIND_MCV};
	HeapTuple	tuple;

	statistics.count = common->nvalues + 2 * count;
	statistics.values = palloc(statistics.count * sizeof(Datum));
	statistics.numbers = palloc(statistics.count * sizeof(float4));
	for (int i = 0; i < common->nvalues; i++)
	{
		statistics.values[i] = common->values[i];
		statistics.numbers[i] = common->numbers[i];
	}
	for (int i = 0; i < count; i++)
	{
		int			n = common->nvalues + 2 * i;

		statistics.values[n] = UuidWordsGetDatum(pieces[i].at);
		statistics.values[n + 1] = statistics.values[n];
		split(pieces[i].share * rest, &statistics.numbers[n]);
	}
	tuple = form_statistics(column, &statistics);
	for (int i = 0; i < count; i++)
		pfree(DatumGetPointer(statistics.values[common->nvalues + 2 * i]));
	pfree(statistics.values);
	pfree(statistics.numbers);
	return tuple;
}

static HeapTuple
form_pieces_only(const Column *column, const DistributionPiece *pieces,
				 int count, double rest)
{
	Six			six = {.kind = STATISTIC_KIND_MCV};

	for (int i = 0; i < count; i++)
	{
		six.values[2 * i] = pieces[i].at;
		six.values[2 * i + 1] = pieces[i].at;
		split(pieces[i].share * rest, &six.numbers[2 * i]);
	}
	return form_six(column, &six);
}

static HeapTuple
form_comparison(const Column *column, const Distribution *distribution,
				const Comparison *comparison, double single, double rest)
{
	int			size = DISTRIBUTION_PIECES(comparison->count);
	DistributionPiece *pieces = palloc(size * sizeof(*pieces));
	int			count = distribution_cut(distribution,
										 comparison->constants,
										 comparison->count,
										 single / rest, pieces);
	HeapTuple	tuple;

	if (column->common.nvalues == 0 && count <= 3)
		tuple = form_pieces_only(column, pieces, count, rest);
	else
		tuple = form_pieces(column, pieces, count, rest);
	pfree(pieces);
	return tuple;
}

/* One distribution for all, or intervals between two constants were wrong. */
static void
estimate_from_histogram(const Column *column, Comparison **comparisons,
						int count)
{
	Distribution distribution;
	UuidWords	lowest = UUID_WORDS_MAX;
	UuidWords	highest = UUID_WORDS_NIL;
	double		single;
	double		rest;

	if (!single_share(column, &single, &rest))
		return;
	if (column->vardata->isunique ||
		single * column->vardata->rel->tuples <= 1.5)
		single = 0;
	for (int i = 0; i < count; i++)
	{
		UuidWords  *first = comparisons[i]->constants;
		UuidWords  *last = first + comparisons[i]->count - 1;

		if (layout_compare(*first, lowest) < 0)
			lowest = *first;
		if (layout_compare(*last, highest) > 0)
			highest = *last;
	}
	init_distribution(&distribution, column, lowest, highest);
	for (int i = 0; i < count; i++)
		comparisons[i]->statistics = form_comparison(column, &distribution,
													 comparisons[i],
													 single, rest);
}

/* Leaves comparisons without statistics where core shall use what it has. */
static void
estimate_comparisons(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
					 const VariableStatData *vardata, Oid opfamily,
					 Comparison **comparisons, int count)
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
	column.statistics = (Form_pg_statistic) GETSTRUCT(tuple);
	if (read_histogram(&column, opfamily))
	{
		get_attstatsslot(&column.common, tuple, STATISTIC_KIND_MCV, InvalidOid,
						 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
		if (column.common.nvalues == column.common.nnumbers)
			estimate_from_histogram(&column, comparisons, count);
		free_attstatsslot(&column.common);
		pfree(column.histogram.bounds);
	}
	ReleaseSysCache(tuple);
}

/*
 * The family by which the column's type is ordered, if it is ordered as uuid
 * is, which iuid, ulid and all domains are.  No library is loaded for types
 * that cannot be.
 */
static Oid
opfamily_of_ids(Oid type)
{
	TypeCacheEntry *entry;
	PGFunction	compare;

	entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	if (entry->btree_opintype == UUIDOID)
		return entry->btree_opf;
	if (entry->typlen != UUID_LEN || entry->typalign != TYPALIGN_CHAR)
		return InvalidOid;
	entry = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
	compare = entry->cmp_proc_finfo.fn_addr;
	if (compare != uuid_cmp && compare != uidext_as_uuid_cmp)
		return InvalidOid;
	return entry->btree_opf;
}

/* All comparisons of one column, once for all. */
static void
estimate_column(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
				const VariableStatData *vardata, const Comparisons *all)
{
	MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);
	Oid			opfamily = opfamily_of_ids(((Var *) vardata->var)->vartype);
	Comparison **comparisons = palloc(all->count * sizeof(Comparison *));
	int			count = 0;

	for (int i = 0; i < all->count; i++)
	{
		Comparison *comparison = &all->of[i];

		if (comparison->column->varattno != attnum)
			continue;
		comparison->is_estimated = true;
		if (OidIsValid(opfamily))
			read_constants(root, comparison, opfamily);
		if (comparison->count > 0)
			comparisons[count++] = comparison;
	}
	if (count > 0)
		estimate_comparisons(root, rte, attnum, vardata, opfamily,
							 comparisons, count);
	pfree(comparisons);
	MemoryContextSwitchTo(old);
}

/*
 * What has been collected for one planner
 *
 * Constants are made by functions that may plan queries themselves, so that
 * several planners are at work.
 */

typedef struct Planner
{
	MemoryContextCallback forget;
	struct Planner *next;
	const PlannerInfo *root;
	int			size;
	Comparisons **relations;	/* by relid; NULL: not yet */
} Planner;

static Planner *planners = NULL;

static void
forget_planner(void *arg)
{
	Planner   **link = &planners;

	while (*link != arg)
		link = &(*link)->next;
	*link = (*link)->next;
}

static Planner *
planner_of(const PlannerInfo *root)
{
	Planner    *planner = planners;

	while (planner != NULL && planner->root != root)
		planner = planner->next;
	if (planner != NULL)
		return planner;

	planner = MemoryContextAllocZero(root->planner_cxt, sizeof(Planner));
	planner->root = root;
	planner->next = planners;
	planners = planner;
	planner->forget.func = forget_planner;
	planner->forget.arg = planner;
	MemoryContextRegisterResetCallback(root->planner_cxt, &planner->forget);
	return planner;
}

/* Partitions join the relations that a query begins with. */
static void
make_room(Planner *planner, int size)
{
	Comparisons **relations;

	if (size <= planner->size)
		return;
	relations = MemoryContextAllocZero(planner->root->planner_cxt,
									   size * sizeof(Comparisons *));
	if (planner->size > 0)
		memcpy(relations, planner->relations,
			   planner->size * sizeof(Comparisons *));
	planner->relations = relations;
	planner->size = size;
}

static Comparisons *
comparisons_of(const PlannerInfo *root, const RelOptInfo *rel)
{
	int			clauses = list_length(rel->baserestrictinfo) +
		list_length(rel->joininfo);
	Planner    *planner = planner_of(root);
	Comparisons *all;
	MemoryContext old;

	make_room(planner, root->simple_rel_array_size);
	all = planner->relations[rel->relid];
	if (all != NULL && all->clauses == clauses)
		return all;

	old = MemoryContextSwitchTo(root->planner_cxt);
	all = palloc0(sizeof(Comparisons));
	all->relid = rel->relid;
	all->clauses = clauses;
	collect_all(all, rel);
	planner->relations[rel->relid] = all;
	MemoryContextSwitchTo(old);
	return all;
}

/* ReleaseVariableStats() calls this; the planner's memory goes as a whole. */
static void
keep_statistics(HeapTuple tuple)
{
}

/*
 * When core gets others
 */

/* Relations are mostly asked about in their order: begin at the last one. */
static RelOptInfo *
find_relation(const PlannerInfo *root, const RangeTblEntry *rte)
{
	static int	last = 0;
	int			size = root->simple_rel_array_size;

	if (root->join_rel_list != NIL) /* all have been sized */
		return NULL;
	for (int i = 0; i < size; i++)
	{
		int			at = (last + i) % size;

		if (root->simple_rte_array[at] == rte)
		{
			last = at;
			return root->simple_rel_array[at];
		}
	}
	return NULL;
}

/* Core's other types are told apart at once. */
static bool
may_be_of_ids(Node *column)
{
	Oid			type;

	if (column == NULL || !IsA(column, Var))
		return false;
	type = ((Var *) column)->vartype;
	return type == UUIDOID || type >= FirstNormalObjectId;
}

/*
 * Whether core is at finding out how many rows the relation's own clauses
 * leave.  What it has found out then, it keeps with the clauses.
 */
static bool
is_being_sized(const RangeTblEntry *rte, const RelOptInfo *rel)
{
	if (rel->pathlist != NIL)
		return false;
	return rel->rows == 0 || (rte->relkind == RELKIND_FOREIGN_TABLE &&
							  rel->rows == FOREIGN_ROWS);
}

/*
 * get_relation_stats_hook.  brincostestimate() passes memory that it has never
 * written as vardata, so nothing there is read before the relation is known to
 * be one that is being sized.
 */
static bool
estimate_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
			  VariableStatData *vardata)
{
	RelOptInfo *rel;
	Comparisons *all;
	Comparison *comparison;

	if (previous_hook && previous_hook(root, rte, attnum, vardata))
		return true;
	if (!estimates_enabled || rte->rtekind != RTE_RELATION)
		return false;
	rel = find_relation(root, rte);
	if (rel == NULL || !is_being_sized(rte, rel))
		return false;
	if (vardata->rel != rel || !may_be_of_ids(vardata->var))
		return false;

	all = comparisons_of(root, rel);
	comparison = find_comparison(all, (Var *) vardata->var);
	if (comparison == NULL)
		return false;
	if (!comparison->is_estimated)
		estimate_column(root, rte, attnum, vardata, all);
	if (comparison->statistics == NULL)
		return false;
	vardata->statsTuple = comparison->statistics;
	vardata->freefunc = keep_statistics;
	vardata->acl_ok = false;	/* none but leakproof operators see it */
	return true;
}

void
estimate_init(void)
{
	DefineCustomBoolVariable("uidext.estimates",
							 "How many rows a range of ids has, told by where its ends lie.",
							 NULL,
							 &estimates_enabled,
							 true,
							 PGC_USERSET, 0,
							 NULL, NULL, NULL);
	previous_hook = get_relation_stats_hook;
	get_relation_stats_hook = estimate_hook;
}
