/*-------------------------------------------------------------------------
 *
 * uidext.c
 *	  Module start-up and settings.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include <pthread.h>

#include "utils/guc.h"

#include "entropy.h"
#include "ordered_uuidv7.h"
#include "registry.h"
#include "series.h"

UIDEXT_MODULE_MAGIC;

int			uidext_country = -1;

void		_PG_init(void);

/* Every series that a generator counts on. */
static MonotonicSeries *const all_series[] = {
	&uuidv7_series,
	&comb_series,
	&iuid_series,
	&gregorian_series,
	&ulid_series,
};

/*
 * What a process and its forked child both used would give both the same ids,
 * so the child draws its own random bytes and begins its own tick.  A handler
 * costs nothing per id, and sees forks that the postmaster does not make.
 */
static void
forget_in_child(void)
{
	entropy_drop();
	for (int i = 0; i < lengthof(all_series); i++)
		monotonic_leave_tick(all_series[i]);
}

void
_PG_init(void)
{
	if (pthread_atfork(NULL, NULL, forget_in_child) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
	registry_init();
	ordered_uuidv7_init();

	DefineCustomIntVariable("uidext.country",
							"Country id for gen_iuid() without a country.",
							"-1 means that it is not set.",
							&uidext_country,
							-1, -1, 255,
							PGC_USERSET, 0,
							NULL, NULL, NULL);
	MarkGUCPrefixReserved("uidext");
}
