/*-------------------------------------------------------------------------
 *
 * uid_next.h
 *	  New ids from elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_UID_NEXT_H
#define UIDEXT_UID_NEXT_H

#include "postgres.h"

extern uint64 uid_next_clock(void);

#endif							/* UIDEXT_UID_NEXT_H */
