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
 * estimates the clauses that restrict one relation, and only then, it gets a
 * row of pg_statistic that has no histogram.  The column's most common values
 * are followed by one value in each interval between the constants that these
 * clauses compare the column with, as common as all values of that interval
 * are by distribution.c.  So core's own functions come to the right share for
 * each clause, whatever is made of them by AND, OR and NOT, and for a pair of
 * clauses to that of the interval between them.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

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

/* A query that compares one column with more constants is left to core. */
#define CONSTANTS_MAX	512

/* What set_foreign_size_estimates() says before a wrapper is asked. */
#define FOREIGN_ROWS	1000

static bool estimates_enabled = true;
static get_relation_stats_hook_type previous_hook = NULL;

/* The constants that clauses compare a column with. */
typedef struct Constants
{
	PlannerInfo *root;
	Var		   *column;
	Oid			opfamily;		/* of the column's type, for btree */
	bool		is_unique;		/* the column */
	bool		of_equality;	/* those of "=" and "<>", or of the others */
	bool		not_understood; /* something that has to see true statistics */
	int			count;
	UuidWords	at[CONSTANTS_MAX];
} Constants;

/*
 * The constants in the clauses of a relation
 */

static bool
is_column(const Constants *constants, Node *node)
{
	Var		   *var;

	for (;;)
	{
		if (node && IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (node && IsA(node, PlaceHolderVar))
			node = (Node *) ((PlaceHolderVar *) node)->phexpr;
		else
			break;
	}
	if (node == NULL || !IsA(node, Var))
		return false;
	var = (Var *) node;
	return var->varno == constants->column->varno &&
		var->varattno == constants->column->varattno &&
		var->varlevelsup == 0;
}

/* The second argument is of Constants: 19 wants walkers of one type. */
static bool
mentions_column(Node *node, void *constants)
{
	if (node == NULL)
		return false;
	if (is_column((Constants *) constants, node))
		return true;
	return expression_tree_walker(node, mentions_column, constants);
}

static void
add_constant(Constants *constants, Datum value)
{
	if (constants->count == CONSTANTS_MAX)
		constants->not_understood = true;
	else
		constants->at[constants->count++] = DatumGetUuidWords(value);
}

/*
 * What core does not see as a constant has no need of statistics, but for "=",
 * which it takes for as common as the average value.
 */
static void
collect_operand(Constants *constants, Node *operand)
{
	Const	   *constant;

	if (!IsA(operand, Const) && !contain_var_clause(operand))
		operand = estimate_expression_value(constants->root, operand);
	while (IsA(operand, RelabelType))
		operand = (Node *) ((RelabelType *) operand)->arg;
	if (!IsA(operand, Const))
	{
		if (constants->of_equality && !constants->is_unique)
			constants->not_understood = true;
		return;
	}

	constant = (Const *) operand;
	if (constant->constisnull)
		return;
	if (constant->constlen == UUID_LEN && !constant->constbyval)
		add_constant(constants, constant->constvalue);
	else
		constants->not_understood = true;
}

static void
collect_elements(Constants *constants, ArrayType *array)
{
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	if (get_typlen(ARR_ELEMTYPE(array)) != UUID_LEN)
	{
		constants->not_understood = true;
		return;
	}
	deconstruct_array(array, ARR_ELEMTYPE(array), UUID_LEN, false,
					  TYPALIGN_CHAR, &elements, &nulls, &count);
	for (int i = 0; i < count && !constants->not_understood; i++)
	{
		if (!nulls[i])
			add_constant(constants, elements[i]);
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
collect_array(Constants *constants, Node *operand)
{
	ListCell   *cell;

	if (!IsA(operand, Const) && !contain_var_clause(operand))
		operand = estimate_expression_value(constants->root, operand);
	operand = strip_array_relabel(operand);
	if (IsA(operand, Const))
	{
		Const	   *constant = (Const *) operand;

		if (!constant->constisnull)
			collect_elements(constants,
							 DatumGetArrayTypeP(constant->constvalue));
	}
	else if (IsA(operand, ArrayExpr) && !((ArrayExpr *) operand)->multidims)
	{
		foreach(cell, ((ArrayExpr *) operand)->elements)
			collect_operand(constants, lfirst(cell));
	}
	else if (constants->of_equality && !constants->is_unique)
		constants->not_understood = true;
}

/*
 * Whether an operator is one of those whose constants are being collected.  An
 * operator that is not the type's own compares in another way; one that is not
 * leakproof would need the true statistics and the right to see them.
 */
static bool
is_collected(Constants *constants, Oid operator)
{
	int			strategy = get_op_opfamily_strategy(operator,
													constants->opfamily);

	if (strategy == 0)
	{
		Oid			negator = get_negator(operator);

		if (OidIsValid(negator))
			strategy = get_op_opfamily_strategy(negator, constants->opfamily);
		if (strategy != BTEqualStrategyNumber)
			strategy = 0;
	}
	if (strategy == 0 || !get_func_leakproof(get_opcode(operator)))
	{
		constants->not_understood = true;
		return false;
	}
	return constants->of_equality == (strategy == BTEqualStrategyNumber);
}

static void
collect_comparison(Constants *constants, Oid operator, Node *left, Node *right)
{
	Node	   *operand;

	if (is_column(constants, left))
		operand = right;
	else if (is_column(constants, right))
		operand = left;
	else
		return;
	if (is_collected(constants, operator))
		collect_operand(constants, operand);
}

static void
collect_op(Constants *constants, OpExpr *op)
{
	if (list_length(op->args) == 2)
		collect_comparison(constants, op->opno,
						   linitial(op->args), lsecond(op->args));
	else if (is_column(constants, linitial(op->args)))
		constants->not_understood = true;
}

static void
collect_array_op(Constants *constants, ScalarArrayOpExpr *op)
{
	if (mentions_column(lsecond(op->args), constants))
		constants->not_understood = true;
	else if (is_column(constants, linitial(op->args)) &&
			 is_collected(constants, op->opno))
		collect_array(constants, lsecond(op->args));
}

/* A function may have a say in its own selectivity, and ask for statistics. */
static void
collect_function(Constants *constants, FuncExpr *function)
{
	if (OidIsValid(get_func_support(function->funcid)) &&
		mentions_column((Node *) function->args, constants))
		constants->not_understood = true;
}

/* rowcomparesel() looks at the first columns only. */
static void
collect_row_comparison(Constants *constants, RowCompareExpr *row)
{
	collect_comparison(constants, linitial_oid(row->opnos),
					   linitial(row->largs), linitial(row->rargs));
}

static void
collect(Constants *constants, Node *node)
{
	ListCell   *cell;

	if (node == NULL || constants->not_understood)
		return;
	switch (nodeTag(node))
	{
		case T_List:
			foreach(cell, (List *) node)
				collect(constants, lfirst(cell));
			break;
		case T_RestrictInfo:
			collect(constants, (Node *) ((RestrictInfo *) node)->clause);
			break;
		case T_BoolExpr:
			collect(constants, (Node *) ((BoolExpr *) node)->args);
			break;
		case T_BooleanTest:
			collect(constants, (Node *) ((BooleanTest *) node)->arg);
			break;
		case T_OpExpr:
		case T_DistinctExpr:
			collect_op(constants, (OpExpr *) node);
			break;
		case T_ScalarArrayOpExpr:
			collect_array_op(constants, (ScalarArrayOpExpr *) node);
			break;
		case T_RowCompareExpr:
			collect_row_comparison(constants, (RowCompareExpr *) node);
			break;
		case T_FuncExpr:
			collect_function(constants, (FuncExpr *) node);
			break;
		default:
			break;
	}
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

/* Statistics of one kind, in place of all that a column has. */
typedef struct Statistics
{
	int			kind;
	float4		distinct;
	int			count;
	Datum	   *values;
	float4	   *numbers;		/* NULL: the kind has none */
} Statistics;

static Datum
form_numbers(const float4 *numbers, int count)
{
	Datum	   *datums = palloc(count * sizeof(Datum));

	for (int i = 0; i < count; i++)
		datums[i] = Float4GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(datums, count, FLOAT4OID,
										   sizeof(float4), true,
										   TYPALIGN_INT));
}

static HeapTuple
form_statistics(Form_pg_statistic column, const AttStatsSlot *histogram,
				const Statistics *statistics)
{
	Datum		row[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	ArrayType  *values;

	for (int i = Anum_pg_statistic_stanumbers1; i <= Natts_pg_statistic; i++)
		nulls[i - 1] = true;
#define SET(name, datum) row[Anum_pg_statistic_##name - 1] = (datum)
	SET(starelid, ObjectIdGetDatum(column->starelid));
	SET(staattnum, Int16GetDatum(column->staattnum));
	SET(stainherit, BoolGetDatum(column->stainherit));
	SET(stanullfrac, Float4GetDatum(column->stanullfrac));
	SET(stawidth, Int32GetDatum(column->stawidth));
	SET(stadistinct, Float4GetDatum(statistics->distinct));
	SET(stakind1, Int16GetDatum(statistics->kind));
	SET(staop1, ObjectIdGetDatum(histogram->staop));
	SET(stacoll1, ObjectIdGetDatum(histogram->stacoll));
	if (statistics->numbers)
	{
		SET(stanumbers1, form_numbers(statistics->numbers, statistics->count));
		nulls[Anum_pg_statistic_stanumbers1 - 1] = false;
	}
	values = construct_array(statistics->values, statistics->count,
							 histogram->valuetype, UUID_LEN, false,
							 TYPALIGN_CHAR);
	SET(stavalues1, PointerGetDatum(values));
	nulls[Anum_pg_statistic_stavalues1 - 1] = false;
#undef SET
	return heap_form_tuple(statistics_descriptor(), row, nulls);
}

/*
 * How the column's values are distributed
 */

/* What core knows of the column that it asks about. */
typedef struct Column
{
	PlannerInfo *root;
	RangeTblEntry *rte;
	const VariableStatData *vardata;
	Form_pg_statistic statistics;
	AttStatsSlot histogram;
	AttStatsSlot common;		/* the most common values */
} Column;

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
 * either end of a histogram as soon as it compares it with a constant: one of
 * three values makes it compare the one in the middle, and then an end.  It
 * answers 0 or 1 exactly if there was such an index.
 */
static bool
find_end(const Column *column, End *end)
{
	const AttStatsSlot *histogram = &column->histogram;
	Datum		values[3] = {
		histogram->values[0],
		histogram->values[0],
		histogram->values[histogram->nvalues - 1]
	};
	Statistics	statistics = {
		.kind = STATISTIC_KIND_HISTOGRAM,
		.distinct = column->statistics->stadistinct,
		.count = lengthof(values),
		.values = values
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
	asked.statsTuple = form_statistics(column->statistics, histogram,
									   &statistics);
	share = ineq_histogram_selectivity(column->root, &asked, histogram->staop,
									   &function, false, false,
									   histogram->stacoll, values[0],
									   histogram->valuetype);
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
	int			count = column->histogram.nvalues;
	UuidWords  *bounds = palloc(count * sizeof(UuidWords));
	End			first = {.is_last = false};
	End			last = {.is_last = true};
	double		growth = growth_of(column);

	for (int i = 0; i < count; i++)
		bounds[i] = DatumGetUuidWords(column->histogram.values[i]);
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
	if (*rest <= 0 || others < 4)
		return false;

	*single = *rest / others;
	if (common->nnumbers > 0)
		*single = Min(*single, common->numbers[common->nnumbers - 1]);
	return true;
}

/* Values that no piece may be at: common ones, and those that "=" asks for. */
static UuidWords *
taken_values(const AttStatsSlot *common, const Constants *equal, int *count)
{
	int			all = common->nvalues + equal->count;
	UuidWords  *taken = palloc((all + 1) * sizeof(UuidWords));

	for (int i = 0; i < common->nvalues; i++)
		taken[i] = DatumGetUuidWords(common->values[i]);
	memcpy(taken + common->nvalues, equal->at,
		   equal->count * sizeof(UuidWords));
	*count = distribution_sort(taken, all);
	return taken;
}

static void
exchange(Statistics *statistics, int i, int j)
{
	Datum		value = statistics->values[i];
	float4		number = statistics->numbers[i];

	statistics->values[i] = statistics->values[j];
	statistics->numbers[i] = statistics->numbers[j];
	statistics->values[j] = value;
	statistics->numbers[j] = number;
}

static int
most_common(const Statistics *statistics, int from)
{
	int			most = from;

	for (int i = from + 1; i < statistics->count; i++)
	{
		if (statistics->numbers[i] > statistics->numbers[most])
			most = i;
	}
	return most;
}

/*
 * Core takes the first value for the most common one, and no other value for
 * more common than the last.  A value of the column stays whole, because "="
 * looks for it; else half of the most common piece stands at each end.
 */
static void
put_in_order(Statistics *statistics, int first_piece)
{
	int			count = statistics->count;
	int			most = most_common(statistics, 0);

	if (most < first_piece)
	{
		exchange(statistics, 0, most);
		exchange(statistics, count - 1, most_common(statistics, first_piece));
		return;
	}
	statistics->numbers[most] /= 2;
	exchange(statistics, 0, most);
	statistics->values[count] = statistics->values[0];
	statistics->numbers[count] = statistics->numbers[0];
	statistics->count++;
}

/*
 * The column's common values and those that stand for pieces.  Two single
 * values are left out: with a number of distinct values that says so,
 * var_eq_const() comes to the same share for any other value as before.
 */
static HeapTuple
form_pieces(const Column *column, const DistributionPiece *pieces, int count,
			double left)
{
	const AttStatsSlot *common = &column->common;
	int			all = common->nvalues + count;
	Statistics	statistics = {.kind = STATISTIC_KIND_MCV,.count = all};

	statistics.values = palloc((all + 1) * sizeof(Datum));
	statistics.numbers = palloc((all + 1) * sizeof(float4));
	for (int i = 0; i < common->nvalues; i++)
	{
		statistics.values[i] = common->values[i];
		statistics.numbers[i] = common->numbers[i];
	}
	for (int i = 0; i < count; i++)
	{
		int			n = common->nvalues + i;

		statistics.values[n] = UuidWordsGetDatum(pieces[i].at);
		statistics.numbers[n] = pieces[i].share * left;
	}
	put_in_order(&statistics, common->nvalues);
	statistics.distinct = statistics.count + 2;
	return form_statistics(column->statistics, &column->histogram,
						   &statistics);
}

static HeapTuple
form_from_histogram(const Column *column, Constants *cuts,
					const Constants *equal)
{
	Distribution distribution;
	DistributionPiece *pieces;
	UuidWords  *taken;
	int			taken_count;
	double		single;
	double		rest;
	double		left;
	bool		has_equals;
	int			count;

	if (!single_share(column, &single, &rest))
		return NULL;
	left = rest - 2 * single;
	has_equals = !column->vardata->isunique &&
		single * column->vardata->rel->tuples > 1.5;

	cuts->count = distribution_sort(cuts->at, cuts->count);
	init_distribution(&distribution, column,
					  cuts->at[0], cuts->at[cuts->count - 1]);
	taken = taken_values(&column->common, equal, &taken_count);
	pieces = palloc(DISTRIBUTION_PIECES(cuts->count) * sizeof(*pieces));
	count = distribution_cut(&distribution, cuts->at, cuts->count,
							 taken, taken_count,
							 has_equals ? single / left : 0, pieces);
	if (count == 0)
		return NULL;
	return form_pieces(column, pieces, count, left);
}

static bool
has_histogram(const Column *column, Oid opfamily)
{
	return column->histogram.nvalues > 1 &&
		get_op_opfamily_strategy(column->histogram.staop,
								 opfamily) == BTLessStrategyNumber;
}

/* NULL where core shall go on with what it has. */
static HeapTuple
estimate_column(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
				const VariableStatData *vardata, Constants *cuts,
				const Constants *equal)
{
	Column		column = {.root = root,.rte = rte,.vardata = vardata};
	VariableStatData asked = *vardata;
	HeapTuple	tuple;
	HeapTuple	result = NULL;

	tuple = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
							Int16GetDatum(attnum), BoolGetDatum(rte->inh));
	if (!HeapTupleIsValid(tuple))
		return NULL;

	asked.statsTuple = tuple;
	column.vardata = &asked;
	column.statistics = (Form_pg_statistic) GETSTRUCT(tuple);
	get_attstatsslot(&column.histogram, tuple, STATISTIC_KIND_HISTOGRAM,
					 InvalidOid, ATTSTATSSLOT_VALUES);
	get_attstatsslot(&column.common, tuple, STATISTIC_KIND_MCV,
					 InvalidOid, ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
	if (has_histogram(&column, cuts->opfamily))
		result = form_from_histogram(&column, cuts, equal);
	free_attstatsslot(&column.histogram);
	free_attstatsslot(&column.common);
	ReleaseSysCache(tuple);
	return result;
}

/* Equality is collected only where there is anything to do at all. */
static HeapTuple
estimate_clauses(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
				 const VariableStatData *vardata, Oid opfamily)
{
	Node	   *clauses = (Node *) vardata->rel->baserestrictinfo;
	Constants	cuts;
	Constants	equal;

	cuts.root = root;
	cuts.column = (Var *) vardata->var;
	cuts.opfamily = opfamily;
	cuts.is_unique = vardata->isunique;
	cuts.of_equality = false;
	cuts.not_understood = false;
	cuts.count = 0;
	collect(&cuts, clauses);
	if (cuts.count == 0 || cuts.not_understood)
		return NULL;

	memcpy(&equal, &cuts, offsetof(Constants, at));
	equal.of_equality = true;
	equal.count = 0;
	collect(&equal, clauses);
	if (equal.not_understood)
		return NULL;
	return estimate_column(root, rte, attnum, vardata, &cuts, &equal);
}

/*
 * What has been made for the columns of one relation
 *
 * Core asks once for each clause, and for one relation after the other.
 */

typedef struct Estimate
{
	AttrNumber	attnum;
	HeapTuple	tuple;			/* NULL: what core has */
} Estimate;

typedef struct Estimates
{
	MemoryContextCallback forget;
	MemoryContext context;		/* the planner's */
	RelOptInfo *rel;
	int			clauses;		/* as many as there were */
	List	   *columns;		/* of Estimate */
} Estimates;

static Estimates *estimates = NULL;

static void
forget_estimates(void *arg)
{
	if (estimates == arg)
		estimates = NULL;
}

static Estimates *
estimates_of(PlannerInfo *root, RelOptInfo *rel)
{
	int			clauses = list_length(rel->baserestrictinfo);

	if (estimates == NULL || estimates->context != root->planner_cxt)
	{
		Estimates  *new = MemoryContextAllocZero(root->planner_cxt,
												 sizeof(Estimates));

		new->context = root->planner_cxt;
		new->forget.func = forget_estimates;
		new->forget.arg = new;
		MemoryContextRegisterResetCallback(new->context, &new->forget);
		estimates = new;
	}
	if (estimates->rel != rel || estimates->clauses != clauses)
	{
		estimates->rel = rel;
		estimates->clauses = clauses;
		estimates->columns = NIL;
	}
	return estimates;
}

static Estimate *
find_estimate(const Estimates *of_rel, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, of_rel->columns)
	{
		Estimate   *estimate = lfirst(cell);

		if (estimate->attnum == attnum)
			return estimate;
	}
	return NULL;
}

/* Making one may run functions that plan queries: they are remembered last. */
static Estimate *
make_estimate(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
			  const VariableStatData *vardata, Oid opfamily)
{
	MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);
	Estimate   *estimate = palloc(sizeof(Estimate));
	Estimates  *of_rel;

	estimate->attnum = attnum;
	estimate->tuple = estimate_clauses(root, rte, attnum, vardata, opfamily);
	of_rel = estimates_of(root, vardata->rel);
	of_rel->columns = lappend(of_rel->columns, estimate);
	MemoryContextSwitchTo(old);
	return estimate;
}

/* ReleaseVariableStats() calls this; the planner's memory goes as a whole. */
static void
keep_estimate(HeapTuple tuple)
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

/*
 * extract_restriction_or_clauses() estimates clauses of joins, which have to
 * see the true statistics, before any relation has its rows.  It is over when
 * check_index_predicates() has run, and where partitions are concerned.
 */
static bool
may_be_join_clause(const RelOptInfo *rel)
{
	ListCell   *cell;
	bool		has_orclause = false;

	if (rel->reloptkind != RELOPT_BASEREL)
		return false;
	foreach(cell, rel->joininfo)
	{
		if (lfirst_node(RestrictInfo, cell)->orclause != NULL)
			has_orclause = true;
	}
	/* that of a partial index may stay empty */
	foreach(cell, rel->indexlist)
	{
		if (lfirst_node(IndexOptInfo, cell)->indrestrictinfo != NIL)
			return false;
	}
	return has_orclause;
}

/*
 * Whether core is at finding out how many rows the relation's own clauses
 * leave.  Later it is about joins and groups, and those need the histogram.
 */
static bool
is_being_sized(const RangeTblEntry *rte, const RelOptInfo *rel)
{
	if (rel->pathlist != NIL || rel->baserestrictinfo == NIL)
		return false;
	if (rte->relkind == RELKIND_FOREIGN_TABLE)
		return rel->rows == FOREIGN_ROWS;
	return rel->rows == 0 && !may_be_join_clause(rel);
}

/*
 * The family by which the column's type is ordered, if it is ordered as uuid
 * is, which iuid, ulid and all domains are.
 */
static Oid
opfamily_of_ids(Oid type)
{
	TypeCacheEntry *entry;
	PGFunction	compare;

	if (type < FirstNormalObjectId && type != UUIDOID)
		return InvalidOid;
	entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY |
							  TYPECACHE_CMP_PROC_FINFO);
	compare = entry->cmp_proc_finfo.fn_addr;
	if (compare != uuid_cmp && compare != uidext_as_uuid_cmp)
		return InvalidOid;
	return entry->btree_opf;
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
	Oid			opfamily;
	Estimate   *estimate;

	if (previous_hook && previous_hook(root, rte, attnum, vardata))
		return true;
	if (!estimates_enabled || rte->rtekind != RTE_RELATION)
		return false;
	rel = find_relation(root, rte);
	if (rel == NULL || !is_being_sized(rte, rel))
		return false;
	if (vardata->rel != rel || vardata->var == NULL ||
		!IsA(vardata->var, Var))
		return false;
	opfamily = opfamily_of_ids(((Var *) vardata->var)->vartype);
	if (!OidIsValid(opfamily))
		return false;

	estimate = find_estimate(estimates_of(root, rel), attnum);
	if (estimate == NULL)
		estimate = make_estimate(root, rte, attnum, vardata, opfamily);
	if (estimate->tuple == NULL)
		return false;
	vardata->statsTuple = estimate->tuple;
	vardata->freefunc = keep_estimate;
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
