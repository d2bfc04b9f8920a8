/*-------------------------------------------------------------------------
 *
 * predicate_pruning.c
 *	  Partition pruning by time predicates while the query runs.
 *
 * A call whose period is a sub-select stays a call, and partition pruning looks
 * at operators only.  No row is checked against the clauses of a parent, since
 * its children have copies of them.  create_append_plan() still prunes by the
 * parent's clauses, so they get the comparisons that the call implies.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"

#include "time/predicate_plans.h"
#include "time/predicate_pruning.h"

static set_rel_pathlist_hook_type previous_hook = NULL;

static void
add_comparisons(PlannerInfo *root, RelOptInfo *parent)
{
	List	   *added = NIL;
	ListCell   *cell;
	ListCell   *comparison;

	foreach(cell, parent->baserestrictinfo)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		foreach(comparison, comparisons_for_pruning((Node *) info->clause))
			added = lappend(added,
							make_simple_restrictinfo(root,
													 lfirst(comparison)));
	}
	if (added == NIL)
		return;
	/* a new list, because others may have kept the old one */
	parent->baserestrictinfo = list_concat_copy(parent->baserestrictinfo,
												added);
}

/*
 * Whether partitions may be pruned by the clauses of this relation: that of a
 * partitioned table, or of a UNION ALL.  Where the plans of partitioned tables
 * are flattened into that of a UNION ALL, only its clauses are looked at.
 */
static bool
is_pruned_by_clauses(RelOptInfo *rel, RangeTblEntry *rte)
{
	return rte->inh &&
		(rel->part_scheme != NULL || rte->rtekind == RTE_SUBQUERY);
}

/*
 * set_rel_pathlist_hook
 *
 * When this is called, the sub-select has become a Param.
 */
static void
prune_by_calls(PlannerInfo *root, RelOptInfo *rel, Index relid,
			   RangeTblEntry *rte)
{
	if (previous_hook)
		previous_hook(root, rel, relid, rte);
	if (is_pruned_by_clauses(rel, rte))
		add_comparisons(root, rel);
}

void
predicate_pruning_init(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = prune_by_calls;
}
