/*-------------------------------------------------------------------------
 *
 * uuid_version.c
 *	  Arguments of conversions, which take one version of UUID.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "base/uuid_version.h"

/* The first argument.  Raises 22023 if it is not of the given version. */
UuidWords
getarg_of_version(FunctionCallInfo fcinfo, int version)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (layout_variant(id) != LAYOUT_VARIANT_RFC)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID is not version %d", version),
				 errdetail("Its variant is not that of RFC 9562.")));
	if (layout_version(id) != version)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID is not version %d", version),
				 errdetail("It is version %d.", layout_version(id))));
	return id;
}
