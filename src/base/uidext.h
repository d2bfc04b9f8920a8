/*-------------------------------------------------------------------------
 *
 * uidext.h
 *	  What every SQL-callable function needs: uuid arguments and results as
 *	  words of layout.h.
 *
 * C names of SQL functions carry the prefix uidext_, because modules are
 * loaded with RTLD_GLOBAL and libuuid exports a uuid_time() of its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UIDEXT_H
#define UIDEXT_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/uuid.h"

#include "base/compat.h"
#include "pure/layout.h"

#define DatumGetUuidWords(d)	layout_load(DatumGetUUIDP(d)->data)
#define PG_GETARG_UUID_WORDS(n)	DatumGetUuidWords(PG_GETARG_DATUM(n))
#define PG_RETURN_UUID_WORDS(w) return UuidWordsGetDatum(w)

/* The order of uuid, for iuid and ulid (as_uuid.c). */
extern PGDLLEXPORT Datum uidext_as_uuid_cmp(PG_FUNCTION_ARGS);

static inline Datum
UuidWordsGetDatum(UuidWords words)
{
	pg_uuid_t  *uuid = (pg_uuid_t *) palloc(sizeof(pg_uuid_t));

	layout_store(uuid->data, words);
	return UUIDPGetDatum(uuid);
}

#endif							/* UIDEXT_H */
