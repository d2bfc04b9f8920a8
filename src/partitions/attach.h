/*-------------------------------------------------------------------------
 *
 * attach.h
 *	  A table becomes the partition of a range of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ATTACH_H
#define UIDEXT_ATTACH_H

#include "base/compat.h"

/*
 * Bounds are text, NULL for none.  The caller has not opened the parent.
 * Raises 40001 if another table was attached, and what ATTACH PARTITION
 * raises.
 */
extern void attach_range(Oid parent, Oid partition,
						 const char *from, const char *to);

/* Raises 40001, because another session was faster. */
pg_noreturn extern void say_changed(Oid partition);

#endif							/* UIDEXT_ATTACH_H */
