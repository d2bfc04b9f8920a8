/*-------------------------------------------------------------------------
 *
 * estimate_joins.c
 *	  How many rows the planner expects of joins of ids.
 *
 * "a.id = b.id" finds one of as many values as the column with more of them
 * has.  Where the query names a period for both columns, each has only the
 * values of its period, but core counts those of the whole tables, and comes to
 * the product of both periods' shares.
 *
 * While core estimates joins it asks for the statistics of their columns.  A
 * column that is compared with constants and joined by "=" to another such
 * column then has as many values as the period leaves.
 *
 * When core prices ways to join it asks for the same columns again, and takes
 * the share that the period leaves by itself.  So a column has these statistics
 * until it is joined to another one, and then each further mention of it once,
 * until it is joined to all of them.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/sysattr.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "time/estimate_joins.h"

typedef enum Joined
{
	TO_NONE,
	TO_SOME,
	TO_ALL
} Joined;

/* A column of a relation. */
typedef struct JoinedColumn
{
	AttrNumber	attnum;
	Relids		others;			/* the relations of what it is joined to */
	HeapTuple	statistics;		/* NULL: core shall use what it has */
	List	   *asked;			/* nodes whose turn it was */
	Joined		joined;			/* to which of the others */
	int			looked_at;		/* how many of join_rel_list */
} JoinedColumn;

/*
 * Which columns are joined
 */

static Var *
bare_column(Node *node)
{
	if (node == NULL)
		return NULL;
	node = strip_relabel(node);
	return IsA(node, Var) ? (Var *) node : NULL;
}

static bool
is_column(Node *node, Index relid, AttrNumber attnum)
{
	Var		   *column = bare_column(node);

	return column != NULL && column->varno == relid &&
		column->varattno == attnum;
}

/* Of a column of another relation that a period is named for; else NULL. */
static Relids
compared_relation(PlannerInfo *root, Node *node, Index relid)
{
	Var		   *column = bare_column(node);
	RelOptInfo *rel;

	if (column == NULL || column->varno == relid ||
		column->varno >= root->simple_rel_array_size)
		return NULL;
	rel = root->simple_rel_array[column->varno];
	if (rel == NULL || rel->reloptkind != RELOPT_BASEREL ||
		!is_compared(comparisons_of(root, rel), column->varattno))
		return NULL;
	return bms_make_singleton(rel->relid);
}

static Relids
others_of_class(PlannerInfo *root, const EquivalenceClass *class,
				Index relid, AttrNumber attnum)
{
	Relids		others = NULL;
	bool		is_member = false;
	ListCell   *cell;

	foreach(cell, class->ec_members)
	{
		EquivalenceMember *member = lfirst(cell);
		Node	   *node = (Node *) member->em_expr;

		if (member->em_is_child)
			continue;			/* of partitions, as many as ask */
		if (is_column(node, relid, attnum))
			is_member = true;
		else
			others = bms_join(others, compared_relation(root, node, relid));
	}
	return is_member ? others : NULL;
}

/* Outer joins' clauses are in no class. */
static Relids
others_of_clause(PlannerInfo *root, const RestrictInfo *info,
				 Index relid, AttrNumber attnum)
{
	Node	   *left;
	Node	   *right;

	if (!info->can_join || info->mergeopfamilies == NIL)
		return NULL;
	left = get_leftop(info->clause);
	right = get_rightop(info->clause);
	if (is_column(left, relid, attnum))
		return compared_relation(root, right, relid);
	if (is_column(right, relid, attnum))
		return compared_relation(root, left, relid);
	return NULL;
}

/* The relations with a column that has a period and is joined to this one. */
static Relids
find_others(PlannerInfo *root, Index relid, AttrNumber attnum)
{
	RelOptInfo *rel = root->simple_rel_array[relid];
	Relids		others = NULL;
	ListCell   *cell;
	int			i = -1;

	while ((i = bms_next_member(rel->eclass_indexes, i)) >= 0)
		others = bms_join(others,
						  others_of_class(root, list_nth(root->eq_classes, i),
										  relid, attnum));
	foreach(cell, rel->joininfo)
		others = bms_join(others,
						  others_of_clause(root, lfirst(cell), relid, attnum));
	return others;
}

/* Of a partition, the column of the table that the query names. */
static bool
find_named_column(const PlannerInfo *root, Index *relid, AttrNumber *attnum)
{
	AppendRelInfo *parent;

	while (root->append_rel_array != NULL &&
		   (parent = root->append_rel_array[*relid]) != NULL)
	{
		if (*attnum < 1 || *attnum > parent->num_child_cols)
			return false;
		*attnum = parent->parent_colnos[*attnum - 1];
		*relid = parent->parent_relid;
	}
	return *attnum > 0 && root->simple_rel_array[*relid] != NULL;
}

/*
 * What core gets for a column
 */

/*
 * How many of a relation's rows the clauses leave that are about this column
 * alone.  Core has estimated each of them, but for a parent's.
 */
static double
share_of_period(PlannerInfo *root, RelOptInfo *rel, AttrNumber attnum)
{
	List	   *clauses = NIL;
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst(cell);
		Bitmapset  *columns = NULL;
		int			column;

		pull_varattnos((Node *) info->clause, rel->relid, &columns);
		if (bms_get_singleton_member(columns, &column) &&
			column == attnum - FirstLowInvalidHeapAttributeNumber)
			clauses = lappend(clauses, info);
	}
	return clauselist_selectivity(root, clauses, rel->relid, JOIN_INNER, NULL);
}

/* Core asks for no statistics of a foreign key's columns. */
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

static void
find_values(PlannerInfo *root, RangeTblEntry *rte, const Comparisons *all,
			JoinedColumn *column, const VariableStatData *vardata)
{
	RelOptInfo *rel = vardata->rel;
	AttrNumber	attnum = column->attnum;
	Index		relid = rel->relid;

	if (!is_compared(all, attnum) ||
		!find_named_column(root, &relid, &attnum) ||
		is_in_foreign_key(root, relid, attnum))
		return;
	column->others = find_others(root, relid, attnum);
	if (bms_is_empty(column->others))
		return;
	column->statistics = estimate_values(rte, column->attnum, vardata,
										 share_of_period(root, rel,
														 column->attnum));
}

static JoinedColumn *
joined_column(PlannerInfo *root, RangeTblEntry *rte, Comparisons *all,
			  const VariableStatData *vardata)
{
	AttrNumber	attnum = ((Var *) vardata->var)->varattno;
	JoinedColumn *column;
	ListCell   *cell;

	foreach(cell, all->joined)
	{
		column = lfirst(cell);
		if (column->attnum == attnum)
			return column;
	}
	column = palloc0(sizeof(JoinedColumn));
	column->attnum = attnum;
	all->joined = lappend(all->joined, column);
	find_values(root, rte, all, column, vardata);
	return column;
}

/*
 * Which of the others the relation has been joined to.  The list of joins only
 * grows, to thousands, but for GEQO's, which is short.
 */
static Joined
is_joined(const PlannerInfo *root, const RelOptInfo *rel, JoinedColumn *column)
{
	if (root->join_rel_level == NULL)
	{
		column->joined = TO_NONE;
		column->looked_at = 0;
	}
	while (column->looked_at < list_length(root->join_rel_list) &&
		   column->joined != TO_ALL)
	{
		RelOptInfo *join = list_nth(root->join_rel_list, column->looked_at++);
		Relids		named = join->top_parent_relids ?
			join->top_parent_relids : join->relids;

		if (!bms_is_member(rel->relid, join->relids))
			continue;
		if (bms_is_subset(column->others, named))
			column->joined = TO_ALL;
		else if (bms_overlap(column->others, named))
			column->joined = TO_SOME;
	}
	return column->joined;
}

static HeapTuple
next_statistics(const PlannerInfo *root, JoinedColumn *column,
				VariableStatData *vardata)
{
	bool		is_first;
	Joined		joined;

	if (column->statistics == NULL)
		return NULL;
	is_first = !list_member_ptr(column->asked, vardata->var);
	joined = is_joined(root, vardata->rel, column);
	if (joined == TO_ALL || (joined == TO_SOME && !is_first))
		return NULL;
	if (is_first)
		column->asked = lappend(column->asked, vardata->var);
	vardata->isunique = false;
	return column->statistics;
}

/* NULL where core shall use what it has. */
HeapTuple
statistics_for_join(PlannerInfo *root, RangeTblEntry *rte,
					VariableStatData *vardata)
{
	Var		   *var = (Var *) vardata->var;
	HeapTuple	statistics;
	Comparisons *all;
	Comparison *comparison;
	MemoryContext old;

	if (vardata->rel == NULL || var->varno != vardata->rel->relid)
		return NULL;
	all = comparisons_of(root, vardata->rel);
	if (all->count == 0)
		return NULL;
	old = MemoryContextSwitchTo(root->planner_cxt);
	comparison = find_comparison(all, var);
	if (comparison != NULL)
	{
		/* a parent's, which core has not needed before */
		if (rte->inh && !comparison->is_estimated)
			estimate_column(root, rte, var->varattno, vardata, all);
		statistics = comparison->estimate.statistics;
	}
	else
		statistics = next_statistics(root,
									 joined_column(root, rte, all, vardata),
									 vardata);
	MemoryContextSwitchTo(old);
	return statistics;
}

/*
 * Whether all relations of the query have their rows and ways to read them, and
 * core is at joining them; what it groups by comes after that.  One that is
 * proved empty has its way before the others.
 */
bool
are_joins_estimated(const PlannerInfo *root)
{
	int			relid = -1;

	if (root->all_baserels == NULL ||
		root->upper_targets[UPPERREL_FINAL] != NULL)
		return false;
	while ((relid = bms_next_member(root->all_baserels, relid)) >= 0)
	{
		if (root->simple_rel_array[relid]->cheapest_total_path == NULL)
			return false;
	}
	return true;
}

/*
 * Foreign keys
 *
 * Where a foreign key stands behind a clause, core asks for no statistics but
 * counts one of all rows of the referenced table.  So that it asks, it forgets
 * a key whose column has a period on both sides.  One of several columns it
 * keeps, because by each column alone it would be more wrong.
 */
void
forget_foreign_keys(PlannerInfo *root, const Comparisons *all,
					AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, root->fkey_list)
	{
		ForeignKeyOptInfo *key = lfirst(cell);
		RelOptInfo *other;
		AttrNumber	other_attnum;

		if (key->nkeys != 1)
			continue;
		if (key->con_relid == all->relid && key->conkey[0] == attnum)
		{
			other = root->simple_rel_array[key->ref_relid];
			other_attnum = key->confkey[0];
		}
		else if (key->ref_relid == all->relid && key->confkey[0] == attnum)
		{
			other = root->simple_rel_array[key->con_relid];
			other_attnum = key->conkey[0];
		}
		else
			continue;
		if (other != NULL &&
			is_compared(comparisons_of(root, other), other_attnum) &&
			is_compared(all, attnum))
			root->fkey_list = foreach_delete_current(root->fkey_list, cell);
	}
}
