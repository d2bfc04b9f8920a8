/*-------------------------------------------------------------------------
 *
 * estimate_planner.h
 *	  What is remembered while one query, or a part of it, is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ESTIMATE_PLANNER_H
#define UIDEXT_ESTIMATE_PLANNER_H

#include "postgres.h"

#include "nodes/pathnodes.h"

#include "time/estimate_comparisons.h"

/*
 * The phase of planning, as far as hooks show it.  The planner estimates sizes
 * and makes paths of single relations.  Then it calls join_search_hook(),
 * which first lets it estimate "=" between columns, and then search for the
 * best order of joins.  After that it plans what is left, as groups.  See
 * README.md.
 */
typedef enum PlannerPhase
{
	PHASE_RELATIONS,
	PHASE_EQUALITIES,
	PHASE_JOINS,
	PHASE_JOINED
} PlannerPhase;

extern PlannerPhase planner_phase(const PlannerInfo *root);
extern void planner_set_phase(const PlannerInfo *root, PlannerPhase phase);
extern Comparisons **planner_relation(const PlannerInfo *root, Index relid);
extern Node *planner_value(PlannerInfo *root, Node *operand);

#endif							/* UIDEXT_ESTIMATE_PLANNER_H */
