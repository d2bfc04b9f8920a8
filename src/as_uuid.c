/*-------------------------------------------------------------------------
 *
 * as_uuid.c
 *	  Core's functions of uuid, for the types iuid and ulid.
 *
 * LANGUAGE internal would do the same, but such a function that is not core's
 * own is searched for by its name, among thousands, whenever a plan starts,
 * and for a comparison of two types at every rescan of an index: some 30 us.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

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

/* Comparison, as uuid < uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_lt);
Datum
uidext_as_uuid_lt(PG_FUNCTION_ARGS)
{
	return uuid_lt(fcinfo);
}

/* Comparison, as uuid <= uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_le);
Datum
uidext_as_uuid_le(PG_FUNCTION_ARGS)
{
	return uuid_le(fcinfo);
}

/* Comparison, as uuid = uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_eq);
Datum
uidext_as_uuid_eq(PG_FUNCTION_ARGS)
{
	return uuid_eq(fcinfo);
}

/* Comparison, as uuid <> uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_ne);
Datum
uidext_as_uuid_ne(PG_FUNCTION_ARGS)
{
	return uuid_ne(fcinfo);
}

/* Comparison, as uuid >= uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_ge);
Datum
uidext_as_uuid_ge(PG_FUNCTION_ARGS)
{
	return uuid_ge(fcinfo);
}

/* Comparison, as uuid > uuid. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_gt);
Datum
uidext_as_uuid_gt(PG_FUNCTION_ARGS)
{
	return uuid_gt(fcinfo);
}

/* Support of btree: below, equal to or above 0. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_cmp);
Datum
uidext_as_uuid_cmp(PG_FUNCTION_ARGS)
{
	return uuid_cmp(fcinfo);
}

/* Support of btree: sorting, with abbreviated keys. */
PG_FUNCTION_INFO_V1(uidext_as_uuid_sortsupport);
Datum
uidext_as_uuid_sortsupport(PG_FUNCTION_ARGS)
{
	return uuid_sortsupport(fcinfo);
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
