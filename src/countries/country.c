/*-------------------------------------------------------------------------
 *
 * country.c
 *	  The setting uidext.country: the country of gen_iuid() without a country.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "utils/guc.h"

#include "countries/country.h"
#include "countries/registry.h"

/* Values of the number other than ids from 0 to 255. */
#define COUNTRY_UNSET	(-1)
#define COUNTRY_BY_NAME	(-2)

#define IDS_OF_COUNTRIES \
	"An iUID holds country ids from 0 to 255, written without leading zeros; -1 means none."

static int	country_number = COUNTRY_UNSET;
static char *country_text;

/*
 * While the library is being loaded, no name is looked up.  A look-up can wait
 * for a lock or fail, and a library that failed to load cannot be loaded again
 * in the session.
 */
static bool is_loaded = false;

static bool
is_of_digits(const char *setting)
{
	return setting[strspn(setting, "0123456789")] == '\0';
}

/*
 * Reads a decimal number.  parse_int() alone would take ISO 3166's 076 for an
 * octal 62.  A number that no int holds is out of range, and no name.
 */
static bool
parse_number(const char *setting, int *number)
{
	const char *digits = setting + (setting[0] == '-');

	*number = COUNTRY_UNSET;
	if (setting[0] == '\0')
		return true;
	if (digits[0] == '\0' || !is_of_digits(digits) ||
		(digits[0] == '0' && strcmp(setting, "0") != 0))
		return false;
	if (!parse_int(setting, number, 0, NULL))
		*number = PG_INT32_MAX;
	return true;
}

/*
 * If a user sets the variable in a session, the name is looked up here, which
 * may wait for a lock on the registry.  In all other cases country_setting()
 * looks it up, because a configuration file or ALTER DATABASE may concern
 * another database.
 */
static bool
check_country(char **newval, void **extra, GucSource source)
{
	int			number;

	if (parse_number(*newval, &number))
	{
		if (number >= COUNTRY_UNSET && number <= PG_UINT8_MAX)
			return true;
		GUC_check_errdetail(IDS_OF_COUNTRIES);
		return false;
	}
	if (!is_loaded || source != PGC_S_SESSION || InitializingParallelWorker ||
		!IsTransactionState() || registry_may_have_country(*newval))
		return true;
	if (is_of_digits(*newval))
	{
		GUC_check_errdetail(IDS_OF_COUNTRIES);
		return false;
	}
	GUC_check_errdetail("The country is not in the registry.");
	GUC_check_errhint(REGISTRY_COUNTRY_HINT);
	return false;
}

static void
assign_country(const char *newval, void *extra)
{
	if (!parse_number(newval, &country_number))
		country_number = COUNTRY_BY_NAME;
}

void
country_init(void)
{
	DefineCustomStringVariable("uidext.country",
							   "Country of gen_iuid() without a country: id, or code or name in the registry.",
							   "-1 means that it is not set.",
							   &country_text,
							   "-1",
							   PGC_USERSET, 0,
							   check_country, assign_country, NULL);
	is_loaded = true;
}

/*
 * The id of the country, which has to be set.  A name is looked up here,
 * because the registry may change while the setting stays.
 */
int
country_setting(void)
{
	if (country_number == COUNTRY_BY_NAME)
		return registry_country_id(country_text, strlen(country_text), true);
	if (country_number == COUNTRY_UNSET)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("uidext.country is not set"),
				 errhint("Set it once for this region with ALTER DATABASE ... SET uidext.country, or name the country in the call.")));
	return country_number;
}
