/*-------------------------------------------------------------------------
 *
 * estimate_statistics.h
 *	  The statistics of a column that is compared with constants.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ESTIMATE_STATISTICS_H
#define UIDEXT_ESTIMATE_STATISTICS_H

#include "postgres.h"

#include "utils/selfuncs.h"

#include "pure/layout.h"

/*
 * For one comparison of the column.  The constants are the values of what the
 * column is compared with: one, several for an array, none if they are not
 * known.  Without any, the true statistics stay in use.
 */
typedef struct Estimate
{
	int			count;
	UuidWords  *constants;		/* ascending, each of them once */
	HeapTuple	statistics;		/* NULL for the true ones */
} Estimate;

extern double counted_rows(Oid relid);
extern void form_estimates(PlannerInfo *root, RangeTblEntry *rte,
						   AttrNumber attnum,
						   const VariableStatData *vardata, Oid opfamily,
						   Estimate **estimates, int count);

#endif							/* UIDEXT_ESTIMATE_STATISTICS_H */
