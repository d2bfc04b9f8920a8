/*-------------------------------------------------------------------------
 *
 * lock_table.h
 *	  Locks on a table, alone or with all beneath it, whose error names the
 *	  table, and on a row of a catalog.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_LOCK_TABLE_H
#define UIDEXT_LOCK_TABLE_H

#include "base/compat.h"
#include "nodes/lockoptions.h"
#include "nodes/pg_list.h"
#include "storage/lockdefs.h"

/* Waits as lock_timeout says.  Raises 55P03, which names the table. */
extern void lock_named(Oid relid, LOCKMODE mode);
pg_noreturn extern void say_locked(Oid relid);

/*
 * Locks a table, which exists, and all beneath it ACCESS EXCLUSIVE, as
 * lock_named() does, and returns them, the table first.
 */
extern List *lock_tree(Oid relid);

/*
 * Locks the row of an object, found by a catalog's index on the OID, as SELECT
 * FOR ... locks a row.
 *
 * False, without a wait, where another session is changing the row, or has
 * just changed it.  With follow_updates, false only where that changes the key;
 * other newer rows are locked as well.  Where one of these is being changed in
 * turn, it waits as lock_timeout says, and then raises 55P03.
 */
extern bool lock_catalog_row(Oid catalog_id, Oid index_id, int cache,
							 Oid object, LockTupleMode mode,
							 bool follow_updates);

#endif							/* UIDEXT_LOCK_TABLE_H */
