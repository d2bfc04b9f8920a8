/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  What all sessions of a server count on, in shared memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_SHARED_H
#define UIDEXT_SHARED_H

#include "postgres.h"

#include "port/atomics.h"

#include "node.h"

/* A prime number, which takes different units of uid_next() apart. */
#define UID_NEXT_COUNTERS	61

typedef struct SharedCounters
{
	pg_atomic_uint64 ordered_uuidv7;	/* last count of gen_ordered_uuidv7() */
	NodeClock	node;			/* of the setting uidext.node */
	pg_atomic_uint64 uid_next[UID_NEXT_COUNTERS];	/* see uid_next.c */
} SharedCounters;

extern SharedCounters *shared_counters_attached;

extern void shared_init(void);
extern void shared_attach(const char *user);

/* For the user that an error names, where there is no shared memory. */
static inline SharedCounters *
shared_counters(const char *user)
{
	if (unlikely(shared_counters_attached == NULL))
		shared_attach(user);
	return shared_counters_attached;
}

#endif							/* UIDEXT_SHARED_H */
