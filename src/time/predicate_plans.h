/*-------------------------------------------------------------------------
 *
 * predicate_plans.h
 *	  Planner support of the time predicates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_PREDICATE_PLANS_H
#define UIDEXT_PREDICATE_PLANS_H

#include "postgres.h"

#include "nodes/pg_list.h"

extern List *comparisons_for_pruning(Node *clause);

#endif							/* UIDEXT_PREDICATE_PLANS_H */
