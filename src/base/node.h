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

#include "port/atomics.h"

#define NODE_BITS		48
#define CLOCK_SEQ_BITS	14

/* What the setting says. */
typedef enum NodeKind
{
	NODE_FRESH,					/* random in every id, as clock sequences are */
	NODE_SESSION,				/* random, and stays for the session */
	NODE_SERVER,				/* random, until the server restarts */
	NODE_ADDRESS				/* as given */
} NodeKind;

/* A node's last moment, which no two ids have under one clock sequence. */
typedef struct NodeClock
{
	uint64		node;			/* random; 0 for a clock that has not begun */
	pg_atomic_uint64 last;		/* 100 ns since 1582-10-15 */
	pg_atomic_uint32 clock_seq; /* its last 14 bits count */
} NodeClock;

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
extern void node_clock_begin(NodeClock *clock, uint64 node,
							 uint32 clock_seq);
extern NodeTick node_next(uint32 step);

#endif							/* UIDEXT_NODE_H */
