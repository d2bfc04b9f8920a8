/*-------------------------------------------------------------------------
 *
 * earlier.c
 *	  What the install script of 0.1.0 asks of the library, and this version's
 *	  does not.
 *
 * Between a new library and ALTER EXTENSION uidext UPDATE a database has
 * functions of the earlier script.  They give what they gave, or say what there
 * is to do; pg_upgrade and a restored dump find them all.  That is why a name
 * that a released script has used never gets another meaning.
 *
 *-------------------------------------------------------------------------
 */
#include "uidext.h"

#include "catalog/partition.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

#include "base32.h"

extern Datum uidext_uuid_as_iuid(PG_FUNCTION_ARGS);
extern Datum uidext_iuid_hash_extended(PG_FUNCTION_ARGS);
extern Datum uidext_laravel_uuid_time(PG_FUNCTION_ARGS);
extern Datum uidext_laravel_uuid_to_v7(PG_FUNCTION_ARGS);
extern Datum uidext_uid_bigint_from_uuid(PG_FUNCTION_ARGS);

pg_noreturn static void
want_update(const char *function)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("function %s() is of an earlier version of uidext",
					function),
			 errdetail("The library is %s, the extension in this database is older.",
					   UIDEXT_VERSION),
			 errhint("ALTER EXTENSION uidext UPDATE")));
}

#define EARLIER_FUNCTION(function) \
PG_FUNCTION_INFO_V1(uidext_##function); \
Datum \
uidext_##function(PG_FUNCTION_ARGS) \
{ \
	want_update("uuid_" #function); \
}

/* 0.1.0: upkeep of partitions, which became other roles */
EARLIER_FUNCTION(partition_as_owner)
EARLIER_FUNCTION(partition_check_owner)
EARLIER_FUNCTION(partition_detach)
EARLIER_FUNCTION(partition_edge)
EARLIER_FUNCTION(partition_has_rows)
EARLIER_FUNCTION(partition_lock_detachments)

/* 0.1.0: the cast of uuid to iuid */
PG_FUNCTION_INFO_V1(uidext_uuid_to_iuid);
Datum
uidext_uuid_to_iuid(PG_FUNCTION_ARGS)
{
	return uidext_uuid_as_iuid(fcinfo);
}

/* 0.1.0: other names */
PG_FUNCTION_INFO_V1(uidext_ordered_uuid_time);
Datum
uidext_ordered_uuid_time(PG_FUNCTION_ARGS)
{
	return uidext_laravel_uuid_time(fcinfo);
}

PG_FUNCTION_INFO_V1(uidext_ordered_uuid_to_v7);
Datum
uidext_ordered_uuid_to_v7(PG_FUNCTION_ARGS)
{
	return uidext_laravel_uuid_to_v7(fcinfo);
}

PG_FUNCTION_INFO_V1(uidext_uid_to_bigint);
Datum
uidext_uid_to_bigint(PG_FUNCTION_ARGS)
{
	return uidext_uid_bigint_from_uuid(fcinfo);
}

/* 0.1.0: uuid_to_ulid(), a text */
PG_FUNCTION_INFO_V1(uidext_uuid_to_ulid);
Datum
uidext_uuid_to_ulid(PG_FUNCTION_ARGS)
{
	char		digits[BASE32_LEN];

	base32_encode(PG_GETARG_UUID_WORDS(0), digits);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, BASE32_LEN));
}

/*
 * 0.1.0: one hash a country, in the middle of the 2^24 of today.  Hash indexes
 * have it until the update builds them again.
 */
static inline uint32
country_hash(Datum id)
{
	UuidWords	country = DatumGetUuidWords(id);
	uint32		range = 0;

	if (layout_is_iuid(country))
		range = layout_iuid_hash(country) >> IUID_SPREAD_BITS;
	return range << IUID_SPREAD_BITS | UINT32_C(1) << (IUID_SPREAD_BITS - 1);
}

PG_FUNCTION_INFO_V1(uidext_iuid_country_hash);
Datum
uidext_iuid_country_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32((int32) country_hash(PG_GETARG_DATUM(0)));
}

PG_FUNCTION_INFO_V1(uidext_iuid_country_hash_extended);
Datum
uidext_iuid_country_hash_extended(PG_FUNCTION_ARGS)
{
	if (PG_GETARG_INT64(1) == 0)
		PG_RETURN_INT64((int64) country_hash(PG_GETARG_DATUM(0)));
	return uidext_iuid_hash_extended(fcinfo);
}
