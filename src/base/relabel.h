/*-------------------------------------------------------------------------
 *
 * relabel.h
 *	  Casts between types that have the same bits, in a query's expressions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_RELABEL_H
#define UIDEXT_RELABEL_H

#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"

/* The same bits as a value of another type. */
static inline Node *
relabel(Node *expr, Oid type, CoercionForm shown_as)
{
	if (exprType(expr) == type)
		return expr;
	return applyRelabelType(expr, type, -1, InvalidOid, shown_as, -1, false);
}

static inline Node *
strip_relabel(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

#endif							/* UIDEXT_RELABEL_H */
