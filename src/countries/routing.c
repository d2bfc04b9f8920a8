/*-------------------------------------------------------------------------
 *
 * routing.c
 *	  Operator classes iuid_country_ops and uuid_country_ops: placement of ids
 *	  by country.
 *
 * Neither hash may ever change, because they decide in which partition or
 * bucket a row is stored.  Neither raises an error: an id that is not an iUID
 * has a hash as well, so that a search for such an id finds no row, with every
 * plan.
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
 * The bits of the country in reverse order, then 24 bits of the tail.  An id
 * that is not an iUID is hashed as one of country 0.  Citus gives each shard a
 * range of the signed integers.  Arrays, rows and hash indexes of iUIDs have
 * only 2^24 hash values for a country.  GROUP BY uses iuid_aggregate_ops
 * instead.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_country_hash);
Datum
uidext_iuid_country_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32((int32) country_hash32(PG_GETARG_UUID_WORDS(0)));
}

/*
 * iuid_country_hash_extended(id uuid, seed bigint) returns bigint
 *
 * A hash by which PARTITION BY HASH with MODULUS 257 puts an iUID into the
 * partition whose REMAINDER is its country, and anything else into REMAINDER
 * 256.  Multiples of 257 split a country further, by bits of the random tail.
 *
 * For partitions, PostgreSQL calls it with one fixed seed, and passes the hash
 * of a single key through hash_combine64(0, hash), which adds a constant.
 * With seed 0 the result is the hash above, as PostgreSQL requires of every
 * such pair.  With any other seed it is the hash of type uuid, whose values
 * are evenly spread.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_country_hash_extended);
Datum
uidext_iuid_country_hash_extended(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	uint64		seed = (uint64) PG_GETARG_INT64(1);

	if (seed == HASH_PARTITION_SEED)
		PG_RETURN_INT64((int64) (country_hash64(id) - hash_combine64(0, 0)));
	if (seed == 0)
		PG_RETURN_INT64((int64) country_hash32(id));
	return DirectFunctionCall2(uuid_hash_extended, PG_GETARG_DATUM(0),
							   PG_GETARG_DATUM(1));
}
