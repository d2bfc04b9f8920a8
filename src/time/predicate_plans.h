/*-------------------------------------------------------------------------
 *
 * predicate_plans.h
 *	  Planner support of the time predicates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_PREDICATE_PLANS_H
#define UIDEXT_PREDICATE_PLANS_H

extern void predicate_plans_init(void);

#endif							/* UIDEXT_PREDICATE_PLANS_H */
