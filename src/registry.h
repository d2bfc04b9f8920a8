/*-------------------------------------------------------------------------
 *
 * registry.h
 *	  Ids of countries and service entities by name.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_REGISTRY_H
#define UIDEXT_REGISTRY_H

#include "postgres.h"

#include "fmgr.h"

extern void registry_init(void);
extern int	registry_country_id(FunctionCallInfo fcinfo, const text *name);
extern int	registry_service_entity_id(FunctionCallInfo fcinfo, const text *name);

#endif							/* UIDEXT_REGISTRY_H */
