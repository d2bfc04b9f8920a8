/*-------------------------------------------------------------------------
 *
 * estimate_values.c
 *	  How many values a column has in the period that a query names for it.
 *
 * This serves estimate_joins.c only, so it is off by default, too.
 *
 * The number is that of the rows of the period, times the values per row.  The
 * rows of each table are in its RelOptInfo.  For a parent they are summed up
 * over the children that are left to read, each by its own statistics, because
 * pg_class and pg_statistic of a parent are as old as its last ANALYZE, and
 * autovacuum never analyzes a partitioned table.
 *
 * The number of values per row changes little over time.  It comes from the
 * statistics of the parent, or else from those of its partitions.  Without
 * either, PostgreSQL's own estimate stands.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "base/relabel.h"
#include "time/estimate_comparisons.h"
#include "time/estimate_statistics.h"
#include "time/estimate_values.h"
#include "time/statistics_rows.h"

/*
 * For a longer period the change is smaller than the usual error of an
 * estimate, so PostgreSQL's own stands.
 */
#define SHARE_MAX	0.5

/* What is known of a column. */
typedef struct ColumnValues
{
	AttrNumber	attnum;
	HeapTuple	statistics;		/* the column's, or a partition's, or NULL */
	double		per_row;		/* values; 0 if unknown */
	double		rows;			/* of the period */
	HeapTuple	of_period;		/* statistics; NULL: not formed yet */
	RelOptInfo *relation;		/* with these rows; NULL: not formed yet */
} ColumnValues;

/*
 * The rows of the period
 */

/* How many rows of a table pass the clauses of this column. */
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

/* A child that is left to read, and its column; NULL if it is not. */
static RelOptInfo *
find_child(const PlannerInfo *root, const AppendRelInfo *link,
		   Index parent, AttrNumber *attnum)
{
	RelOptInfo *child = root->simple_rel_array[link->child_relid];
	Node	   *column;

	if (link->parent_relid != parent || child == NULL ||
		IS_DUMMY_REL(child) || *attnum > list_length(link->translated_vars))
		return NULL;
	column = list_nth(link->translated_vars, *attnum - 1);
	if (column == NULL || !IsA(column, Var))
		return NULL;
	*attnum = ((Var *) column)->varattno;
	return child;
}

/*
 * Each table counts as one row at least, as PostgreSQL counts.  Otherwise many
 * children without rows in the period would have more rows than values.  Also
 * returns how many rows are in tables without statistics; that is a guess.
 */
static double
rows_of_period(PlannerInfo *root, RelOptInfo *rel, AttrNumber attnum,
			   double *guessed)
{
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, root);
	double		rows = 0;
	ListCell   *cell;

	if (!rte->inh)
	{
		rows = clamp_row_est(rel->tuples *
							 share_of_period(root, rel, attnum));
		if (!SearchSysCacheExists3(STATRELATTINH,
								   ObjectIdGetDatum(rte->relid),
								   Int16GetDatum(attnum),
								   BoolGetDatum(false)))
			*guessed += rows;
		return rows;
	}
	foreach(cell, root->append_rel_list)
	{
		AttrNumber	column = attnum;
		RelOptInfo *child = find_child(root, lfirst(cell), rel->relid,
									   &column);

		if (child != NULL)
			rows += rows_of_period(root, child, column, guessed);
	}
	return rows;
}

/*
 * The values of a row
 */

/* A table's rows when ANALYZE counted its values. */
static double
rows_of_values(const RangeTblEntry *rte, const RelOptInfo *rel)
{
	if (!rte->inh)
		return rel->tuples;
	if (rte->relkind == RELKIND_PARTITIONED_TABLE)
		return counted_rows(rte->relid);
	return 0;					/* reltuples leaves children out */
}

/* From the statistics of the table itself; 0 without any. */
static double
values_per_row(const RangeTblEntry *rte, RelOptInfo *rel, AttrNumber attnum,
			   HeapTuple tuple)
{
	Form_pg_statistic column = (Form_pg_statistic) GETSTRUCT(tuple);
	double		present = 1.0 - column->stanullfrac;
	double		rows;

	if (present <= 0)
		return 0;
	if (has_unique_index(rel, attnum))
		return 1;
	if (column->stadistinct < 0)
		return Min(-column->stadistinct / present, 1);
	rows = rows_of_values(rte, rel) * present;
	return rows > 0 ? Min(column->stadistinct / rows, 1) : 0;
}

static bool
is_partition_key(const RelOptInfo *rel, AttrNumber attnum)
{
	ListCell   *cell;

	if (rel->part_scheme == NULL)
		return false;
	foreach(cell, rel->partexprs[0])
	{
		Node	   *key = strip_relabel(lfirst(cell));

		if (IsA(key, Var) && ((Var *) key)->varattno == attnum)
			return true;
	}
	return false;
}

static void find_values(PlannerInfo *root, RelOptInfo *rel,
						ColumnValues *values);

/*
 * The average of the partitions that have statistics.  No value is in two of
 * them if they are partitioned by the column.
 */
static void
ask_partitions(PlannerInfo *root, RelOptInfo *rel, ColumnValues *values)
{
	double		rows = 0;
	double		distinct = 0;
	ListCell   *cell;

	if (!is_partition_key(rel, values->attnum))
		return;
	foreach(cell, root->append_rel_list)
	{
		ColumnValues own = {.attnum = values->attnum};
		RelOptInfo *child = find_child(root, lfirst(cell), rel->relid,
									   &own.attnum);

		if (child == NULL)
			continue;
		find_values(root, child, &own);
		if (own.per_row == 0)
			continue;
		values->statistics = own.statistics;
		rows += child->tuples;
		distinct += child->tuples * own.per_row;
	}
	if (rows > 0)
		values->per_row = distinct / rows;
}

static void
find_values(PlannerInfo *root, RelOptInfo *rel, ColumnValues *values)
{
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, root);
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(rte->relid),
										Int16GetDatum(values->attnum),
										BoolGetDatum(rte->inh));

	if (HeapTupleIsValid(tuple))
	{
		values->per_row = values_per_row(rte, rel, values->attnum, tuple);
		values->statistics = heap_copytuple(tuple);
		ReleaseSysCache(tuple);
	}
	else if (rte->inh)
		ask_partitions(root, rel, values);
}

/*
 * Both, remembered
 */

static ColumnValues *
add_values(PlannerInfo *root, RelOptInfo *rel, Comparisons *all,
		   AttrNumber attnum)
{
	ColumnValues *values = palloc0(sizeof(ColumnValues));
	double		guessed = 0;

	values->attnum = attnum;
	all->columns = lappend(all->columns, values);
	if (!is_compared(all, attnum))
		return values;
	values->rows = rows_of_period(root, rel, attnum, &guessed);
	if (guessed > values->rows / 2)
		return values;
	/* a parent has only the rows that are left to read */
	if (planner_rt_fetch(rel->relid, root)->inh ||
		values->rows <= rel->tuples * SHARE_MAX)
		find_values(root, rel, values);
	return values;
}

static ColumnValues *
values_of_column(PlannerInfo *root, RelOptInfo *rel, AttrNumber attnum)
{
	Comparisons *all = comparisons_of(root, rel);
	ColumnValues *values;
	MemoryContext old;
	ListCell   *cell;

	foreach(cell, all->columns)
	{
		values = lfirst(cell);
		if (values->attnum == attnum)
			return values;
	}
	/* GEQO has a context of its own for each order that it tries */
	old = MemoryContextSwitchTo(root->planner_cxt);
	values = add_values(root, rel, all, attnum);
	MemoryContextSwitchTo(old);
	return values;
}

/* Whether a query names a period for a column and its values are known. */
bool
has_values_of_period(PlannerInfo *root, RelOptInfo *rel, AttrNumber attnum)
{
	return values_of_column(root, rel, attnum)->per_row > 0;
}

/*
 * Whether the most common values of two such columns decide how many rows
 * match, rather than the number of values.
 */
static bool
is_uneven(HeapTuple tuple, double distinct)
{
	AttStatsSlot common;
	double		met = 0;

	if (!get_attstatsslot(&common, tuple, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_NUMBERS))
		return false;
	for (int i = 0; i < common.nnumbers; i++)
		met += (double) common.numbers[i] * common.numbers[i];
	free_attstatsslot(&common);
	return met * distinct > 1;
}

static HeapTuple
form_statistics(const RelOptInfo *rel, const ColumnValues *values)
{
	bool		uneven = is_uneven(values->statistics,
								   values->per_row * rel->tuples);

	return statistics_form_distinct(values->statistics,
									Max(values->per_row * values->rows, 1),
									uneven);
}

/* The statistics of a column with a period; NULL for the true ones. */
HeapTuple
statistics_of_period(PlannerInfo *root, RelOptInfo *rel, AttrNumber attnum)
{
	ColumnValues *values = values_of_column(root, rel, attnum);
	MemoryContext old;

	if (values->per_row == 0)
		return NULL;
	if (values->of_period == NULL)
	{
		old = MemoryContextSwitchTo(root->planner_cxt);
		values->of_period = form_statistics(rel, values);
		MemoryContextSwitchTo(old);
	}
	return values->of_period;
}

/* The relation with the rows of the period, as if it had no others. */
RelOptInfo *
relation_of_period(PlannerInfo *root, RelOptInfo *rel, AttrNumber attnum)
{
	ColumnValues *values = values_of_column(root, rel, attnum);

	if (values->relation == NULL)
	{
		values->relation = MemoryContextAlloc(root->planner_cxt,
											  sizeof(RelOptInfo));
		*values->relation = *rel;
		values->relation->tuples = Max(values->rows, rel->rows);
	}
	return values->relation;
}
