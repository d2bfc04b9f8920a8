/*-------------------------------------------------------------------------
 *
 * uidext.c
 *	  Module start-up and settings.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#ifndef WIN32
#include <pthread.h>
#endif

#include "utils/guc.h"

#include "entropy.h"
#include "monotonic.h"
#include "registry.h"

UIDEXT_MODULE_MAGIC;

int			uidext_country = -1;

void		_PG_init(void);

#ifndef WIN32
/*
 * A forked child deals no byte and counts on from no tail of its parent.  As a
 * fork handler this costs nothing per id, and it also covers children that do
 * not pass through the postmaster's own fork.
 */
static void
forget_in_child(void)
{
	entropy_drop();
	monotonic_leave_tick(&uuidv7_series);
	monotonic_leave_tick(&comb_series);
	monotonic_leave_tick(&iuid_series);
	monotonic_leave_tick(&gregorian_series);
}
#endif

void
_PG_init(void)
{
#ifndef WIN32
	if (pthread_atfork(NULL, NULL, forget_in_child) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
#endif
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
