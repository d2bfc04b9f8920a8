/*-------------------------------------------------------------------------
 *
 * lock_table.h
 *	  A lock on a table, whose error names the table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_LOCK_TABLE_H
#define UIDEXT_LOCK_TABLE_H

#include "storage/lockdefs.h"

/* Waits as lock_timeout says; 55P03 with the table that was waited for. */
extern void lock_named(Oid relid, LOCKMODE mode);
extern void say_locked(Oid relid);

#endif							/* UIDEXT_LOCK_TABLE_H */
