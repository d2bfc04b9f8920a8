/*-------------------------------------------------------------------------
 *
 * uidext.c
 *	  Module start-up and settings.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include <pthread.h>

#include "access/parallel.h"
#include "access/xact.h"
#include "utils/guc.h"

#include "entropy.h"
#include "ordered_uuidv7.h"
#include "registry.h"
#include "series.h"

UIDEXT_MODULE_MAGIC;

int			uidext_country = -1;
char	   *uidext_country_setting;

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

static bool
country_number(const char *setting, int *number)
{
	return parse_int(setting, number, 0, NULL);
}

/*
 * A name is looked up when a person sets it; else gen_iuid() does so, since
 * configuration files and ALTER DATABASE speak of databases that are elsewhere.
 */
static bool
check_country(char **newval, void **extra, GucSource source)
{
	int			number;

	if (country_number(*newval, &number))
	{
		if (number >= -1 && number <= PG_UINT8_MAX)
			return true;
		GUC_check_errdetail("An iUID holds country ids from 0 to 255; -1 means none.");
		return false;
	}
	if (source != PGC_S_SESSION || InitializingParallelWorker || !IsTransactionState() ||
		registry_may_have_country(*newval))
		return true;
	GUC_check_errdetail("The country is not in the registry.");
	GUC_check_errhint(REGISTRY_COUNTRY_HINT);
	return false;
}

static void
assign_country(const char *newval, void *extra)
{
	if (!country_number(newval, &uidext_country))
		uidext_country = COUNTRY_BY_NAME;
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

	DefineCustomStringVariable("uidext.country",
							   "Country of gen_iuid() without a country: id, or code or name in the registry.",
							   "-1 means that it is not set.",
							   &uidext_country_setting,
							   "-1",
							   PGC_USERSET, 0,
							   check_country, assign_country, NULL);
	MarkGUCPrefixReserved("uidext");
}
