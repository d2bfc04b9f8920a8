/*-------------------------------------------------------------------------
 *
 * uidext.c
 *	  Module start-up and settings.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "utils/guc.h"

#include "entropy.h"
#include "registry.h"

UIDEXT_MODULE_MAGIC;

int			uidext_country = -1;

void		_PG_init(void);

void
_PG_init(void)
{
	entropy_init();
	registry_init();

	DefineCustomIntVariable("uidext.country",
							"Country id for gen_iuid() without a country.",
							"-1 means that it is not set.",
							&uidext_country,
							-1, -1, 255,
							PGC_USERSET, 0,
							NULL, NULL, NULL);
	MarkGUCPrefixReserved("uidext");
}
