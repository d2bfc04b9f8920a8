/*-------------------------------------------------------------------------
 *
 * module.c
 *	  What starts with the module, and what a fork changes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifndef WIN32
#include <pthread.h>
#endif

#include "utils/guc.h"

#include "base/compat.h"
#include "base/entropy.h"
#include "base/node.h"
#include "base/series.h"
#include "countries/country.h"
#include "countries/registry.h"
#include "elsewhere/uid.h"
#include "families/ordered_uuidv7.h"
#include "time/estimate.h"

UIDEXT_MODULE_MAGIC;

void		_PG_init(void);

#ifndef WIN32
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

static void
prepare_for_forks(void)
{
	if (pthread_atfork(NULL, NULL, forget_in_child) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
}
#else
/* There are none: every session loads the module anew. */
static void
prepare_for_forks(void)
{
}
#endif

/* In this order: what has a setting, a hook or shared memory gets a line. */
void
_PG_init(void)
{
	prepare_for_forks();
	registry_init();
	country_init();
	node_init();
	uid_next_init();
	ordered_uuidv7_init();
	estimate_init();

	/* the last, as it removes unknown settings */
	MarkGUCPrefixReserved("uidext");
}
