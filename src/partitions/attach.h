/*-------------------------------------------------------------------------
 *
 * attach.h
 *	  A table becomes the partition of a range of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ATTACH_H
#define UIDEXT_ATTACH_H

/*
 * Bounds as text, NULL for none.  40001 where another table was attached, and
 * what ATTACH PARTITION raises.  The parent is not open.
 */
extern void attach_range(Oid parent, Oid partition,
						 const char *from, const char *to);

/* The error 40001 where somebody else was faster. */
pg_noreturn extern void say_changed(Oid partition);

#endif							/* UIDEXT_ATTACH_H */
