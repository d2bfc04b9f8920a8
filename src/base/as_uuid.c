/*-------------------------------------------------------------------------
 *
 * as_uuid.c
 *	  PostgreSQL's functions of uuid, for the types iuid and ulid.
 *
 * LANGUAGE internal would need no code here.  But for a function that is not
 * built in, fmgr looks up the internal name among thousands each time a plan
 * starts, and for a comparison of two types at each rescan of an index.  That
 * takes some 30 us.
 *
 * We compare two 64-bit words ourselves, because PostgreSQL's uuid comparison
 * calls memcmp().  A search of an index on iuid for a uuid has to look up the
 * cross-type comparison function, and the faster comparisons of that search
 * make up for about half of this cost.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/fmgrprotos.h"

/* Output, as that of uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_out);
Datum
uidext_as_uuid_out(PG_FUNCTION_ARGS)
{
	return uuid_out(fcinfo);
}

/* Binary input, as that of uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_recv);
Datum
uidext_as_uuid_recv(PG_FUNCTION_ARGS)
{
	return uuid_recv(fcinfo);
}

/* Binary output, as that of uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_send);
Datum
uidext_as_uuid_send(PG_FUNCTION_ARGS)
{
	return uuid_send(fcinfo);
}

static inline int
compare_arguments(FunctionCallInfo fcinfo)
{
	return layout_compare(PG_GETARG_UUID_WORDS(0), PG_GETARG_UUID_WORDS(1));
}

/* Comparison, as uuid < uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_lt);
Datum
uidext_as_uuid_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) < 0);
}

/* Comparison, as uuid <= uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_le);
Datum
uidext_as_uuid_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) <= 0);
}

/* Comparison, as uuid = uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_eq);
Datum
uidext_as_uuid_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) == 0);
}

/* Comparison, as uuid <> uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_ne);
Datum
uidext_as_uuid_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) != 0);
}

/* Comparison, as uuid >= uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_ge);
Datum
uidext_as_uuid_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) >= 0);
}

/* Comparison, as uuid > uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_gt);
Datum
uidext_as_uuid_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) > 0);
}

/* Support of btree: below, equal to or above 0. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_cmp);
Datum
uidext_as_uuid_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_arguments(fcinfo));
}

/* Support of hash, 32 bits. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_hash);
Datum
uidext_as_uuid_hash(PG_FUNCTION_ARGS)
{
	return uuid_hash(fcinfo);
}

/* Support of hash, 64 bits with a seed. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_hash_extended);
Datum
uidext_as_uuid_hash_extended(PG_FUNCTION_ARGS)
{
	return uuid_hash_extended(fcinfo);
}
