/*-------------------------------------------------------------------------
 *
 * node.h
 *	  The node of v1, v6 and v13 that stays, with its clock sequence: setting
 *	  uidext.node.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_NODE_H
#define UIDEXT_NODE_H

#include "postgres.h"

/* What the setting says. */
typedef enum NodeKind
{
	NODE_FRESH,					/* random in every id, as clock sequences are */
	NODE_SESSION,				/* random, and stays for the session */
	NODE_SERVER,				/* random, until the server restarts */
	NODE_ADDRESS				/* as given */
} NodeKind;

/* What an id takes of its node. */
typedef struct NodeTick
{
	uint64		timestamp;
	uint32		clock_seq;
	uint64		node;
} NodeTick;

extern NodeKind node_kind;

extern void node_init(void);
extern void node_forget(void);
extern NodeTick node_next(uint32 step);

#endif							/* UIDEXT_NODE_H */
