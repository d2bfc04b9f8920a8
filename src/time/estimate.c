/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many rows the planner expects of a range of ids: which comparisons
 *	  have statistics of their own.
 *
 * PostgreSQL cannot tell where in a bin of a histogram a uuid lies, because
 * convert_to_scalar() does not know the type.  It takes a constant for the
 * middle of its bin, and a range within one bin for empty.
 *
 * With get_relation_stats_hook an extension can return other statistics of a
 * column than those that ANALYZE made.  While the planner estimates the
 * clauses that restrict one relation, we return the statistics that
 * estimate_statistics.c makes for the constants with which a column is
 * compared.  With these, PostgreSQL's own functions compute the right
 * selectivity of each clause, and of the interval between two clauses.
 *
 * When join_search_hook is called, all relations have been sized.  If
 * uidext.join_estimates is on, which it is not by default, estimate_joins.c
 * then lets the planner estimate the join clauses, with other statistics for
 * columns that are compared on both sides.  Meanwhile, with the setting or
 * without, a join clause that is an OR with constants is estimated as clauses
 * of one relation are.  At all other times the planner gets the true
 * statistics.
 *
 * This file holds the hooks and their settings; estimate_comparisons.c finds
 * the comparisons and their constants.  README.md shows when PostgreSQL asks
 * for what.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/pathnodes.h"
#include "optimizer/geqo.h"
#include "optimizer/paths.h"
#include "utils/guc.h"
#include "utils/selfuncs.h"

#include "time/estimate.h"
#include "time/estimate_comparisons.h"
#include "time/estimate_joins.h"
#include "time/estimate_planner.h"

/* The estimate that set_foreign_size_estimates() makes before the FDW's. */
#define FOREIGN_ROWS	1000

static bool estimates_enabled = true;
static bool join_estimates_enabled = false;
static get_relation_stats_hook_type previous_hook = NULL;
static join_search_hook_type previous_join_search = NULL;

/* ReleaseVariableStats() calls this; the memory is freed with the planner's. */
static void
keep_statistics(HeapTuple tuple)
{
}

/*
 * When the planner gets other statistics
 */

/*
 * The planner mostly asks about relations in order, and about the partitions of
 * two tables in turn where these are joined: begin at the last two.
 */
static RelOptInfo *
find_relation(const PlannerInfo *root, const RangeTblEntry *rte)
{
	static int	last[2] = {0, 0};
	int			size = root->simple_rel_array_size;

	for (int i = 0; i < size; i++)
	{
		for (int n = 0; n < lengthof(last); n++)
		{
			int			at = (last[n] + i) % size;

			if (root->simple_rte_array[at] == rte)
			{
				last[n] = at;
				return root->simple_rel_array[at];
			}
		}
	}
	return NULL;
}

/*
 * A cheap test that comes first: of the built-in types only uuid can be a type
 * of ids.  PostgreSQL asks about nothing but a Var, other modules may.
 */
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
 * Whether the planner is estimating how many rows of the relation pass its own
 * clauses.  It stores that estimate in the clauses.  PostgreSQL has no hook
 * between set_base_rel_sizes() and set_base_rel_pathlists(), and it calls
 * get_relation_stats_hook with the same arguments in both.  However, rows of a
 * relation is 0 until the first sets it, and a relation has no paths until the
 * second.
 *
 * The clauses of a parent may be estimated first when it has rows, as the sum
 * of its children, and paths: by create_append_path(), for a parameterized
 * path.  So a parent counts as being sized at any time.  That does no harm,
 * because no path reads the index of a parent, and so no price of a path is
 * computed from the statistics of its columns.
 */
static bool
is_being_sized(const RangeTblEntry *rte, const RelOptInfo *rel)
{
	if (rte->inh)				/* a parent */
		return true;
	if (rel->pathlist != NIL)
		return false;
	return rel->rows == 0 || (rte->relkind == RELKIND_FOREIGN_TABLE &&
							  rel->rows == FOREIGN_ROWS);
}

static HeapTuple
statistics_for_comparison(PlannerInfo *root, RangeTblEntry *rte,
						  AttrNumber attnum, const VariableStatData *vardata)
{
	Comparisons *all = comparisons_of(root, vardata->rel);
	Comparison *comparison = find_comparison(all, (Var *) vardata->var);

	if (comparison == NULL)
		return NULL;
	if (!comparison->is_estimated)
		estimate_column(root, rte, attnum, vardata, all);
	return comparison->estimate.statistics;
}

/*
 * brincostestimate() passes memory that it has never written as vardata, and
 * another module may have paths priced while joins are searched.  So nothing
 * there is followed before vardata is known to be of the relation whose table
 * is asked about.  In PHASE_RELATIONS it is not even read, as is_being_sized()
 * tells that paths are priced.
 *
 * vardata is of another relation for a column of a subquery: examine_variable()
 * asks with the planner and the table of the subquery, but vardata has the
 * relation and the column of the query around it.
 */
static HeapTuple
statistics_for_phase(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
					 VariableStatData *vardata)
{
	PlannerPhase phase = planner_phase(root);
	HeapTuple	statistics = NULL;
	RelOptInfo *rel;

	if (phase == PHASE_JOINED)
		return NULL;
	rel = find_relation(root, rte);
	if (rel == NULL || (phase == PHASE_RELATIONS && !is_being_sized(rte, rel)))
		return NULL;
	if (vardata->rel != rel)
		return NULL;
	if (!may_be_of_ids(vardata->var))
		return NULL;
	/* a join clause compares with constants only if it is an OR */
	if (phase != PHASE_JOINS || rel->joininfo != NIL)
		statistics = statistics_for_comparison(root, rte, attnum, vardata);
	if (statistics != NULL || phase == PHASE_RELATIONS ||
		!join_estimates_enabled)
		return statistics;
	return phase == PHASE_EQUALITIES ? statistics_for_equality(root, vardata) :
		statistics_for_member(root, vardata);
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
	statistics = statistics_for_phase(root, rte, attnum, vardata);
	if (statistics == NULL)
		return false;
	vardata->statsTuple = statistics;
	vardata->freefunc = keep_statistics;
	vardata->acl_ok = false;	/* only leakproof operators may see it */
	return true;
}

/* What make_rel_from_joinlist() does without a hook. */
static RelOptInfo *
search_joins(PlannerInfo *root, int levels, List *relations)
{
	if (previous_join_search)
		return previous_join_search(root, levels, relations);
	if (enable_geqo && levels >= geqo_threshold)
		return geqo(root, levels, relations);
	return standard_join_search(root, levels, relations);
}

/*
 * join_search_hook, which runs once for each list of joins; a query has several
 * if join_collapse_limit splits its joins.  No hook can stop a foreign key from
 * taking the place of its clauses, so the planner has another list of keys
 * during the search.  Neither list is changed.
 */
static RelOptInfo *
estimate_join_search(PlannerInfo *root, int levels, List *relations)
{
	List	   *keys = root->fkey_list;
	RelOptInfo *result;

	if (!estimates_enabled)
		return search_joins(root, levels, relations);
	if (join_estimates_enabled)
	{
		if (planner_phase(root) == PHASE_RELATIONS)
		{
			planner_set_phase(root, PHASE_EQUALITIES);
			estimate_equalities(root);
		}
		root->fkey_list = foreign_keys_without_periods(root);
	}
	planner_set_phase(root, PHASE_JOINS);
	result = search_joins(root, levels, relations);
	planner_set_phase(root, PHASE_JOINED);
	root->fkey_list = keys;
	return result;
}

void
estimate_init(void)
{
	DefineCustomBoolVariable("uidext.estimates",
							 "Estimates how many rows a range of ids has by where its ends lie.",
							 NULL,
							 &estimates_enabled,
							 true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("uidext.join_estimates",
							 "Estimates how many rows joins of ids have by the periods of both sides.",
							 "Without effect while uidext.estimates is off.",
							 &join_estimates_enabled,
							 false,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);
	previous_join_search = join_search_hook;
	join_search_hook = estimate_join_search;
	previous_hook = get_relation_stats_hook;
	get_relation_stats_hook = estimate_hook;
}
