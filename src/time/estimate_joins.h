/*-------------------------------------------------------------------------
 *
 * estimate_joins.h
 *	  How many rows the planner expects of joins of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ESTIMATE_JOINS_H
#define UIDEXT_ESTIMATE_JOINS_H

#include "postgres.h"

#include "time/estimate_comparisons.h"

extern bool are_joins_estimated(const PlannerInfo *root);
extern HeapTuple statistics_for_join(PlannerInfo *root, RangeTblEntry *rte,
									 VariableStatData *vardata);
extern void forget_foreign_keys(PlannerInfo *root, const Comparisons *all,
								AttrNumber attnum);

#endif							/* UIDEXT_ESTIMATE_JOINS_H */
