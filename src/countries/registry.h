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

#define REGISTRY_COUNTRY_HINT \
	"Add it to table iuid_countries, or load ISO 3166-1 with iuid_load_iso_3166()."

extern void registry_init(void);
extern int	registry_country_id(FunctionCallInfo fcinfo, const char *name,
								Size length);
extern bool registry_may_have_country(const char *name);
extern int	registry_service_entity_id(FunctionCallInfo fcinfo,
									   const text *name);

#endif							/* UIDEXT_REGISTRY_H */
