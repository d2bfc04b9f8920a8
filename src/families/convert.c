/*-------------------------------------------------------------------------
 *
 * convert.c
 *	  Conversions between layouts.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "families/convert.h"

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

/* A UUIDv1 as version 6 or 13, which have its timestamp in order, and back. */

static UuidWords
from_v1(UuidWords id, int version)
{
	return layout_pack(version, layout_v1_unshuffle(layout_head(id)),
					   layout_tail(id));
}

static UuidWords
to_v1(UuidWords id)
{
	return layout_pack(1, layout_v1_shuffle(layout_head(id)), layout_tail(id));
}

/*
 * uuidv1_to_v6(id uuid) returns uuid
 *
 * The same timestamp, clock sequence and node as a UUIDv6 (RFC 9562, section
 * 5.6).  Like all conversions between versions here it raises 22023 for an
 * argument of another version.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv1_to_v6);
Datum
uidext_uuidv1_to_v6(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(from_v1(getarg_of_version(fcinfo, 1), 6));
}

/*
 * uuidv6_to_v1(id uuid) returns uuid
 *
 * The inverse of uuidv1_to_v6().
 */
PG_FUNCTION_INFO_V1(uidext_uuidv6_to_v1);
Datum
uidext_uuidv6_to_v1(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(to_v1(getarg_of_version(fcinfo, 6)));
}

/*
 * uuidv1_to_v13(id uuid) returns uuid
 *
 * The same as Lambert's v13.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv1_to_v13);
Datum
uidext_uuidv1_to_v13(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(from_v1(getarg_of_version(fcinfo, 1), 13));
}

/*
 * uuidv13_to_v1(id uuid) returns uuid
 *
 * The inverse of uuidv1_to_v13().
 */
PG_FUNCTION_INFO_V1(uidext_uuidv13_to_v1);
Datum
uidext_uuidv13_to_v1(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(to_v1(getarg_of_version(fcinfo, 13)));
}

/*
 * comb_to_suffix(id uuid) returns uuid
 * comb_from_suffix(id uuid) returns uuid
 *
 * Exchange b0-b5 and b10-b15: a COMB becomes a suffix COMB, and back.  Raises
 * 22023 for versions other than 4.
 */
PG_FUNCTION_INFO_V1(uidext_comb_swap);
Datum
uidext_comb_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_comb(getarg_of_version(fcinfo, 4)));
}

/*
 * short_comb_to_suffix(id uuid) returns uuid and
 * short_comb_from_suffix(id uuid) returns uuid
 *
 * Exchange b0-b1 and b10-b11: a short COMB becomes a short suffix COMB, and
 * back. Raises 22023 for versions other than 4.
 */
PG_FUNCTION_INFO_V1(uidext_short_comb_swap);
Datum
uidext_short_comb_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_short_comb(getarg_of_version(fcinfo, 4)));
}
