/*-------------------------------------------------------------------------
 *
 * routing.c
 *	  Operator class iuid_country_ops: hash partitioning by country.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "catalog/partition.h"
#include "common/hashfn.h"
#include "utils/fmgrprotos.h"

/*
 * iuid_country_hash_extended(id uuid, seed bigint) returns bigint
 *
 * A hash by which PARTITION BY HASH with MODULUS 256 puts an iUID into the
 * partition whose REMAINDER is its country.  Multiples of 256 as MODULUS split
 * a country further, by bits of the random tail.  Raises 22023 for an id that
 * is no iUID, because every remainder is some country's.
 *
 * Core calls it with one seed for that, and passes the hash of a single key
 * through hash_combine64(0, hash), which adds a constant.  Both are stored
 * state, as rows lie where they put them.  For other seeds it is core's hash,
 * so that whatever else hashes by this operator class sees evenly spread values.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_country_hash_extended);
Datum
uidext_iuid_country_hash_extended(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	uint64		seed = (uint64) PG_GETARG_INT64(1);

	if (seed != HASH_PARTITION_SEED)
		return DirectFunctionCall2(uuid_hash_extended, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));

	if (!layout_is_iuid(id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID is not an iUID"),
				 errdetail("Only an iUID names the country that a partition by iuid_country_ops holds."),
				 errhint("Make ids with gen_iuid(), and give the column the type iuid.")));

	PG_RETURN_INT64((int64) (layout_iuid_route(id) - hash_combine64(0, 0)));
}
