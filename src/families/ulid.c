/*-------------------------------------------------------------------------
 *
 * ulid.c
 *	  ULIDs (https://github.com/ulid/spec): 48 bits of Unix milliseconds and
 *	  80 random bits, written in 26 digits of Crockford's base 32.
 *
 * A ULID has no version and no variant, so any UUID can be written as one. The
 * type ulid has the same 16 bytes as uuid.  as_uuid.c compares and hashes it.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "mb/pg_wchar.h"
#include "nodes/nodes.h"
#include "utils/timestamp.h"

#include "base/clock.h"
#include "base/series.h"
#include "pure/base32.h"

static MonotonicSeries *const ulid_series = &session_series[SERIES_ULID];

/* What is wrong with a text that is not a ULID. */
static char *
ulid_fault(const char *digits, int bytes)
{
	int			length = pg_mbstrlen_with_len(digits, bytes);
	int			place = 0;

	if (length != BASE32_LEN)
		return psprintf("A ULID has %d characters, not %d.",
						BASE32_LEN, length);
	/* all characters before it are one byte long */
	while (place < bytes && base32_value(digits[place]) >= 0)
		place++;
	if (place < bytes)
		return psprintf("Character %d is not a digit of Crockford's base 32.",
						place + 1);
	return psprintf("A ULID begins with a digit from 0 to %d, because it has 128 bits.",
					BASE32_FIRST_MAX);
}

/*
 * Upper and lower case are the same, and I and L are read as 1, O as 0: the
 * specification names Crockford's base 32 for the encoding and is silent about
 * these letters, which Crockford decodes so.  Libraries differ: ulid-creator
 * (Java) reads them, ulid (JavaScript) after fixULIDBase32(), ParseStrict() of
 * oklog/ulid (Go) and ulid (Rust) refuse them.  Hyphens, which Crockford
 * allows, are not in a ULID.
 */
static Datum
ulid_read(Node *context, const char *digits, int bytes)
{
	UuidWords	words;

	if (bytes != BASE32_LEN || !base32_decode(digits, &words))
		ereturn(context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						"ulid", pnstrdup(digits, bytes)),
				 errdetail_internal("%s", ulid_fault(digits, bytes))));
	PG_RETURN_UUID_WORDS(words);
}

/*
 * ulid_in(cstring) returns ulid
 *
 * Raises 22P02 for text that is not a ULID.
 */
PG_FUNCTION_INFO_V1(uidext_ulid_in);
Datum
uidext_ulid_in(PG_FUNCTION_ARGS)
{
	const char *digits = PG_GETARG_CSTRING(0);

	return ulid_read(fcinfo->context, digits, strlen(digits));
}

/*
 * ulid_out(id ulid) returns cstring
 *
 * In upper case, the form that the specification calls canonical.  In the
 * collation "C" it sorts as the ULID does.
 */
PG_FUNCTION_INFO_V1(uidext_ulid_out);
Datum
uidext_ulid_out(PG_FUNCTION_ARGS)
{
	char	   *digits = palloc(BASE32_LEN + 1);

	base32_encode(PG_GETARG_UUID_WORDS(0), digits);
	digits[BASE32_LEN] = '\0';
	PG_RETURN_CSTRING(digits);
}

/*
 * ulid_to_uuid(ulid text) returns uuid
 *
 * Reads the same text as ulid_in().  Raises 22P02 for text that is not a ULID.
 */
PG_FUNCTION_INFO_V1(uidext_ulid_to_uuid);
Datum
uidext_ulid_to_uuid(PG_FUNCTION_ARGS)
{
	text	   *ulid = PG_GETARG_TEXT_PP(0);

	return ulid_read(NULL, VARDATA_ANY(ulid), VARSIZE_ANY_EXHDR(ulid));
}

/*
 * gen_ulid() returns ulid
 *
 * A ULID of the current time, greater than every earlier one of the session.
 * Of the 80 bits after the milliseconds, the first 12 are their fraction, as
 * in a UUIDv7, so that it is also in order with ids of other sessions.  The
 * rest is random.
 */
PG_FUNCTION_INFO_V1(uidext_gen_ulid);
Datum
uidext_gen_ulid(PG_FUNCTION_ARGS)
{
	uint64		rest;

	series_next(ulid_series, clock_uuidv7_ticks(), HEAD_BITS, TAIL_BITS);
	rest = entropy_uint64() & LAYOUT_MASK(ULID_REST_BITS);
	PG_RETURN_UUID_WORDS(layout_ulid_pack(ulid_series->tick, ulid_series->tail,
										  rest));
}

/*
 * gen_ulid_at(at timestamptz) returns ulid
 *
 * A ULID of the given time with 68 fresh bits; no order within 1/4096 ms.
 * Raises 22008 for times outside 1970-01-01 ... 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_gen_ulid_at);
Datum
uidext_gen_ulid_at(PG_FUNCTION_ARGS)
{
	uint64		ticks = timestamptz_to_uuidv7_ticks(PG_GETARG_TIMESTAMPTZ(0));
	uint64		tail = entropy_uint64() & LAYOUT_MASK(TAIL_BITS);
	uint64		rest = entropy_uint64() & LAYOUT_MASK(ULID_REST_BITS);

	PG_RETURN_UUID_WORDS(layout_ulid_pack(ticks, tail, rest));
}
