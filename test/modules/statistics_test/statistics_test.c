/*-------------------------------------------------------------------------
 *
 * statistics_test.c
 *	  Another extension that answers for statistics: while statistics_test.none
 *	  is on, no column has any.  While statistics_test.prices is on, it asks for
 *	  those of every table whenever a join is planned, with memory that it has
 *	  not written, as the price of a BRIN index does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "optimizer/paths.h"
#include "utils/guc.h"
#include "utils/selfuncs.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static bool none = false;
static bool prices = false;
static set_join_pathlist_hook_type previous_join = NULL;
static get_relation_stats_hook_type previous_hook = NULL;

static bool
statistics_test_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
					 VariableStatData *vardata)
{
	if (none)
	{
		vardata->statsTuple = NULL;
		return true;
	}
	return previous_hook && previous_hook(root, rte, attnum, vardata);
}

static void
statistics_test_join(PlannerInfo *root, RelOptInfo *joinrel,
					 RelOptInfo *outerrel, RelOptInfo *innerrel,
					 JoinType jointype, JoinPathExtraData *extra)
{
	VariableStatData vardata;

	for (int i = 1; prices && i < root->simple_rel_array_size; i++)
	{
		if (root->simple_rte_array[i]->rtekind != RTE_RELATION)
			continue;
		memset(&vardata, 0x7f, sizeof(vardata));
		get_relation_stats_hook(root, root->simple_rte_array[i], 1, &vardata);
	}
	if (previous_join)
		previous_join(root, joinrel, outerrel, innerrel, jointype, extra);
}

void
_PG_init(void)
{
	DefineCustomBoolVariable("statistics_test.none", "No column has any.", NULL,
							 &none, false, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("statistics_test.prices", "Joins ask for statistics.",
							 NULL, &prices, false, PGC_USERSET, 0,
							 NULL, NULL, NULL);
	previous_join = set_join_pathlist_hook;
	set_join_pathlist_hook = statistics_test_join;
	previous_hook = get_relation_stats_hook;
	get_relation_stats_hook = statistics_test_hook;
}
