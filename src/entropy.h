/*-------------------------------------------------------------------------
 *
 * entropy.h
 *	  Cryptographically strong random numbers, drawn in blocks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ENTROPY_H
#define UIDEXT_ENTROPY_H

#include "postgres.h"

extern void entropy_init(void);
extern uint64 entropy_uint64(void);

#endif							/* UIDEXT_ENTROPY_H */
