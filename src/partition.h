/*-------------------------------------------------------------------------
 *
 * partition.h
 *	  Who may change the partitions of a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_PARTITION_H
#define UIDEXT_PARTITION_H

#include "postgres.h"

extern Oid	partition_owner(Oid relid);

#endif							/* UIDEXT_PARTITION_H */
