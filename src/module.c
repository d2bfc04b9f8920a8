/*-------------------------------------------------------------------------
 *
 * module.c
 *	  Initialization of the module, and what a forked process has to forget.
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
#include "time/predicate_pruning.h"

UIDEXT_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

#ifndef WIN32
/*
 * If a process and its forked child went on with the same random bytes or the
 * same tick, they would make the same ids.  The child therefore draws random
 * bytes of its own and begins a new tick.  A fork handler costs nothing per
 * id, and also runs for forks that the postmaster does not make.
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
/* Windows has no fork: every session loads the module itself. */
static void
prepare_for_forks(void)
{
}
#endif

/*
 * Initialize, in this order, everything that has a setting, a hook or shared
 * memory.
 */
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
	predicate_pruning_init();

	/* the last one, because it removes unknown settings */
	MarkGUCPrefixReserved("uidext");
}
