/*-------------------------------------------------------------------------
 *
 * mysql.c
 *	  The bytes of a UUID in the order of MySQL's UUID_TO_BIN().
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

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
 * The inverse of uuid_to_bin().  Raises 22023 for a length other than 16
 * bytes.
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
