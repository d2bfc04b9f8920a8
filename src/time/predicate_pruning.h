/*-------------------------------------------------------------------------
 *
 * predicate_pruning.h
 *	  Partition pruning by time predicates while the query runs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_PREDICATE_PRUNING_H
#define UIDEXT_PREDICATE_PRUNING_H

extern void predicate_pruning_init(void);

#endif							/* UIDEXT_PREDICATE_PRUNING_H */
