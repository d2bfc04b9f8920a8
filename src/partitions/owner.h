/*-------------------------------------------------------------------------
 *
 * owner.h
 *	  Who calls is who owns: the rights that functions of partitions want.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_OWNER_H
#define UIDEXT_OWNER_H

#include "utils/relcache.h"

/* 42P01 for no relation. */
extern void check_table_exists(Oid relid);

/* 42P01 for no relation, 42501 unless the current user itself owns it. */
extern void check_table_owner(Oid relid);

/*
 * 42501 unless the current user owns a relation, may read it, and row security
 * hides no row of it.
 */
extern void check_sees_all_rows(Relation rel);

#endif							/* UIDEXT_OWNER_H */
