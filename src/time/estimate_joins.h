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

#include "access/htup.h"
#include "utils/selfuncs.h"

extern void estimate_equalities(PlannerInfo *root);
extern HeapTuple statistics_for_equality(PlannerInfo *root,
										 VariableStatData *vardata);
extern HeapTuple statistics_for_member(PlannerInfo *root,
									   VariableStatData *vardata);
extern List *foreign_keys_without_periods(PlannerInfo *root);

#endif							/* UIDEXT_ESTIMATE_JOINS_H */
