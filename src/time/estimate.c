/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many rows the planner expects of a range of ids: which comparisons
 *	  have statistics of their own.
 *
 * Core cannot tell where in a bin of a histogram a uuid lies, because
 * convert_to_scalar() does not know the type: a constant counts as the middle
 * of its bin, and a range within one bin as empty.
 *
 * By get_relation_stats_hook an extension can give core other statistics of a
 * column than those that ANALYZE made.  While core estimates the clauses that
 * restrict one relation, a column that one of them compares with constants has
 * the statistics that estimate_statistics.c forms for them.  By these, core's
 * own functions come to the right share for each clause, and for a pair of
 * clauses to that of the interval between them.
 *
 * While core estimates joins, estimate_joins.c gives it others for columns that
 * are joined by "=" and compared on both sides.  All else has the column's true
 * statistics.
 *
 * This file holds the hook and its setting; estimate_comparisons.c finds the
 * comparisons and their constants.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/pathnodes.h"
#include "utils/guc.h"
#include "utils/selfuncs.h"

#include "time/estimate.h"
#include "time/estimate_comparisons.h"
#include "time/estimate_joins.h"

/* What set_foreign_size_estimates() says before a wrapper is asked. */
#define FOREIGN_ROWS	1000

static bool estimates_enabled = true;
static get_relation_stats_hook_type previous_hook = NULL;

/* ReleaseVariableStats() calls this; the planner's memory goes as a whole. */
static void
keep_statistics(HeapTuple tuple)
{
}

/*
 * When core gets other statistics
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
 * leave.  What it has found out then, it keeps with the clauses.  Of a parent,
 * whose rows are its children's, it asks when it has them.
 */
static bool
is_being_sized(const RangeTblEntry *rte, const RelOptInfo *rel)
{
	if (rte->inh)
		return true;
	if (rel->pathlist != NIL)
		return false;
	return rel->rows == 0 || (rte->relkind == RELKIND_FOREIGN_TABLE &&
							  rel->rows == FOREIGN_ROWS);
}

/*
 * brincostestimate() passes memory that it has never written as vardata, so
 * nothing there is read before the relation is known to be one that is being
 * sized.
 */
static HeapTuple
statistics_for_size(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
					const VariableStatData *vardata)
{
	RelOptInfo *rel = find_relation(root, rte);
	Comparisons *all;
	Comparison *comparison;

	if (rel == NULL || !is_being_sized(rte, rel))
		return NULL;
	if (vardata->rel != rel || !may_be_of_ids(vardata->var))
		return NULL;

	all = comparisons_of(root, rel);
	comparison = find_comparison(all, (Var *) vardata->var);
	if (comparison == NULL)
		return NULL;
	if (!comparison->is_estimated)
	{
		estimate_column(root, rte, attnum, vardata, all);
		forget_foreign_keys(root, all, attnum);
	}
	return comparison->estimate.statistics;
}

/* get_relation_stats_hook */
static bool
estimate_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
			  VariableStatData *vardata)
{
	HeapTuple	statistics;

	if (previous_hook && previous_hook(root, rte, attnum, vardata))
		return true;
	if (!estimates_enabled || rte->rtekind != RTE_RELATION)
		return false;
	if (!are_joins_estimated(root))
		statistics = statistics_for_size(root, rte, attnum, vardata);
	else if (may_be_of_ids(vardata->var))
		statistics = statistics_for_join(root, rte, vardata);
	else
		return false;
	if (statistics == NULL)
		return false;
	vardata->statsTuple = statistics;
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
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);
	previous_hook = get_relation_stats_hook;
	get_relation_stats_hook = estimate_hook;
}
