/*-------------------------------------------------------------------------
 *
 * uidext.c
 *	  What starts with the module, and what a fork changes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <pthread.h>

#include "utils/guc.h"

#include "base/compat.h"
#include "base/entropy.h"
#include "base/node.h"
#include "base/series.h"
#include "base/shared.h"
#include "countries/country.h"
#include "countries/registry.h"
#include "time/estimate.h"

UIDEXT_MODULE_MAGIC;

void		_PG_init(void);

/*
 * What a process and its forked child both used would give both the same ids,
 * so the child draws its own random bytes and begins its own tick.  A handler
 * costs nothing per id, and sees forks that the postmaster does not make.
 */
static void
forget_in_child(void)
{
	entropy_drop();
	node_forget();
	series_leave_ticks();
}

/* In this order: what has a setting or a hook gets a line. */
void
_PG_init(void)
{
	if (pthread_atfork(NULL, NULL, forget_in_child) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
	registry_init();
	country_init();
	shared_init();
	node_init();
	estimate_init();

	/* the last, as it removes unknown settings */
	MarkGUCPrefixReserved("uidext");
}
