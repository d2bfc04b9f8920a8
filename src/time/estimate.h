/*-------------------------------------------------------------------------
 *
 * estimate.h
 *	  How many rows the planner expects of a range of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_ESTIMATE_H
#define UIDEXT_ESTIMATE_H

extern void estimate_init(void);

#endif							/* UIDEXT_ESTIMATE_H */
