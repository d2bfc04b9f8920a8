/*-------------------------------------------------------------------------
 *
 * uid_next.h
 *	  Ids from elsewhere that hold the number of a node.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_UID_NEXT_H
#define UIDEXT_UID_NEXT_H

#include "postgres.h"

#include "schemes/scheme.h"

extern uint64 uid_next_clock(void);
extern bool uid_next_of_node(const UidScheme *scheme, UidValue *value);

#endif							/* UIDEXT_UID_NEXT_H */
