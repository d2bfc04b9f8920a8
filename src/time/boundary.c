/*-------------------------------------------------------------------------
 *
 * boundary.c
 *	  UUIDs that stand for moments: bounds of partitions and of time
 *	  predicates.
 *
 * A boundary has the milliseconds in its first 48 bits and zeros behind them,
 * so it sorts below every id of that millisecond, whatever the version.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "utils/timestamp.h"

#include "base/clock.h"
#include "time/boundary.h"

/*
 * uuid_boundary(at timestamptz) returns uuid
 * iuid_boundary(at timestamptz) returns iuid
 *
 * The boundary of the millisecond that contains the given time; the nil UUID
 * for -infinity and the max UUID (RFC 9562, sections 5.9 and 5.10) for
 * infinity.  Raises 22008 for other times outside 1970-01-01 ... 10889-08-02.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_boundary);
Datum
uidext_uuid_boundary(PG_FUNCTION_ARGS)
{
	TimestampTz at = PG_GETARG_TIMESTAMPTZ(0);

	if (TIMESTAMP_IS_NOBEGIN(at))
		PG_RETURN_UUID_WORDS(UUID_WORDS_NIL);
	if (TIMESTAMP_IS_NOEND(at))
		PG_RETURN_UUID_WORDS(UUID_WORDS_MAX);
	PG_RETURN_UUID_WORDS(layout_boundary(timestamptz_to_unix_ms(at)));
}

/*
 * uuid_boundary_time(id uuid) returns timestamptz
 *
 * The first 48 bits as Unix milliseconds, whatever the version.
 */
PG_FUNCTION_INFO_V1(uidext_uuid_boundary_time);
Datum
uidext_uuid_boundary_time(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);

	PG_RETURN_TIMESTAMPTZ(unix_ms_to_timestamptz(layout_unix_ms(id)));
}

/*
 * uuidv6_boundary(at timestamptz) returns uuid
 *
 * The top 48 bits of the Gregorian timestamp (floor, steps of 409.6 us), then
 * zeros: below every v6 and v13 id that shares them.  Infinities as in
 * uuid_boundary().  Raises 22008 for times outside 1970-01-01 ... 5236-03-31.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv6_boundary);
Datum
uidext_uuidv6_boundary(PG_FUNCTION_ARGS)
{
	TimestampTz at = PG_GETARG_TIMESTAMPTZ(0);
	uint64		timestamp;

	if (TIMESTAMP_IS_NOBEGIN(at))
		PG_RETURN_UUID_WORDS(UUID_WORDS_NIL);
	if (TIMESTAMP_IS_NOEND(at))
		PG_RETURN_UUID_WORDS(UUID_WORDS_MAX);
	timestamp = timestamptz_to_gregorian(at);
	PG_RETURN_UUID_WORDS(layout_gregorian_boundary(timestamp));
}

/*
 * uuidv6_boundary_time(id uuid) returns timestamptz
 *
 * The time of a boundary value for v6 and v13, or of such an id, from its
 * first 48 bits alone.  They stand for 409.6 us, and the result is the whole
 * millisecond among them if there is one, so that the time of a boundary made
 * from whole milliseconds comes back; else their first microsecond.
 */
PG_FUNCTION_INFO_V1(uidext_uuidv6_boundary_time);
Datum
uidext_uuidv6_boundary_time(PG_FUNCTION_ARGS)
{
	UuidWords	id = PG_GETARG_UUID_WORDS(0);
	uint64		first = layout_gregorian_boundary_timestamp(id);
	uint64		next_ms = (first + 9999) / 10000 * 10000;

	if (next_ms >> 12 == first >> 12)
		PG_RETURN_TIMESTAMPTZ(gregorian_to_timestamptz(next_ms));
	PG_RETURN_TIMESTAMPTZ(gregorian_to_timestamptz((first + 9) / 10 * 10));
}

/*
 * Bounds of time predicates.
 *
 * An id's time is a whole millisecond and the timestamp it is compared with
 * may lie between two, so the bound is rounded up.  Any timestamp can be
 * compared: one before 1970 lies below every id, one after 10889 above every
 * id but the max UUID, which counts as later than any time.
 */

/* The boundary of the first millisecond at or after a time. */
UuidWords
boundary_at_or_after(TimestampTz at)
{
	const TimestampTz epoch = unix_ms_to_timestamptz(0);

	if (at > unix_ms_to_timestamptz(UNIX_MS_MAX))
		return UUID_WORDS_MAX;
	at = Max(at, epoch);
	return layout_boundary(timestamptz_to_unix_ms(at + (US_PER_MS - 1)));
}

/* The boundary of the first millisecond after a time. */
UuidWords
boundary_after(TimestampTz at)
{
	if (TIMESTAMP_IS_NOEND(at))
		return UUID_WORDS_MAX;
	return boundary_at_or_after(at + 1);
}

/*
 * uuid_boundary_at_or_after(at timestamptz) returns uuid
 *
 * The bound b for which "time of id >= at" is "id >= b".
 */
PG_FUNCTION_INFO_V1(uidext_uuid_boundary_at_or_after);
Datum
uidext_uuid_boundary_at_or_after(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(boundary_at_or_after(PG_GETARG_TIMESTAMPTZ(0)));
}

/*
 * uuid_boundary_after(at timestamptz) returns uuid
 *
 * The bound b for which "time of id > at" is "id >= b".
 */
PG_FUNCTION_INFO_V1(uidext_uuid_boundary_after);
Datum
uidext_uuid_boundary_after(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_WORDS(boundary_after(PG_GETARG_TIMESTAMPTZ(0)));
}

/* The bound b for which "time of id is above this end" is "id >= b". */
UuidWords
boundary_of_lower(const RangeBound *end)
{
	if (end->infinite)
		return UUID_WORDS_NIL;
	if (end->inclusive)
		return boundary_at_or_after(DatumGetTimestampTz(end->val));
	return boundary_after(DatumGetTimestampTz(end->val));
}

/* The bound b for which "time of id is below this end" is "id < b". */
UuidWords
boundary_of_upper(const RangeBound *end)
{
	if (end->infinite)
		return UUID_WORDS_MAX;
	if (end->inclusive)
		return boundary_after(DatumGetTimestampTz(end->val));
	return boundary_at_or_after(DatumGetTimestampTz(end->val));
}

/*
 * Both bounds of a range, as "id >= lower and id < upper".  An empty range
 * gives bounds that no id can meet.
 */
void
range_to_bounds(FunctionCallInfo fcinfo, const RangeType *range,
				UuidWords *lower_bound, UuidWords *upper_bound)
{
	TypeCacheEntry *typcache = range_get_typcache(fcinfo,
												  RangeTypeGetOid(range));
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(typcache, range, &lower, &upper, &empty);
	*lower_bound = empty ? UUID_WORDS_MAX : boundary_of_lower(&lower);
	*upper_bound = empty ? UUID_WORDS_NIL : boundary_of_upper(&upper);
}

/*
 * uuid_range_lower(period tstzrange) returns uuid
 *
 * The least bound b for which "time of id in period" implies "id >= b".
 */
PG_FUNCTION_INFO_V1(uidext_uuid_range_lower);
Datum
uidext_uuid_range_lower(PG_FUNCTION_ARGS)
{
	UuidWords	lower;
	UuidWords	upper;

	range_to_bounds(fcinfo, PG_GETARG_RANGE_P(0), &lower, &upper);
	PG_RETURN_UUID_WORDS(lower);
}

/*
 * uuid_range_upper(period tstzrange) returns uuid
 *
 * The least bound b for which "time of id in period" implies "id < b".
 */
PG_FUNCTION_INFO_V1(uidext_uuid_range_upper);
Datum
uidext_uuid_range_upper(PG_FUNCTION_ARGS)
{
	UuidWords	lower;
	UuidWords	upper;

	range_to_bounds(fcinfo, PG_GETARG_RANGE_P(0), &lower, &upper);
	PG_RETURN_UUID_WORDS(upper);
}
