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

#define REGISTRY_COUNTRY_HINT \
	"Upper and lower case differ. If the country is missing, add it to table iuid.countries, or load ISO 3166-1 with iuid_load_iso_3166()."

extern void registry_init(void);
extern int	registry_country_id(const char *name, Size length, bool is_setting);
extern bool registry_may_have_country(const char *name);
extern int	registry_service_entity_id(const text *name);

#endif							/* UIDEXT_REGISTRY_H */
