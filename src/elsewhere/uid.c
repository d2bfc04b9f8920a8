/*-------------------------------------------------------------------------
 *
 * uid.c
 *	  Ids from elsewhere, over the schemes of pure/schemes.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "base/clock.h"
#include "elsewhere/uid.h"
#include "pure/schemes/scheme.h"

/* The longest name of a scheme with all its parameters. */
#define NAME_MAX_BYTES	255

/* The scheme that a call site named last, so that it is looked up once. */
typedef struct SchemeCache
{
	int			length;
	char		name[NAME_MAX_BYTES];
	UidScheme	scheme;
	UidSplit	split;
	signed char values[256];
} SchemeCache;

pg_noreturn static void
unknown_scheme(const char *name, int length, const char *problem)
{
	char	   *shown = pnstrdup(name, length);

	if (problem[0] == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown id scheme \"%s\"", shown),
				 errhint("The function uid_schemes() lists the schemes that exist.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid parameters of id scheme \"%s\"", shown),
			 errdetail_internal("%s", problem)));
}

const UidScheme *
getarg_scheme(FunctionCallInfo fcinfo, int argument)
{
	text	   *name = PG_GETARG_TEXT_PP(argument);
	int			length = (int) VARSIZE_ANY_EXHDR(name);
	SchemeCache *cache = (SchemeCache *) fcinfo->flinfo->fn_extra;
	const char *problem;

	if (cache != NULL && cache->length == length &&
		memcmp(cache->name, VARDATA_ANY(name), length) == 0)
		return &cache->scheme;

	if (length > NAME_MAX_BYTES)
		unknown_scheme(VARDATA_ANY(name), length,
					   "A name with its parameters has at most 255 bytes.");
	if (cache == NULL)
		cache = (SchemeCache *) MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
													   sizeof(SchemeCache));
	fcinfo->flinfo->fn_extra = cache;

	/* no scheme is cached if this fails */
	cache->length = -1;
	problem = scheme_find(VARDATA_ANY(name), length, &cache->scheme);
	if (problem != NULL)
		unknown_scheme(VARDATA_ANY(name), length, problem);
	if (cache->scheme.alphabet != NULL)
	{
		scheme_values(&cache->scheme, cache->values);
		cache->scheme.values = cache->values;
	}
	if (scheme_is_bigint(&cache->scheme))
	{
		scheme_split(&cache->scheme, &cache->split);
		cache->scheme.split = &cache->split;
	}
	memcpy(cache->name, VARDATA_ANY(name), length);
	cache->length = length;
	return &cache->scheme;
}

/* What is wrong with a text that is not an id of the scheme. */
static char *
syntax_fault(const UidScheme *scheme, const char *id, int length,
			 UidProblem problem, int place)
{
	switch (problem)
	{
		case UID_BAD_LENGTH:
			return psprintf("Its form is: %s. The text has %d characters.",
							scheme->form, pg_mbstrlen_with_len(id, length));
		case UID_BAD_DIGIT:
			return psprintf("Its form is: %s. Character %d is not such a digit.",
							scheme->form, pg_mbstrlen_with_len(id, place) + 1);
		case UID_TOO_GREAT:
			return psprintf("The number is greater than %d bits hold.",
							scheme_bits(scheme));
		case UID_NOT_VERSION:
			return psprintf("Ids of this scheme are UUIDs of version %d.",
							scheme_version(scheme));
		case UID_NO_TIME:
			return "It has no time, or one before ids of this scheme were made or after 10889-08-02.";
		default:
			return psprintf("Its form is: %s.", scheme->form);
	}
}

pg_noreturn static void
syntax_error(const UidScheme *scheme, const char *id, int length,
			 UidProblem problem, int place)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for id scheme \"%s\": \"%s\"",
					scheme->name, pnstrdup(id, length)),
			 errdetail_internal("%s", syntax_fault(scheme, id, length,
												   problem, place))));
}

static UidValue
getarg_text_id(FunctionCallInfo fcinfo, const UidScheme *scheme)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	int			length = (int) VARSIZE_ANY_EXHDR(id);
	UidValue	value;
	int			place;
	UidProblem	problem = scheme_parse(scheme, VARDATA_ANY(id), length, &value,
									   &place);

	if (problem != UID_OK)
		syntax_error(scheme, VARDATA_ANY(id), length, problem, place);
	return value;
}

void
require_bigint(const UidScheme *scheme)
{
	if (!scheme_is_bigint(scheme))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ids of scheme \"%s\" are not 64-bit numbers",
						scheme->name),
				 errhint("SELECT scheme FROM uid_schemes() WHERE bits IN (63, 64) lists the schemes of 64-bit numbers.")));
}

static UidValue
getarg_bigint_id(FunctionCallInfo fcinfo, const UidScheme *scheme)
{
	int64		id = PG_GETARG_INT64(0);
	UidValue	value = {{0}};

	require_bigint(scheme);
	if (id < 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("id %lld is out of range for id scheme \"%s\"",
						(long long) id, scheme->name),
				 errdetail("Ids are not negative.")));
	layout_store64(value.bytes, (uint64) id);
	return value;
}

static TimestampTz
unix_us_to_timestamptz(uint64 unix_us)
{
	return unix_ms_to_timestamptz(unix_us / US_PER_MS) +
		(TimestampTz) (unix_us % US_PER_MS);
}

/*
 * Every value that scheme_parse() accepts has a time, and so has every 64-bit
 * number.
 */
static Datum
value_to_time(const UidScheme *scheme, const UidValue *value)
{
	uint64		unix_us = 0;
	bool		has_time PG_USED_FOR_ASSERTS_ONLY =
		scheme_time(scheme, value, &unix_us);

	Assert(has_time);
	return TimestampTzGetDatum(unix_us_to_timestamptz(unix_us));
}

/*
 * uid_time(id text, scheme text) returns timestamptz
 *
 * The time in the id, floored to microseconds.  Raises 22P02 for text that is
 * not an id of the scheme, 22023 for an unknown scheme or wrong parameters.
 */
PG_FUNCTION_INFO_V1(uidext_uid_time);
Datum
uidext_uid_time(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value = getarg_text_id(fcinfo, scheme);

	return value_to_time(scheme, &value);
}

/*
 * uid_time(id bigint, scheme text) returns timestamptz
 *
 * The same for schemes of 64 bits.  Raises 22003 for a negative id, 22023 as
 * above and for other schemes.
 */
PG_FUNCTION_INFO_V1(uidext_uid_time_bigint);
Datum
uidext_uid_time_bigint(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value = getarg_bigint_id(fcinfo, scheme);

	return value_to_time(scheme, &value);
}

/*
 * uid_is_valid(id text, scheme text) returns bool
 *
 * Whether uid_time() reads the text.  Raises 22023 as that does.
 */
PG_FUNCTION_INFO_V1(uidext_uid_is_valid);
Datum
uidext_uid_is_valid(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	text	   *id = PG_GETARG_TEXT_PP(0);
	UidValue	value;
	int			place;

	PG_RETURN_BOOL(scheme_parse(scheme, VARDATA_ANY(id),
								(int) VARSIZE_ANY_EXHDR(id), &value,
								&place) == UID_OK);
}

/*
 * uid_is_valid(id bigint, scheme text) returns bool
 *
 * The same for schemes of 64 bits: false for negative numbers only.
 */
PG_FUNCTION_INFO_V1(uidext_uid_is_valid_bigint);
Datum
uidext_uid_is_valid_bigint(PG_FUNCTION_ARGS)
{
	require_bigint(getarg_scheme(fcinfo, 1));
	PG_RETURN_BOOL(PG_GETARG_INT64(0) >= 0);
}

static const char *
print_time(Datum time)
{
	return DatumGetCString(DirectFunctionCall1(timestamptz_out, time));
}

static const char *
print_time_of_bigint(const UidScheme *scheme, uint64 id)
{
	UidValue	value = {0};

	layout_store64(value.bytes, id);
	return print_time(value_to_time(scheme, &value));
}

void
time_out_of_range(const UidScheme *scheme)
{
	TimestampTz epoch = unix_ms_to_timestamptz(scheme->epoch_ms);

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range for id scheme \"%s\"",
					scheme->name),
			 scheme_is_bigint(scheme) ?
			 errdetail("Ids of this scheme have times from %s to %s.",
					   print_time_of_bigint(scheme, 0),
					   print_time_of_bigint(scheme, PG_INT64_MAX)) :
			 errdetail("The times of ids of this scheme begin at %s.",
					   print_time(TimestampTzGetDatum(epoch)))));
}

/*
 * uid_boundary(at timestamptz, scheme text) returns bigint
 *
 * The lowest id of the time's tick; 0 for -infinity and the greatest bigint
 * for infinity.  Raises 22008 for times before the scheme's epoch or beyond
 * its last positive id, 22023 for schemes that are not of 64 bits.
 */
PG_FUNCTION_INFO_V1(uidext_uid_boundary);
Datum
uidext_uid_boundary(PG_FUNCTION_ARGS)
{
	TimestampTz at = PG_GETARG_TIMESTAMPTZ(0);
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value;
	uint64		id;

	require_bigint(scheme);
	if (TIMESTAMP_IS_NOBEGIN(at))
		PG_RETURN_INT64(0);
	if (TIMESTAMP_IS_NOEND(at))
		PG_RETURN_INT64(PG_INT64_MAX);
	if (!timestamptz_fits_unix_ms(at) ||
		!scheme_boundary(scheme, timestamptz_to_unix_us(at), &value))
		time_out_of_range(scheme);

	id = layout_load64(value.bytes);
	if (id > PG_INT64_MAX)
		time_out_of_range(scheme);
	PG_RETURN_INT64((int64) id);
}

/* The same holds for the uuid. */
static Datum
value_to_uuid(const UidScheme *scheme, const UidValue *value)
{
	UuidWords	words = UUID_WORDS_NIL;
	bool		has_uuid PG_USED_FOR_ASSERTS_ONLY =
		scheme_to_uuid(scheme, value, &words);

	Assert(has_uuid);
	return UuidWordsGetDatum(words);
}

/*
 * uid_to_uuid(id text, scheme text) returns uuid
 *
 * If the id has 128 bits, the same bits.  Otherwise a UUIDv7 of the same
 * millisecond, whose other bits are the first 74 of the id's other bits: see
 * to_uuid.c.  Raises 22P02 and 22023 as uid_time().
 */
PG_FUNCTION_INFO_V1(uidext_uid_to_uuid);
Datum
uidext_uid_to_uuid(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value = getarg_text_id(fcinfo, scheme);

	return value_to_uuid(scheme, &value);
}

/*
 * uid_to_uuid(id bigint, scheme text) returns uuid
 *
 * The same for schemes of 64 bits.
 */
PG_FUNCTION_INFO_V1(uidext_uid_to_uuid_bigint);
Datum
uidext_uid_to_uuid_bigint(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value = getarg_bigint_id(fcinfo, scheme);

	return value_to_uuid(scheme, &value);
}

/* The id of which uid_to_uuid() makes this uuid; false if there is none. */
static bool
getarg_uuid_of_scheme(FunctionCallInfo fcinfo,
					  const UidScheme *scheme, UidValue *value)
{
	if (!scheme_fits_uuid(scheme))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a UUID cannot be converted back to ids of scheme \"%s\"",
						scheme->name),
				 errdetail("Such ids have %d bits, and a UUIDv7 can hold only the time and 74 more bits.",
						   scheme_bits(scheme))));
	return scheme_from_uuid(scheme, PG_GETARG_UUID_WORDS(0), value);
}

Datum
uid_value_to_text(const UidScheme *scheme, const UidValue *value)
{
	char		id[UID_TEXT_MAX];
	int			length = scheme_format(scheme, value, id);

	return PointerGetDatum(cstring_to_text_with_len(id, length));
}

/*
 * uid_from_uuid(id uuid, scheme text) returns text
 *
 * The inverse of uid_to_uuid(), in the usual form of the scheme's text; NULL
 * for a uuid of which uid_to_uuid() makes none.  Raises 22023 for schemes
 * whose ids a uuid does not hold whole.
 */
PG_FUNCTION_INFO_V1(uidext_uid_from_uuid);
Datum
uidext_uid_from_uuid(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value;

	if (!getarg_uuid_of_scheme(fcinfo, scheme, &value))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(uid_value_to_text(scheme, &value));
}

/*
 * uid_bigint_from_uuid(id uuid, scheme text) returns bigint
 *
 * The same for schemes of 64 bits.  Raises 22003 for an id beyond bigint, too.
 */
PG_FUNCTION_INFO_V1(uidext_uid_bigint_from_uuid);
Datum
uidext_uid_bigint_from_uuid(PG_FUNCTION_ARGS)
{
	const UidScheme *scheme = getarg_scheme(fcinfo, 1);
	UidValue	value;
	uint64		id;

	require_bigint(scheme);
	if (!getarg_uuid_of_scheme(fcinfo, scheme, &value))
		PG_RETURN_NULL();

	id = layout_load64(value.bytes);
	if (id > PG_INT64_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("id %llu is out of range for type %s",
						(unsigned long long) id, "bigint")));
	PG_RETURN_INT64((int64) id);
}

/* "1 s", "10 ms", "100 ns", "1/300 s". */
static char *
resolution_name(const UidScheme *scheme)
{
	static const struct
	{
		uint64		ns;
		const char *name;
	}			units[] = {
		{TICK_S, "s"}, {TICK_MS, "ms"}, {TICK_US, "us"}, {TICK_NS, "ns"}
	};

	for (int i = 0; i < lengthof(units); i++)
	{
		if (scheme->tick_ns % units[i].ns == 0 && TICK_S % scheme->tick_ns == 0)
			return psprintf(UINT64_FORMAT " %s", scheme->tick_ns / units[i].ns,
							units[i].name);
	}
	return psprintf("1/" UINT64_FORMAT " s",
					TICK_S / scheme->tick_ns);
}

/*
 * uid_schemes() returns setof record
 *
 * One row a scheme, in the order in which uid_inspect() prefers them.
 */
PG_FUNCTION_INFO_V1(uidext_uid_schemes);
Datum
uidext_uid_schemes(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const UidScheme *scheme;

	InitMaterializedSRF(fcinfo, 0);
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		bool		nulls[9] = {false};
		char		layout[256];
		Datum		values[] = {CStringGetTextDatum(scheme->name),
			CStringGetTextDatum(scheme->form),
			Int32GetDatum(scheme_bits(scheme)),
			(Datum) 0,
			CStringGetTextDatum(resolution_name(scheme)),
			TimestampTzGetDatum(unix_ms_to_timestamptz(0) +
								scheme->epoch_ms * US_PER_MS),
			BoolGetDatum(scheme_fits_uuid(scheme)),
			BoolGetDatum(scheme->generated),
		CStringGetTextDatum(scheme->source)};

		scheme_layout(scheme, layout, sizeof(layout));
		values[3] = CStringGetTextDatum(layout);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * uid_readings(id text) returns setof record
 *
 * Every scheme that the text fits: its name, the time, the other fields, the
 * result of uid_to_uuid(), and whether many random texts fit this scheme.
 */
PG_FUNCTION_INFO_V1(uidext_uid_readings);
Datum
uidext_uid_readings(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	text	   *id = PG_GETARG_TEXT_PP(0);
	const UidScheme *scheme;

	InitMaterializedSRF(fcinfo, 0);
	for (int n = 0; (scheme = scheme_number(n)) != NULL; n++)
	{
		bool		nulls[5] = {false};
		Datum		values[5];
		char		fields[512];
		UidValue	value;
		int			place;

		if (scheme_parse(scheme, VARDATA_ANY(id), (int) VARSIZE_ANY_EXHDR(id),
						 &value, &place) != UID_OK)
			continue;
		scheme_fields(scheme, &value, fields, sizeof(fields));
		values[0] = CStringGetTextDatum(scheme->name);
		values[1] = value_to_time(scheme, &value);
		values[2] = DirectFunctionCall1(jsonb_in, CStringGetDatum(fields));
		values[3] = value_to_uuid(scheme, &value);
		values[4] = BoolGetDatum(scheme->by_chance);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * uid_as_uuid(id text) returns uuid
 *
 * The UUID of a text in any spelling of one; NULL for any other text.
 */
PG_FUNCTION_INFO_V1(uidext_uid_as_uuid);
Datum
uidext_uid_as_uuid(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	UuidWords	words;

	if (!uid_parse_uuid(VARDATA_ANY(id), (int) VARSIZE_ANY_EXHDR(id), &words))
		PG_RETURN_NULL();
	PG_RETURN_UUID_WORDS(words);
}
