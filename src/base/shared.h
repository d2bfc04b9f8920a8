/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  Shared memory of all sessions of a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_SHARED_H
#define UIDEXT_SHARED_H

#include "postgres.h"

/*
 * What a memory may begin with: read before, because what fails while it
 * begins would leave it half-made.
 */
typedef struct SharedStart
{
	uint64		moment;			/* in units of uid_next() */
	uint64		random[2];
} SharedStart;

/*
 * Whose memory it is.  Sessions that began with another version of the library
 * may still be there: whoever changes the layout changes the name, by counting
 * on.
 */
typedef struct SharedTenant
{
	const char *name;
	const char *user;			/* whom an error names */
	Size		size;
	void		(*begin) (void *memory, const SharedStart *start);
	void	   *memory;			/* NULL until a session has it */
	struct SharedTenant *next;
} SharedTenant;

extern void shared_register(SharedTenant *tenant);
extern void shared_attach(SharedTenant *tenant);

/* Raises 55000 where there is none. */
static inline void *
shared_memory(SharedTenant *tenant)
{
	if (unlikely(tenant->memory == NULL))
		shared_attach(tenant);
	return tenant->memory;
}

#endif							/* UIDEXT_SHARED_H */
