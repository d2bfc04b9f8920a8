/*-------------------------------------------------------------------------
 *
 * statistics_rows.h
 *	  Rows of pg_statistic that are made while a query is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_STATISTICS_ROWS_H
#define UIDEXT_STATISTICS_ROWS_H

#include "postgres.h"

#include "access/htup.h"
#include "catalog/pg_statistic.h"

#include "pure/layout.h"

/* What a row keeps of the column's own statistics and of its histogram. */
typedef struct StatisticsSource
{
	Form_pg_statistic column;
	Oid			operator;
	Oid			collation;
	Oid			type;			/* of the values */
} StatisticsSource;

/* Values and numbers of one kind, in place of all kinds of the column. */
typedef struct Statistics
{
	int			kind;
	int			count;
	Datum	   *values;
	float4	   *numbers;
} Statistics;

/*
 * The same with exactly six values, as most estimates need.  All such rows have
 * one size, so statistics_form_six() copies a row that it made before and only
 * fills in the values.
 */
typedef struct StatisticsSix
{
	int			kind;
	UuidWords	values[6];
	float4		numbers[6];
} StatisticsSix;

extern HeapTuple statistics_form(const StatisticsSource *source,
								 const Statistics *statistics);
extern HeapTuple statistics_form_six(const StatisticsSource *source,
									 const StatisticsSix *six);
extern HeapTuple statistics_form_distinct(HeapTuple tuple, double distinct,
										  bool with_common);

#endif							/* UIDEXT_STATISTICS_ROWS_H */
