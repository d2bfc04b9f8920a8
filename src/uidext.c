/*-------------------------------------------------------------------------
 *
 * uidext.c
 *	  Module start-up.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "utils/guc.h"

#include "entropy.h"

UIDEXT_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	entropy_init();
	MarkGUCPrefixReserved("uidext");
}
