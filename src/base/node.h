/*-------------------------------------------------------------------------
 *
 * node.h
 *	  The node of v1, v6, v13 and flakes with its clock sequence: setting
 *	  uidext.node.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_NODE_H
#define UIDEXT_NODE_H

#include "postgres.h"

/* Values of the setting. */
typedef enum NodeKind
{
	NODE_FRESH,					/* random in every id, as clock sequences are */
	NODE_SESSION,				/* random, one for the session */
	NODE_SERVER,				/* random, one for the server */
	NODE_ADDRESS				/* as given */
} NodeKind;

/* What the next id of a node has. */
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
