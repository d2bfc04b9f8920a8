/*-------------------------------------------------------------------------
 *
 * laravel_uuid.c
 *	  The ordered UUIDs of Laravel, its default until version 11: a version 4
 *	  whose first 48 bits count 10 us since 1970.
 *
 * Str::orderedUuid() takes them from ramsey/uuid: CombGenerator has the time
 * in the last 48 bits, of 5 digits behind the second, and
 * TimestampFirstCombCodec puts it first.  No bit says whether a version 4 is
 * one of them.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/uuid_version.h"

/*
 * laravel_uuid_time(id uuid) returns timestamptz
 *
 * The first 48 bits of a version 4 in units of 10 us.
 */
PG_FUNCTION_INFO_V1(uidext_laravel_uuid_time);
Datum
uidext_laravel_uuid_time(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	uint64		time = layout_laravel_uuid_time(id);

	if (!layout_is(id, 4))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(unix_ms_to_timestamptz(time / LARAVEL_UUID_PER_MS) +
						  time % LARAVEL_UUID_PER_MS *
						  (US_PER_MS / LARAVEL_UUID_PER_MS));
}

/*
 * laravel_uuid_to_v7(id uuid) returns uuid
 *
 * A UUIDv7 of the same 10 us, and in the same order: all random bits are kept,
 * in their order, but the last 7 of 74.  Raises 22023 for versions other than
 * 4.
 */
PG_FUNCTION_INFO_V1(uidext_laravel_uuid_to_v7);
Datum
uidext_laravel_uuid_to_v7(PG_FUNCTION_ARGS)
{
	UuidWords	id = getarg_of_version(fcinfo, 4);

	PG_RETURN_UUID_WORDS(layout_laravel_uuid_to_v7(id));
}
