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

#include "base/node.h"
#include "pure/schemes/scheme.h"

/*
 * Counters of uid_next(): those of schemes for each of so many nodes.  Those of
 * two nodes are no neighbours in memory, which sessions would contend for.
 */
#define UID_NEXT_NODES		16

/*
 * Sessions that began with another version of the library may still be there:
 * whoever changes the layout changes the name, by counting on.
 */
#define SHARED_COUNTERS_NAME	"uidext counters 2"

/* See uid_next.c */
typedef struct UidCounter
{
	pg_atomic_uint64 last;		/* moment of the last id */
	pg_atomic_uint64 ahead;		/* of the monotonic clock, a signed number */
} UidCounter;

typedef struct SharedCounters
{
	pg_atomic_uint64 ordered_uuidv7;	/* last count of gen_ordered_uuidv7() */
	NodeClock	node;			/* of the setting uidext.node */
	UidCounter	uid_next[UID_NEXT_NODES][UID_COUNTERS];
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
