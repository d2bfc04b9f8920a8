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

#include "compat.h"
#include "layout.h"

/*
 * The setting uidext.country as a number: 0 to 255, -1 when unset, or
 * COUNTRY_BY_NAME when it is a code or name of the registry.
 */
#define COUNTRY_BY_NAME		(-2)
extern int	uidext_country;
extern char *uidext_country_setting;

#define DatumGetUuidWords(d)	layout_load(DatumGetUUIDP(d)->data)
#define PG_GETARG_UUID_WORDS(n)	DatumGetUuidWords(PG_GETARG_DATUM(n))
#define PG_RETURN_UUID_WORDS(w) return UuidWordsGetDatum(w)

/* The first argument, which has to be of the given version; else 22023. */
extern UuidWords getarg_version(FunctionCallInfo fcinfo, int version);

static inline Datum
UuidWordsGetDatum(UuidWords words)
{
	pg_uuid_t  *uuid = (pg_uuid_t *) palloc(sizeof(pg_uuid_t));

	layout_store(uuid->data, words);
	return UUIDPGetDatum(uuid);
}

#endif							/* UIDEXT_H */
