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

#include <time.h>

/*
 * Initial contents of a shared struct.  They are read before the struct is
 * allocated, because an error during its initialization would leave it
 * half-initialized.
 */
typedef struct SharedStart
{
	struct timespec clock;		/* before 1970 its seconds are negative */
	uint64		random[2];
} SharedStart;

/*
 * A struct in shared memory.  Sessions that loaded an older version of the
 * library may still be using it.  Whoever changes the layout of the struct
 * therefore gives it a new name, with the next number.
 */
typedef struct SharedStruct
{
	const char *name;
	const char *user;			/* what an error message names */
	Size		size;
	void		(*initialize) (void *memory, const SharedStart *start);
	void	   *memory;			/* NULL until the session is attached */
	struct SharedStruct *next;
} SharedStruct;

extern void shared_register(SharedStruct *shared);
extern void shared_attach(SharedStruct *shared);

/* Raises 55000 if there is no shared memory. */
static inline void *
shared_memory(SharedStruct *shared)
{
	if (unlikely(shared->memory == NULL))
		shared_attach(shared);
	return shared->memory;
}

#endif							/* UIDEXT_SHARED_H */
