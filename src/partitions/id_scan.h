/*-------------------------------------------------------------------------
 *
 * id_scan.h
 *	  The rows of a table whose ids are of a range, in the order of the ids
 *	  where an index gives it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ID_SCAN_H
#define UIDEXT_ID_SCAN_H

#include "access/genam.h"
#include "access/relscan.h"
#include "access/sdir.h"
#include "access/skey.h"
#include "executor/tuptable.h"
#include "utils/relcache.h"
#include "utils/typcache.h"

/* Is set beside the bits of versions, of which there may be none. */
#define VERSIONS_GIVEN	((uint32) 1 << 16)

/*
 * Which ids: bounds as text, NULL for none, UUID versions that count, and other
 * columns that have to be filled.
 */
typedef struct IdRange
{
	const char *column;
	const char *from;
	const char *to;
	uint32		versions;		/* bit by version; 0 for all ids */
	List	   *filled;			/* names of columns */
} IdRange;

typedef struct IdScan
{
	Relation	rel;
	AttrNumber	column;
	TypeCacheEntry *type;
	uint32		versions;
	List	   *filled;			/* numbers of columns */
	int64		left;			/* ids of the range that may still be read */
	bool		has_from;
	bool		has_to;
	Datum		from;
	Datum		to;
	Relation	index;			/* NULL for a scan of the table */
	ScanDirection direction;
	IndexScanDesc index_scan;
	TableScanDesc table_scan;
	TupleTableSlot *slot;
} IdScan;

/* Without an index in any order: see id_scan_is_ordered(). */
extern void id_scan_begin(IdScan *scan, Relation rel, const IdRange *range,
						  bool newest_first);
extern bool id_scan_is_ordered(const IdScan *scan);

/* The next row, in scan->slot, and its id; false when there is none. */
extern bool id_scan_next(IdScan *scan, Datum *id);
extern void id_scan_end(IdScan *scan);

extern int	id_compare(const IdScan *scan, Datum a, Datum b);

#endif							/* UIDEXT_ID_SCAN_H */
