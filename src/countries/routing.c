/*-------------------------------------------------------------------------
 *
 * routing.c
 *	  Operator classes iuid_country_ops and uuid_country_ops: placement of ids
 *	  by country.
 *
 * Both hashes are stored state, as rows lie where they put them.  Neither ever
 * raises an error: what is no iUID has a place as well, so that looking for it
 * finds nothing, under every plan.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "catalog/partition.h"
#include "common/hashfn.h"
#include "utils/fmgrprotos.h"

#include "pure/routing.h"

/*
 * iuid_country_hash(id uuid) returns int
 *
 * The bits of the country reversed, then 24 bits of the tail; what is no iUID
 * hashes below country 0.  Citus gives each shard a range of the signed
 * integers.  Arrays, rows and hash indexes of iUIDs see 2^24 values a country;
 * GROUP BY goes by iuid_aggregate_ops instead.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_country_hash);
Datum
uidext_iuid_country_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32((int32) iuid_hash(PG_GETARG_UUID_WORDS(0)));
}

/*
 * iuid_country_hash_extended(id uuid, seed bigint) returns bigint
 *
 * A hash by which PARTITION BY HASH with MODULUS 257 puts an iUID into the
 * partition whose REMAINDER is its country, and anything else into REMAINDER
 * 256.  Multiples of 257 split a country further, by bits of the random tail.
 *
 * Core calls it with one seed for that, and passes the hash of a single key
 * through hash_combine64(0, hash), which adds a constant.  With seed 0 it is
 * the hash above, as core asks of every such pair; with others it is uuid's,
 * so that whatever hashes by it sees evenly spread values.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_country_hash_extended);
Datum
uidext_iuid_country_hash_extended(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	uint64		seed = (uint64) PG_GETARG_INT64(1);

	if (seed == HASH_PARTITION_SEED)
		PG_RETURN_INT64((int64) (iuid_route(id) - hash_combine64(0, 0)));
	if (seed == 0)
		PG_RETURN_INT64((int64) iuid_hash(id));
	return DirectFunctionCall2(uuid_hash_extended, PG_GETARG_DATUM(0),
							   PG_GETARG_DATUM(1));
}
