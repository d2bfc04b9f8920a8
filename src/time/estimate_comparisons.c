/*-------------------------------------------------------------------------
 *
 * estimate_comparisons.c
 *	  The comparisons of ids with constants in a query's clauses.
 *
 * Each mention of a column in a query is a node of its own.  The node about
 * which PostgreSQL asks therefore says which comparison it estimates.  For a
 * comparison with an array it asks about a copy of the node, which has the
 * same location in the query.
 *
 * What is found is remembered for as long as the query is planned.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "base/relabel.h"
#include "pure/distribution.h"
#include "time/estimate_comparisons.h"
#include "time/estimate_planner.h"

/* A column compared with a longer array is left to PostgreSQL. */
#define ELEMENTS_MAX	100

/*
 * The comparisons in the clauses of a relation
 */

static void
add_comparison(Comparisons *all, Node *column, Oid operator, Node *operand,
			   bool of_array)
{
	column = strip_relabel(column);
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

/* Looks for comparisons in the same nodes as clause_selectivity(). */
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
 * The comparisons of a relation: in its own clauses, and in join clauses with
 * OR, from which extract_restriction_or_clauses() may make a clause of the
 * relation.
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

/*
 * The column of a comparison with an array, found by a copy of its node; NULL
 * if several columns have the same location.
 */
static Var *
find_original(const Comparisons *all, const Var *copy)
{
	Var		   *original = NULL;

	for (int i = 0; i < all->count; i++)
	{
		Var		   *column = all->of[i].column;

		if (!all->of[i].of_array || column == original ||
			!equal(column, copy) || column->location != copy->location)
			continue;
		if (original != NULL)
			return NULL;
		original = column;
	}
	return original;
}

/* NULL also if the same node is in several, because it could be any of them. */
Comparison *
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
	{
		column = find_original(all, column);
		return column ? find_comparison(all, column) : NULL;
	}
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

/* Evaluates an operand to a constant, where the planner would do so. */
static Node *
evaluate(PlannerInfo *root, Node *operand)
{
	if (!IsA(operand, Const) && !contain_var_clause(operand))
		operand = planner_value(root, operand);
	return strip_relabel(operand);
}

static void
read_constant(PlannerInfo *root, Estimate *estimate, Node *operand)
{
	Const	   *constant = (Const *) evaluate(root, operand);

	if (IsA(constant, Const) && !constant->constisnull &&
		constant->constlen == UUID_LEN && !constant->constbyval)
		estimate->constants[estimate->count++] =
			DatumGetUuidWords(constant->constvalue);
}

static void
read_elements(Estimate *estimate, ArrayType *array)
{
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	if (get_typlen(ARR_ELEMTYPE(array)) != UUID_LEN ||
		ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > ELEMENTS_MAX)
		return;
	deconstruct_array(array, ARR_ELEMTYPE(array), UUID_LEN, false,
					  TYPALIGN_CHAR, &elements, &nulls, &count);
	estimate->constants = palloc(count * sizeof(UuidWords));
	for (int i = 0; i < count; i++)
	{
		if (!nulls[i])
			estimate->constants[estimate->count++] =
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
read_array(PlannerInfo *root, Estimate *estimate, Node *operand)
{
	Node	   *array = strip_array_relabel(evaluate(root, operand));
	ListCell   *cell;

	if (IsA(array, Const))
	{
		Const	   *constant = (Const *) array;

		if (!constant->constisnull)
			read_elements(estimate, DatumGetArrayTypeP(constant->constvalue));
	}
	else if (IsA(array, ArrayExpr) && !((ArrayExpr *) array)->multidims)
	{
		List	   *elements = ((ArrayExpr *) array)->elements;

		if (list_length(elements) > ELEMENTS_MAX)
			return;
		estimate->constants = palloc(list_length(elements) *
									 sizeof(UuidWords));
		foreach(cell, elements)
			read_constant(root, estimate, lfirst(cell));
	}
}

/*
 * The operator family that orders the column's type, if the order is that of
 * uuid, as for iuid, ulid and all their domains.
 */
static Oid
opfamily_of_ids(Oid type)
{
	TypeCacheEntry *entry;

	entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	if (entry->btree_opintype == UUIDOID)
		return entry->btree_opf;
	if (entry->typlen != UUID_LEN || entry->typalign != TYPALIGN_CHAR)
		return InvalidOid;
	/* this loads the library of the type's comparison */
	entry = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
	if (entry->cmp_proc_finfo.fn_addr != uidext_as_uuid_cmp)
		return InvalidOid;
	return entry->btree_opf;
}

/*
 * Operators of another family may compare in another way.  An operator that is
 * not leakproof needs the true statistics, and the right to see them.
 */
static bool
is_inequality(Oid operator, Oid opfamily)
{
	int			strategy;

	if (!OidIsValid(opfamily))
		return false;
	strategy = get_op_opfamily_strategy(operator, opfamily);
	return strategy != 0 && strategy != BTEqualStrategyNumber &&
		get_func_leakproof(get_opcode(operator));
}

static void
read_constants(PlannerInfo *root, Comparison *comparison, Oid opfamily)
{
	Estimate   *estimate = &comparison->estimate;

	if (!is_inequality(comparison->operator, opfamily))
		return;
	if (comparison->of_array)
		read_array(root, estimate, comparison->operand);
	else
	{
		estimate->constants = palloc(sizeof(UuidWords));
		read_constant(root, estimate, comparison->operand);
	}
	estimate->count = distribution_sort(estimate->constants, estimate->count);
}

/* Whether a column is compared with something that is the same for all rows. */
bool
is_compared(const Comparisons *all, AttrNumber attnum)
{
	for (int i = 0; i < all->count; i++)
	{
		Var		   *column = all->of[i].column;

		if (column->varattno == attnum &&
			!contain_var_clause(all->of[i].operand) &&
			is_inequality(all->of[i].operator,
						  opfamily_of_ids(column->vartype)))
			return true;
	}
	return false;
}

/*
 * The comparisons of a column
 */

/* Finds the estimates of all comparisons of one column at once. */
void
estimate_column(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
				const VariableStatData *vardata, const Comparisons *all)
{
	MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);
	Oid			opfamily = opfamily_of_ids(((Var *) vardata->var)->vartype);
	Estimate  **estimates = palloc(all->count * sizeof(Estimate *));
	int			count = 0;

	for (int i = 0; i < all->count; i++)
	{
		Comparison *comparison = &all->of[i];

		if (comparison->column->varattno != attnum)
			continue;
		comparison->is_estimated = true;
		read_constants(root, comparison, opfamily);
		if (comparison->estimate.count > 0)
			estimates[count++] = &comparison->estimate;
	}
	if (count > 0)
		form_estimates(root, rte, attnum, vardata, opfamily,
					   estimates, count);
	pfree(estimates);
	MemoryContextSwitchTo(old);
}

/* The comparisons of a relation, which are collected once. */
Comparisons *
comparisons_of(const PlannerInfo *root, const RelOptInfo *rel)
{
	int			clauses = list_length(rel->baserestrictinfo) +
		list_length(rel->joininfo);
	Comparisons **known = planner_relation(root, rel->relid);
	Comparisons *all = *known;
	MemoryContext old;

	if (all != NULL && all->clauses == clauses)
		return all;

	old = MemoryContextSwitchTo(root->planner_cxt);
	all = palloc0(sizeof(Comparisons));
	all->relid = rel->relid;
	all->clauses = clauses;
	collect_all(all, rel);
	*known = all;
	MemoryContextSwitchTo(old);
	return all;
}
