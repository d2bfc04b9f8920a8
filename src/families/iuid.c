/*-------------------------------------------------------------------------
 *
 * iuid.c
 *	  iUID: a UUIDv8 of Unix milliseconds, country, service entity and a tail
 *	  of 54 bits (inDrive, "Universal Entity Identifier").
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/entropy.h"
#include "base/series.h"
#include "countries/country.h"
#include "countries/registry.h"

/*
 * One series for all ids, so that those of each country and entity increase,
 * too.
 */
static MonotonicSeries *const iuid_series = &session_series[SERIES_IUID];

static char *
uuid_text(Datum id)
{
	return DatumGetCString(DirectFunctionCall1(uuid_out, id));
}

/* Says why type iuid does not accept an id. */
static int
errdetail_no_iuid(UuidWords id)
{
	if (layout_is_later_iuid(id))
		return errdetail("It is an iUID of layout version %d, and type iuid holds those of version %d.",
						 layout_iuid_version(id), IUID_VERSION);
	return errdetail("The UUID is neither an iUID nor a boundary value.");
}

/*
 * iuid_in(cstring) returns iuid
 *
 * Text as that of uuid.  Raises 22P02 for a uuid that is neither an iUID nor a
 * boundary value, whose last 80 bits are zero, or all of whose bits are one.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_in);
Datum
uidext_iuid_in(PG_FUNCTION_ARGS)
{
	char	   *string = PG_GETARG_CSTRING(0);
	Datum		id;

	if (!DirectInputFunctionCallSafe(uuid_in, string, InvalidOid, -1,
									 fcinfo->context, &id))
		return (Datum) 0;
	if (!layout_fits_iuid(DatumGetUuidWords(id)))
		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						"iuid", string),
				 errdetail_no_iuid(DatumGetUuidWords(id))));
	PG_RETURN_DATUM(id);
}

/*
 * iuid_recv(internal) returns iuid
 *
 * 16 bytes as those of uuid.  Raises 22P03 for a value that iuid_in() does not
 * accept.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_recv);
Datum
uidext_iuid_recv(PG_FUNCTION_ARGS)
{
	Datum		id = DirectFunctionCall1(uuid_recv, PG_GETARG_DATUM(0));

	if (!layout_fits_iuid(DatumGetUuidWords(id)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid iUID in binary data: %s", uuid_text(id)),
				 errdetail_no_iuid(DatumGetUuidWords(id))));
	PG_RETURN_DATUM(id);
}

/*
 * uuid_as_iuid(id uuid) returns iuid
 *
 * The cast: the same value.  Raises 22023 for a value that iuid_in() does not
 * accept.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_as_iuid);
Datum
uidext_uuid_as_iuid(PG_FUNCTION_ARGS)
{
	Datum		id = PG_GETARG_DATUM(0);

	if (!layout_fits_iuid(DatumGetUuidWords(id)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s is not an iUID", uuid_text(id)),
				 errdetail_no_iuid(DatumGetUuidWords(id))));
	PG_RETURN_DATUM(id);
}

static inline uint8
iuid_field(const char *field, int value)
{
	if (unlikely(value < 0 || value > PG_UINT8_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("%s id %d is out of range", field, value),
				 errdetail("An iUID holds ids from 0 to 255, as in tables iuid.countries and iuid.service_entities.")));
	return (uint8) value;
}

typedef struct IuidFields
{
	uint8		country;
	uint8		service_entity;
} IuidFields;

static inline IuidFields
iuid_fields(int country, int service_entity)
{
	IuidFields	fields;

	fields.country = iuid_field("country", country);
	fields.service_entity = iuid_field("service entity", service_entity);
	return fields;
}

static inline UuidWords
iuid_new(int country, int service_entity)
{
	IuidFields	fields = iuid_fields(country, service_entity);
	uint64		fraction;

	series_next(iuid_series, clock_uuidv7_ticks() >> (12 - IUID_FRACTION_BITS),
				UNIX_MS_BITS + IUID_FRACTION_BITS, IUID_RANDOM_BITS);
	fraction = iuid_series->tick & LAYOUT_MASK(IUID_FRACTION_BITS);
	return layout_iuid_pack(iuid_series->tick >> IUID_FRACTION_BITS,
							fields.country, fields.service_entity,
							fraction << IUID_RANDOM_BITS | iuid_series->tail);
}

/* Arguments that are names of the registry. */
static int
country_argument(FunctionCallInfo fcinfo, int n)
{
	text	   *name = PG_GETARG_TEXT_PP(n);

	return registry_country_id(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name),
							   false);
}

static int
service_entity_argument(FunctionCallInfo fcinfo, int n)
{
	return registry_service_entity_id(PG_GETARG_TEXT_PP(n));
}

/*
 * gen_iuid(country int, service_entity int) returns iuid
 *
 * An iUID of the current time, greater than every earlier one of the session
 * with the same country and entity.  Raises 22003 for ids outside 0 ... 255.
 */
PG_FUNCTION_INFO_V1(uidext_gen_iuid);
Datum
uidext_gen_iuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(iuid_new(PG_GETARG_INT32(0), PG_GETARG_INT32(1)));
}

/*
 * gen_iuid(country text, service_entity text) returns iuid
 *
 * The same with the ids of the registry: country by code or name, entity by
 * name.  Raises 22023 for names that are not there.
 */
PG_FUNCTION_INFO_V1(uidext_gen_iuid_names);
Datum
uidext_gen_iuid_names(PG_FUNCTION_ARGS)
{
	int			country = country_argument(fcinfo, 0);
	int			service_entity = service_entity_argument(fcinfo, 1);

	PG_RETURN_UUID_WORDS(iuid_new(country, service_entity));
}

/*
 * gen_iuid(service_entity int) returns iuid
 *
 * The same with the country of the setting uidext.country.  Raises 22023 when
 * that is unset or not in the registry.
 */
PG_FUNCTION_INFO_V1(uidext_gen_iuid_own);
Datum
uidext_gen_iuid_own(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(iuid_new(country_setting(), PG_GETARG_INT32(0)));
}

/*
 * gen_iuid(service_entity text) returns iuid
 *
 * The same with the entity's name.
 */
PG_FUNCTION_INFO_V1(uidext_gen_iuid_own_name);
Datum
uidext_gen_iuid_own_name(PG_FUNCTION_ARGS)
{
	int			service_entity = service_entity_argument(fcinfo, 0);

	PG_RETURN_UUID_WORDS(iuid_new(country_setting(), service_entity));
}

static UuidWords
iuid_new_at(TimestampTz at, int country, int service_entity)
{
	uint64		unix_ms = timestamptz_to_unix_ms(at);
	IuidFields	fields = iuid_fields(country, service_entity);

	return layout_iuid_pack(unix_ms, fields.country, fields.service_entity,
							entropy_uint64() & LAYOUT_MASK(IUID_TAIL_BITS));
}

/*
 * gen_iuid_at(at timestamptz, country int, service_entity int) returns iuid
 *
 * An iUID of the given time with 54 random bits, so that there is no order
 * within a millisecond.  Raises 22008 for times outside 1970-01-01 ...
 * 10889-08-02, and 22003 as gen_iuid() does.
 */
PG_FUNCTION_INFO_V1(uidext_gen_iuid_at);
Datum
uidext_gen_iuid_at(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(iuid_new_at(PG_GETARG_TIMESTAMPTZ(0),
									 PG_GETARG_INT32(1), PG_GETARG_INT32(2)));
}

/*
 * gen_iuid_at(at timestamptz, country text, service_entity text) returns iuid
 *
 * The same with the ids of the registry.  Raises 22023 for names that are not
 * there.
 */
PG_FUNCTION_INFO_V1(uidext_gen_iuid_at_names);
Datum
uidext_gen_iuid_at_names(PG_FUNCTION_ARGS)
{
	int			country = country_argument(fcinfo, 1);
	int			service_entity = service_entity_argument(fcinfo, 2);

	PG_RETURN_UUID_WORDS(iuid_new_at(PG_GETARG_TIMESTAMPTZ(0), country,
									 service_entity));
}

/*
 * Only a UUIDv7 certainly begins with milliseconds.  For a COMB or a ULID, we
 * have to rely on the caller, and check only that the time is not in the far
 * future.
 */
static UuidWords
iuid_from(UuidWords id, int country, int service_entity)
{
	IuidFields	fields = iuid_fields(country, service_entity);

	if (!layout_is(id, 7) && !layout_time_is_near(id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s does not begin with a time",
						uuid_text(UuidWordsGetDatum(id))),
				 errdetail("It is not a UUIDv7, and its first 48 bits, read as Unix milliseconds, are a time after 2109-05-15."),
				 errhint("Only a UUIDv7, a COMB or a ULID can be converted. For other ids, make an iUID from the time of the row with gen_iuid_at().")));
	return layout_to_iuid(id, fields.country, fields.service_entity);
}

/*
 * uuid_to_iuid(id uuid, country int, service_entity int) returns iuid
 *
 * The iUID of a UUIDv7, COMB or ULID: its milliseconds, the 16 bits after them,
 * its last 38 bits.  Raises 22003 as gen_iuid() does, 22023 for an id whose
 * first 48 bits are not a time.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_to_iuid_ids);
Datum
uidext_uuid_to_iuid_ids(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(iuid_from(PG_GETARG_UUID_WORDS(0), PG_GETARG_INT32(1),
								   PG_GETARG_INT32(2)));
}

/*
 * uuid_to_iuid(id uuid, country text, service_entity text) returns iuid
 *
 * The same with the ids of the registry.  Raises 22023 for names that are not
 * there, too.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_to_iuid_names);
Datum
uidext_uuid_to_iuid_names(PG_FUNCTION_ARGS)
{
	int			country = country_argument(fcinfo, 1);
	int			service_entity = service_entity_argument(fcinfo, 2);

	PG_RETURN_UUID_WORDS(iuid_from(PG_GETARG_UUID_WORDS(0), country,
								   service_entity));
}

/*
 * iuid_is_valid(id uuid) returns bool
 *
 * Whether the id is an iUID: version 8, RFC variant, layout version 0.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_is_valid);
Datum
uidext_iuid_is_valid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(layout_is_iuid(PG_GETARG_UUID_WORDS(0)));
}

/*
 * iuid_version(id uuid) returns int
 *
 * The layout version of an iUID: 0, or that of a later layout; NULL for other
 * ids.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_version);
Datum
uidext_iuid_version(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is_iuid(id) && !layout_is_later_iuid(id))
		PG_RETURN_NULL();
	PG_RETURN_INT32(layout_iuid_version(id));
}

/*
 * iuid_country(id uuid) returns int
 *
 * The country id of an iUID, 0 to 255; NULL for other ids.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_country);
Datum
uidext_iuid_country(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is_iuid(id))
		PG_RETURN_NULL();
	PG_RETURN_INT32(layout_iuid_country(id));
}

/*
 * iuid_service_entity(id uuid) returns int
 *
 * The service entity id of an iUID, 0 to 255; NULL for other ids.
 */
PG_FUNCTION_INFO_V1(uidext_iuid_service_entity);
Datum
uidext_iuid_service_entity(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	if (!layout_is_iuid(id))
		PG_RETURN_NULL();
	PG_RETURN_INT32(layout_iuid_service_entity(id));
}
