/*-------------------------------------------------------------------------
 *
 * convert.c
 *	  Conversions between layouts, and to the byte orders of SQL Server and
 *	  MySQL.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "families/convert.h"

/* The first argument, which has to be of the given version; else 22023. */
UuidWords
getarg_version(FunctionCallInfo fcinfo, int version)
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
	PG_RETURN_UUID_WORDS(from_v1(getarg_version(fcinfo, 1), 6));
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
	PG_RETURN_UUID_WORDS(to_v1(getarg_version(fcinfo, 6)));
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
	PG_RETURN_UUID_WORDS(from_v1(getarg_version(fcinfo, 1), 13));
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
	PG_RETURN_UUID_WORDS(to_v1(getarg_version(fcinfo, 13)));
}

/*
 * comb_to_suffix(id uuid) returns uuid
 * comb_from_suffix(id uuid) returns uuid
 *
 * Trade b0-b5 for b10-b15: a COMB becomes a suffix COMB, and back.  Raises
 * 22023 for versions other than 4.
 */
PG_FUNCTION_INFO_V1(uidext_comb_swap);
Datum
uidext_comb_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_comb(getarg_version(fcinfo, 4)));
}

/*
 * short_comb_to_suffix(id uuid) returns uuid and
 * short_comb_from_suffix(id uuid) returns uuid
 *
 * Trade b0-b1 for b10-b11: a short COMB becomes a short suffix COMB, and back.
 * Raises 22023 for versions other than 4.
 */
PG_FUNCTION_INFO_V1(uidext_short_comb_swap);
Datum
uidext_short_comb_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_short_comb(getarg_version(fcinfo, 4)));
}

/*
 * uuid_to_sqlserver(id uuid) returns uuid and uuid_from_sqlserver(id uuid)
 * returns uuid
 *
 * From the bytes of a UUID to the text by which SQL Server shows them, and
 * back: b0-b3, b4-b5 and b6-b7 each reversed.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_sqlserver_swap);
Datum
uidext_uuid_sqlserver_swap(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(layout_swap_sqlserver(PG_GETARG_UUID_WORDS(0)));
}

/*
 * uuid_to_bin(id uuid, swap bool) returns bytea
 *
 * The 16 bytes as MySQL 8's UUID_TO_BIN() gives them; with swap in the order
 * b6-b7, b4-b5, b0-b3, b8-b15, by which a UUIDv1 sorts by time.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_to_bin);
Datum
uidext_uuid_to_bin(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	bool		swap = PG_GETARG_BOOL(1);
	bytea	   *bin = (bytea *) palloc(VARHDRSZ + UUID_LEN);

	SET_VARSIZE(bin, VARHDRSZ + UUID_LEN);
	layout_store((unsigned char *) VARDATA(bin),
				 swap ? layout_to_mysql(id) : id);
	PG_RETURN_BYTEA_P(bin);
}

/*
 * bin_to_uuid(bin bytea, swap bool) returns uuid
 *
 * The inverse of uuid_to_bin().  Raises 22023 for another length than 16 bytes.
 */
PG_FUNCTION_INFO_V1(uidext_bin_to_uuid);
Datum
uidext_bin_to_uuid(PG_FUNCTION_ARGS)
{
	bytea	   *bin = PG_GETARG_BYTEA_PP(0);
	bool		swap = PG_GETARG_BOOL(1);
	UuidWords	words;

	if (VARSIZE_ANY_EXHDR(bin) != UUID_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a UUID has %d bytes, not %d",
						UUID_LEN, (int) VARSIZE_ANY_EXHDR(bin)),
				 errhint("To convert text to a UUID, use a cast.")));

	words = layout_load((unsigned char *) VARDATA_ANY(bin));
	PG_RETURN_UUID_WORDS(swap ? layout_from_mysql(words) : words);
}
