/*-------------------------------------------------------------------------
 *
 * owner.h
 *	  Checks that the current user itself owns a table and sees its rows, and
 *	  that it is an ordinary one; which table is above it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_OWNER_H
#define UIDEXT_OWNER_H

#include "utils/relcache.h"

/* Raises 42P01 if there is no such relation. */
extern void check_table_exists(Oid relid);

/* Whether the current user itself is the owner; 42P01. */
extern bool owns_table(Oid relid);

/*
 * Raises 42P01 if there is no such relation, and 42501 if the current user
 * itself does not own it.
 */
extern void check_table_owner(Oid relid);

/*
 * The table of which another one is a partition, also while a DETACH
 * CONCURRENTLY waits; invalid for none, and where a DETACH has just ended.
 * Needs no lock.
 */
extern Oid	parent_of(Oid relid);

/*
 * Raises 42501 unless the current user owns a relation, may read it, and row
 * security hides no row of it.
 */
extern void check_sees_all_rows(Relation rel);

/* Raises 42809 for what is no ordinary table. */
extern void check_is_ordinary(Relation rel, const char *hint);

#endif							/* UIDEXT_OWNER_H */
