/*-------------------------------------------------------------------------
 *
 * estimate_comparisons.h
 *	  The comparisons of ids with constants in a query's clauses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ESTIMATE_COMPARISONS_H
#define UIDEXT_ESTIMATE_COMPARISONS_H

#include "postgres.h"

#include "nodes/pathnodes.h"

#include "time/estimate_statistics.h"

/* "column operator operand" or "operand operator column". */
typedef struct Comparison
{
	Var		   *column;			/* this very node */
	Oid			operator;
	Node	   *operand;		/* as in the query; may have columns */
	bool		of_array;		/* with ANY or ALL of the operand */
	bool		is_estimated;
	Estimate	estimate;		/* see there for "constants" */
} Comparison;

/* All of one relation's clauses, in order of the columns' addresses. */
typedef struct Comparisons
{
	Index		relid;
	int			clauses;		/* as many as the relation had */
	int			count;
	int			size;
	Comparison *of;
	List	   *columns;		/* ColumnValues, of estimate_values.c */
	Bitmapset  *joined;			/* columns, by estimate_joins.c */
} Comparisons;

extern Comparisons *comparisons_of(const PlannerInfo *root,
								   const RelOptInfo *rel);
extern Comparison *find_comparison(const Comparisons *all, Var *column);
extern bool is_compared(const Comparisons *all, AttrNumber attnum);
extern void estimate_column(PlannerInfo *root, RangeTblEntry *rte,
							AttrNumber attnum,
							const VariableStatData *vardata,
							const Comparisons *all);

#endif							/* UIDEXT_ESTIMATE_COMPARISONS_H */
