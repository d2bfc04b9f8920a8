/*-------------------------------------------------------------------------
 *
 * statistics_test.c
 *	  Another extension that answers for statistics: while statistics_test.none
 *	  is on, no column has any.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/guc.h"
#include "utils/selfuncs.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static bool none = false;
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

void
_PG_init(void)
{
	DefineCustomBoolVariable("statistics_test.none", "No column has any.", NULL,
							 &none, false, PGC_USERSET, 0, NULL, NULL, NULL);
	previous_hook = get_relation_stats_hook;
	get_relation_stats_hook = statistics_test_hook;
}
