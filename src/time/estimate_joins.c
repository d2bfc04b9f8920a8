/*-------------------------------------------------------------------------
 *
 * estimate_joins.c
 *	  How many rows the planner expects of joins of ids.
 *
 * Nothing here runs unless somebody sets uidext.join_estimates, which is off by
 * default: it makes most plans of joins better, and a few worse.
 *
 * The selectivity of "a.id = b.id" is one divided by the number of values of
 * the column that has more of them.  If the query names a period for both
 * columns, each has only the values of its period.  PostgreSQL counts the
 * values of the whole tables, so that its estimate is too low by the share of
 * the period.
 *
 * The planner estimates a clause once and keeps the selectivity in the clause's
 * RestrictInfo: norm_selec for inner joins, outer_selec for others.  So before
 * it searches for the best join order, we have it estimate every "=" between
 * two columns with periods, with statistics of the values in those periods.
 * During the search it computes the size of a join from the selectivity that it
 * kept.  When it computes the cost of a join path, it asks for the statistics
 * of the same columns again, and takes the period into account by itself.  At
 * that time we return the statistics unchanged.
 *
 * Joins of single partitions have clauses of their own, which the planner makes
 * during the search, so that nothing can be kept in them.  For their columns we
 * return statistics of the values in the period whenever the planner asks for
 * them together with a relation that has only the rows of the period: see
 * statistics_for_member().
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "base/relabel.h"
#include "time/estimate_comparisons.h"
#include "time/estimate_joins.h"
#include "time/estimate_values.h"

/*
 * Which columns
 */

/* The planner estimates a foreign key of several columns without statistics. */
static bool
is_in_foreign_key(const PlannerInfo *root, Index relid, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, root->fkey_list)
	{
		ForeignKeyOptInfo *key = lfirst(cell);

		for (int i = 0; key->nkeys > 1 && i < key->nkeys; i++)
		{
			if ((key->con_relid == relid && key->conkey[i] == attnum) ||
				(key->ref_relid == relid && key->confkey[i] == attnum))
				return true;
		}
	}
	return false;
}

static bool
has_period(PlannerInfo *root, Index relid, AttrNumber attnum)
{
	RelOptInfo *rel = relid < root->simple_rel_array_size ?
		root->simple_rel_array[relid] : NULL;

	return rel != NULL && rel->reloptkind == RELOPT_BASEREL &&
		rel->rtekind == RTE_RELATION && attnum > 0 && !IS_DUMMY_REL(rel) &&
		has_values_of_period(root, rel, attnum) &&
		!is_in_foreign_key(root, relid, attnum);
}

static Var *
column_with_period(PlannerInfo *root, Node *node)
{
	Var		   *column;

	if (node == NULL)
		return NULL;
	column = (Var *) strip_relabel(node);
	if (!IsA(column, Var) || column->varlevelsup > 0 ||
		!has_period(root, column->varno, column->varattno))
		return NULL;
	return column;
}

/*
 * The clauses between them
 */

static void
estimate_inner(PlannerInfo *root, RestrictInfo *info)
{
	SpecialJoinInfo *join = makeNode(SpecialJoinInfo);

	join->min_lefthand = join->syn_lefthand = info->left_relids;
	join->min_righthand = join->syn_righthand = info->right_relids;
	join->jointype = JOIN_INNER;
	clause_selectivity(root, (Node *) info, 0, JOIN_INNER, join);
}

/*
 * For semi and anti joins the planner looks up the relation on the right, which
 * exists already if it is a single one.
 */
static void
estimate_outer(PlannerInfo *root, RestrictInfo *info, SpecialJoinInfo *join)
{
	bool		is_between =
		(bms_overlap(info->left_relids, join->syn_lefthand) &&
		 bms_overlap(info->right_relids, join->syn_righthand)) ||
		(bms_overlap(info->right_relids, join->syn_lefthand) &&
		 bms_overlap(info->left_relids, join->syn_righthand));

	if (is_between && bms_membership(join->min_righthand) == BMS_SINGLETON)
		clause_selectivity(root, (Node *) info, 0, join->jointype, join);
}

/* The columns of partitions are estimated by the period, too. */
static void
mark_for_members(PlannerInfo *root, const Var *column)
{
	RelOptInfo *rel = root->simple_rel_array[column->varno];
	Comparisons *all = comparisons_of(root, rel);
	MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);

	all->joined = bms_add_member(all->joined, column->varattno);
	MemoryContextSwitchTo(old);
}

static void
estimate_clause(PlannerInfo *root, RestrictInfo *info)
{
	ListCell   *cell;

	if (!info->can_join || info->mergeopfamilies == NIL ||
		column_with_period(root, get_leftop(info->clause)) == NULL ||
		column_with_period(root, get_rightop(info->clause)) == NULL)
		return;
	estimate_inner(root, info);
	foreach(cell, root->join_info_list)
		estimate_outer(root, info, lfirst(cell));
}

static void
estimate_clauses(PlannerInfo *root, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
		estimate_clause(root, lfirst(cell));
}

/*
 * The planner makes the clauses of an equivalence class when it needs them, and
 * reuses those that it has made.  Some majors do not take "b = a" for "a = b".
 */
static void
estimate_pair(PlannerInfo *root, const Var *first, const Var *second)
{
	RelOptInfo *outer = root->simple_rel_array[first->varno];
	RelOptInfo *inner = root->simple_rel_array[second->varno];

	if (outer == inner)
		return;
	estimate_clauses(root,
					 join_equalities(root,
									 bms_union(outer->relids, inner->relids),
									 outer->relids, inner));
}

static void
estimate_class(PlannerInfo *root, const EquivalenceClass *class)
{
	List	   *columns = NIL;
	bool		is_mixed = false;
	ListCell   *cell;

	if (class->ec_has_const || list_length(class->ec_members) < 2)
		return;
	foreach(cell, class->ec_members)
	{
		EquivalenceMember *member = lfirst(cell);
		Var		   *column;
		ListCell   *other;

		if (member->em_is_child)
			continue;
		column = column_with_period(root, (Node *) member->em_expr);
		if (column == NULL)
		{
			is_mixed = true;
			continue;
		}
		foreach(other, columns)
		{
			estimate_pair(root, lfirst(other), column);
			estimate_pair(root, column, lfirst(other));
		}
		columns = lappend(columns, column);
	}
	if (is_mixed)
		return;
	foreach(cell, columns)
		mark_for_members(root, lfirst(cell));
}

/* All "=" between two columns for which the query names periods. */
void
estimate_equalities(PlannerInfo *root)
{
	ListCell   *cell;
	int			relid = -1;

	foreach(cell, root->eq_classes)
		estimate_class(root, lfirst(cell));
	/* clauses of outer joins are in no equivalence class */
	while ((relid = bms_next_member(root->all_baserels, relid)) >= 0)
	{
		RelOptInfo *rel = root->simple_rel_array[relid];

		if (rel != NULL)
			estimate_clauses(root, rel->joininfo);
	}
}

/* The statistics of a column meanwhile; NULL for the true ones. */
HeapTuple
statistics_for_equality(PlannerInfo *root, VariableStatData *vardata)
{
	Var		   *column = (Var *) vardata->var;
	HeapTuple	statistics;

	if (!has_period(root, vardata->rel->relid, column->varattno))
		return NULL;
	statistics = statistics_of_period(root, vardata->rel, column->varattno);
	if (statistics != NULL)
		vardata->isunique = false;
	return statistics;
}

/* Whether the column of a partition stands for one that was marked. */
static bool
is_joined(PlannerInfo *root, Index relid, AttrNumber attnum)
{
	const AppendRelInfo *link;
	const Comparisons *parent;

	while ((link = root->append_rel_array[relid]) != NULL)
	{
		if (attnum <= 0 || attnum > link->num_child_cols)
			return false;
		attnum = link->parent_colnos[attnum - 1];
		relid = link->parent_relid;
	}
	if (attnum <= 0)
		return false;
	parent = comparisons_of(root, root->simple_rel_array[relid]);
	return bms_is_member(attnum, parent->joined);
}

/*
 * The statistics of a partition's column while single partitions are joined.
 *
 * The planner computes sizes and costs of these joins in turn, and nothing
 * tells which of both it computes.  Therefore the answer serves both: the
 * values of the period, in a relation that has no other rows, so that the
 * planner does not apply the share of the period again.
 */
HeapTuple
statistics_for_member(PlannerInfo *root, VariableStatData *vardata)
{
	RelOptInfo *rel = vardata->rel;
	Var		   *column = (Var *) vardata->var;
	HeapTuple	statistics;

	if (rel->reloptkind != RELOPT_OTHER_MEMBER_REL ||
		!enable_partitionwise_join || IS_DUMMY_REL(rel) ||
		!is_joined(root, rel->relid, column->varattno))
		return NULL;
	statistics = statistics_of_period(root, rel, column->varattno);
	if (statistics != NULL)
	{
		vardata->isunique = false;
		vardata->rel = relation_of_period(root, rel, column->varattno);
	}
	return statistics;
}

/*
 * If a foreign key matches a join clause, the planner does not estimate the
 * clause, and takes one divided by the rows of the referenced table.  This
 * returns the keys for which that is right: all but those of a column with a
 * period on both sides.  A key of several columns stays, because estimates of
 * each column alone would be worse.
 */
List *
foreign_keys_without_periods(PlannerInfo *root)
{
	List	   *keys = NIL;
	ListCell   *cell;

	foreach(cell, root->fkey_list)
	{
		ForeignKeyOptInfo *key = lfirst(cell);

		if (key->nkeys != 1 ||
			!has_period(root, key->con_relid, key->conkey[0]) ||
			!has_period(root, key->ref_relid, key->confkey[0]))
			keys = lappend(keys, key);
	}
	return keys;
}
