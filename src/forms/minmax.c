/*-------------------------------------------------------------------------
 *
 * minmax.c
 *	  The least and the greatest id, for the aggregates min() and max().
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

/*
 * id_smaller(a uuid, b uuid) returns uuid, and the same for ulid
 */
PG_FUNCTION_INFO_V1(uidext_id_smaller);
Datum
uidext_id_smaller(PG_FUNCTION_ARGS)
{
	bool		first = layout_compare(PG_GETARG_UUID_WORDS(0),
									   PG_GETARG_UUID_WORDS(1)) <= 0;

	return PG_GETARG_DATUM(first ? 0 : 1);
}

/*
 * id_larger(a uuid, b uuid) returns uuid, and the same for ulid
 */
PG_FUNCTION_INFO_V1(uidext_id_larger);
Datum
uidext_id_larger(PG_FUNCTION_ARGS)
{
	bool		first = layout_compare(PG_GETARG_UUID_WORDS(0),
									   PG_GETARG_UUID_WORDS(1)) >= 0;

	return PG_GETARG_DATUM(first ? 0 : 1);
}
