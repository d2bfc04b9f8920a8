/*-------------------------------------------------------------------------
 *
 * estimate_values.h
 *	  How many values a column has in the period that a query names for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ESTIMATE_VALUES_H
#define UIDEXT_ESTIMATE_VALUES_H

#include "postgres.h"

#include "access/htup.h"
#include "nodes/pathnodes.h"

extern bool has_values_of_period(PlannerInfo *root, RelOptInfo *rel,
								 AttrNumber attnum);
extern HeapTuple statistics_of_period(PlannerInfo *root, RelOptInfo *rel,
									  AttrNumber attnum);
extern RelOptInfo *relation_of_period(PlannerInfo *root, RelOptInfo *rel,
									  AttrNumber attnum);

#endif							/* UIDEXT_ESTIMATE_VALUES_H */
